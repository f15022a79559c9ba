/** Whatever tables there are: what they hold about a person is described, exported and erased. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personCode } from '../../src/reply/model/action.ts';
import { SQLITE_FILE } from '../../src/store/store.ts';
import { makeTestApp, NOON, someone, type TestApp } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { live } from '../store/contract/people.ts';

const PERSON = 'somebody-to-find';
/** The id as a column, in a column, or in JSON; not as a part of the made-up names of channels. */
const NAMED = new RegExp(`(^|[":])${PERSON}($|")`);
const TENANT = 'web:local';
const OTHER_TENANT = 'web:other';
/** Every table that can hold something about a person, and where docs/privacy.md says so. */
const DESCRIBED: Readonly<Record<string, RegExp>> = {
  result: /your results in numbers.*path on a shuffled board/,
  hint: /hints you have seen/,
  hand_board: /Boards and settings that you made/,
  subscription: /Boards and settings that you made/,
  made_board: /Boards that you made for a channel/,
  made_board_result: /your results on such boards/,
  solo_game: /words of boards you play/,
  find: /the solutions you found/,
  delivery: /Your reminder: its time, its zone, where you set it and the last five dates/,
  person: /Whether you joined the list of `missing`, hide from leaderboards or are calm/,
  other_result: /results of other games/,
  comparison: /Whom you agreed to be compared with/,
  game: /words of relays/,
  game_person: /words of relays/,
  action: /data of buttons/,
};
/** Tables in which nothing is about a person. */
const OF_NOBODY = [
  'puzzle',
  'fetch_log',
  'verdict',
  'hunt',
  // Its keys are checksums, which the page describes, and ids of events.
  'processed_event',
  'removed_tenant',
  // A token, encrypted.
  'installation',
  // Which workspaces belong together.
  'organization',
  'application',
  'fingerprint',
  'probe',
  'pace',
  'schema_version',
];

/** Columns that the test leaves empty. One that may name a person is not for this list: fill it in `live`. */
const EMPTY =
  `delivery.done_at delivery.opened_at delivery.opens_at delivery.owner delivery.reason delivery.record
  made_board.closed_at made_board.posted made_board.thread result.message result.path result.since_opening result.solution
  subscription.notified_at subscription.reason subscription.until`.split(/\s+/);

let world: TestApp;
let database: DatabaseSync;
/** The checksums of the id under which buttons are stored, in two tenants. */
let codes: string[];

let folder: string;

beforeAll(async () => {
  folder = makeFolder();
  const store = await openNewStore(folder);
  world = await makeTestApp({ words: WORDS, house, store });
  database = new DatabaseSync(join(folder, SQLITE_FILE));
  const tenant = store.tenant(TENANT);
  await live(tenant, PERSON);
  await tenant.people.choose(PERSON, { listed: true });
  const codeIn = (where: string) =>
    personCode({ who: { id: PERSON }, where: { tenant: where, channel: 'any' } });
  codes = await Promise.all([TENANT, OTHER_TENANT].map(codeIn));
  await store.tenant(OTHER_TENANT).people.choose(PERSON, { listed: true });
  for (const [at, code] of codes.entries())
    await store.actions.put(`key ${at}`, '{}', NOON + 1_000, {
      id: `${code} channel`,
      tenant: TENANT,
      most: 5,
    });
});

afterAll(async () => {
  database.close();
  await world.close();
  await world.store.close();
});

const tables = () =>
  database
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .all()
    .map(({ name }) => String(name));

type Row = Record<string, SQLInputValue>;

/** The rows of a table in which any column has the person's id, or the checksum of it. */
function rowsOf(table: string): Row[] {
  const rows = database.prepare(`select * from "${table}"`).all() as Row[];
  return rows.filter((row) => {
    const cells = Object.values(row).map(String);
    return cells.some((cell) => NAMED.test(cell) || codes.some((code) => cell.includes(code)));
  });
}

function change(table: string, row: Row, how: 'delete' | 'insert'): void {
  const columns = Object.keys(row);
  const statement =
    how === 'delete'
      ? `delete from "${table}" where ${columns.map((column) => `"${column}" is ?`).join(' and ')}`
      : `insert into "${table}" (${columns.map((column) => `"${column}"`)}) values (${columns.map(() => '?')})`;
  expect(database.prepare(statement).run(...Object.values(row)).changes).toBe(1);
}

const asked = (line: string) => say(world.app, line, someone({ id: PERSON }));

async function exported(): Promise<string> {
  const { blocks } = await asked('privacy export');
  return blocks.map((block) => (block.kind === 'file' ? block.content : '')).join('');
}

test('every table is listed here, with what docs/privacy.md says of those that hold something about a person', () => {
  expect(tables().sort()).toEqual([...Object.keys(DESCRIBED), ...OF_NOBODY].sort());
  const page = readFileSync('docs/privacy.md', 'utf8').replace(/\s+/g, ' ');
  for (const [table, sentence] of Object.entries(DESCRIBED)) {
    expect(rowsOf(table), `the test stores nothing about a person in ${table}`).not.toEqual([]);
    expect(page).toMatch(sentence);
  }
  for (const table of OF_NOBODY) expect(rowsOf(table)).toEqual([]);
});

test('no column that may name a person is left out', () => {
  const empty = Object.keys(DESCRIBED).flatMap((table) => {
    const rows = database.prepare(`select * from "${table}"`).all() as Row[];
    const columns = Object.keys(rows[0] ?? {}).filter((column) => rows.every((row) => row[column] === null));
    return columns.map((column) => `${table}.${column}`);
  });
  expect(empty.sort()).toEqual(EMPTY);
});

// What buttons need is stored under a checksum, from which nobody finds the person: it is erased, but not exported.
test.each(Object.keys(DESCRIBED).filter((table) => table !== 'action'))(
  'an export has what the table %s holds',
  async (table) => {
    const summary = async () => JSON.stringify((await asked('privacy')).blocks);
    const [before, counted] = [await exported(), await summary()];
    const rows = rowsOf(table);
    for (const row of rows) change(table, row, 'delete');
    expect(await exported()).not.toBe(before);
    // A relay is counted by the people in it.
    if (table !== 'game') expect(await summary()).not.toBe(counted);
    for (const row of rows) change(table, row, 'insert');
    expect(await exported()).toBe(before);
  },
);

test('nothing in any table names the person once everything about them is erased', async () => {
  for (const table of Object.keys(DESCRIBED)) expect(rowsOf(table), table).not.toEqual([]);
  await asked('privacy delete sure');
  for (const table of tables()) expect(rowsOf(table), table).toEqual([]);
});
