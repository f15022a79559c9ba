import { LRUCache } from 'lru-cache';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SlackApi } from '../../../src/chat/slack/api.ts';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import { findPost } from '../../../src/chat/slack/poster.ts';
import { DAY } from '../../../src/core/clock.ts';
import { StoreError } from '../../../src/core/errors.ts';
import { postKey } from '../../../src/daily/day-thread.ts';
import type { OpeningPost, Posted, ThreadPost } from '../../../src/dispatch/poster.ts';
import { dateAt } from '../../../src/puzzle/calendar.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { endStep } from '../../fakes/day-thread.ts';
import { recordingPost } from '../../fakes/poster.ts';
import { IS_LONG, sample } from '../../fakes/sample.ts';
import { directChannel, type Message } from '../../fakes/slack/world.ts';
import { sharedTenant } from '../../fakes/stored.ts';
import {
  messageOf,
  type OpenedSlack,
  type OpenSlackOptions,
  openingPost,
  openSlack,
  read,
} from './open-slack.ts';

let slack: OpenedSlack;
afterEach(() => slack.close());
const open = async (options: OpenSlackOptions = {}) => {
  slack = await openSlack(options);
};

const OPENING: Reply = {
  title: 'Letter Boxed for Friday, November 20, 2026',
  blocks: [
    { kind: 'picture', picture: { board: parseBoard('ozu nri lfa mbt') }, alt: 'A board' },
    { kind: 'spoiler', label: 'Good letters', hidden: ['QQQ'], reveals: undefined },
    {
      kind: 'buttons',
      buttons: [{ label: 'Words needed', action: { command: 'hint', options: { step: 'count' } } }],
    },
  ],
  audience: 'everyone',
  rerun: { command: 'hint', options: { step: 'start' } },
};
const HISTORY = [...REQUIRED_SCOPE_NAMES, 'channels:history', 'groups:history'];

const channelRef = () => ({ tenant: `slack:${slack.workspace.id}`, channel: slack.channel.id });
const opening = (more: Partial<OpeningPost> = {}) =>
  openingPost(slack, OPENING, { key: 'key-1', since: slack.test.clock.now(), ...more });
const step = (ts: string, more: Partial<ThreadPost> = {}): ThreadPost => ({
  ...opening({ key: 'key-2' }),
  thread: { message: ts, thread: ts },
  ...more,
});
const poster = () => slack.door.poster;
/** The app's own conversation with Ann. */
const conversation = () => directChannel(slack.fake.world, slack.workspace, slack.ann.id);
/** The opening of a thread that Ann set up, given up after a post without an answer. */
async function givenUp() {
  const { channel, ann, test } = slack;
  const { tenant } = channelRef();
  const { subscriptions, deliveries } = test.store.tenant(tenant);
  await subscriptions.save(channel.id, {}, { version: 0, by: ann.id, at: 0 });
  const date = dateAt(test.clock.now());
  const delivery = { tenant, channel: channel.id, date, step: 'opening' };
  await endStep(test.store, delivery, 1, { state: 'given-up', reason: { code: 'unexpected' } });
  const state = async () => (await deliveries.day(channel.id, date))?.state;
  const question = { date, step: 'opening' } as const;
  return { again: opening({ key: postKey(delivery), question, outcomeUnknown: true }), state };
}
const posts = (): Message[] => slack.channel.messages.filter(({ byApp, isDeleted }) => byApp && !isDeleted);

