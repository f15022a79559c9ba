import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { adviceOnFileLimit, errorCode, StoreError } from '../../core/errors.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Milliseconds that end a wait on a link that died silently; none of our queries takes nearly as long. */
const QUERY_TIMEOUT_MS = 30_000;
/**
 * Milliseconds after which the server ends a transaction whose process was frozen or cut off. Others would otherwise wait
 * for its locks until the server notices, which takes hours.
 */
const ABANDONED_AFTER_MS = 15_000;
/** docs/hosting.md repeats this number. */
const MAX_CONNECTIONS = 10;
/** Milliseconds. None of our statements holds a lock nearly as long; an operator's may. */
const LOCK_TIMEOUT_MS = 20_000;

export interface PostgresOptions {
  /** The URL also configures TLS: `?sslmode=verify-full`, or `no-verify` if the host signs its own certificates. */
  readonly databaseUrl: string;
  readonly connections?: number;
  /** Milliseconds that a query waits for a connection. */
  readonly connectTimeout?: number;
  /** Milliseconds for which a transaction may be idle. */
  readonly abandoned?: number;
  /** Called when an idle connection breaks, such as in a restart of the server. The next query opens a new one. */
  readonly onTrouble?: (error: unknown) => void;
  /** Called with each failure that its operator can solve. */
  readonly onFailure?: (error: StoreError) => void;
  /** Milliseconds that a statement waits for a lock. */
  readonly lockTimeout?: number;
}

export function postgresDialect(options: PostgresOptions): Dialect {
  const explain = (error: unknown) => {
    const explained = explainPostgres(error, options.databaseUrl);
    if (explained instanceof StoreError) options.onFailure?.(explained);
    return explained;
  };
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.connections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: options.connectTimeout ?? CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'letterboxed',
    types: { getTypeParser: parserOf },
    // Set by a query rather than a parameter of the connection: poolers in front of PostgreSQL refuse parameters that they
    // don't know.
    onConnect: async (client) => {
      const { abandoned = ABANDONED_AFTER_MS, lockTimeout = LOCK_TIMEOUT_MS } = options;
      await client.query(
        `set idle_in_transaction_session_timeout = ${abandoned}; set lock_timeout = ${lockTimeout}`,
      );
    },
  });
  // The process would end if nobody listened.
  pool.on('error', (error) => options.onTrouble?.(explainPostgres(error, options.databaseUrl)));
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        try {
          return guard(await pool.connect(), explain);
        } catch (error) {
          const isBusy = pool.totalCount >= pool.options.max && pool.idleCount === 0;
          const isTimeout = /timeout exceeded/.test(partsOf(error).message);
          throw explain(isBusy && isTimeout ? busyError(pool.options.max, error) : error);
        }
      },
    },
  });
}

function busyError(connections: number, cause: unknown): StoreError {
  const text = `All ${connections} connections of this process to PostgreSQL wait for answers. ${LOCK_ADVICE}`;
  return new StoreError('store.locked', text, { cause });
}

/** Explains the errors of a connection, and keeps a lost one from going back to the pool. */
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

const LOST_CONNECTION_MESSAGES = /timeout|terminated unexpectedly|not queryable|ended by|Connection ended/i;

/** Whether the connection is useless after this error. */
export function isLost(error: unknown): boolean {
  const { code, message } = partsOf(error);
  // A code of five characters is the server's own answer. The server is then still there, unless the code says that it is
  // shutting down or takes no more writes: after a failover, the same address leads to the new primary. No class of its
  // codes begins with E, as the system's codes do (EPIPE).
  if (/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code ?? '')) return /^(08|57P|25006)/.test(code!);
  return code !== undefined || LOST_CONNECTION_MESSAGES.test(message);
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
  if (/^(28P01|28000)$/.test(code ?? '')) {
    return of('store.denied', `PostgreSQL at ${where} refuses the user or password of DATABASE_URL.`);
  }
  if (code === '3D000') {
    return of('store.denied', `There is no such database at ${where}. Create it, or change DATABASE_URL.`);
  }
  if (code === '42501') {
    return of(
      'store.denied',
      `The user of DATABASE_URL may not do this at ${where} (${message}). It must own its database, or be granted CREATE on its schema.`,
    );
  }
  if (code === '42P01') {
    return of(
      'store.damaged',
      `Tables of the bot at ${where} are gone (${message}). Stop the bot and restore a backup.`,
    );
  }
  if (code === '25006') {
    return of('store.denied', `${where} takes no writes: DATABASE_URL must name the primary, not a replica.`);
  }
  if (code === '53100') {
    return of('store.full', `No room left on the disk of PostgreSQL at ${where}. Free some space there.`);
  }
  if (code === '55P03')
    return of('store.locked', `Something holds a lock in the database at ${where} for long. ${LOCK_ADVICE}`);
  if (code === '53300') {
    return of(
      'store.exhausted',
      `PostgreSQL at ${where} takes no more connections (${message}). Raise its max_connections, or run fewer processes.`,
    );
  }
  const advice = adviceOnFileLimit(error);
  if (advice !== undefined) return of('store.exhausted', advice);
  if (code === '40001' || code === '40P01') {
    return of('store.busy', `Two transactions were in each other's way at ${where}. Trying again helps.`);
  }
  if (isOfCertificates(code) || /does not support SSL/.test(message)) {
    return of(
      'store.unreachable',
      `No TLS with PostgreSQL at ${where} (${message}). End DATABASE_URL with ?sslmode=verify-full where the ` +
        'certificate can be checked, ?sslmode=no-verify where the host signs its own, ?sslmode=disable where there is none.',
    );
  }
  if (/read timeout/.test(message)) {
    return of(
      'store.locked',
      `PostgreSQL at ${where} did not answer a query within ${QUERY_TIMEOUT_MS / 1000} s. ${LOCK_ADVICE}`,
    );
  }
  if (isLost(error)) {
    return of(
      'store.unreachable',
      `PostgreSQL at ${where} can't be reached (${code ?? message}). Check DATABASE_URL and that the server runs.`,
    );
  }
  return error;
}

function isOfCertificates(code = ''): boolean {
  return /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL/.test(code);
}

const LOCK_ADVICE = 'pg_stat_activity and pg_locks show what they wait for.';

/** Host, port and database; never the user or password. */
function whereOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the address in DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host || 'the local socket'}${pathname}`;
}
