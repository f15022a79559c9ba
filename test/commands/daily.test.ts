/** The settings of the daily thread: what people type, what the bot answers, and what is stored. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { recordedPuzzle } from '../../src/daily/day-thread.ts';
import { dayPostOf } from '../../src/daily/delivery/messages.ts';
import { forecast } from '../../src/daily/plan/forecast.ts';
import { type DailySettings, parseStored } from '../../src/daily/settings/settings.ts';
import type { Poster } from '../../src/dispatch/poster.ts';
import { makeOpeningExtras } from '../../src/players/day-post.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import type { Reason } from '../../src/store/schema.ts';
import { FakePaper } from '../daily/fakes.ts';
import { CHANNEL, NEW_YORK, quiet } from '../daily/ground.ts';
import { live } from '../daily/script.ts';
import { makeTestApp, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { openTexts } from '../fakes/open-texts.ts';
import { chargedIn, house, WORDS } from '../fakes/small-board.ts';
import { buttons } from '../reply/look.ts';

const manager = someone({ id: 'm', mayManage: true });
const worlds: TestApp[] = [];
afterEach(async () => {
  while (worlds.length > 0) await worlds.pop()!.close();
});

/** Each setting as somebody types it, with another value than the usual one. */
const TYPED: Readonly<Record<Exclude<keyof DailySettings, 'weekendsChanged'>, string>> = {
  zone: 'Tokyo',
  opening: '09:30',
  steps: 'none',
  source: 'house',
  otherwise: 'nothing',
  weekends: 'off',
  quiet: 'on',
  fold: 'on',
  names: 'off',
  lines: 'off',
  ping: '<@&123456789012345678>',
  managers: '<@&123456789012345678>',
};

async function world(options: Parameters<typeof makeTestApp>[0] = {}) {
  const made = await makeTestApp(options);
  worlds.push(made);
  const { subscriptions } = made.store.tenant('web:local');
  const type = async (line: string, who = manager) => unopened(await say(made.app, line, who));
  const settings = async () => parseStored((await subscriptions.get('general'))?.settings);
  return { ...made, places: subscriptions, type, settings };
}

describe('settings', () => {
  test('that several people change at the same moment are all saved', async () => {
    const { type, settings } = await world();
    await type('daily on');
    await Promise.all([
      type('daily zone:Europe/Berlin'),
      type('daily opening:09:30'),
      type('daily weekends off'),
    ]);
    expect(await settings()).toMatchObject({ zone: 'Europe/Berlin', opening: '09:30', weekends: false });
  });

  test('can each be typed, is shown, and changes what is posted on two days', async () => {
    /** What `daily show` says, and what is posted; the newspaper can't be reached on the second day. */
    const follow = async (change: string) => {
      const { ask, at, paper, platform } = await live(NEW_YORK(20, 7), { source: 'newspaper' });
      await ask('daily on');
      await ask(`daily ${change}`);
      const shown = await ask('daily show');
      for (const hour of [8, 12, 20]) await at(NEW_YORK(20, hour));
      await ask('play bfjmcg gkdhlnbp', 'ann');
      paper.isDown = true;
      for (const hour of [8, 9]) await at(NEW_YORK(21, hour));
      return [shown, platform.messages].map((seen) => JSON.stringify(seen));
    };
    const [shown, posted] = await follow('show');
    for (const [name, value] of Object.entries(TYPED)) {
      const changed = await follow(`${name}:${value}`);
      expect(changed[0], `${name} is not shown`).not.toBe(shown);
      // Who may change the others.
      if (name !== 'managers') expect(changed[1], `${name} changes nothing that is posted`).not.toBe(posted);
    }
  });

  test.each(Object.entries(TYPED))(
    'are known to `daily show`, which tells when posts come: %s',
    async (name, value) => {
      const [from, to] = [NEW_YORK(20, 7), NEW_YORK(21, 10)];
      const { app, ask, at, platform, store } = await live(from);
      await ask('daily on');
      await ask(`daily ${name}:${value}`);
      const posts = await forecast(store, { from, to }, quiet);
      const shown = posts.filter(({ skip }) => skip === undefined).map((post) => post.at);
      const posted: number[] = [];
      for (let now = from; now <= to; now += 30 * MINUTE) {
        const before = platform.messages.length;
        await at(now);
        for (const _ of platform.messages.slice(before)) posted.push(now);
        if (now !== shown[0]) continue;
        // An edit and a preview of the opening say what it says.
        const day = { ...CHANNEL, date: TODAY, now };
        const edited = await dayPostOf(app, day, (context) => makeOpeningExtras(app, context));
        const [{ reply, fold, ping } = {}] = platform.messages;
        expect(edited).toMatchObject({ reply, given: { fold, ping } });
        const open = openTexts(reply!).join('\n');
        expect([...chargedIn(open), ...(open.match(/\d words?\b/g) ?? [])], 'open to all').toEqual([]);
        expect((await ask('daily test')).blocks).toEqual(expect.arrayContaining([...reply!.blocks]));
      }
      expect(shown.length).toBeGreaterThan(1);
      expect(posted, 'what moves posts is for `scheduleOf`, `planOf` or `todo`').toEqual(shown);
    },
  );

  test('hold no text in which a person may be named, but for roles', () => {
    const text = 'Ask ann';
    const isFree = (name: string) =>
      [text, [text]].some((value) => JSON.stringify(parseStored({ [name]: value })).includes(text));
    const why = 'to be exported and erased as `privacy` promises, see `removeFromSettings`';
    expect(Object.keys(TYPED).filter(isFree), why).toEqual(['ping', 'managers']);
  });

  test('can each be chosen with an action, which is how Discord offers them, but for those of Slack alone', () => {
    const actions = COMMANDS.find(({ name }) => name === 'daily')!.options[0]!.optionsOfChoice!;
    const offered = new Set(Object.values(actions).flat());
    expect(Object.keys(parseStored({})).filter((name) => !offered.has(name))).toEqual(['fold']);
  });

  test('are in the zone of the person who first makes any, as far as it is known', async () => {
    const { type, settings } = await world();
    const from = (zone: string) => someone({ id: 'm', mayManage: true, zone });
    const shown = /words needed at 2026-11-2\d (\d\d):00 UTC/;
    expect(shown.exec(await type('daily test', from('Europe/Berlin')))?.[1]).toBe('11');
    await type('daily opening:09:30', from('Europe/Berlin'));
    await type('daily on', from('Asia/Tokyo'));
    expect(await settings()).toMatchObject({ zone: 'Europe/Berlin', opening: '09:30' });
  });

  test.each([
    ['newspaper', 'newspaper', 'the newspaper’s; when it can’t be reached, the house board'],
    ['house', 'newspaper', 'a new board by this bot each day'],
    ['house', 'house', 'a new board by this bot each day'],
    ['off', 'newspaper', 'only boards typed by hand'],
    ['off', 'off', 'only boards typed by hand'],
  ] as const)(
    'where the operator has %s and the place wants %s, the board is %s',
    async (source, wanted, told) => {
      const { type, settings } = await world({ source });
      expect((await type(`daily source:${wanted}`)).split('\n')).toContain(`Board: ${told}`);
      expect(await settings()).toMatchObject({ source: wanted });
    },
  );
});

