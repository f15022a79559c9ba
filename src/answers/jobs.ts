/**
 * The jobs behind the answers: everything that judges a board, searches it or makes one. A job loads what it needs when it
 * is first called, because the terminal and a worker run only a few of them.
 */
import type { PuzzleDate } from '../core/clock.ts';
import { isDeadEnd } from '../puzzle/judge.ts';
import type { Judge, Puzzle, WordSource } from '../puzzle/types.ts';
import type { Subject } from '../reply/model/subject.ts';
import type { Line, Reply, TerminalFlags } from '../reply/model/types.ts';
import type { GameState } from '../reply/replies/game.ts';
import type { HintStep } from '../reply/replies/hint-steps.ts';
import type { SolutionRequest, SolvedRequest } from '../reply/replies/solutions.ts';
import type { WordFilter } from '../reply/replies/words.ts';
import type { CheckResult } from '../solver/check.ts';
import type { Appraisal } from '../solver/difficulty.ts';
import type { GeneratedBoard, GenerateOptions } from '../solver/generate.ts';
import type { SearchOptions } from '../solver/search.ts';
import type { Board } from '../solver/types.ts';
import type { JobContext } from '../work/job.ts';
import type { Recap } from './finds.ts';
import type { GameInput } from './play-moves.ts';
import { refuseBroken, refuseRequired, Searches } from './searches.ts';
import type { ThreadStep } from './thread-steps.ts';

/** For the workers, which load this module for its `JOBS`. */
export const JOBS_MODULE = import.meta.url;

/** What every job about a board gets. */
interface BoardInput {
  readonly source: WordSource;
}
interface SubjectInput extends BoardInput {
  readonly subject: Subject;
}

export interface SolveInput
  extends SubjectInput,
    Omit<SolvedRequest, 'search' | 'certain' | 'audience' | 'subject'> {
  readonly search: SearchOptions;
  /** In place of solutions, how the words were chosen. */
  readonly explains?: boolean;
}
interface TerminalInput {
  readonly terminal?: TerminalFlags;
}

/** A hint, or a way on, after the words played so far. */
export interface OnwardsInput extends SubjectInput, TerminalInput {
  readonly onwards: SearchOptions;
}
export interface HintInput extends OnwardsInput {
  readonly step: HintStep;
  /** Nobody chose the step. */
  readonly isNext?: boolean;
  /** The person has solved the board. */
  readonly isFree?: boolean;
  /** The hints that the card shows already. */
  readonly shown: readonly HintStep[];
}

export interface CheckInput extends BoardInput {
  readonly board: Board;
  readonly words: readonly string[];
}

export interface PlayInput extends BoardInput {
  readonly board: Board;
  /** The game as it is stored. */
  readonly saved: unknown;
  readonly input: GameInput;
}

export interface WordsInput extends SubjectInput, TerminalInput {
  readonly filter: WordFilter;
  readonly page?: number;
}

export interface RevealInput extends SubjectInput, Pick<SolutionRequest, 'official' | 'open'> {
  /** Where the board comes from. */
  readonly note?: Line;
}

export interface ThreadInput extends BoardInput {
  readonly puzzle: Puzzle;
  readonly steps: readonly ThreadStep[];
  readonly audience: Reply['audience'];
}

export interface RecapInput extends BoardInput {
  readonly board: Board;
  /** Checksums of the solutions that people found. */
  readonly found: readonly string[];
}

export interface ReviewInput extends SubjectInput {
  /** Words that solve the board, or that were played by somebody who has seen the solution. */
  readonly words: readonly string[];
  /** Hint points. */
  readonly hints: number;
  readonly counts: boolean;
  /** Whether the asker may see the best solution. */
  readonly isOpen: boolean;
}

export interface FewestInput extends BoardInput {
  readonly board: Board;
}

