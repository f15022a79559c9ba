import { webApi } from '@slack/bolt';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { retrying } from '../../../src/chat/slack/api.ts';
import { DirectChannels } from '../../../src/chat/slack/people.ts';
import { DAY, MINUTE } from '../../../src/core/clock.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { HINTS } from '../../../src/reply/replies/hint-steps.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { madeUp } from '../../fakes/ask.ts';
import { directChannel, type Message } from '../../fakes/slack/world.ts';
import { resultsOf } from '../../fakes/stored.ts';
import { nextHintAfter } from '../../reply/look.ts';
import { messageOf, type OpenedSlack, openSlack, read, viewOf } from './open-slack.ts';

/** Each test runs in both modes. */
describe.each(['socket', 'http'] as const)('answers, by %s', (mode) => {
  let slack: OpenedSlack;
  beforeAll(async () => {
    // However slow the machine is, a form is not closed before it is judged.
    slack = await openSlack({
      mode,
      door: { submitTimeout: MINUTE },
      // Another board than that of the examples, which nobody may make on its day.
      app: { house: (date) => ({ date, source: 'house', board: parseBoard('abe thr uin omd'), par: 4 }) },
    });
  });
  afterAll(() => slack.close());
  // The rate limit counts the commands of a channel over half a minute.
  beforeEach(() => {
    slack.test.clock.time += 60_000;
  });

  it('leave a modal open that was filled in wrongly, with the reason at its field', async () => {
    await viewOf(slack.bob.slash(slack.channel, '/letterboxed solve'));
    const modal = slack.bob.modal;
    const refused = await slack.bob.submit({ Sides: 'oz1' }).ack;
    expect(refused).toMatchObject({ status: 200, problem: undefined });
    expect(refused.body).toEqual({
      response_action: 'errors',
      errors: { sides: expect.stringContaining('oz1') },
    });
    expect(slack.bob.modal).toBe(modal);
    const next = slack.fake.next(({ message }) => message?.only === slack.bob.id);
    await slack.bob.submit({ Sides: 'ozu nri lfa mbt' }).ack;
    expect(read((await next).message!)).toContain('OZU NRI LFA MBT');
    expect(slack.bob.modal).toBeUndefined();
  });
});

/** On a home page, which only one person sees. */
const PRICED_HINT = 'Hint: words needed (1 point)';

