/** Chooses boards for days of a schedule, so that the whole is like the newspaper's answers and each day has its difficulty. */
import type { Random } from '../../src/core/random.ts';
import type { PoolBoard } from './pool.ts';
import { TABLES } from './tables.ts';
import type { ScheduleWord } from './words.ts';

/** Days between two boards with the same word, and between two with words of one family. */
const DAYS_BETWEEN_SAME = 366;
export const DAYS_BETWEEN_FAMILY = 60;
/** The most boards with one word, in all days of the schedule. */
const MAX_BOARDS_PER_WORD = 6;
/** Days in a row that are joined by different letters. */
const DAYS_BETWEEN_JOINTS = 4;
const RARE = ['j', 'q', 'x', 'z'];

/** How much the beauty of a board counts beside chi-square. */
const BEAUTY = 0.06;
/** Boards looked at for each day, and how often each day is filled: the first ones are chosen while little of the whole is known. */
const LOOKED_AT = 2_000;
const ROUNDS = 6;

interface Choice {
  readonly board: PoolBoard;
  readonly cells: Int16Array;
  readonly words: readonly [number, number];
  readonly families: readonly [number, number];
  readonly joint: number;
  readonly rare: number;
}

/** Where words and families stand. The schedule begins again after its last day, so that days are counted in a circle. */
class Places {
  readonly #days: number;
  readonly #apart: number;
  readonly #at = new Map<number, number[]>();

  constructor(days: number, apart: number) {
    this.#days = days;
    this.#apart = apart;
  }

  of(item: number): readonly number[] {
    return this.#at.get(item) ?? [];
  }

  allows(item: number, day: number): boolean {
    return this.of(item).every((other) => {
      const gap = Math.abs(other - day);
      return Math.min(gap, this.#days - gap) >= this.#apart;
    });
  }

  add(item: number, day: number): void {
    const known = this.#at.get(item);
    if (known === undefined) this.#at.set(item, [day]);
    else known.push(day);
  }

  remove(item: number, day: number): void {
    const known = this.#at.get(item)!;
    known.splice(known.indexOf(day), 1);
  }
}

interface Steps {
  /** The step of a day, from 0, and that of a board. */
  readonly day: (day: number) => number;
  readonly board: (board: PoolBoard) => number;
}

/**
 * Gives each day without a board the best one of some that are drawn from those of its step.
 *
 * @param kept by day, the board that it has already
 */
export function fillDays(
  kept: readonly (PoolBoard | undefined)[],
  pool: readonly PoolBoard[],
  words: readonly ScheduleWord[],
  steps: Steps,
  random: Random,
): PoolBoard[] {
  const families = new Map<string, number>();
  const familyOf = words.map(({ family }) => familyNumber(families, family));
  const choiceFor = (board: PoolBoard) => choiceOf(board, familyOf);
  const bySteps = Map.groupBy(pool.map(choiceFor), ({ board }) => steps.board(board));
  const schedule = new Schedule(kept.length);
  for (const [day, board] of kept.entries()) if (board !== undefined) schedule.put(choiceFor(board), day);
  const open = kept.flatMap((board, day) => (board === undefined ? [day] : []));
  for (const day of new Array<number[]>(ROUNDS).fill(open).flat()) {
    const options = bySteps.get(steps.day(day)) ?? [];
    schedule.clear(day);
    const [best] = Array.from({ length: LOOKED_AT }, () => options[random.below(options.length)]!)
      .filter((option) => schedule.allows(option, day))
      .sort((a, b) => schedule.added(a) - schedule.added(b));
    if (best === undefined) throw new Error(`no board for day ${day}`);
    schedule.put(best, day);
  }
  return schedule.boards();
}

function familyNumber(families: Map<string, number>, family: string): number {
  if (!families.has(family)) families.set(family, families.size);
  return families.get(family)!;
}

class Schedule {
  readonly #days: number;
  readonly #chosen: (Choice | undefined)[];
  readonly #used = new Set<Choice>();
  readonly #words: Places;
  readonly #families: Places;
  readonly #counts: Float64Array;
  readonly #expected: Float64Array;
  readonly #spread: Float64Array;

  constructor(days: number) {
    this.#days = days;
    this.#chosen = new Array(days).fill(undefined);
    this.#words = new Places(days, DAYS_BETWEEN_SAME);
    this.#families = new Places(days, DAYS_BETWEEN_FAMILY);
    const cells = TABLES.flatMap(({ expected, isPartition }) =>
      expected.map((share) => ({
        expected: share * days,
        spread: share * days * (isPartition ? 1 : 1 - share),
      })),
    );
    this.#counts = new Float64Array(cells.length);
    this.#expected = Float64Array.from(cells, ({ expected }) => expected);
    this.#spread = Float64Array.from(cells, ({ spread }) => spread);
  }

  #at(day: number): Choice | undefined {
    return this.#chosen[(day + this.#days) % this.#days];
  }

  boards(): PoolBoard[] {
    return this.#chosen.map((choice) => choice!.board);
  }

  /** What a board would add to the cost. */
  added({ cells, board }: Choice): number {
    let cost = -BEAUTY * board.beauty;
    for (const cell of cells)
      cost += (2 * (this.#counts[cell]! - this.#expected[cell]!) + 1) / this.#spread[cell]!;
    return cost;
  }

  allows(choice: Choice, day: number): boolean {
    if (this.#used.has(choice)) return false;
    const { words, families, joint, rare } = choice;
    for (let near = 1; near < DAYS_BETWEEN_JOINTS; near++)
      if (this.#at(day - near)?.joint === joint || this.#at(day + near)?.joint === joint) return false;
    if (rare & ((this.#at(day - 1)?.rare ?? 0) | (this.#at(day + 1)?.rare ?? 0))) return false;
    return (
      words.every(
        (word) => this.#words.of(word).length < MAX_BOARDS_PER_WORD && this.#words.allows(word, day),
      ) && families.every((family) => this.#families.allows(family, day))
    );
  }

  clear(day: number): void {
    const now = this.#chosen[day];
    if (now === undefined) return;
    for (const cell of now.cells) this.#counts[cell]!--;
    for (const word of now.words) this.#words.remove(word, day);
    for (const family of now.families) this.#families.remove(family, day);
    this.#used.delete(now);
    this.#chosen[day] = undefined;
  }

  put(choice: Choice, day: number): void {
    for (const cell of choice.cells) this.#counts[cell]!++;
    for (const word of choice.words) this.#words.add(word, day);
    for (const family of choice.families) this.#families.add(family, day);
    this.#used.add(choice);
    this.#chosen[day] = choice;
  }
}

function choiceOf(board: PoolBoard, familyOf: readonly number[]): Choice {
  let base = 0;
  const cells = TABLES.flatMap(({ cells: names, cellsOf }) => {
    const own = cellsOf(board).map((cell) => base + names.indexOf(cell));
    base += names.length;
    return own;
  });
  const letters = board.words.join('');
  return {
    board,
    cells: Int16Array.from(cells),
    words: board.numbers,
    families: [familyOf[board.numbers[0]]!, familyOf[board.numbers[1]]!],
    joint: board.words[1].charCodeAt(0),
    rare: RARE.reduce((mask, letter, at) => (letters.includes(letter) ? mask | (1 << at) : mask), 0),
  };
}
