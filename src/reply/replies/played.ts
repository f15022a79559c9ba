import { clip, counted, grouped, listed, ordinal } from '../../core/text.ts';
import { type CheckResult, explainBroken } from '../../solver/check.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import { type LostPoints, pointsOf, type ReviewedWord, type SolutionReview } from '../../solver/review.ts';
import type { Listing, Search } from '../../solver/search.ts';
import type { Board, Solution } from '../../solver/types.ts';
import {
  actionOn,
  buttonOn,
  type NamedBoard,
  pictureOf,
  searchOption,
  wordsOption,
} from '../model/action.ts';
import { factsAbout, type HintStep } from '../model/facts.ts';
import {
  bold,
  buttonsBlock,
  chainText,
  factsBlock,
  type Maybe,
  notes,
  present,
  textBlock,
  toAsker,
} from '../model/text.ts';
import { type Block, type BoardReply, dataReply, type Line, type Reply } from '../model/types.ts';
import { spotsLeft } from '../picture/layout.ts';
import { bestOf, notFoundField, notFoundReason, offends, quickOf, shortestOf } from './chosen-solutions.ts';
import { briefName, HUNT_LABEL, REVIEW_LABEL } from './game.ts';
import { nothingStartsWith, playedWordsFacts, playedWordsNote } from './hint.ts';
import { hintPoints } from './hint-steps.ts';
import { likelihoodNote, listBlocks, unprovenBlocks } from './solutions.ts';

/** The most words in a title; with more, it gives their number. */
const MAX_WORDS_IN_TITLE = 2;

export interface CheckedRequest {
  readonly namedBoard: NamedBoard;
  readonly result: CheckResult;
  /** Whether the list that decides which words count is known; otherwise it is an estimate. */
  readonly isListExact: boolean;
}

/** Which words are right, which rule each wrong one breaks, and what is left to do. */
export function checkedReply({ namedBoard, result, isListExact }: CheckedRequest): BoardReply {
  const { board } = namedBoard;
  const typed = result.words.map(({ word }) => word);
  const right = rightWords(result);
  const verdict = ({ word, broken }: CheckResult['words'][number]): Line =>
    broken === undefined ? ['✓ ', bold(word.toUpperCase())] : `✗ ${explainBroken(word, broken, board)}`;
  const isAllNamed = right.length === typed.length && typed.length <= MAX_WORDS_IN_TITLE && !result.solved;
  const isWrong = result.words.some(({ broken }) => broken !== undefined);
  const blocks = [
    isAllNamed ? [] : textBlock(result.words.map(verdict)),
    result.solved ? [] : leftBlock(result),
    right.length > 0 && pictureOf(board, { words: right }),
    notes(isListExact ? namedBoard.name : `${namedBoard.name}. ${UNCERTAIN_NOTE}`),
    buttonsBlock(buttonsFor(namedBoard, result, right)),
  ];
  return toAsker(titleOf(result), blocks, {
    reveals: [],
    isWrong: isWrong || undefined,
    rerun: actionOn(namedBoard, 'check', wordsOption(typed)),
  });
}

/** A note for boards on which the deciding list is not known. */
export const UNCERTAIN_NOTE = 'The game may judge rare words differently.';

/** The words that count: all before the first wrong one. */
export function rightWords({ words }: CheckResult): string[] {
  const wrong = words.findIndex(({ broken }) => broken !== undefined);
  return words.slice(0, wrong < 0 ? undefined : wrong).map(({ word }) => word);
}

function titleOf({ words, solved, left }: CheckResult): string {
  if (solved) return `Solved in ${counted(words.length, 'word')}`;
  const right = words.filter(({ broken }) => broken === undefined).map(({ word }) => shownWord(word));
  const wrong = words.filter(({ broken }) => broken !== undefined).map(({ word }) => shownWord(word));
  if (wrong.length === 0) {
    const which = right.length <= MAX_WORDS_IN_TITLE ? listed(right) : `All ${grouped(right.length)} words`;
    return `${which} ${right.length === 1 ? 'fits' : 'fit'}. ${counted(left.length, 'letter')} left${left.length === 0 ? '' : `: ${lettersText(left)}`}`;
  }
  if (right.length === 0) {
    if (wrong.length > MAX_WORDS_IN_TITLE) return `None of the ${grouped(wrong.length)} words works`;
    const named = [...new Set(wrong)];
    return named.length === 1 ? `${named[0]} doesn’t work` : `${listed(named, 'and')} don’t work`;
  }
  return words.length <= MAX_WORDS_IN_TITLE && right[0] !== wrong[0]
    ? `${right[0]} works, ${wrong[0]} doesn’t`
    : `${grouped(right.length)} of ${grouped(words.length)} words ${right.length === 1 ? 'works' : 'work'}`;
}

