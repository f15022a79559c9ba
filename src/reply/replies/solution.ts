import type { Source } from '../../puzzle/types.ts';
import type { Search } from '../../solver/search.ts';
import { actionOn, buttonOn, pictureOf, type Subject } from '../model/subject.ts';
import type { Block, Line, Reply } from '../model/types.ts';
import { notFoundIn, safestOf, shortestOf } from './chosen-solutions.ts';
import { likelihoodNote, listBlocks, safestLabel, unprovenBlocks, wordsLine } from './solution-parts.ts';

const SHOWN = 3;

const OFFICIAL: Readonly<Record<Source, string>> = {
  newspaper: 'The newspaper’s solution',
  house: 'The solution this board was made from',
  hand: 'The solution typed with the board',
};

export interface SolutionRequest {
  readonly subject: Subject;
  /** Of the whole board, with nothing played. */
  readonly search: Search;
  /** Whether the list that decides which words there are is known. */
  readonly certain: boolean;
  /** The source's own solution, when known. */
  readonly official?: { readonly words: readonly string[]; readonly source: Source };
  readonly audience: Reply['audience'];
  /** Shows the words openly to a person who has asked for just that. The picture stays hidden. */
  readonly open?: boolean;
  /** Where the board comes from. */
  readonly source?: Line;
}

/** The full solution: the source's own, our shortest, our safest, and a picture, hidden until opened. */
export function solutionReply(request: SolutionRequest): Reply {
  const { subject, search, audience, source, open } = request;
  const blocks = solutionBlocks(request);
  return {
    title: `Solution: ${subject.name}`,
    blocks: [
      ...blocks,
      ...(source === undefined ? [] : [{ kind: 'note' as const, line: source }]),
      {
        kind: 'buttons',
        buttons: [
          { label: 'All solutions', action: { command: 'solve', options: sidesOf(subject) } },
          buttonOn(subject, 'Check', 'check'),
        ],
      },
    ],
    audience,
    ...notFoundIn(search, blocks),
    again: actionOn(subject, 'reveal', open ? { open } : {}),
  };
}

/** The solutions alone, for messages that merge several steps. */
export function solutionBlocks({
  subject,
  search,
  certain,
  official,
  open = false,
}: SolutionRequest): Block[] {
  const { fewest } = search;
  const shortest = fewest === undefined ? [] : shortestOf(search, { exactly: fewest }).take(SHOWN).toArray();
  const safest = safestOf(search).take(SHOWN).toArray();
  const drawn = official?.words ?? shortest[0]?.words;
  const none = search.cut ?? 'No solution found in the word list.';
  return [
    ...(official === undefined
      ? []
      : [spoiler(OFFICIAL[official.source], [[wordsLine(official.words)]], open)]),
    ...(shortest.length === 0
      ? [{ kind: 'text' as const, lines: [none] }, ...unprovenBlocks(search, certain, { open })]
      : [
          ...listBlocks(
            [
              { label: 'Shortest', solutions: shortest },
              { label: safestLabel(certain), solutions: safest },
            ],
            certain,
            { open },
          ),
          ...likelihoodNote(certain, [...shortest, ...safest]),
        ]),
    ...(drawn === undefined ? [] : [pictureOf(subject.board, { words: drawn, spoiler: true })]),
  ];
}

function spoiler(label: string, hidden: readonly Line[], open: boolean): Block {
  return { kind: 'spoiler', label, hidden, ...(open && { open }) };
}

function sidesOf({ board }: Subject) {
  return { sides: board.sides.join('-') };
}
