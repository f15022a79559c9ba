/** The part of the program's log this room uses. No words, no secrets, no tokens go in. */
export interface DailyLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A fault, with where it happened. */
export function noteLog(log: DailyLog, error: unknown, fields: object, message: string): void {
  log.error(
    { ...fields, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    message,
  );
}
