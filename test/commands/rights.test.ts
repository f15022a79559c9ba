/**
 * Nobody changes what is not theirs. Made from the declarations: each command, each of its actions, each option and each
 * pair of options, asked by people without a right to what is there. Afterwards each row of the database is what it was,
 * to the byte, but for those of the asker.
 */

import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { personChannel } from '../../src/core/channel-ref.ts';
import type {
  Asker,
  ChannelPermission,
  Command,
  Dispatcher,
  Option,
  Options,
  Ownership,
  Person,
  ReadingApp,
} from '../../src/dispatch/contract.ts';
import { claimedThing, makeDispatcher, permittedChannel } from '../../src/dispatch/dispatcher.ts';
import { SQLITE_FILE } from '../../src/store/store.ts';
import { makeTestApp, NOON, someone, type TestApp } from '../fakes/app.ts';
import { madeUp, press, replyOf } from '../fakes/ask.ts';
import { DAY_THREAD, sendStep } from '../fakes/day-thread.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { skipPauses, turns } from '../fakes/pauses.ts';
import { makeTestPoster } from '../fakes/poster.ts';
import { sample } from '../fakes/sample.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';
import { live } from '../store/contract/people.ts';

/** Of the pairs of options, each so manieth: a right that one pair lacks is missing for most pairs with either option. */
const EVERY = sample(1, 151);
/** Of the commands of who manages a channel, and changes it nearly each time, which takes longest. */
const EVERY_CHANGE = sample(1, 13);
/** Of the commands of those who differ from the first member in where they are, or in what they manage elsewhere. */
const EVERY_OTHER = sample(1, 3);
/** Of one command that does harm. */
const ENOUGH = 5;
skipPauses();

type Row = Readonly<Record<string, SQLInputValue>>;
type Rows = ReadonlyMap<string, Row>;

let world: TestApp;
let database: DatabaseSync;
let dispatcher: Dispatcher;
let tables: ReadonlyMap<string, StatementSync>;
let before: ReadonlyMap<string, Rows>;

/** A channel with all that there can be: a daily thread, a typed board, a made one, a relay, and people with their rows. */
beforeAll(async () => {
  const folder = makeFolder();
  const poster = makeTestPoster();
  world = await makeTestApp({
    words: WORDS,
    house,
    store: await openNewStore(folder),
    posterOf: (door) => (door === 'web' ? poster : undefined),
    limits: {
      commandsPerPerson: 1_000,
      commandsPerChannel: 1_000,
      relaysPerPerson: 1_000,
      relaysPerChannel: 1_000,
      boardsPerPerson: 1_000,
      boardsPerChannel: 1_000,
    },
  });
  database = new DatabaseSync(join(folder, SQLITE_FILE));
  database.exec('pragma synchronous = off');
  const boss = someone({ id: 'boss', mayManage: true });
  await sendStep(world.store, { step: 'opening' }, NOON - 1);
  for (const id of ['ann', 'friend']) await live(world.store.tenant('web:local'), id);
  const tell = (command: string, options: Options, asker: Asker = boss) =>
    press(world.app, { command, options }, asker);
  await tell('daily', { do: 'on' });
  await tell('set', { sides: 'bcd fgh jkl mnp', date: '2026-11-19' });
  await tell('board', { do: 'make', sides: OTHER_SIDES, name: 'Tea time' });
  await tell('relay', { word: 'start' });
  await tell('relay', { word: 'bfjm' });
  await tell('play', { words: 'bfjmcg,gkdhln,nbp' });
  await tell('today', { date: 'yesterday' });
  await tell('play', { words: 'bfjmcg,gkdhlnbp', sides: OTHER_SIDES });
  const names = database.prepare(`select name from sqlite_master where type = 'table'`).all();
  tables = new Map(names.map(({ name }) => [`${name}`, database.prepare(`select * from "${name}"`)]));
  before = dump();
});

afterAll(async () => {
  database.close();
  await world.close();
  await world.store.close();
});

function dump(): Map<string, Rows> {
  return new Map(
    [...tables].map(([table, all]) => [
      table,
      new Map((all.all() as Row[]).map((row) => [JSON.stringify(row), row])),
    ]),
  );
}

/** Puts the database back as it was. */
function restore(after: ReadonlyMap<string, Rows>): void {
  database.exec('begin');
  for (const [table, rows] of before) {
    if (differing(rows, after.get(table)!).length === 0) continue;
    database.exec(`delete from "${table}"`);
    for (const row of rows.values()) {
      const columns = Object.keys(row);
      const places = columns.map(() => '?');
      database
        .prepare(`insert into "${table}" (${columns.map((one) => `"${one}"`)}) values (${places})`)
        .run(...Object.values(row));
    }
  }
  database.exec('commit');
}

/** The rows that only one of them has. */
function differing(rows: Rows, others: Rows): Row[] {
  const missing = (from: Rows, to: Rows) => [...from].filter(([text]) => !to.has(text)).map(([, row]) => row);
  return [...missing(rows, others), ...missing(others, rows)];
}

