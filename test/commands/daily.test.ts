/** The settings of the daily thread: what people type, what the bot answers, and what is stored. */
import { afterEach, describe, expect, test } from 'vitest';
import { parseStored } from '../../src/daily/settings/settings.ts';
import type { Poster } from '../../src/dispatch/poster.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';

const manager = someone({ id: 'm', mayManage: true });
const worlds: TestApp[] = [];
afterEach(async () => {
  while (worlds.length > 0) await worlds.pop()!.close();
});

async function world(options: Parameters<typeof makeTestApp>[0] = {}) {
  const made = await makeTestApp(options);
  worlds.push(made);
  const { subscriptions } = made.store.tenant('web:local');
  const type = async (line: string, who = manager) => unopened(await say(made.app, line, who));
  const settings = async () => parseStored((await subscriptions.get('general'))?.settings);
  return { ...made, places: subscriptions, type, settings };
}

describe('settings', () => {
  test('stay as they are when a member adds them to daily show, and a manager is told what to type', async () => {
    const { type, places: subscriptions } = await world();
    await type('daily on');
    const before = await subscriptions.get('general');
    const given = [
      'source:off',
      'opening:23:59',
      'managers:off',
      'sure:yes',
      'steps:none',
      'until:monday',
      'date:today',
    ];
    for (const one of given) {
      for (const line of [`daily show ${one}`, `daily ${one}`, `daily do:show ${one} zone:Berlin`])
        await type(line, someone({ id: 'member' }));
    }
    expect(await type('daily do:show source:off', someone({ id: 'member' }))).toMatch(/manage/i);
    expect(await type('daily do:show source:off')).toContain('show only shows');
    expect(await subscriptions.get('general')).toEqual(before);
    expect(await type('daily show', someone({ id: 'member' }))).toMatch(/^The daily thread is on/);
  });

  test('on shows the moment of the next post, and opens the day even at noon', async () => {
    const { type, places: subscriptions, store, clock } = await world();
    const told = await type('daily on');
    expect(told).toMatch(/^The daily thread is on in this channel/);
    expect(told).toContain('Opens: 8:00 AM New York time');
    expect(told).toContain(
      'Steps: start letters at 8:00 AM, words needed at 12:00 PM and the solution at 8:00 PM',
    );
    expect(told).toContain('Next: the opening, within a minute');
    expect(await subscriptions.get('general')).toMatchObject({ state: 'active', setBy: 'm' });
    clock.time += 10 * 3_600_000;
    await store.allDeliveries.plan([
      {
        tenant: 'web:local',
        channel: 'general',
        date: '2026-11-20' as const,
        step: 'opening',
        dueAt: 0,
        skip: { code: 'skipped-by-operator' },
      },
    ]);
    expect(await type('daily show')).toContain('Next, the opening: 2026-11-21 13:00 UTC');
  });

  test('take the time of the opening, and a zone behind it, without their names', async () => {
    const { type, settings } = await world();
    for (const [line, opening, zone] of [
      ['daily on 07:30', '07:30', 'America/New_York'],
      ['daily on at 9 Berlin', '09:00', 'Europe/Berlin'],
      ['daily 6:15 pm', '18:15', 'Europe/Berlin'],
      ['daily on 8am pacific time', '08:00', 'America/Los_Angeles'],
    ] as const) {
      await type(line);
      expect(await settings(), line).toMatchObject({ opening, zone });
    }
    for (const line of ['daily on berlin', 'daily off 9:00', 'daily onward 9:00'])
      expect(await type(line), line).toContain('daily can’t do');
    expect(await type('daily on 9')).toContain('Is 9 a time? Then type: daily on 9:00');
    expect(await type('daily on 9:00 nowhere')).toContain('There is no time zone "nowhere"');
  });

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

  test.each([
    ['newspaper', 'newspaper', 'the newspaper’s; when it can’t be reached, the house board'],
    ['house', 'newspaper', 'a new house board each day; the newspaper’s is switched off for this bot'],
    ['house', 'house', 'a new house board each day'],
    ['off', 'newspaper', 'only boards typed by hand; all others are switched off for this bot'],
    ['off', 'off', 'only boards typed by hand'],
  ] as const)(
    'where the operator has %s and the place wants %s, the board is %s',
    async (source, wanted, told) => {
      const { type, settings } = await world({ source });
      expect((await type(`daily source:${wanted}`)).split('\n')).toContain(`Board: ${told}`);
      expect(await settings()).toMatchObject({ source: wanted });
    },
  );

  test.each<[typed: string, expected: object]>([
    ['daily zone:Europe/Berlin', { zone: 'Europe/Berlin' }],
    ['daily zone mumbai', { zone: 'Asia/Kolkata' }],
    ['daily times opening:09:30 count:13:00 solution:21:00', { opening: '09:30' }],
    ['daily opening:9am', { opening: '09:00', steps: [{ step: 'start', at: '09:00' }, {}, {}] }],
    [
      'daily steps start@08:00 count lengths@16:00 solution',
      { steps: [{ step: 'start' }, { step: 'count' }, { step: 'lengths', at: '16:00' }, {}] },
    ],
    ['daily steps:none', { steps: [] }],
    ['daily count:off', { steps: [{ step: 'start' }, { step: 'solution' }] }],
    ['daily masked:18:15', { steps: [{}, {}, { step: 'masked', at: '18:15' }, {}] }],
    ['daily source:house', { source: 'house' }],
    ['daily source house', { source: 'house' }],
    ['daily otherwise:nothing', { otherwise: 'nothing' }],
    ['daily weekends off', { weekends: false }],
    ['daily on quiet:on', { quiet: true }],
    ['daily quiet off', { quiet: false }],
    ['daily ping:<@&123456789012345678>', { ping: '123456789012345678' }],
    ['daily ping:"<!subteam^S0123ABC|@team>"', { ping: 'S0123ABC' }],
    ['daily managers:off', { managers: null }],
    ['daily on zone:Tokyo opening:07:00', { zone: 'Asia/Tokyo', opening: '07:00' }],
  ])('%s', async (typed, expected) => {
    const { type, settings } = await world();
    const isOn = typed.startsWith('daily on');
    expect(await type(typed)).toMatch(`The daily thread is ${isOn ? 'on' : 'off'} in this channel`);
    expect(await settings()).toMatchObject(expected);
  });

  test('leave a new channel off, until the button of the answer switches it on', async () => {
    const { app, places: subscriptions, settings } = await world();
    const reply = await say(app, 'daily zone Berlin', manager);
    expect(await subscriptions.get('general')).toMatchObject({ state: 'off' });
    expect(unopened(reply)).toContain('Opens: 8:00 AM Berlin time');
    const [first] = reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
    expect(first).toMatchObject({ label: 'Switch on' });
    expect(unopened(await press(app, first!.action, manager))).toMatch(/^The daily thread is on/);
    expect(await subscriptions.get('general')).toMatchObject({ state: 'active' });
    expect(await settings()).toMatchObject({ zone: 'Europe/Berlin' });
  });

  test('say which steps come on the next day, and which hints come after the solution', async () => {
    const { type } = await world();
    expect(await type('daily on')).not.toContain('comes before');
    expect(await type('daily times opening:9:00 start:8:00')).toContain(
      'start letters at 8:00 AM the next day',
    );
    expect(await type('daily start:9:00')).not.toContain('next day');
    const told = await type('daily masked:21:00');
    expect(told).toContain(
      'At these times, the solution comes before masked words. To leave that out: /letterboxed daily masked:off',
    );
    expect(await type('daily show', someone({ id: 'x' }))).not.toContain('To leave that out');
    expect(await type('daily masked:off')).not.toContain('comes before');
  });

  test('leave a thread that is on as it is', async () => {
    const { type } = await world();
    await type('daily on');
    expect(await type('daily zone Berlin')).toMatch(/^The daily thread is on/);
  });

  test.each([
    ['daily zone:Berlim', 'Europe/Berlin'],
    ['daily opening:25:00', '08:00'],
    ['daily steps stort@08:00', 'start@08:00'],
    ['daily ping:@everyone', 'ping:off'],
    ['daily zone', 'zone:Europe/Berlin'],
    ['daily times', 'times opening:08:00'],
    ['daily weekends maybe', 'on, off'],
    ['daily quiet perhaps', 'on, off'],
    ['daily pause until:never', '3 days'],
    ['daily pause until:2020-01-01', 'in the past'],
    ['daily pause until:2028-01-01', 'daily off'],
    ['daily whatever', 'on, off, show'],
  ])('%s is a mistake, says what to type, and changes nothing', async (typed, advice) => {
    const { type, places: subscriptions } = await world();
    await type('daily on');
    const before = await subscriptions.get('general');
    const told = await type(typed);
    expect(told).toMatch(/^That didn’t work/);
    expect(told).toContain(advice);
    expect(await subscriptions.get('general')).toEqual(before);
  });

  test('where the puzzle comes out later than the opening, the answer says when it opens', async () => {
    const { type } = await world();
    expect(await type('daily zone:Europe/Berlin')).toContain(
      'Opens: 8:00 AM Berlin time; now 9:00 AM, because the board isn’t out before',
    );
  });

  test('are for managers, and for channels', async () => {
    const { type, places: subscriptions } = await world();
    expect(await type('daily on', someone({ id: 'x' }))).not.toMatch(/is on/);
    const direct = someone({ id: 'm', mayManage: true }, { direct: true });
    expect(await type('daily on', direct)).toContain('needs a channel');
    expect(await subscriptions.list()).toEqual([]);
  });
});

