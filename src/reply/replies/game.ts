import { briefDate, clip, counted } from '../../core/text.ts';
import type { Refusal } from '../../play/game.ts';
import type { SavedGame } from '../../play/saved-game.ts';
import type { Spots } from '../../solver/board.ts';
import { explainBroken } from '../../solver/check.ts';
import type { Board } from '../../solver/types.ts';
import { buttonOn, type NamedBoard } from '../model/named-board.ts';
import { bold, buttonsBlock, chainText, code, joined, present, textBlock, toAsker } from '../model/text.ts';
import type { Action, Block, Button, DrawnPath, FormBoard, Line, Reply } from '../model/types.ts';
import { altText } from '../picture/drawing.ts';
import { deadEndText } from './hint.ts';
import { hintLabel, type NextHint } from './hint-steps.ts';
import { SOLVED_REPLACED_SENTENCE, shareMenu } from './result-line.ts';
import { hasResult, pictureEnding, type SolvedShown, solvedLines, solvedTitle } from './solved.ts';

/**
 * A short sentence for a move that changed nothing.
 *
 * @example refusalText({ code: 'letter', broken }, board) // 'L is on the same side.'
 */
export function refusalText(refusal: Refusal, board: Board): string {
  if (refusal.code === 'letter') {
    const { letter, rule } = refusal.broken;
    return `${letter.toUpperCase()} is ${rule === 'unknown-letter' ? 'not on this board' : 'on the same side'}.`;
  }
  if (refusal.code !== 'word') return REFUSALS[refusal.code];
  const { word, broken } = refusal;
  if (broken.rule === 'too-short') return 'A word has at least 3 letters.';
  if (broken.rule !== 'not-a-word') return explainBroken(word, broken, board);
  return `${word.toUpperCase()} is not in the word list.`;
}

const REFUSALS: Readonly<Record<Exclude<Refusal['code'], 'letter' | 'word'>, string>> = {
  'nothing-entered': 'Choose letters first, then enter the word.',
  'nothing-to-take-back': 'Nothing to take back.',
  solved: 'This board is solved.',
  'word-too-long': 'No word is that long.',
  'too-many-words': 'That is the most words a game takes. Take one back.',
};

/** The label of a game's link, which continues in the browser under the person's own name. */
const BROWSER_LINK_LABEL = 'Play in the browser';

/**
 * A game for its player, to continue. A door that has a playable board shows the first block alone; every other door shows
 * only the blocks after it.
 */
export function gameReply(game: GameShown): Reply {
  const { board, options } = game.namedBoard;
  return toAsker(gameTitle(game), [{ kind: 'game', board, options }, gameBlocks(game)]);
}

/** The board's name, or how it was solved; never contains a word. @example gameTitle(played) // 'Your game: Nov 20, 2026' */
export function gameTitle({ namedBoard, solved }: GameShown): string {
  return `${solved === undefined ? 'Your game' : solvedTitle(solved.words)}: ${briefName(namedBoard)}`;
}

/** What the form for words shows of the game that they continue. */
export function gameInForm({ namedBoard: { board }, state: { words, left } }: GameShown): FormBoard {
  if (words.length === 0) return { board };
  return { board, note: `Left: ${left.join(' ').toUpperCase()}. They go on from ${chainText(words)}` };
}

/** The text beside the board: the words so far, the letters left, and why a move was refused. */
export function gameLines(game: GameShown): Line[] {
  const { solved, isRace } = game;
  const { words, word, left } = game.state;
  const shown = words.map((one) => bold(one.toUpperCase()));
  const hasOnlyGivenLetter = words.length > 0 && word.length === 1;
  const current = word === '' ? [] : [code(`${word.toUpperCase()}${hasOnlyGivenLetter ? '…' : ''}`)];
  const played = joined([...shown, ...(solved === undefined ? current : [])], ' – ');
  return [
    ...(played.length === 0 ? ['No words yet.'] : [played]),
    ...(solved === undefined ? [`Left: ${left.join(' ').toUpperCase()}`] : solvedLines(solved)),
    ...present([
      solved && !solved.day && !solved.madeBoard && !isRace && JUST_FOR_FUN,
      gameNotice(game),
      refusalOf(game),
      deadEndOf(game),
    ]),
  ];
}

const JUST_FOR_FUN = 'This one was just for fun: only daily boards go into your stats.';

/**
 * Tells that a solution doesn't win its race, that the person has solved the board that this one replaced, or that a freeze saved
 * their streak the day before.
 */
export function gameNotice({ solved, isRace, hasWon, keptStreak, replaced }: GameShown): string | undefined {
  if (solved && isRace && !hasWon)
    return 'This doesn’t win the race: it has too many words, you had a hint, or someone was faster.';
  if (replaced) return SOLVED_REPLACED_SENTENCE;
  if (keptStreak === undefined) return undefined;
  return `You missed yesterday’s board. A freeze kept your streak of ${counted(keptStreak, 'day')}.`;
}

/** Offers to play words that were typed where others read them, so that nobody else sees whether they are right. */
export function playPrivatelyReply(words: readonly string[]): Reply {
  const action = { command: 'play', options: { words: words.join(','), typed: true } };
  const label = clip(`Play ${chainText(words)}`, MAX_LABEL_LENGTH);
  return toAsker('Your word, only for you', [
    textBlock(['Others here are still playing, so only you see the answer.']),
    buttonsBlock([{ label, action, look: 'primary' }]),
  ]);
}

