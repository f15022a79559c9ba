/**
 * The jobs behind the answers: everything that judges a board, searches it or makes one. A job loads what it needs when it
 * is first called, because the terminal and a worker run only a few of them.
 */

import { LRUCache } from 'lru-cache';
import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import type { SolutionNumbers } from '../play/review.ts';
import type { Appraisal } from '../puzzle/house.ts';
import { isDeadEnd, makeJudge } from '../puzzle/judge.ts';
import { hasExactList, type Judge, type Puzzle, type WordSource } from '../puzzle/types.ts';
import type { NamedBoard } from '../reply/model/named-board.ts';
import type { BoardReply, Line, TerminalFlags } from '../reply/model/types.ts';
import type { Recap } from '../reply/replies/chosen-solutions.ts';
import type { GameState } from '../reply/replies/game.ts';
import type { HintCardRequest } from '../reply/replies/hint.ts';
import type { Prices } from '../reply/replies/hint-steps.ts';
import type { SolutionRequest } from '../reply/replies/reveal.ts';
import type { ReviewRequest } from '../reply/replies/review.ts';
import type { SolveRequest } from '../reply/replies/solutions.ts';
import type { SolvedScore } from '../reply/replies/solved.ts';
import type { ThreadStepsRequest } from '../reply/replies/thread-steps.ts';
import type { WordsRequest } from '../reply/replies/words.ts';
import { type CheckResult, explainBroken, judgeWords } from '../solver/check.ts';
import type { GeneratedBoard, GenerateOptions } from '../solver/generate.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { walkBoard, wordsOf } from '../solver/playable.ts';
import { makeSearch, type Search, type SearchOptions } from '../solver/search.ts';
import type { Board, PlayableWord } from '../solver/types.ts';
import type { JobContext } from '../work/job.ts';
import type { GameInput } from './play-moves.ts';

/** Workers load this module for its `JOBS`. */
export const JOBS_MODULE = import.meta.url;

/** What every job about a board gets. */
interface SourceInput {
  readonly source: WordSource;
}
interface NamedBoardInput extends SourceInput {
  readonly namedBoard: NamedBoard;
}
interface BoardInput extends SourceInput {
  readonly board: Board;
}

export interface SolveInput
  extends NamedBoardInput,
    Omit<SolveRequest, 'search' | 'isListExact' | 'namedBoard'> {
  readonly search: SearchOptions;
  /** Explains how the words were chosen, instead of listing solutions. */
  readonly explains?: boolean;
}
interface TerminalInput {
  readonly terminal?: TerminalFlags;
}

/** A hint, or a way on, after the words played so far. */
interface ContinuationInput extends NamedBoardInput, TerminalInput {
  readonly continuation: SearchOptions;
}
interface NextInput extends ContinuationInput {
  readonly prices?: Prices;
}
type HintInput = ContinuationInput &
  Pick<HintCardRequest, 'step' | 'shown' | 'taken' | 'isNext' | 'paid' | 'withoutLast'>;

interface CheckInput extends BoardInput {
  readonly words: readonly string[];
}

interface PlayInput extends BoardInput {
  /** The game as it is stored. */
  readonly saved: unknown;
  readonly input: GameInput;
}

type WordsInput = NamedBoardInput & TerminalInput & Pick<WordsRequest, 'filter' | 'page'>;

interface RevealInput extends NamedBoardInput, Pick<SolutionRequest, 'official' | 'open'> {
  /** Where the board comes from. */
  readonly note?: Line;
}

type ThreadInput = SourceInput & Pick<ThreadStepsRequest, 'puzzle' | 'steps' | 'audience'>;

interface RecapInput extends BoardInput {
  /** Checksums of the solutions that people found. */
  readonly found: readonly string[];
}

interface ScoresInput extends BoardInput {
  readonly solutions: readonly SolutionNumbers[];
}

