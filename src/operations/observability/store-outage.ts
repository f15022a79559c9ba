import { SECOND } from '../../core/clock.ts';
import type { StoreError, StoreTrouble } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { OnQuery } from '../../store/store.ts';

/** Milliseconds that a failure counts for: on a full disk some writes fail, and others fit into room that was there already. */
const FAILURE_MEMORY_MS = 30 * SECOND;
/** Milliseconds that a failure of a check counts for in the log. A check comes once a minute; queries in between may work. */
const CHECK_MEMORY_MS = 90 * SECOND;
/** Failures that checks find. A deleted file still answers queries, for example. */
const CHECKED_TROUBLES: readonly StoreTrouble[] = [
  'store.full',
  'store.damaged',
  'store.denied',
  'store.busy',
];
/** Failures that `trouble` tells only until a query works. */
const CONNECTION_TROUBLES: readonly StoreTrouble[] = ['store.unreachable', 'store.exhausted'];
/** Failures of a single query, which is repeated or can't succeed. */
const QUERY_TROUBLES: readonly StoreTrouble[] = ['store.busy', 'store.unable'];
/**
 * Milliseconds after which repeated `store.busy` is an outage: another process holds SQLite's file. Reads work meanwhile, and
 * perhaps only checks write, so this is less than the minute between two of them.
 */
const BUSY_OUTAGE_MS = 45 * SECOND;

interface Outage {
  /** When a query failed for the first and for the last time. */
  readonly since: number;
  last: number;
  /** The latest cause. */
  code: StoreTrouble;
  readonly logged: Set<StoreTrouble>;
  /** When a query worked for the last time since. */
  workedAt: number;
}

/**
 * Watches the failures of all queries: each outage gets one error for each of its causes, and one line when it is over.
 *
 * @example const outage = new StoreOutage(log); openStore({ databaseUrl, onFailure: (error) => outage.failed(error) })
 */
export class StoreOutage {
  readonly #log: Log;
  #current: Outage | undefined;
  /** The first and the last of the latest `store.busy`, each less than `CHECK_MEMORY_MS` after the one before it. */
  #busy: { readonly since: number; readonly last: number } | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  failed({ code, message }: StoreError): void {
    const now = performance.now();
    const isLasting = code === 'store.busy' && this.#isBusyForLong(now);
    if (QUERY_TROUBLES.includes(code) && !isLasting) return;
    this.#current ??= { since: now, last: now, code, logged: new Set(), workedAt: Number.NEGATIVE_INFINITY };
    Object.assign(this.#current, { last: now, code });
    if (this.#current.logged.has(code)) return;
    this.#current.logged.add(code);
    this.#log.error({ code }, `The store fails. ${message}`);
  }

  #isBusyForLong(now: number): boolean {
    const before = this.#busy;
    const since = before !== undefined && now - before.last < CHECK_MEMORY_MS ? before.since : now;
    this.#busy = { since, last: now };
    return now - since >= BUSY_OUTAGE_MS;
  }

  /** Notes each query that worked, and passes all of them on. */
  watching(onQuery: OnQuery): OnQuery {
    return (table, outcome, milliseconds) => {
      if (outcome === 'done') this.worked();
      onQuery(table, outcome, milliseconds);
    };
  }

  worked(): void {
    if (this.#current === undefined) return;
    const now = performance.now();
    this.#current.workedAt = now;
    const { since, last, code } = this.#current;
    if (now - last < (CHECKED_TROUBLES.includes(code) ? CHECK_MEMORY_MS : FAILURE_MEMORY_MS)) return;
    const seconds = Math.round((last - since) / SECOND);
    this.#log.info({ seconds }, `The store works again. It failed for ${seconds} s.`);
    this.#current = undefined;
  }

  /** What fails now. This may end sooner than the outage in the log, which waits until it is surely over. */
  trouble(): StoreTrouble | undefined {
    if (this.#current === undefined) return undefined;
    const { code, last, workedAt } = this.#current;
    const isOver = CONNECTION_TROUBLES.includes(code)
      ? workedAt > last
      : performance.now() - last >= FAILURE_MEMORY_MS;
    return isOver ? undefined : code;
  }
}
