import { lowest } from '../solver/bits.ts';
import { endsOf, reachable, reached, type Spots, spotsOf, walked } from '../solver/board.ts';
import { type Broken, coveredBy, judgeWords } from '../solver/check.ts';
import type { Board } from '../solver/types.ts';

/** What a person does in a game. A letter that is typed may mean several spots; a tap means one. */
export type Move =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'spot'; readonly spot: number }
  | { readonly kind: (typeof PLAIN_MOVES)[number] };

/**
 * `back` takes the last letter away, or opens the word before again. `clear` takes the current word away,
 * `restart` everything.
 */
export const PLAIN_MOVES = ['back', 'enter', 'clear', 'restart'] as const;

const SIGNS: ReadonlyMap<string, (typeof PLAIN_MOVES)[number]> = new Map([
  ['<', 'back'],
  ['.', 'enter'],
  ['-', 'clear'],
  ['0', 'restart'],
]);

/**
 * Reads moves: small letters are typed, capitals are spots (`A` is spot 0), and every other kind has a sign. Undefined for any
 * other text, and for too many moves.
 *
 * @example parseMoves('fA.') // [{ kind: 'letter', letter: 'f' }, { kind: 'spot', spot: 0 }, { kind: 'enter' }]
 */
export function parseMoves(text: string): Move[] | undefined {
  if (text.length > MAX_MOVES) return undefined;
  const moves: Move[] = [];
  for (const character of text) {
    const kind = SIGNS.get(character);
    if (kind !== undefined) moves.push({ kind });
    else if (/^[a-z]$/.test(character)) moves.push({ kind: 'letter', letter: character });
    else if (/^[A-Z]$/.test(character))
      moves.push({ kind: 'spot', spot: character.charCodeAt(0) - FIRST_SPOT });
    else return undefined;
  }
  return moves;
}

/**
 * A word as it was entered, one character for each letter: a small letter was typed, and a capital stands
 * for a spot that was tapped (`A` is spot 0). Only spots whose letter is on the board more than once are
 * written as capitals, so that on the newspaper's boards an entry is the word itself.
 */
export type Entry = string;

const FIRST_SPOT = 'A'.charCodeAt(0);

/** The character of a tapped spot in an entry. */
function spotEntry(board: Board, spot: number): Entry {
  const letter = board.letters[spot]!;
  const isOnlyOne = spotsOf(board, letter) === 1 << spot;
  return isOnlyOne ? letter : String.fromCharCode(FIRST_SPOT + spot);
}

/**
 * The spots that each character of an entry may mean, before any rule of the game; none for a character that is not on the
 * board.
 */
export function wantedSpots(board: Board, entry: Entry): Spots[] {
  return Array.from(entry, (character) => {
    const spot = character.charCodeAt(0) - FIRST_SPOT;
    return spot >= 0 && spot < 26 ? (1 << spot) & board.full : spotsOf(board, character);
  });
}

/**
 * The word that was entered.
 *
 * @example textOf(parseBoard('abc def gha ijk'), 'dIb') // 'dab'
 */
export function textOf(board: Board, entry: Entry): string {
  return wantedSpots(board, entry)
    .map((spots) => (spots === 0 ? '' : board.letters[lowest(spots)]))
    .join('');
}

/**
 * A board being played by one person. Words are judged as text, exactly as in the command `check`; tapped spots decide what
 * may come next in the current word, and which of several ways is drawn.
 */
export interface Game {
  readonly board: Board;
  readonly words: readonly Entry[];
  /** The current word. After a word it begins with the letter that word ended on. */
  readonly word: Entry;
  /** The spots that the words played cover. With repeated letters, the walk that covers most counts. */
  readonly covered: Spots;
  /** Whether a word was taken back, or all of them to begin again: set by `playMoves`, not here. */
  readonly hasTakenBack?: boolean | undefined;
}

/** Decides which words count. */
export type IsWord = (word: string) => boolean;

/** Why a move changed nothing. */
export type Refusal =
  /** The letter can't come next: it is on the same side, or not on the board. */
  | { readonly code: 'letter'; readonly broken: Broken }
  /**
   * The word was entered, and is wrong. It stays the current word. The refusal does not suggest another word, which may be
   * secret.
   */
  | { readonly code: 'word'; readonly word: string; readonly broken: Broken }
  | {
      readonly code:
        | 'nothing-entered'
        | 'nothing-to-take-back'
        | 'solved'
        | 'word-too-long'
        | 'too-many-words';
    };

export interface Played {
  readonly game: Game;
  readonly refusal?: Refusal;
}

/** More than anybody needs: the cost of a move and of its drawing grows with the letters and words of a game. */
export const GAME_LIMITS = { lettersOfWord: 64, words: 40, letters: 240 } as const;

/**
 * More than anybody makes between two answers: enough to enter all words of a game again at once, as the browser's board does
 * to undo a restart.
 */
export const MAX_MOVES = GAME_LIMITS.words + GAME_LIMITS.letters;

export function startGame(board: Board): Game {
  return { board, words: [], word: '', covered: 0 };
}

/** A game in which these words, known to be right, were played and nothing was entered after them. */
export function gameAfter(board: Board, words: readonly Entry[]): Game {
  const covered = coveredBy(board, wordsPlayed({ board, words }));
  const game = { board, words, word: '', covered };
  return { ...game, word: isSolved(game) ? '' : joiningLetter(game) };
}