interface Case {
  readonly asker: Asker;
  /** Of the combinations, each so manieth is asked for. */
  readonly every: number;
  /** The channel and the server in which the asker manages what everybody gets. */
  readonly manages?: { readonly tenant: string; readonly channel?: string };
}

const THREAD = { thread: DAY_THREAD.thread! };
const elsewhere = { id: 'mo', mayManage: false, lookUpAccess: async (to: string) => to === 'elsewhere' };
const CASES: Readonly<Record<string, Case>> = {
  'a member without rights': { asker: someone({ id: 'mia' }), every: 1 },
  'a member without rights, in a thread': { asker: someone({ id: 'mia' }, THREAD), every: EVERY_OTHER },
  'a manager of another channel': { asker: someone(elsewhere), every: EVERY_OTHER },
  'a manager of another channel, in that channel': {
    asker: someone(elsewhere, { channel: 'elsewhere' }),
    every: EVERY_CHANGE,
    manages: { tenant: 'web:local', channel: 'elsewhere' },
  },
  'somebody of another server, in a channel of the same name': {
    asker: someone({ id: 'tom', mayManage: true }, { tenant: 'web:away', ...THREAD }),
    every: EVERY_CHANGE,
    manages: { tenant: 'web:away' },
  },
};

/** Columns that say whose a row is, in the tables where anybody may write rows of their own. */
const OWNER: Readonly<Record<string, string>> = {
  hint: 'person',
  result: 'person',
  person: 'person',
  comparison: 'person',
  other_result: 'person',
  find: 'person',
  solo_game: 'person',
  game_person: 'person',
  made_board: 'made_by',
  made_board_result: 'person',
};
/** Tables that belong to the bot: boards of days, counts of what people start, and what long buttons ask for. */
const OF_THE_BOT = ['puzzle', 'hunt', 'processed_event', 'action'];
/** In a relay everybody adds words; only those who play may take one back or end it. Everybody may begin a race. */
const ofEverybody = (table: string, { command, options }: Asked) =>
  table === 'game' &&
  (command === 'race' || (command === 'relay' && !['stop', 'undo'].includes(String(options.word))));

/** What somebody starts, a board, a relay or a race, has deliveries of its own at its place in their channel. */
const ofStarted = (table: string, row: Row, { where }: Asker, { command, options }: Asked) =>
  table === 'delivery' &&
  (options.do === 'make' || command === 'race' || (command === 'relay' && options.word === 'start')) &&
  row.tenant === where.tenant &&
  String(row.channel).startsWith(`${where.channel} `);

interface Asked {
  readonly command: string;
  readonly options: Options;
}

function isTheirs(table: string, row: Row, { asker, manages }: Case, asked: Asked): boolean {
  if (OF_THE_BOT.includes(table) || row[OWNER[table] ?? ''] === asker.who.id) return true;
  // Their reminder.
  if (table === 'delivery' && row.channel === personChannel(asker.who.id)) return true;
  if (ofEverybody(table, asked) || ofStarted(table, row, asker, asked)) return true;
  if (manages === undefined || row.tenant !== manages.tenant) return false;
  return manages.channel === undefined || manages.channel === row.channel;
}

/** What a platform may send for an option: its choices, what it suggests, its example, and an id for a role. */
function valuesOf({ name, kind, choices, about, example, min }: Option): (string | number | boolean)[] {
  switch (kind) {
    case 'choice':
      return [...choices!];
    case 'flag':
      return [true];
    case 'integer':
      return [min ?? 1];
    case 'sides':
      return [OTHER_SIDES];
    case 'date':
      return ['today', '2026-11-19'];
    case 'words':
      return ['bfjmcg,gkdhlnbp'];
    case 'text':
      if (name === 'name') return ['Tea time'];
      return [...new Set([...Object.keys(about ?? {}), example ?? 'x', 'R12345678'])];
  }
}

/** Each action alone, with each value of an option, and with pairs of options. */
function* combinations(command: Command): Generator<Options> {
  const doing = command.options.find(({ name }) => name === 'do');
  const others = command.options.filter((option) => option !== doing);
  let pairs = 0;
  for (const action of [undefined, ...(doing?.choices ?? [])]) {
    const base = { ...(action !== undefined && { do: action }) };
    yield base;
    for (const [index, option] of others.entries()) {
      for (const value of valuesOf(option)) yield { ...base, [option.name]: value };
      for (const other of others.slice(index + 1)) {
        if (pairs++ % EVERY === 0)
          yield { ...base, [option.name]: valuesOf(option)[0]!, [other.name]: valuesOf(other)[0]! };
      }
    }
  }
}

