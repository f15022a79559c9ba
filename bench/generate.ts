import { SHAPES } from '../src/solver/board.ts';
import { DIFFICULTIES, type GenerateOptions, generate } from '../src/solver/generate.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const BOARDS = 100;
/** The third of the days with the fewest solutions takes longest. */
const HARD_DAYS = [0, 2 / 7] as const;

const lexicon = readLexicon();

/**
 * Prints how long a board takes, 300 ms at most being wanted, and how often another difficulty is given. Time is
 * that of the processor, which other work on the machine changes less. Run it alone: npx node bench/generate.ts
 */
export function run(): void {
  const first = timeOf({ seed: 'first' });
  console.log(`First board ${milliseconds(first.time)} ms (indexes the word list).\n`);
  heading('boards', 'of them', 'median ms', 'p99 ms', 'most ms', 'another difficulty given');
  const numbers = Array.from({ length: BOARDS }, (_, index) => index);
  for (const difficulty of DIFFICULTIES) {
    measure(
      `4×3, ${difficulty}`,
      numbers.map((index) => ({ seed: `bench ${index}`, difficulty })),
    );
  }
  measure(
    'house, Saturdays and Sundays',
    numbers.map((day) => ({
      seed: `house:${new Date(Date.UTC(2026, 10, 24 + day)).toISOString().slice(0, 10)}`,
      share: HARD_DAYS,
    })),
  );
  for (const { sides, sideLength: letters } of SHAPES) {
    const each = DIFFICULTIES.flatMap((difficulty) =>
      numbers.map((index) => ({ seed: `bench ${index}`, difficulty, sides, letters })),
    );
    measure(`${sides}×${letters}, all`, each);
  }
}

function measure(name: string, wishes: readonly GenerateOptions[]): void {
  const made = wishes.map(timeOf);
  const times = made.map(({ time }) => time);
  const others = made.filter(({ isOther }) => isOther).length;
  times.sort((a, b) => a - b);
  row(
    name,
    wishes.length,
    milliseconds(quantile(times, 0.5)),
    milliseconds(quantile(times, 0.99)),
    milliseconds(times.at(-1)!),
    others,
  );
}

function timeOf(wish: GenerateOptions): { readonly time: number; readonly isOther: boolean } {
  const before = process.threadCpuUsage();
  const isOther = generate(lexicon, wish).wanted !== undefined;
  const { user, system } = process.threadCpuUsage(before);
  return { time: (user + system) / 1000, isOther };
}

if (import.meta.main) run();
