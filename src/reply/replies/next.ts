import { grouped } from '../../core/text.ts';
import type { Judge } from '../../puzzle/types.ts';
import type { Listing, Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { type Fact, factsAbout, solutionFacts } from '../model/facts.ts';
import { actionOn, buttonOn, pictureOf, searchOption } from '../model/named-board.ts';
import { buttonsBlock, chainText, factsBlock, notes, present, textBlock, toAsker } from '../model/text.ts';
import { type Block, type BoardReply, dataReply } from '../model/types.ts';
import { lettersLeft } from '../picture/path.ts';
import { bestOf, notFoundReason, offends, quickOf, shortestOf } from './chosen-solutions.ts';
import { beginsNote, type HintRequest, isLastWordOfShortest, playedWordsFacts, SOLVED_TEXT } from './hint.ts';
import {
  hintLabel,
  NO_PRICES,
  nextStep,
  type Prices,
  priceNote,
  priceOf,
  pricesOf,
  stuckText,
  tierText,
} from './hint-steps.ts';
import { listedBlocks, notFoundIn, unprovenBlocks } from './solution-lists.ts';

const WORDS_SHOWN = 3;

type NextWordRequest = Omit<HintRequest, 'step'> & Pick<Judge, 'isListExact'> & { readonly prices?: Prices };

/** How to continue from the words played: how many more it takes, and the best next words. */
export function nextReply(request: NextWordRequest): BoardReply {
  const { namedBoard, search } = request;
  const played = search.options.played ?? [];
  const typed = searchOption(search);
  const beginsFacts = playedWordsFacts(request);
  const open: Fact[] = search.fewest ? ['count', ...beginsFacts.flatMap(({ facts }) => facts)] : [];
  const { points, priceLabel, paidThen } = pricesOf(request.prices ?? NO_PRICES, {
    open,
    hidden: hiddenFacts(request),
  });
  const wordBlocks = nextWordBlocks(request, priceLabel);
  const step = nextStep([], played);
  const isStuck = search.fewest === undefined && search.cut === undefined;
  const hint = hintLabel('A hint instead', { step, points: isStuck ? 0 : priceOf([step], paidThen) });
  const blocks = [
    wordBlocks,
    played.length > 0 && pictureOf(namedBoard.board, { words: played }),
    notes(beginsNote(beginsFacts, points) || priceNote(points)),
    buttonsBlock([
      search.fewest !== 0 && buttonOn(namedBoard, hint, 'hint', { options: typed }),
      buttonOn(namedBoard, 'Check', 'check'),
    ]),
  ];
  return toAsker(`After ${chainText(played)}${tierText(search)}`, blocks, {
    reveals: search.fewest ? [factsAbout(namedBoard, 'count'), ...beginsFacts] : [],
    notFound: notFoundIn(wordBlocks, search),
    rerun: actionOn(namedBoard, 'next', typed),
  });
}

/** What the hidden words tell. A last word tells the solution only if the whole chain is a shortest one. */
function hiddenFacts(request: NextWordRequest): Fact[] {
  const { fewest, cut } = request.search;
  if (fewest === undefined) return cut === undefined ? [] : ['solution'];
  if (fewest === 0) return [];
  return [isLastWordOfShortest(request) ? 'solution' : 'first'];
}

const DEFAULT_DATA_LIMIT = 5;

export function nextData({ namedBoard, search }: NextWordRequest, limit = DEFAULT_DATA_LIMIT): BoardReply {
  const { board, options, fewest, cut } = search;
  const ways = fewest === 0 ? [] : [...waysOn(search, { oneEach: true }).take(limit)];
  // If certainty took too long, a correct continuation that may not be the shortest is better than none.
  const unproven = notFoundReason(search, ways.length > 0) === 'unknown' ? quickOf(search) : undefined;
  const isFound = ways.length > 0 || unproven !== undefined;
  const { sides } = board;
  const chains = [...ways, ...present([unproven])].map(({ words }) => words);
  return dataReply(
    { sides, played: options.played ?? [], fewestMore: fewest ?? null, ways, cut, unproven },
    isFound ? [solutionFacts(namedBoard, chains, options.played)] : [],
    { notFound: notFoundReason(search, isFound) },
  );
}

/** Solutions that continue from here, without offensive ones unless there are no others. */
function waysOn(search: Search, listing: Listing): IteratorObject<Solution> {
  const isOffensive = offends(search, bestOf(search)?.words ?? []);
  return shortestOf(search, listing).filter(({ words }) => isOffensive || !offends(search, words));
}

function nextWordBlocks(request: NextWordRequest, priceLabel: string): Block[] {
  const { search } = request;
  const { fewest, options } = search;
  const { played = [] } = options;
  if (fewest === 0) return textBlock([SOLVED_TEXT]);
  // If all solutions of the fewest words have an offensive word, the best one is longer.
  const exactly = bestOf(search)?.words.length ?? fewest;
  const solutions = waysOn(search, { oneEach: true, exactly }).take(WORDS_SHOWN).toArray();
  const [best] = solutions;
  if (fewest === undefined || best === undefined) {
    const stuck = stuckText(search, 'Take back the last word and try another.');
    return [...textBlock([search.cut ?? stuck]), ...unprovenBlocks({ ...request, priceLabel })];
  }
  const nextWords = solutions.map(({ words: [word = ''] }) => ({
    words: [word],
    likelihood: search.words.find((known) => known.word === word)?.likelihood ?? 0,
    leaves: lettersLeft(search.board, [...played, word]),
  }));
  const label = nextWords.length === 1 ? 'Best next word' : 'Best next words';
  const fact = isLastWordOfShortest(request) ? 'solution' : 'first';
  return [
    ...factsBlock({ 'Words still needed': grouped(fewest) }),
    ...listedBlocks({ ...request, fact, priceLabel }, [{ label, solutions: nextWords }]),
    ...notes(search.cut),
  ];
}