/** The tables in which rows changed that are not the asker's. */
async function harm(one: Case, asked: Asked): Promise<string[]> {
  const { data_version: version } = database.prepare('pragma data_version').get() as Row;
  const prepared = dispatcher.prepare({ ...one.asker, ...asked });
  const settled = prepared.kind === 'form' ? ((await prepared.instead) ?? prepared) : prepared;
  if (settled.kind !== 'form') await replyOf(settled);
  // The message of a relay is written after the answer.
  if (asked.command === 'relay') await turns();
  if ((database.prepare('pragma data_version').get() as Row).data_version === version) return [];
  const after = dump();
  restore(after);
  return [...before].flatMap(([table, rows]) =>
    differing(rows, after.get(table)!).every((row) => isTheirs(table, row, one, asked)) ? [] : [table],
  );
}

let tried = 0;

test.each(Object.entries(CASES))('%s changes nothing of others', async (_, one) => {
  dispatcher = makeDispatcher(world.app, { commands: COMMANDS });
  const harmed: object[] = [];
  let asked = 0;
  for (const command of COMMANDS) {
    for (const options of combinations(command)) {
      if (asked++ % one.every > 0) continue;
      tried++;
      const tables = await harm(one, { command: command.name, options });
      if (tables.length > 0) harmed.push({ command: command.name, options, tables });
      // A check that is gone shows in hundreds of commands.
      if (harmed.length === ENOUGH) break;
    }
  }
  expect(harmed).toEqual([]);
});

test('the same by somebody who manages the channel changes rows of others, so that the test would see it', async () => {
  const boss: Case = { asker: someone({ id: 'other boss', mayManage: true }), every: 1 };
  const changed = new Set<string>();
  const asked: Asked[] = [
    { command: 'daily', options: { do: 'off' } },
    { command: 'set', options: { undo: true, date: '2026-11-19' } },
    { command: 'board', options: { do: 'remove', name: 'Tea time', sure: true } },
    { command: 'relay', options: { word: 'stop' } },
  ];
  for (const one of asked) for (const table of await harm(boss, one)) changed.add(table);
  expect([...changed].sort()).toEqual([
    'find',
    'game',
    'hand_board',
    'made_board',
    'made_board_result',
    'subscription',
  ]);
  console.info(`${tried} combinations of commands, actions and options, each by somebody without the right`);
});

test('what only reads gets no way to write, and what changes a channel needs a permission', () => {
  type Tenant = ReturnType<ReadingApp['store']['tenant']>;
  expectTypeOf<Tenant['subscriptions']>().not.toHaveProperty('save');
  expectTypeOf<Tenant['subscriptions']>().toHaveProperty('get');
  expectTypeOf<ReadingApp['store']>().not.toHaveProperty('backup');
  expectTypeOf<ReadingApp['puzzles']>().not.toHaveProperty('setByHand');
  expectTypeOf<NonNullable<ReturnType<ReadingApp['posterOf']>>>().not.toHaveProperty('post');
});

test('a claim that the dispatcher has not granted is none', async () => {
  const claims: Ownership[] = [];
  const change: Command = {
    ...madeUp({ name: 'change' }),
    access: 'owner',
    run: async (_, __, claim) => {
      claims.push(await claim('a thing', 'ann'));
      return { title: 'changed', blocks: [], audience: 'asker' };
    },
  };
  const tryAs = (who: Partial<Person>) =>
    press(world.app, { command: 'change', options: {} }, someone({ mayManage: false, ...who }), [change]);
  expect(await tryAs({ id: 'mia' })).toMatchObject({ isMistake: 'in-title' });
  expect(await tryAs(elsewhere)).toMatchObject({ isMistake: 'in-title' });
  expect(claims).toEqual([]);
  for (const who of [{ id: 'ann' }, { mayManage: true }, { lookUpAccess: async () => true }])
    expect(await tryAs(who)).toMatchObject({ title: 'changed' });
  expect(claimedThing(claims[0]!)).toMatchObject({ key: 'a thing', channel: { channel: 'general' } });
  expect(() => claimedThing({ ...claims[0]!, key: 'another' })).toThrow('what is not theirs');
});

test('a permission that the dispatcher has not made is none', async () => {
  let real: ChannelPermission | undefined;
  const change = madeUp({
    name: 'change',
    access: 'manager',
    run: async (_, __, permission) => {
      real = permission;
      return { title: '', blocks: [], audience: 'asker' };
    },
  });
  const who = { mayManage: false, lookUpAccess: async (to: string) => to !== 'secret' };
  await press(world.app, { command: 'change', options: {} }, someone(who), [change]);
  const channel = { tenant: 'web:local', channel: 'general' };
  expect(permittedChannel(real!)).toEqual(channel);
  expect(() => permittedChannel({ ...real!, channel: { ...channel, channel: 'games' } })).toThrow(
    'without a permission',
  );
  expect(permittedChannel((await real!.forOther('games'))!)).toEqual({ ...channel, channel: 'games' });
  expect(await real!.forOther('secret', 'another')).toBeUndefined();
  const { person } = real!;
  expect(permittedChannel((await real!.forOther('secret', person))!)).toEqual({
    ...channel,
    channel: 'secret',
  });
});