interface ReviewInput
  extends NamedBoardInput,
    Pick<ReviewRequest, 'hints' | 'paid' | 'hasResult' | 'mayImprove' | 'isCalm'> {
  /** Words that solve the board, or that were played by somebody who has seen the solution. */
  readonly words: readonly string[];
  /** Whether the asker may see the best solution. */
  readonly maySeeBest: boolean;
}

/** Searches remember what they have computed. A few boards are asked for again and again: the day's. */
const MAX_CACHED_SEARCHES = 4;
/** Searches of larger boards take megabytes and are mostly cut off, so they are not kept. */
const MAX_CACHED_SPOTS = 12;
/**
 * A job on more words than this takes long, and is moved to a worker: the first one of a process takes more than 25 ms from
 * 5,000 on. Boards like the newspaper's have up to 3,800, boards of the commonest letters 10,000.
 */
const MAX_INLINE_WORDS = 4_000;

type JudgeContext = Pick<JobContext, 'lexicon' | 'takesLong'>;

export interface JudgedBoard {
  readonly board: Board;
  readonly judge: Judge;
}

interface Entry {
  readonly search: Search;
  /** Stops the question that is being answered. */
  stop: () => boolean;
  readonly words: Judge['words'];
}

/** The searches of a worker, or of the main thread. It keeps the latest ones, with the words of their boards. */
export class SearchCache {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_CACHED_SEARCHES });
  /** Finding the words of a dictionary on a board takes milliseconds. The same dictionary or verdicts give the same words. */
  readonly #judged = new LRUCache<string, { judge: Judge; list: object; lexicon: Lexicon }>({
    max: MAX_CACHED_SEARCHES,
  });

  judge(board: Board, source: WordSource, context: JudgeContext): JudgedBoard {
    const { lexicon } = context;
    const list = 'dictionary' in source ? source.dictionary : source.verdicts;
    const key = JSON.stringify([board.sides, hasExactList(source)]);
    const known = this.#judged.get(key);
    if (known?.list === list && known.lexicon === lexicon)
      return { board, judge: { ...known.judge, official: source.official } };
    // `takesLong` throws: the job begins again in a worker then.
    if ('dictionary' in source && source.dictionary.length > MAX_INLINE_WORDS) context.takesLong?.();
    const judge = makeJudge(board, source, lexicon, () => playableOn(board, context));
    if (board.letters.length <= MAX_CACHED_SPOTS) this.#judged.set(key, { judge, list, lexicon });
    return { board, judge };
  }

  /**
   * The search of a board, which ends when `stop` returns true. Asking the same about the same board reuses the search and
   * all it has computed, unless it was cut off. Use it synchronously, because the next request for the board replaces `stop`.
   */
  of({ board, judge }: JudgedBoard, asked: SearchOptions, stop: () => boolean): Search {
    const options = judge.official === undefined ? asked : { ...asked, preferred: judge.official };
    if (board.letters.length > MAX_CACHED_SPOTS) return makeSearch(board, judge.words, { ...options, stop });
    const key = JSON.stringify([board.sides, judge.isListExact, judge.words.length, options]);
    const known = this.#entries.get(key);
    if (known !== undefined && known.search.cut === undefined && isSameList(known.words, judge.words)) {
      known.stop = stop;
      return known.search;
    }
    const ask = () => {
      try {
        return entry.stop();
      } catch (error) {
        // The job ends in the middle of the search and begins again elsewhere.
        this.#entries.delete(key);
        throw error;
      }
    };
    const search = makeSearch(board, judge.words, { ...options, stop: ask });
    const entry: Entry = { search, stop, words: judge.words };
    this.#entries.set(key, entry);
    return search;
  }
}

function playableOn(board: Board, { lexicon, takesLong }: JudgeContext): readonly PlayableWord[] {
  const edges = walkBoard(board, lexicon);
  // Finding words takes a fraction of a millisecond. Only working with them may take long.
  if (edges.size > MAX_INLINE_WORDS) takesLong?.();
  return wordsOf(edges);
}

