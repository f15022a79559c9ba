import { counted, grouped, listed, ordinal } from '../../core/text.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import { type LostPoints, pointsOf, type ReviewedWord, type SolutionReview } from '../../solver/review.ts';
import { buttonOn, pictureOf, type Subject } from '../model/subject.ts';
import {
  bold,
  buttonsBlock,
  chainText,
  type Maybe,
  notes,
  present,
  textBlock,
  toAsker,
} from '../model/text.ts';
import type { Block, Line, Reply } from '../model/types.ts';
import { HUNT } from './game.ts';
import { UNCERTAIN } from './played.ts';

export interface ReviewRequest {
  readonly subject: Subject;
  readonly review: SolutionReview;
  readonly lexicon: Pick<Lexicon, 'find'>;
  /** Hint points. */
  readonly hints: number;
  readonly certain: boolean;
  /** Whether there is a result to share. */
  readonly counts: boolean;
  /** The best solution, for somebody who may see it. */
  readonly best?: readonly string[];
}

/** How the asker solved a board, or how it could have gone. No other solution is named except the best, hidden. */
export function reviewReply(request: ReviewRequest): Reply {
  const { subject, review, lexicon, hints, certain, counts, best } = request;
  const words = review.words.map(({ word }) => word);
  const lost = pointsOf(review, hints);
  const isBest = isBestOf(review);
  const needed = (index: number) => (review.isSolved ? words.length - index - 1 : undefined);
  return toAsker(`${review.isSolved ? 'How you did' : 'How it could have gone'}: ${subject.name}`, [
    textBlock([lost && [bold(`${lost.points} of 100.`), ` ${lossesText(review, lost)}`]]),
    textBlock(present([review.isSolved && placeLine(review), fewestLine(review)])),
    textBlock(review.words.map((word, index) => wordLine(word, lexicon, needed(index)))),
    textBlock([lost && betterLine(review)]),
    pathBlocks(subject, words, best),
    notes(!certain && UNCERTAIN),
    buttonsBlock([
      counts && buttonOn(subject, 'Share', 'share', { look: 'primary' }),
      isBest && counts ? buttonOn(subject, HUNT, 'hunt') : buttonOn(subject, 'Let me find it', 'play'),
      ...words.slice(0, isBest ? 0 : Math.min(words.length - 1, MOST_WAYS_ON)).map((word, index) =>
        buttonOn(subject, `Go on from ${word.toUpperCase()}`, 'play', {
          options: { from: words.slice(0, index + 1).join(',') },
        }),
      ),
      buttonOn(subject, 'See other solutions', counts ? 'reveal' : 'solve'),
    ]),
  ]);
}

function isBestOf({ words, letters, fewest, place }: SolutionReview): boolean {
  return words.length === fewest && place?.shortest === letters;
}

/** Words from which a button continues the game. */
const MOST_WAYS_ON = 3;

/** The asker's path, beside the best one where they may open that. */
function pathBlocks(
  subject: Subject,
  words: readonly string[],
  best: readonly string[] | undefined,
): Block[] {
  const { board } = subject;
  if (best === undefined || best.join() === words.join()) return [pictureOf(board, { words })];
  const both = words.length === 0 ? { words: best } : { words, beside: best };
  return [
    { kind: 'spoiler', label: 'The best solution', hidden: [chainText(best)] },
    pictureOf(board, { ...both, spoiler: true }),
  ];
}

/** It repeats the card's own figures, so that anybody can add them up. */
function lossesText({ words, letters, fewest = 0, place }: SolutionReview, lost: LostPoints): string {
  const more = { words: words.length - fewest, letters: letters - (place?.shortest ?? letters) };
  const taken = present([
    lost.words > 0 && `${counted(more.words, 'word')} more than the fewest: −${lost.words}`,
    lost.letters > 0 &&
      `${counted(more.letters, 'letter')} more than the shortest: −${lost.letters}${lost.letters < more.letters ? ', the most they cost' : ''}`,
    lost.hints > 0 && `${counted(lost.hints, 'hint point')}: −${lost.hints}`,
  ]);
  return taken.length === 0 ? 'Nothing lost.' : `${taken.join('. ')}.`;
}

