export interface Streak {
  /** Puzzles in a row up to now. Today's may still be open: until it is over, it breaks nothing. */
  readonly current: number;
  readonly longest: number;
  readonly isTodaySolved: boolean;
}

/**
 * A streak follows the puzzles' dates, not the calendar: days on which there was no puzzle are passed over.
 *
 * @param solved dates solved while their puzzle was on
 * @param known dates that had a puzzle; those solved had one in any case
 */
export function streakOf(solved: Iterable<string>, known: Iterable<string>, today: string): Streak {
  const done = new Set(solved);
  const dates = [...new Set([...known, ...done])].filter((date) => date <= today).sort();
  let current = 0;
  let longest = 0;
  for (const date of dates) {
    if (done.has(date)) current++;
    else if (date !== today) current = 0;
    longest = Math.max(longest, current);
  }
  return { current, longest, isTodaySolved: done.has(today) };
}
