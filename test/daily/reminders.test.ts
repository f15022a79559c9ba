import { describe, expect, onTestFinished, test } from 'vitest';
import { EVERY_DATE, personChannel, REMINDER_KIND } from '../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { nextReminder } from '../../src/daily/reminders.ts';
import { NoPuzzle } from '../../src/puzzle/service.ts';
import { boardKey } from '../../src/puzzle/types.ts';
import { plainText } from '../../src/reply/model/text.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { WorkerLost } from '../../src/work/job.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { resultOf } from '../players/made-up.ts';
import { BOARD } from '../reply/setting.ts';
import { fakePuzzleService } from './fakes.ts';
import { makeGround, subscribe } from './ground.ts';

const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour, minute);
const TENANT = 'web:local';

describe('the next reminder', () => {
  test.each([
    // Clocks in Berlin skip 02:00 to 03:00 on March 29, and show it twice on October 25.
    ['19:00', 'Europe/Berlin', '2026-03-28T18:00:00Z', '2026-03-29T17:00:00Z'],
    ['02:30', 'Europe/Berlin', '2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z'],
    ['02:30', 'Europe/Berlin', '2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z'],
    ['02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ['19:00', 'America/New_York', '2026-10-31T23:00:00Z', '2026-11-02T00:00:00Z'],
    ['19:00', 'Asia/Kolkata', '2026-11-20T13:29:59Z', '2026-11-20T13:30:00Z'],
  ])('at %s in %s after %s is at %s', (time, zone, after, next) => {
    expect(new Date(nextReminder(time, zone, Date.parse(after))).toISOString()).toBe(
      next.replace('Z', '.000Z'),
    );
  });
});

/** 19:00 in Berlin is 18:00 in UTC. */
const ANN = { person: 'ann', channel: 'general', at: '19:00', zone: 'Europe/Berlin' };

async function ground(options: Parameters<typeof makeGround>[1] = {}) {
  const made = await makeGround(at(20, 12), options);
  const { store, platform, clock } = made;
  const { reminders, results } = store.tenant(TENANT);
  await reminders.set({ ...ANN, setAt: clock.now() });
  const solve = (date: PuzzleDate, solvedAt: number) => results.record({ ...resultOf(date), solvedAt });
  const texts = () => platform.messages.map(({ person, reply }) => `${person}: ${plainText(reply)}`);
  return { ...made, reminders, solve, texts };
}

describe('a reminder', () => {
  test('comes at its time on days without a result, and tells nothing of the board', async () => {
    const { at: tick, solve, texts, platform } = await ground();
    await tick(at(20, 17, 59));
    expect(texts()).toEqual([]);
    await tick(at(20, 18));
    await tick(at(20, 18, 1));
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toMatch(/^ann: You haven’t solved today’s Letter Boxed yet\n\nThe board of Friday/);
    expect(platform.messages[0]?.reply.audience).toBe('asker');
    await solve('2026-11-21', at(21, 10));
    await tick(at(21, 18));
    expect(texts()).toHaveLength(1);
    await tick(at(22, 18));
    expect(texts()).toHaveLength(2);
  });

  test.each([
    ['comes to somebody whose solved board was replaced by another one', 'replaced', 1],
    [
      'comes to nobody who solved this board, though another channel has another one',
      boardKey(BOARD.sides),
      0,
    ],
  ])('%s', async (_, board, reminders) => {
    const { at: tick, texts, store } = await ground();
    const { results, channelResults } = store.tenant(TENANT);
    await results.record({ ...resultOf('2026-11-20', { board }), solvedAt: at(20, 13) });
    await channelResults.setBoard('general', '2026-11-20', 'another');
    await tick(at(20, 18));
    expect(texts()).toHaveLength(reminders);
  });

  test.each([
    [false, { channel: 'general' }, ['Stop reminding me']],
    [true, 'The board of Friday, November 20, 2026 is on ', ['Play', 'Stop reminding me']],
  ])(
    'of a board that only its channel opens has a button where it is shown in the channel: %s',
    async (...row) => {
      const [isPrivateInChannel, part, labels] = row;
      const puzzles = fakePuzzleService();
      const own = async (date: PuzzleDate) => ({
        date,
        source: 'house' as const,
        board: parseBoard('ozu nri lfa mbt'),
      });
      const puzzleOf: typeof puzzles.puzzleOf = (date, asker) =>
        asker.channel === 'general' ? own(date) : puzzles.puzzleOf(date, asker);
      const { at: tick, platform, store } = await ground({ puzzles: { ...puzzles, puzzleOf } });
      Object.assign(platform, { isPrivateInChannel });
      await subscribe(store);
      await tick(at(20, 18));
      const { blocks } = platform.messages.find(({ person }) => person === 'ann')!.reply;
      expect(blocks[0]).toMatchObject({ lines: [expect.arrayContaining([part])] });
      const buttons = blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
      expect(buttons.map(({ label }) => label)).toEqual(labels);
    },
  );

  test.each([
    [
      'comes minutes later where the board is not there in time, as after the end of a worker',
      new WorkerLost('ended'),
      1,
    ],
    ['is skipped where no board is to come', new NoPuzzle('puzzle.off', 'There is none.', ''), 0],
  ])('%s', async (_, error, reminders) => {
    let isMissing = true;
    const puzzles = fakePuzzleService(() => {
      if (isMissing) throw error;
    });
    const { at: tick, texts } = await ground({ puzzles });
    await tick(at(20, 18));
    isMissing = false;
    await tick(at(20, 18, 3));
    expect(texts()).toHaveLength(reminders);
  });

  test('stops after five without a game, and the fifth says so; a game in between starts the count again', async () => {
    const { at: tick, solve, texts, reminders } = await ground();
    for (let day = 1; day <= 10; day++) {
      if (day === 4) await solve('2026-11-22', at(22, 20));
      await tick(at(19 + day, 18));
    }
    const last = texts().map((text) => text.includes('5th reminder in a row'));
    expect(last).toEqual([false, false, false, false, false, false, false, true]);
    expect(texts().at(-1)).toContain('remind at 19:00');
    expect(await reminders.get('ann')).toMatchObject({ state: 'ignored' });
  });

  test('ends quietly when the person takes no messages', async () => {
    const { at: tick, platform, reminders, texts, store } = await ground();
    platform.fault = () => 'refused';
    await tick(at(20, 18));
    platform.fault = () => undefined;
    await tick(at(21, 18));
    expect(texts()).toEqual([]);
    expect(platform.notices).toEqual([]);
    expect(await reminders.get('ann')).toMatchObject({ state: 'undeliverable' });
    expect(await store.tenant(TENANT).subscriptions.list()).toEqual([]);
  });

  test('comes at the time it was set to last, once for a board', async () => {
    const { at: tick, texts, reminders } = await ground();
    await reminders.set({ ...ANN, at: '20:00', setAt: at(20, 17, 59) });
    // Nobody has looked since it was set.
    await tick(at(20, 19, 1));
    expect(texts()).toHaveLength(1);
    await reminders.set({ ...ANN, at: '21:00', setAt: at(20, 19, 2) });
    await tick(at(20, 20));
    expect(texts()).toHaveLength(1);
    await reminders.set({ ...ANN, setAt: at(20, 20, 1) });
    await tick(at(20, 20, 1));
    await tick(at(21, 18));
    expect(texts()).toHaveLength(2);
  });

  test('of which nobody knows whether it came counts among those in a row, and comes on the next day', async () => {
    const { at: tick, texts, platform, reminders } = await ground();
    for (let day = 1; day <= 6; day++) {
      platform.fault = () => 'lost';
      await tick(at(19 + day, 18));
      await tick(at(19 + day, 20));
    }
    expect(texts()).toEqual([]);
    expect(await reminders.get('ann')).toMatchObject({ state: 'ignored' });
  });

  test.each([
    ['it is two hours late', '19:00', at(20, 20), at(21, 18)],
    // Clocks in Berlin show 9:00 then.
    ['its puzzle is over', '08:45', at(21, 8), at(22, 7, 45)],
  ])('is left out when %s, and comes on the next day', async (_, time, late, next) => {
    const { at: tick, texts, reminders } = await ground();
    await reminders.set({ ...ANN, at: time, setAt: at(20, 12) });
    await tick(at(20, 12));
    await tick(late);
    expect(texts()).toEqual([]);
    await tick(next);
    expect(texts()).toHaveLength(1);
  });

  test('waits in a tenant that removed the bot, and does not come after it was switched off', async () => {
    const { at: tick, texts, store } = await ground();
    await store.tenant(TENANT).markRemoved(at(20, 13));
    await tick(at(20, 18));
    expect(texts()).toEqual([]);
    await store.tenant(TENANT).markPresent({ from: '2026-11-20', now: 0 });
    await tick(at(20, 18, 5));
    expect(texts()).toHaveLength(1);
    expect(await store.allReminders.remove('web', 'ann')).toBe(true);
    await tick(at(21, 18));
    expect(texts()).toHaveLength(1);
    // Of what was sent nothing is left, either.
    expect(await store.allPeople.export('web', 'ann')).toEqual([]);
  });

  test.each([false, true])(
    'goes by a clock that was set back by days, before a start: %s',
    async (starts) => {
      const { at: tick, texts, clock, restart } = await ground();
      await tick(at(25, 18, 30));
      if (starts) await restart();
      clock.time = at(21, 12);
      await tick(at(21, 12));
      await tick(at(21, 18));
      expect(texts()).toHaveLength(1);
    },
  );

  test('is erased with the person, whatever is under way', async () => {
    const { at: tick, platform, store } = await ground();
    platform.fault = () => 'later';
    await tick(at(20, 18));
    expect(await store.allPeople.export('web', 'ann')).toMatchObject([
      { reminders: [{ posting: ['2026-11-20'] }] },
    ]);
    await store.allPeople.erase('web', 'ann');
    platform.fault = () => undefined;
    await tick(at(20, 18, 10));
    expect(platform.messages).toEqual([]);
    expect(await store.allPeople.export('web', 'ann')).toEqual([]);
  });
});

/** Reminders, where `transcripts/people.txt` can’t say it. */
async function world() {
  const made = await makeTestApp();
  onTestFinished(() => made.close());
  const here = made.store.tenant('web:local');
  const type = async (line: string, asker: Parameters<typeof someone>[0] = {}, where = {}) =>
    say(made.app, line, someone({ id: 'ann', ...asker }, where));
  return { ...made, here, type, text: async (line: string, id = 'ann') => opened(await type(line, { id })) };
}

test('remind takes the zone of the channel, and replaces a reminder that was set elsewhere', async () => {
  const { app, here, store } = await world();
  await here.subscriptions.save('general', { zone: 'Asia/Tokyo' }, { version: 0, by: 'm', at: 0 });
  await say(app, 'remind at 8', someone({ id: 'bob' }));
  expect(await here.reminders.get('bob')).toMatchObject({ zone: 'Asia/Tokyo' });
  const away = someone({ id: 'bob' }, { tenant: 'web:away' });
  expect(opened(await say(app, 'remind', away))).toContain('I’ll remind you at 8:00 AM Tokyo time');
  await say(app, 'remind at 9', away);
  expect(await here.reminders.get('bob')).toBeUndefined();
  expect(await store.tenant('web:away').reminders.get('bob')).toMatchObject({
    at: '09:00',
    zone: 'Asia/Tokyo',
  });
  await store.tenant('web:away').markRemoved(0);
  expect(opened(await say(app, 'remind', someone({ id: 'bob' })))).toContain('You have no reminder');
});

test('remind with a zone alone advises a line with that zone', async () => {
  const { here, text } = await world();
  const [line] = /remind at .*/.exec(await text('remind zone:Tokyo'))!;
  await text(line);
  expect(await here.reminders.get('ann')).toMatchObject({ at: '19:00', zone: 'Asia/Tokyo' });
});

const ROW = { channel: personChannel('ann'), date: EVERY_DATE, kind: REMINDER_KIND };

test('remind names no other moment of a day of which it has reminded, here or in another server', async () => {
  const { app, text, here } = await world();
  await text('remind at 19:00');
  const now = Number.MAX_SAFE_INTEGER;
  const claimed = await here.deliveries.claim(ROW, { owner: 'test', now, until: now });
  const record = { ends: { '2026-11-20': { state: 'sent', at: 0 } } };
  await here.deliveries.settle(claimed!, { state: 'due', dueAt: now, nextAt: now, record }, now);
  expect(await text('remind at 21:00')).toContain('2026-11-22 02:00 UTC');
  const away = someone({ id: 'ann' }, { tenant: 'web:away' });
  expect(opened(await say(app, 'remind at 22:00', away))).toContain('2026-11-22 03:00 UTC');
});

test('remind in several servers at once leaves one reminder at least, and fails in none', async () => {
  const { app, store } = await world();
  const tenants = ['web:local', 'web:away', 'web:third'];
  const set = tenants.map((tenant) => say(app, 'remind at 19:00', someone({ id: 'ann' }, { tenant })));
  for (const { title } of await Promise.all(set)) expect(title).toContain('I’ll remind you at 7:00 PM');
  expect(await store.allReminders.get('web', 'ann')).toMatchObject({ state: 'on' });
});

test('remind says why it ended', async () => {
  const { text, here } = await world();
  const end = async (code: 'ignored' | 'undeliverable') => {
    await text('remind at 19:00');
    const now = Number.MAX_SAFE_INTEGER;
    const claimed = await here.deliveries.claim(ROW, { owner: 'test', now, until: now });
    await here.deliveries.settle(claimed!, { state: 'waiting', reason: { code }, record: {} }, now);
    return text('remind');
  };
  expect(await end('ignored')).toContain('You didn’t play after 5 reminders in a row');
  expect(await end('undeliverable')).toContain('couldn’t send you a private message');
});

test('remind off ends the reminder of nobody who has the same id in another workspace of Slack', async () => {
  const { app, store } = await world();
  const inWorkspace = (tenant: string) => ({ ...someone({ id: 'U1' }, { tenant }), door: 'slack' as const });
  for (const tenant of ['slack:T1', 'slack:T2']) await say(app, 'remind at 19:00', inWorkspace(tenant));
  await say(app, 'remind off', inWorkspace('slack:T1'));
  const reminderIn = (tenant: string) => store.tenant(tenant).reminders.get('U1');
  expect(await reminderIn('slack:T1')).toBeUndefined();
  expect(await reminderIn('slack:T2')).toMatchObject({ state: 'on' });
});
