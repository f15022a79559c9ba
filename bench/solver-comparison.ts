import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseBoard } from '../src/solver/board.ts';
import type { Lexicon } from '../src/solver/lexicon.ts';
import { walkBoard } from '../src/solver/playable.ts';
import { makeSearch } from '../src/solver/search.ts';
import type { Board } from '../src/solver/types.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const ROUNDS = 10;

/** The whole answer: playable words, fewest, counts for 1 to 3 words, ten best of each order. */
export function wholeAnswer(board: Board, lexicon: Lexicon) {
  const search = makeSearch(board, walkBoard(board, lexicon));
  const fewest = search.fewest;
  const counts = [1, 2, 3].map((words) => search.count(words));
  const shortest = search.solutions('shortest').take(10).toArray();
  const safest = search.solutions('safest').take(10).toArray();
  return { search, fewest, counts, shortest, safest };
}

/** All two-word solutions in order, as numbers: the words of each are looked up when it is read, and only the first is. */
function sortTwoWords(board: Board, lexicon: Lexicon) {
  const search = makeSearch(board, walkBoard(board, lexicon), { maxWords: 2 });
  return search.solutions('shortest', { exactly: 2 }).next();
}

/**
 * The same with one-word solutions, each an object with its words.
 *
 * @public for a tool beside this repository, which compares two commits
 */
export function oneAndTwoWords(board: Board, lexicon: Lexicon) {
  const search = makeSearch(board, walkBoard(board, lexicon), { maxWords: 2 });
  return search.solutions('shortest').toArray();
}

/**
 * Beside another solver, which is built outside of this repository. SOLVER_COMMAND is a command that solves the boards of
 * the file SOLVER_BOARDS (one a line, `ozu nri lfa mbt`) on the words of our list, and prints its milliseconds for each,
 * one a line. The two take turns for ten rounds, and both solve every board once in each. It prints the times of all rounds
 * and, since other work on the machine disturbs them, of each board's best round; the ratios are of the best rounds.
 */
export function compareWithOther(generated: readonly Board[], lexicon: Lexicon): void {
  const { SOLVER_BOARDS, SOLVER_COMMAND } = process.env;
  const lines = (text: string) => text.trim().split('\n');
  const boards =
    SOLVER_BOARDS === undefined ? generated : lines(readFileSync(SOLVER_BOARDS, 'utf8')).map(parseBoard);
  const ours = [
    ['all two-word solutions, sorted', (board: Board) => sortTwoWords(board, lexicon)],
    ['all one- and two-word solutions, as objects', (board: Board) => oneAndTwoWords(board, lexicon)],
    ['whole answer', (board: Board) => wholeAnswer(board, lexicon)],
  ] as const;
  const theirs: (readonly number[])[] = [];
  const times: (readonly number[])[][] = ours.map(() => []);
  for (let round = -2; round < ROUNDS; round++) {
    // The first rounds warm up.
    const isCounted = round >= 0;
    if (SOLVER_COMMAND !== undefined) {
      const taken = lines(execSync(SOLVER_COMMAND, { encoding: 'utf8' })).map(Number);
      if (taken.length !== boards.length)
        throw new Error(`SOLVER_COMMAND printed ${taken.length} times for ${boards.length} boards.`);
      if (isCounted) theirs.push(taken);
    }
    for (const [index, [, work]] of ours.entries()) {
      const taken = boards.map((board) => {
        const began = performance.now();
        work(board);
        return performance.now() - began;
      });
      if (isCounted) times[index]!.push(taken);
    }
  }
  heading(
    `${boards.length} boards, load average ${loadavg()[0]!.toFixed(1)}`,
    'all rounds: median ms',
    'p99 ms',
    'best rounds: median ms',
    'p99 ms',
    ...(SOLVER_COMMAND === undefined ? [] : ['median ratio', 'p99 ratio']),
  );
  const other = theirs.length > 0 ? printTimes('the other solver', theirs) : undefined;
  for (const [index, [name]] of ours.entries()) printTimes(name, times[index]!, other);
  console.log('');
}

interface BestTimes {
  readonly median: number;
  readonly p99: number;
}

function printTimes(name: string, rounds: readonly (readonly number[])[], other?: BestTimes): BestTimes {
  const all = rounds.flat();
  const best = rounds[0]!.map((_, board) => Math.min(...rounds.map((round) => round[board]!)));
  const [median, p99] = [quantile(best, 0.5), quantile(best, 0.99)];
  const ratios = other === undefined ? [] : [median / other.median, p99 / other.p99];
  row(
    name,
    ...[quantile(all, 0.5), quantile(all, 0.99), median, p99].map(milliseconds),
    ...ratios.map((ratio) => ratio.toFixed(2)),
  );
  return { median, p99 };
}