/** Jobs that show whole solutions, or count them. */
function makeSolutionJobs(searches: Searches) {
  return {
    async solve(
      { subject, source, search: options, explains, ...asked }: SolveInput,
      context: JobContext,
    ): Promise<Reply> {
      const { solvedData, solvedReply } = await import('../reply/replies/solutions.ts');
      const board = searches.judge(subject.board, source, context);
      refuseRequired(board, options);
      const { asData, played } = asked.terminal ?? {};
      const search = searches.of(board, { ...options, played }, context.stop);
      if (explains) {
        const { explainData, explainReply } = await import('../reply/replies/explain.ts');
        return (asData ? explainData : explainReply)({ subject, search, lexicon: context.lexicon });
      }
      const request = { ...asked, subject, search, certain: board.judge.certain, audience: 'asker' as const };
      return asData ? solvedData(request) : solvedReply(request);
    },

    async reveal(
      { subject, source, official, note, open }: RevealInput,
      context: JobContext,
    ): Promise<Reply> {
      const { solutionReply } = await import('../reply/replies/solutions.ts');
      const board = searches.judge(subject.board, source, context);
      return solutionReply({
        subject,
        search: searches.of(board, {}, context.stop),
        certain: board.judge.certain,
        official,
        source: note,
        open,
        audience: 'asker',
      });
    },

    async thread({ puzzle, source, steps, audience }: ThreadInput, context: JobContext): Promise<Reply> {
      const { threadStepsReply } = await import('./thread-steps.ts');
      const board = searches.judge(puzzle.board, source, context);
      const search = searches.of(board, {}, context.stop);
      return threadStepsReply({ puzzle, steps, search, certain: board.judge.certain, audience });
    },
  };
}

/** Jobs that help to go on. */
function makeHelpJobs(searches: Searches) {
  return {
    async hint(
      { subject, source, onwards, step, isNext, isFree, shown, terminal }: HintInput,
      context: JobContext,
    ): Promise<Reply> {
      const { hintCard, hintData } = await import('../reply/replies/hint.ts');
      const board = searches.judge(subject.board, source, context);
      refuseBroken(board, onwards.played ?? []);
      const search = searches.of(board, onwards, context.stop);
      const last = search.fewest === undefined ? onwards.played?.at(-1) : undefined;
      const deadEnd = last !== undefined && isDeadEnd(last, board.judge);
      const request = { subject, search, step, deadEnd };
      return terminal?.asData
        ? hintData(request, terminal.solution)
        : hintCard({ ...request, shown, isNext, isFree });
    },

    async next({ subject, source, onwards, terminal }: OnwardsInput, context: JobContext): Promise<Reply> {
      const { nextData, nextReply } = await import('../reply/replies/played.ts');
      const board = searches.judge(subject.board, source, context);
      refuseBroken(board, onwards.played ?? []);
      const search = searches.of(board, onwards, context.stop);
      if (terminal?.asData) return nextData(search, terminal.limit);
      return nextReply({ subject, search, certain: board.judge.certain, audience: 'asker' });
    },

    async check({ board, source, words }: CheckInput, context: JobContext): Promise<CheckResult> {
      const { checkWords } = await import('../solver/check.ts');
      const judgedBoard = searches.judge(board, source, context);
      const { judge } = judgedBoard;
      const checked = checkWords(board, words, searches.of(judgedBoard, {}, context.stop), judge.isWord);
      const isOpen = !checked.solved && checked.words.at(-1)?.broken === undefined;
      return { ...checked, isDeadEnd: isOpen && isDeadEnd(words.at(-1) ?? '', judge) };
    },
  };
}

