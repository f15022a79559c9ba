import { counted, listed, ordinal } from '../../core/text.ts';
import { type ReviewedWord, type Score, type SolutionReview, scoreOf } from '../../solver/review.ts';
import { buttonOn, pictureOf, type Subject } from '../model/subject.ts';
import { bold, buttonsBlock, chainText, notes, present, textBlock, toAsker } from '../model/text.ts';
import type { Block, Button, Line, Reply } from '../model/types.ts';
import { UNCERTAIN } from './played.ts';

export interface ReviewRequest {
  readonly subject: Subject;
  readonly review: SolutionReview;
  /** Hint points. */
  readonly hints: number;
  readonly certain: boolean;
  /** Whether there is a result to share. */
  readonly counts: boolean;
  /** The best solution, for somebody who may see it. */
  readonly best?: readonly string[];
}

/** How the asker solved a board, or how it could have gone. Of the other solutions none is named but the best, hidden. */
export function reviewReply({ subject, review, hints, certain, counts, best }: ReviewRequest): Reply {
  const words = review.words.map(({ word }) => word);
  const score = scoreOf(review, hints);
  const isBest = best?.join() === words.join();
  return toAsker(`${review.isSolved ? 'How you did' : 'How it could have gone'}: ${subject.name}`, [
    textBlock(score === undefined ? [] : [[bold(`${score.points} of 100`), lossesText(score)]]),
    pictureOf(subject.board, { words }),
    textBlock(present([review.isSolved && placeLine(review), fewestLine(review)])),
    textBlock(
      review.words.map((word, index) =>
        wordLine(word, review.isSolved ? words.length - index - 1 : undefined),
      ),
    ),
    ...(best === undefined || isBest ? [] : bestBlocks(subject, best)),
    notes(!certain && UNCERTAIN),
    buttonsBlock([
      ...(counts ? [buttonOn(subject, 'Share', 'share', { look: 'primary' })] : []),
      ...wayOnButtons(subject, words),
      buttonOn(subject, 'See other solutions', counts ? 'reveal' : 'solve'),
    ]),
  ]);
}

function bestBlocks(subject: Subject, best: readonly string[]): Block[] {
  const label = 'The best solution';
  return [
    { kind: 'spoiler', label, hidden: [chainText(best)] },
    pictureOf(subject.board, { words: best, spoiler: true }),
  ];
}

/** Words that a game can be gone on from by a button. */
const MOST_WAYS_ON = 3;

function wayOnButtons(subject: Subject, words: readonly string[]): Button[] {
  const ways = words.slice(0, -1).slice(0, MOST_WAYS_ON);
  return [
    buttonOn(subject, 'Look for a better one', 'play'),
    ...ways.map((word, index) =>
      buttonOn(subject, `Go on from ${word.toUpperCase()}`, 'play', {
        options: { from: words.slice(0, index + 1).join(',') },
      }),
    ),
  ];
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

function fewestLine({ words, isSolved, fewest }: SolutionReview): string | undefined {
  if (fewest === undefined || (isSolved && fewest === words.length)) return undefined;
  return `It can be done in ${counted(fewest, 'word')}.`;
}

const KNOWN = {
  everyday: 'a word most people know',
  wide: 'a word few people know',
} as const;

/** @example 'FORUM: a word most people know, 5 new letters. After it, four words would have finished; you needed 2 more.' */
function wordLine({ word, tier, gained, onwards }: ReviewedWord, needed: number | undefined): Line {
  const used = gained.length === 0 ? 'no new letters' : counted(gained.length, 'new letter');
  const line: Line = [bold(word.toUpperCase()), `: ${KNOWN[tier]}, ${used}.`];
  return onwards === undefined ? line : [...line, ` ${onwardsText(onwards, needed)}`];
}

function onwardsText(
  { words, ways }: NonNullable<ReviewedWord['onwards']>,
  needed: number | undefined,
): string {
  const one = words === 1;
  const what = one ? counted(ways, 'word') : `${counted(ways, 'chain')} of ${counted(words, 'word')}`;
  return `After it, ${what} would have finished${needed === undefined ? '' : `; you needed ${needed} more`}.`;
}

/** For somebody who has not solved the board. */
export function nothingToReviewReply(subject: Subject): Reply {
  return toAsker(`Not solved yet: ${subject.name}`, [
    textBlock(['Once you have solved this board, this shows how your words compare with all others.']),
    buttonsBlock([buttonOn(subject, 'Play', 'play', { look: 'primary' })]),
  ]);
}