export function isSolved({ board, words, covered }: Game): boolean {
  return words.length > 0 && covered === board.full;
}

export function wordsPlayed({ board, words }: Pick<Game, 'board' | 'words'>): string[] {
  return words.map((word) => textOf(board, word));
}

/** The game after one more move. A game is never changed in place. */
export function play(game: Game, move: Move, isWord: IsWord): Played {
  switch (move.kind) {
    case 'letter':
    case 'spot':
      return addLetter(game, move);
    case 'back':
      return takeBack(game);
    case 'enter':
      return enterWord(game, isWord);
    case 'clear':
      return { game: { ...game, word: isSolved(game) ? '' : joiningLetter(game) } };
    case 'restart':
      return { game: startGame(game.board) };
  }
}

/** Plays these words from the start, instead of the words played before, and stops at the first wrong one. */
export function playWords(board: Board, words: readonly string[], isWord: IsWord): Played {
  let game = startGame(board);
  for (const word of words) {
    if (isSolved(game)) break;
    const played = addWord(game, word, word, isWord);
    if (played.refusal !== undefined) return played;
    game = played.game;
  }
  return { game };
}

/** The spots that each letter of the current word may stand on. If it is one spot, it is decided. */
export function currentSpots(game: Game): Spots[] {
  return walked(game.board, reachedSpots(game));
}

/**
 * Like `currentSpots`, except that each set depends only on the letters before it, so that taking letters back does not
 * change it.
 */
export function reachedSpots(game: Game): Spots[] {
  return reached(game.board, wantedSpots(game.board, game.word), openSpots(game));
}

export function nextSpots(game: Game): Spots {
  if (isSolved(game)) return 0;
  const last = reachedSpots(game).at(-1);
  return last === undefined ? openSpots(game) : reachable(game.board, last);
}

/** The letters of the spots that no played word covers, in the order of the board. */
export function lettersLeft({ board, covered }: Game): string[] {
  return Array.from(board.letters).filter((_, spot) => !(covered & (1 << spot)));
}

function addLetter(game: Game, move: Extract<Move, { kind: 'letter' | 'spot' }>): Played {
  const { board, word } = game;
  if (isSolved(game)) return { game, refusal: { code: 'solved' } };
  const added = move.kind === 'letter' ? move.letter : spotEntry(board, move.spot);
  const wanted = move.kind === 'letter' ? spotsOf(board, move.letter) : (1 << move.spot) & board.full;
  if ((wanted & nextSpots(game)) === 0) {
    const letter = wanted === 0 ? added : textOf(board, added);
    // Somebody who types the whole next word begins with the letter that is there already.
    if (hasOnlyJoiningLetter(game) && letter === joiningLetter(game)) return { game };
    const rule = wanted === 0 ? 'unknown-letter' : 'same-side';
    return { game, refusal: { code: 'letter', broken: { rule, position: word.length, letter } } };
  }
  if (word.length >= GAME_LIMITS.lettersOfWord) return { game, refusal: { code: 'word-too-long' } };
  return { game: { ...game, word: word + added } };
}

function takeBack(game: Game): Played {
  const { board, words, word } = game;
  if (word !== '' && !hasOnlyJoiningLetter(game)) return { game: { ...game, word: word.slice(0, -1) } };
  const last = words.at(-1);
  if (last === undefined) return { game, refusal: { code: 'nothing-to-take-back' } };
  return { game: { ...gameAfter(board, words.slice(0, -1)), word: last } };
}

function enterWord(game: Game, isWord: IsWord): Played {
  const { board, word } = game;
  if (isSolved(game)) return { game, refusal: { code: 'solved' } };
  if (word === '' || hasOnlyJoiningLetter(game)) return { game, refusal: { code: 'nothing-entered' } };
  return addWord(game, word, textOf(board, word), isWord);
}

/** @param text the word as typed, whose letters need not be on the board: `textOf` leaves those out */
function addWord(game: Game, word: Entry, text: string, isWord: IsWord): Played {
  const { board, words } = game;
  if (words.length >= GAME_LIMITS.words || words.join('').length + word.length > GAME_LIMITS.letters)
    return { game, refusal: { code: 'too-many-words' } };
  const before = wordsPlayed(game);
  // The words before were judged when they were entered; a word list may have changed since.
  const judged = judgeWords(board, [...before, text], (one) => before.includes(one) || isWord(one));
  const { broken } = judged.words.at(-1)!;
  return broken === undefined
    ? { game: gameAfter(board, [...words, word]) }
    : { game, refusal: { code: 'word', word: text, broken } };
}

/** Whether the current word is only the letter that the word before it ended on. */
export function hasOnlyJoiningLetter({ words, word }: Pick<Game, 'words' | 'word'>): boolean {
  return words.length > 0 && word.length === 1;
}

function joiningLetter({ board, words }: Game): Entry {
  return textOf(board, words.at(-1) ?? '').slice(-1);
}

/** The spots that the current word may begin on. */
function openSpots(game: Game): Spots {
  const { board } = game;
  return wordsPlayed(game).reduce((open, text) => endsOf(board, Array.from(text), open), board.full);
}