/** Compares what verdicts change in lists of the same length: the words, and how likely they are. */
function isSameList(a: Judge['words'], b: Judge['words']): boolean {
  if (a === b) return true;
  return a.every((word, index) => {
    const other = b[index]!;
    return word.word === other.word && word.likelihood === other.likelihood;
  });
}

/**
 * Words to continue from must be playable one after the other. A word that is missing from our list is
 * refused only if the game's own list is known: otherwise the game may have accepted it.
 */
function refuseBroken({ board, judge }: JudgedBoard, words: readonly string[]): void {
  const isWord = judge.isListExact ? judge.isWord : () => true;
  for (const { word, broken } of judgeWords(board, words, isWord).words) {
    if (broken !== undefined)
      throw new UserError(`played.${broken.rule}`, explainBroken(word, broken, board));
  }
}

/** Rejects requirements that nothing can meet, which would cause a long search without result. */
function refuseRequired({ judge }: JudgedBoard, { require = [], exclude = [], tier }: SearchOptions): void {
  const refuse = (word: string, reason: string) => {
    throw new UserError('solve.require', `${clip(word).toUpperCase()} can’t be required: ${reason}.`);
  };
  for (const word of require) {
    if (!judge.isWord(word)) refuse(word, 'it can’t be played on this board, or is not in the word list');
    if (exclude.includes(word)) refuse(word, 'you also exclude it');
    if (tier === 'everyday' && judge.words.find((known) => known.word === word)?.tier !== 'everyday')
      refuse(word, 'it is not an everyday word');
  }
}

/** Whether the words played don't solve the board yet, and begin a solution as short as any that is known. */
function isOnShortest({ fewest, options: { played = [] } }: Search, whole: () => Search): boolean {
  if (!fewest) return false;
  return played.length + fewest <= (whole().fewest ?? Number.POSITIVE_INFINITY);
}

/** The jobs of a worker, or of the main thread, whose searches they share. */
export class BoardJobs {
  readonly #searches = new SearchCache();

  async solve(
    { namedBoard, source, search: options, explains, ...asked }: SolveInput,
    context: JobContext,
  ): Promise<BoardReply> {
    const { printSolutions, solveData, solveReply } = await import('../reply/replies/solutions.ts');
    const board = this.#searches.judge(namedBoard.board, source, context);
    refuseRequired(board, options);
    const { asData, played, print } = asked.terminal ?? {};
    const search = this.#searches.of(board, { ...options, played }, context.stop);
    if (explains) {
      const { explainData, explainReply } = await import('../reply/replies/explain.ts');
      const { terminal, prices } = asked;
      const request = { namedBoard, search, lexicon: context.lexicon, terminal, prices };
      return asData ? explainData(request) : explainReply(request);
    }
    const wide =
      options.tier && this.#searches.of(board, { ...options, played, tier: undefined }, context.stop);
    const request = { ...asked, namedBoard, search, wide, isListExact: board.judge.isListExact };
    // With `beside`, everyday words are the first of two word lists: if that has no solution, those of both lists are printed.
    const printed = asked.terminal?.beside && search.fewest === undefined ? (wide ?? search) : search;
    if (print !== undefined) return printSolutions({ ...request, search: printed }, print);
    return asData ? solveData(request) : solveReply(request);
  }

  async reveal(
    { namedBoard, source, official, note, open }: RevealInput,
    context: JobContext,
  ): Promise<BoardReply> {
    const { solutionReply } = await import('../reply/replies/reveal.ts');
    const whole = this.#searchOf(namedBoard.board, source, context);
    return solutionReply({ ...whole, namedBoard, official, source: note, open, audience: 'asker' });
  }

