import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { isReadableRecord } from '../../daily/day-thread.ts';
import { unplanned } from '../../daily/plan/planner.ts';
import { isReadableSettings } from '../../daily/settings/settings.ts';
import { postedSchema } from '../../dispatch/poster.ts';
import { savedWords } from '../../play/saved-game.ts';
import { appraisalSchema } from '../../players/made-boards/made-board.ts';
import { parseStoredRelay } from '../../players/relay/game.ts';
import { puzzleSchema } from '../../puzzle/repository.ts';
import {
  checkStore,
  type Finding,
  type Problem,
  type StoreCheck,
  type StoredColumn,
} from '../../store/check-store.ts';
import { SQLITE_FILE } from '../../store/store.ts';
import { pathSchema } from '../../store/tables/results.ts';
import { EXIT, type Subcommand, type SubcommandResult, type TerminalServices } from './contract.ts';

/** Works while the bot runs; `check` changes nothing without --repair. */
export const db: Subcommand = {
  usage: 'db check [--repair], or db application <ID>',
  flags: ['repair'],
  words: ['check', 'application'],
  async run(typed, services) {
    const [action, ...more] = typed.line;
    if (action === 'application') return changeApplication(more, services);
    if (action !== 'check' || more.length > 0)
      throw new UserError('terminal.db', 'Say what to do with the database, like: db check');
    const repairs = typed.flag('repair');
    const { name, check } = await checkWithPlans(services, repairs);
    const left = check.found.filter(({ repair }) => repair !== 'done');
    return {
      exit: left.length === 0 ? EXIT.answered : EXIT.noSolution,
      json: () => ({ database: name, intact: left.length === 0, ...check }),
      lines: () => linesOf(name, check, left),
    };
  },
};

/** Discord's ids are numbers of this length. */
const APPLICATION_ID = /^\d{17,20}$/;

/** Lets the bot start with the token of another Discord application. */
async function changeApplication(
  [id = '', ...more]: readonly string[],
  services: TerminalServices,
): Promise<SubcommandResult> {
  if (!APPLICATION_ID.test(id) || more.length > 0) {
    throw new UserError(
      'terminal.application',
      'Give the application’s ID, from its page in the Discord Developer Portal, like: db application 123456789012345678',
    );
  }
  const store = await services.openBotStore();
  await store.applications.put('discord', id).finally(() => store.close());
  return {
    exit: EXIT.answered,
    json: () => ({ application: id }),
    *lines() {
      yield `The database is that of Discord application ${id} now. When the bot starts with its token, servers that do not have it count as removed, and a week later their data are erased.`;
    },
  };
}

/** Checks the database and, if it is sound, its plans. */
async function checkWithPlans(
  services: TerminalServices,
  repairs: boolean,
): Promise<{ name: string; check: StoreCheck }> {
  const { name, check } = await checkDatabase(services, repairs);
  const { found, version, known } = check;
  if (version !== known || found.some(({ repair }) => repair !== 'done')) return { name, check };
  const store = await services.openBotStore();
  try {
    const [first, ...more] = await unplanned(store, Date.now());
    if (first === undefined) return { name, check };
    if (repairs) await store.planning.rescheduleAll();
    const example = `${first.tenant} ${first.channel}`;
    const problem = { code: 'unplanned', rows: 1 + more.length, example } as const;
    return {
      name,
      check: { ...check, found: [...found, { problem, repair: repairs ? 'done' : 'possible' }] },
    };
  } finally {
    await store.close();
  }
}

async function checkDatabase(
  services: TerminalServices,
  repairs: boolean,
): Promise<{ name: string; check: StoreCheck }> {
  const { store } = services.settings();
  const options = { columns: STORED_COLUMNS, repairs };
  if (store.kind === 'postgres') {
    const { postgresDialect } = await import('../../store/engines/postgres.ts');
    const dialect = postgresDialect({ databaseUrl: store.databaseUrl, connections: 1 });
    return { name: 'The database of DATABASE_URL', check: await checkStore({ dialect }, options) };
  }
  const file = join(services.botFolder(), SQLITE_FILE);
  return { name: file, check: await checkStore({ file }, options) };
}

function* linesOf(name: string, { found, version, known, rows }: StoreCheck, left: readonly Finding[]) {
  for (const { problem, repair } of found) yield `${sentenceOf(problem)} ${adviceOf(problem, repair)}`.trim();
  if (version !== undefined && version < known)
    yield `${name} is at version ${version}. The next start of the bot migrates it to version ${known}; check it again then.`;
  if (left.length > 0) {
    const possible = left.filter(({ repair }) => repair === 'possible').length;
    yield `${name}: ${counted(left.length, 'problem')}, of which ${possible} can be repaired with --repair. Make a backup first.`;
  } else if (found.length > 0) yield `${name} is repaired.`;
  else if (version === known)
    yield `${name} is intact: version ${version}, ${counted(rows, 'value')} of JSON read.`;
}

