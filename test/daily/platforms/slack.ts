/** Slack as a platform of the kill test: the fake in the test's process, the real poster in its children. */

import { makeSlackDoor } from '../../../src/chat/slack/door.ts';
import { makeManifest, REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { App } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import type { Poster } from '../../../src/dispatch/poster.ts';
import { pictures } from '../../fakes/pictures.ts';
import type { FaultKind } from '../../fakes/slack/faults.ts';
import { startFakeSlack } from '../../fakes/slack/index.ts';
import { directChannel } from '../../fakes/slack/world.ts';
import { type Mischief, POSTER_APP, rerouted, type ServedPlatform } from './platform.ts';

const CHANNELS = 500;

interface Config {
  readonly apiUrl: string;
  readonly botToken: string;
  readonly team: string;
  /** The channel used for each of the test's tenants. */
  readonly channels: Readonly<Record<string, string>>;
  readonly people: Readonly<Record<string, string>>;
}

const FAULTS: Readonly<Record<Mischief, FaultKind | undefined>> = {
  none: undefined,
  before: { kind: 'drop' },
  after: { kind: 'lose' },
  late: { kind: 'status', status: 502, acted: true },
  busy: { kind: 'ratelimited', retryAfter: 1 },
  broken: { kind: 'status', status: 500 },
  slow: { kind: 'slow', milliseconds: 40 },
  twice: { kind: 'twice' },
};

export async function serve(clock?: Clock): Promise<ServedPlatform> {
  // Time runs fast in this test, and Slack's second between posts would be most of it.
  const fake = await startFakeSlack({
    manifest: makeManifest({ commands: [] }),
    pace: { postsPerSecond: 0 },
    clock,
  });
  const workspace = fake.addWorkspace();
  const scopes = [...REQUIRED_SCOPE_NAMES.filter((scope) => scope !== 'files:write'), 'channels:history'];
  fake.tokens.grant(workspace.id, scopes, { token: 'xoxb-of-the-test' });
  const channels: Record<string, string> = {};
  const people: Record<string, string> = {};
  for (let index = 0; index < CHANNELS; index++) {
    channels[`web:t${index}`] = fake.addChannel(workspace, []).id;
    people[`web:t${index}`] = fake.addPerson(workspace).id;
  }
  const config: Config = {
    apiUrl: fake.apiUrl,
    botToken: 'xoxb-of-the-test',
    team: workspace.id,
    channels,
    people,
  };
  let requests = 0;
  const served = { mischief: (): Mischief => 'none', onRequest: (_: 'before' | 'after'): void => {} };
  Object.assign(fake.faults, {
    take() {
      requests += 1;
      served.onRequest('before');
      return FAULTS[served.mischief()];
    },
  });
  fake.watchers.add(() => served.onRequest('after'));

  return Object.assign(served, {
    config,
    tally() {
      const messages = new Map<string, Map<string, number>>();
      const threads = new Map<string, number>();
      for (const [tenant, id] of Object.entries(channels)) {
        const channel = `${tenant} c`;
        const direct = directChannel(fake.world, workspace, people[tenant]!).messages;
        for (const { metadata, threadTs, isDeleted, ...message } of [
          ...workspace.channels.get(id)!.messages,
          ...direct,
        ]) {
          if (isDeleted) continue;
          const key = String(metadata?.event_payload.key).split(' ')[0]!;
          const keys = messages.get(channel) ?? new Map<string, number>();
          messages.set(channel, keys.set(key, (keys.get(key) ?? 0) + 1));
          if (threadTs === undefined && message.channel === id)
            threads.set(channel, (threads.get(channel) ?? 0) + 1);
        }
      }
      return { messages, threads, requests };
    },
    close: () => fake.close(),
  });
}

export async function makePoster(given: unknown): Promise<Poster> {
  const { apiUrl, botToken, team, channels, people } = given as Config;
  const { poster } = makeSlackDoor({
    app: APP,
    dispatcher: makeDispatcher(APP, { commands: [] }),
    mode: { kind: 'http', signingSecrets: ['unused'] },
    workspaces: { kind: 'one', botToken },
    apiUrl,
    pictures,
  });
  return rerouted(
    'web',
    () => poster!,
    ({ tenant }) => ({ tenant: `slack:${team}`, channel: channels[tenant] ?? '' }),
    ({ channel }) => people[channel.tenant] ?? '',
  );
}

const APP = POSTER_APP as unknown as App;