describe('answers', () => {
  let slack: OpenedSlack;
  beforeAll(async () => {
    slack = await openSlack();
  });
  afterAll(() => slack.close());
  beforeEach(() => {
    slack.test.clock.time += 60_000;
  });

  it.each([
    ['a message', () => messageOf(slack.ann.slash(slack.channel, '/letterboxed today'))],
    ['a home page', () => viewOf(slack.ann.openHome())],
  ])('say it where a button of another version is pressed, on %s', async (_, open) => {
    const on = await open();
    for (const block of on.blocks as { elements?: Record<string, unknown>[] }[])
      for (const element of block.elements ?? [])
        if (element.type === 'button') Object.assign(element, { action_id: 'letter:7', value: 'f' });
    const pressed = slack.ann.press(on as Message, 'Check');
    expect((await pressed.ack).problem).toBeUndefined();
    const { message, view } = await pressed.shown;
    expect(read((message ?? view)!)).toContain('This button is from another version of the bot');
  });

  it('to a mention in a thread are in the thread, with commands that work there', async () => {
    const board = await messageOf(slack.ann.slash(slack.channel, '/letterboxed today'));
    const hint = await messageOf(slack.bob.mention(slack.channel, 'hint count', board));
    expect(hint).toMatchObject({ only: slack.bob.id, threadTs: board.ts });
    const help = await messageOf(slack.bob.mention(slack.channel, 'help', board));
    expect(read(help)).toContain('`@letterboxed hint`');
    expect(read(help)).toContain('Slack has no slash commands in threads');
    const all = await messageOf(slack.bob.mention(slack.channel, 'today', board));
    expect(all).toMatchObject({ only: undefined, threadTs: board.ts });
    const pressed = await messageOf(slack.ann.press(all, 'Hint'));
    expect(pressed).toMatchObject({ only: slack.ann.id, threadTs: board.ts });
    // The first message of the thread is in the channel.
    const inChannel = await messageOf(slack.ann.press(board, 'Hint'));
    expect(inChannel).toMatchObject({ only: slack.ann.id, threadTs: undefined });
  });

  it('to a mention in a channel are in the channel when private, and in a thread when public', async () => {
    const hint = await messageOf(slack.ann.mention(slack.channel, 'hint'));
    expect(hint).toMatchObject({ only: slack.ann.id, threadTs: undefined });
    expect(read(hint)).not.toContain('@letterboxed');
    const answer = await messageOf(slack.ann.mention(slack.channel, 'today'));
    const asked = slack.channel.messages.find(({ ts }) => ts === answer.threadTs);
    expect(asked?.text).toContain('today');
  });

  it('have a button for a form where no modal can be opened', async () => {
    const asked = await messageOf(slack.ann.mention(slack.channel, 'solve'));
    expect(read(asked)).toContain('[Fill in]');
    const view = await viewOf(slack.ann.press(asked, 'Fill in'));
    expect(view.submit).toBeDefined();
  });

  it('have a button for a form whose trigger has expired', async () => {
    const action = slack.ann.slash(slack.channel, '/letterboxed solve');
    slack.test.clock.time += 4000;
    const view = await viewOf(slack.ann.press(await messageOf(action), 'Fill in'));
    expect(view.submit).toBeDefined();
  });

  it('to private messages name commands as they are typed there, alone', async () => {
    const first = read(await messageOf(slack.bob.write('help')));
    expect(first).toContain('`today` – ');
    const all = read(await messageOf(slack.bob.write('help all')));
    expect(all).toContain('More about a command: `help hint`');
    expect(first + all).not.toMatch(/\/letterboxed|Mention me/);
  });

  it('fold lists below their headings, and are not folded again on home pages once Slack has refused that there', async () => {
    const { fake, workspace, bob } = slack;
    const eve = fake.addPerson(workspace);
    const calls = vi.spyOn(fake.faults, 'take');
    const published = () => calls.mock.calls.filter(([method]) => method === 'views.publish').length;
    const containersIn = ({ blocks }: Pick<Message, 'blocks'>) =>
      blocks.filter(({ type }) => type === 'container');
    await viewOf(eve.openHome());
    const before = published();
    // Another tab shows no home page.
    const other = { user: eve.id, channel: directChannel(fake.world, workspace, eve.id).id, tab: 'messages' };
    await fake.sendEvent(workspace, { type: 'app_home_opened', ...other });
    const home = await viewOf(eve.openHome());
    expect(containersIn(home)).toEqual([]);
    expect(read(home)).toContain('How it is played*\nConnect letters');
    const all = await messageOf(bob.write('help all'));
    expect(containersIn(all)).toHaveLength(4);
    expect(containersIn(all)[0]).toMatchObject({ title: { text: 'Play' }, default_collapsed: true });
    expect(JSON.stringify(containersIn(all)[0])).toContain('`today` – ');
    expect(read(all)).toContain('▸ Play\n▸ Hints\n▸ Tools\n▸ For managers\n');
    expect(published()).toBe(before + 1);
  });

  it('on the home page are the board and the person’s progress; its buttons are answered in modals', async () => {
    const eve = slack.fake.addPerson(slack.workspace);
    const home = await viewOf(eve.openHome());
    expect(read(home)).toMatch(/Letter Boxed for .*\n\[picture: /);
    expect(read(home)).toContain('Hints you’ve seen today*: none');
    expect(read(home)).toContain('Nowhere yet.');
    const { id } = directChannel(slack.fake.world, slack.workspace, eve.id);
    expect(await new DirectChannels(slack.test.app).has(slack.workspace.id, id)).toBe(true);
    const working = await viewOf(eve.press(home, PRICED_HINT));
    const { view } = await slack.fake.next(({ view: shown }) => shown?.id === working.id);
    expect(read(view!)).toContain('Hint 1 of');
    const next = slack.fake.next(({ view: shown }) => shown?.id === working.id);
    eve.press(view!, nextHintAfter('count', ' (1 point)'));
    const { label, name } = HINTS[HINT_STEPS[1]!];
    expect(read((await next).view!)).toContain(label);
    expect(read(await viewOf(eve.openHome()))).toContain(
      `Hints you’ve seen today*: words needed, ${name.toLowerCase()}`,
    );
  });

  it('on the home page are not made where no modal can be opened for them', async () => {
    const eve = slack.fake.addPerson(slack.workspace);
    const home = await viewOf(eve.openHome());
    slack.fake.faults.inject({ kind: 'error', error: 'expired_trigger_id', method: 'views.open' });
    eve.press(home, PRICED_HINT);
    await expect.poll(() => slack.fake.faults.isClear).toBe(true);
    expect(read(await viewOf(eve.openHome()))).toContain('Hints you’ve seen today*: none');
  });

  it('on the home page come once Slack has asked to wait', async () => {
    slack.fake.faults.inject({ kind: 'ratelimited', retryAfter: 1, method: 'views.publish' });
    expect(read(await viewOf(slack.ann.openHome()))).toContain('Nowhere yet.');
  });

  it('to a form that was opened from the home page are in its modal', async () => {
    const eve = slack.fake.addPerson(slack.workspace);
    const home = await viewOf(eve.openHome());
    await viewOf(eve.press(home, 'Check'));
    const shown = () =>
      slack.fake.next(({ view }) => view !== undefined && !read(view).includes('One moment'));
    let next = shown();
    const action = eve.submit({ Words: 'forum' });
    expect((await action.ack).body).toMatchObject({ response_action: 'update' });
    expect(read((await next).view!)).toMatch(/forum/i);
    // Slack takes three modals on top of each other: the form after those takes the place of the last.
    for (const modals of [2, 3, 3]) {
      const { view } = await next;
      const opened = shown();
      eve.press(view!, 'Check again');
      await opened;
      expect(slack.workspace.modals.get(eve.id)).toHaveLength(modals);
      next = shown();
      eve.submit({ Words: 'forum' });
    }
    expect(read((await next).view!)).toMatch(/forum/i);
  });

  it('to a form that takes long are messages, and the form closes', async () => {
    const late = await openSlack({ door: { submitTimeout: 1 } });
    const { bob, channel, fake, test } = late;
    const isAcknowledged = Promise.withResolvers<void>();
    const { run } = test.app.work;
    vi.spyOn(test.app.work, 'run').mockImplementation(async (...job) => {
      await isAcknowledged.promise;
      return run.apply(test.app.work, job);
    });
    await viewOf(bob.slash(channel, '/letterboxed solve'));
    const next = fake.next(({ message }) => message?.only === bob.id);
    expect(await bob.submit({ Sides: 'ozu nri lfa mbt' }).ack).toMatchObject({
      status: 200,
      body: undefined,
    });
    isAcknowledged.resolve();
    expect(read((await next).message!)).toContain('OZU NRI LFA MBT');
    await late.close();
  });

  it('wait as long as Slack asks for, up to twenty seconds, and are sent again only when they surely did not arrive', async () => {
    const pauses: number[] = [];
    const sleep = async (milliseconds: number) => pauses.push(milliseconds);
    /** Fails once, and then is sent. */
    const sendAfter = (error: Error) =>
      retrying(vi.fn(async () => 'sent').mockRejectedValueOnce(error), sleep);
    expect(await sendAfter(new webApi.WebAPIRateLimitedError(20))).toBe('sent');
    expect(pauses).toEqual([20_000]);
    await expect(sendAfter(new webApi.WebAPIRateLimitedError(21))).rejects.toThrow();
    const never = vi.fn(() => Promise.reject(new webApi.WebAPIRateLimitedError(1)));
    await expect(retrying(never, async () => undefined)).rejects.toThrow();
    expect(never).toHaveBeenCalledTimes(4);
    await expect(sendAfter(new Error('its answer was lost'))).rejects.toThrow('lost');
    expect(pauses).toEqual([20_000]);
  });

  it('at a response URL are sent again after status 503, unless they may have arrived', async () => {
    const busy = await openSlack();
    const { ann, channel, fake, test, workspace } = busy;
    const unavailable = { kind: 'status', status: 503, method: 'response' } as const;
    fake.faults.inject(unavailable);
    expect(read(await messageOf(ann.slash(channel, '/letterboxed help')))).toContain('/letterboxed');
    fake.faults.inject({ ...unavailable, status: 429, retryAfter: '1' });
    expect(read(await messageOf(ann.slash(channel, '/letterboxed help')))).toContain('/letterboxed');
    // A refusal without a code counts as a spent URL, after which the answer is posted.
    for (const body of ['', '{"ok":false,"error":"used_url"}']) {
      fake.faults.inject({ ...unavailable, status: 404, body });
      const posted = fake.next(({ message }) => message?.only === ann.id);
      await ann.slash(channel, '/letterboxed help').ack;
      expect(read((await posted).message!)).toContain('/letterboxed');
    }
    const before = workspace.ephemerals.length;
    const body = 'disconnect/reset before headers. reset reason: connection termination';
    fake.faults.inject({ ...unavailable, acted: true, body });
    test.expectErrors('an answer failed');
    await ann.slash(channel, '/letterboxed help').ack;
    await busy.door.stop();
    const texts = workspace.ephemerals.slice(before).map(read);
    expect(texts).toEqual([expect.stringContaining('/letterboxed'), expect.stringContaining('went wrong')]);
    await busy.close();
  });

  it('go to the person in private where the channel takes no private answer', async () => {
    slack.fake.faults.inject({ kind: 'error', error: 'user_not_in_channel', method: 'chat.postEphemeral' });
    const before = slack.channel.messages.length;
    const posted = slack.fake.next(({ message }) => message?.byApp === true);
    slack.bob.mention(slack.channel, 'hint count');
    const { message: answer } = await posted;
    expect(slack.workspace.channels.get(answer!.channel)).toMatchObject({ kind: 'im' });
    // Only the question was added to the channel.
    expect(slack.channel.messages).toHaveLength(before + 1);
  });

  it('log no error when their modal was closed', async () => {
    const eve = slack.fake.addPerson(slack.workspace);
    const home = await viewOf(eve.openHome());
    const faults = () => slack.test.logged.filter(({ level }) => level === 'error').length;
    const before = faults();
    await viewOf(eve.press(home, PRICED_HINT));
    slack.workspace.modals.delete(eve.id);
    await viewOf(eve.openHome());
    expect(faults()).toBe(before);
  });

  it('to Slackbot, who says what people set for a reminder, are for everybody or none', async () => {
    const own = await openSlack();
    const { channel, door, fake, test, workspace } = own;
    for (const text of ['today', 'hint']) {
      const { ts } = own.ann.say(channel, text);
      const event = { type: 'app_mention', user: 'USLACKBOT', channel: channel.id, ts, text };
      await fake.sendEvent(workspace, event);
    }
    await door.stop();
    expect(channel.messages.filter(({ byApp }) => byApp)).toHaveLength(1);
    expect(test.logged.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    await own.close();
  });

  it('have a picture as soon as Slack shows it, and upload it once', async () => {
    const pauses: number[] = [];
    const sleep = async (milliseconds: number) => pauses.push(milliseconds);
    const late = await openSlack({ fake: { fileDelay: Number.POSITIVE_INFINITY }, door: { sleep } });
    const ask = async () => read(await messageOf(late.ann.mention(late.channel, 'today')));
    expect(await ask()).toContain('│');
    // Nobody waits longer for an answer.
    expect(pauses).toEqual([700, 1300, 2000]);
    const [file] = late.workspace.files.values();
    file!.readyAt = 0;
    expect(await ask()).toContain('[picture: ');
    expect(late.workspace.files.size).toBe(1);
    // One that can't be shown long after its upload is gone, and is uploaded again.
    file!.isComplete = false;
    late.test.clock.time += 61_000;
    expect(await ask()).toContain('│');
    await ask();
    expect(late.workspace.files.size).toBe(2);
    await late.close();
  });

  it('are posted by the bot where a response URL takes no picture, and drawn where it can’t post', async () => {
    const strict = await openSlack({ fake: { urlsShowFiles: false } });
    const { fake, ann, workspace } = strict;
    const posted = fake.next(({ message }) => message !== undefined && read(message).includes('[picture: '));
    ann.slash(strict.channel, '/letterboxed today');
    expect((await posted).message).toMatchObject({ only: undefined });
    strict.test.clock.time += 61_000;
    const elsewhere = fake.addChannel(workspace, [ann], { withBot: false });
    expect(read(await messageOf(ann.slash(elsewhere, '/letterboxed today')))).toContain('│');
    // Nor can a message be replaced by another one.
    const closed = await messageOf(ann.slash(strict.channel, '/letterboxed reveal lhp nmy ort uea'));
    for (const _ of ['the solution', 'its picture'])
      expect(await messageOf(ann.press(closed, 'Show'))).toBe(closed);
    expect(read(closed)).toContain('│');
    // The file was not given up for that.
    const files = workspace.files.size;
    await messageOf(ann.mention(strict.channel, 'today'));
    expect(workspace.files.size).toBe(files);
    await strict.close();
  });

  it('send files in the person’s own conversation with the bot, or say that they can’t', async () => {
    await messageOf(slack.ann.slash(slack.channel, '/letterboxed hint'));
    const before = new Set(slack.workspace.files.keys());
    const answer = await messageOf(slack.ann.slash(slack.channel, '/letterboxed privacy export'));
    const [id] = [...slack.workspace.files.keys()].filter((file) => !before.has(file));
    const shared = [...slack.workspace.channels.values()].filter(({ messages }) =>
      messages.some(({ files }) => files.includes(id!)),
    );
    expect(shared.map(({ kind, members }) => [kind, members.has(slack.ann.id)])).toEqual([['im', true]]);
    expect(JSON.parse(String(slack.workspace.files.get(id!)?.bytes))).toBeTypeOf('object');
    expect(answer.only).toBe(slack.ann.id);
    expect(read(answer)).toContain('in your private messages from this app');
    slack.fake.faults.inject({ kind: 'error', error: 'missing_scope', method: 'files.getUploadURLExternal' });
    const refused = await messageOf(slack.ann.slash(slack.channel, '/letterboxed privacy export'));
    expect(read(refused)).toMatch(/couldn’t send you .*files:write/);
  });

  it('reveal spoilers of a stored reply until it expires, or its workspace has removed the bot', async () => {
    const lone = madeUp({
      name: 'lone',
      description: 'Another one each time',
      private: false,
      run: async () => ({
        title: 'Lone',
        blocks: [{ kind: 'spoiler', label: 'Hidden', hidden: ['QQQ'], reveals: undefined }],
        audience: 'everyone',
      }),
    });
    const other = await openSlack({ commands: [lone] });
    const message = await messageOf(other.ann.slash(other.channel, '/letterboxed lone'));
    expect(JSON.stringify(message)).not.toContain('QQQ');
    const shown = await messageOf(other.bob.press(message, 'Show'));
    expect(shown.only).toBe(other.bob.id);
    expect(read(shown)).toContain('QQQ');
    other.test.clock.time += 40 * DAY;
    const late = await messageOf(other.bob.press(message, 'Show'));
    expect(read(late)).toBe('This is too old to be revealed');
    expect(late.only).toBe(other.bob.id);
    other.test.clock.time -= 40 * DAY;
    const { store } = other.test;
    await store.tenant(`slack:${other.workspace.id}`).markRemoved(0);
    await store.allTenants.eraseRemoved(0);
    expect(read(await messageOf(other.bob.press(message, 'Show')))).toBe(read(late));
    await other.close();
  });

  it('take a group or a person that is typed with @', async () => {
    const { ann, bob, channel, workspace, test } = slack;
    workspace.groups.set('S0DESIGN1', 'designers');
    const stored = async () => {
      const settings = test.store.tenant(`slack:${workspace.id}`).subscriptions;
      return (await settings.get(channel.id))?.settings;
    };
    const type = async (line: string) => read(await messageOf(ann.slash(channel, `/letterboxed ${line}`)));
    await type('daily on');
    expect(read(await viewOf(ann.openHome()))).toContain(`<#${channel.id}>: every day at 8:00 AM`);
    await type('daily weekends:off');
    expect(read(await viewOf(ann.openHome()))).toContain(`<#${channel.id}>: on weekdays at 8:00 AM`);
    await type('daily pause until:"1 hour"');
    expect(read(await viewOf(ann.openHome()))).toContain(`<#${channel.id}>: paused`);
    slack.test.clock.time += 60 * 60_000;
    expect(read(await viewOf(ann.openHome()))).toContain(`<#${channel.id}>: on weekdays at 8:00 AM`);
    await type('daily ping:@designers');
    expect(await stored()).toMatchObject({ ping: 'S0DESIGN1' });
    slack.test.clock.time += 60_000;
    await type(`daily ping:@${workspace.users.get(bob.id)!.name}`);
    expect(await stored()).toMatchObject({ ping: bob.id });
    expect(await type('daily ping:@nobody')).toContain('isn’t a');
  });

  it('to the shortcut on one’s own message are private, and record its result', async () => {
    const { fake, channel, workspace, test } = slack;
    const [eve, zoe] = [fake.addPerson(workspace), fake.addPerson(workspace)];
    const said = eve.say(channel, 'in *3 words* &amp; `no hints` :tada:');
    // The first message of a thread is in the channel.
    Object.assign(said, { threadTs: said.ts });
    const action = eve.choose(said, 'Add to my results');
    expect((await action.ack).problem).toBeUndefined();
    const answer = await messageOf(action);
    // Screen readers would read such a text alone; no notification needs one.
    expect(answer).toMatchObject({ only: eve.id, threadTs: undefined, text: '' });
    expect(read(answer)).toContain('Added to your results');
    const results = (person: string) => resultsOf(test.store, `slack:${workspace.id}`, person);
    const [result] = await results(eve.id);
    expect(result).toMatchObject({ channel: channel.id, words: 3, reported: true, message: said.ts });
    const refused = await messageOf(zoe.choose(said, 'Add to my results'));
    expect(refused.only).toBe(zoe.id);
    expect(read(refused)).toContain('This message isn’t yours');
    const unread = await messageOf(eve.choose(eve.say(channel, 'good morning'), 'Add to my results'));
    expect(unread.only).toBe(eve.id);
    expect(read(unread)).toContain('I found no result in this message');
    const struck = eve.say(channel, '~forum mobilization~ no, give me a minute');
    expect(read(await messageOf(eve.choose(struck, 'Add to my results')))).toContain('I found no result');
    expect(await results(zoe.id)).toEqual([]);
  });
});
