/** The limits of Slack by which our own are measured; the fake has all others as schemas, and product tests meet them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blockProblems } from './slack/block-kit.ts';
import { type FakeSlack, startFakeSlack } from './slack/index.ts';
import type { Channel, Json } from './slack/world.ts';

const MANIFEST = {
  display_information: { name: 'Letter Boxed' },
  features: {},
  oauth_config: { scopes: { bot: ['chat:write', 'files:write'] } },
  settings: { socket_mode_enabled: true },
};

const long = (length: number) => 'x'.repeat(length);
const plain = (text: string) => ({ type: 'plain_text', text });
const section = (length: number) => ({ type: 'section', text: { type: 'mrkdwn', text: long(length) } });
const actions = (count: number, more: (number: number) => Json) => ({
  type: 'actions',
  elements: Array.from({ length: count }, (_, n) => ({
    type: 'button',
    action_id: `${n}`,
    text: plain('Press'),
    ...more(n),
  })),
});

describe('blocks', () => {
  it.each<[what: string, blocks: (count: number) => Json[], most: number]>([
    ['blocks', (count) => Array.from({ length: count }, () => section(1)), 50],
    ['characters in a section', (count) => [section(count)], 3000],
    ['characters in a header', (count) => [{ type: 'header', text: plain(long(count)) }], 150],
    ['buttons', (count) => [actions(count, () => ({}))], 25],
    ['characters on a button', (count) => [actions(1, () => ({ text: plain(long(count)) }))], 75],
    ['characters in a value', (count) => [actions(1, () => ({ value: long(count) }))], 2000],
    ['characters in an action id', (count) => [actions(1, () => ({ action_id: long(count) }))], 255],
    ['buttons of one id', (count) => [actions(count, () => ({ action_id: 'a' }))], 1],
  ])('the fake takes as many %s as Slack and no more', (_, blocks, most) => {
    expect(blockProblems(blocks(most), 'message')).toEqual([]);
    expect(blockProblems(blocks(most + 1), 'message')).toHaveLength(1);
  });
});

describe('calls', () => {
  let now: number;
  let fake: FakeSlack;
  let channel: Channel;
  let call: (method: string, args: Json) => Promise<Json>;
  beforeEach(async () => {
    now = Date.now();
    fake = await startFakeSlack({
      manifest: MANIFEST,
      clock: { now: () => now },
      pace: { elapsed: () => now },
    });
    const workspace = fake.addWorkspace();
    channel = fake.addChannel(workspace, [fake.addPerson(workspace)]);
    const authorization = `Bearer ${fake.install(workspace)}`;
    call = async (method, args) => {
      const response = await fetch(`${fake.apiUrl}${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify(args),
      });
      return response.status === 429 ? { error: 'status 429' } : ((await response.json()) as Json);
    };
  });
  afterEach(() => fake.close());

  it.each<[why: string, args: Json, error: string]>([
    ['text', { text: '' }, 'no_text'],
    ['a known argument', { txet: 'x' }, 'invalid_arguments'],
    ['a thread that is there', { thread_ts: '1.2' }, 'cannot_reply_to_message'],
    [
      'a file that is there',
      { blocks: [{ type: 'image', alt_text: 'x', slack_file: { id: 'F012345678' } }] },
      'invalid_blocks',
    ],
  ])('need %s', async (_, args, error) => {
    const post = { channel: channel.id, text: 'Hello', ...args };
    expect(await call('chat.postMessage', post)).toMatchObject({ ok: false, error });
    expect(channel.messages).toEqual([]);
  });

  it('into one channel are slowed down to one a second', async () => {
    const post = () => call('chat.postMessage', { channel: channel.id, text: 'Hello' });
    for (let sent = 0; sent < 3; sent++) expect(await post()).toMatchObject({ ok: true });
    expect(await post()).toEqual({ error: 'status 429' });
    now += 1000;
    expect(await post()).toMatchObject({ ok: true });
  });
});
