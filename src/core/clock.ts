export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Durations are in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The newspaper's date, YYYY-MM-DD: it changes at 03:00 America/New_York, whatever the host's clock says. */
export type PuzzleDate = `${number}-${number}-${number}`;