describe('show', () => {
  test('tells every member the times, and offers no switch', async () => {
    const { app, type } = await world();
    await type('daily on');
    for (const line of ['daily show', 'daily']) {
      const reply = await say(app, line, someone({ id: 'x' }));
      expect(unopened(reply)).toContain(
        'Steps: start letters at 8:00 AM, words needed at 12:00 PM and the solution at 8:00 PM',
      );
      expect(reply.blocks.some(({ kind }) => kind === 'buttons')).toBe(false);
    }
  });

  test('says in a channel without a thread who can switch it on', async () => {
    const { type } = await world();
    expect(await type('daily show', someone({ id: 'x' }))).toContain('Someone who manages the channel');
    expect(await type('daily show')).toContain('/letterboxed daily on');
  });

  test('has its buttons for people with the role that manages the channel', async () => {
    const { app, type } = await world();
    await type('daily on');
    const reply = await say(app, 'daily show', someone({ id: 'x', lookUpAccess: async () => true }));
    expect(reply.blocks.some(({ kind }) => kind === 'buttons')).toBe(true);
  });
});

describe('a list of steps that takes others away', () => {
  test.each([
    ['daily on steps:masked', 'masked words at 8:00 AM'],
    ['daily steps masked@18:00', 'masked words at 6:00 PM'],
  ])('%s asks first, and says what would be there', async (line, only) => {
    const { app, places: subscriptions } = await world();
    const reply = await say(app, line, manager);
    expect(unopened(reply)).toContain(`Only yours: ${only}`);
    expect(unopened(reply)).toContain('Now: start letters at 8:00 AM, words needed at 12:00 PM');
    expect(await subscriptions.get('general')).toBeUndefined();
  });

  test('is applied as its buttons say, together with what else was typed', async () => {
    const { app, settings, type } = await world();
    const buttons = async () => {
      const reply = await say(app, 'daily steps:masked@18:00 zone:Berlin', manager);
      return reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
    };
    const [, all] = await buttons();
    await press(app, all!.action, manager);
    expect(await settings()).toMatchObject({
      zone: 'Europe/Berlin',
      steps: [
        { step: 'start', at: '08:00' },
        { step: 'count', at: '12:00' },
        { step: 'masked', at: '18:00' },
        { step: 'solution', at: '20:00' },
      ],
    });
    const [only] = await buttons();
    await press(app, only!.action, manager);
    expect((await settings()).steps).toEqual([{ step: 'masked', at: '18:00' }]);
    // Nothing is taken away by a list that has all of them, by none, or by switching a step off.
    await type('daily steps:"masked start@09:00"');
    expect((await settings()).steps).toHaveLength(2);
    await type('daily start:off');
    await type('daily steps:none');
    expect((await settings()).steps).toEqual([]);
  });
});

