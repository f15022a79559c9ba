import type { Source } from '../../puzzle/types.ts';
import { solutionFacts } from '../model/facts.ts';
import { actionOn, buttonOn, type NamedBoard, pictureOf, sidesOption } from '../model/named-board.ts';
import { buttonsBlock, notes, replyTo, textBlock, toAsker } from '../model/text.ts';
import type { Block, BoardReply, Line, Reply } from '../model/types.ts';
import { offends, safestOf, shortestOf } from './chosen-solutions.ts';
import { REVIEW_LABEL } from './game.ts';
import { ALL_HINT_POINTS, hintLabel, type NextHint, pointsText } from './hint-steps.ts';
import {
  type ListedBoard,
  listedBlocks,
  notFoundIn,
  safestLabel,
  spoilersOf,
  unprovenBlocks,
} from './solution-lists.ts';

const SOLUTIONS_SHOWN = 3;

const OFFICIAL_LABELS: Readonly<Record<Source, string>> = {
  newspaper: 'The newspaper’s solution',
  house: 'The board’s own solution',
  hand: 'The solution typed with the board',
};

/**
 * What a solution reply needs. `search` is of the whole board, with nothing played. With `open`, the words are shown openly,
 * and the picture is hidden even then.
 */
export interface SolutionRequest extends Omit<ListedBoard, 'fact'> {
  /** The source's own solution, when known. */
  readonly official?: { readonly words: readonly string[]; readonly source: Source };
  readonly audience: Reply['audience'];
  /** Where the board comes from. */
  readonly source?: Line;
}

/** What the solution costs, before it is shown. */
export function priceReply(namedBoard: NamedBoard, points: number, nextHint: NextHint | undefined): Reply {
  const more = points < ALL_HINT_POINTS ? ' more' : '';
  const price = `In your result, the solution counts as all hints: ${pointsText(points)}${more}.`;
  return toAsker(`Show the solution? ${namedBoard.name}`, [
    textBlock([price]),
    buttonsBlock([
      buttonOn(namedBoard, 'Show the solution', 'reveal', { options: { open: true }, look: 'danger' }),
      buttonOn(namedBoard, hintLabel('A hint instead', nextHint), 'hint', { look: 'primary' }),
    ]),
  ]);
}

/** The full solution: the source's own, our shortest, our safest, and a picture, hidden unless `open` is set. */
export function solutionReply(request: SolutionRequest): BoardReply {
  const { namedBoard, search, audience, source } = request;
  const blocks = solutionBlocks(request);
  const shown = [
    ...blocks,
    notes(source),
    buttonsBlock([
      { label: 'All solutions', action: { command: 'solve', options: sidesOption(namedBoard.board) } },
      buttonOn(namedBoard, REVIEW_LABEL, 'review'),
    ]),
  ];
  return replyTo(audience, `Solution: ${namedBoard.name}`, shown, {
    reveals: [],
    notFound: notFoundIn(blocks, search),
    // Some doors open a spoiler by running this again. Whoever opens one has decided already, so `open` skips the price.
    rerun: actionOn(namedBoard, 'reveal', { open: true }),
  });
}

/** The solutions alone, for messages that merge several steps. */
export function solutionBlocks(request: SolutionRequest): Block[] {
  const { namedBoard, search, isListExact, official } = request;
  const { fewest } = search;
  const shortest =
    fewest === undefined ? [] : shortestOf(search, { exactly: fewest }).take(SOLUTIONS_SHOWN).toArray();
  const safest = safestOf(search).take(SOLUTIONS_SHOWN).toArray();
  const best = [official, ...shortest].find((one) => one && !offends(search, one.words));
  const none = search.cut ?? 'No solution found in the word list.';
  const lists = [
    { label: 'Shortest', solutions: shortest },
    { label: safestLabel(isListExact), solutions: safest },
  ];
  return [
    ...(official
      ? spoilersOf(request, {
          label: OFFICIAL_LABELS[official.source],
          // It is certain, so no percentage is shown.
          solutions: [{ words: official.words, likelihood: 1 }],
        })
      : []),
    ...(shortest.length === 0
      ? [...textBlock([none]), ...unprovenBlocks(request)]
      : listedBlocks(request, lists)),
    ...(best
      ? [
          pictureOf(namedBoard.board, {
            words: best.words,
            spoiler: solutionFacts(namedBoard, [best.words]),
          }),
        ]
      : []),
  ];
}
