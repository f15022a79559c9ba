import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeSlack, startFakeSlack } from './slack/index.ts';
import { manifestProblems } from './slack/manifest.ts';
import type { Person } from './slack/people.ts';
import type { Channel, Json, Workspace } from './slack/world.ts';

const MANIFEST = {
  display_information: { name: 'Letter Boxed' },
  features: {
    app_home: { home_tab_enabled: true },
    bot_user: { display_name: 'letterboxed' },
    slash_commands: [{ command: '/letterboxed', description: 'Hints' }],
  },
  oauth_config: {
    redirect_urls: ['http://127.0.0.1/back'],
    scopes: { bot: ['app_mentions:read', 'channels:history', 'chat:write', 'commands', 'files:write'] },
  },
  settings: {
    socket_mode_enabled: true,
    interactivity: { is_enabled: true },
    event_subscriptions: { bot_events: ['app_mention'] },
  },
};

let now: number;
let fake: FakeSlack;
let workspace: Workspace;
let ann: Person;
let channel: Channel;
let token: string;

beforeEach(async () => {
  now = Date.now();
  fake = await startFakeSlack({
    manifest: MANIFEST,
    clock: { now: () => now },
    pace: { elapsed: () => now },
  });
  workspace = fake.addWorkspace();
  ann = fake.addPerson(workspace);
  channel = fake.addChannel(workspace, [ann]);
  token = fake.install(workspace);
});
afterEach(() => fake.close());