describe('on, off, pause, here', () => {
  test('off and on again', async () => {
    const { type, places: subscriptions, clock, settings } = await world();
    expect(await type('daily off')).toContain('Switch it on with: daily on');
    await type('daily on zone:Tokyo');
    const { since } = await settings();
    expect(await type('daily off')).toMatch(/^The daily thread is off/);
    expect(await subscriptions.get('general')).toMatchObject({ state: 'off', reason: null });
    clock.time += 86_400_000;
    expect(await type('daily on')).toMatch(/^The daily thread is on/);
    expect(await settings()).toMatchObject({ zone: 'Asia/Tokyo', since: since + 86_400_000 });
  });

  test.each([
    ['daily pause until:2026-12-27', Date.UTC(2026, 11, 27, 5)],
    ['daily pause 3 days', Date.UTC(2026, 10, 23, 17)],
    ['daily pause until:"2 weeks"', Date.UTC(2026, 11, 4, 17)],
    ['daily pause until:tomorrow', Date.UTC(2026, 10, 21, 5)],
    ['daily pause until:friday', Date.UTC(2026, 10, 27, 5)],
    ['daily pause', null],
  ])('%s', async (typed, until) => {
    const { type, places: subscriptions } = await world();
    await type('daily on');
    expect(await type(typed)).toMatch(/^The daily thread is paused/);
    expect(await subscriptions.get('general')).toMatchObject({ state: 'paused', until });
    expect(await type('daily on')).toMatch(/^The daily thread is on/);
    expect(await subscriptions.get('general')).toMatchObject({ state: 'active', until: null });
  });

  test('here moves the thread, with its settings, to another channel', async () => {
    const { type, places: subscriptions } = await world();
    await type('daily on zone:Tokyo');
    const other = someone({ id: 'm', mayManage: true }, { channel: 'puzzles' });
    expect(await type('daily here', other)).toContain('8:00 AM Tokyo time');
    expect(await subscriptions.get('general')).toMatchObject({ state: 'off', reason: null });
    expect(await subscriptions.get('puzzles')).toMatchObject({ state: 'active' });
  });

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
    expect(told).toContain('The daily thread is in a channel that you don’t manage.');
    expect(told).not.toMatch(/Tokyo|general/);
    expect(await subscriptions.list()).toEqual([before]);
  });

  test('here moves the thread of the channel that the asker manages by a role, and of no other', async () => {
    const { type, places: subscriptions, clock } = await world();
    await type('daily on zone:Tokyo');
    clock.time += 1000;
    await type('daily on zone:Berlin', someone({ id: 'm', mayManage: true }, { channel: 'secret' }));
    const both = async (at: string) => at === 'puzzles' || at === 'general';
    const byRole = someone({ id: 'x', lookUpAccess: both }, { channel: 'puzzles' });
    expect(await type('daily here', byRole)).toContain('8:00 AM Tokyo time');
    expect(await subscriptions.get('general')).toMatchObject({ state: 'off' });
    expect(await subscriptions.get('secret')).toMatchObject({ state: 'active' });
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
    });
    expect(await type('daily show')).toContain('I couldn’t post here: The platform said no.\n');
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
    await type('daily on');
    expect(await stop()).toBe(true);
  });
});

