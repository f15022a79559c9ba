/** Discord as a platform of the kill test: the fake in the test's process, the real poster in its children. */

import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import type { ChannelRef } from '../../../src/core/channel-ref.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { App } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import type { Poster } from '../../../src/dispatch/poster.ts';
import { startFakeDiscord } from '../../fakes/discord/index.ts';
import type { Wrong } from '../../fakes/discord/server.ts';
import { pictures } from '../../fakes/pictures.ts';
import { type Mischief, POSTER_APP, rerouted, type ServedPlatform } from './platform.ts';

const CHANNELS = 2_000;
const CHANNELS_A_SERVER = 20;
const SLOW = 40;

interface Config {
  readonly apiUrl: string;
  readonly token: string;
  /** The channel that stands for each of the test's tenants, and a person, by the tenant's number. */
  readonly places: readonly Place[];
  /** The servers of these channels. */
  readonly servers: readonly string[];
}

type Place = readonly [channel: string, person: string];

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

export async function serve(clock?: Clock): Promise<ServedPlatform> {
  const served = { mischief: (): Mischief => 'none', onRequest: (_: 'before' | 'after'): void => {} };
  let requests = 0;
  const fake = await startFakeDiscord({
    // Time runs fast in this test, and Discord's own limits would be most of it.
    limits: false,
    clock,
    memory: 100,
    latency() {
      requests += 1;
      served.onRequest('before');
      setImmediate(() => served.onRequest('after'));
      const mischief = served.mischief();
      const what = WRONGS[mischief];
      if (what !== undefined) fake.fault({ on: '*', what });
      return mischief === 'slow' ? SLOW : 0;
    },
  });
  const places: Place[] = [];
  const servers: string[] = [];
  let guild = fake.world.addGuild('First');
  for (let index = 0; index < CHANNELS; index++) {
    if (index % CHANNELS_A_SERVER === 0) {
      guild = fake.world.addGuild(`Club ${index}`);
      servers.push(guild.id);
    }
    places.push([fake.world.addChannel(guild).id, fake.world.addUser(`reader ${index}`).id]);
  }
  const config: Config = { apiUrl: fake.url, token: fake.token, places, servers };

  return Object.assign(served, {
    config,
    tally() {
      const messages = new Map<string, Map<string, number>>();
      const threads = new Map<string, number>();
      const placeOf = new Map(
        places.flatMap((ids, index) => ids.map((id) => [id, `web:t${index} c`] as const)),
      );
      for (const [id, all] of fake.world.messages) {
        const channel = fake.world.channels.get(id);
        const parent = placeOf.has(id) ? id : (channel?.parent_id ?? channel?.recipients?.[0]?.id ?? '');
        const channelRef = placeOf.get(parent);
        if (channelRef === undefined) continue;
        for (const { nonce } of all) {
          if (nonce === undefined) continue;
          const keys = messages.get(channelRef) ?? new Map<string, number>();
          messages.set(channelRef, keys.set(String(nonce), (keys.get(String(nonce)) ?? 0) + 1));
        }
      }
      // Also those that are empty: a day may be over before its first step could be posted.
      for (const { parent_id, thread_metadata } of fake.world.channels.values()) {
        const channelRef = thread_metadata === undefined ? undefined : placeOf.get(parent_id ?? '');
        if (channelRef !== undefined) threads.set(channelRef, (threads.get(channelRef) ?? 0) + 1);
      }
      return { messages, threads, requests };
    },
    close: () => fake.close(),
  });
}

export async function makePoster(given: unknown): Promise<Poster> {
  const { apiUrl, token, places, servers } = given as Config;
  const { poster } = new DiscordDoor({
    app: APP,
    dispatcher: makeDispatcher(APP, { commands: [] }),
    token,
    apiUrl,
    requestsPerSecond: 10_000,
    pictures,
  });
  const numberOf = ({ tenant }: ChannelRef) => Number(tenant.slice('web:t'.length));
  const placeOf = (channel: ChannelRef): Place => places[numberOf(channel)] ?? ['', ''];
  const serverOf = (channel: ChannelRef) => servers[Math.floor(numberOf(channel) / CHANNELS_A_SERVER)];
  return rerouted(
    'web',
    () => poster,
    (channel) => ({ tenant: `discord:${serverOf(channel)}`, channel: placeOf(channel)[0] }),
    ({ channel }) => placeOf(channel)[1],
  );
}

const APP = {
  ...POSTER_APP,
  store: {
    ...POSTER_APP.store,
    applications: { get: async () => undefined },
    pace: { reserve: async () => 0, reserveUpTo: async () => true },
  },
} as unknown as App;