/** Jobs that say what a board is like. */
function makeBoardJobs(searches: Searches) {
  return {
    /** What a board that somebody has made is like. */
    async appraise(
      { board, source }: FewestInput,
      context: JobContext,
    ): Promise<Appraisal | 'none' | 'unknown'> {
      const [{ appraise }, { houseDifficultyBySolutions }] = await Promise.all([
        import('../solver/difficulty.ts'),
        import('../puzzle/house.ts'),
      ]);
      const judgedBoard = searches.judge(board, source, context);
      return appraise({
        board,
        all: searches.of(judgedBoard, {}, context.stop),
        everyday: searches.of(judgedBoard, { tier: 'everyday' }, context.stop),
        lexicon: context.lexicon,
        difficultyBySolutions: houseDifficultyBySolutions,
      });
    },

    /** How somebody's solution compares with all others. */
    async review(
      { subject, source, words, isOpen, ...asked }: ReviewInput,
      context: JobContext,
    ): Promise<Reply> {
      const [{ reviewOf }, { bestOf }, { reviewReply }] = await Promise.all([
        import('../solver/review.ts'),
        import('../reply/replies/chosen-solutions.ts'),
        import('../reply/replies/review.ts'),
      ]);
      context.takesLong?.();
      const board = searches.judge(subject.board, source, context);
      const search = searches.of(board, {}, context.stop);
      const review = reviewOf(
        search,
        words.map((word) => word.toLowerCase()),
      );
      const best = isOpen ? bestOf(search)?.words : undefined;
      return reviewReply({
        ...asked,
        subject,
        review,
        best,
        lexicon: context.lexicon,
        certain: board.judge.certain,
      });
    },

    /** What people are shown about a board when it is over. */
    async recap({ board, source, found }: RecapInput, context: JobContext): Promise<Recap> {
      const { recapOf } = await import('./finds.ts');
      return recapOf(searches.of(searches.judge(board, source, context), {}, context.stop), found);
    },

    /** The solutions that people hunt for, each its words. */
    async toFind({ board, source }: FewestInput, context: JobContext): Promise<(readonly string[])[]> {
      const { toFind } = await import('./finds.ts');
      return toFind(searches.of(searches.judge(board, source, context), {}, context.stop));
    },

    /** The fewest words that solve a board; undefined when none are known. */
    fewest({ board, source }: FewestInput, context: JobContext): number | undefined {
      return searches.of(searches.judge(board, source, context), {}, context.stop).fewest;
    },
  };
}

/** Jobs that need a board's words and no search. */
function makeWordJobs(searches: Searches) {
  return {
    async play({ board, source, saved, input }: PlayInput, context: JobContext): Promise<GameState> {
      const { playMoves } = await import('./play-moves.ts');
      let judge: Judge | undefined;
      return playMoves({
        board,
        saved,
        input,
        judge() {
          judge ??= searches.judge(board, source, context).judge;
          return judge;
        },
      });
    },

    async words(
      { subject, source, filter, page, terminal }: WordsInput,
      context: JobContext,
    ): Promise<Reply> {
      const { wordsData, wordsReply } = await import('../reply/replies/words.ts');
      const { words, certain } = searches.judge(subject.board, source, context).judge;
      const request = { subject, words, filter, certain, page, audience: 'asker' as const };
      return terminal?.asData ? wordsData(request, terminal.limit) : wordsReply(request);
    },
  };
}

const OTHER_JOBS = {
  /** The generator is half of the solver's files, and is loaded only where boards are made. */
  async generate(options: GenerateOptions, { lexicon }: JobContext): Promise<GeneratedBoard> {
    const { generate } = await import('../solver/generate.ts');
    return generate(lexicon, options);
  },

  async house(date: PuzzleDate, { lexicon }: JobContext): Promise<Puzzle> {
    const [{ generate }, { housePuzzle }] = await Promise.all([
      import('../solver/generate.ts'),
      import('../puzzle/house.ts'),
    ]);
    return housePuzzle(date, (options) => generate(lexicon, options));
  },
};

/** The jobs of one thread, whose searches they share. */
export function makeJobs(searches: Searches) {
  return {
    ...makeSolutionJobs(searches),
    ...makeHelpJobs(searches),
    ...makeBoardJobs(searches),
    ...makeWordJobs(searches),
    ...OTHER_JOBS,
  };
}

export type Jobs = ReturnType<typeof makeJobs>;

/** The jobs of a worker. */
export const JOBS: Jobs = makeJobs(new Searches());
