import { findPlayable } from '../../solver/playable.ts';
import { makeSearch } from '../../solver/search.ts';
import { splitWords } from './arguments.ts';
import { boardFor, lexiconFor, wordsAndBoard } from './board.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

const SHOWN = 5;

export const next: Subcommand = {
  usage: 'next <words> <sides>',
  about: 'How to go on after the words already played',
  options: ['board', 'everyday', 'limit'],
  async run(typed) {
    const { words, board: text } = wordsAndBoard(typed, 'next');
    const board = await boardFor(text);
    const played = splitWords(words);
    const search = makeSearch(board, findPlayable(board, lexiconFor(typed)), {
      played,
      ...(typed.flag('everyday') && { tier: 'everyday' as const }),
    });
    const { fewest } = search;
    const limit = typed.whole('limit', 1, 10_000) ?? SHOWN;
    const ways = [...search.solutions('shortest', { oneEach: true }).take(limit)];
    return {
      exit: fewest === undefined ? EXIT.noSolution : EXIT.answered,
      json: () => ({ sides: board.sides, played, fewestMore: fewest ?? null, ways }),
      *lines() {
        if (fewest === undefined) yield 'No words of our list finish from here.';
        else if (fewest === 0) yield 'Solved: nothing is left.';
        else {
          yield `Fewest more words: ${fewest}`;
          for (const way of ways) yield `  ${way.words.join(' ')}`;
        }
      },
    };
  },
};