/** A word as people see it, cut to fit into a title. */
function shownWord(word: string): string {
  return clip(word.toUpperCase(), 24);
}

function lettersText(letters: readonly string[]): string {
  return letters.join(' ').toUpperCase();
}

/** The title has the letters left if every word fits. How many words are still needed is a hint, which has its price. */
function leftBlock({ words, left, fewestMore, cut, isDeadEnd }: CheckResult): Block[] {
  if (isDeadEnd) return textBlock([nothingStartsWith(words.at(-1)?.word ?? '')]);
  const isWrong = words.some(({ broken }) => broken !== undefined);
  const isStuck = fewestMore === undefined && cut === undefined;
  return [
    ...factsBlock({ 'Letters left': isWrong && (left.length === 0 ? 'none' : lettersText(left)) }),
    ...textBlock([isStuck && 'No word in the word list finishes from here.']),
  ];
}

function buttonsFor(namedBoard: NamedBoard, { solved, fewestMore }: CheckResult, right: readonly string[]) {
  // Having checked first costs nothing, and everything else can wait until the result is saved.
  if (solved && namedBoard.date !== undefined)
    return [buttonOn(namedBoard, 'Save my result', 'play', { options: wordsOption(right), look: 'primary' })];
  if (solved)
    return [
      buttonOn(namedBoard, REVIEW_LABEL, 'review', { options: wordsOption(right) }),
      buttonOn(namedBoard, 'See other solutions', 'reveal'),
    ];
  const isOpen = fewestMore !== undefined && fewestMore > 0 && right.length > 0;
  return [
    ...(isOpen
      ? [
          buttonOn(namedBoard, 'Hint from here', 'hint', { options: wordsOption(right), look: 'primary' }),
          buttonOn(namedBoard, 'Best next word', 'next', { options: wordsOption(right) }),
        ]
      : [buttonOn(namedBoard, 'Hint', 'hint')]),
    buttonOn(namedBoard, 'Check again', 'check'),
  ];
}

/** The same answer as data for programs. */
export function checkedData({ sides }: Board, result: CheckResult): BoardReply {
  const isRight = result.words.every(({ broken }) => broken === undefined);
  const { fewestMore: _, cut: __, ...shown } = result;
  return dataReply({ sides, ...shown }, [], isRight ? {} : { isWrong: true });
}

const WORDS_SHOWN = 3;

export interface NextWordRequest {
  readonly namedBoard: NamedBoard;
  /** Continues from the words played, its option `played`. */
  readonly search: Search;
  readonly isListExact: boolean;
  /** Whether the words played begin a shortest solution of the board. */
  readonly beginsShortest?: boolean;
}

/** How to continue from the words played: how many more it takes, and the best next words. */
export function nextReply(request: NextWordRequest): BoardReply {
  const { namedBoard, search } = request;
  const played = search.options.played ?? [];
  const typed = searchOption(search);
  const blocks = continuationBlocks(request);
  const begins = playedWordsFacts(request);
  const shown = [
    ...blocks,
    played.length > 0 && pictureOf(namedBoard.board, { words: played }),
    playedWordsNote(namedBoard, begins),
    buttonsBlock([
      search.fewest !== 0 && buttonOn(namedBoard, 'A hint instead', 'hint', { options: typed }),
      buttonOn(namedBoard, 'Check', 'check'),
    ]),
  ];
  return toAsker(`After ${chainText(played)}`, shown, {
    reveals:
      search.fewest === undefined || search.fewest === 0 ? [] : [factsAbout(namedBoard, 'count'), ...begins],
    ...notFoundField(search, blocks),
    rerun: actionOn(namedBoard, 'next', typed),
  });
}

