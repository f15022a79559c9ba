import { checkWords } from '../../solver/check.ts';
import { explainBroken } from '../../solver/explain.ts';
import { findPlayable } from '../../solver/playable.ts';
import { makeSearch } from '../../solver/search.ts';
import { splitWords } from './arguments.ts';
import { boardFor, lexiconFor, wordsAndBoard } from './board.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

export const check: Subcommand = {
  usage: 'check <words> <sides>',
  about: 'Check words on a board: which rule each wrong one breaks, and what is left',
  options: ['board'],
  async run(typed) {
    const { words, board: text } = wordsAndBoard(typed, 'check');
    const board = await boardFor(text);
    const lexicon = lexiconFor(typed);
    const search = makeSearch(board, findPlayable(board, lexicon));
    const result = checkWords(board, splitWords(words), search, (word) => lexicon.find(word) !== undefined);
    return {
      exit: EXIT.answered,
      json: () => ({ sides: board.sides, ...result, fewestMore: result.fewestMore ?? null }),
      *lines() {
        for (const { word, broken } of result.words) {
          yield broken === undefined ? `right  ${word}` : `wrong  ${explainBroken(word, broken, board)}`;
        }
        if (result.solved) yield 'Solved.';
        else {
          yield `Left: ${result.left.join(' ') || 'nothing'}`;
          yield result.fewestMore === undefined
            ? 'No words of our list could finish from here.'
            : `Fewest more words: ${result.fewestMore}`;
        }
      },
    };
  },
};
