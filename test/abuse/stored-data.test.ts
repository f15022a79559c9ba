import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { packAction, unpackAction } from '../../src/reply/model/action.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import { SQLITE_FILE, type Store } from '../../src/store/store.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { resultIn, stepsSeen } from '../fakes/stored.ts';

let dataDir: string;
let store: Store;
let world: TestApp;
/** A second connection, for what no command writes so often. */
let database: DatabaseSync;
beforeEach(async () => {
  dataDir = makeFolder();
  store = await openNewStore(dataDir);
  world = await makeTestApp({ words: WORDS, house, store });
  database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec('pragma secure_delete = on');
});
afterEach(async () => {
  database.close();
  await world.close();
  await store.close();
});

const rowsOf = (table: string, where = '1 = 1') =>
  Number(database.prepare(`select count(*) as rows from "${table}" where ${where}`).get()?.rows);

/** The name of a made-up board, different for each number. */
function boardKey(number: number): string {
  const letters = Array.from(String(number).padStart(4, '0'), (digit) => 'abcdefghij'[Number(digit)]);
  return `${letters.join('')}-klm-nop-qrs`;
}

/** Cheap, so that thousands are written in a moment. */
function insert(sql: string, rows: Iterable<readonly (string | number | null)[]>): void {
  const statement = database.prepare(sql);
  database.exec('begin');
  for (const row of rows) statement.run(...row);
  database.exec('commit');
}

function addResults(count: number, channel = 'general', person = '5'): void {
  const dates = Array.from({ length: count }, (_, days) => addDays(TODAY, -days));
  insert(
    `insert into result (tenant, person, channel, date, board, words, letters, hints, solved_at, since_opening, path, reported, after_solution, replaced, late)
     values ('web:local', ?, ?, ?, 'abc', 3, 15, 0, ?, null, ?, 0, 0, 0, 0)`,
    dates.map((date, days) => [
      person,
      channel,
      date,
      NOON - days * DAY,
      JSON.stringify({ sides: [3, 3, 3, 3], words: [[0, 3, 6, 9, 1]] }),
    ]),
  );
}

/** Every step of these boards, seen in their order from noon on. */
function addHints(person: string, count: number): void {
  insert(
    `insert into hint (tenant, person, puzzle, step, at, card) values ('web:local', ?, ?, ?, ?, 0)`,
    Array.from({ length: count }, (_, number) =>
      HINT_STEPS.map((step) => [person, boardKey(number), step, NOON + number] as const),
    ).flat(),
  );
}

const record = (person: string, key: string, steps: readonly string[]) =>
  store.tenant('web:local').hints.record(person, key, steps, {
    at: world.clock.now(),
    most: world.app.limits.hintsPerPerson,
    since: TODAY,
  });

describe('hints seen', () => {
  const see = (key: string, steps: readonly string[] = HINT_STEPS) => record('5', key, steps);

  it('are remembered up to 1,000 a person, those of typed boards forgotten before those of days', async () => {
    await see(TODAY);
    addHints('5', 115);
    for (let board = 115; board < 135; board++) {
      world.clock.time += 1000;
      await see(boardKey(board));
    }
    await record('6', boardKey(0), ['start']);
    expect(rowsOf('hint', "person = '5'")).toBe(1000);
    expect(rowsOf('hint', "person = '6'")).toBe(1);
    const seen = (puzzle: string) => stepsSeen(store, 'web:local', '5', puzzle);
    expect(await seen(TODAY)).toHaveLength(HINT_STEPS.length);
    expect(await seen(boardKey(0))).toEqual([]);
    expect(await seen(boardKey(134))).toHaveLength(HINT_STEPS.length);
  });

  it('of typed boards expire after 30 days, and those of days after 400', async () => {
    await see(TODAY, ['start']);
    await see(boardKey(1), ['start']);
    await store.allTenants.deleteExpired(NOON + 29 * DAY, '1999-01-01');
    expect(rowsOf('hint')).toBe(2);
    await store.allTenants.deleteExpired(NOON + 30 * DAY, '1999-01-01');
    expect(await stepsSeen(store, 'web:local', '5', boardKey(1))).toEqual([]);
    expect(rowsOf('hint')).toBe(1);
    await store.allTenants.deleteExpired(NOON + 400 * DAY, '1999-01-01');
    expect(rowsOf('hint')).toBe(0);
  });
});

