import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from 'kysely';
import { DOORS, identityScope } from '../../core/channel-ref.ts';
import { StoreError, UserError } from '../../core/errors.ts';
import { counted, listed } from '../../core/text.ts';
import { erasePerson } from '../../players/privacy.ts';
import { explainSqlite, integrityProblems, openDatabase, sqliteDialect } from '../../store/engines/sqlite.ts';
import { describeOtherVersion, MIGRATIONS, versionOf } from '../../store/migrations.ts';
import { kyselyOf, SQLITE_FILE } from '../../store/store.ts';
import {
  EXIT,
  type Subcommand,
  type SubcommandResult,
  type TerminalServices,
  typedFile,
} from './contract.ts';

/** Works while the bot runs; `check` changes nothing. */
export const db: Subcommand = {
  usage: 'db check, db erase <place/person>, or db application <ID>',
  flags: [],
  words: ['check', 'erase', 'application'],
  async run(typed, services) {
    const [action, ...more] = typed.line;
    if (action === 'application') return changeApplication(more, services);
    if (action === 'erase') return erase(more, services);
    if (action !== 'check' || more.length > 0)
      throw new UserError('terminal.db', 'Say what to do with the database, like: db check');
    const { name, check } = await checkDatabase(services);
    const intact = check.problem === undefined;
    return {
      exit: intact ? EXIT.answered : EXIT.noSolution,
      data: { database: name, intact, ...check, known: CURRENT_VERSION },
      lines: [stateOf(name, check)],
    };
  },
};

const PERSON = new RegExp(`^((?:${DOORS.join('|')}):[^\\s/]+)/(\\S+)$`);

/** As `privacy delete` does, for somebody who can't type it any more. */
async function erase(
  [who = '', ...more]: readonly string[],
  services: TerminalServices,
): Promise<SubcommandResult> {
  const [, tenant, person] = PERSON.exec(who) ?? [];
  if (tenant === undefined || person === undefined || more.length > 0) {
    throw new UserError(
      'terminal.erase',
      'Name the platform, the id of a server or workspace, and the person’s id, like: db erase slack:T0123ABCD/U0123ABCD',
    );
  }
  const scope = identityScope(tenant);
  const store = await services.openBotStore();
  try {
    const tenants = await store.allPeople.tenantsOf(scope, person);
    await erasePerson(store, { who: { id: person }, where: { tenant, channel: '' } }, Date.now());
    const line =
      tenants.length > 0
        ? `What was stored about ${person} is erased: in ${listed(tenants)}.`
        : `Nothing is stored about ${person} in ${scope}.`;
    return { data: { person, erased: tenants }, lines: [line] };
  } finally {
    await store.close();
  }
}

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
  const line = `The database is that of Discord application ${id} now. When the bot starts with its token, servers that do not have it count as removed, and a week later their data are erased.`;
  return { data: { application: id }, lines: [line] };
}

async function checkDatabase(services: TerminalServices): Promise<{ name: string; check: StoreCheck }> {
  const { store } = services.settings();
  if (store.kind === 'postgres') {
    const { postgresDialect } = await import('../../store/engines/postgres.ts');
    const dialect = postgresDialect({ databaseUrl: store.databaseUrl });
    return { name: 'The database of DATABASE_URL', check: await checkVersion(dialect) };
  }
  const file = join(services.botFolder(), SQLITE_FILE);
  return { name: file, check: await checkFile(file) };
}

function stateOf(name: string, { problem, version = 0 }: StoreCheck): string {
  switch (problem?.code) {
    case 'file':
      return `${name} is damaged: ${problem.details.join('; ')}. Restore a backup: docs/hosting.md says how.`;
    case 'version':
      return describeOtherVersion(version, CURRENT_VERSION);
  }
  const next =
    version === CURRENT_VERSION
      ? ''
      : ` The next start of the bot migrates it to version ${CURRENT_VERSION}; check it again then.`;
  return `${name} is intact, at version ${version}.${next}`;
}

/** Works while the bot runs: the copy is of one moment, whatever is written meanwhile. */
export const backup: Subcommand = {
  usage: 'backup <file>',
  flags: [],
  async run({ line: [name, ...more] }, services) {
    if (name === undefined || more.length > 0) {
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
    const file = typedFile(name);
    const source = join(services.botFolder(), SQLITE_FILE);
    const store = await services.openBotStore();
    await store.backup(file).finally(() => store.close());
    const { size } = statSync(file);
    return {
      data: { from: source, to: file, bytes: size },
      lines: [`${source} is copied to ${file}: ${counted(size, 'byte')}.`],
    };
  },
};

/** What is wrong with a database, and its schema's version. Sentences are made where it is shown. */
interface StoreCheck {
  readonly problem?:
    | { readonly code: 'file'; readonly details: readonly string[] }
    | { readonly code: 'version' };
  readonly version?: number;
}

/** The schema's version in this program, to which the bot's next start migrates a database. */
const CURRENT_VERSION = MIGRATIONS.length;

/** Checks whether a database is intact, and of a version that this program knows. It changes nothing. The bot may be running. */
async function checkFile(file: string): Promise<StoreCheck> {
  const damaged = (...details: string[]): StoreCheck => ({ problem: { code: 'file', details } });
  if (statSync(file).size === 0) return damaged('it is empty (0 bytes)');
  try {
    const database = openDatabase(file);
    const problems = integrityProblems(database);
    // A damaged file may still answer queries, which proves nothing. Errors are reported in SQLite's own words.
    if (problems.length === 0) return await checkVersion(sqliteDialect(database, (error) => error));
    database.close();
    return damaged(...problems);
  } catch (error) {
    const explained = explainSqlite(error, file);
    if (explained instanceof StoreError && explained.code === 'store.damaged')
      return damaged((error as Error).message);
    throw explained;
  }
}

async function checkVersion(dialect: Dialect): Promise<StoreCheck> {
  const db = kyselyOf(dialect);
  try {
    const { version, isOurs } = await versionOf(db);
    return { ...((!isOurs || version > CURRENT_VERSION) && { problem: { code: 'version' } }), version };
  } finally {
    await db.destroy();
  }
}
