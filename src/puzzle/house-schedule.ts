import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Resolved by a name in package.json's `imports`, like the word list. `scripts/house-schedule/make.ts` makes it. */
const scheduleFile = () => fileURLToPath(import.meta.resolve('#schedule'));

/** For each day a line with its solution, par and sides, in ROT13. */
export const readSchedule = () => readFileSync(scheduleFile(), 'utf8').trimEnd().split('\n');

/** Read with the first board. */
let lines: readonly string[] | undefined;

/** Browsers download parts of it instead: see `browser` in package.json. */
export function scheduleLine(at: number): string {
  lines ??= readSchedule();
  return lines[at]!;
}
