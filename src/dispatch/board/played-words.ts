import { UserError } from '../../core/errors.ts';
import { checkWords } from '../../solver/check.ts';
import { explainBroken } from '../../solver/explain.ts';
import { makeSearch, type SearchOptions } from '../../solver/search.ts';
import { flagOf, type Request, wordsOf } from '../contract.ts';
import type { Topic } from './topic.ts';

/** What a hint or the next word goes on from, and the words it is held to. */
export function onwardsOf(request: Request): SearchOptions {
  const played = wordsOf(request, 'words');
  return {
    ...(played.length > 0 && { played }),
    ...(flagOf(request, 'everyday') && { tier: 'everyday' as const }),
  };
}

/**
 * Words to go on from must be playable one after the other. That a word is missing from our list is no
 * reason to refuse it, unless the game's own list is known: the game may have taken it.
 */
export function refuseBroken(topic: Topic, words: readonly string[]): void {
  if (words.length === 0) return;
  const { board, judge } = topic;
  const isWord = judge.certain ? judge.isWord : () => true;
  // What is still needed is of no interest here, so there is nothing to search.
  const nothing = makeSearch(board, []);
  for (const { word, broken } of checkWords(board, words, nothing, isWord).words) {
    if (broken !== undefined)
      throw new UserError(`played.${broken.rule}`, explainBroken(word, broken, board));
  }
}
