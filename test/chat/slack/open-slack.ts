/** The real door on the fake Slack, with the real commands. */

import { COMMANDS } from '../../../commands/index.ts';
import { makeSlackDoor, type SlackDoor, type SlackDoorOptions } from '../../../src/chat/slack/door.ts';
import { makeManifest } from '../../../src/chat/slack/manifest.ts';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import type { Command } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { type OpeningPost, UNLEASED } from '../../../src/dispatch/poster.ts';
import { makeRouter } from '../../../src/http/router.ts';
import { HttpServer } from '../../../src/http/server.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import { makeTestApp, type TestApp, type TestAppOptions } from '../../fakes/app.ts';
import { pictures } from '../../fakes/pictures.ts';
import { type FakeOptions, startFakeSlack } from '../../fakes/slack/index.ts';
import { shownText } from '../../fakes/slack/shown.ts';
import type { Message, Sight, View } from '../../fakes/slack/world.ts';

export const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

export interface OpenSlackOptions {
  readonly mode?: 'socket' | 'http';
  readonly many?: boolean;
  readonly rotation?: boolean;
  readonly commands?: readonly Command[];
  readonly fake?: Partial<FakeOptions>;
  readonly scopes?: readonly string[];
  readonly door?: Partial<SlackDoorOptions>;
  readonly test?: TestApp;
  /** Options of its own app. */
  readonly app?: TestAppOptions;
}

export type OpenedSlack = Awaited<ReturnType<typeof openSlack>>;

/** @example const { ann, channel, close } = await openSlack({ mode: 'http' }); */
export async function openSlack(options: OpenSlackOptions = {}) {
  const { mode = 'socket', many = false, rotation = false, commands = COMMANDS } = options;
  let opened: SlackDoor | undefined;
  const test = options.test ?? (await makeSlackApp({ posterOf: () => opened?.poster, ...options.app }));
  const router = makeRouter(test.app.log);
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
  await server.start();
  const url = `http://127.0.0.1:${server.port}`;
  const isSocket = mode === 'socket' && !many;
  const manifest = makeManifest({
    commands,
    ...(!isSocket && { publicUrl: url }),
    ...(rotation && { rotation: true }),
  });
  const fake = await startFakeSlack({
    manifest:
      mode === 'socket'
        ? { ...manifest, settings: { ...manifest.settings, socket_mode_enabled: true } }
        : manifest,
    clock: test.clock,
    pace: { postsPerSecond: 0 },
    ...options.fake,
  });
  const workspace = fake.addWorkspace();
  const ann = fake.addPerson(workspace, { isAdmin: true });
  const bob = fake.addPerson(workspace);
  const channel = fake.addChannel(workspace, [ann, bob]);
  const doorOptions: SlackDoorOptions = {
    app: test.app,
    dispatcher: makeDispatcher(test.app, { commands }),
    mode:
      mode === 'socket'
        ? { kind: 'socket', appToken: fake.app.appToken }
        : { kind: 'http', signingSecrets: [fake.app.signingSecret] },
    workspaces: many
      ? {
          kind: 'many',
          keys: [KEY],
          clientId: fake.app.clientId,
          clientSecret: fake.app.clientSecret,
          publicUrl: url,
        }
      : { kind: 'one', botToken: fake.install(workspace, options.scopes ? { scopes: options.scopes } : {}) },
    apiUrl: fake.apiUrl,
    sleep: async () => {},
    pictures,
    pictureOrigins: [new URL(fake.apiUrl).origin],
    ...options.door,
  };
  let door = makeSlackDoor(doorOptions);
  router.route('/', door.routes);
  router.notFound((context) => context.text('not for Slack', 404));
  opened = door;
  const close = async () => {
    await door.stop();
    await fake.close();
    await server.stop();
    if (options.test === undefined) await test.close();
  };
  await door.start().catch(async (error) => {
    await close();
    throw error;
  });
  return {
    fake,
    get door() {
      return door;
    },
    test,
    workspace,
    ann,
    bob,
    channel,
    /** The address of the server that the door shares. */
    url,
    /** Another door on the same Slack, in socket mode. */
    async restart() {
      await door.stop();
      door = makeSlackDoor(doorOptions);
      opened = door;
      await door.start();
    },
    close,
  };
}

const LEXICON = readLexicon();

/** A day's board of our own, that its words solve. */
export function makeSlackApp(more: TestAppOptions = {}): Promise<TestApp> {
  const house = (date: PuzzleDate): Puzzle => ({ date, source: 'house', board: BOARD, par: 4 });
  return makeTestApp({
    lexicon: LEXICON,
    clock: steady(),
    house,
    ...more,
  });
}

const BOARD = parseBoard('ozu nri lfa mbt');

/** Now, standing still: signatures and tokens are checked against it on both sides. */
function steady() {
  return {
    time: Date.parse('2026-11-20T17:00:00Z'),
    now() {
      return this.time;
    },
  };
}

/** An opening in the channel, to be posted without a daily thread. */
export function openingPost(
  { workspace, channel }: Pick<OpenedSlack, 'workspace' | 'channel'>,
  reply: Reply,
  more: Partial<OpeningPost> = {},
): OpeningPost {
  return {
    channel: { tenant: `slack:${workspace.id}`, channel: channel.id },
    key: `key of ${workspace.id}`,
    reply,
    ...UNLEASED,
    since: 0,
    threadName: 'x',
    ping: null,
    ...more,
  };
}

/** The message that somebody saw because of what they did. */
export async function messageOf(action: { shown: Promise<Sight> }): Promise<Message> {
  const { message } = await action.shown;
  if (message === undefined) throw new Error('a view was shown, not a message');
  return message;
}

export async function viewOf(action: { shown: Promise<Sight> }): Promise<View> {
  const { view } = await action.shown;
  if (view === undefined) throw new Error('a message was shown, not a view');
  return view;
}

export const read = ({ blocks }: Pick<Message, 'blocks'> | View): string => shownText(blocks);
