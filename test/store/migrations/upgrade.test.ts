/** Databases that version 2 of the schema left behind, upgraded: see the head of each file in ../fixtures. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGliteDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { recordOf } from '../../../src/daily/delivery/record.ts';
import { describeReason } from '../../../src/daily/reasons.ts';
import { openStore, SQLITE_FILE } from '../../../src/store/open.ts';
import type { Reason } from '../../../src/store/reasons.ts';
import { assembleStore, type Store } from '../../../src/store/store.ts';
import { makeFolder } from '../folders.ts';
import { describeOnPglite, emptyPglite } from '../pglite.ts';
import { ask, describeOnPostgres, makeDatabase } from '../real-postgres.ts';

type Row = Record<string, unknown>;
interface OldDatabase {
  /** All rows of a table, before the upgrade. */
  readonly rows: (table: string) => Promise<Row[]>;
  /** Upgrades it. */
  readonly open: () => Promise<Store>;
}

const OVER = 'its puzzle was over before it could be posted';
const MISSING_ONE = 'it lacks the permission "Send Messages"';
const MISSING_TWO = `${MISSING_ONE}, the permission "Create Public Threads"`;
const SEND = 'the permission "Send Messages"';
const missingOne: Reason = { code: 'missing-requirements', requirements: [SEND] };
const missingTwo: Reason = {
  code: 'missing-requirements',
  requirements: [SEND, 'the permission "Create Public Threads"'],
};
const other = (text: string): Reason => ({ code: 'other', text });
const over = (last: Reason): Reason => ({ code: 'puzzle-over', last });

/** Every sentence that a subscription or delivery of the fixtures has for a reason. */
const SUBSCRIPTION_REASONS: Readonly<Record<string, Reason | null>> = {
  off: null,
  paused: null,
  [MISSING_ONE]: missingOne,
  [MISSING_TWO]: missingTwo,
  'the platform says refused': { code: 'refused', message: 'the platform says refused' },
};
const DELIVERY_REASONS: Readonly<Record<string, Reason>> = {
  [MISSING_ONE]: missingOne,
  [MISSING_TWO]: missingTwo,
  [OVER]: { code: 'puzzle-over' },
  [`${OVER}: There is no board yet.`]: over(other('There is no board yet.')),
  [`${OVER}: the connection broke`]: over(other('the connection broke')),
  [`${OVER}: the platform asks to wait`]: over(other('the platform asks to wait')),
  [`${OVER}: the outcome of the last attempt is not known`]: over({ code: 'outcome-unknown' }),
  "this day's thread was not opened": { code: 'thread-not-opened' },
  [`this day's thread was not opened: ${MISSING_ONE}`]: { code: 'thread-not-opened', opening: missingOne },
  [`this day's thread was not opened: ${OVER}: the outcome of the last attempt is not known`]: {
    code: 'thread-not-opened',
    opening: over({ code: 'outcome-unknown' }),
  },
  'told in one message with start': { code: 'merged', step: 'start' },
  'told in one message with count': { code: 'merged', step: 'count' },
  'the place was paused': { code: 'paused' },
  'the place could not be posted to': { code: 'suspended' },
  'the settings were changed after its time': { code: 'settings-changed' },
  'the settings no longer ask for it': { code: 'step-not-wanted' },
  'the daily thread was switched off here': { code: 'switched-off' },
  'there is no thread to close': { code: 'no-thread' },
  'the thread is long over': { code: 'thread-too-old' },
  'the operator skipped it': { code: 'skipped-by-operator' },
  'its puzzle is not out yet': { code: 'puzzle-not-out' },
  'its thread is being opened': { code: 'thread-opening' },
  'waits for another step': { code: 'waits-for-step' },
  'the newspaper has no board yet': { code: 'newspaper-late' },
  'something unexpected went wrong': { code: 'unexpected' },
  ...Object.fromEntries(
    [
      'There is no board yet.',
      'the connection broke',
      'the platform asks to wait',
      'the platform says invalid',
      'the platform says refused',
      'the platform says removed',
      'words of a version long gone',
    ].map((text) => [text, other(text)]),
  ),
};
const TABLES = [
  ...['place', 'delivery', 'puzzle', 'fetch_log', 'verdict', 'action', 'seen_event', 'removed_tenant'],
  ...['installation', 'hand_board', 'hint', 'result', 'person', 'game', 'game_person'],
];
const LONG_BEFORE = 0;

