import { createInterface } from 'node:readline/promises';
import { LIMITS, parseBoard } from '../../solver/board.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import { Mistake } from '../../solver/mistake.ts';
import type { Board } from '../../solver/types.ts';
import { readLexicon } from '../../wordlists/load.ts';
import { readOwnWords } from '../../wordlists/own.ts';
import type { Arguments } from './arguments.ts';

/** The word list asked for: ours, theirs, or both together. */
export function lexiconFor(typed: Arguments): Lexicon {
  const own = typed.text('words') ?? process.env.WORDS_FILE;
  return own === undefined || own === '' ? readLexicon() : readOwnWords(own, readLexicon);
}

/** The board as typed; on a terminal without one, the sides are asked for. */
export async function boardFor(text: string): Promise<Board> {
  if (text.trim() !== '') return parseBoard(text);
  if (!process.stdin.isTTY) return parseBoard('');
  return askForSides();
}

async function askForSides(): Promise<Board> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const sides: string[] = [];
  const [, most] = LIMITS.sides;
  try {
    while (sides.length < most) {
      const side = (await reader.question(`Side ${sides.length + 1} (Enter when done): `)).trim();
      if (side === '') break;
      sides.push(side);
    }
  } finally {
    reader.close();
  }
  return parseBoard(sides.join(' '));
}

/** Words and a board typed together: `check forum,mozart ozu nri lfa mbt`, or `-b` for the board. */
export function wordsAndBoard(typed: Arguments, what: string): { words: string; board: string } {
  const board = typed.text('board');
  const [first = '', ...rest] = typed.bare;
  if (board !== undefined) return { words: typed.bare.join(' '), board };
  if (rest.length === 0) {
    throw new Mistake(
      'terminal.words',
      `${what} takes the words, then the sides: ${what} forum,mozart ozu nri lfa mbt (words with commas between).`,
    );
  }
  return { words: first, board: rest.join(' ') };
}

/** Says stop once the seconds are over. */
export function stopAfter(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() > end;
}