describe('show', () => {
  test('has its buttons for people with the role that manages the channel', async () => {
    const { app, type } = await world();
    await type('daily on');
    const reply = await say(app, 'daily show', someone({ id: 'x', lookUpAccess: async () => true }));
    expect(reply.blocks.some(({ kind }) => kind === 'buttons')).toBe(true);
  });
});

describe('on, off, pause, here', () => {
  test.each([
    [
      'by the role of this channel alone',
      { mayManage: false, lookUpAccess: async (at: string) => at === 'puzzles' },
    ],
    ['as everybody in this channel', { mayManage: true, managesOnlyHere: true }],
  ])('here leaves the thread of another channel to whoever manages that one: %s', async (_, right) => {
    const { type, places: subscriptions } = await world();
    await type('daily on zone:Tokyo');
    const before = await subscriptions.get('general');
    const told = await type('daily here', someone({ id: 'x', ...right }, { channel: 'puzzles' }));
    expect(told).toContain('The daily thread is in a channel that you don’t manage\n');
    expect(told).not.toMatch(/Tokyo|general/);
    expect(await subscriptions.list()).toEqual([before]);
  });

  test('here moves the thread of the channel that the asker manages by a role, and of no other', async () => {
    const { type, places: subscriptions, clock } = await world();
    await type('daily on zone:Tokyo');
    clock.time += 1000;
    await type('daily on zone:Berlin', someone({ id: 'm', mayManage: true }, { channel: 'secret' }));
    await type('daily on', someone({ id: 'm', mayManage: true }, { channel: 'old' }));
    await type('daily off', someone({ id: 'm', mayManage: true }, { channel: 'old' }));
    const both = async (at: string) => at !== 'secret';
    const byRole = someone({ id: 'x', lookUpAccess: both }, { channel: 'puzzles' });
    expect(await type('daily here zone:Rome', byRole)).toContain('8:00 AM Rome time');
    expect(await subscriptions.get('general')).toMatchObject({ state: 'off' });
    expect(await subscriptions.get('secret')).toMatchObject({ state: 'active' });
  });

  test('here asks which thread moves where there are several, and says which channel it leaves', async () => {
    const { app, type, places: subscriptions, clock } = await world();
    for (const line of ['daily on zone:Tokyo', 'daily weekends:off']) await type(line);
    clock.time += 1000;
    await type('daily on zone:Berlin', someone({ id: 'm', mayManage: true }, { channel: 'games' }));
    // On Slack, everybody may manage the channel where they are; both threads are this person's.
    const here = someone({ id: 'm', mayManage: true, managesOnlyHere: true }, { channel: 'puzzles' });
    const question = await say(app, 'daily here', here);
    expect(question.title).toBe('Which daily thread moves here?');
    expect(await subscriptions.get('puzzles')).toBeUndefined();
    const [, second] = buttons(question);
    const moved = await press(app, second!.action, here);
    expect(unopened(moved)).toContain('Moved here from #general.');
    expect(unopened(moved)).toContain('8:00 AM Tokyo time');
    const states = (await subscriptions.list()).map(({ channel, state }) => [channel, state]);
    expect(Object.fromEntries(states)).toEqual({ general: 'off', games: 'active', puzzles: 'active' });
    // The past of a channel stays with it.
    const settingsOf = async (channel: string) => JSON.stringify(await subscriptions.get(channel));
    expect(await settingsOf('general')).toContain('weekendsChanged');
    expect(await settingsOf('puzzles')).not.toContain('weekendsChanged');
    expect(unopened(await say(app, 'daily here', { ...here, who: { ...here.who, id: 'x' } }))).toContain(
      'in a channel that you don’t manage',
    );
  });

  test.each([
    ['the 14th', '2026-12-14'],
    ['the 5th', '2026-12-05'],
    ['5th', '2026-12-05'],
    ['december 1', '2026-12-01'],
    ['friday', '2026-11-27'],
    ['nov 2', '2027-11-02'],
  ])('a pause until %s ends on the next such day', async (until, day) => {
    const { type, places: subscriptions, clock } = await world();
    clock.time = Date.parse('2026-11-20T12:00:00Z');
    await type('daily on zone:UTC');
    await type(`daily pause until:${until}`);
    expect((await subscriptions.get('general'))?.until).toBe(Date.parse(day));
  });

  test('a suspended channel is reactivated', async () => {
    const { type, places: subscriptions } = await world();
    await type('daily on');
    await subscriptions.setState('general', {
      state: 'suspended',
      reason: { code: 'missing-requirements', requirements: ['Send Messages'] },
    });
    expect(await type('daily show')).toContain('I couldn’t post here: I still need Send Messages.\n');
    await subscriptions.setState('general', {
      state: 'suspended',
      reason: { code: 'refused', message: 'The platform said no.' },
      until: Number.MAX_SAFE_INTEGER,
    });
    const shown = await type('daily show');
    expect(shown).toContain('I couldn’t post here: The platform said no.\n');
    expect(shown).toContain('I try again with the next day’s thread.');
    expect(await type('daily on')).toMatch(/^The daily thread is on/);
  });

  test('a person who switches a suspended thread on again is notified if it is suspended again', async () => {
    const { type, places: subscriptions } = await world();
    await type('daily on');
    const stop = async () => {
      await subscriptions.setState('general', {
        state: 'suspended',
        reason: { code: 'missing-requirements', requirements: ['Send Messages'] },
      });
      return subscriptions.claimNotice('general', 1);
    };
    expect(await stop()).toBe(true);
    // Every command reactivates the channel, and so does this one, after it.
    await subscriptions.reactivate('general');
    expect(await type('daily on')).not.toContain('Nothing has changed');
    expect(await type('daily on')).toContain('Nothing has changed');
    expect(await stop()).toBe(true);
  });
});

