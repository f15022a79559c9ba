import * as v from 'valibot';
import { makeBoard } from '../solver/board.ts';
import { judgeWords } from '../solver/check.ts';
import type { Board } from '../solver/types.ts';
import {
  currentSpots,
  GAME_LIMITS,
  type Game,
  gameAfter,
  isSolved,
  wantedSpots,
  wordsPlayed,
} from './game.ts';

const VERSION = 1;
/** Small letters as typed; a capital is a spot that was tapped, where its letter stands on several (`A` is spot 0). */
const entry = v.pipe(v.string(), v.regex(/^[a-zA-Z]*$/), v.maxLength(GAME_LIMITS.lettersOfWord));
const savedGame = v.object({
  version: v.literal(VERSION),
  sides: v.array(v.string()),
  words: v.pipe(
    v.array(entry),
    v.maxLength(GAME_LIMITS.words),
    v.check((words) => words.join('').length <= GAME_LIMITS.letters),
  ),
  word: entry,
  /** `Game.hasTakenBack`. */
  again: v.exactOptional(v.literal(true)),
});
/** A game as plain data, for the store. */
export type SavedGame = v.InferOutput<typeof savedGame>;

export function saveGame({ board, words, word, hasTakenBack }: Game): SavedGame {
  const saved: SavedGame = { version: VERSION, sides: [...board.sides], words: [...words], word };
  return hasTakenBack ? { ...saved, again: true } : saved;
}

/**
 * Reads what `saveGame` wrote for this board. Undefined for anything else: data of another version or of
 * another board, and words that can't be walked.
 */
export function restoreGame(data: unknown, board: Board): Game | undefined {
  const parsed = v.safeParse(savedGame, data);
  if (!parsed.success || parsed.output.sides.join(' ') !== board.sides.join(' ')) return undefined;
  const { words, word, again } = parsed.output;
  if (![...words, word].every((one) => wantedSpots(board, one).every((spots) => spots !== 0)))
    return undefined;
  // As text, as the game does: tapped spots count only in the current word.
  const judged = judgeWords(board, wordsPlayed({ board, words }), () => true);
  if (judged.words.some(({ broken }) => broken !== undefined)) return undefined;
  const game = { ...gameAfter(board, words), ...(again && { hasTakenBack: true }) };
  if (isSolved(game)) return game;
  // After a word, the next one always has its first letter already.
  if (word === '') return words.length === 0 ? game : undefined;
  const continued = { ...game, word };
  return currentSpots(continued).includes(0) ? undefined : continued;
}

/** The words in a saved game of any board, for the export of somebody's data. */
export function savedWords(data: unknown): string[] | undefined {
  const parsed = v.safeParse(savedGame, data);
  if (!parsed.success) return undefined;
  const { sides, words, word } = parsed.output;
  try {
    return wordsPlayed({ board: makeBoard(sides), words: word.length > 1 ? [...words, word] : words });
  } catch {
    // One damaged row must not keep somebody from the rest of their data.
    return undefined;
  }
}