describe('long data of buttons', () => {
  const long = (number: number) =>
    Array.from({ length: 99 }, (_, word) => `zz${boardKey(100 * number + word).slice(0, 4)}`);
  function button(number: number, person = '5', channel = 'general'): Promise<string> {
    world.clock.time += 1000;
    const action = { command: 'solve', options: { exclude: long(number).join(',') } };
    return packAction(action, world.app, { who: { id: person }, where: { tenant: 'web:local', channel } });
  }

  it('is kept for 100 buttons of a person in a channel, and the oldest is forgotten first', async () => {
    const first = await button(0);
    const others = [await button(1, '6'), await button(2, '5', 'random')];
    const later: string[] = [];
    for (let number = 3; number < 53; number++) later.push(await button(number));
    for (let number = 53; number < 103; number++) await button(number);
    expect(rowsOf('action')).toBe(102);
    await expect(unpackAction(first, world.app)).rejects.toThrow('has expired');
    for (const kept of [...others, ...later])
      await expect(unpackAction(kept, world.app)).resolves.toBeDefined();
  });

  it('is stored under no id, and is erased with everything else about a person', async () => {
    await button(0);
    await button(1, '6');
    const [{ owner }] = database.prepare('select owner from action').all() as [{ owner: string }];
    expect(owner).not.toMatch(/web:5|general/);
    await say(world.app, 'privacy delete sure');
    expect(rowsOf('action')).toBe(1);
  });
});

describe('results', () => {
  it('are kept up to 5,000 a person, late ones forgotten first', async () => {
    addResults(5_000);
    const onTime = { person: '5', channel: 'random', words: 2, letters: 12, hints: 0 };
    const { results } = store.tenant('web:local');
    await results.record({ ...onTime, date: TODAY, board: 'abc', solvedAt: 1, sinceOpening: 1 });
    expect(rowsOf('result')).toBe(5_000);
    expect(await resultIn(store, 'web:local', '5', 'random', TODAY)).toBeDefined();
    expect(await resultIn(store, 'web:local', '5', 'general', addDays(TODAY, -4_999))).toBeUndefined();
  });
});

describe('an export', () => {
  // A file has 5,000 rows at most, and each of the four tenants counts as one.
  it.each([
    [1_996, 1],
    [1_997, 2],
  ])(
    'of 3,000 hints and %i results comes in %i files, which together have every row once',
    async (results, files) => {
      addResults(results);
      insert(
        `insert into hint (tenant, person, puzzle, step, at, card) values (?, '5', ?, 'start', ?, 0)`,
        Array.from({ length: 3_000 }, (_, number) => [`web:${number % 3}`, boardKey(number), number]),
      );
      const hints: string[] = [];
      const dates: string[] = [];
      for (let page = 1; page <= files; page++) {
        const reply = await say(world.app, `privacy export page:${page}`);
        const file = reply.blocks.find((block) => block.kind === 'file')!;
        expect(file.content.length).toBeLessThan(3_000_000);
        const { stored } = JSON.parse(file.content) as {
          stored: { tenant: string; hints: { puzzle: string }[]; results: { date: string }[] }[];
        };
        hints.push(...stored.flatMap((part) => part.hints.map(({ puzzle }) => puzzle)));
        dates.push(...stored.flatMap((part) => part.results.map(({ date }) => date)));
        expect(reply.blocks.some(({ kind }) => kind === 'buttons')).toBe(page < files);
      }
      expect(hints.toSorted()).toEqual(Array.from({ length: 3_000 }, (_, number) => boardKey(number)).sort());
      expect(dates).toHaveLength(results);
      expect(new Set(dates).size).toBe(results);
    },
  );
});

describe('the id of a person', () => {
  /** Asked while the bot runs on. */
  function expectNoneLeft(): void {
    database.close();
    database = new DatabaseSync(':memory:');
    for (const file of readdirSync(dataDir)) {
      expect(readFileSync(join(dataDir, file)).includes('person-to-forget'), file).toBe(false);
    }
  }

  it('is in no file of the database once all of theirs has expired', async () => {
    addHints('person-to-forget', 30);
    await store.allTenants.deleteExpired(NOON + 31 * DAY, '1999-01-01');
    expectNoneLeft();
  });

  it('is in no file of the database after privacy delete', async () => {
    const forgotten = someone({ id: 'person-to-forget' });
    addHints('person-to-forget', 300);
    for (let number = 0; number < 50; number++) addHints(`person-who-stays-${number}`, 1);
    addResults(500, 'general', 'person-to-forget');
    await say(world.app, 'privacy delete sure', forgotten);
    expectNoneLeft();
    expect(await stepsSeen(store, 'web:local', 'person-who-stays-7', boardKey(0))).not.toEqual([]);
  });
});
