import { counted, grouped, listed, ordinal } from '../../core/text.ts';
import { type LostPoints, pointsOf, type ReviewedWord, type SolutionReview } from '../../play/review.ts';
import type { Judge } from '../../puzzle/types.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import { factsAbout, type HintStep, solutionFacts } from '../model/facts.ts';
import { buttonOn, type NamedBoard, pictureOf } from '../model/named-board.ts';
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
import type { Block, BoardReply, Line, Reply } from '../model/types.ts';
import { playReply } from './board.ts';
import { UNCERTAIN_NOTE } from './check.ts';
import { briefName, HUNT_LABEL, REVIEW_LABEL } from './game.ts';
import { pointsText, priceOf } from './hint-steps.ts';
import { SOLVED_REPLACED_SENTENCE } from './result-line.ts';

export interface ReviewRequest extends Pick<Judge, 'isListExact'> {
  readonly namedBoard: NamedBoard;
  readonly review: SolutionReview;
  readonly lexicon: Pick<Lexicon, 'find'>;
  /** The hint points of this solution. */
  readonly hints: number;
  /** The hints of the board that count for the asker's next result. */
  readonly paid: readonly HintStep[];
  /** Whether the asker has a result of this board, which they can share. */
  readonly hasResult: boolean;
  /** Whether a better solution would replace it, with the hints that count by then. */
  readonly mayImprove: boolean;
  /** The best solution, if the asker may see it. */
  readonly best?: readonly string[];
  /** Shows no points and no place. */
  readonly isCalm?: boolean;
}

/**
 * How the asker solved a board, or how it could have been solved. Apart from the best solution, which is hidden, the reply names
 * no other solution.
 */
export function reviewReply(request: ReviewRequest): BoardReply {
  const { namedBoard, review, lexicon, hints, paid, isListExact, hasResult, mayImprove, best, isCalm } =
    request;
  const words = review.words.map(({ word }) => word);
  const lost = isCalm ? undefined : pointsOf(review, hints);
  const isBest = isBestOf(review);
  const facts = reviewedFacts(review);
  const price = priceOf(facts, paid);
  const needed = (index: number) => (review.isSolved ? words.length - index - 1 : undefined);
  const toGoOnFrom = isBest ? [] : words.slice(0, -1).slice(0, MAX_NEXT_BUTTONS);
  const title = `${review.isSolved ? REVIEW_LABEL : 'How it could have gone'}: ${briefName(namedBoard)}`;
  const blocks = [
    textBlock([lost && [bold(`${lost.points} of 100.`), ` ${lossesText(review, lost)}`]]),
    textBlock(
      present([
        review.isSolved && placeLine(isCalm ? { ...review, place: undefined } : review),
        fewestLine(review),
      ]),
    ),
    textBlock(review.words.map((word, index) => wordLine(word, lexicon, needed(index)))),
    textBlock([lost && betterLine(review)]),
    pathBlocks(namedBoard, words, isBest ? undefined : best),
    notes(
      mayImprove &&
        best === undefined &&
        !isBest &&
        price > 0 &&
        `If you find a better solution, what this tells counts as ${pointsText(price)}.`,
      !isListExact && UNCERTAIN_NOTE,
    ),
    buttonsBlock([
      hasResult && buttonOn(namedBoard, 'Share', 'share', { look: 'primary' }),
      isBest && hasResult
        ? buttonOn(namedBoard, HUNT_LABEL, 'hunt')
        : buttonOn(namedBoard, 'Let me find it', 'play'),
      ...toGoOnFrom.map((word, index) =>
        buttonOn(namedBoard, `Go on from ${word.toUpperCase()}`, 'play', {
          options: { from: words.slice(0, index + 1).join(',') },
        }),
      ),
      buttonOn(namedBoard, 'See other solutions', 'reveal'),
    ]),
  ];
  return toAsker(title, blocks, { reveals: [factsAbout(namedBoard, ...facts)] });
}

/** What a review reveals. It tells a first word if it says that the asker's first words begin a better solution. */
function reviewedFacts({ words, isSolved, fewest = 0 }: SolutionReview): HintStep[] {
  const isLonger = !isSolved || words.length > fewest;
  const beginsBetter = words.some(({ better = 0, onwards }, index) =>
    isLonger ? onwards !== undefined && index + 1 + onwards.words === fewest : better > 0,
  );
  return beginsBetter ? ['count', 'first'] : ['count'];
}

function isBestOf({ words, letters, fewest, place }: SolutionReview): boolean {
  return words.length === fewest && place?.shortest === letters;
}

/** The most words from which a button continues the game. */
const MAX_NEXT_BUTTONS = 3;

/** The asker's path, beside the path of the best solution if the asker may see that and has found another. */
function pathBlocks(
  namedBoard: NamedBoard,
  words: readonly string[],
  best: readonly string[] | undefined,
): Block[] {
  const { board } = namedBoard;
  if (best === undefined || best.join() === words.join()) return [pictureOf(board, { words })];
  const both = words.length === 0 ? { words: best } : { words, beside: best };
  const reveals = solutionFacts(namedBoard, [best]);
  return [
    { kind: 'spoiler', label: 'The best solution', hidden: [chainText(best)], reveals },
    pictureOf(board, { ...both, spoiler: reveals }),
  ];
}

