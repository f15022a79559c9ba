import { counted, listed, ordinal } from '../../core/text.ts';
import { type ReviewedWord, type Score, type SolutionReview, scoreOf } from '../../solver/review.ts';
import { buttonOn, pictureOf, type Subject } from '../model/subject.ts';
import { bold, buttonsBlock, notes, present, textBlock, toAsker } from '../model/text.ts';
import type { Line, Reply } from '../model/types.ts';
import { UNCERTAIN } from './played.ts';

export interface ReviewRequest {
  readonly subject: Subject;
  readonly review: SolutionReview;
  /** Hint points. */
  readonly hints: number;
  readonly certain: boolean;
  /** Whether there is a result to share. */
  readonly counts: boolean;
}

/** How the asker solved a board, beside all other solutions; none of those is named. */
export function reviewReply({ subject, review, hints, certain, counts }: ReviewRequest): Reply {
  const words = review.words.map(({ word }) => word);
  const score = scoreOf(review, hints);
  return toAsker(`How you did: ${subject.name}`, [
    textBlock(score === undefined ? [] : [[bold(`${score.points} of 100`), lossesText(score)]]),
    pictureOf(subject.board, { words }),
    textBlock(present([placeLine(review), fewestLine(review)])),
    textBlock(review.words.map((word, index) => wordLine(word, words.length - index - 1))),
    notes(!certain && UNCERTAIN),
    buttonsBlock([
      ...(counts ? [buttonOn(subject, 'Share', 'share', { look: 'primary' })] : []),
      buttonOn(subject, 'Look for a better one', 'play'),
      buttonOn(subject, 'See other solutions', counts ? 'reveal' : 'solve'),
    ]),
  ]);
}

/** Every figure is on the card, too, so that anybody can add them up. */
function lossesText({ words, letters, hints }: Score): string {
  const lost = [
    ['words more than the fewest', words],
    ['letters more than the shortest', letters],
    ['hints', hints],
  ] as const;
  const named = lost.filter(([, points]) => points > 0).map(([what, points]) => `${points} for ${what}`);
  return named.length === 0 ? '.' : `, which is 100 less ${listed(named)}.`;
}

/** @example 'Your 2 words with 15 letters: 6th of 22 solutions in 2 words. The shortest has 13.' */
function placeLine({ words, letters, place }: SolutionReview): string {
  const yours = `Your ${counted(words.length, 'word')} with ${counted(letters, 'letter')}`;
  if (place === undefined) return `${yours}.`;
  const { rank, of, shortest } = place;
  const all = `${counted(of, 'solution')} in ${counted(words.length, 'word')}`;
  if (shortest === letters) return `${yours}: of ${all}, none has fewer letters.`;
  return `${yours}: ${ordinal(rank)} of ${all}. The shortest has ${shortest}.`;
}

function fewestLine({ words, fewest }: SolutionReview): string | undefined {
  if (fewest === undefined || fewest === words.length) return undefined;
  return `It can be done in ${counted(fewest, 'word')}.`;
}

const KNOWN = {
  everyday: 'a word most people know',
  wide: 'a word few people know',
} as const;

/** @example 'FORUM: a word most people know, 5 new letters. After it, four words would have finished; you needed 2 more.' */
function wordLine({ word, tier, gained, onwards }: ReviewedWord, needed: number): Line {
  const used = gained.length === 0 ? 'no new letters' : counted(gained.length, 'new letter');
  const line: Line = [bold(word.toUpperCase()), `: ${KNOWN[tier]}, ${used}.`];
  return onwards === undefined ? line : [...line, ` ${onwardsText(onwards, needed)}`];
}

function onwardsText({ words, ways }: NonNullable<ReviewedWord['onwards']>, needed: number): string {
  const one = words === 1;
  const what = one ? counted(ways, 'word') : `${counted(ways, 'chain')} of ${counted(words, 'word')}`;
  return `After it, ${what} would have finished; you needed ${needed} more.`;
}

/** For somebody who has not solved the board. */
export function nothingToReviewReply(subject: Subject): Reply {
  return toAsker(`Not solved yet: ${subject.name}`, [
    textBlock(['Once you have solved this board, this shows how your words compare with all others.']),
    buttonsBlock([buttonOn(subject, 'Play', 'play', { look: 'primary' })]),
  ]);
}