/** Slack's limit is 75 characters, and Discord's 80. */
const MAX_LABEL_LENGTH = 60;

/** Why the last move changed nothing, as a sentence. */
export function refusalOf({ namedBoard, state: { refusal }, isElsewhere }: GameShown): string | undefined {
  if (isElsewhere) return 'This game went on elsewhere. Here is where it is now.';
  return refusal && refusalText(refusal, namedBoard.board);
}

export function deadEndOf({ state: { isDeadEnd, words } }: GameShown): string | undefined {
  return isDeadEnd ? deadEndText(words.at(-1) ?? '') : undefined;
}

export function isBegun({ words, word }: Pick<GameState, 'words' | 'word'>): boolean {
  return words.length > 0 || word !== '';
}

export const REVIEW_LABEL = 'How you did';
export const HUNT_LABEL = 'Hunt';

/** The controls of a game where the board itself can't be played. */
function gameButtons({ namedBoard, state, solved, isRace, hasWon, link, nextHint }: GameShown): Button[] {
  // In the options of `play`, `ask: 'play'` asks for words that go on from the game. `ask: 'back'` takes back the word being
  // entered, or else the last word.
  const turn = (label: string, more: Action['options'], look?: Button['look']) =>
    buttonOn(namedBoard, label, 'play', { options: more, look });
  if (solved === undefined)
    return [
      ...(link === undefined ? [] : [{ ...turn(BROWSER_LINK_LABEL, {}, 'primary'), url: link }]),
      turn('Type words', { ask: 'play' }, link === undefined ? 'primary' : 'plain'),
      ...(isBegun(state) ? [turn('Take back', { ask: 'back' })] : []),
      ...(isRace
        ? []
        : [buttonOn(namedBoard, hintLabel('Hint', nextHint), 'hint', { options: { game: true } })]),
    ];
  const again = turn('Play again', { 'start-over': true });
  // The other buttons tell about better solutions, and nobody wins after that.
  if (isRace && !hasWon) return [again];
  return [
    ...(hasResult(solved) ? [buttonOn(namedBoard, 'Share', 'share', { look: 'primary' })] : []),
    buttonOn(namedBoard, REVIEW_LABEL, 'review'),
    hasResult(solved)
      ? buttonOn(namedBoard, HUNT_LABEL, 'hunt')
      : // Where that costs something, `reveal` asks first.
        buttonOn(namedBoard, 'See other solutions', nextHint === undefined ? 'solve' : 'reveal'),
    again,
  ];
}

/** A game as blocks that every door can show. */
function gameBlocks(game: GameShown): Block[] {
  const { namedBoard, state, solved } = game;
  const { board } = namedBoard;
  const path = state.drawn.length > 0 ? state.drawn : undefined;
  const picture = { board, path, ending: solved && pictureEnding(solved) };
  return [
    { kind: 'picture', picture, alt: altText(board, picture) },
    ...textBlock(gameLines(game)),
    ...buttonsBlock(gameButtons(game)),
    ...(solved && hasResult(solved) ? [shareMenu(namedBoard)] : []),
  ];
}

/** A game after some moves, as plain data. */
export interface GameState {
  readonly saved: SavedGame;
  readonly words: readonly string[];
  /**
   * The path of the words played, as drawn. Where repeated letters allow a path over more spots, `used` has the spots of
   * that one.
   */
  readonly path: DrawnPath;
  /** `path` and the current word, as the picture shows them. */
  readonly drawn: DrawnPath;
  /** The letters of the current word. */
  readonly word: string;
  /** For each of these letters, the spots that may be meant, given the letters before it. */
  readonly reached: readonly Spots[];
  /** The spots that may come next. */
  readonly next: Spots;
  readonly used: Spots;
  readonly left: readonly string[];
  readonly isSolved: boolean;
  /** Whether no word goes on from the last one. */
  readonly isDeadEnd: boolean;
  /** Why the last move changed nothing, if it was refused. */
  readonly refusal?: Refusal;
}

/** A person's game, for its player: it holds their words, so nobody else may see it. */
export interface GameShown {
  readonly namedBoard: NamedBoard;
  readonly state: GameState;
  /** The game went on elsewhere, so that the moves were not made. */
  readonly isElsewhere: boolean;
  /** Set when the board is solved. */
  readonly solved?: SolvedShown;
  /** Whether the person runs a race on it, which nobody wins with a hint. */
  readonly isRace?: boolean;
  /** Whether they have won it with these words. */
  readonly hasWon?: boolean;
  /** The address where the player continues in a browser, under their own name. Nobody else may see it. */
  readonly link?: string;
  /** What *Hint* shows next, where hints cost something. */
  readonly nextHint?: NextHint | undefined;
  /** Days of a streak that a freeze saved the day before. */
  readonly keptStreak?: number | undefined;
  /** Their result of the board that this one replaced, if they have not begun this one. */
  readonly replaced?: object | undefined;
}

/** A board's name that fits on one line of a phone. @example briefName(namedBoardOfDay(puzzle)) // 'Nov 20, 2026' */
export function briefName({ date, name }: NamedBoard): string {
  return date === undefined ? name : `${briefDate(date)}, ${date.slice(0, 4)}`;
}