function sentenceOf(problem: Problem): string {
  switch (problem.code) {
    case 'file':
      return `The file is damaged: ${problem.details.join('; ')}.`;
    case 'earlier':
      return 'It was made by an earlier version of the bot, from before the first release.';
    case 'newer':
      return `It is at version ${problem.version}, and this program knows only up to ${problem.known}.`;
    case 'missing':
      return `These tables or columns are missing: ${problem.details.join(', ')}.`;
    case 'unreadable': {
      const { table, column, rows, example } = problem;
      return `${table}.${column} can't be read in ${counted(rows, 'row')}, such as ${example}.`;
    }
    case 'state':
      return `${counted(problem.rows, 'row')} of ${problem.table} ${problem.rows === 1 ? 'has' : 'have'} a state that this program does not know.`;
    case 'unplanned':
      return `${counted(problem.rows, 'channel')} would be planned too late, such as ${problem.example}.`;
  }
}

function adviceOf(problem: Problem, repair: Finding['repair']): string {
  if (repair === 'done') return 'Repaired.';
  if (problem.code === 'file' || problem.code === 'missing')
    return 'Restore a backup: docs/hosting.md says how.';
  if (problem.code === 'earlier')
    return 'This version neither reads nor migrates it. To keep it, start that version; to begin with an empty database, move it away.';
  if (problem.code === 'newer') return 'Start the version that has used it, or restore a backup.';
  if (problem.code === 'unreadable' && problem.table === 'subscription')
    return 'Such a channel runs on the defaults until somebody sets its daily thread again.';
  if (problem.code === 'unreadable' && repair === 'none') return 'The program reads what it can of it.';
  return '';
}

const isPuzzle = (value: unknown) => v.is(puzzleSchema, value);

/**
 * Every column with JSON, read as the program reads it. Values that can't be read are repaired where nothing is lost by it:
 * puzzles are fetched or generated again, and games in such a state are over. Only a person can say what was posted
 * according to a delivery's record.
 */
export const STORED_COLUMNS: readonly StoredColumn[] = [
  { table: 'puzzle', column: 'puzzle', isReadable: isPuzzle, repair: 'delete' },
  { table: 'handBoard', column: 'puzzle', isReadable: isPuzzle, repair: 'delete' },
  {
    table: 'soloGame',
    column: 'state',
    isReadable: (value) => savedWords(value) !== undefined,
    repair: 'delete',
  },
  {
    table: 'madeBoard',
    column: 'appraisal',
    isReadable: (value) => v.is(appraisalSchema, value),
    repair: 'delete',
  },
  { table: 'madeBoard', column: 'posted', isReadable: (value) => v.is(postedSchema, value), repair: 'empty' },
  {
    table: 'game',
    column: 'state',
    isReadable: (value) => parseStoredRelay(value) !== undefined,
    repair: 'delete',
  },
  { table: 'result', column: 'path', isReadable: (value) => v.is(pathSchema, value), repair: 'empty' },
  { table: 'subscription', column: 'settings', isReadable: isReadableSettings },
  { table: 'delivery', column: 'record', isReadable: isReadableRecord },
];

/** Works while the bot runs: the copy is of one moment, whatever is written meanwhile. */
export const backup: Subcommand = {
  usage: 'backup <file>',
  flags: [],
  async run({ line: [file, ...more] }, services) {
    if (file === undefined || more.length > 0) {
      throw new UserError(
        'terminal.backup',
        'Name one new file for the copy, like: backup letterboxed-copy.db',
      );
    }
    const { store: config } = services.settings();
    if (config.kind === 'postgres') {
      throw new UserError(
        'terminal.backup',
        'DATABASE_URL is set: PostgreSQL is backed up with its own tools, such as pg_dump.',
      );
    }
    const source = join(services.botFolder(), SQLITE_FILE);
    const store = await services.openBotStore();
    await store.backup(file).finally(() => store.close());
    const { size } = statSync(file);
    return {
      exit: EXIT.answered,
      json: () => ({ from: source, to: file, bytes: size }),
      *lines() {
        yield `${source} is copied to ${file}: ${counted(size, 'byte')}.`;
      },
    };
  },
};
