import { grouped } from '../../core/text.ts';
import type { Search } from '../../solver/search.ts';
import { actionOn, buttonOn, pictureOf, type Subject, searchOption } from '../model/subject.ts';
import { chainText } from '../model/text.ts';
import { type Block, dataReply, type Reply } from '../model/types.ts';
import { notFoundBy, notFoundIn, quickOf, shortestOf } from './chosen-solutions.ts';
import { likelihoodNote, solutionLine, unprovenBlocks } from './solution-parts.ts';

const SHOWN = 3;

export interface NextRequest {
  readonly subject: Subject;
  /** With the words played so far as `played`. */
  readonly search: Search;
  readonly certain: boolean;
  readonly audience: Reply['audience'];
}

/** How to continue from the words played: how many more it takes, the best next word, and whole solutions. */
export function nextReply({ subject, search, certain, audience }: NextRequest): Reply {
  const played = search.options.played ?? [];
  const typed = searchOption(search);
  const blocks = continuationBlocks(search, certain);
  return {
    title: `After ${chainText(played)}`,
    blocks: [
      ...blocks,
      ...(played.length > 0 ? [pictureOf(subject.board, { words: played })] : []),
      {
        kind: 'buttons',
        buttons: [
          ...(search.fewest === 0 ? [] : [buttonOn(subject, 'A hint instead', 'hint', { options: typed })]),
          buttonOn(subject, 'Check', 'check'),
        ],
      },
    ],
    audience,
    ...notFoundIn(search, blocks),
    again: actionOn(subject, 'next', typed),
  };
}

/** Ways on that a program gets, unless it asks for another number. */
const FOR_PROGRAMS = 5;

/** The same for programs. */
export function nextData(search: Search, limit = FOR_PROGRAMS): Reply {
  const { board, options, fewest, cut } = search;
  const ways = fewest === 0 ? [] : [...shortestOf(search, { oneEach: true }).take(limit)];
  // Where certainty took too long, a right way on that may not be the shortest is better than none.
  const unproven = notFoundBy(search, ways.length > 0) === 'unknown' ? quickOf(search) : undefined;
  const { sides } = board;
  return dataReply(
    { sides, played: options.played ?? [], fewestMore: fewest ?? null, ways, cut, unproven },
    { notFound: notFoundBy(search, ways.length > 0 || unproven !== undefined) },
  );
}

function continuationBlocks(search: Search, certain: boolean): Block[] {
  const { fewest } = search;
  if (fewest === 0) return [{ kind: 'text', lines: ['Every letter is used: the board is solved.'] }];
  const listing = { oneEach: true, ...(fewest !== undefined && { exactly: fewest }) };
  const solutions = shortestOf(search, listing).take(SHOWN).toArray();
  const [best] = solutions;
  if (fewest === undefined || best === undefined) {
    const stuck = 'No word in the word list finishes from here. Take back the last word and try another.';
    return [{ kind: 'text', lines: [search.cut ?? stuck] }, ...unprovenBlocks(search, certain)];
  }
  const [first = ''] = best.words;
  const likelihood = search.words.find(({ word }) => word === first)?.likelihood ?? 0;
  return [
    { kind: 'facts', facts: [{ label: 'Words still needed', value: grouped(fewest) }] },
    {
      kind: 'spoiler',
      label: 'Best next word',
      hidden: [solutionLine({ words: [first], likelihood }, certain)],
    },
    ...(fewest === 1
      ? []
      : [
          {
            kind: 'spoiler' as const,
            label: 'The rest of the solution',
            hidden: solutions.map((solution) => solutionLine(solution, certain)),
          },
        ]),
    ...likelihoodNote(certain, [{ likelihood }, ...(fewest === 1 ? [] : solutions)]),
    ...(search.cut === undefined ? [] : [{ kind: 'note' as const, line: search.cut }]),
  ];
}
