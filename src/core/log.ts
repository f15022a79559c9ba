import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreError } from './errors.ts';

/** The methods of pino's logger that this program calls. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The id of the request being handled, if any: on all its log lines, and shown to the person when it fails. */
export const currentRequestId = new AsyncLocalStorage<string>();

/**
 * Logs a fault with its stack. Whoever opens the store logs a `StoreError` once for each outage (`StoreOutage`), so here it
 * gets only a debug line.
 */
export function logFault(log: Log, error: unknown, fields: object, message: string): void {
  if (error instanceof StoreError) log.debug({ ...fields, error: error.message }, message);
  else log.error({ ...fields, err: error }, message);
}
