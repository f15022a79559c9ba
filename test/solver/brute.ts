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

interface Way {
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
  const total = 2 ** sides.join('').length - 1;
  const paths = new Map(words.map(({ word }) => [word, spellings(sides, word)]));
  const solutions: BruteSolution[] = [];
  const extend = (chain: BruteWord[], ways: Way[] | undefined) => {
    if (ways?.some(({ covered }) => covered === total)) {
      solutions.push({
        words: chain.map(({ word }) => word),
        likelihood: chain.reduce((product, { likelihood }) => product * likelihood, 1),
      });
    }
    if (chain.length === most) return;
    for (const next of words) {
      const after = step(ways, paths.get(next.word)!);
      if (after.length > 0) extend([...chain, next], after);
    }
  };
  let start: Way[] | undefined;
  for (const word of played) start = step(start, spellings(sides, word));
  extend([], start);
  return solutions;
}

function step(ways: Way[] | undefined, paths: number[][]): Way[] {
  const after = new Map<string, Way>();
  for (const path of paths) {
    let covered = 0;
    for (const spot of path) covered |= 1 << spot;
    for (const way of ways ?? [{ at: path[0]!, covered: 0 }]) {
      if (way.at !== path[0]) continue;
      const next = { at: path.at(-1)!, covered: way.covered | covered };
      after.set(`${next.at} ${next.covered}`, next);
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

export function bySurest(a: BruteSolution, b: BruteSolution): number {
  return (
    b.likelihood - a.likelihood || a.words.length - b.words.length || letters(a) - letters(b) || spelled(a, b)
  );
}