  async thread({ puzzle, source, steps, audience }: ThreadInput, context: JobContext): Promise<BoardReply> {
    const { threadStepsReply } = await import('../reply/replies/thread-steps.ts');
    return threadStepsReply({ ...this.#searchOf(puzzle.board, source, context), puzzle, steps, audience });
  }

  async hint(
    { namedBoard, source, continuation, step, terminal, ...card }: HintInput,
    context: JobContext,
  ): Promise<BoardReply> {
    const { hintCard, hintData } = await import('../reply/replies/hint.ts');
    const { judge, search, beginsShortest } = this.#continue({ namedBoard, source, continuation }, context);
    const last = search.fewest === undefined ? continuation.played?.at(-1) : undefined;
    const deadEnd = last !== undefined && isDeadEnd(last, judge);
    const request = { namedBoard, search, step, deadEnd, beginsShortest };
    return terminal?.asData ? hintData(request, terminal.solution) : hintCard({ ...request, ...card });
  }

  async next(input: NextInput, context: JobContext): Promise<BoardReply> {
    const { nextData, nextReply } = await import('../reply/replies/next.ts');
    const { namedBoard, terminal } = input;
    const { judge, search, beginsShortest } = this.#continue(input, context);
    const { prices } = input;
    const request = { namedBoard, search, isListExact: judge.isListExact, beginsShortest, prices };
    return terminal?.asData ? nextData(request, terminal.limit) : nextReply(request);
  }

  async check({ board, source, words }: CheckInput, context: JobContext): Promise<CheckResult> {
    const { checkWords } = await import('../solver/check.ts');
    const judgedBoard = this.#searches.judge(board, source, context);
    const { judge } = judgedBoard;
    const checked = checkWords(board, words, this.#searches.of(judgedBoard, {}, context.stop), judge.isWord);
    const isUnfinished = !checked.solved && checked.words.at(-1)?.broken === undefined;
    return { ...checked, isDeadEnd: isUnfinished && isDeadEnd(words.at(-1) ?? '', judge) };
  }

  /** Describes a board that somebody has made. */
  async appraise(
    { board, source }: BoardInput,
    context: JobContext,
  ): Promise<Appraisal | 'none' | 'unknown'> {
    const { appraise } = await import('../puzzle/house.ts');
    const judgedBoard = this.#searches.judge(board, source, context);
    const all = this.#searches.of(judgedBoard, {}, context.stop);
    const everyday = this.#searches.of(judgedBoard, { tier: 'everyday' }, context.stop);
    return appraise(all, everyday, context.lexicon);
  }

  /** Compares somebody's solution with all others. Counting those takes some tens of milliseconds. */
  async review(
    { namedBoard, source, words, maySeeBest, ...asked }: ReviewInput,
    context: JobContext,
  ): Promise<BoardReply> {
    const [{ reviewOf }, { bestOf, offends }, { reviewReply }] = await Promise.all([
      import('../play/review.ts'),
      import('../reply/replies/chosen-solutions.ts'),
      import('../reply/replies/review.ts'),
    ]);
    context.takesLong?.();
    const { search, isListExact } = this.#searchOf(namedBoard.board, source, context);
    const review = reviewOf(
      search,
      words.map((word) => word.toLowerCase()),
    );
    const best = maySeeBest ? bestOf(search)?.words : undefined;
    const shown = best && !offends(search, best) ? best : undefined;
    return reviewReply({
      ...asked,
      namedBoard,
      review,
      best: shown,
      lexicon: context.lexicon,
      isListExact,
    });
  }

  /** How close solutions come to the best one, in the same order. None if the fewest words are not known. */
  async scores({ board, source, solutions }: ScoresInput, context: JobContext): Promise<SolvedScore[]> {
    const { scoresOf } = await import('../play/review.ts');
    return scoresOf(this.#searchOf(board, source, context).search, solutions);
  }

  /** What people are shown about a board when it is over. */
  async recap({ board, source, found }: RecapInput, context: JobContext): Promise<Recap> {
    const { recapOf } = await import('../reply/replies/chosen-solutions.ts');
    return recapOf(this.#searchOf(board, source, context).search, found);
  }

  /** The solutions that people hunt for, as lists of words. */
  async huntSolutions({ board, source }: BoardInput, context: JobContext): Promise<(readonly string[])[]> {
    const { huntSolutions } = await import('../reply/replies/chosen-solutions.ts');
    return huntSolutions(this.#searchOf(board, source, context).search);
  }

  fewest({ board, source }: BoardInput, context: JobContext): number | 'none' | 'unknown' {
    const { fewest, cut } = this.#searchOf(board, source, context).search;
    return fewest ?? (cut === undefined ? 'none' : 'unknown');
  }

  /** Those of the words that begin a shortest solution of a board, as far as that was found in time. */
  beginnings({ board, source, words }: CheckInput, context: JobContext): string[] {
    const { search } = this.#searchOf(board, source, context);
    const found = new Set<string>();
    const { fewest } = search;
    if (fewest !== undefined && fewest > 0)
      for (const onePerFirstWord of search.solutions('shortest', {
        oneEach: true,
        exactly: fewest,
        limit: Number.POSITIVE_INFINITY,
      }))
        found.add(onePerFirstWord.words[0]!);
    return words.filter((word) => found.has(word));
  }

  async play({ board, source, saved, input }: PlayInput, context: JobContext): Promise<GameState> {
    const { playMoves } = await import('./play-moves.ts');
    let judged: Judge | undefined;
    return playMoves({
      board,
      saved,
      input,
      judge: () => (judged ??= this.#searches.judge(board, source, context).judge),
    });
  }

  async words(
    { namedBoard, source, filter, page, terminal }: WordsInput,
    context: JobContext,
  ): Promise<BoardReply> {
    const { wordsData, wordsReply } = await import('../reply/replies/words.ts');
    const { words, isListExact } = this.#searches.judge(namedBoard.board, source, context).judge;
    const request = { namedBoard, words, filter, isListExact, page };
    return terminal?.asData ? wordsData(request, terminal.limit) : wordsReply(request);
  }

  /** The generator is half of the solver's files, and is loaded only where boards are made. */
  async generate(options: GenerateOptions, { lexicon }: JobContext): Promise<GeneratedBoard> {
    const { generate } = await import('../solver/generate.ts');
    return generate(lexicon, options);
  }

  /** The house's board of a date: the one that the bot makes itself. */
  async house({ date }: { readonly date: PuzzleDate }, { lexicon, takesLong }: JobContext): Promise<Puzzle> {
    const [{ generate }, { housePuzzle }] = await Promise.all([
      import('../solver/generate.ts'),
      import('../puzzle/house.ts'),
    ]);
    const make = (options: GenerateOptions) => {
      takesLong?.();
      return generate(lexicon, options);
    };
    return housePuzzle(date, { lexicon, make });
  }

  /** The search for what follows the words played so far. */
  #continue({ namedBoard, source, continuation }: ContinuationInput, context: JobContext) {
    const { played = [] } = continuation;
    const judged = this.#searches.judge(namedBoard.board, source, context);
    if (played.length > 0) refuseBroken(judged, played);
    const search = this.#searches.of(judged, continuation, context.stop);
    const beginsShortest =
      played.length > 0 && isOnShortest(search, () => this.#searches.of(judged, {}, context.stop));
    return { judge: judged.judge, search, beginsShortest };
  }

  /** The search of a whole board, and whether the list that decides what counts as a word is known. */
  #searchOf(board: Board, source: WordSource, context: JobContext) {
    const judged = this.#searches.judge(board, source, context);
    return { search: this.#searches.of(judged, {}, context.stop), isListExact: judged.judge.isListExact };
  }
}

/** The jobs' names and signatures, as a table. */
export type Jobs = Pick<BoardJobs, keyof BoardJobs>;

export const JOBS: Jobs = new BoardJobs();
