import { expect, it } from 'vitest';
import { parseBoard } from '../../src/solver/board.ts';
import { explainFilter } from '../../src/solver/explain.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';

const LIKELY = { forum: 0.9, mozart: 0.2, ram: 0.9, moor: 0.9, unform: 0.5, tub: 0.9, letter: 0.9 };
const lexicon = loadLexicon(
  compileLexicon(
    Object.entries(LIKELY).map(([word, likelihood]) => ({
      word,
      likelihood,
      tier: likelihood < 0.9 ? 'wide' : 'everyday',
    })),
  ),
);

it('says what each stage of the filter leaves and drops, the likeliest and longest words first', () => {
  const stages = explainFilter(
    parseBoard('ozu nri lfa mbt'),
    lexicon,
    { tier: 'everyday', exclude: ['RAM'] },
    2,
  );
  expect(stages).toEqual([
    { stage: 'list', left: 7, kept: ['letter', 'forum'], dropped: [] },
    { stage: 'letters', left: 6, kept: ['forum', 'moor'], dropped: ['letter'] },
    { stage: 'sides', left: 4, kept: ['forum', 'ram'], dropped: ['moor', 'mozart'] },
    { stage: 'everyday', left: 3, kept: ['forum', 'ram'], dropped: ['unform'] },
    { stage: 'exclude', left: 2, kept: ['forum', 'tub'], dropped: ['ram'] },
  ]);
});

it('leaves out the stages that nobody asked for', () => {
  const stages = explainFilter(parseBoard('ozu nri lfa mbt'), lexicon);
  expect(stages.map(({ stage }) => stage)).toEqual(['list', 'letters', 'sides']);
});