test('what is missing for the bot to post is named when the thread is switched on', async () => {
  const lacks = [{ what: 'Create Public Threads', how: 'Allow it for the bot in this channel.' }];
  const { type } = await world({
    posterOf: () => ({ missingRequirements: async () => lacks }) as unknown as Poster,
  });
  expect(await type('daily on')).toContain('Create Public Threads: Allow it for the bot');
  expect(await type('daily off')).not.toContain('Create Public Threads');
});

test('why nothing could be posted is said until something is, also after the command that ends the suspension', async () => {
  const { type, places } = await world();
  await type('daily on');
  const reason: Reason = { code: 'missing-requirements', requirements: ['the right to post'] };
  await places.setState('general', { state: 'suspended', reason });
  const line = 'I couldn’t post here: I still need the right to post.';
  expect(await type('daily show')).toContain(`${line}\nOnce that has changed`);
  await places.reactivate('general');
  // Nothing is missing any more.
  expect(await type('daily show')).toMatch(
    /^The daily thread is on.*\n[\s\S]*I couldn’t post here: I needed the right to post\. I try again\./,
  );
  await places.posted('general');
  expect(await type('daily show')).not.toContain('I couldn’t post');
});

test('what is missing for the bot to post comes from the request where it can’t be looked up', async () => {
  const lacks = [{ what: 'Create Public Threads', how: 'Allow it for the bot in this channel.' }];
  const missingRequirements = () => Promise.reject(new Error('a pause'));
  const { type } = await world({ posterOf: () => ({ missingRequirements }) as unknown as Poster });
  const here = someone({ mayManage: true }, { missingByRequest: () => lacks });
  expect(await type('daily on', here)).toContain('Create Public Threads: Allow it for the bot');
});

