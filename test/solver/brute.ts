/**
 * The rules of the game again, as plainly as they can be written: spots, loops and lists, nothing shared
 * with the solver. Slow, and the judge of it.
 */
export interface BruteWord {
  word: string;
  likelihood: number;
}

export interface BruteSolution {
  words: string[];
  likelihood: number;
}

/** All ways to spell a word over the board, each as a list of spots. */
export function spellings(sides: readonly string[], word: string): number[][] {
  const spots = sides.flatMap((side, index) => [...side].map((letter) => ({ letter, side: index })));
  let paths: number[][] = [[]];
  for (const letter of word) {
    const longer: number[][] = [];
    for (const path of paths) {
      spots.forEach((spot, index) => {
        if (spot.letter !== letter) return;
        const last = path.at(-1);
        if (last !== undefined && spots[last]!.side === spot.side) return;
        longer.push([...path, index]);
      });
    }
    paths = longer;
  }
  return word.length < 3 ? [] : paths;
}

export interface Way {
  at: number;
  covered: number;
}

/** Every chain of up to `most` words that covers all spots, as word sequences, each once. */
export function allSolutions(
  sides: readonly string[],
  words: readonly BruteWord[],
  most: number,
  played: string[] = [],
) {
  const solutions: BruteSolution[] = [];
  eachSolution(sides, words, most, played, (chain) => {
    solutions.push({
      words: chain.map(({ word }) => word),
      likelihood: chain.reduce((product, { likelihood }) => product * likelihood, 1),
    });
  });
  return solutions;
}

/** How many of them have 1, 2, … `most` words. */
export function countSolutions(sides: readonly string[], words: readonly string[], most: number): number[] {
  const counts = new Array<number>(most).fill(0);
  const playable = words.filter((word) => spellings(sides, word).length > 0);
  eachSolution(
    sides,
    playable.map((word) => ({ word, likelihood: 1 })),
    most,
    [],
    ({ length }) => counts[length - 1]!++,
  );
  return counts;
}

function eachSolution(
  sides: readonly string[],
  words: readonly BruteWord[],
  most: number,
  played: readonly string[],
  found: (chain: readonly BruteWord[]) => void,
) {
  const total = 2 ** sides.join('').length - 1;
  const runs = new Map(words.map(({ word }) => [word, runsOf(sides, word)]));
  const starting = Map.groupBy(words, ({ word }) => word[0]);
  const extend = (chain: BruteWord[], ways: Way[] | undefined) => {
    if (ways?.some(({ covered }) => covered === total)) found(chain);
    if (chain.length === most) return;
    const last = chain.at(-1)?.word.at(-1) ?? played.at(-1)?.at(-1);
    for (const next of last === undefined ? words : (starting.get(last) ?? [])) {
      const after = step(ways, runs.get(next.word)!);
      if (after.length > 0) extend([...chain, next], after);
    }
  };
  let start: Way[] | undefined;
  for (const word of played) start = step(start, runsOf(sides, word));
  extend([], start);
}

interface Run extends Way {
  from: number;
}

/** The spellings of a word by what matters afterwards: where each begins and ends, and what it covers. */
export function runsOf(sides: readonly string[], word: string): Run[] {
  const runs = new Map<number, Run>();
  for (const path of spellings(sides, word)) {
    let covered = 0;
    for (const spot of path) covered |= 1 << spot;
    const run = { from: path[0]!, at: path.at(-1)!, covered };
    runs.set((run.from * 26 + run.at) * 2 ** 26 + covered, run);
  }
  return [...runs.values()];
}

/** Undefined ways: the first word may begin anywhere. */
export function step(ways: Way[] | undefined, runs: Run[]): Way[] {
  const after = new Map<number, Way>();
  for (const run of runs) {
    for (const way of ways ?? [{ at: run.from, covered: 0 }]) {
      if (way.at !== run.from) continue;
      const next = { at: run.at, covered: way.covered | run.covered };
      after.set(next.at * 2 ** 26 + next.covered, next);
    }
  }
  return [...after.values()];
}

const letters = (solution: BruteSolution) => solution.words.join('').length;
const spelled = (a: BruteSolution, b: BruteSolution) => {
  for (let index = 0; index < Math.min(a.words.length, b.words.length); index++) {
    if (a.words[index] !== b.words[index]) return a.words[index]! < b.words[index]! ? -1 : 1;
  }
  return 0;
};

export function byShortest(a: BruteSolution, b: BruteSolution): number {
  return (
    a.words.length - b.words.length || b.likelihood - a.likelihood || letters(a) - letters(b) || spelled(a, b)
  );
}

export function bySafest(a: BruteSolution, b: BruteSolution): number {
  return (
    b.likelihood - a.likelihood || a.words.length - b.words.length || letters(a) - letters(b) || spelled(a, b)
  );
}
