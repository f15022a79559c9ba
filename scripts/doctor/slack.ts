import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { makeClient, respond, SlackApi } from '../../src/chat/slack/api.ts';
import { isInvalidContent, readFailure } from '../../src/chat/slack/errors.ts';
import { BOT_SCOPES } from '../../src/chat/slack/manifest.ts';
import { makePeople } from '../../src/chat/slack/people.ts';
import { findPosts } from '../../src/chat/slack/poster.ts';
import { formModal, type RenderServices, renderReply, tableBlock } from '../../src/chat/slack/render.ts';
import { FILE_PAUSES } from '../../src/chat/slack/send.ts';
import type { Log } from '../../src/core/log.ts';
import type { Form, Reply, Spoiler } from '../../src/reply/model/types.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { SLACK_ASSUMPTIONS, type SlackAssumption } from './assumptions.ts';
import { Cleanup, type Examination, examine, expect, NotTried, PIXEL } from './examine.ts';
import { type Press, waitForCommand, waitForPress, waitForShortcut } from './press-slack.ts';

export interface SlackPatient {
  readonly botToken: string;
  /** For Socket Mode; a press can't be received without it. */
  readonly appToken?: string | undefined;
  readonly apiUrl?: string | undefined;
  /** Where it posts, and removes what it posted. */
  readonly channel: string;
  /** Whether somebody is there to press a button. */
  readonly press: boolean;
  /** Used where the bot waits, too: for a file to be shown, and for the next page of messages. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  readonly log: Log;
  readonly say: (line: string) => void;
}

/** Seconds. Slack refuses and sends nothing that is older. */
const CLOCK_DIFFERENCE = 300;
/** How often it waits as long as Slack asks for: apps that are not listed get one page of messages a minute. */
const MAX_POLLS = 3;

const POSTED = v.object({
  ts: v.string(),
  message: v.looseObject({ thread_ts: v.optional(v.string()), app_id: v.optional(v.string()) }),
});
const VIEW = v.object({ id: v.string() });
const REPLIES = v.object({
  messages: v.array(v.object({ ts: v.string(), text: v.optional(v.string(), '') })),
});

const BOARD = parseBoard('ozu nri lfa mbt');
const EXAMPLE = { command: 'solve', options: {} };
/** A reply with each kind of block. */
const EVERY_BLOCK: Reply = {
  title: 'Trying: blocks',
  blocks: [
    { kind: 'text', lines: [[{ bold: 'Bold' }, ' ', { code: 'code' }, ' ', { moment: 0, style: 'full' }]] },
    { kind: 'facts', facts: [{ label: 'Label', value: 'value' }] },
    { kind: 'picture', picture: { board: BOARD }, alt: 'A board' },
    ...['One', 'Two', 'Three'].map(
      (label): Spoiler => ({ kind: 'spoiler', label, hidden: ['hidden'], reveals: undefined }),
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
  fields: [{ name: 'sides', label: 'Sides', placeholder: 'ozu nri lfa mbt', required: true }],
  action: EXAMPLE,
};
const EXAMINED_ORIGIN = {
  team: '',
  user: '',
  channel: '',
  direct: false,
  answerBy: { kind: 'post' },
} as const;
/** Without files: pictures are drawn in characters. */
const RENDER_SERVICES: RenderServices = {
  pack: async () => '1|solve',
  store: async () => 'key',
  picture: async () => undefined,
};

export function examineSlack(patient: SlackPatient): Promise<Examination> {
  const cleanup = new Cleanup();
  return examine(SLACK_ASSUMPTIONS, new SlackTrial(patient, cleanup), cleanup, {
    mayPass: (error) => !v.isValiError(error) && readFailure(error).kind !== 'refused',
    pause: patient.sleep,
  });
}

/** One method for each assumption. */
class SlackTrial implements Record<SlackAssumption, () => Promise<void>> {
  readonly #patient: SlackPatient;
  readonly #cleanup: Cleanup;
  readonly #client: webApi.WebClient;
  readonly #api: SlackApi;
  #press: Promise<{ readonly press: Press; readonly ts: string }> | undefined;

  constructor(patient: SlackPatient, cleanup: Cleanup) {
    this.#patient = patient;
    this.#cleanup = cleanup;
    this.#client = makeClient(patient.log, patient.apiUrl);
    const tokens = {
      token: async () => patient.botToken,
      markRemoved: async () => {},
      leave: async () => {},
    };
    this.#api = new SlackApi(this.#client, tokens, { log: patient.log, clock: { now: Date.now } });
  }

  async token(): Promise<void> {
    const { team_id: team } = await this.#client.auth.test({ token: this.#patient.botToken });
    expect(team !== undefined && team !== '', 'Slack names no workspace');
  }

  async oneApp(): Promise<void> {
    const { appToken } = this.#patient;
    if (appToken === undefined) throw new NotTried('needs Socket Mode: set SLACK_APP_TOKEN');
    const { app_id: listens } = await this.#client.auth.test({ token: appToken });
    const { message } = await this.#post({ text: 'Trying: one app' });
    expect(
      listens === message.app_id,
      `the app that listens is ${listens}, the one that posts ${message.app_id}`,
    );
  }

  async scopes(): Promise<void> {
    const held = await this.#scopes();
    if (held === undefined) throw new NotTried('needs the header x-oauth-scopes, which a proxy may drop');
    const missing = BOT_SCOPES.filter((scope) => !held.includes(scope));
    expect(missing.length === 0, `missing: ${missing.join(', ')}`);
  }

  async clock(): Promise<void> {
    const { ts } = await this.#post({ text: 'Trying: clock' });
    const difference = Math.round(Number(ts) - Date.now() / 1000);
    expect(Math.abs(difference) < CLOCK_DIFFERENCE, `they differ by ${difference} seconds`);
  }

  async edit(): Promise<void> {
    const { ts } = await this.#post({ text: 'Trying: edit' });
    const { channel } = this.#patient;
    const answer = await this.#api.call('', 'chat.update', { channel, ts, text: 'Trying: edited' });
    expect(answer.ts === ts && answer.text === 'Trying: edited', 'the message was not changed');
  }

  async thread(): Promise<void> {
    const { ts } = await this.#post({ text: 'Trying: thread' });
    const { message } = await this.#post({ text: 'Trying: reply', thread_ts: ts });
    expect(message.thread_ts === ts, 'the reply is not in the thread');
  }

  async metadata(): Promise<void> {
    await this.#findAgain();
  }

  async replies(): Promise<void> {
    const { ts } = await this.#post({ text: 'Trying: a thread' });
    await this.#findAgain(ts);
  }

  /** Posts a message with a key, and looks for it as the bot does. */
  async #findAgain(thread?: string): Promise<void> {
    await this.#demandHistory();
    const { channel } = this.#patient;
    const key = randomUUID();
    const since = Date.now();
    const metadata = { event_type: 'letterboxed_doctor', event_payload: { key } };
    const { ts } = await this.#post({ text: 'Trying: metadata', metadata, thread_ts: thread });
    const searches: Parameters<typeof findPosts>[2] = new LRUCache({ max: 1 });
    const wanted = { team: '', channel, thread, keys: [key], since };
    const found = await this.#patiently(() => findPosts(this.#api, wanted, searches));
    expect(found?.get(key) === ts, 'the message was not found');
  }

  /** Reads as patiently as the bot does. */
  async #patiently<Result>(read: () => Promise<Result>): Promise<Result> {
    for (let waits = 0; ; waits++) {
      try {
        return await read();
      } catch (error) {
        const failure = readFailure(error);
        if (failure.kind !== 'limited' || waits === MAX_POLLS) throw error;
        const seconds = failure.retryAfter / 1000;
        this.#patient.say(`Slack asks to wait ${seconds} seconds before more messages can be read.`);
        await this.#sleep(failure.retryAfter);
      }
    }
  }

  #sleep(milliseconds: number): Promise<unknown> {
    return (this.#patient.sleep ?? setTimeout)(milliseconds);
  }

  async names(): Promise<void> {
    if ((await this.#scopes())?.includes('users:read') === false)
      throw new NotTried('needs the optional scope users:read');
    const { user_id: user = '' } = await this.#client.auth.test({ token: this.#patient.botToken });
    const app = { log: this.#patient.log, clock: { now: Date.now } };
    const person = await makePeople(app, this.#api).lookUp('', user);
    expect(person?.name !== undefined && person.name !== '', 'the name is missing');
  }

  async slackFile(): Promise<void> {
    const file = await this.#api.upload('', { name: 'pixel.png', content: PIXEL, alt: 'One pixel' });
    this.#cleanup.add(`the file ${file}`, () => this.#api.call('', 'files.delete', { file }));
    const blocks = [{ type: 'image', alt_text: 'One pixel', slack_file: { id: file } }];
    for (const [attempt, pause] of FILE_PAUSES.entries()) {
      await this.#sleep(pause);
      try {
        await this.#post({ text: 'Trying: a picture', blocks });
        return;
      } catch (error) {
        if (attempt === FILE_PAUSES.length - 1) throw error;
      }
    }
  }

  /** Uses Slack's own check, which posts nothing. */
  async blocks(): Promise<void> {
    const { blocks } = await renderReply(
      EVERY_BLOCK,
      { surface: 'message', inThread: false },
      RENDER_SERVICES,
    );
    await this.#validate({ blocks });
    await this.#validate({ view: formModal(A_FORM, EXAMINED_ORIGIN, '1|solve') });
  }

  async #validate(args: Record<string, unknown>): Promise<void> {
    const { botToken: token } = this.#patient;
    try {
      await this.#client.apiCall('blocks.validate', { token, ...args });
    } catch (error) {
      if (!isInvalidContent(error)) throw error;
      const failure = readFailure(error);
      expect(false, 'details' in failure ? failure.details : failure.kind);
    }
  }

  async dataTable(): Promise<void> {
    const table = { caption: 'Trying: a table', columns: [{ label: 'Words', isNumber: true }], rows: [[2]] };
    await this.#post({ text: 'Trying: a table', blocks: [tableBlock(table, { inThread: false })] });
  }

  /** The first check that needs a press, as a window has to be opened at once. */
  async modal(): Promise<void> {
    const { trigger: trigger_id } = (await this.#pressed()).press;
    const opened = await this.#api.call('', 'views.open', { trigger_id, view: modal('Trying: a window') });
    const { id: view_id } = v.parse(VIEW, opened.view);
    const view = modal('Tried. You can close this window.');
    const changed = v.parse(VIEW, (await this.#api.call('', 'views.update', { view_id, view })).view);
    expect(changed.id === view_id, 'another window was changed');
  }

  async responseUrlThread(): Promise<void> {
    const { press, ts } = await this.#pressed();
    await this.#demandHistory();
    const { channel } = this.#patient;
    const answer = `Trying: answered ${randomUUID()}`;
    await respond(press.responseUrl, {
      text: answer,
      response_type: 'in_channel',
      thread_ts: ts,
      replace_original: false,
    });
    const replies = v.parse(
      REPLIES,
      await this.#patiently(() => this.#api.call('', 'conversations.replies', { channel, ts })),
    );
    const found = replies.messages.find(({ text }) => text === answer);
    if (found !== undefined) this.#remove(found.ts);
    else await this.#removeStray(answer);
    expect(found !== undefined, 'the answer is not in the thread');
  }

  async escaping(): Promise<void> {
    const typed = await waitForCommand(this.#presser());
    expect(/<(@|!subteam\^)\w/.test(typed), `it came as ${typed}`);
  }

  async messageText(): Promise<void> {
    const text = await waitForShortcut(this.#presser());
    expect(text !== '', 'the text of the message is missing');
  }

  /** What is needed to wait for somebody, if they are there. */
  #presser(): Parameters<typeof waitForShortcut>[0] {
    const { press, appToken, apiUrl, say, log } = this.#patient;
    if (!press) throw new NotTried('needs somebody who presses a button: add --press');
    if (appToken === undefined) throw new NotTried('needs Socket Mode: set SLACK_APP_TOKEN');
    return { appToken, apiUrl, log, say };
  }

  /** The press of a button in a thread, which has the `ts`. One press serves all checks that need one. */
  #pressed(): Promise<{ readonly press: Press; readonly ts: string }> {
    const presser = this.#presser();
    this.#press ??= (async () => {
      const { ts } = await this.#post({ text: 'Trying: an answer in this thread' });
      await this.#post({ text: 'Trying: a reply', thread_ts: ts });
      const made = await waitForPress(presser, (action) =>
        this.#post({ text: 'Press me', thread_ts: ts, blocks: [button(action)] }),
      );
      return { press: made, ts };
    })();
    return this.#press;
  }

  /** Removes an answer that was posted outside of its thread. */
  async #removeStray(text: string): Promise<void> {
    const { channel } = this.#patient;
    const { messages } = v.parse(
      REPLIES,
      await this.#patiently(() => this.#api.call('', 'conversations.history', { channel })),
    );
    const stray = messages.find((message) => message.text === text);
    if (stray !== undefined) this.#remove(stray.ts);
  }

  /** Undefined where Slack does not tell. */
  async #scopes(): Promise<readonly string[] | undefined> {
    const answer = await this.#client.auth.test({ token: this.#patient.botToken });
    return answer.response_metadata?.scopes;
  }

  async #demandHistory(): Promise<void> {
    const held = (await this.#scopes()) ?? ['channels:history'];
    if (!held.includes('channels:history') && !held.includes('groups:history'))
      throw new NotTried('needs the optional scope channels:history (groups:history in private channels)');
  }

  async #post(args: Record<string, unknown>): Promise<v.InferOutput<typeof POSTED>> {
    const { channel } = this.#patient;
    const posted = v.parse(POSTED, await this.#api.call('', 'chat.postMessage', { channel, ...args }));
    this.#remove(posted.ts);
    return posted;
  }

  #remove(ts: string): void {
    const { channel } = this.#patient;
    this.#cleanup.add(`the message ${ts}`, () => this.#api.call('', 'chat.delete', { channel, ts }));
  }
}

function modal(text: string): object {
  const title = { type: 'plain_text', text: 'Letter Boxed' };
  const block = { type: 'section', text: { type: 'plain_text', text } };
  return { type: 'modal', title, blocks: [block] };
}

function button(action: string): object {
  const text = { type: 'plain_text', text: 'Press me' };
  return { type: 'actions', elements: [{ type: 'button', action_id: action, text }] };
}