describe('test', () => {
  test('shows the whole day only to the asker, with the same parts hidden', async () => {
    const { app } = await world();
    const reply = await say(app, 'daily test', manager);
    expect(reply.audience).toBe('asker');
    expect(reply.blocks.filter(({ kind }) => kind === 'spoiler').length).toBeGreaterThanOrEqual(4);
    expect(opened(reply)).toContain('It takes');
    expect(unopened(reply)).not.toContain('It takes');
  });
});

describe('set', () => {
  test('who typed a board is told when the newspaper turns out to have another one', async () => {
    const told: [person: string, title: string][] = [];
    const notify = async (_: unknown, person: string, { title }: Reply) => void told.push([person, title]);
    const newspaper = new FakePaper(house(TODAY));
    newspaper.isDown = true;
    const posterOf = () => ({ notify }) as unknown as Poster;
    const { type, clock } = await world({ words: WORDS, source: 'newspaper', newspaper, posterOf });
    await type('set ozu nri lfa mbt');
    newspaper.isDown = false;
    clock.time += DAY / 8;
    expect(await type('today')).toContain('Typed by hand');
    expect(told).toEqual([['m', 'The newspaper has another board: Friday, November 20, 2026']]);
  });

  test('a thread that was opened with another board by the end of the search stays with it, and the answer says so', async () => {
    const { store, app } = await world();
    const house = await app.puzzles.puzzleOf('2026-11-20', { tenant: 'web:local', channel: 'general' });
    await say(app, 'set ozu nri lfa mbt', manager);
    const run: typeof app.work.run = app.work.run.bind(app.work);
    vi.spyOn(app.work, 'run').mockImplementationOnce(async (...job) => {
      await sendStep(store, { step: 'opening' }, 3, { message: 'm', puzzle: recordedPuzzle(house) });
      return run(...job);
    });
    const reply = await say(app, 'set ozu nri lfa mbt', manager);
    expect(reply.title).toBe('Too late to change the board: Friday, November 20, 2026');
    expect(unopened(reply)).toContain('was opened with another board');
    const actions = reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
    expect(actions.map(({ label }) => label)).toEqual(['Play', 'Hint', 'Check']);
    for (const { action } of actions) expect(action.options).toMatchObject({ sides: 'ozu-nri-lfa-mbt' });
    // What the buttons lead to is about the board that is shown.
    const hint = await press(app, actions[1]!.action, manager);
    expect(unopened(hint)).toContain('OZU NRI LFA MBT');
    expect((await say(app, 'set undo', manager)).title).toMatch(/^Typed board taken back/);
  });

  test('help says which commands are for managers alone, and that everybody may see the settings', async () => {
    const { app, close } = await makeTestApp();
    expect(unopened(await say(app, 'help set'))).toContain('Only for people who manage this channel.');
    expect(unopened(await say(app, 'help daily'))).toContain('manage this channel may change this.');
    await close();
  });

  test('a board that is taken back leaves the usual one, or none where there are only typed ones', async () => {
    for (const [source, line] of [
      ['house', 'The day has its usual board again.'],
      ['off', 'The day has no board now.'],
    ] as const) {
      const { app, close } = await makeTestApp({ source });
      await say(app, 'set ozu nri lfa mbt', manager);
      expect(unopened(await say(app, 'set undo', manager))).toContain(line);
      await close();
    }
  });

  test('a typed board with which the thread was opened is not taken back, and the answer says so', async () => {
    const { store, app } = await world();
    await say(app, 'set ozu nri lfa mbt', manager);
    const where = { tenant: 'web:local', channel: 'general' };
    const typed = await app.puzzles.puzzleOf('2026-11-20', where);
    await sendStep(store, { step: 'opening' }, 3, { message: 'm', puzzle: recordedPuzzle(typed) });
    const reply = await say(app, 'set undo', manager);
    expect(reply.title).toBe('Too late to take the board back: Friday, November 20, 2026');
    expect(unopened(reply)).toContain('The day’s thread was opened with it.');
    expect((await app.puzzles.puzzleOf('2026-11-20', where)).source).toBe('hand');
  });
});
