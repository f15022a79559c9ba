import { nearest } from '../core/nearest.ts';
import { textOf } from '../play/entry.ts';
import {
  currentSpots,
  type Game,
  isSolved,
  lettersLeft,
  nextSpots,
  play,
  type Refusal,
  reachedSpots,
  startGame,
  wordsPlayed,
} from '../play/game.ts';
import type { Move } from '../play/moves.ts';
import { restoreGame, type SavedGame, saveGame } from '../play/saved-game.ts';
import type { Judge } from '../puzzle/types.ts';
import type { DrawnPath } from '../reply/model/types.ts';
import { pathOfEntries } from '../reply/picture/path.ts';
import type { Spots } from '../solver/spots.ts';
import type { Board } from '../solver/types.ts';
import { isOffensive } from '../wordlists/offensive-words.ts';

/** A game as a door shows it, as plain data. */
export interface GameState {
  readonly saved: SavedGame;
  readonly words: readonly string[];
  /** Of the words played, over the spots that are shown as used. */
  readonly path: DrawnPath;
  /** The letters of the current word, and the spots that each may stand on. */
  readonly word: string;
  readonly current: readonly Spots[];
  /** The same by the letters before alone. */
  readonly reached: readonly Spots[];
  /** The spots that may come next. */
  readonly next: Spots;
  readonly used: Spots;
  readonly left: readonly string[];
  readonly isSolved: boolean;
  /** Why the last move that was refused changed nothing. */
  readonly refusal?: Refusal;
}

export interface MovesRequest {
  readonly board: Board;
  /** The game as it was saved; anything that is none of this board starts a new one. */
  readonly saved: unknown;
  readonly moves: readonly Move[];
  /** Called only when a word is entered: judging a board takes a few milliseconds. */
  readonly judge: () => Judge;
}

/** Plays moves, in order, up to a word that is not right or that solves the board. */
export function playMoves({ board, saved, moves, judge }: MovesRequest): GameState {
  let game = restoreGame(saved, board) ?? startGame(board);
  let refusal: Refusal | undefined;
  for (const move of moves) {
    const played = play(game, move, {
      isWord: (word) => judge().isWord(word),
      nearest: (word) => nearestWord(word, judge()),
    });
    game = played.game;
    refusal = played.refusal ?? refusal;
    if (move.kind === 'enter' && (played.refusal !== undefined || isSolved(game))) break;
  }
  return stateOf(game, refusal);
}

function stateOf(game: Game, refusal: Refusal | undefined): GameState {
  const { board, words, word, covered } = game;
  const path = pathOfEntries(board, words);
  const drawn = path.words.flat().reduce((spots, spot) => spots | (1 << spot), 0);
  const left = lettersLeft(game);
  return {
    saved: saveGame(game),
    words: wordsPlayed(game),
    path,
    word: textOf(board, word),
    current: currentSpots(game),
    reached: reachedSpots(game),
    next: nextSpots(game),
    // With repeated letters there are several ways to walk the same words: the one that is drawn, if it covers as much.
    used: board.letters.length - new Set(path.words.flat()).size === left.length ? drawn : covered,
    left,
    isSolved: isSolved(game),
    ...(refusal !== undefined && { refusal }),
  };
}

/** Of the words that can be played here and begin alike, the one that was probably meant. */
function nearestWord(word: string, { words }: Judge): string | undefined {
  const alike = words
    .map((known) => known.word)
    .filter((known) => known[0] === word[0] && !isOffensive(known));
  return nearest(word, alike);
}