/** The points lost for words, letters and hints, so that the asker can subtract them from 100. */
function lossesText({ words, letters, fewest = 0, place }: SolutionReview, lost: LostPoints): string {
  const more = { words: words.length - fewest, letters: letters - (place?.shortest ?? letters) };
  const limit = lost.letters < more.letters ? ', the most they cost' : '';
  const taken = present([
    lost.words > 0 && `${counted(more.words, 'word')} more than the fewest: −${lost.words}`,
    lost.letters > 0 && `${counted(more.letters, 'letter')} more than the shortest: −${lost.letters}${limit}`,
    lost.hints > 0 && `${counted(lost.hints, 'hint point')}: −${lost.hints}`,
  ]);
  return taken.length === 0 ? 'Nothing lost.' : `${taken.join('. ')}.`;
}

/** @example 'Your 2 words with 15 letters: 6th of 22 solutions in 2 words. The shortest has 13.' */
function placeLine({ words, letters, fewest, place }: SolutionReview): string {
  const yours = `Your ${counted(words.length, 'word')} with ${counted(letters, 'letter')}`;
  if (place === undefined) return `${yours}.`;
  const { rank, of, shortest } = place;
  const noun = words.length === fewest ? 'solution' : 'way';
  const inWords = `in ${counted(words.length, 'word')}`;
  const all = `${counted(of, noun)} ${inWords}`;
  if (shortest !== letters) return `${yours}: ${ordinal(rank)} of ${all}. The shortest has ${shortest}.`;
  return of === 1 ? `${yours}: the only ${noun} ${inWords}.` : `${yours}: of ${all}, none is shorter.`;
}

function fewestLine({ words, isSolved, fewest }: SolutionReview): string | undefined {
  if (fewest === undefined || (isSolved && fewest >= words.length)) return undefined;
  return `It can be done in ${counted(fewest, 'word')}.`;
}

/** Nearly everybody knows an everyday word of at least this likelihood. */
const KNOWN_BY_NEARLY_ALL = 0.99;
/** Most people know a rarer word of at least this likelihood. */
const KNOWN_BY_MOST = 0.98;

/** How many people know a word, by its tier and by how likely the newspaper's game accepts it. */
export function knownBy(
  word: string,
  lexicon: Pick<Lexicon, 'find'>,
): 'everyone' | 'most people' | 'few people' {
  const { tier, likelihood } = lexicon.find(word) ?? { tier: 'wide', likelihood: 0 };
  if (tier === 'everyday') return likelihood >= KNOWN_BY_NEARLY_ALL ? 'everyone' : 'most people';
  return likelihood >= KNOWN_BY_MOST ? 'most people' : 'few people';
}

/** @example 'FORUM: everyone knows it, 5 new letters. After it, any of 4 words would have finished; you needed 2 more.' */
function wordLine(
  { word, gained, onwards }: ReviewedWord,
  lexicon: Pick<Lexicon, 'find'>,
  needed: number | undefined,
): Line {
  const who = knownBy(word, lexicon);
  const used = gained.length === 0 ? 'no new letters' : counted(gained.length, 'new letter');
  const known = `${who} ${who === 'everyone' ? 'knows' : 'know'} it`;
  const line: Line = [bold(word.toUpperCase()), `: ${known}, ${used}.`];
  if (onwards === undefined) return line;
  const { words, ways } = onwards;
  const all = words === 1 ? counted(ways, 'word') : `${counted(ways, 'chain')} of ${counted(words, 'word')}`;
  // “2 words would have finished” could be both of them together.
  const what = ways > 1 ? `any of ${all}` : all;
  const more = needed === undefined ? '' : `; you needed ${needed} more`;
  return [...line, ` After it, ${what} would have finished${more}.`];
}

/**
 * How many better solutions begin as the asker's. Where fewer words are possible, it only says if none does: otherwise, the line
 * of each word says how many would have finished.
 *
 * @example '3 better solutions begin with FORUM and none with FORUM – MAZE.'
 */
function betterLine(review: SolutionReview): Maybe<string> {
  if (isBestOf(review)) return 'No solution is better than yours.';
  const { words, fewest } = review;
  const hasFewestWords = words.length === fewest;
  const one = hasFewestWords ? 'better solution' : 'solution in fewer words';
  // Undefined where the time to count ran out.
  if (words[0]?.better === undefined) return undefined;
  const begun = words.flatMap(({ better }, index) => {
    const chain = chainText(words.slice(0, index + 1).map(({ word }) => word));
    return better === undefined ? [] : [{ better, chain }];
  });
  if (begun.every(({ better }) => better === 0)) return `No ${one} begins as yours did.`;
  if (!hasFewestWords) return undefined;
  const [first, ...more] = begun;
  const counts = more.map(({ better, chain }) => `${better === 0 ? 'none' : grouped(better)} with ${chain}`);
  const found = first!.better === 1 ? `1 ${one} begins` : `${grouped(first!.better)} ${one}s begin`;
  return `${listed([`${found} with ${first!.chain}`, ...counts])}.`;
}

/** The answer for somebody who has not solved the board. @param replaced their result of a board that it replaced */
export function nothingToReviewReply(namedBoard: NamedBoard, replaced?: object): Reply {
  const line = 'Once you have solved this board, this shows how your words compare with all others.';
  const title = `Not solved yet: ${namedBoard.name}`;
  return playReply(namedBoard, title, replaced && SOLVED_REPLACED_SENTENCE, line);
}