/** Continuations for a program that asks for no other number. */
const DEFAULT_DATA_LIMIT = 5;

/** The same answer as data for programs. */
export function nextData({ namedBoard, search }: NextWordRequest, limit = DEFAULT_DATA_LIMIT): BoardReply {
  const { board, options, fewest, cut } = search;
  const ways = fewest === 0 ? [] : [...waysOn(search, { oneEach: true }).take(limit)];
  // If certainty took too long, a correct continuation that may not be the shortest is better than none.
  const unproven = notFoundReason(search, ways.length > 0) === 'unknown' ? quickOf(search) : undefined;
  const { sides } = board;
  return dataReply(
    { sides, played: options.played ?? [], fewestMore: fewest ?? null, ways, cut, unproven },
    ways.length > 0 || unproven !== undefined ? [factsAbout(namedBoard, 'solution')] : [],
    { notFound: notFoundReason(search, ways.length > 0 || unproven !== undefined) },
  );
}

/** Solutions that continue from here, without offensive ones unless there are no others. */
function waysOn(search: Search, listing: Listing): IteratorObject<Solution> {
  const isOffensive = offends(search, bestOf(search)?.words ?? []);
  return shortestOf(search, listing).filter(({ words }) => isOffensive || !offends(search, words));
}

function continuationBlocks(request: NextWordRequest): Block[] {
  const { search, isListExact } = request;
  const { fewest } = search;
  if (fewest === 0) return textBlock(['Every letter is used: the board is solved.']);
  const listing = { oneEach: true, exactly: fewest };
  const solutions = waysOn(search, listing).take(WORDS_SHOWN).toArray();
  const [best] = solutions;
  if (fewest === undefined || best === undefined) {
    const stuck = 'No word in the word list finishes from here. Take back the last word and try another.';
    return [...textBlock([search.cut ?? stuck]), ...unprovenBlocks(request)];
  }
  const words = solutions.map(({ words: [word = ''] }) => ({
    words: [word],
    likelihood: search.words.find((known) => known.word === word)?.likelihood ?? 0,
    leaves: spotsLeft(search.board, [...(search.options.played ?? []), word]).map(
      (spot) => search.board.letters[spot]!,
    ),
  }));
  const label = words.length === 1 ? 'Best next word' : 'Best next words';
  // Only a chain of the fewest words counts as the board's solution.
  const fact = request.beginsShortest && fewest === 1 ? 'solution' : 'first';
  return [
    ...factsBlock({ 'Words still needed': grouped(fewest) }),
    ...listBlocks({ ...request, fact }, [{ label, solutions: words }]),
    ...likelihoodNote(isListExact, words),
    ...notes(search.cut),
  ];
}

export interface ReviewRequest {
  readonly namedBoard: NamedBoard;
  readonly review: SolutionReview;
  readonly lexicon: Pick<Lexicon, 'find'>;
  /** Hint points. */
  readonly hints: number;
  readonly isListExact: boolean;
  /** Whether there is a result to share. */
  readonly counts: boolean;
  /** The best solution, if the asker may see it. */
  readonly best?: readonly string[];
}

/**
 * How the asker solved a board, or how it could have been solved. Apart from the best solution, which is hidden, it names no
 * other.
 */
