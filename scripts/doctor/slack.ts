import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { makeClient, SlackApi } from '../../src/chat/slack/api.ts';
import { isInvalidContent, readFailure } from '../../src/chat/slack/errors.ts';
import { REQUIRED_SCOPE_NAMES } from '../../src/chat/slack/manifest.ts';
import { makePeople } from '../../src/chat/slack/people.ts';
import { findPost } from '../../src/chat/slack/poster.ts';
import { formModal, type RenderServices, renderReply } from '../../src/chat/slack/render.ts';
import { FILE_PAUSES } from '../../src/chat/slack/send.ts';
import type { Form, Reply } from '../../src/reply/model/types.ts';
import { parseBoard } from '../../src/solver/board.ts';
import type { Check, Examination, RemoveLater } from './examine.ts';
import { examine, expect, NotTried, needed, PIXEL } from './examine.ts';

export interface SlackPatient {
  readonly botToken: string;
  /** For Socket Mode. */
  readonly appToken?: string | undefined;
  readonly apiUrl?: string | undefined;
  /** Where it posts, and removes what it posted. */
  readonly channel: string;
  /** Used where the bot waits for a file to be shown. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
/** Seconds. Slack refuses and sends nothing that is older. */
const CLOCK_DIFFERENCE = 300;

const POSTED = v.object({
  ts: v.string(),
  message: v.looseObject({ thread_ts: v.optional(v.string()), app_id: v.optional(v.string()) }),
});

const BOARD = parseBoard('ozu nri lfa mbt');
const EXAMPLE = { command: 'solve', options: {} };
const EVERY_BLOCK: Reply = {
  title: 'Trying: blocks',
  blocks: [
    { kind: 'text', lines: [[{ bold: 'Bold' }, ' ', { code: 'code' }, ' ', { moment: 0, style: 'full' }]] },
    { kind: 'text', lines: ['A heading', 'What is folded below it'], mayFold: true },
    { kind: 'facts', facts: [{ label: 'Label', value: 'value' }] },
    { kind: 'picture', picture: { board: BOARD }, alt: 'A board' },
    ...['One', 'Two', 'Three'].map(
      (label) => ({ kind: 'spoiler', label, hidden: ['hidden'], reveals: undefined }) as const,
    ),
    { kind: 'buttons', buttons: [{ label: 'Press', action: EXAMPLE, look: 'primary' }] },
    { kind: 'menu', label: 'Choose', choices: [{ label: 'This', description: 'That', action: EXAMPLE }] },
    { kind: 'note', line: ['Small print: ', { command: 'help' }] },
  ],
  audience: 'everyone',
  rerun: EXAMPLE,
};
const A_FORM: Form = {
  title: 'Trying: a form',
  submit: 'Send',
  fields: [
    { name: 'sides', label: 'Sides', hint: 'The board', placeholder: 'ozu nri lfa mbt', required: true },
  ],
  action: EXAMPLE,
};
const ORIGIN = { team: '', user: '', channel: '', direct: false, answerBy: { kind: 'post' } } as const;
/** Without files: pictures are drawn in characters. */
const RENDER_SERVICES: RenderServices = {
  pack: async () => '1|solve',
  store: async () => 'key',
  picture: async () => undefined,
};

export function examineSlack(patient: SlackPatient): Promise<Examination> {
  return examine(
    (removeLater) => slackChecks(patient, removeLater),
    (error) => readFailure(error).kind !== 'refused',
  );
}

export type SlackAssumption = keyof ReturnType<typeof slackChecks>;

function slackChecks(patient: SlackPatient, removeLater: RemoveLater) {
  const { botToken, appToken, apiUrl, channel, sleep = setTimeout } = patient;
  const client = makeClient(QUIET, apiUrl);
  const workspaces = { token: async () => botToken, markRemoved: async () => {}, leave: async () => {} };
  const app = { log: QUIET, clock: { now: Date.now } };
  const api = new SlackApi(client, workspaces, app);
  const identify = (token: string) => client.auth.test({ token });

  async function post(args: Record<string, unknown>) {
    const posted = v.parse(POSTED, await api.call('', 'chat.postMessage', { channel, ...args }));
    removeLater(`the message ${posted.ts}`, () => api.call('', 'chat.delete', { channel, ts: posted.ts }));
    return posted;
  }

  /** Undefined if a proxy drops the header that names them. */
  async function heldScopes(): Promise<readonly string[] | undefined> {
    return (await identify(botToken)).response_metadata?.scopes;
  }

  /** Posts a message with a key, and looks for it as the bot does. */
  async function findAgain(thread?: string): Promise<void> {
    const held = (await heldScopes()) ?? ['channels:history'];
    if (!held.includes('channels:history') && !held.includes('groups:history'))
      throw new NotTried('needs the optional scope channels:history (groups:history in private channels)');
    const key = randomUUID();
    const since = Date.now();
    const metadata = { event_type: 'letterboxed_doctor', event_payload: { key } };
    const { ts } = await post({ text: 'Trying: metadata', metadata, thread_ts: thread });
    const search = { team: '', channel, thread, key, since };
    expect((await findPost(api, search)) === ts, 'the message was not found');
  }

  /** Slack's own check, which posts nothing. */
  async function validate(args: Record<string, unknown>): Promise<void> {
    try {
      await client.apiCall('blocks.validate', { token: botToken, ...args });
    } catch (error) {
      if (!isInvalidContent(error)) throw error;
      const failure = readFailure(error);
      expect(false, 'details' in failure ? failure.details : failure.kind);
    }
  }

  return {
    token: {
      claim: 'the bot token is accepted and names the workspace',
      isFirst: true,
      todo: 'Copy the Bot User OAuth Token again from the page Install App into SLACK_BOT_TOKEN.',
      async run() {
        expect(Boolean((await identify(botToken)).team_id), 'Slack names no workspace');
      },
    },
    channel: {
      claim: 'the bot may post in this channel',
      todo: 'Type /invite @letterboxed in the channel. Its id is at the end of its details, and begins with C.',
      isFirst: true,
      async run() {
        await post({ text: 'Trying: this channel' });
      },
    },
    oneApp: {
      claim: 'both tokens are of one app',
      todo: 'Copy both tokens from the pages of the same app: SLACK_BOT_TOKEN from Install App, SLACK_APP_TOKEN from Basic Information.',
      async run() {
        const token = needed(appToken, 'needs Socket Mode: set SLACK_APP_TOKEN');
        const { app_id: listens } = await identify(token);
        const { app_id: posts } = (await post({ text: 'Trying: one app' })).message;
        expect(listens === posts, `the app that listens is ${listens}, the one that posts ${posts}`);
      },
    },
    scopes: {
      claim: 'the app has all the scopes of the manifest that are not optional',
      todo: 'Paste the manifest on the page App Manifest of the app, and install it again.',
      async run() {
        const held = needed(await heldScopes(), 'needs the header x-oauth-scopes, which a proxy may drop');
        const missing = REQUIRED_SCOPE_NAMES.filter((scope) => !held.includes(scope));
        expect(missing.length === 0, `missing: ${missing.join(', ')}`);
      },
    },
    clock: {
      claim: "Slack's clock and this machine's differ by less than five minutes",
      todo: 'Set the clock of this machine.',
      async run() {
        const { ts } = await post({ text: 'Trying: clock' });
        const difference = Math.round(Number(ts) - Date.now() / 1000);
        expect(Math.abs(difference) < CLOCK_DIFFERENCE, `they differ by ${difference} seconds`);
      },
    },
    thread: {
      claim: 'a reply is posted in the thread that it names',
      async run() {
        const { ts } = await post({ text: 'Trying: thread' });
        const { message } = await post({ text: 'Trying: reply', thread_ts: ts });
        expect(message.thread_ts === ts, 'the reply is not in the thread');
      },
    },
    metadata: {
      claim: 'a message is found in the channel by the key in its metadata',
      run: () => findAgain(),
    },
    replies: {
      claim: 'a reply is found in its thread by the key in its metadata',
      run: async () => findAgain((await post({ text: 'Trying: a thread' })).ts),
    },
    names: {
      claim: 'Slack returns the name of a member',
      todo: 'Send us this report: people are mentioned until then.',
      async run() {
        if ((await heldScopes())?.includes('users:read') === false)
          throw new NotTried('needs the optional scope users:read');
        const { user_id: user = '' } = await identify(botToken);
        const person = await makePeople(app, api).lookUp('', user);
        expect(Boolean(person?.name), 'the name is missing');
      },
    },
    slackFile: {
      claim: 'a message shows an uploaded file by its id, some seconds after it was uploaded',
      todo: 'Send us this report: boards are drawn in characters until then.',
      async run() {
        const file = await api.upload('', 'pixel.png', PIXEL);
        removeLater(`the file ${file}`, () => api.call('', 'files.delete', { file }));
        const blocks = [{ type: 'image', alt_text: 'One pixel', slack_file: { id: file } }];
        const postIt = () => post({ text: 'Trying: a picture', blocks });
        for (const pause of FILE_PAUSES.slice(0, -1)) {
          await sleep(pause);
          if (await postIt().catch(() => undefined)) return;
        }
        await sleep(FILE_PAUSES.at(-1)!);
        await postIt();
      },
    },
    blocks: {
      claim: 'Slack takes the blocks of which messages and windows are made',
      async run() {
        const surface = { surface: 'message', inThread: false, foldsTexts: true } as const;
        const { blocks } = await renderReply(EVERY_BLOCK, surface, RENDER_SERVICES);
        await validate({ blocks });
        await validate({ view: formModal(A_FORM, ORIGIN, '1|solve') });
      },
    },
  } satisfies Record<string, Check>;
}
