/** The operator's tools for the daily thread, as they are called. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { recordedPuzzle } from '../../../src/daily/day-thread.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../../src/daily/settings/settings.ts';
import type { Posted } from '../../../src/dispatch/poster.ts';
import { addDays, dateAt } from '../../../src/puzzle/calendar.ts';
import type { KeptSource, Puzzle } from '../../../src/puzzle/types.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { DAY_THREAD, dayOf, endStep, sendStep } from '../../fakes/day-thread.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { type Run, run } from './run.ts';

const folder = makeFolder();
const since = Date.parse('2026-11-20T05:00Z');

beforeAll(async () => {
  await withStore(async (store) => {
    const save = async (tenant: string, channel: string, zone: string) => {
      const stored = { ...DEFAULT_SETTINGS, zone };
      await store.tenant(tenant).subscriptions.save(channel, stored, { version: 0, by: '1', at: since });
    };
    await save('discord:1', '2', 'America/New_York');
    await save('slack:T9', 'C1', 'Europe/Berlin');
  });
});

test('plan: what would be posted where and when', async () => {
  const { out } = await call('plan', '--at', '2026-11-20T06:00Z');
  expect(out.split('\n').map((line) => line.replace(/\s+/g, ' '))).toEqual([
    '2026-11-20T08:00Z slack:T9/C1 opening of 2026-11-20',
    '2026-11-20T08:00Z slack:T9/C1 start of 2026-11-20',
    '2026-11-20T11:00Z slack:T9/C1 count of 2026-11-20',
    '2026-11-20T13:00Z discord:1/2 opening of 2026-11-20',
    '2026-11-20T13:00Z discord:1/2 start of 2026-11-20',
    '2026-11-20T17:00Z discord:1/2 count of 2026-11-20',
    '2026-11-20T19:00Z slack:T9/C1 solution of 2026-11-20',
    '2026-11-21T01:00Z discord:1/2 solution of 2026-11-20',
    '',
  ]);
  const { out: json } = await call('plan', '--at', '2026-11-20T06:00Z', '--days', '7', '--json');
  // Every opening but the first brings the closing of the thread before.
  expect(JSON.parse(json)).toHaveLength(2 * (7 * 4 + 6));
});

test('run --dry-run: every message for every door in a file, and nothing posted', async () => {
  const out = join(folder, 'out');
  await call('run', '--at', '2026-11-20T13:00Z', '--dry-run', '--out', out);
  expect(readdirSync(out).sort()).toEqual(['discord', 'reply', 'slack', 'terminal', 'web']);
  const files = readdirSync(join(out, 'terminal')).sort();
  expect(files).toEqual([
    'discord-1_2_2026-11-20_opening.txt',
    'discord-1_2_2026-11-20_start.txt',
    'slack-T9_C1_2026-11-20_count+start.txt',
    'slack-T9_C1_2026-11-20_opening.txt',
  ]);
  expect(readFileSync(join(out, 'terminal', files[0]!), 'utf8')).toContain('Made by this bot');
  await withStore(async (store) => expect(await store.allDeliveries.ofDate('2026-11-20')).toEqual([]));
  const { code, err } = await call('run');
  expect(code).toBe(2);
  expect(err).toContain('--dry-run');
  const taken = await call(
    'run',
    '--at',
    '2026-11-20T13:00Z',
    '--dry-run',
    '--out',
    join(out, 'terminal', files[0]!),
  );
  expect([taken.code, taken.err]).toEqual([2, expect.stringMatching(/can't be written \(ENOTDIR\)\.\n$/)]);
});

describe('run --dry-run shows the board that the channel would get', () => {
  const newspaper: Puzzle = { date: '2026-11-20', source: 'newspaper', board: parseBoard('abc def ghi jkl') };
  const house: Puzzle = { ...newspaper, source: 'house', board: parseBoard('ace bdf gik hjl') };
  const typed: Puzzle = { ...newspaper, source: 'hand', board: parseBoard('ozu nri lfa mbt') };
  const PLATFORM = { PUZZLE_SOURCE: 'newspaper' };

  async function dryRun(
    settings: Partial<DailySettings>,
    prepare: (store: Store) => Promise<unknown>,
    at = '2026-11-20T13:00Z',
  ): Promise<string> {
    const dataDir = makeFolder();
    const store = await openStore({ dataDir });
    const stored = { ...DEFAULT_SETTINGS, ...settings };
    await store.tenant('web:1').subscriptions.save('2', stored, { version: 0, by: '1', at: since });
    for (const puzzle of [newspaper, house])
      await store.puzzles.keep({ date: puzzle.date, source: puzzle.source as KeptSource, puzzle, at: since });
    await prepare(store);
    await store.close();
    const out = join(dataDir, 'out');
    const flags = ['--at', at, '--dry-run', '--out', out];
    await run(['daily', 'run', ...flags], { settings: { DATA_DIR: dataDir, ...PLATFORM }, folder: dataDir });
    const [file = ''] = readdirSync(join(out, 'reply'));
    // As it is sent.
    expect(JSON.parse(readFileSync(join(out, 'discord', file), 'utf8'))).toHaveProperty('components');
    return readFileSync(join(out, 'reply', file), 'utf8');
  }
  const nothing = async () => {};

  test.each<[string, Partial<DailySettings>, (store: Store) => Promise<unknown>, Puzzle]>([
    ['the newspaper’s', {}, nothing, newspaper],
    ['the house’s, where the channel wants it', { source: 'house' }, nothing, house],
    [
      'the one that somebody typed, though the newspaper’s is another one',
      {},
      (store) =>
        store.tenant('web:1').boards.put({
          channel: '2',
          date: typed.date,
          puzzle: typed,
          typedBy: '1',
          typedAt: since,
        }),
      typed,
    ],
  ])('%s', async (_, settings, prepare, { board }) => {
    expect(await dryRun(settings, prepare)).toContain(JSON.stringify(board.sides[0]));
  });

  test('the house’s, where the newspaper’s is not stored, which is not asked for', async () => {
    expect(await dryRun({}, nothing, '2026-11-21T13:00Z')).toContain('The newspaper couldn’t be reached');
  });

  test('the one that its thread was opened with', async () => {
    const key = { tenant: 'web:1', channel: '2', date: house.date, step: 'opening' };
    const noon = '2026-11-20T17:00Z';
    const steps = [{ step: 'start', at: '12:00' }] as const;
    const moment = Date.parse('2026-11-20T13:00Z');
    const reply = await dryRun(
      { steps },
      (store) => sendStep(store, key, moment, { ...DAY_THREAD, puzzle: recordedPuzzle(house) } as Posted),
      noon,
    );
    expect(reply).toContain('"ace"');
  });
});

test('retry and skip change the rows of the puzzle that is on and of the one before it', async () => {
  // So that no other board comes out on the way.
  vi.useFakeTimers({ toFake: ['Date'], now: since });
  onTestFinished(() => void vi.useRealTimers());
  const date = dateAt(Date.now());
  const key = { tenant: 'discord:1', channel: '2', date };
  const reason = { code: 'unexpected' } as const;
  await withStore(async (store) => {
    await endStep(store, { ...key, step: 'opening' }, Date.now(), { state: 'given-up', reason });
    await sendStep(store, { ...key, date: addDays(date, -1), step: 'opening' }, Date.now());
  });
  const dayBefore = async (store: Store) =>
    (await store.tenant(key.tenant).deliveries.day(key.channel, addDays(date, -1)))!;
  expect((await call('plan', '--at', '2026-11-20T12:00Z')).out).toContain('is skipped: ');
  expect((await call('retry', 'discord', 'opening')).out).toContain(
    `discord:1/2  opening of ${date} is due again`,
  );
  expect((await call('retry')).out).toContain('There is nothing');
  expect((await call('skip')).code).toBe(2);
  expect((await call('skip', 'discord:1/2', 'opening')).out).toContain(`opening of ${date} is skipped`);
  await withStore(async (store) => {
    const row = await dayBefore(store);
    const record = { ...(row.record as object), posting: ['count'] };
    await store.tenant(key.tenant).deliveries.reviseDay(row, record, { now: Date.now(), begun: true });
  });
  expect((await call('skip', 'discord:1/2', 'lengths')).out).toContain('lengths of');
  await withStore(async (store) => expect(await dayBefore(store)).toMatchObject({ begun: true }));
  const { out } = await call('skip', 'discord:1/2', 'closing');
  expect(out).toContain(`closing of ${addDays(date, -1)} is skipped`);
  // Neither is anything left of a day that is closed, nor does a post that was skipped come again.
  expect((await call('skip', 'discord:1/2', 'hardest')).out).toContain('There is nothing');
  await withStore(async (store) => {
    const players = { ...key, kind: 'players', dueAt: Date.now() } as const;
    await store.allDeliveries.plan([players]);
    const { deliveries } = store.tenant(key.tenant);
    const row = await deliveries.claim(players, { owner: '1', now: Date.now(), until: Date.now() + 1 });
    const end = { state: 'given-up', doneAt: Date.now(), reason, begun: false, record: {} } as const;
    await deliveries.settle(row!, end, Date.now());
  });
  expect((await call('retry', 'discord:1/2', 'players')).out).toContain(`players of ${date} is due again`);
  expect((await call('skip', 'discord:1/2', 'players')).out).toContain(`players of ${date} is skipped`);
  expect((await call('retry', 'discord:1/2', 'players')).out).toContain('There is nothing');
  await withStore(async (store) => {
    const skipped = 'left out: the operator skipped it';
    expect(await dayOf(store, key, date)).toEqual({ opening: skipped, players: skipped });
    const before = await dayOf(store, key, addDays(date, -1));
    expect(before).toMatchObject({ opening: 'posted', lengths: skipped, closing: skipped });
  });
});

test('makes no database where there is none', async () => {
  const elsewhere = join(folder, 'elsewhere');
  const { code, err } = await run(['daily', 'plan'], { settings: { DATA_DIR: elsewhere } });
  expect(code).toBe(2);
  expect(err).toContain(`There is no ${elsewhere}/letterboxed.db.`);
  expect(existsSync(elsewhere)).toBe(false);
});

async function withStore(work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await openStore({ dataDir: folder });
  await work(store);
  await store.close();
}

function call(...typed: string[]): Promise<Run> {
  return run(['daily', ...typed], { settings: { DATA_DIR: folder }, folder });
}
