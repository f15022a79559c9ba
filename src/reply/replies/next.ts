import { grouped } from '../../core/text.ts';
import type { Listing, Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { factsAbout } from '../model/facts.ts';
import { actionOn, buttonOn, type NamedBoard, pictureOf, searchOption } from '../model/named-board.ts';
import { buttonsBlock, chainText, factsBlock, notes, textBlock, toAsker } from '../model/text.ts';
import { type Block, type BoardReply, dataReply } from '../model/types.ts';
import { spotsLeft } from '../picture/layout.ts';
import { bestOf, notFoundField, notFoundReason, offends, quickOf, shortestOf } from './chosen-solutions.ts';
import { playedWordsFacts, playedWordsNote } from './hint.ts';
import { likelihoodNote, listBlocks, unprovenBlocks } from './solution-lists.ts';

const WORDS_SHOWN = 3;

export interface NextWordRequest {
  readonly namedBoard: NamedBoard;
  /** Continues from the words played, its option `played`. */
  readonly search: Search;
  /** Whether the word list of the game is known, rather than estimated (`Judge.isListExact`). */
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
