import { identityScope } from '../core/channel-ref.ts';
import { DAY, type PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { lettersIn } from '../core/text.ts';
import type { App, Asker, Options, Request } from '../dispatch/contract.ts';
import { jobAskerOf, type Target, targetOf } from '../dispatch/target.ts';
import type { GameInput } from '../jobs/play-moves.ts';
import { addDays, dateAt, spanOf } from '../puzzle/calendar.ts';
import { hasExactList } from '../puzzle/judge.ts';
import type { NamedBoard } from '../reply/model/action.ts';
import type { Reply } from '../reply/model/types.ts';
import { type GameState, gameCard, gameReply, type SolvedShown } from '../reply/replies/game.ts';
import type { HuntProgress } from '../reply/replies/hunt.ts';
import type { Streak } from '../reply/replies/own-settings.ts';
import { solvedPlayReply, unsolvedPlayReply } from '../reply/replies/result.ts';
import type { Result } from '../store/tables/results.ts';
import { planDayPost } from './day-post.ts';
import { recordFind } from './hunt.ts';
import { type SolvingWords, solveMadeBoard } from './made-boards/made-board.ts';
import { dayInChannel, gameKey, ownResult } from './results/own-result.ts';
import { type DayTarget, type RecordedSolution, recordSolution, resultToShow } from './results/results.ts';
import { scoresOf } from './results/scores.ts';
import { placeAmong, streakNow, weekNow } from './results/stats.ts';

/** A game after some moves, for the door that made them. */
export interface PlayedGame {
  readonly namedBoard: NamedBoard;
  readonly state: GameState;
  /** The version to pass with the next moves; 0 before anything is saved. */
  readonly version: number;
  /** Whether the game continued elsewhere, so that the moves were not made. */
  readonly isElsewhere: boolean;
  /** Set when the board is solved. */
  readonly solved?: SolvedBoard;
  /** The person's own page of this board, where there are such pages. */
  readonly link?: string;
  /** The length of a streak that a freeze saved the day before; set when today's game is opened before its first move. */
  readonly keptStreak?: number;
}

/** What a person does, and in which game. */
export type GameMoves = GameInput & {
  /** Selects the board: `date` or `sides`, as for a command. Without either, it is the day's. */
  readonly options: Options;
  /** The version that the person saw when they made the moves; left out to play on the current one. */
  readonly version?: number;
};

/** Milliseconds after the last move. */
const GAME_KEPT_MS = 60 * DAY;
/** If another process was faster this many times in a row, it is no accident. */
const MAX_SAVE_ATTEMPTS = 5;

/**
 * Games of single players: one for each person and board, in all channels and tenants of a door and in private messages.
 * Moves are played one after another, each against the version of the game in the store. A solved board of a day is recorded
 * as that person's result.
 *
 * @example await games.play(asker, { options: { date: 'today' }, moves: parseMoves('forum.')! })
 */
export class SoloGames {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  /** The game as it is. @throws UserError if there is no such board */
  open(asker: Asker, options: Options): Promise<PlayedGame> {
    return this.play(asker, { options, ...NO_MOVES });
  }

  /** Plays words after those played already; words that repeat them from the start are the whole game. */
  async goOn(asker: Asker, options: Options, words: readonly string[]): Promise<PlayedGame> {
    const { state, version } = await this.open(asker, options);
    const isWhole = state.words.every((word, index) => word === words[index]);
    return this.play(asker, { options, version, words: isWhole ? words : [...state.words, ...words] });
  }

  /** Takes back the word being entered, or else the last word. */
  async takeBack(asker: Asker, options: Options): Promise<PlayedGame> {
    const { state, version } = await this.open(asker, options);
    const { words, word } = state;
    const isEntering = word.length > (words.length > 0 ? 1 : 0);
    if (!isEntering && words.length === 0) return this.play(asker, { options, moves: [{ kind: 'back' }] });
    return this.play(asker, { options, version, words: isEntering ? words : words.slice(0, -1) });
  }

  /** @throws UserError if there is no such board */
  async play(asker: Asker, moves: GameMoves): Promise<PlayedGame> {
    const target = await targetOf({ ...asker, command: 'play', options: moves.options }, this.#app);
    const { clock, store, work, savedMoves } = this.#app;
    const { namedBoard, board, source } = target;
    const key = gameKey(target);
    const { tenant } = asker.where;
    const { soloGames } = store.tenant(tenant);
    /** The result recorded by an attempt whose game could not be saved. */
    let recorded: { readonly words: string; readonly solved: SolvedBoard } | undefined;
    for (let attempt = 0; attempt < MAX_SAVE_ATTEMPTS; attempt++) {
      const now = clock.now();
      const stored = await store.allPeople.soloGame(identityScope(tenant), asker.who.id, key, now);
      const version = stored?.version ?? 0;
      const isElsewhere = moves.version !== undefined && moves.version !== version;
      const input: GameInput = isElsewhere
        ? NO_MOVES
        : 'words' in moves
          ? { words: moves.words }
          : { moves: moves.moves };
      const state = await work.run('play', { board, source, saved: stored?.state, input }, jobAskerOf(asker));
      const isMade = 'words' in input || input.moves.length > 0;
      const isChanged = isMade && isDifferent(stored?.state, state.saved);
      if (isChanged) savedMoves.take(`${tenant} ${asker.who.id}`, now);
      // Typed words are recorded again even if the game has them already: a result may have been erased meanwhile.
      const isToRecord = isChanged || 'words' in input;
      const words = state.words.join();
      const solved = !state.isSolved
        ? undefined
        : recorded?.words === words
          ? recorded.solved
          : await solvedBoard(asker, this.#app, target, { words: state.words, isToRecord });
      if (solved !== undefined) recorded = { words, solved };
      const link = this.#app.personalLink(asker, namedBoard.options);
      const isFresh = !isMade && state.words.length === 0 && state.word === '';
      const keptStreak = isFresh ? await this.#keptStreak(asker, target) : undefined;
      const played = { namedBoard, state, isElsewhere, solved, link, keptStreak };
      if (!isChanged) return { ...played, version };
      if (stored !== undefined && stored.tenant !== tenant)
        await store.allPeople.moveSoloGame({ tenant: stored.tenant, to: tenant }, asker.who.id, key);
      const saved = await soloGames.save(asker.who.id, {
        board: key,
        channel: asker.where.direct ? undefined : asker.where.channel,
        state: state.saved,
        version,
        now,
        expiresAt: now + GAME_KEPT_MS,
      });
      if (saved === undefined) continue;
      if (version === 0 && target.puzzle !== undefined)
        await planDayPost(asker, this.#app, target.puzzle.date);
      return { ...played, version: saved };
    }
    throw new UserError('game.busy', 'You’re playing this game elsewhere at the same time. Try again.');
  }

  async #keptStreak(asker: Asker, { puzzle }: Target): Promise<number | undefined> {
    const { clock } = this.#app;
    if (puzzle === undefined || puzzle.date !== dateAt(clock.now())) return undefined;
    const streak = await streakNow(asker, this.#app);
    return isKept(streak, puzzle.date) ? streak.current : undefined;
  }
}

/** Whether a freeze saved a streak on the day before. */
function isKept({ frozen }: Streak, date: PuzzleDate): boolean {
  return frozen.at(-1) === addDays(date, -1);
}

const NO_MOVES: GameInput = { moves: [] };

function isDifferent(stored: unknown, saved: object): boolean {
  return JSON.stringify(stored) !== JSON.stringify(saved);
}

interface SolvedBoard extends SolvedShown {
  readonly day?: SolvedDay;
}

interface SolvedDay extends NonNullable<SolvedShown['day']> {
  readonly best: Result;
  readonly recorded?: RecordedSolution;
}

/** The score of a solved board; records the result first if asked to. */
async function solvedBoard(
  asker: Asker,
  app: App,
  target: Target,
  solution: SolvingWords,
): Promise<SolvedBoard> {
  const { puzzle } = target;
  const { words } = solution;
  const solved = {
    words: words.length,
    letters: lettersIn(words),
    par: puzzle?.par,
  };
  if (puzzle === undefined) {
    const madeBoard = await solveMadeBoard(asker, app, target, solution);
    if (madeBoard === undefined) return solved;
    const { par, isShown, isOpen } = madeBoard;
    return {
      ...solved,
      isShown,
      par,
      madeBoard,
      hunt: isOpen ? await hunted(asker, app, target, solution) : undefined,
    };
  }
  const day = await solvedDay(asker, app, { ...target, puzzle }, solution);
  const hunt = await hunted(asker, app, target, solution);
  if (day === undefined) return solved;
  const numbers = { ...solved, hints: day.best.hints };
  const [score] = await scoresOf(app, target, [numbers], jobAskerOf(asker));
  return { ...solved, isShown: day.best.afterSolution, day, hunt, score };
}

/** Undefined after a failure: a search that takes too long must not keep the board from being solved. */
async function hunted(
  asker: Asker,
  app: App,
  target: Target,
  { words, isToRecord }: SolvingWords,
): Promise<HuntProgress | undefined> {
  if (!isToRecord) return undefined;
  try {
    return await recordFind(asker, app, target, words);
  } catch (error) {
    app.log.warn(
      { tenant: asker.where.tenant, error: String(error) },
      'a solution was not counted in its hunt',
    );
    return undefined;
  }
}

async function solvedDay(
  asker: Asker,
  app: App,
  target: DayTarget,
  { words, isToRecord }: SolvingWords,
): Promise<SolvedDay | undefined> {
  const { date } = target.puzzle;
  const recorded = isToRecord ? await recordSolution(asker, app, target, words) : undefined;
  const own = await ownResult(asker, app, target.puzzle);
  if (own === undefined) return undefined;
  const { result: best, toShare, isHere } = own;
  // A rank belongs to the result that is ranked here: with another one, it would be misread.
  const here = isHere ? await dayInChannel(app, asker.where, target.puzzle, app.clock.now()) : undefined;
  const streak = await streakNow(asker, app);
  const { to: until } = spanOf(date);
  const isOver = app.clock.now() >= until;
  return {
    best,
    isOver,
    ...(!isOver && { until, week: await weekNow(asker, app) }),
    toShare,
    recorded,
    streak: { ...streak, isKept: isKept(streak, date) },
    ...(here && { rank: placeAmong(here.results, asker.who.id), players: here.players }),
  };
}

/**
 * Enters words as the asker's solution of a board, and answers them alone. Words that don't solve it are judged, and leave
 * the game as it is.
 *
 * @param request its options name the board, and nothing else
 */
export async function enterSolution(request: Request, app: App, words: readonly string[]): Promise<Reply> {
  const target = await targetOf(request, app);
  const { board, namedBoard, source } = target;
  const checked = await app.work.run('check', { board, source, words }, jobAskerOf(request));
  if (!checked.solved) return unsolvedPlayReply(namedBoard, checked, hasExactList(source));
  const played = await new SoloGames(app).play(request, { options: request.options, words });
  return solutionReply(request, app, played, target);
}

async function solutionReply(
  request: Request,
  app: App,
  played: PlayedGame,
  { namedBoard, source }: Target,
): Promise<Reply> {
  const { state, solved } = played;
  const { recorded, rank, players, streak, toShare } = solved?.day ?? {};
  if (recorded === undefined || streak === undefined) return gameReply(gameCard(played));
  return solvedPlayReply({
    ...recorded,
    result: await resultToShow(request, app, recorded.result),
    namedBoard,
    words: state.words,
    rank,
    players,
    par: solved?.par,
    streak: streak.current,
    toShare,
    hunt: solved?.hunt,
    score: solved?.score,
    isListExact: hasExactList(source),
  });
}
