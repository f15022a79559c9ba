/** Slack as a platform of tests with several processes: the fake in the test's process, the real poster in its children. */

import { makeSlackDoor } from '../../../src/chat/slack/door.ts';
import { makeManifest, REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import { channelKey } from '../../../src/core/channel-ref.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { App } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import type { Poster } from '../../../src/dispatch/poster.ts';
import { pictures } from '../../fakes/pictures.ts';
import { startFakeSlack } from '../../fakes/slack/index.ts';
import { directChannel } from '../../fakes/slack/world.ts';
import { countPosts, POSTER_APP, type ServedPlatform } from './platform.ts';

const CHANNELS = 500;
const TOKEN = 'xoxb-of-the-test';

interface Config {
  readonly apiUrl: string;
  readonly botToken: string;
}

export async function serve({ clock }: { readonly clock?: Clock } = {}): Promise<ServedPlatform> {
  // Time runs fast in this test, and Slack's second between posts would be most of it.
  const fake = await startFakeSlack({
    manifest: makeManifest({ commands: [] }),
    pace: { postsPerSecond: 0 },
    clock,
  });
  const workspace = fake.addWorkspace();
  const scopes = [...REQUIRED_SCOPE_NAMES.filter((scope) => scope !== 'files:write'), 'channels:history'];
  fake.tokens.grant(workspace.id, scopes, { token: TOKEN });
  const places = Array.from({ length: CHANNELS }, () => ({
    tenant: `slack:${workspace.id}`,
    channel: fake.addChannel(workspace, []).id,
    person: fake.addPerson(workspace).id,
  }));
  return {
    places,
    config: { apiUrl: fake.apiUrl, botToken: TOKEN } satisfies Config,
    tally() {
      const all = places.flatMap((place) =>
        [workspace.channels.get(place.channel)!, directChannel(fake.world, workspace, place.person)]
          .flatMap(({ messages }) => messages.filter(({ isDeleted }) => !isDeleted))
          .map((message) => ({ ...message, place: channelKey(place) })),
      );
      const isOpening = (message: (typeof all)[number]) =>
        message.threadTs === undefined && places.some(({ channel }) => channel === message.channel);
      return {
        messages: countPosts(
          all.map(({ place, metadata }) => [place, String(metadata?.event_payload.key).split(' ')[0]!]),
        ),
        threads: countPosts(all.filter(isOpening).map(({ place, ts }) => [place, ts])),
      };
    },
    close: () => fake.close(),
  };
}

export function makePoster(config: unknown): Poster {
  const app = POSTER_APP as unknown as App;
  const { apiUrl, botToken } = config as Config;
  const { poster } = makeSlackDoor({
    app,
    dispatcher: makeDispatcher(app, { commands: [] }),
    mode: { kind: 'http', signingSecrets: ['unused'] },
    workspaces: { kind: 'one', botToken },
    apiUrl,
    pictures,
  });
  return poster!;
}
