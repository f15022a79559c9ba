/** How the words that a board can be solved with were chosen: the answer to `solve` with `explain`. */

import { grouped } from '../../core/text.ts';
import { type EdgeLetter, edgeLetters, explainFilter, type FilterStage } from '../../solver/hints.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import type { Search } from '../../solver/search.ts';
import { type BoardFacts, factsAbout } from '../model/facts.ts';
import type { NamedBoard } from '../model/named-board.ts';
import { bold, factsBlock, toAsker } from '../model/text.ts';
import { type Block, type BoardReply, dataReply, type Line } from '../model/types.ts';
import { offends } from './chosen-solutions.ts';
import { factOf } from './solutions.ts';

const STAGE_TEXTS: Readonly<Record<FilterStage, { readonly name: string; readonly dropped: string }>> = {
  list: { name: 'Words in the list', dropped: '' },
  letters: { name: 'With the board’s letters alone', dropped: 'With other letters' },
  sides: { name: 'With no two letters in a row from one side', dropped: 'With two letters from one side' },
  everyday: { name: 'That most people know', dropped: 'That fewer people know' },
  exclude: { name: 'Without those left out', dropped: 'Left out' },
};

export interface ExplainRequest {
  readonly namedBoard: NamedBoard;
  readonly search: Search;
  readonly lexicon: Lexicon;
}

/** The facts in the letters that solutions begin and end with: the first is a hint, the second reveals as much as the joint. */
function edgesFacts(namedBoard: NamedBoard, search: Search): BoardFacts {
  return factsAbout(namedBoard, factOf(search, 'start'), factOf(search, 'joint'));
}

/** How many words each stage of the filter keeps, with examples, and the letters with which solutions begin and end. */
export function explainReply({ namedBoard, search, lexicon }: ExplainRequest): BoardReply {
  const stages = explainFilter(namedBoard.board, lexicon, search.options);
  const facts = stages.map(({ stage, left }) => [STAGE_TEXTS[stage].name, grouped(left)]);
  const examples = stages
    .flatMap(({ stage, kept, dropped }): [string, readonly string[]][] => [
      [STAGE_TEXTS[stage].dropped, dropped],
      [STAGE_TEXTS[stage].name, kept],
    ])
    .map(([name, words]) => [name, words.filter((word) => !offends(search, [word]))] as const)
    .filter(([, words]) => words.length > 0)
    .map(([name, words]): Line => [bold(`${name}: `), words.join(', ').toUpperCase()]);
  const { first, last, cut } = edgeLetters(search);
  const letters = cut === undefined ? [...lettersLines('begin', first), ...lettersLines('end', last)] : [cut];
  const blocks: Block[] = [
    ...factsBlock(Object.fromEntries(facts)),
    { kind: 'spoiler', label: 'Examples', hidden: examples, reveals: undefined },
    {
      kind: 'spoiler',
      label: 'Letters of the shortest solutions',
      hidden: letters,
      reveals: edgesFacts(namedBoard, search),
    },
  ];
  return toAsker(`How the words were chosen: ${namedBoard.name}`, blocks, { reveals: [] });
}

/** The same answer as data for programs. */
export function explainData({ namedBoard, search, lexicon }: ExplainRequest): BoardReply {
  const inoffensive = (words: readonly string[]) => words.filter((word) => !offends(search, [word]));
  const stages = explainFilter(namedBoard.board, lexicon, search.options).map(
    ({ kept, dropped, ...stage }) => ({
      ...stage,
      kept: inoffensive(kept),
      dropped: inoffensive(dropped),
    }),
  );
  const data = { sides: namedBoard.board.sides, stages, letters: edgeLetters(search) };
  return dataReply(data, [edgesFacts(namedBoard, search)]);
}

function lettersLines(verb: 'begin' | 'end', letters: readonly EdgeLetter[]): Line[] {
  const good = letters.filter(({ solutions }) => solutions > 0);
  const bad = letters.filter((one) => !good.includes(one));
  const list = (some: readonly EdgeLetter[]) => some.map(({ letter }) => letter.toUpperCase()).join(', ');
  return [
    ...(good.length > 0 ? [[bold(`They ${verb} with: `), list(good)]] : []),
    ...(bad.length > 0 ? [[bold(`None ${verb}s with: `), list(bad)]] : []),
  ];
}
