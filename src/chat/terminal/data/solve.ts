import { createInterface } from 'node:readline';
import { refuseRequired } from '../../../answers/refusals.ts';
import { topicOf } from '../../../dispatch/board/topic.ts';
import { searchOptionsOf } from '../../../../commands/solve.ts';
import { type App, type Request, flagOf, wholeOf } from '../../../dispatch/contract.ts';
import { quickOf, inoffensiveFirst, shortestOf } from '../../../reply/replies/inoffensive-first.ts';
import { formatBoard, parseBoard } from '../../../solver/board.ts';
import { UserError } from '../../../core/errors.ts';
import { MAX_WORDS, type Search } from '../../../solver/search.ts';
import type { Solution } from '../../../solver/types.ts';
import type { Arguments } from '../arguments.ts';
import { type Answer, EXIT, exitOf, jsonOf, skipped } from '../subcommand.ts';
import { counted } from '../../../core/text.ts';
import { notFoundBy } from '../../../reply/replies/solution-parts.ts';

const SHOWN = 10;
/** Solutions are counted for this many words, and always for the fewest. */
const COUNTED = 3;

export async function solve(request: Request, app: App, typed: Arguments): Promise<Answer> {
  if (typed.flag('batch')) return solveBatch(request, app, typed);
  const topic = await topicOf(request, app);
  const { board } = topic;
  const all = flagOf(request, 'all');
  const exactly = wholeOf(request, 'words');
  const limit = typed.whole('limit', 1, 1_000_000) ?? (all ? Number.POSITIVE_INFINITY : SHOWN);
  const before = skipped(request, limit);
  const maxWords = typed.whole('max-words', 1, MAX_WORDS);
  const played = typed.list('played');
  const judged = app.work.judgeHere(board, topic.source);
  const options = searchOptionsOf(request);
  refuseRequired(judged, options);
  const search = app.work.searchHere(judged, {
    ...options,
    ...(played.length > 0 && { played }),
    ...(maxWords !== undefined && { maxWords }),
  });
  const { fewest } = search;
  const isSolved = fewest === 0;
  const listing = { oneEach: flagOf(request, 'each'), ...(exactly !== undefined && { exactly }) };
  // "All" of an open-ended list would never end: it means all with the fewest words, or with those asked for.
  const bounded = all && exactly === undefined && fewest ? { ...listing, exactly: fewest } : listing;
  const take = (solutions: IteratorObject<Solution>): Solution[] =>
    isSolved ? [] : [...solutions.drop(before).take(limit)];
  // Solutions come first, so that counts are missing if the time runs out.
  const shortest = take(shortestOf(search, bounded));
  // If certainty took too long, a correct solution that may not be the shortest is better than none.
  const isListed = shortest.length > 0 || before > 0;
  const isHurried = notFoundBy(search, isListed) === 'unknown' && exactly === undefined;
  const unproven = isHurried ? quickOf(search) : undefined;
  const notFound = notFoundBy(search, isListed || unproven !== undefined);
  const surest = () =>
    take(inoffensiveFirst(search, search.solutions('surest', bounded), { byLength: false }));
  const counts = () => (isSolved ? {} : countsOf(search, fewest, exactly));
  return {
    exit: exitOf(notFound),
    json: () => {
      const lists = { shortest, surest: surest() };
      return {
        sides: board.sides,
        playable: search.words.length,
        fewest: fewest ?? null,
        counts: counts(),
        ...lists,
        ...(search.cut !== undefined && { cut: search.cut }),
        ...(unproven !== undefined && { unproven }),
      };
    },
    *lines() {
      yield `${formatBoard(board)}: ${search.words.length} words can be played.`;
      if (isSolved) yield 'Solved: nothing is left.';
      else if (unproven !== undefined) yield* section('A solution, perhaps not the shortest', [unproven]);
      else if (notFound === 'none') yield noSolution(search, exactly);
      else if (shortest.length > 0) yield* solutionLines(shortest, all ? undefined : surest(), counts());
      else if (before > 0) yield 'There are no more solutions on this page.';
      if (search.cut !== undefined) yield search.cut;
    },
  };
}

function* solutionLines(
  shortest: readonly Solution[],
  surest: readonly Solution[] | undefined,
  counts: ReturnType<typeof countsOf>,
): Iterable<string> {
  for (const [words, count] of Object.entries(counts)) {
    const solutions = count === null ? 'not known how many solutions' : counted(count, 'solution');
    yield `  ${counted(Number(words), 'word')}: ${solutions}`;
  }
  yield* section('Shortest', shortest);
  if (surest !== undefined) yield* section('Surest', surest);
}

function countsOf(search: Search, fewest: number | undefined, exactly: number | undefined) {
  const counts: Record<string, number | bigint | null> = {};
  const most = Math.min(search.maxWords, Math.max(COUNTED, fewest ?? 0, exactly ?? 0));
  for (let words = 1; words <= most; words++) counts[words] = search.count(words) ?? null;
  return counts;
}

function noSolution(search: Search, exactly: number | undefined): string {
  if (search.words.length === 0) return 'No word of the list can be played on this board.';
  const length = counted(exactly ?? search.maxWords, 'word');
  return `No solution with ${exactly === undefined ? 'up to' : 'exactly'} ${length}.`;
}

function* section(title: string, solutions: readonly Solution[]): Iterable<string> {
  yield `${title}:`;
  for (const { words, likelihood } of solutions)
    yield `  ${(100 * likelihood).toFixed(1).padStart(5)} %  ${words.join(' ')}`;
}

/** Reads one board from each line and prints one line of JSON for it, also for a line that is no board. */
async function solveBatch(request: Request, app: App, typed: Arguments): Promise<Answer> {
  let exit: number = EXIT.answered;
  let number = 0;
  const alone = typed.without('batch');
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === '') continue;
    try {
      const sides = parseBoard(line).sides.join(' ');
      const answer = await solve({ ...request, options: { ...request.options, sides } }, app, alone);
      if (exit !== EXIT.badInput) exit = Math.max(exit, answer.exit);
      console.log(jsonOf(answer.json()));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      exit = EXIT.badInput;
      console.log(JSON.stringify({ line: number, error: error.message }));
    }
  }
  return { exit, lines: () => [], json: () => ({ boards: number }) };
}