describe('what is missing for the bot to post', () => {
  const lacks = [{ what: 'Create Public Threads', how: 'Allow it for the bot in this channel.' }];

  test('comes from the request where the platform sends it', async () => {
    const { type } = await world();
    const here = someone({ mayManage: true }, { missingRequirements: () => lacks });
    expect(await type('daily on', here)).toContain('Create Public Threads: Allow it for the bot');
  });

  test('comes from the poster otherwise', async () => {
    const { type } = await world({
      posterOf: () => ({ missingRequirements: async () => lacks }) as unknown as Poster,
    });
    expect(await type('daily on')).toContain('Create Public Threads');
    expect(await type('daily off')).not.toContain('Create Public Threads');
  });
});

describe('test', () => {
  test('shows the whole day only to the asker, with the same parts hidden', async () => {
    const { app } = await world();
    const reply = await say(app, 'daily test', manager);
    expect(reply.audience).toBe('asker');
    expect(reply.audience).toBe('asker');
    expect(reply.blocks.filter(({ kind }) => kind === 'spoiler').length).toBeGreaterThanOrEqual(4);
    expect(opened(reply)).toContain('Best first');
    expect(unopened(reply)).not.toContain('Best first');
  });
});

describe('set', () => {
  test("a board typed by hand is the channel's board of the day", async () => {
    const { type } = await world();
    expect(await type('set ozu nri lfa mbt')).toMatch(
      /^Board set for this channel: Friday, November 20, 2026/,
    );
    expect(await type('today')).toContain('Typed by hand');
    expect(await type('set ozu nri lfa mbt')).not.toContain('is over');
    expect(await type('set ozu nri lfa mbt date:yesterday')).toContain('is over');
    const elsewhere = someone({}, { channel: 'other' });
    expect(await type('today', elsewhere)).toContain('House board');
  });

  test('a board that lacks a side, or has letters that hardly go together, is doubted', async () => {
    const { type } = await world();
    expect(await type('set ozu nri lfa mbt')).not.toContain('?');
    const unusual = await type('set ozu nri lfa');
    expect(unusual).toContain('4 sides of 3 letters. Yours has 3 sides and 9 letters. Is it whole?');
    const odd = await type('set qzx jkv wyg bcd');
    expect(odd).toContain('I found no short solution for this board. Is every letter right?');
    expect(odd).not.toContain('Is it whole?');
  });

  test('a thread that was opened with another board stays with it, and the answer says so', async () => {
    const { store, app } = await world();
    const { pinOf } = await import('../../src/daily/delivery/record.ts');
    const house = await app.puzzles.puzzleOf('2026-11-20', { tenant: 'web:local', channel: 'general' });
    const key = { tenant: 'web:local', channel: 'general', date: '2026-11-20' as const, step: 'opening' };
    await store.allDeliveries.plan([{ ...key, dueAt: 0 }]);
    const { deliveries } = store.tenant(key.tenant);
    const claimed = await deliveries.claim(key.channel, key.date, key.step, { owner: 't', now: 1, until: 2 });
    await deliveries.sent(claimed!.lease, { message: 'm', puzzle: pinOf(house) }, 3);
    const reply = await say(app, 'set ozu nri lfa mbt', manager);
    expect(reply.title).toBe('Too late to change the board: Friday, November 20, 2026');
    expect(unopened(reply)).toContain('was opened with another board');
    const actions = reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
    expect(actions.map(({ label }) => label)).toEqual(['Play', 'Hint', 'Check']);
    for (const { action } of actions) expect(action.options).toMatchObject({ sides: 'ozu-nri-lfa-mbt' });
    // What the buttons lead to is about the board that is shown.
    const hint = await press(app, actions[1]!.action, manager);
    expect(unopened(hint)).toContain('OZU NRI LFA MBT');
  });

  test.each([
    ['set ozu nri lfa mbt date:tomorrow', 'isn’t out yet'],
    ['set ozu nri lf1 mbt', 'letters from a to z'],
  ])('%s is a mistake', async (typed, why) => {
    const { type } = await world();
    const told = await type(typed);
    expect(told).toMatch(/^That didn’t work/);
    expect(told).toContain(why);
  });
});

describe('thread', () => {
  test("shows again what the channel's thread has shown, and any steps that are named", async () => {
    const { type, app, store } = await world();
    expect(await type('thread')).toContain('No hints posted here yet');
    const key = { tenant: 'web:local', channel: 'general', date: '2026-11-20' as const, step: 'start' };
    await store.allDeliveries.plan([{ ...key, dueAt: 0 }]);
    const { deliveries } = store.tenant(key.tenant);
    const claimed = await deliveries.claim(key.channel, key.date, key.step, { owner: 't', now: 1, until: 2 });
    await deliveries.sent(claimed!.lease, { message: 'm', merged: ['count'] }, 3);
    const told = await say(app, 'thread');
    expect(told).toMatchObject({
      audience: 'asker',
      title: 'Friday, November 20, 2026: start letters and words needed',
    });
    expect(await type('thread lengths,masked')).toContain('word lengths and masked words');
    expect(await type('thread foo')).toContain('Choose from start');
  });
});