/** @example 'Your 2 words with 15 letters: 6th of 22 solutions in 2 words. The shortest has 13.' */
function placeLine({ words, letters, place }: SolutionReview): string {
  const yours = `Your ${counted(words.length, 'word')} with ${counted(letters, 'letter')}`;
  if (place === undefined) return `${yours}.`;
  const { rank, of, shortest } = place;
  const all = `${counted(of, 'solution')} in ${counted(words.length, 'word')}`;
  if (shortest === letters)
    return `${yours}: ${of === 1 ? 'the only one of as many words' : `of ${all}, none is shorter`}.`;
  return `${yours}: ${ordinal(rank)} of ${all}. The shortest has ${shortest}.`;
}

function fewestLine({ words, isSolved, fewest }: SolutionReview): string | undefined {
  if (fewest === undefined || (isSolved && fewest === words.length)) return undefined;
  return `It can be done in ${counted(fewest, 'word')}.`;
}

/** From this likelihood on, nearly everybody knows an everyday word, and most people a rarer one. */
const EVERYONE = 0.99;
const MOST_PEOPLE = 0.98;

/** How many people know a word, by how common it is and how likely a game for everybody takes it. */
export function knownBy(
  word: string,
  lexicon: Pick<Lexicon, 'find'>,
): 'everyone' | 'most people' | 'few people' {
  const { tier, likelihood } = lexicon.find(word) ?? { tier: 'wide', likelihood: 0 };
  if (tier === 'everyday') return likelihood >= EVERYONE ? 'everyone' : 'most people';
  return likelihood >= MOST_PEOPLE ? 'most people' : 'few people';
}

/** @example 'FORUM: everyone knows it, 5 new letters. After it, 4 words would have finished; you needed 2 more.' */
function wordLine(
  { word, gained, onwards }: ReviewedWord,
  lexicon: Pick<Lexicon, 'find'>,
  needed: number | undefined,
): Line {
  const who = knownBy(word, lexicon);
  const used = gained.length === 0 ? 'no new letters' : counted(gained.length, 'new letter');
  const known = `${who} ${who === 'everyone' ? 'knows' : 'know'} it`;
  const line: Line = [bold(word.toUpperCase()), `: ${known}, ${used}.`];
  return onwards === undefined ? line : [...line, ` ${onwardsText(onwards, needed)}`];
}

function onwardsText(
  { words, ways }: NonNullable<ReviewedWord['onwards']>,
  needed: number | undefined,
): string {
  const what = words === 1 ? counted(ways, 'word') : `${counted(ways, 'chain')} of ${counted(words, 'word')}`;
  return `After it, ${what} would have finished${needed === undefined ? '' : `; you needed ${needed} more`}.`;
}

/**
 * The number of better solutions: with the same number of words and fewer letters or, where fewer words are possible, with
 * fewer words alone, since there may be thousands with the same number.
 *
 * @example '3 better solutions begin with FORUM and none with FORUM – MAZE.'
 */
function betterLine(review: SolutionReview): Maybe<string> {
  if (isBestOf(review)) return 'There is no better one.';
  const { words, fewest } = review;
  const [one, some] =
    words.length === fewest
      ? ['better solution', 'better solutions']
      : ['solution in fewer words', 'solutions in fewer words'];
  const begun = words.flatMap(({ better }, index) => {
    const chain = chainText(words.slice(0, index + 1).map(({ word }) => word));
    return better === undefined ? [] : [{ better, chain }];
  });
  if (begun.every(({ better }) => better === 0)) return begun.length > 0 && `No ${one} begins as yours did.`;
  const [first, ...more] = begun;
  const counts = more.map(({ better, chain }) => `${better === 0 ? 'none' : grouped(better)} with ${chain}`);
  const found = first!.better === 1 ? `1 ${one} begins` : `${grouped(first!.better)} ${some} begin`;
  return `${listed([`${found} with ${first!.chain}`, ...counts])}.`;
}

/** For somebody who has not solved the board. */
export function nothingToReviewReply(subject: Subject): Reply {
  return toAsker(`Not solved yet: ${subject.name}`, [
    textBlock(['Once you have solved this board, this shows how your words compare with all others.']),
    buttonsBlock([buttonOn(subject, 'Play', 'play', { look: 'primary' })]),
  ]);
}
