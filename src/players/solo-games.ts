/**
 * Games of single players: one for each person and board, in all channels and tenants of a door and in private messages.
 * Moves are played one after another, each against the version of the game in the store. A solved board of a day is recorded
 * as that person's result.
 */

import { DAY, type PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { letterCount } from '../core/text.ts';
import type { App, Asker, Options, Request } from '../dispatch/contract.ts';
import { type Target, targetOf } from '../dispatch/target.ts';
import type { GameInput } from '../jobs/play-moves.ts';
import { addDays, dateAt, spanOf } from '../puzzle/calendar.ts';
import { hasExactList } from '../puzzle/types.ts';
import type { Block, Button, Reply } from '../reply/model/types.ts';
import { wordsToGoOnFrom } from '../reply/replies/check.ts';
import { type GameShown, type GameState, gameReply, isBegun } from '../reply/replies/game.ts';
import { hintLabel } from '../reply/replies/hint-steps.ts';
import type { HuntProgress } from '../reply/replies/hunt.ts';
import { featsOf } from '../reply/replies/praise.ts';
import { solvedPlayReply, unsolvedPlayReply } from '../reply/replies/result.ts';
import { calmSolved, hasResult, isBetterThan, type SolvedShown } from '../reply/replies/solved.ts';
import type { Streak } from '../reply/replies/stats.ts';
import type { CheckResult } from '../solver/check.ts';
import { planDayPost } from './day-post.ts';
import { recordFind } from './hunt.ts';
import { type SolvingWords, solveMadeBoard } from './made-boards/made-board.ts';
import { raceOf, recordProgress } from './race/game.ts';
import { gameKey, ownResult, resultOfReplaced, scoresOf, toShareOf } from './results/own-result.ts';
import { nextHintFor } from './results/paid-hints.ts';
import { type DayTarget, type RecordedSolution, recordSolution, resultToShow } from './results/results.ts';
import { dayInChannel, inheritChoices, isCalm, placeAmong, streakNow } from './results/stats.ts';

/** A game after some moves, for the door that made them. */
export interface PlayedGame extends GameShown {
  /** The version to pass with the next moves; 0 before anything is saved. */
  readonly version: number;
}

/** What a person does, and in which game. */
export type GameMoves = GameInput & {
  /** Selects the board: `date` or `sides`, as for a command. Without either, it is the day's. */
  readonly options: Options;
  /** The version that the person saw when they made the moves; left out to play on the current one. */
  readonly version?: number;
  /**
   * How many of the moves, from the first, are repeated from a request whose answer has not come. If that request was saved, only
   * the others are made.
   */
  readonly sent?: number;
};

/** Milliseconds for which a game is kept after its last move. */
const GAME_KEPT_MS = 60 * DAY;
/** Attempts to save a game that the person also changes elsewhere at the same time. */
const MAX_SAVE_ATTEMPTS = 5;

/** The game as it is. @throws UserError if there is no such board */
export function openSoloGame(asker: Asker, app: App, options: Options): Promise<PlayedGame> {
  return playSoloGame(asker, app, { options, ...NO_MOVES });
}

/** The words of a game after some were typed: these alone if they repeat the words played from the start. */
function wordsAfter(played: readonly string[], typed: readonly string[]): readonly string[] {
  return played.every((word, index) => word === typed[index]) ? typed : [...played, ...typed];
}

/** Plays words in the asker's game, see `wordsAfter`. */
export async function addWords(
  asker: Asker,
  app: App,
  options: Options,
  words: readonly string[],
): Promise<PlayedGame> {
  const { state, version } = await openSoloGame(asker, app, options);
  return playSoloGame(asker, app, { options, version, words: wordsAfter(state.words, words) });
}

/** Takes back the word being entered, or else the last word. */
export async function takeBackWord(asker: Asker, app: App, options: Options): Promise<PlayedGame> {
  const opened = await openSoloGame(asker, app, options);
  const { state, version } = opened;
  // The button is on an old message: a solved game has none.
  if (state.isSolved) return opened;
  const { words, word } = state;
  // The word being entered begins with the last letter of the word before, which stays.
  const isEntering = word.length > 1;
  // Without a word before it, a single letter is taken back as a move: there are no words to set.
  if (!isEntering && words.length === 0)
    return playSoloGame(asker, app, { options, moves: [{ kind: 'back' }] });
  return playSoloGame(asker, app, { options, version, words: isEntering ? words : words.slice(0, -1) });
}

/**
 * Makes moves in a person's game and saves it.
 *
 * @throws UserError if there is no such board
 * @example await playSoloGame(asker, app, { options: { date: 'today' }, moves: parseMoves('forum.')! })
 */
export async function playSoloGame(asker: Asker, app: App, moves: GameMoves): Promise<PlayedGame> {
  const target = await targetOf({ ...asker, command: 'play', options: moves.options }, app);
  const race = await raceOf(asker, app, target);
  let hasWon = false;
  /** The solved board of an attempt whose game could not be saved: its result is recorded already. */
  let solvedBefore: { readonly words: string; readonly solved: SolvedShown } | undefined;
  for (let attempt = 0; attempt < MAX_SAVE_ATTEMPTS; attempt++) {
    const made = await makeMoves(asker, app, target, moves);
    const { state, isToRecord } = made;
    const words = state.words.join();
    if (race !== undefined && isToRecord)
      hasWon = (await recordProgress(asker, app, race, target, state)) || hasWon;
    if (state.isSolved && solvedBefore?.words !== words) {
      const solved = await solvedBoard(asker, app, target, { ...state, isToRecord });
      solvedBefore = { words, solved: (await isCalm(asker, app)) ? calmSolved(solved) : solved };
    }
    const played = {
      namedBoard: target.namedBoard,
      state,
      isElsewhere: made.isElsewhere,
      solved: state.isSolved ? solvedBefore?.solved : undefined,
      isRace: race !== undefined,
      hasWon,
      link: app.personalLink(asker, target.namedBoard.options),
      ...(made.isFresh && {
        keptStreak: await keptStreakOf(asker, app, target),
        replaced: target.puzzle && (await resultOfReplaced(asker, app, target.puzzle)),
      }),
    };
    if (!made.isChanged) return { ...played, version: made.version };
    if (await save(asker, app, target, made)) return { ...played, version: made.version + 1 };
  }
  throw new UserError('game.busy', 'You’re playing this game elsewhere at the same time. Try again.');
}

type MadeMoves = Awaited<ReturnType<typeof makeMoves>>;

/** Makes moves on the stored game, without saving it. */
async function makeMoves(asker: Asker, app: App, target: Target, moves: GameMoves) {
  const { clock, store, work } = app;
  const { board, source } = target;
  const { tenant } = asker.where;
  const now = clock.now();
  const stored = await store.allPeople.soloGame(tenant, asker.who.id, gameKey(target), now);
  /** The version of the game that the moves are made on; 0 for a new game. */
  const version = stored?.version ?? 0;
  const { sent, version: seen = version } = moves;
  const wasSaved = sent !== undefined && seen + 1 === version;
  const isElsewhere = seen !== version && !wasSaved;
  const left = wasSaved && 'moves' in moves ? { moves: moves.moves.slice(sent) } : moves;
  const input: GameInput = isElsewhere ? NO_MOVES : left;
  const state = await work.run('play', { board, source, saved: stored?.state, input }, asker);
  const isMade = 'words' in input || input.moves.length > 0;
  // A new game is kept from its first letter on.
  const differs =
    stored === undefined ? isBegun(state) : JSON.stringify(stored.state) !== JSON.stringify(state.saved);
  const isChanged = isMade && differs;
  return {
    state,
    version,
    storedIn: stored?.tenant,
    now,
    isElsewhere,
    isChanged,
    // Typed words are recorded even if the game has them already: its result may have been erased meanwhile.
    isToRecord: isChanged || 'words' in input,
    isFresh: !isMade && !isBegun(state),
  };
}

/** Saves a game over the version that was read; false if it was saved elsewhere in the meantime. */
async function save(asker: Asker, app: App, target: Target, made: MadeMoves): Promise<boolean> {
  const { store } = app;
  const { tenant, channel, direct } = asker.where;
  const key = gameKey(target);
  if (made.storedIn !== undefined && made.storedIn !== tenant)
    await store.allPeople.moveSoloGame({ tenant: made.storedIn, to: tenant }, asker.who.id, key);
  const isSaved = await store.tenant(tenant).soloGames.save(asker.who.id, {
    board: key,
    channel: direct ? undefined : channel,
    state: made.state.saved,
    version: made.version,
    now: made.now,
    expiresAt: made.now + GAME_KEPT_MS,
  });
  const isNew = isSaved && made.version === 0;
  // Who hides in another tenant is not counted among those who play here, either.
  if (isSaved && made.storedIn !== tenant) await inheritChoices(store, { tenant, person: asker.who.id });
  if (isNew && target.puzzle !== undefined) await planDayPost(asker, app, target.puzzle.date);
  return isSaved;
}

async function keptStreakOf(asker: Asker, app: App, { puzzle }: Target): Promise<number | undefined> {
  const { clock } = app;
  if (puzzle === undefined || puzzle.date !== dateAt(clock.now()) || (await isCalm(asker, app)))
    return undefined;
  const streak = await streakNow(asker, app);
  return isSavedByFreeze(streak, puzzle.date) ? streak.current : undefined;
}

/** Whether a freeze saved a streak on the day before. */
function isSavedByFreeze({ frozen }: Streak, date: PuzzleDate): boolean {
  return frozen.at(-1) === addDays(date, -1);
}

const NO_MOVES: GameInput = { moves: [] };

/** What a solved board is worth to its player; records the result first if asked to. */
async function solvedBoard(
  asker: Asker,
  app: App,
  target: Target,
  solution: SolvingWords & Pick<GameState, 'saved'>,
): Promise<SolvedShown> {
  const { puzzle } = target;
  const { words, saved } = solution;
  const solved = { words: words.length, letters: letterCount(words), par: puzzle?.par };
  if (puzzle === undefined) {
    const madeBoard = await solveMadeBoard(asker, app, target, solution);
    if (madeBoard === undefined) return solved;
    const { par, isAfterSolution, isOpen } = madeBoard;
    const hunt = isOpen ? await recordHuntFind(asker, app, target, solution) : undefined;
    return { ...solved, isAfterSolution, par, madeBoard, hunt };
  }
  const dayTarget = { ...target, puzzle };
  const recorded = solution.isToRecord ? await recordSolution(asker, app, dayTarget, words) : undefined;
  const day = await solvedDay(asker, app, dayTarget, recorded);
  const hunt = await recordHuntFind(asker, app, target, solution, recorded?.result.afterSolution);
  if (day === undefined) return solved;
  const numbers = { ...solved, hints: day.best.hints };
  const [score] = await scoresOf(app, target, [numbers], asker);
  const feats = { date: puzzle.date, ...featsOf(words, target.board.letters.length, saved) };
  // While the day is on, better words replace the person's result, unless they came after the solution. A reported result is
  // replaced by these, too.
  const isAfterSolution =
    day.best.afterSolution ||
    recorded?.result.afterSolution ||
    (!day.isOver && !day.best.reported && isBetterThan(solved, day.best));
  return { ...solved, feats, isAfterSolution, day, hunt, score };
}

/** Undefined after a failure: a search that takes too long must not keep the board from being solved. */
async function recordHuntFind(
  asker: Asker,
  app: App,
  target: Target,
  { words, isToRecord }: SolvingWords,
  afterSolution?: true,
): Promise<HuntProgress | undefined> {
  if (!isToRecord) return undefined;
  try {
    return await recordFind(asker, app, target, { words, afterSolution });
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
  recorded: RecordedSolution | undefined,
): Promise<SolvedShown['day']> {
  const { date } = target.puzzle;
  const own = await ownResult(asker, app, target.puzzle);
  if (own === undefined) return undefined;
  const { result: best, isHere } = own;
  // The rank is that of the result in this channel, and is shown only if this is the person's best.
  const here = isHere ? await dayInChannel(app, asker.where, target.puzzle, app.clock.now()) : undefined;
  const { week, ...streak } = await streakNow(asker, app);
  const { to: until } = spanOf(date);
  const untilNext = until - app.clock.now();
  const isOver = untilNext <= 0;
  return {
    best: await resultToShow(asker, app, best),
    isOver,
    ...(!isOver && { untilNext, week }),
    toShare: await toShareOf(asker, app, own),
    replaced: await resultOfReplaced(asker, app, target.puzzle),
    recorded,
    streak: { ...streak, isKept: !isOver && isSavedByFreeze(streak, date) },
    isHidden: await app.store.allPeople.isHidden(asker.where.tenant, asker.who.id),
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
  const checked = await checkOn(target, request, app, words);
  if (!checked.solved) return unsolvedReply(request, app, target, checked);
  return solutionReply(request, app, target, words);
}

/**
 * Plays words after those of the asker's game, unless they solve the board by themselves. Words that can't be played are judged,
 * and leave the game as it is. A game that is solved begins again.
 */
export async function goOnWith(request: Request, app: App, words: readonly string[]): Promise<Reply> {
  const { options } = request;
  const target = await targetOf(request, app);
  if ((await checkOn(target, request, app, words)).solved) return solutionReply(request, app, target, words);
  const { state, version } = await openSoloGame(request, app, options);
  const all = wordsAfter(state.isSolved ? [] : state.words, words);
  const checked = await checkOn(target, request, app, all);
  if (checked.solved) return solutionReply(request, app, target, all);
  if (checked.words.some(({ broken }) => broken !== undefined))
    return unsolvedReply(request, app, target, checked);
  return soloGameReply(request, app, await playSoloGame(request, app, { options, version, words: all }));
}

/** A game for its player, with the price of the next hint. Typed sides may be those of a day, where hints still cost something. */
export async function soloGameReply(asker: Asker, app: App, game: PlayedGame): Promise<Reply> {
  const { namedBoard, solved, state } = game;
  // At a dead end, the hint says no more than the game.
  const isUnpriced = solved === undefined ? state.isDeadEnd : hasResult(solved);
  const nextHint = isUnpriced ? undefined : await nextHintFor(asker, app, namedBoard, state.words);
  return gameReply({ ...game, nextHint });
}

/** Blocks that only this person sees, with what *Hint* costs them. */
export async function withHintPrices(asker: Asker, app: App, blocks: readonly Block[]): Promise<Block[]> {
  const isHint = ({ action }: Button) => action.command === 'hint';
  const priced = blocks.map(async (block) => {
    if (block.kind !== 'buttons' || !block.buttons.some(isHint)) return block;
    const { namedBoard } = await targetOf({ ...asker, command: 'hint', options: {} }, app);
    const label = hintLabel('Hint', await nextHintFor(asker, app, namedBoard));
    return { ...block, buttons: block.buttons.map((one) => (isHint(one) ? { ...one, label } : one)) };
  });
  return Promise.all(priced);
}

async function unsolvedReply(asker: Asker, app: App, target: Target, result: CheckResult): Promise<Reply> {
  const { namedBoard, source } = target;
  const nextHint = await nextHintFor(asker, app, namedBoard, wordsToGoOnFrom(result));
  return unsolvedPlayReply({ namedBoard, result, isListExact: hasExactList(source), nextHint });
}

function checkOn({ board, source }: Target, asker: Asker, app: App, words: readonly string[]) {
  return app.work.run('check', { board, source, words }, asker);
}

async function solutionReply(
  request: Request,
  app: App,
  { namedBoard, source }: Target,
  words: readonly string[],
): Promise<Reply> {
  const played = await playSoloGame(request, app, { options: request.options, words });
  const { state, solved } = played;
  if (solved?.day?.recorded === undefined) return soloGameReply(request, app, played);
  return solvedPlayReply(namedBoard, state.words, { ...solved, day: solved.day }, hasExactList(source));
}
