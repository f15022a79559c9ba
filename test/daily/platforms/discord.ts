/** Discord as a platform of the kill test: the fake in the test's process, the real poster in its children. */

import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { channelKey } from '../../../src/core/channel-ref.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { App } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import type { Poster } from '../../../src/dispatch/poster.ts';
import type { Store } from '../../../src/store/store.ts';
import { startFakeDiscord } from '../../fakes/discord/index.ts';
import type { Wrong } from '../../fakes/discord/server.ts';
import { pictures } from '../../fakes/pictures.ts';
import { countPosts, type Place, POSTER_APP, type ServedPlatform } from './platform.ts';

const CHANNELS = 2_000;
const CHANNELS_A_SERVER = 20;
const SLOW = 40;

interface Config {
  readonly apiUrl: string;
  readonly token: string;
  /** Paces requests in the store, as in the real one; otherwise there is no limit. */
  readonly requestsPerSecond?: number;
}

const WRONGS: Readonly<Record<Mischief, Wrong | undefined>> = {
  none: undefined,
  slow: undefined,
  before: 'drop',
  after: 'lose',
  late: 'half',
  busy: { retryAfter: 0.2 },
  broken: { status: 500 },
  twice: 'twice',
};

/** What goes wrong with one request of the door to its platform. */
export type Mischief = 'none' | 'late' | 'before' | 'after' | 'busy' | 'broken' | 'slow' | 'twice';

interface ServedDiscord extends ServedPlatform {
  /** Called in the middle of each request, before and after the platform acts. */
  onRequest: (when: 'before' | 'after') => void;
  /** Chooses what goes wrong. */
  mischief: () => Mischief;
}

interface ServeOptions {
  readonly clock?: Clock;
  readonly channels?: number;
  /** By default, Discord's own limits are left out: time runs fast in these tests, and they would be most of it. */
  readonly limits?: { readonly global: number };
  /** Milliseconds that an answer takes. */
  readonly latency?: number;
}

export async function serve({
  clock,
  channels: count = CHANNELS,
  limits,
  latency = 0,
}: ServeOptions = {}): Promise<ServedDiscord> {
  const served = { mischief: (): Mischief => 'none', onRequest: (_: 'before' | 'after'): void => {} };
  const fake = await startFakeDiscord({
    limits: limits ?? false,
    clock,
    memory: 100,
    latency() {
      served.onRequest('before');
      setImmediate(() => served.onRequest('after'));
      const mischief = served.mischief();
      const what = WRONGS[mischief];
      if (what !== undefined) fake.fault({ on: '*', what });
      return mischief === 'slow' ? SLOW : latency;
    },
  });
  const places: Place[] = [];
  let guild = fake.world.addGuild('First');
  for (let index = 0; index < count; index++) {
    if (index % CHANNELS_A_SERVER === 0) guild = fake.world.addGuild(`Club ${index}`);
    const person = fake.world.addUser(`reader ${index}`).id;
    places.push({ tenant: `discord:${guild.id}`, channel: fake.world.addChannel(guild).id, person });
  }
  const keyOf = new Map(
    places.flatMap((place) => [place.channel, place.person].map((id) => [id, channelKey(place)] as const)),
  );
  const { channels, messages } = fake.world;
  return Object.assign(served, {
    places,
    config: { apiUrl: fake.url, token: fake.token } satisfies Config,
    tally() {
      const placeOf = (id: string) => {
        const { parent_id, recipients } = channels.get(id) ?? {};
        return keyOf.get(id) ?? keyOf.get(parent_id ?? recipients?.[0]?.id ?? '');
      };
      const sent = [...messages].flatMap(([id, all]) =>
        all.flatMap(({ nonce }) => (nonce === undefined ? [] : [[placeOf(id), String(nonce)] as const])),
      );
      // Also those that are empty: a day may be over before its first step could be posted.
      const threads = [...channels.values()].filter(({ thread_metadata }) => thread_metadata !== undefined);
      return {
        messages: countPosts(sent),
        threads: countPosts(threads.map(({ id }) => [placeOf(id), id])),
      };
    },
    close: () => fake.close(),
  });
}

export function makePoster(config: unknown, store: Store): Poster {
  const { requestsPerSecond, ...given } = config as Config;
  const app = { ...POSTER_APP, ...(requestsPerSecond !== undefined && { store }) } as unknown as App;
  const dispatcher = makeDispatcher(app, { commands: [] });
  return new DiscordDoor({
    ...given,
    app,
    dispatcher,
    pictures,
    requestsPerSecond: requestsPerSecond ?? 10_000,
  }).poster;
}
