import { UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import { judgeWords } from '../solver/check.ts';
import { explainBroken } from '../solver/explain.ts';
import type { SearchOptions } from '../solver/search.ts';
import type { JudgedBoard } from './searches.ts';

/**
 * Words to continue from must be playable one after the other. A word that is missing from our list is
 * refused only if the game's own list is known: otherwise the game may have accepted it.
 */
export function refuseBroken({ board, judge }: JudgedBoard, words: readonly string[]): void {
  if (words.length === 0) return;
  const isWord = judge.certain ? judge.isWord : () => true;
  for (const { word, broken } of judgeWords(board, words, isWord).words) {
    if (broken !== undefined)
      throw new UserError(`played.${broken.rule}`, explainBroken(word, broken, board));
  }
}

/** Rejects requirements that nothing can meet, which would cause a long search without result. */
export function refuseRequired(
  { judge }: JudgedBoard,
  { require = [], exclude = [], tier }: SearchOptions,
): void {
  const refuse = (word: string, reason: string) => {
    throw new UserError('solve.require', `${clip(word).toUpperCase()} can’t be required: ${reason}.`);
  };
  for (const word of require) {
    if (!judge.isWord(word)) refuse(word, 'it can’t be played on this board, or is not in the word list');
    if (exclude.includes(word)) refuse(word, 'you also exclude it');
    if (tier === 'everyday' && judge.words.find((known) => known.word === word)?.tier !== 'everyday')
      refuse(word, 'it is not an everyday word');
  }
}