/** The answer of a method, without the client's retries and its exceptions. */
async function call(method: string, args: Json, as: string | undefined = token): Promise<Json> {
  const response = await fetch(`${fake.apiUrl}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }) },
    body: JSON.stringify(args),
  });
  return response.status === 429
    ? { error: 'status 429', after: response.headers.get('retry-after') }
    : ((await response.json()) as Json);
}
const post = (args: Json) => call('chat.postMessage', { channel: channel.id, text: 'Hello', ...args });
const long = (length: number) => 'x'.repeat(length);
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const button = (more: Json = {}) => ({
  type: 'button',
  action_id: 'a',
  text: plain('Press'),
  value: 'v',
  ...more,
});
const actions = (...elements: Json[]) => ({ type: 'actions', elements });
const picture = (more: Json) => ({ type: 'image', alt_text: 'A board', ...more });
const modal = (more: Json = {}) => ({
  type: 'modal',
  title: plain('Title'),
  blocks: [section('x')],
  ...more,
});
const input = {
  type: 'input',
  label: plain('Sides'),
  element: { type: 'plain_text_input', action_id: 'sides' },
};

describe('blocks the fake refuses', () => {
  it.each<[why: string, blocks: unknown, at: string]>([
    ['more than 50', Array.from({ length: 51 }, () => section('x')), ''],
    ['an unknown type', [{ type: 'poem', text: 'x' }], '/0/type'],
    ['an unknown field', [{ ...section('x'), colour: 'red' }], '/0/colour'],
    ['a section without text', [{ type: 'section' }], '/0'],
    ['a section of 3,001 characters', [section(long(3001))], '/0/text/text'],
    ['an empty text', [section('')], '/0/text/text'],
    ['11 fields', [{ type: 'section', fields: Array(11).fill(mrkdwn('x')) }], '/0/fields'],
    ['a field of 2,001', [{ type: 'section', fields: [mrkdwn(long(2001))] }], '/0/fields/0/text'],
    ['a header of 151', [{ type: 'header', text: plain(long(151)) }], '/0/text/text'],
    ['markup in a header', [{ type: 'header', text: mrkdwn('*x*') }], '/0/text/type'],
    [
      '26 buttons',
      [actions(...Array.from({ length: 26 }, (_, i) => button({ action_id: `${i}` })))],
      '/0/elements',
    ],
    ['no buttons', [actions()], '/0/elements'],
    ['two buttons of one id', [actions(button(), button())], '/0/elements'],
    ['a label of 76', [actions(button({ text: plain(long(76)) }))], '/0/elements/0/text/text'],
    ['a value of 2,001', [actions(button({ value: long(2001) }))], '/0/elements/0/value'],
    ['a look of its own', [actions(button({ style: 'secondary' }))], '/0/elements/0/style'],
    ['an action id of 256', [actions(button({ action_id: long(256) }))], '/0/elements/0/action_id'],
    ['a block id of 256', [{ ...section('x'), block_id: long(256) }], '/0/block_id'],
    ['a block id twice', Array(2).fill({ ...section('x'), block_id: 'b' }), ''],
    ['11 in a context', [{ type: 'context', elements: Array(11).fill(mrkdwn('x')) }], '/0/elements'],
    ['a button in a context', [{ type: 'context', elements: [button()] }], '/0/elements/0/type'],
    ['a picture without alt text', [{ type: 'image', image_url: 'https://x.test/a.png' }], '/0/alt_text'],
    ['a picture from nowhere', [picture({})], '/0'],
    ['a file by a wrong id', [picture({ slack_file: { id: 'nope' } })], '/0/slack_file/id'],
  ])('%s', async (_, blocks, at) => {
    const answer = await post({ blocks });
    expect(answer).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(answer.errors[0]).toContain(`[json-pointer:/blocks${at}]`);
    expect(channel.messages).toEqual([]);
  });

  it('a file that is not there', async () => {
    const { errors } = await post({ blocks: [picture({ slack_file: { id: 'F012345678' } })] });
    expect(errors).toEqual(['invalid slack file F012345678']);
  });

  it('takes the same within their limits', async () => {
    const blocks = [
      section(long(3000)),
      actions(button({ value: long(2000), text: plain(long(75)) })),
      ...Array.from({ length: 48 }, () => section('x')),
    ];
    expect(await post({ blocks })).toMatchObject({ ok: true });
  });

  it('views: too long a title, an input without submit, 101 blocks', async () => {
    for (const [view, at] of [
      [modal({ title: plain(long(25)) }), '/view/title/text'],
      [modal({ blocks: [input] }), '/view]'],
      [modal({ blocks: Array.from({ length: 101 }, () => section('x')) }), '/view/blocks]'],
      [modal({ private_metadata: long(3001) }), '/view/private_metadata'],
    ] as const) {
      const answer = await call('views.open', { trigger_id: 'x', view });
      expect(answer.error).toBe('invalid_arguments');
      expect(answer.errors.join('\n')).toContain(at);
    }
  });
});

describe('calls the fake refuses', () => {
  it.each<[why: string, args: Json, error: string]>([
    ['no text', { text: '' }, 'no_text'],
    ['no channel', { channel: undefined }, 'invalid_arguments'],
    ['a channel there is not', { channel: 'C0' }, 'channel_not_found'],
    ['an unknown argument', { txet: 'x' }, 'invalid_arguments'],
    ['a thread under nothing', { thread_ts: '1.2' }, 'cannot_reply_to_message'],
    ['metadata without payload', { metadata: { event_type: 'x' } }, 'invalid_metadata_format'],
    [
      'a kind of metadata of 51',
      { metadata: { event_type: long(51), event_payload: {} } },
      'invalid_metadata_schema',
    ],
  ])('%s', async (_, args, error) => {
    expect(await post(args)).toMatchObject({ ok: false, error });
  });

  it('an archived channel, and one the bot is not in', async () => {
    channel.isArchived = true;
    expect(await post({})).toMatchObject({ error: 'is_archived' });
    const other = fake.addChannel(workspace, [ann], { withBot: false });
    expect(await post({ channel: other.id })).toMatchObject({ error: 'not_in_channel' });
    const hidden = fake.addChannel(workspace, [ann], { withBot: false, kind: 'private' });
    expect(await post({ channel: hidden.id })).toMatchObject({ error: 'channel_not_found' });
  });

  it('tokens: none, unknown, of the wrong kind, without the scope, dead', async () => {
    expect(await call('auth.test', {}, '')).toMatchObject({ error: 'not_authed' });
    expect(await call('auth.test', {}, 'xoxb-nobody')).toMatchObject({ error: 'invalid_auth' });
    expect(await call('apps.connections.open', {})).toMatchObject({ error: 'not_allowed_token_type' });
    expect(await call('users.info', { user: ann.id })).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read',
    });
    fake.tokens.kill(workspace.id, 'token_revoked');
    expect(await post({})).toMatchObject({ error: 'token_revoked' });
  });

  it('a second post in a second, with the time to wait', async () => {
    for (let sent = 0; sent < 3; sent += 1) expect(await post({})).toMatchObject({ ok: true });
    expect(await post({})).toEqual({ error: 'status 429', after: '1' });
    now += 1000;
    expect(await post({})).toMatchObject({ ok: true });
  });

  it('a trigger that is spent, old, or made up', async () => {
    const open = (trigger: string) => call('views.open', { trigger_id: trigger, view: modal() });
    const first = fake.triggers.issue(workspace.id, ann.id).id;
    expect(await open(first)).toMatchObject({ ok: true });
    expect(await open(first)).toMatchObject({ error: 'exchanged_trigger_id' });
    const late = fake.triggers.issue(workspace.id, ann.id).id;
    now += 3001;
    expect(await open(late)).toMatchObject({ error: 'expired_trigger_id' });
    expect(await open('1.2.3')).toMatchObject({ error: 'invalid_trigger_id' });
  });

  it('a response URL after five answers, or thirty minutes', async () => {
    const issue = () =>
      `${fake.base}/response/${fake.responseUrls.issue({ workspace: workspace.id, channel: channel.id, user: ann.id, original: undefined }).key}`;
    const answer = async (url: string, body: Json = { text: 'Hi' }) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
      return `${response.status} ${await response.text()}`;
    };
    const url = issue();
    for (let used = 0; used < 5; used += 1) expect(await answer(url)).toBe('200 ok');
    expect(await answer(url)).toMatch(/^404 .*used_url/);
    const old = issue();
    now += 30 * 60 * 1000 + 1;
    expect(await answer(old)).toMatch(/^404 .*expired_url/);
    expect(await answer(issue(), { blocks: [{ type: 'poem' }] })).toMatch(/invalid_blocks/);
    expect(await answer(issue(), { text: 'x', response_type: 'secret' })).toMatch(/invalid_response_type/);
  });
});

describe('what the fake does', () => {
  it('keeps metadata and finds it again', async () => {
    const metadata = { event_type: 'letterboxed', event_payload: { key: 'k1' } };
    await post({ metadata });
    const { messages } = await call('conversations.history', {
      channel: channel.id,
      include_all_metadata: true,
    });
    expect(messages).toMatchObject([{ text: 'Hello', metadata }]);
  });

  it('loses the answer after having acted', async () => {
    fake.faults.inject({ kind: 'lose', method: 'chat.postMessage' });
    await expect(post({})).rejects.toThrow();
    expect(channel.messages).toHaveLength(1);
  });

  it('takes a file from the real client, and shows it once it is ready', async () => {
    const client = new webApi.WebClient(token, { slackApiUrl: fake.apiUrl });
    const { files } = (await client.filesUploadV2({
      filename: 'board.png',
      file: Buffer.from('png'),
      alt_text: 'A board',
    })) as Json;
    const { id } = files[0].files[0];
    expect(workspace.files.get(id)).toMatchObject({
      isComplete: true,
      altText: 'A board',
      bytes: Buffer.from('png'),
    });
    expect(await post({ blocks: [picture({ slack_file: { id } })] })).toMatchObject({ ok: true });
  });

  it('distinguishes valid manifests from invalid ones', () => {
    expect(manifestProblems(MANIFEST)).toEqual([]);
    const { settings, oauth_config: oauth } = MANIFEST;
    expect(manifestProblems({ ...MANIFEST, colour: 'red' })).toEqual([expect.stringMatching(/^colour: /)]);
    expect(
      manifestProblems({ ...MANIFEST, settings: { ...settings, socket_mode_enabled: false } }),
    ).toContain('a command needs a url');
    expect(
      manifestProblems({ ...MANIFEST, oauth_config: { ...oauth, scopes: { bot: ['commands'] } } }),
    ).toContain('app_mention needs the scope app_mentions:read');
    expect(manifestProblems({ ...MANIFEST, display_information: { name: long(36) } })).toEqual([
      expect.stringMatching(/^display_information.name: /),
    ]);
  });
});
