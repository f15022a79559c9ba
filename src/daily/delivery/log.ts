import { StoreError } from '../../store/store-error.ts';

/** The part of the program's log this room uses. No words, no secrets, no tokens go in. */
export interface DailyLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A fault, with where it happened; of a store that can't be reached, which needs no tracing, the message alone. */
export function noteLog(log: DailyLog, error: unknown, fields: object, message: string): void {
  const isExpected = error instanceof StoreError || !(error instanceof Error);
  log.error({ ...fields, error: isExpected ? messageOf(error) : (error.stack ?? error.message) }, message);
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
