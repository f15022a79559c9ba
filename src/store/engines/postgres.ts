import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { explainPostgres, isLost } from './postgres-errors.ts';

const CONNECT_TIMEOUT = 10_000;
/** Ends a wait on a link that died without a word; nothing we ask takes nearly as long. */
const QUERY_TIMEOUT = 30_000;
const CONNECTIONS = 10;

export interface PostgresOptions {
  /** TLS by the URL: `?sslmode=verify-full`, or `no-verify` where the host signs its own certificates. */
  readonly databaseUrl: string;
  readonly connections?: number;
  /** Called when an idle connection breaks, as in a restart of the server. The next query opens a new one. */
  readonly onTrouble?: (error: unknown) => void;
}

export function postgresDialect(options: PostgresOptions): Dialect {
  const explain = (error: unknown) => explainPostgres(error, options.databaseUrl);
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.connections ?? CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
    keepAlive: true,
    application_name: 'letterboxed',
    types: { getTypeParser: parserOf },
  });
  // Without a listener this would end the process.
  pool.on('error', (error) => options.onTrouble?.(explain(error)));
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        try {
          return guard(await pool.connect(), explain);
        } catch (error) {
          throw explain(error);
        }
      },
    },
  });
}

/** Explains what goes wrong with a connection, and keeps one that is lost from going back to the pool. */
function guard(client: pg.PoolClient, explain: (error: unknown) => unknown): PostgresPoolClient {
  let lost = false;
  // A connection can break between two queries of a transaction; the next query then says so.
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

/** Whole numbers of 64 bits come as text by default; ours are moments and counts, which fit a number. */
const INT8 = 20;
function parserOf(...[type, format]: Parameters<typeof pg.types.getTypeParser>) {
  return type === INT8 ? Number : pg.types.getTypeParser(type, format);
}
