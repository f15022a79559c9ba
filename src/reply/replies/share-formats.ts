import { counted, listed } from '../../core/text.ts';
import { buttonOn, type Subject } from '../model/subject.ts';
import type { Button } from '../model/types.ts';
import { hintsUsed, type ResultNumbers } from './result-line.ts';

/** What is shared besides the sentence: nothing, squares, or the notation of the game's players. */
export const SHARE_FORMATS = ['line', 'squares', 'notation'] as const;
export type ShareFormat = (typeof SHARE_FORMATS)[number];

/**
 * Words as players write them to each other: first letter, last letter, length. It gives letters away.
 *
 * @example notationOf(['sophomoric', 'cab']) // 'S - C(10), C - B(3)'
 */
export function notationOf(words: readonly string[]): string {
  return words
    .map((word) => `${word.at(0) ?? ''} - ${word.at(-1) ?? ''}(${word.length})`.toUpperCase())
    .join(', ');
}

/**
 * A result as a sentence, for people to whom squares are read out one by one. Like the line above it, it says where
 * nobody has checked the result.
 *
 * @example spokenResult({ lengths: [6, 8], words: 2, hints: 0 }) // '2 words of 6 and 8 letters, with no hints.'
 */
export function spokenResult({ lengths, words, hints, reported }: Omit<ResultNumbers, 'date'>): string {
  const of = lengths.length === 0 ? '' : ` of ${listed(lengths.map(String))} letters`;
  return `${counted(words, 'word')}${of}, with ${hintsUsed(hints)}${reported ? ', self-reported' : ''}.`;
}

/** One button for each format. */
export function shareButtons(subject: Pick<Subject, 'options'>): Button[] {
  return [
    buttonOn(subject, 'Share only the line', 'share', { options: { as: 'line' } }),
    buttonOn(subject, 'Share squares', 'share', { options: { as: 'squares' } }),
    buttonOn(subject, 'Share notation (reveals letters)', 'share', { options: { as: 'notation' } }),
  ];
}
