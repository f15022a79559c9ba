import { popcount } from '../../solver/bits.ts';
import { findPlayable } from '../../solver/playable.ts';
import type { PlayableWord } from '../../solver/types.ts';
import { boardFor, lexiconFor } from './board.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

const SHOWN = 50;
const SORTS = ['likely', 'length', 'coverage'] as const;

const coverage = ({ walks }: PlayableWord) => Math.max(...walks.map(({ mask }) => popcount(mask)));
const KEYS: Readonly<Record<(typeof SORTS)[number], (word: PlayableWord) => number>> = {
  likely: (word) => word.likelihood,
  length: (word) => word.length,
  coverage,
};

export const words: Subcommand = {
  usage: 'words [options] <sides>',
  about: 'The words that can be played on a board',
  options: ['starts', 'ends', 'uses', 'sort', 'everyday', 'limit', 'all'],
  async run(typed) {
    const board = await boardFor(typed.bare.join(' '));
    const [starts = '', ends = '', uses = ''] = (['starts', 'ends', 'uses'] as const).map((name) =>
      typed.text(name)?.toLowerCase(),
    );
    const key = KEYS[typed.choice('sort', SORTS) ?? 'likely'];
    const found = findPlayable(board, lexiconFor(typed))
      .filter(({ tier }) => !typed.flag('everyday') || tier === 'everyday')
      .filter(({ word }) => word.startsWith(starts) && word.endsWith(ends))
      .filter(({ word }) => [...uses].every((letter) => word.includes(letter)))
      .sort((a, b) => key(b) - key(a) || b.likelihood - a.likelihood || (a.word < b.word ? -1 : 1));
    const limit = typed.whole('limit', 1, 1_000_000) ?? (typed.flag('all') ? found.length : SHOWN);
    const shown = found.slice(0, limit);
    return {
      exit: found.length > 0 ? EXIT.answered : EXIT.noSolution,
      json: () => ({
        sides: board.sides,
        total: found.length,
        words: shown.map((word) => ({
          word: word.word,
          likelihood: word.likelihood,
          tier: word.tier,
          covers: coverage(word),
        })),
      }),
      *lines() {
        for (const word of shown) {
          yield `${(100 * word.likelihood).toFixed(1).padStart(5)} %  ${String(coverage(word)).padStart(2)}  ${word.word}`;
        }
        if (shown.length < found.length) yield `and ${found.length - shown.length} more (--all)`;
        if (found.length === 0) yield 'No such word can be played on this board.';
      },
    };
  },
};