const json = (text: unknown) => (text === null ? undefined : JSON.parse(text as string));
const sqlOf = (engine: string) =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', `version-2.${engine}.sql`), 'utf8');
const asJson = (table: string) => `select row_to_json(t) as row from public.${table} t`;

function upgradeContract(make: () => Promise<OldDatabase>): void {
  const old: Record<string, Row[]> = {};
  let store: Store;
  const of = (row: Row) => store.tenant(row.tenant as string);

  beforeAll(async () => {
    const database = await make();
    for (const table of TABLES) old[table] = await database.rows(table);
    store = await database.open();
  });
  afterAll(() => store.close());

  test('the fixture has rows in every table', () => {
    for (const table of TABLES) expect(old[table], table).not.toEqual([]);
  });

  test('every subscription has its settings, and its state and reason as codes', async () => {
    const states = { off: 'off', paused: 'paused', resting: 'suspended', active: 'active' } as const;
    for (const { place, told_at, set_by, set_at, settings, ...row } of old.place!) {
      const reason = row.reason === null ? null : SUBSCRIPTION_REASONS[row.reason as string];
      expect(reason, String(row.reason)).toBeDefined();
      expect(await of(row).subscriptions.get(place as string)).toEqual({
        ...row,
        channel: place,
        settings: json(settings),
        setBy: set_by,
        setAt: set_at,
        state: row.reason === 'off' ? 'off' : states[row.state as keyof typeof states],
        reason,
        notifiedAt: told_at,
      });
    }
    expect(new Set(old.place!.map(({ reason }) => reason))).toEqual(
      new Set([null, ...Object.keys(SUBSCRIPTION_REASONS)]),
    );
  });

  test('every delivery is kept, its reason as a code that reads as before', async () => {
    for (const {
      place,
      due_at,
      next_at,
      urgency,
      outcome_unknown,
      done_at,
      owner,
      door,
      ...row
    } of old.delivery!) {
      const reason = row.reason === null ? null : DELIVERY_REASONS[row.reason as string];
      expect(reason, String(row.reason)).toBeDefined();
      if (reason) expect(describeReason(reason)).toBe(row.reason);
      const found = await of(row).deliveries.get(place as string, row.date as PuzzleDate, row.step as string);
      expect(found).toEqual({
        ...row,
        channel: place,
        dueAt: due_at,
        nextAt: next_at,
        priority: urgency,
        outcomeUnknown: outcome_unknown === 1,
        posted: json(row.posted),
        detail: json(row.detail),
        doneAt: done_at,
        reason,
      });
      const { told, ...record } = json(row.posted) ?? {};
      const { puzzle, ...read } = recordOf(found!, { warn: () => expect.unreachable() });
      expect({ ...read, ...(puzzle && { puzzle: { ...puzzle, whole: undefined } }) }).toEqual({
        ...record,
        ...(record.puzzle && { puzzle: { ...record.puzzle, whole: undefined } }),
        ...(told && { notified: true }),
      });
    }
    expect(new Set(old.delivery!.map(({ reason }) => reason))).toEqual(
      new Set([null, ...Object.keys(DELIVERY_REASONS)]),
    );
    expect(new Set(old.delivery!.map(({ state }) => state)).size).toBe(5);
  });

  test('a channel suspended again for the same reason is no news after the upgrade', async () => {
    const { tenant, place } = old.place!.find(({ reason }) => reason === MISSING_TWO)!;
    const { subscriptions } = store.tenant(tenant as string);
    await subscriptions.setState(place as string, { state: 'suspended', reason: missingTwo });
    expect(await subscriptions.claimNotice(place as string, 1)).toBe(false);
  });

  test('puzzles, fetches, verdicts, actions and events are kept', async () => {
    for (const { date, source, puzzle } of old.puzzle!)
      expect(await store.puzzles.get(date as PuzzleDate, source as string)).toEqual(json(puzzle));
    for (const { key, last_attempt, next_allowed, ...row } of old.fetch_log!)
      expect(await store.fetches.get(key as string)).toEqual({
        ...row,
        key,
        lastAttempt: last_attempt,
        nextAllowed: next_allowed,
      });
    const verdicts = old.verdict!.map(({ word, accepted }) => [word, accepted === 1] as const);
    expect(await store.verdicts.madeOf('abcdefghijklmnopqrstuvwxyz')).toEqual(new Map(verdicts));
    for (const { key, action } of old.action!)
      expect(await store.actions.get(key as string, LONG_BEFORE)).toBe(action);
    for (const { key } of old.seen_event!)
      expect(await store.events.has(key as string, LONG_BEFORE)).toBe(true);
  });

  test('installations and removed tenants are kept', async () => {
    for (const { tenant, sealed } of old.installation!)
      expect(await store.tenant(tenant as string).installation.get()).toBe(sealed);
    const doors = new Set(old.removed_tenant!.map(({ tenant }) => (tenant as string).split(':')[0]!));
    const removed = (await Promise.all([...doors].map((door) => store.allTenants.tenants(door))))
      .flat()
      .filter((one) => one.removed);
    expect(removed.map(({ tenant }) => tenant).sort()).toEqual(
      old.removed_tenant!.map(({ tenant }) => tenant).sort(),
    );
  });

  test('boards, hints, results, hidden people and games are kept', async () => {
    for (const { place, date, puzzle, typed_by, typed_at, ...row } of old.hand_board!)
      expect(await of(row).boards.get(place as string, date as PuzzleDate)).toEqual({
        channel: place,
        date,
        puzzle: json(puzzle),
        typedBy: typed_by,
        typedAt: typed_at,
      });
    for (const { person, puzzle, step, ...row } of old.hint!)
      expect(await of(row).hints.seen(person as string, puzzle as string)).toContain(step);
    for (const { tenant, place, trace, lengths, solved_at, since_opening, ...row } of old.result!)
      expect(
        await of({ tenant }).results.get(row.person as string, place as string, row.date as PuzzleDate),
      ).toEqual({
        ...row,
        channel: place,
        solvedAt: solved_at,
        sinceOpening: since_opening,
        lengths: json(lengths),
        ...(trace !== null && { path: json(trace) }),
      });
    for (const { person, hidden, ...row } of old.person!)
      expect(await of(row).people.isHidden(person as string)).toBe(hidden === 1);
    for (const { thread, state, version, expires_at, ...row } of old.game!)
      expect(await of(row).games.get(thread as string, LONG_BEFORE)).toEqual({
        thread,
        state: json(state),
        version,
        expiresAt: expires_at,
        people: old
          .game_person!.filter((one) => one.tenant === row.tenant && one.thread === thread)
          .map(({ person }) => person)
          .sort(),
      });
  });
}

