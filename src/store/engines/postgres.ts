import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { adviceOnFileLimit, errorCode, StoreError } from '../../core/errors.ts';

/** Milliseconds that end a wait on a link that died silently. None of our queries takes nearly as long. */
const QUERY_TIMEOUT_MS = 30_000;

/** Limits of a process, in milliseconds except `connections`. */
const LIMITS = {
  /** docs/hosting.md repeats this number. */
  connections: 10,
  /** The longest that a query waits for a connection. */
  connect: 10_000,
  /**
   * The server ends a transaction that is idle for so long, as its process was frozen or cut off. Otherwise, others would wait
   * for its locks until the server notices, which takes hours.
   */
  idleTransaction: 15_000,
  /** The longest that a statement waits for a lock. None of ours holds one nearly as long, but an operator's may. */
  lock: 20_000,
};

export interface PostgresOptions {
  /** The URL also configures TLS: `?sslmode=verify-full`, or `no-verify` if the host signs its own certificates. */
  readonly databaseUrl: string;
  /** Called with each failure that the operator can solve. */
  readonly onFailure?: (error: StoreError) => void;
  /** Set by tests, which can't wait so long. */
  readonly limits?: Partial<typeof LIMITS>;
}

export function postgresDialect({ databaseUrl, onFailure, limits }: PostgresOptions): Dialect {
  const { connections, connect, idleTransaction, lock } = { ...LIMITS, ...limits };
  const explain = (error: unknown) => {
    const explained = explainPostgres(error, databaseUrl);
    if (explained instanceof StoreError) onFailure?.(explained);
    return explained;
  };
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: connect,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'letterboxed',
    types: { getTypeParser: parserOf },
    // A query, since poolers in front of PostgreSQL refuse parameters of a connection that they don't know.
    onConnect: async (client) => {
      await client.query(
        `set idle_in_transaction_session_timeout = ${idleTransaction}; set lock_timeout = ${lock}`,
      );
    },
  });
  // Without a listener, a broken idle connection would end the process. The next query opens a new one.
  pool.on('error', () => {});
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        try {
          return guard(await pool.connect(), explain);
        } catch (error) {
          const isBusy = pool.totalCount >= connections && pool.idleCount === 0;
          const isTimeout = /timeout exceeded/.test(partsOf(error).message);
          throw explain(isBusy && isTimeout ? busyError(connections, error) : error);
        }
      },
    },
  });
}

function busyError(connections: number, cause: unknown): StoreError {
  const text = `All ${connections} connections of this process to PostgreSQL wait for answers. ${LOCK_ADVICE}`;
  return new StoreError('store.locked', text, { cause });
}

/** A connection of the pool that explains its errors, and that the pool drops once it is lost. */
function guard(client: pg.PoolClient, explain: (error: unknown) => unknown): PostgresPoolClient {
  let lost = false;
  // A connection can break between two queries of a transaction; the next query then reports it.
  const onError = () => {
    lost = true;
  };
  client.on('error', onError);
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(sql, [...parameters]);
    } catch (error) {
      lost ||= isLost(error);
      throw explain(error);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release(destroy) {
      client.off('error', onError);
      client.release(destroy || lost);
    },
  };
}

/** Whole numbers of 64 bits arrive as text by default; ours are moments and counts, which fit into a number. */
const INT8_TYPE_ID = 20;
function parserOf(...[type, format]: Parameters<typeof pg.types.getTypeParser>) {
  return type === INT8_TYPE_ID ? Number : pg.types.getTypeParser(type, format);
}

/** Messages of `pg` about a connection, which have no code. */
const LOST_CONNECTION_MESSAGES = /timeout|terminated unexpectedly|not queryable|ended by|Connection ended/i;

/** Whether the connection is useless after this error. */
export function isLost(error: unknown): boolean {
  const { code, message } = partsOf(error);
  if (code === undefined) return LOST_CONNECTION_MESSAGES.test(message);
  // The server's own codes have five characters and, unlike the system's, such as EPIPE, never begin with E. The connection
  // works on after them, unless it failed, the server shuts down, or it takes no writes: the address may now lead to another.
  return !/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) || /^(08|57P|25006)/.test(code);
}

function partsOf(error: unknown) {
  const code = errorCode(error);
  return {
    code: code === undefined ? undefined : String(code),
    message: error instanceof Error ? error.message : '',
  };
}

/** Explains to the operator what an error of PostgreSQL or of the network means; returns other errors unchanged. */
export function explainPostgres(error: unknown, databaseUrl: string): unknown {
  if (error instanceof StoreError) return error;
  const { code, message } = partsOf(error);
  const where = whereOf(databaseUrl);
  const of = (trouble: StoreError['code'], text: string) => new StoreError(trouble, text, { cause: error });
  switch (code) {
    case '28P01': // invalid_password
    case '28000': // invalid_authorization_specification
      return of('store.denied', `PostgreSQL at ${where} refuses the user or password of DATABASE_URL.`);
    case '3D000': // invalid_catalog_name
      return of('store.denied', `There is no such database at ${where}. Create it, or change DATABASE_URL.`);
    case '42501': // insufficient_privilege
      return of(
        'store.denied',
        `The user of DATABASE_URL may not do this at ${where} (${message}). It must own its database, or be granted CREATE on its schema.`,
      );
    case '42P01': // undefined_table
      return of(
        'store.damaged',
        `Tables of the bot at ${where} are gone (${message}). Stop the bot and restore a backup.`,
      );
    case '25006': // read_only_sql_transaction
      return of(
        'store.denied',
        `${where} takes no writes: DATABASE_URL must name the primary, not a replica.`,
      );
    case '53100': // disk_full
      return of('store.full', `No room left on the disk of PostgreSQL at ${where}. Free some space there.`);
    case '55P03': // lock_not_available
    case '57014': // query_canceled, by a statement_timeout of the operator that ends before ours
      return of(
        'store.locked',
        `Something holds a lock in the database at ${where} for long. ${LOCK_ADVICE}`,
      );
    case '53300': // too_many_connections
      return of(
        'store.exhausted',
        `PostgreSQL at ${where} takes no more connections (${message}). Raise its max_connections, or run fewer processes.`,
      );
    case '40001': // serialization_failure
    case '40P01': // deadlock_detected
      return of('store.busy', `Two transactions were in each other's way at ${where}. Trying again helps.`);
  }
  const advice = adviceOnFileLimit(error);
  if (advice !== undefined) return of('store.exhausted', advice);
  if (isOfCertificates(code) || /does not support SSL/.test(message))
    return of(
      'store.unreachable',
      `No TLS with PostgreSQL at ${where} (${message}). End DATABASE_URL with ?sslmode=verify-full where the ` +
        'certificate can be checked, ?sslmode=no-verify where the host signs its own, ?sslmode=disable where there is none.',
    );
  if (/read timeout/.test(message))
    return of(
      'store.locked',
      `PostgreSQL at ${where} did not answer a query within ${QUERY_TIMEOUT_MS / 1000} s. ${LOCK_ADVICE}`,
    );
  if (isLost(error))
    return of(
      'store.unreachable',
      `PostgreSQL at ${where} can't be reached (${code ?? message}). Check DATABASE_URL and that the server runs.`,
    );
  return error;
}

function isOfCertificates(code = ''): boolean {
  return /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL/.test(code);
}

const LOCK_ADVICE = 'pg_stat_activity and pg_locks show what waits for what.';

/** Host, port and database; never the user or password. */
function whereOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the address in DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host || 'the local socket'}${pathname}`;
}
