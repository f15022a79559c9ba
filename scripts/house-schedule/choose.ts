/** Chooses a board for each day of a schedule, so that the whole is like the newspaper's answers and each day has its difficulty. */
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
/** Simulated annealing: the first temperature, and what is left of it at the end. */
const HOT = 0.3;
const COLD = 0.002;

interface Choice {
  readonly board: PoolBoard;
  readonly cells: Int16Array;
  readonly words: readonly [number, number];
  readonly families: readonly [number, number];
  readonly joint: number;
  readonly rare: number;
  readonly step: number;
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

  /** Whether an item may stand on a day; what stands there now makes room. */
  allows(item: number, day: number): boolean {
    return this.of(item).every((other) => {
      const gap = Math.abs(other - day);
      return other === day || Math.min(gap, this.#days - gap) >= this.#apart;
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

/** Boards looked at for each day that a repair fills. */
const LOOKED_AT = 2_000;

interface Steps {
  /** The step of a day, from 0, and that of a board. */
  readonly day: (day: number) => number;
  readonly board: (board: PoolBoard) => number;
}

/** A schedule under way: the boards that it may have, and those that it has. */
export class Chooser {
  readonly #schedule: Schedule;
  readonly #options: readonly (readonly Choice[])[];
  readonly #numberOf: (board: PoolBoard) => Choice;
  readonly #days: number;
  readonly #random: Random;

  constructor(
    pool: readonly PoolBoard[],
    words: readonly ScheduleWord[],
    days: number,
    steps: Steps,
    random: Random,
  ) {
    const families = new Map<string, number>();
    const familyOf = words.map(({ family }) => familyNumber(families, family));
    this.#numberOf = (board) => choiceOf(board, familyOf, steps.board(board));
    const bySteps = Map.groupBy(pool.map(this.#numberOf), ({ step }) => step);
    this.#options = Array.from({ length: days }, (_, day) => bySteps.get(steps.day(day)) ?? []);
    this.#schedule = new Schedule(days);
    this.#days = days;
    this.#random = random;
  }

  /** Gives days the boards that they had, and other days, of which the board is undefined, the best one of some. */
  repair(kept: readonly (PoolBoard | undefined)[]): PoolBoard[] {
    for (const [day, board] of kept.entries())
      if (board !== undefined) this.#schedule.put(this.#numberOf(board), day);
    for (let day = 0; day < this.#days; day++) {
      if (this.#schedule.at(day) !== undefined) continue;
      const options = Array.from({ length: LOOKED_AT }, () => this.#optionOf(day));
      const [best] = options
        .filter((option) => this.#schedule.allows(option, day))
        .sort((a, b) => this.#schedule.added(a) - this.#schedule.added(b));
      if (best === undefined) throw new Error(`no board for day ${day}`);
      this.#schedule.put(best, day);
    }
    return this.#schedule.boards();
  }

  /** @param moves how many replacements are tried */
  choose(moves: number): PoolBoard[] {
    for (let day = 0; day < this.#days; day++) {
      for (let tries = 0; this.#schedule.at(day) === undefined; tries++) {
        if (tries > MAX_TRIES) throw new Error(`no board for day ${day}`);
        const option = this.#optionOf(day);
        if (this.#schedule.allows(option, day)) this.#schedule.put(option, day);
      }
    }
    for (let move = 0; move < moves; move++) {
      const temperature = HOT * (COLD / HOT) ** (move / moves);
      const day = this.#random.below(this.#days);
      const option = this.#optionOf(day);
      const change = this.#schedule.change(option, day);
      if (change > 0 && Math.exp(-change / temperature) <= this.#random.next() / 2 ** 32) continue;
      if (this.#schedule.allows(option, day)) this.#schedule.put(option, day);
    }
    return this.#schedule.boards();
  }

  #optionOf(day: number): Choice {
    const options = this.#options[day]!;
    return options[this.#random.below(options.length)]!;
  }
}

/** Boards tried for a day at the start. */
const MAX_TRIES = 100_000;

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

  at(day: number): Choice | undefined {
    return this.#chosen[(day + this.#days) % this.#days];
  }

  boards(): PoolBoard[] {
    return this.#chosen.map((choice) => choice!.board);
  }

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
      if (this.at(day - near)?.joint === joint || this.at(day + near)?.joint === joint) return false;
    if (rare & ((this.at(day - 1)?.rare ?? 0) | (this.at(day + 1)?.rare ?? 0))) return false;
    const now = this.#chosen[day];
    return (
      words.every(
        (word) =>
          (this.#words.of(word).length < MAX_BOARDS_PER_WORD || now?.words.includes(word)) &&
          this.#words.allows(word, day),
      ) && families.every((family) => this.#families.allows(family, day))
    );
  }

  /** What the cost changes by if a day gets another board. */
  change({ cells, board }: Choice, day: number): number {
    const now = this.#chosen[day]!;
    let change = 0;
    // The counts change as the sum goes on, and are put back.
    for (const cell of now.cells) change += this.#step(cell, -1);
    for (const cell of cells) change += this.#step(cell, 1);
    for (const cell of cells) this.#counts[cell]!--;
    for (const cell of now.cells) this.#counts[cell]!++;
    return change - BEAUTY * (board.beauty - now.board.beauty);
  }

  #step(cell: number, by: number): number {
    const off = this.#counts[cell]! - this.#expected[cell]!;
    this.#counts[cell]! += by;
    return (2 * by * off + 1) / this.#spread[cell]!;
  }

  put(choice: Choice, day: number): void {
    const now = this.#chosen[day];
    if (now !== undefined) {
      for (const cell of now.cells) this.#counts[cell]!--;
      for (const word of now.words) this.#words.remove(word, day);
      for (const family of now.families) this.#families.remove(family, day);
      this.#used.delete(now);
    }
    for (const cell of choice.cells) this.#counts[cell]!++;
    for (const word of choice.words) this.#words.add(word, day);
    for (const family of choice.families) this.#families.add(family, day);
    this.#used.add(choice);
    this.#chosen[day] = choice;
  }
}

function choiceOf(board: PoolBoard, familyOf: readonly number[], step: number): Choice {
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
    step,
  };
}