export function reviewReply(request: ReviewRequest): BoardReply {
  const { namedBoard, review, lexicon, hints, isListExact, counts, best } = request;
  const words = review.words.map(({ word }) => word);
  const lost = pointsOf(review, hints);
  const isBest = isBestOf(review);
  const facts = reviewedFacts(review);
  const needed = (index: number) => (review.isSolved ? words.length - index - 1 : undefined);
  const title = `${review.isSolved ? REVIEW_LABEL : 'How it could have gone'}: ${briefName(namedBoard)}`;
  const blocks = [
    textBlock([lost && [bold(`${lost.points} of 100.`), ` ${lossesText(review, lost)}`]]),
    textBlock(present([review.isSolved && placeLine(review), fewestLine(review)])),
    textBlock(review.words.map((word, index) => wordLine(word, lexicon, needed(index)))),
    textBlock([lost && betterLine(review)]),
    pathBlocks(namedBoard, words, isBest ? undefined : best),
    notes(
      counts &&
        best === undefined &&
        !isBest &&
        `In a better result, this counts as ${counted(hintPoints(facts), 'hint point')}.`,
      !isListExact && UNCERTAIN_NOTE,
    ),
    buttonsBlock([
      counts && buttonOn(namedBoard, 'Share', 'share', { look: 'primary' }),
      isBest && counts
        ? buttonOn(namedBoard, HUNT_LABEL, 'hunt')
        : buttonOn(namedBoard, 'Let me find it', 'play'),
      ...words.slice(0, isBest ? 0 : Math.min(words.length - 1, MAX_NEXT_BUTTONS)).map((word, index) =>
        buttonOn(namedBoard, `Go on from ${word.toUpperCase()}`, 'play', {
          options: { from: words.slice(0, index + 1).join(',') },
        }),
      ),
      buttonOn(namedBoard, 'See other solutions', counts ? 'reveal' : 'solve'),
    ]),
  ];
  return toAsker(title, blocks, { reveals: [factsAbout(namedBoard, ...facts)] });
}

/** Revealing which words begin better or shortest solutions reveals as much as a first word. */
function reviewedFacts({ words, isSolved, fewest = 0 }: SolutionReview): HintStep[] {
  const isLonger = !isSolved || words.length > fewest;
  const isFirst = words.some(
    ({ better = 0, onwards }, index) =>
      better > 0 || (isLonger && onwards !== undefined && index + 1 + onwards.words === fewest),
  );
  return isFirst ? ['count', 'first'] : ['count'];
}

function isBestOf({ words, letters, fewest, place }: SolutionReview): boolean {
  return words.length === fewest && place?.shortest === letters;
}

/** The most words from which a button continues the game. */
const MAX_NEXT_BUTTONS = 3;

/** The asker's path, beside the best one if they may open that. */
function pathBlocks(
  namedBoard: NamedBoard,
  words: readonly string[],
  best: readonly string[] | undefined,
): Block[] {
  const { board } = namedBoard;
  if (best === undefined) return [pictureOf(board, { words })];
  const both = words.length === 0 ? { words: best } : { words, beside: best };
  const reveals = factsAbout(namedBoard, 'solution');
  return [
    { kind: 'spoiler', label: 'The best solution', hidden: [chainText(best)], reveals },
    pictureOf(board, { ...both, spoiler: reveals }),
  ];
}

/** Repeats the figures of the card, so that anybody can add them up. */
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
    return `${yours}: ${of === 1 ? `the only solution in ${counted(words.length, 'word')}` : `of ${all}, none is shorter`}.`;
  return `${yours}: ${ordinal(rank)} of ${all}. The shortest has ${shortest}.`;
}

function fewestLine({ words, isSolved, fewest }: SolutionReview): string | undefined {
  if (fewest === undefined || (isSolved && fewest === words.length)) return undefined;
  return `It can be done in ${counted(fewest, 'word')}.`;
}

/**
 * Words of at least this likelihood are known by nearly everybody if they are everyday words, and by most people if they are
 * rarer.
 */
const KNOWN_BY_NEARLY_ALL = 0.99;
const KNOWN_BY_MOST = 0.98;

/** How many people know a word, by how common it is and how likely a game for everybody takes it. */
export function knownBy(
  word: string,
  lexicon: Pick<Lexicon, 'find'>,
): 'everyone' | 'most people' | 'few people' {
  const { tier, likelihood } = lexicon.find(word) ?? { tier: 'wide', likelihood: 0 };
  if (tier === 'everyday') return likelihood >= KNOWN_BY_NEARLY_ALL ? 'everyone' : 'most people';
  return likelihood >= KNOWN_BY_MOST ? 'most people' : 'few people';
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
 * The number of better solutions: with the same number of words and fewer letters or, if fewer words are possible, only
 * those with fewer words, since there may be thousands with the same number.
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

/** The answer for somebody who has not solved the board. */
export function nothingToReviewReply(namedBoard: NamedBoard): Reply {
  return toAsker(`Not solved yet: ${namedBoard.name}`, [
    textBlock(['Once you have solved this board, this shows how your words compare with all others.']),
    buttonsBlock([buttonOn(namedBoard, 'Play', 'play', { look: 'primary' })]),
  ]);
}
