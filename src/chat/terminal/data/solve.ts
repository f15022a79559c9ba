import { searchOptionsOf } from '../../../../commands/solve.ts';
import { refuseRequired } from '../../../answers/searches.ts';
import { UserError } from '../../../core/errors.ts';
import { counted } from '../../../core/text.ts';
import { topicOf } from '../../../dispatch/board/topic.ts';
import { type App, flagOf, type Request, wholeOf } from '../../../dispatch/contract.ts';
import {
  inoffensiveFirst,
  notFoundBy,
  quickOf,
  shortestOf,
} from '../../../reply/replies/chosen-solutions.ts';
import { parseBoard } from '../../../solver/board.ts';
import { MAX_WORDS, type Search } from '../../../solver/search.ts';
import type { Solution } from '../../../solver/types.ts';
import type { Arguments } from '../arguments.ts';
import type { Progress } from '../progress.ts';
import {
  type Answer,
  type DataAnswer,
  EXIT,
  exitOf,
  jsonOf,
  type ReplyAnswer,
  skipped,
} from '../subcommand.ts';

const SHOWN = 10;
/** Solutions are counted for this many words, and always for the fewest. */
const COUNTED = 3;

/** A message like that of the command, of as many solutions as are asked for; with `--json`, the same as data. */
export async function solve(
  request: Request,
  app: App,
  typed: Arguments,
  progress: Progress,
): Promise<Answer | DataAnswer | ReplyAnswer> {
  if (typed.flag('batch')) return solveBatch(request, app, typed, progress);
  return typed.json ? solveAsData(request, app, typed) : solveAsReply(request, app, typed);
}

async function searchFor(request: Request, app: App, typed: Arguments) {
  const { board, subject, source } = await topicOf(request, app);
  const judged = app.work.judgeHere(board, source);
  const options = searchOptionsOf(request);
  refuseRequired(judged, options);
  const played = typed.list('played');
  const maxWords = typed.whole('max-words', 1, MAX_WORDS);
  const search = app.work.searchHere(judged, {
    ...options,
    ...(played.length > 0 && { played }),
    ...(maxWords !== undefined && { maxWords }),
  });
  return { subject, certain: judged.judge.certain, search };
}

function limitOf(request: Request, typed: Arguments): number {
  const most = flagOf(request, 'all') ? Number.POSITIVE_INFINITY : SHOWN;
  return typed.whole('limit', 1, 1_000_000) ?? most;
}

async function solveAsReply(request: Request, app: App, typed: Arguments): Promise<ReplyAnswer> {
  const { solvedReply } = await import('../../../reply/replies/solved.ts');
  const size = limitOf(request, typed);
  const exactly = wholeOf(request, 'words');
  return {
    reply: solvedReply({
      ...(await searchFor(request, app, typed)),
      all: flagOf(request, 'all'),
      each: flagOf(request, 'each'),
      size,
      page: skipped(request, size) === 0 ? 1 : wholeOf(request, 'page')!,
      ...(exactly !== undefined && { exactly }),
      audience: 'asker',
    }),
  };
}

export async function solveAsData(request: Request, app: App, typed: Arguments): Promise<DataAnswer> {
  const limit = limitOf(request, typed);
  const { search } = await searchFor(request, app, typed);
  const before = skipped(request, limit);
  const exactly = wholeOf(request, 'words');
  const { fewest, board } = search;
  const isSolved = fewest === 0;
  const listing = { oneEach: flagOf(request, 'each'), ...(exactly !== undefined && { exactly }) };
  // "All" of an open-ended list would never end: it means all with the fewest words, or with those asked for.
  const all = flagOf(request, 'all');
  const bounded = all && exactly === undefined && fewest ? { ...listing, exactly: fewest } : listing;
  const take = (solutions: IteratorObject<Solution>): Solution[] =>
    isSolved ? [] : [...solutions.drop(before).take(limit)];
  // Solutions come first, so that counts are missing if the time runs out.
  const shortest = take(shortestOf(search, bounded));
  // If certainty took too long, a correct solution that may not be the shortest is better than none.
  const isListed = shortest.length > 0 || before > 0;
  const isHurried = notFoundBy(search, isListed) === 'unknown' && exactly === undefined;
  const unproven = isHurried ? quickOf(search) : undefined;
  return {
    exit: exitOf({ notFound: notFoundBy(search, isListed || unproven !== undefined) }),
    json: () => {
      const safest = take(inoffensiveFirst(search, search.solutions('safest', bounded), { byLength: false }));
      return {
        sides: board.sides,
        playable: search.words.length,
        fewest: fewest ?? null,
        counts: isSolved ? {} : countsOf(search, fewest, exactly),
        shortest,
        safest,
        ...(search.cut !== undefined && { cut: search.cut }),
        ...(unproven !== undefined && { unproven }),
      };
    },
  };
}

function countsOf(search: Search, fewest: number | undefined, exactly: number | undefined) {
  const counts: Record<string, number | bigint | null> = {};
  const most = Math.min(search.maxWords, Math.max(COUNTED, fewest ?? 0, exactly ?? 0));
  for (let words = 1; words <= most; words++) counts[words] = search.count(words) ?? null;
  return counts;
}

/** Reads one board from each line and prints one line of JSON for it, also for a line that is no board. */
async function solveBatch(request: Request, app: App, typed: Arguments, progress: Progress): Promise<Answer> {
  let exit: number = EXIT.answered;
  let number = 0;
  const alone = typed.without('batch');
  const print = (line: string) => {
    progress.clear();
    console.log(line);
    // On a screen, the answers themselves show how far it is.
    if (!process.stdout.isTTY) progress.show(() => `${counted(number, 'line')} read`);
  };
  const { createInterface } = await import('node:readline');
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === '') continue;
    try {
      const sides = parseBoard(line).sides.join(' ');
      const one = { ...request, options: { ...request.options, sides } };
      const answer = await solveAsData(one, app, alone);
      if (exit !== EXIT.badInput) exit = Math.max(exit, answer.exit);
      print(jsonOf(answer.json()));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      exit = EXIT.badInput;
      print(JSON.stringify({ line: number, error: error.message }));
    }
  }
  return { exit, lines: () => [], json: () => ({ boards: number }) };
}
