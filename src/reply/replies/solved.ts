import { counted, grouped } from '../../core/text.ts';
import type { Listing, Search } from '../../solver/search.ts';
import type { Order } from '../../solver/types.ts';
import { pageButtons, pageNote, takePage } from '../model/paging.ts';
import { actionOn, buttonOn, buttonsBlock, nameAfter, type Subject } from '../model/subject.ts';
import type { Action, Block, Fact, Reply } from '../model/types.ts';
import { notFoundIn, safestOf, shortestOf } from './chosen-solutions.ts';
import { likelihoodNote, listBlocks, safestLabel, unprovenBlocks } from './solution-parts.ts';

const PAGE = 5;
/** A page of one long list has room for more. */
const FULL_PAGE = 15;

export interface SolvedRequest {
  readonly subject: Subject;
  readonly search: Search;
  readonly certain: boolean;
  /** Only solutions with this many words. */
  readonly exactly?: number;
  /** Every solution with the fewest words (or `exactly` as many), page by page, rather than the best of two kinds. */
  readonly all?: boolean;
  /** At most one solution, the best, for each first word. */
  readonly each?: boolean;
  /** How many solutions a page has, where that was asked for. Then there are no buttons to other pages. */
  readonly size?: number;
  /** Set when a paging button asked; the reply then changes the message it sits on. */
  readonly page?: number;
  /** The other options (`exclude`, `require`, …), which the buttons repeat. */
  readonly options?: Action['options'];
  readonly audience: Reply['audience'];
}

/** A solved board: counts in the open, the best solutions hidden, page by page. */
export function solvedReply(request: SolvedRequest): Reply {
  const { subject, search, certain, exactly, page = 1, options = {}, audience } = request;
  const name = nameAfter(subject, search);
  if (search.fewest === 0) {
    const done = 'Every letter is used already: nothing is left.';
    return { title: `Solved: ${name}`, blocks: [{ kind: 'text', lines: [done] }], audience };
  }
  const asked = actionOn(subject, 'solve', options);
  const lists = listsOf(search, request).map(({ label, order, listing, size }) => ({
    label,
    page: takePage(
      order === 'safest' ? safestOf(search) : shortestOf(search, listing),
      page,
      request.size ?? size,
    ),
  }));
  const longest = lists.find((list) => list.page.hasMore)?.page ?? lists[0]!.page;
  const isEmpty = lists.every((list) => list.page.items.length === 0);
  const unproven = isEmpty && page === 1 && exactly === undefined ? unprovenBlocks(search, certain) : [];
  const facts = factsOf(search, exactly);
  const blocks: Block[] = [
    { kind: 'facts', facts },
    ...(unproven.length > 0
      ? unproven
      : isEmpty
        ? [{ kind: 'text' as const, lines: [nothing(search, exactly, page)] }]
        : [
            ...listBlocks(
              lists.map(({ label, page: { items } }) => ({ label, solutions: items })),
              certain,
            ),
            ...likelihoodNote(
              certain,
              lists.flatMap((list) => list.page.items),
            ),
          ]),
    ...pageNote('Solution', longest),
    ...(search.cut === undefined ? [] : [{ kind: 'note' as const, line: search.cut }]),
    ...buttonsBlock([
      ...(request.size === undefined ? pageButtons(asked, longest) : []),
      ...(page === 1 && search.words.length > 0 ? [buttonOn(subject, 'Playable words', 'words')] : []),
    ]),
  ];
  return {
    title: `${isEmpty && unproven.length === 0 && page === 1 ? 'No solution found' : 'Solutions'}: ${name}`,
    blocks,
    audience,
    ...(page === 1 && notFoundIn(search, blocks)),
    again: { command: asked.command, options: { ...asked.options, page } },
    ...(request.page !== undefined && { replaces: true }),
  };
}

interface List {
  readonly label: string;
  readonly order: Order;
  readonly listing: Listing;
  readonly size: number;
}

function listsOf(search: Search, { exactly, all, each, certain }: SolvedRequest): List[] {
  const once = each ? { oneEach: true } : {};
  if (all) {
    const words = exactly ?? search.fewest;
    const listing = words === undefined ? once : { ...once, exactly: words };
    return [
      {
        label: `All solutions, ${certain ? 'best known' : 'likeliest'} first`,
        order: 'shortest',
        listing,
        size: FULL_PAGE,
      },
    ];
  }
  if (exactly !== undefined || each) {
    const label = exactly === undefined ? 'One for each first word' : `With ${counted(exactly, 'word')}`;
    const listing = exactly === undefined ? once : { ...once, exactly };
    return [{ label, order: 'shortest', listing, size: FULL_PAGE }];
  }
  return [
    { label: 'Shortest', order: 'shortest', listing: {}, size: PAGE },
    { label: safestLabel(certain), order: 'safest', listing: {}, size: PAGE },
  ];
}

function factsOf(search: Search, exactly: number | undefined): Fact[] {
  const { fewest } = search;
  const lengths = fewest === undefined ? [exactly] : [...new Set([fewest, fewest + 1, exactly])];
  return [
    { label: 'Playable words', value: grouped(search.words.length) },
    ...fewestFact(search),
    ...lengths
      .filter((words) => words !== undefined && words > 0 && words <= Math.max(search.maxWords, exactly ?? 0))
      .flatMap((words) => countFact(search, words!)),
  ];
}

/** The fewest words, or between which bounds they lie where the time ran out before they were certain. */
function fewestFact(search: Search): Fact[] {
  const { atLeast, atMost } = search.fewestBounds;
  if (search.fewest !== undefined) return [{ label: 'Fewest words', value: String(search.fewest) }];
  if (search.cut === undefined) return [];
  const most = atMost === undefined ? '' : `, at most ${atMost}`;
  return [{ label: 'Fewest words', value: `at least ${atLeast}${most}` }];
}

function countFact(search: Search, words: number): Fact[] {
  const { value, exact } = search.counted(words);
  if (!exact && Number(value) === 0) return [];
  return [
    {
      label: `Solutions with ${counted(words, 'word')}`,
      value: exact ? grouped(value) : `at least ${grouped(value)}`,
    },
  ];
}

function nothing(search: Search, exactly: number | undefined, page: number): string {
  if (page > 1) return 'There are no more solutions.';
  if (search.words.length === 0) return 'No word in the word list can be played on this board.';
  if (search.cut !== undefined) return 'No solution was found in the time there was.';
  const { exclude, require, tier } = search.options;
  const narrowed = exclude || require || tier ? ' with these options' : '';
  return exactly === undefined
    ? `The word list has no solution in ${search.maxWords} words or fewer${narrowed}.`
    : `No solution has exactly ${counted(exactly, 'word')}${narrowed}.`;
}
