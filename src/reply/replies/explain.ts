import { grouped } from '../../core/text.ts';
import { type EdgeLetter, edgeLetters, explainFilter, type FilterStage } from '../../solver/hints.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import type { Search } from '../../solver/search.ts';
import type { Subject } from '../model/subject.ts';
import { bold, factsBlock, replyTo } from '../model/text.ts';
import { dataReply, type Line, type Reply } from '../model/types.ts';
import { offends } from './chosen-solutions.ts';

const STAGES: Readonly<Record<FilterStage, { readonly name: string; readonly dropped: string }>> = {
  list: { name: 'Words in the list', dropped: '' },
  letters: { name: 'With the board’s letters alone', dropped: 'With other letters' },
  sides: { name: 'With no two letters in a row from one side', dropped: 'With two letters from one side' },
  everyday: { name: 'That most people know', dropped: 'That fewer people know' },
  exclude: { name: 'Without those left out', dropped: 'Left out' },
};

export interface ExplainRequest {
  readonly subject: Subject;
  readonly search: Search;
  readonly lexicon: Lexicon;
}

/** How many words each stage of the filter leaves, with examples, and the letters with which solutions begin and end. */
export function explainReply({ subject, search, lexicon }: ExplainRequest): Reply {
  const stages = explainFilter(subject.board, lexicon, search.options);
  const facts = stages.map(({ stage, left }) => [STAGES[stage].name, grouped(left)]);
  const examples = stages
    .flatMap(({ stage, kept, dropped }): [string, readonly string[]][] => [
      [STAGES[stage].dropped, dropped],
      [STAGES[stage].name, kept],
    ])
    .map(([name, words]) => [name, words.filter((word) => !offends(search, [word]))] as const)
    .filter(([, words]) => words.length > 0)
    .map(([name, words]): Line => [bold(`${name}: `), words.join(', ').toUpperCase()]);
  const { first, last, cut } = edgeLetters(search);
  const letters = cut === undefined ? [...lettersLines('begin', first), ...lettersLines('end', last)] : [cut];
  return replyTo('asker', `How the words were chosen: ${subject.name}`, [
    ...factsBlock(Object.fromEntries(facts)),
    { kind: 'spoiler', label: 'Examples', hidden: examples },
    { kind: 'spoiler', label: 'Letters of the shortest solutions', hidden: letters },
  ]);
}

/** The same for programs. */
export function explainData({ subject, search, lexicon }: ExplainRequest): Reply {
  const stages = explainFilter(subject.board, lexicon, search.options);
  return dataReply({ sides: subject.board.sides, stages, letters: edgeLetters(search) });
}

function lettersLines(verb: 'begin' | 'end', letters: readonly EdgeLetter[]): Line[] {
  const [good, bad] = [true, false].map((may) =>
    letters.filter(({ solutions }) => solutions > 0 === may).map(({ letter }) => letter.toUpperCase()),
  ) as [string[], string[]];
  return [
    ...(good.length > 0 ? [[bold(`They ${verb} with: `), good.join(', ')]] : []),
    ...(bad.length > 0 ? [[bold(`None ${verb}s with: `), bad.join(', ')]] : []),
  ];
}
