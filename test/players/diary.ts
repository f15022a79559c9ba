/** What people did, and what leaderboards must say of it: worked out plainly, from one entry after the other. */
import type { PuzzleDate } from '../../src/core/clock.ts';
import { spanOf } from '../../src/puzzle/calendar.ts';

export interface Entry {
  readonly person: string;
  readonly date: PuzzleDate;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly at: number;
}

export const isOnTime = ({ date, at }: Entry) => at < spanOf(date).to;

/** One entry a person and day; what is better in the order words, letters, hints, time. */
export function bestOf<One extends Entry>(entries: readonly One[]): One[] {
  const best = new Map<string, One>();
  for (const entry of entries) {
    const key = `${entry.person} ${entry.date}`;
    const known = best.get(key);
    if (known === undefined || keyOf([entry]) < keyOf([known])) best.set(key, entry);
  }
  return [...best.values()];
}

/** Text that sorts as standings do: more days first, then less of everything else. */
function keyOf(entries: readonly Entry[]): string {
  const sum = (pick: (entry: Entry) => number) => entries.reduce((total, entry) => total + pick(entry), 0);
  return [
    1000 - entries.length,
    sum(({ words }) => words),
    sum(({ letters }) => letters),
    sum(({ hints }) => hints),
    sum(({ at }) => at),
  ]
    .map((number) => String(number).padStart(16, '0'))
    .join(' ');
}

/** `1. @ann 5` for each, in order. */
export function expectedRows(entries: readonly Entry[]): string[] {
  const people = [...new Set(entries.map(({ person }) => person))].map((person) => {
    const own = entries.filter((entry) => entry.person === person);
    return { person, own, key: keyOf(own) };
  });
  return people
    .toSorted((a, b) => (a.key === b.key ? (a.person < b.person ? -1 : 1) : a.key < b.key ? -1 : 1))
    .map(({ person, own, key }) => {
      const rank = 1 + people.filter((other) => other.key < key).length;
      return `${rank}. @${person} ${own.length}`;
    });
}

export function expectedLine(entries: readonly Entry[]): string | undefined {
  if (entries.length === 0) return undefined;
  return entries.length === 1 ? 'One person solved it.' : `${entries.length} people solved it.`;
}
