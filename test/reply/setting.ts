import type { Puzzle } from '../../src/puzzle/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { walkWord } from '../../src/solver/playable.ts';
import { makeSearch, type SearchOptions } from '../../src/solver/search.ts';
import type { Board, PlayableWord } from '../../src/solver/types.ts';
import { random } from '../solver/random-boards.ts';

/** Words that no sentence can hold by accident: they have no vowels. */
export const BOARD = makeBoard(['bcd', 'fgh', 'jkl', 'mnp']);
export const WORDS = playable(BOARD, {
  bfjmcg: 0.96,
  gkdhlnbp: 0.4,
  gkdhln: 0.9,
  nbp: 0.995,
  bfjm: 0.8,
  mcgkdhlnbp: 0.3,
});

export const PUZZLE: Puzzle = { date: '2026-11-20', source: 'house', board: BOARD };

export function searchOf(options?: SearchOptions) {
  return makeSearch(BOARD, WORDS, options);
}

export function playable(board: Board, likelihoods: Readonly<Record<string, number>>): PlayableWord[] {
  return Object.entries(likelihoods).map(([word, likelihood]) => ({
    word,
    likelihood,
    length: word.length,
    tier: 'everyday',
    walks: walkWord(board, word),
  }));
}

/** A made-up board of consonants, words that solve it one after the other, and others that don't. */
export function madeUp(seed: number): { board: Board; words: PlayableWord[] } {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const letters = [...'bcdfghjklmnpqrstvwxz'];
  const draw = () => letters.splice(below(letters.length), 1).join('');
  const sides = Array.from({ length: 4 + below(3) }, () =>
    Array.from({ length: 1 + below(3) }, draw).join(''),
  );
  const board = makeBoard(sides);
  const touched = new Set<number>();
  const likelihoods: Record<string, number> = {};
  const walk = (from: number, isDone: (length: number) => boolean) => {
    const word = [from];
    for (let at = from; !isDone(word.length); word.push(at)) {
      touched.add(at);
      const open = [...board.sideOf.keys()].filter((spot) => board.sideOf[spot] !== board.sideOf[at]);
      const fresh = open.filter((spot) => !touched.has(spot));
      const choice = fresh.length > 0 && next() < 0.8 ? fresh : open;
      at = choice[below(choice.length)]!;
    }
    touched.add(word.at(-1)!);
    likelihoods[word.map((spot) => board.letters[spot]).join('')] = 0.05 + 0.95 * next();
    return word.at(-1)!;
  };
  let end = below(board.letters.length);
  while (touched.size < board.letters.length) end = walk(end, (length) => length >= 3 && next() < 0.25);
  for (let stray = 0; stray < 25; stray++)
    walk(below(board.letters.length), (length) => length >= 3 && next() < 0.35);
  return { board, words: playable(board, likelihoods) };
}

/** A made-up board whose likeliest solutions contain an offensive word. All its other words are invented. */
const CRUDE_SIDES = 'wbc adf ngh kjl';
export const CRUDE_BOARD = makeBoard(CRUDE_SIDES.split(' '));
export const CRUDE_LIKELIHOODS: Readonly<Record<string, number>> = {
  wankbdgj: 0.9,
  jcfhl: 0.9,
  hlcfjbdgw: 0.9,
  wank: 0.9,
  wakn: 0.5,
  wanbdgk: 0.4,
  kcfjhl: 0.5,
};
