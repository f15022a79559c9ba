import {
  type Game,
  hasOnlyJoiningLetter,
  isSolved,
  lettersLeft,
  type Move,
  nextSpots,
  play,
  playWords,
  type Refusal,
  reachedSpots,
  startGame,
  textOf,
  wordsPlayed,
} from '../play/game.ts';
import { restoreGame, saveGame } from '../play/saved-game.ts';
import { isDeadEnd } from '../puzzle/judge.ts';
import type { Judge } from '../puzzle/types.ts';
import { pathOfEntries } from '../reply/picture/path.ts';
import type { GameState } from '../reply/replies/game.ts';
import type { Board } from '../solver/types.ts';

/** What a person does in a game: moves, or words that replace everything played. */
export type GameInput = { readonly moves: readonly Move[] } | { readonly words: readonly string[] };

export interface MovesRequest {
  readonly board: Board;
  /** The game as it was saved; data of another board, or unreadable data, starts a new game. */
  readonly saved: unknown;
  readonly input: GameInput;
  /** Called only when a word is entered, or was entered last: judging a board takes a few milliseconds. */
  readonly judge: () => Judge;
}

/** Plays moves, in order, up to a word that is not right or that solves the board. */
export function playMoves({ board, saved, input, judge }: MovesRequest): GameState {
  const isWord = (word: string) => judge().isWord(word);
  if ('words' in input) {
    // Typed words replace a whole game: they neither take back nor begin again.
    const { game, refusal } = playWords(board, input.words, isWord);
    return stateOf({ ...game, hasTakenBack: restoreGame(saved, board)?.hasTakenBack }, refusal, judge);
  }
  let game = restoreGame(saved, board) ?? startGame(board);
  let refusal: Refusal | undefined;
  for (const move of input.moves) {
    const played = play(game, move, isWord);
    const hasTakenBack = game.hasTakenBack || played.game.words.length < game.words.length;
    game = hasTakenBack ? { ...played.game, hasTakenBack } : played.game;
    refusal = played.refusal ?? refusal;
    if (move.kind === 'enter' && (played.refusal !== undefined || isSolved(game))) break;
  }
  return stateOf(game, refusal, judge);
}

function stateOf(game: Game, refusal: Refusal | undefined, judge: () => Judge): GameState {
  const { board, words, word, covered } = game;
  const path = pathOfEntries(board, words);
  /** As `covered`, a bit for each spot that the words touch; without those of a word that is being typed. */
  const onPath = path.flat().reduce((spots, spot) => spots | (1 << spot), 0);
  const left = lettersLeft(game);
  const coversAsMuch = board.letters.length - new Set(path.flat()).size === left.length;
  return {
    saved: saveGame(game),
    words: wordsPlayed(game),
    path,
    // The first letter of a word is drawn already: the word before ends on it.
    drawn: word.length > (words.length > 0 ? 1 : 0) ? pathOfEntries(board, [...words, word]) : path,
    word: textOf(board, word),
    reached: reachedSpots(game),
    next: nextSpots(game),
    // Repeated letters allow several ways to walk the same words: use the one that is drawn, if it covers as much.
    used: coversAsMuch ? onPath : covered,
    left,
    isSolved: isSolved(game),
    isDeadEnd: hasOnlyJoiningLetter(game) && isDeadEnd(textOf(board, word), judge()),
    refusal,
  };
}
