import { describe, expect, it } from 'vitest';
import { MAX_SPOTS_WITH_REPEATS, makeBoard, parseBoard } from '../../src/solver/board.ts';
import { checkWords } from '../../src/solver/check.ts';
import { hardestLetters, startLetters } from '../../src/solver/hints.ts';
import { walkBoard } from '../../src/solver/playable.ts';
import { makeSearch, type Search, type SearchOptions } from '../../src/solver/search.ts';
import { type Board, ORDERS, type Solution } from '../../src/solver/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { sample } from '../fakes/sample.ts';
import { everydayLexicon, random } from './random-boards.ts';

/** Each alphabet about nine times, a third of those with the same side all around; in `npm test`, three that are quick. */
const BOARDS = sample(
  Array.from({ length: 60 }, (_, index) => index + 1),
  [4, 11, 13],
);
/** `stop` becomes true after it was asked so often: steps are counted, as a test has no clock to trust. */
const LOOKS = 100;
const ALPHABETS = ['e', 'es', 'ae', 'aeinst', 'aeist', 'aeinrstlodcu', 'abcdefghijklmnopqrstuvwxyz'] as const;

function hostileBoard(seed: number): Board {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const alphabet = ALPHABETS[seed % ALPHABETS.length]!;
  const sides = 3 + below(6);
  const size = Math.max(2, Math.floor(MAX_SPOTS_WITH_REPEATS / sides));
  const draw = () => Array.from({ length: size }, () => alphabet[below(alphabet.length)]!).join('');
  // A third of the boards has the same side all around, which makes most ways to walk a word.
  const same = next() < 1 / 3 ? draw() : undefined;
  return makeBoard(Array.from({ length: sides }, () => same ?? draw()));
}

/** Walks the words over the spots with sets of (spot, covered): plain, and without any bound. */
function solves(board: Board, words: readonly string[]): boolean {
  const text = words.map((word, at) => (at === 0 ? word : word.slice(1))).join('');
  let ways = new Set<number>();
  for (let at = 0; at < text.length; at++) {
    const next = new Set<number>();
    for (let spot = 0; spot < board.letters.length; spot++) {
      if (board.letters[spot] !== text[at]) continue;
      if (at === 0) next.add(spot * 2 ** 26 + 2 ** spot);
      for (const way of ways) {
        const last = Math.floor(way / 2 ** 26);
        const covered = (way % 2 ** 26) | (1 << spot);
        if (board.sideOf[last] !== board.sideOf[spot]) next.add(spot * 2 ** 26 + covered);
      }
      if (next.size > 20_000) return true;
    }
    ways = next;
  }
  return [...ways].some((way) => way % 2 ** 26 === board.full);
}

function expectRight(search: Search, solutions: readonly Solution[]) {
  const { require = [], exclude = [] } = search.options;
  for (const { words } of solutions) {
    expect(solves(search.board, words)).toBe(true);
    for (const word of require) expect(words).toContain(word);
    for (const word of exclude) expect(words).not.toContain(word);
  }
}

describe('hostile boards', () => {
  const lexicon = readLexicon();
  const stopping = () => {
    let looks = 0;
    return () => ++looks > LOOKS;
  };

  it.each(BOARDS)('every answer of board %i is right', (seed) => {
    const board = hostileBoard(seed);
    const words = walkBoard(board, lexicon);
    const spelled = (number: number) => words.word(number).word;
    const variants: SearchOptions[] = [{}, { tier: 'everyday' }];
    if (words.size > 0) variants.push({ exclude: [spelled(0)] }, { require: [spelled(words.size - 1)] });
    for (const options of variants) {
      const search = makeSearch(board, words, { ...options, stop: stopping() });
      expect(search.count(1)).toBeDefined();
      expect(search.count(2)).toBeDefined();
      const { fewest } = search;
      const { atLeast, atMost } = search.fewestBounds;
      if (fewest !== undefined) expect([atLeast, atMost]).toEqual([fewest, fewest]);
      else if (atMost !== undefined) expect(atLeast).toBeLessThanOrEqual(atMost);
      for (const order of ORDERS) expectRight(search, search.solutions(order).take(3).toArray());
      expectRight(search, search.solutions('shortest', { oneEach: true }).take(3).toArray());
      const quick = search.anySolution();
      if (quick !== undefined) expectRight(search, [quick]);
    }
    if (words.size === 0) return;
    const whole = makeSearch(board, words, { stop: stopping() });
    expect(hardestLetters(whole)).toHaveLength(board.letters.length);
    startLetters(whole);
    const longest = Array.from({ length: words.size }, (_, number) => spelled(number)).reduce((a, b) =>
      b.length > a.length ? b : a,
    );
    const { words: judged } = checkWords(board, [longest], whole, () => true);
    expect(judged).toEqual([{ word: longest }]);
    makeSearch(board, words, { played: [longest], stop: stopping() })
      .solutions('shortest')
      .take(3)
      .toArray();
  });

  const small = [['eeee ssss aaaa tttt', 3]] as const;
  it.each(sample([...small, ['es es es es es es es es', 4] as const], [...small]))(
    'the fewest words of %s, whose words have thousands of walks, are %i',
    (sides, fewest) => {
      const board = parseBoard(sides);
      expect(makeSearch(board, walkBoard(board, lexicon)).fewest).toBe(fewest);
    },
  );

  it('a list that is cut for its size does not say that the time ran out', () => {
    const board = parseBoard('ab|ab|ab|ab|ab|ab|ab');
    const search = makeSearch(board, walkBoard(board, everydayLexicon(['ababab', 'bababa'])));
    const found = search.solutions('shortest', { exactly: 3 }).toArray();
    expect(found.every(({ betterMayExist }) => betterMayExist)).toBe(true);
    expect(search.cut).toMatch(/too many ways to combine them before the list of solutions/);
  });

  it('a hundred words of forty letters are checked', () => {
    const board = makeBoard(Array.from({ length: 3 }, () => 'aeist'));
    const search = makeSearch(board, walkBoard(board, lexicon), { stop: stopping() });
    const words = Array.from({ length: 100 }, () => `s${'eat'.repeat(13)}`.slice(0, 39).concat('s'));
    const { words: judged, left } = checkWords(board, words, search, () => true);
    expect(judged.every(({ broken }) => broken === undefined)).toBe(true);
    expect([...new Set(left)]).toEqual(['i']);
  });
});
