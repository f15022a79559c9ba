import { SECOND } from '../../core/clock.ts';
import type { StoreError, StoreTrouble } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';

/** Milliseconds that a failure counts for: on a full disk some writes fail, and others fit into room that was there already. */
const FAILURE_MEMORY_MS = 30 * SECOND;
/** Failures that end with the next answer. */
const CONNECTION_TROUBLES: readonly StoreTrouble[] = ['store.unreachable', 'store.exhausted'];
/** Failures of a single query, which is repeated or can't succeed. */
const QUERY_TROUBLES: readonly StoreTrouble[] = ['store.busy', 'store.unable'];

/**
 * Watches the failures of all queries: each outage gets one error for each of its causes, and one line when it is over.
 *
 * @example const outage = new StoreOutage(log); openStore({ databaseUrl, onFailure: (error) => outage.failed(error) })
 */
export class StoreOutage {
  readonly #log: Log;
  readonly #elapsed: () => number;
  #current:
    | { readonly since: number; last: number; code: StoreTrouble; readonly logged: Set<StoreTrouble> }
    | undefined;
  #lastAnswer = Number.NEGATIVE_INFINITY;

  constructor(log: Log, elapsed: () => number = () => performance.now()) {
    this.#log = log;
    this.#elapsed = elapsed;
  }

  failed({ code, message }: StoreError): void {
    if (QUERY_TROUBLES.includes(code)) return;
    const now = this.#elapsed();
    this.#current ??= { since: now, last: now, code, logged: new Set() };
    Object.assign(this.#current, { last: now, code });
    if (this.#current.logged.has(code)) return;
    this.#current.logged.add(code);
    this.#log.error({ code }, `The store fails. ${message}`);
  }

  worked(): void {
    const now = this.#elapsed();
    this.#lastAnswer = now;
    if (this.#current === undefined || now - this.#current.last < FAILURE_MEMORY_MS) return;
    const seconds = Math.round((this.#current.last - this.#current.since) / SECOND);
    this.#log.info({ seconds }, `The store works again. It failed for ${seconds} s.`);
    this.#current = undefined;
  }

  /** What fails now. */
  trouble(): StoreTrouble | undefined {
    if (this.#current === undefined) return undefined;
    const { code, last } = this.#current;
    const isOver = CONNECTION_TROUBLES.includes(code)
      ? this.#lastAnswer > last
      : this.#elapsed() - last >= FAILURE_MEMORY_MS;
    return isOver ? undefined : code;
  }
}
