import type { Log } from '../core/log.ts';
import { StoreError } from '../store/store-error.ts';

/** Logs a fault with its stack, but a store that can't be reached by its message alone: nothing needs tracing. */
export function logFault(log: Log, error: unknown, fields: object, message: string): void {
  const isExpected = error instanceof StoreError || !(error instanceof Error);
  log.error({ ...fields, error: isExpected ? messageOf(error) : (error.stack ?? error.message) }, message);
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