describe('a post of the daily thread', () => {
  it('is in the channel with its key, and its steps are in its thread', async () => {
    await open();
    const recorded: Posted[] = [];
    const posted = await poster().open(opening(recordingPost({ recorded })));
    const [message] = posts();
    expect(posted).toEqual({ message: message!.ts, thread: message!.ts });
    expect(recorded).toEqual([posted]);
    expect(message).toMatchObject({
      threadTs: undefined,
      // Screen readers read it alone, and notifications show it.
      text: `${OPENING.title}\nA board\n*Good letters*`,
      metadata: { event_type: 'letterboxed_post', event_payload: { key: 'key-1' } },
    });
    expect(JSON.stringify(message)).not.toContain('QQQ');
    expect(read(message!)).toContain('[picture: A board]');
    const reply = await poster().post(step(posted.thread!));
    expect(reply).toEqual({ message: posts()[1]!.ts, thread: message!.ts });
    expect(posts()[1]).toMatchObject({
      threadTs: message!.ts,
      metadata: { event_payload: { key: 'key-2' } },
    });
    await poster().archive(channelRef(), posted);
    // Slash commands can't be typed in threads.
    const told: Reply = { title: 'Told', blocks: [{ kind: 'text', lines: [{ command: 'help' }] }], audience: 'everyone' }; // biome-ignore format: one line reads better
    for (const one of [posted, reply]) await poster().edit(channelRef(), one, told);
    expect(posts().map(read)).toEqual(['Told\n`/letterboxed help`', 'Told\n`@letterboxed help`']);
  });

  it.each([
    ['S0123', 'S0123'],
    ['U0123', 'U0123'],
    ['W0123', 'W0123'],
    ['S1> <!channel', 'S1channel'],
  ])('notifies %s when that is the chosen ping', async (ping, notified) => {
    await open();
    await poster().open(opening({ ping }));
    expect(posts()[0]).toMatchObject({
      notified: [notified],
      text: `${OPENING.title}\nA board\n*Good letters*`,
    });
  });

  it.each([
    ['is waited for', 5_000, '[picture: A board]'],
    ['is drawn if Slack can’t show it for a quarter of a minute', 16_000, 'O   Z   U'],
  ])('whose picture was uploaded just now %s', async (_, fileDelay, shown) => {
    let elapsed = 0;
    const sleep = async (milliseconds: number) => {
      elapsed += milliseconds;
    };
    await open({ fake: { fileDelay, pace: { postsPerSecond: 0, elapsed: () => elapsed } }, door: { sleep } });
    await poster().open(opening({ ping: 'S0123' }));
    expect(read(posts()[0]!)).toContain(shown);
    expect(posts()).toMatchObject([{ isEdited: false, notified: ['S0123'] }]);
    expect(read(posts()[0]!)).toContain('<!subteam^S0123>');
    // Waiting is no trouble for anybody.
    expect(slack.test.logged.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('is deleted when another process has posted it, too', async () => {
    await open();
    const taken = opening(recordingPost({ isTaken: true }));
    await expect(poster().open(taken)).rejects.toMatchObject({ kind: 'later' });
    expect(posts()).toHaveLength(0);
  });
});

describe('a lost answer to a post', () => {
  const FAULTS = [
    { kind: 'lose' },
    { kind: 'half' },
    { kind: 'status', status: 502, acted: true },
    { kind: 'error', error: 'internal_error', acted: true },
    { kind: 'status', status: 204, acted: true, body: '' },
    { kind: 'status', status: 304, acted: true, body: '' },
    // What proxies answer with status 200.
    ...[
      '',
      '{}',
      'ok',
      'null',
      '[]',
      '"ok"',
      '{"ok":"true"}',
      '{"ok":false}',
      'true',
      '{"ok":tr',
      '<p>Hi</p>',
    ].map((body) => ({ kind: 'status', status: 200, acted: true, body }) as const),
  ] as const;

  const SOME = FAULTS.filter((_, at) => at % sample(1, 4) === 0);

  it.each(SOME)('%o: finds the post by its key, in the channel and in the thread', async (fault) => {
    await open({ scopes: HISTORY });
    slack.fake.faults.inject({ ...fault, method: 'chat.postMessage' });
    await expect(poster().open(opening())).rejects.toMatchObject({ kind: 'unknown' });
    const posted = await poster().open(opening({ outcomeUnknown: true }));
    expect(posts().map(({ ts }) => ts)).toEqual([posted.message]);
    slack.fake.faults.inject({ ...fault, method: 'chat.postMessage' });
    const merged = step(posted.thread!, { mergedKeys: ['key-3'] });
    await expect(poster().post(merged)).rejects.toMatchObject({ kind: 'unknown' });
    const found = await poster().post({ ...merged, outcomeUnknown: true });
    expect(posts().map(({ ts }) => ts)).toEqual([posted.message, found.message]);
    const other = step(posted.thread!, { key: 'key-3', outcomeUnknown: true });
    expect((await poster().post(other)).message).toBe(found.message);
    slack.fake.faults.inject({ ...fault, method: 'chat.postMessage' });
    const plain = step('', { key: 'key-4', thread: undefined });
    await expect(poster().post(plain)).rejects.toMatchObject({ kind: 'unknown' });
    const { message } = await poster().post({ ...plain, outcomeUnknown: true });
    expect(posts().map(({ ts, threadTs }) => [ts, threadTs])[2]).toEqual([message, undefined]);
    expect(posts()).toHaveLength(3);
  });

  it('posts again after looking, when the post never arrived', async () => {
    await open({ scopes: HISTORY });
    slack.fake.faults.inject({ kind: 'drop', method: 'chat.postMessage' });
    await expect(poster().open(opening())).rejects.toMatchObject({ kind: 'unknown' });
    expect(posts()).toHaveLength(0);
    await poster().open(opening({ outcomeUnknown: true }));
    expect(posts()).toHaveLength(1);
  });

  const READS: readonly [read: string, act: () => Promise<unknown>][] = [
    ['conversations.history', () => poster().open(opening({ outcomeUnknown: true }))],
    ['conversations.replies', () => poster().post(step('1.2', { outcomeUnknown: true }))],
    ['conversations.open', () => privately()],
    ['conversations.history', () => privately()],
  ];
  const privately = () =>
    poster().postPrivately({ ...opening({ outcomeUnknown: true }), person: slack.ann.id });
  const READ_FAULTS = [
    { kind: 'status', status: 503 },
    { kind: 'status', status: 500 },
    { kind: 'ratelimited', retryAfter: 1 },
    { kind: 'error', error: 'internal_error' },
    { kind: 'drop' },
    { kind: 'lose' },
    { kind: 'half' },
    // The client waits for ten seconds.
    ...(IS_LONG ? [{ kind: 'hang' } as const] : []),
  ] as const;

  it.each(READS)('%s failing in any way leaves nothing unknown, and nothing is sent', async (method, act) => {
    await open({ scopes: HISTORY });
    slack.channel.messages.push({ ...slack.ann.say(slack.channel, 'Hello'), ts: '1.2' });
    for (const fault of READ_FAULTS) {
      slack.fake.faults.inject({ ...fault, method });
      await expect(act(), JSON.stringify(fault)).rejects.toMatchObject({ kind: 'later' });
      expect(posts()).toHaveLength(0);
      slack.fake.faults.clear();
    }
  });

  it('is not what a failure of the store is, before anything is sent', async () => {
    await open();
    slack.test.store.actions.put = () => Promise.reject(new Error('no database'));
    const long = { command: 'solve', options: { sides: 'x'.repeat(200) } };
    const buttons = [{ label: 'Solve', action: long }];
    const reply: Reply = { ...OPENING, blocks: [{ kind: 'buttons', buttons }] };
    await expect(poster().open(opening({ reply }))).rejects.toMatchObject({ kind: 'later' });
    expect(posts()).toHaveLength(0);
  });

  it('is cleared up page by page where an app may read 15 messages a minute', async () => {
    let elapsed = 0;
    const pace = { postsPerSecond: 0, elapsed: () => elapsed };
    await open({ scopes: HISTORY, fake: { isUnlisted: true, pace } });
    const { message: parent } = await poster().open(opening());
    const thread = { message: parent, thread: parent };
    const old = Array.from({ length: 40 }, (_, at) => ({
      ...posts()[0]!,
      ts: `${1_000_000_000 + at}.000000`,
      threadTs: parent,
    }));
    // What was said before this post was due is not read at all.
    slack.channel.messages.push(...old);
    for (let said = 0; said < 20; said++)
      slack.channel.messages.push({ ...slack.ann.say(slack.channel, 'Hello'), threadTs: parent });
    slack.fake.faults.inject({ kind: 'lose', method: 'chat.postMessage' });
    await expect(poster().post({ ...step('', { thread }) })).rejects.toMatchObject({ kind: 'unknown' });
    const again = () => poster().post({ ...step('', { thread }), outcomeUnknown: true });
    await expect(again()).rejects.toMatchObject({ kind: 'later', retryAfter: 60_000 });
    elapsed += 60_000;
    const found = await again();
    expect(found.message).toBe(posts().at(-1)!.ts);
    expect(posts().filter(({ metadata }) => metadata?.event_payload.key === 'key-2')).toHaveLength(1);
  });

  it('leaves nothing in the channel when the message of its thread was deleted', async () => {
    await open();
    const { message } = await poster().open(opening());
    posts()[0]!.isDeleted = true;
    await expect(poster().post(step('', { thread: { message } }))).rejects.toMatchObject({ kind: 'closed' });
    expect(posts().filter(({ isDeleted }) => !isDeleted)).toEqual([]);
  });

  it('leaves the post out when the app may not read the channel, and asks whether it is missing', async () => {
    await open();
    const { channel, ann, fake } = slack;
    const { again, state } = await givenUp();
    const notes = () => conversation().messages;
    await expect(poster().open({ ...again, question: null })).rejects.toMatchObject({ kind: 'invalid' });
    expect(notes()).toHaveLength(0);
    // Nothing is given up before the question is on its way.
    for (const status of [500, 503]) {
      fake.faults.inject({ kind: 'status', status, method: 'chat.postMessage' });
      await expect(poster().open(again)).rejects.toMatchObject({ kind: 'later' });
    }
    expect(notes()).toHaveLength(0);
    await expect(poster().open(again)).rejects.toMatchObject({ kind: 'invalid' });
    expect(posts()).toHaveLength(0);
    expect(notes()).toHaveLength(1);
    expect(read(notes()[0]!)).toContain(`<#${channel.id}>`);

    // While Slack can’t say whether she is still there, she may.
    fake.faults.inject({ kind: 'status', status: 500, method: 'conversations.members' });
    const answer = await messageOf(ann.press(notes()[0]!, 'Post it again'));
    expect(answer.text).toContain('It comes within a minute or two');
    expect(await state()).toBe('due');
  });

  it.each(['has left the channel', 'is no admin any more'])(
    'is not posted again by somebody who %s',
    async (why) => {
      const isAdmin = why === 'is no admin any more';
      await open(isAdmin ? { scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] } : {});
      const { workspace, channel, ann } = slack;
      const { again, state } = await givenUp();
      await expect(poster().open(again)).rejects.toMatchObject({ kind: 'invalid' });
      if (isAdmin) workspace.users.get(ann.id)!.isAdmin = false;
      else channel.members.delete(ann.id);
      const [question] = conversation().messages;
      for (const verdict of ['Post it again', 'It is there']) {
        const answer = await messageOf(ann.press(question!, verdict));
        expect(answer.text).toContain('You can’t say that any more');
        expect(await state()).toBe('given-up');
      }
      expect(read(question!)).toContain('[Post it again] [It is there]');
    },
  );

  it('is asked about again, with a sentence, after a press that fails', async () => {
    await open({ scopes: [...REQUIRED_SCOPE_NAMES, 'users:read'] });
    const { ann, fake, test, workspace } = slack;
    const { again, state } = await givenUp();
    await expect(poster().open(again)).rejects.toMatchObject({ kind: 'invalid' });
    const [question] = conversation().messages;
    const press = () => messageOf(ann.press(question!, 'Post it again'));
    fake.faults.inject({ kind: 'ratelimited', retryAfter: 30, method: 'users.info', times: 2 });
    expect(read(await press())).toContain('Try again in a minute');
    const { deliveries } = sharedTenant(test.store, `slack:${workspace.id}`);
    vi.spyOn(deliveries, 'day').mockRejectedValueOnce(new StoreError('store.unreachable', 'gone'));
    test.expectErrors('an answer failed');
    expect(read(await press())).toContain('Sorry');
    expect(read(question!)).toContain('[Post it again] [It is there]');
    expect((await press()).text).toContain('It comes within a minute or two');
    expect(await state()).toBe('due');
  });

  it('is given up where the person who set the thread up can’t be asked', async () => {
    await open();
    const { workspace, channel, ann, test, fake } = slack;
    const tenant = `slack:${workspace.id}`;
    await test.store.tenant(tenant).subscriptions.save(channel.id, {}, { version: 0, by: ann.id, at: 0 });
    const date = dateAt(test.clock.now());
    const key = postKey({ tenant, channel: channel.id, date, step: 'opening' });
    fake.faults.inject({ kind: 'error', error: 'user_not_found', method: 'chat.postMessage' });
    await expect(poster().open(opening({ key, outcomeUnknown: true }))).rejects.toMatchObject({
      kind: 'invalid',
    });
  });
});

it('a search that goes on later is that of the same channel and posts', async () => {
  const cursors: unknown[] = [];
  const api = {
    async call(_team: string, _method: string, { channel, cursor, oldest }: Record<string, unknown>) {
      cursors.push(cursor);
      expect(oldest, 'five minutes before, since Slack’s clock may be behind').toBe('-300');
      return { ok: true, messages: [], response_metadata: { next_cursor: `after ${channel}` } };
    },
  } as unknown as SlackApi;
  const searches = new LRUCache<string, string>({ max: 9 });
  const firstCursor = async (channel: string, key: string) => {
    cursors.length = 0;
    const where = { team: 'T1', channel, thread: undefined, since: 0 };
    await expect(findPost(api, { ...where, key }, searches)).rejects.toMatchObject({ kind: 'later' });
    expect(cursors, 'pages of one attempt').toHaveLength(10);
    return cursors[0];
  };
  expect(await firstCursor('C1', 'one')).toBeUndefined();
  expect(await firstCursor('C2', 'one')).toBeUndefined();
  expect(await firstCursor('C1', 'two')).toBeUndefined();
  expect(await firstCursor('C1', 'one')).toBe('after C1');
  // One that has ended begins again from the first page.
  const whole = { call: async () => ({ ok: true, messages: [] }) } as unknown as SlackApi;
  await findPost(whole, { team: 'T1', channel: 'C1', thread: undefined, since: 0, key: 'one' }, searches);
  expect(await firstCursor('C1', 'one')).toBeUndefined();
  slack = await openSlack();
});

describe('the standing of a person', () => {
  it.each([
    ['a member where they are on the fifth page of members', 4_995, 'member'],
    ['not known where there are more than five pages before them', 4_996, undefined],
  ])('is %s', async (_, place, standing) => {
    await open();
    const { channel, fake, workspace } = slack;
    const person = fake.addPerson(workspace);
    for (let other = channel.members.size; other < place - 1; other++) channel.members.add(`U0${other}`);
    channel.members.add(person.id);
    for (let other = 0; other < 999; other++) channel.members.add(`U1${other}`);
    expect(await poster().membershipOf?.(channelRef(), person.id)).toBe(standing);
  });
});

describe('a post that Slack refuses', () => {
  it('for coming too fast was surely not posted, though it names no time to wait', async () => {
    await open();
    for (const retryAfter of ['', 'soon', '-1']) {
      slack.fake.faults.inject({ kind: 'status', status: 429, retryAfter, method: 'chat.postMessage' });
      await expect(poster().open(opening())).rejects.toMatchObject({ kind: 'later', retryAfter: 5_000 });
    }
    expect(posts()).toHaveLength(0);
  });

  it('for its content is sent again in a simpler form', async () => {
    await open();
    slack.fake.faults.inject({
      kind: 'error',
      error: 'invalid_blocks',
      method: 'chat.postMessage',
      times: 7,
    });
    await poster().open(opening());
    expect(posts()).toHaveLength(1);
    expect(read(posts()[0]!)).toContain('Good letters: (hidden)');
    expect(JSON.stringify(posts()[0])).not.toContain('QQQ');
  });

  it('for its folded hints is sent with Show, as are later posts in that workspace', async () => {
    await open();
    const [, spoiler] = OPENING.blocks;
    const reply = { ...OPENING, blocks: [spoiler!] };
    const send = async (key: string) => {
      await poster().open(opening({ key, reply, fold: true }));
      return posts().at(-1)!;
    };
    const foldedIn = ({ blocks }: Message) => blocks.find(({ type }) => type === 'container');
    const folded = await send('key-1');
    expect(foldedIn(folded)).toMatchObject({ is_collapsible: true, default_collapsed: true });
    expect(JSON.stringify(foldedIn(folded))).toContain('QQQ');
    expect(folded.text).toBe(`${OPENING.title}\nGood letters`);
    await poster().edit(channelRef(), { message: folded.ts }, reply, { fold: true });
    expect(foldedIn(posts()[0]!)).toMatchObject({ is_collapsible: true });
    slack.fake.faults.inject({ kind: 'error', error: 'invalid_blocks', method: 'chat.postMessage' });
    for (const key of ['key-2', 'key-3']) {
      const shown = await send(key);
      expect(foldedIn(shown)).toBeUndefined();
      expect(read(shown)).toContain('[Show]');
      expect(JSON.stringify(shown)).not.toContain('QQQ');
    }
    // Slack may have refused something else of that message.
    slack.test.clock.time += 2 * DAY;
    expect(foldedIn(await send('key-4'))).toBeDefined();
    expect(posts()).toHaveLength(4);
  });

  it('by being unreachable was not sent, and is retried later', async () => {
    await open();
    await slack.fake.close();
    await expect(poster().open(opening())).rejects.toMatchObject({ kind: 'later' });
  });
});

describe('missing requirements', () => {
  it('are unknown when the app may not look, or while Slack is down', async () => {
    await open({ scopes: ['chat:write', 'commands'] });
    slack.channel.isArchived = true;
    expect(await poster().missingRequirements(channelRef())).toEqual([]);
    // What the channel is suspended for counts as missing until somebody runs a command there.
    const lacked = 'a channel that is not archived';
    const stillMissing = [{ what: lacked, how: '' }];
    expect(await poster().missingRequirements(channelRef(), [lacked])).toEqual(stillMissing);
    slack.fake.faults.inject({ kind: 'status', status: 500, method: 'conversations.info' });
    expect(await poster().missingRequirements(channelRef(), [lacked])).toEqual(stillMissing);
  });
});

describe('a private message', () => {
  it('is sent in the bot’s own conversation with the person, or reported as not sent', async () => {
    await open();
    await poster().notify(channelRef(), slack.ann.id, OPENING);
    expect(conversation().messages).toHaveLength(1);
    const direct = { ...channelRef(), channel: conversation().id };
    expect(await poster().membershipOf?.(direct, slack.ann.id)).toBe('member');
    await expect(poster().notify(channelRef(), 'U404', OPENING)).rejects.toMatchObject({
      name: 'PostFailure',
    });
  });
});

describe('a private post', () => {
  const privately = (person: string, more: object = {}) =>
    poster().postPrivately({ ...opening({ key: 'reminder-key' }), person, ...more });

  const again = { key: 'another', outcomeUnknown: true };

  it('is sent with its key, and found by it when its answer was lost', async () => {
    await open();
    const { ann, fake } = slack;
    const posted = await privately(ann.id);
    expect(await privately(ann.id, { posted })).toEqual(posted);
    fake.faults.inject({ kind: 'lose', method: 'chat.postMessage' });
    await expect(privately(ann.id, { key: 'another' })).rejects.toMatchObject({ kind: 'unknown' });
    const recorded: Posted[] = [];
    const found = await privately(ann.id, { ...again, ...recordingPost({ recorded }) });
    const { id, messages } = conversation();
    expect(messages.map(({ metadata }) => metadata?.event_payload.key)).toEqual(['reminder-key', 'another']);
    expect([posted, found]).toEqual(messages.map(({ ts }) => ({ message: ts, thread: id })));
    expect(recorded).toEqual([found]);
  });

  it('counts as unknown where the answer does not name the message', async () => {
    await open();
    const { broken } = slack.fake;
    broken.answer = (_: string, body: object) => ({ ...body, ts: undefined });
    await expect(privately(slack.ann.id)).rejects.toMatchObject({ kind: 'unknown' });
  });

  it.each(['im:write', 'im:history'])(
    'is not sent again where the app may not look without %s',
    async (scope) => {
      await open({ scopes: REQUIRED_SCOPE_NAMES.filter((one) => one !== scope) });
      const { ann, fake } = slack;
      fake.faults.inject({ kind: 'lose', method: 'chat.postMessage' });
      await expect(privately(ann.id, { key: 'another' })).rejects.toMatchObject({ kind: 'unknown' });
      await expect(privately(ann.id, again)).rejects.toMatchObject({ kind: 'invalid' });
      expect(conversation().messages).toHaveLength(1);
    },
  );
});
