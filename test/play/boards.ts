import { type Game, type IsWord, type Move, PLAIN_MOVES, play } from '../../src/play/game.ts';
import type { Board } from '../../src/solver/types.ts';
import { random, randomCase } from '../solver/random-boards.ts';

export interface Table {
  readonly board: Board;
  readonly words: readonly string[];
  readonly judge: IsWord;
}

/** A made-up board with words of its own. */
export function tableOf(seed: number): Table {
  const { board, entries } = randomCase(seed);
  const words = entries.map(({ word }) => word);
  return { board, words, judge: (word) => words.includes(word) };
}

/** Moves as somebody makes them who partly knows the words: whole words typed or tapped, and mistakes between. */
export function randomMoves({ board, words }: Table, seed: number, count: number): Move[] {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const moves: Move[] = [];
  const enterLetter = (letter: string) => {
    const spots = Array.from(board.letters, (other, spot) => (other === letter ? spot : -1)).filter(
      (spot) => spot >= 0,
    );
    const isTapped = spots.length > 0 && next() < 0.4;
    moves.push(isTapped ? { kind: 'spot', spot: spots[below(spots.length)]! } : { kind: 'letter', letter });
  };
  while (moves.length < count) {
    const dice = next();
    if (dice < 0.6 && words.length > 0) {
      for (const letter of words[below(words.length)]!) enterLetter(letter);
      moves.push({ kind: 'enter' });
    } else if (dice < 0.8) enterLetter('abcdefghijklmnopqrstuvwxyz'[below(26)]!);
    else if (dice < 0.85) moves.push({ kind: 'spot', spot: below(26) });
    else moves.push({ kind: dice < 0.99 ? PLAIN_MOVES[below(3)]! : 'restart' });
  }
  return moves;
}

export function playAll(game: Game, moves: readonly Move[], judge: IsWord): Game {
  return moves.reduce((now, move) => play(now, move, judge).game, game);
}