describe('a version 2 database on SQLite', () => {
  upgradeContract(async () => {
    const folder = makeFolder();
    const database = new DatabaseSync(join(folder, SQLITE_FILE));
    database.exec(sqlOf('sqlite'));
    return {
      rows: async (table) =>
        database
          .prepare(`select * from ${table}`)
          .all()
          .map((row) => ({ ...row })),
      async open() {
        database.close();
        return openStore({ dataDir: folder });
      },
    };
  });
});

describeOnPglite('a version 2 database on PostgreSQL inside the test process', () => {
  upgradeContract(async () => {
    const pglite = await emptyPglite();
    await pglite.exec(sqlOf('postgres'));
    return {
      rows: async (table) => (await pglite.query<{ row: Row }>(asJson(table))).rows.map(({ row }) => row),
      open: () => assembleStore('postgres', new PGliteDialect({ pglite }), async () => {}),
    };
  });
});

describeOnPostgres('a version 2 database on a PostgreSQL server', () => {
  upgradeContract(async () => {
    const databaseUrl = await makeDatabase();
    await ask(sqlOf('postgres'), databaseUrl);
    return {
      rows: async (table) => (await ask(asJson(table), databaseUrl)).map(({ row }) => row as Row),
      open: () => openStore({ databaseUrl }),
    };
  });
});
