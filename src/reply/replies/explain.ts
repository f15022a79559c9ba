import { counted, grouped } from '../../core/text.ts';
import {
  type EdgeLetter,
  edgeLetters,
  explainFilter,
  type FilterStage,
  walkedGraph,
} from '../../solver/hints.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import { type Fact, factsAbout, solutionFacts } from '../model/facts.ts';
import { bold, chainText, factsBlock, notes, toAsker } from '../model/text.ts';
import { type Block, type BoardReply, dataReply, type Line } from '../model/types.ts';
import { offends, shortestOf } from './chosen-solutions.ts';
import { NO_PRICES, priceNote, pricesOf } from './hint-steps.ts';
import { factOf, type SolveRequest } from './solutions.ts';

const STAGE_TEXTS: Readonly<Record<FilterStage, { readonly name: string; readonly dropped: string }>> = {
  list: { name: 'Words in the list', dropped: '' },
  letters: { name: 'With the board’s letters alone', dropped: 'With other letters' },
  sides: { name: 'With no two letters in a row from one side', dropped: 'With two letters from one side' },
  everyday: { name: 'That most people know', dropped: 'That fewer people know' },
  exclude: { name: 'Without those left out', dropped: 'Left out' },
};

/** Of the words of each stage, and of the solutions. */
const MAX_EXAMPLES = 10;

interface ExplainRequest extends Pick<SolveRequest, 'namedBoard' | 'search' | 'terminal' | 'prices'> {
  readonly lexicon: Lexicon;
}

/** How many words each stage of the filter keeps, with examples, and the letters with which solutions begin and end. */
export function explainReply(request: ExplainRequest): BoardReply {
  const { namedBoard, search, lexicon, terminal, prices = NO_PRICES } = request;
  const stages = stagesOf(request);
  const { nodes, edges } = walkedGraph(namedBoard.board, lexicon);
  const facts = stages.map(({ stage, left }) => [STAGE_TEXTS[stage].name, grouped(left)]);
  const examples = stages
    .flatMap(({ stage, kept, dropped }): [string, readonly string[]][] => [
      [STAGE_TEXTS[stage].dropped, dropped],
      [STAGE_TEXTS[stage].name, kept],
    ])
    .filter(([, words]) => words.length > 0)
    .map(([name, words]): Line => [bold(`${name}: `), words.join(', ').toUpperCase()]);
  const { first, last, cut } = edgeLetters(search);
  const letters = cut === undefined ? [...lettersLines('begin', first), ...lettersLines('end', last)] : [cut];
  // The letters that solutions end with reveal as much as the joint.
  const told = cut === undefined ? [factOf(search, 'start'), factOf(search, 'joint')] : [];
  // Only in the terminal: at doors that don't report what is opened, a spoiler with solutions costs all hints when it is sent.
  const solutions = terminal === undefined ? [] : solutionBlocks(request);
  const hidden: Fact[] = solutions.length === 0 ? told : [...told, 'solution'];
  const { points, priceLabel } = pricesOf(prices, { open: [], hidden });
  const blocks: Block[] = [
    ...factsBlock({
      ...Object.fromEntries(facts),
      // Where the game's own list, or a part of it, is known, it overrules ours, so that the search has other words.
      'After what the game is known to accept':
        search.words.length !== stages.at(-1)!.left && grouped(search.words.length),
      'Looked at': `${counted(nodes, 'node')} and ${counted(edges, 'edge')} of the word graph`,
    }),
    { kind: 'spoiler', label: 'Examples', hidden: examples, reveals: undefined },
    {
      kind: 'spoiler',
      label: `Letters of the shortest solutions${priceLabel}`,
      hidden: letters,
      reveals: factsAbout(namedBoard, ...told),
    },
    ...solutions,
    ...notes(priceNote(points)),
  ];
  return toAsker(`How the words were chosen: ${namedBoard.name}`, blocks, { reveals: [] });
}

function solutionBlocks({ namedBoard, search }: ExplainRequest): Block[] {
  const chains = [...shortestOf(search).take(MAX_EXAMPLES)].map(({ words }) => words);
  const hidden = chains.map(chainText);
  const reveals = solutionFacts(namedBoard, chains);
  return hidden.length === 0 ? [] : [{ kind: 'spoiler', label: 'Solutions', hidden, reveals }];
}

export function explainData(request: ExplainRequest): BoardReply {
  const { namedBoard, search, lexicon } = request;
  const { sides } = namedBoard.board;
  const solutions = [...shortestOf(search).take(MAX_EXAMPLES)];
  const visited = walkedGraph(namedBoard.board, lexicon);
  const data = {
    sides,
    stages: stagesOf(request),
    playable: search.words.length,
    visited,
    letters: edgeLetters(search),
    solutions,
  };
  const chains = solutions.map(({ words }) => words);
  return dataReply(data, [solutionFacts(namedBoard, chains)]);
}

/** The stages of the filter, with examples that offend nobody. */
function stagesOf({ namedBoard, search, lexicon }: ExplainRequest) {
  const inoffensive = (words: readonly string[]) => words.filter((word) => !offends(search, [word]));
  return explainFilter(namedBoard.board, lexicon, search.options, MAX_EXAMPLES).map(
    ({ kept, dropped, ...stage }) => ({
      ...stage,
      kept: inoffensive(kept),
      dropped: inoffensive(dropped),
    }),
  );
}

function lettersLines(verb: 'begin' | 'end', letters: readonly EdgeLetter[]): Line[] {
  const groups = Map.groupBy(letters, ({ solutions }) => solutions > 0);
  return [...groups].map(([isGood, some]) => [
    bold(isGood ? `They ${verb} with: ` : `None ${verb}s with: `),
    some.map(({ letter }) => letter.toUpperCase()).join(', '),
  ]);
}
