import { describe, expect, it, vi } from 'vitest';
import { hasRepeats, makeBoard, parseBoard } from '../../src/solver/board.ts';
import { MAX_GRACE_STEPS, Stopped, Stopper } from '../../src/solver/edges.ts';
import { compileLexicon, type Lexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { findPlayable, walkBoard } from '../../src/solver/playable.ts';
import { makeSearch, type SearchOptions } from '../../src/solver/search.ts';
import { type Board, ORDERS, type PlayableWord } from '../../src/solver/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { agree } from '../agree.ts';
import { sample } from '../fakes/sample.ts';
import {
  allSolutions,
  type BruteSolution,
  type BruteWord,
  bySafest,
  byShortest,
  spellings,
} from './brute.ts';
import { everydayLexicon, playableOn, random, randomCase, randomWords } from './random-boards.ts';

const BOARDS = 10_000;
const EVERY = sample(1, 160);
const LOOKED_AT = BOARDS / EVERY;

describe('search against brute force', () => {
  it(`agrees on ${LOOKED_AT} random boards of all shapes: words, fewest, counts, every solution in order`, () => {
    const seen = { solved: 0, repeated: 0, sides: new Set<number>(), solutions: 0 };
    for (let seed = 1; seed <= BOARDS; seed += EVERY) {
      const { board, entries } = randomCase(seed);
      const label = `seed ${seed}, board ${board.sides.join(' ')}`;
      const lexicon = loadLexicon(compileLexicon(entries));
      const playable = findPlayable(board, lexicon);
      const expected = entries.filter(({ word }) => spellings(board.sides, word).length > 0);
      agree(label, namesOf(playable), namesOf(expected));

      const words = playableOn(board, expected);
      const most = words.length > 10 ? 2 : words.length > 7 ? 3 : 4;
      const all = allSolutions(board.sides, words, most);
      checkAgainst(label, board, words, all, {}, most);
      for (const startLetter of new Set(board.letters)) {
        const starting = unpadded(all).filter(({ words: [first] }) => first!.startsWith(startLetter));
        checkListed(`${label}, ${startLetter}`, board, words, starting, { startLetter }, most);
      }
      seen.solved += all.length > 0 ? 1 : 0;
      seen.repeated += hasRepeats(board) ? 1 : 0;
      seen.sides.add(board.sides.length);
      seen.solutions += all.length;

      checkQuick(label, board, words, all.length > 0);
      checkColumns(label, board, lexicon, most);
      if (((seed - 1) / EVERY) % 5 === 0 && words.length > 2 && words.length < 10)
        checkOptions(label, board, words, random(seed));
    }
    expect([...seen.sides].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(seen.solved).toBeGreaterThan(LOOKED_AT / 3);
    expect(seen.repeated).toBeGreaterThan(LOOKED_AT / 5);
    expect(seen.solutions).toBeGreaterThan(LOOKED_AT * 10);
  });
});

/** Those that are no solution without their first or without their last word. */
function unpadded<One extends AnySolution>(all: readonly One[], isWhole = true): One[] {
  const known = new Set(all.map(({ words }) => words.join(' ')));
  const isKnown = (words: readonly string[]) => known.has(words.join(' '));
  return all.filter(
    ({ words }) =>
      words.length === 0 || !(isKnown(words.slice(0, -1)) || (isWhole && isKnown(words.slice(1)))),
  );
}

type AnySolution = { words: readonly string[]; likelihood: number };
const plain = (solutions: Iterable<AnySolution>) =>
  Array.from(solutions, ({ words, likelihood }) => `${words.join(' ')} ${likelihood}`).join('\n');
const namesOf = (words: readonly { word: string }[]) =>
  words
    .map(({ word }) => word)
    .sort()
    .join('\n');

function checkAgainst(
  label: string,
  board: Board,
  words: readonly PlayableWord[],
  all: AnySolution[],
  options: SearchOptions,
  most: number,
) {
  checkListed(`${label}, padded`, board, words, all, { ...options, padded: true }, most);
  checkListed(label, board, words, unpadded(all), options, most);
}

function checkListed(
  label: string,
  board: Board,
  words: readonly PlayableWord[],
  all: AnySolution[],
  options: SearchOptions,
  most: number,
) {
  const search = makeSearch(board, words, { ...options, maxWords: most });
  const ordered = all as { words: string[]; likelihood: number }[];
  const fewest = all.length === 0 ? undefined : Math.min(...all.map((solution) => solution.words.length));
  agree(label, search.fewest, fewest);
  for (let count = 0; count <= most; count++) {
    const exact = ordered.filter((solution) => solution.words.length === count);
    agree<number | bigint | undefined>(`${label}, count ${count}`, search.count(count), exact.length);
  }
  agree(
    label,
    plain(search.solutions('shortest', { limit: Infinity })),
    plain([...ordered].sort(byShortest)),
  );
  const nearFewest = ordered.filter((solution) => solution.words.length <= (fewest ?? 0) + 1);
  agree(label, plain(search.solutions('safest', { limit: Infinity })), plain(nearFewest.sort(bySafest)));
  agree(label, search.cut, undefined);
}

/** Words straight from the lexicon, never made into objects, are searched as the same words one by one. */
function checkColumns(label: string, board: Board, lexicon: Lexicon, maxWords: number) {
  const columns = makeSearch(board, walkBoard(board, lexicon), { maxWords });
  // A copy: of the list itself, `packWords` knows the columns.
  const objects = makeSearch(board, [...findPlayable(board, lexicon)], { maxWords });
  agree(label, columns.fewest, objects.fewest);
  for (const order of ORDERS)
    agree(
      `${label}, columns`,
      plain(columns.solutions(order, { limit: Infinity })),
      plain(objects.solutions(order, { limit: Infinity })),
    );
}

/** The quick way never gives a wrong chain, and on boards this small finds one wherever there is one. */
function checkQuick(label: string, board: Board, words: readonly PlayableWord[], solvable: boolean) {
  const quick = makeSearch(board, words).anySolution();
  if (solvable) agree(label, quick !== undefined, true);
  if (quick === undefined) return;
  const chain = words.filter(({ word }) => quick.words.includes(word)) as BruteWord[];
  const all = allSolutions(board.sides, chain, quick.words.length);
  agree(
    label,
    plain(all)
      .split('\n')
      .includes(plain([quick])),
    true,
  );
}

function checkOptions(label: string, board: Board, words: readonly PlayableWord[], next: () => number) {
  const pick = () => words[Math.floor(next() * words.length)]!.word;
  const excluded = pick();
  const required = [pick(), pick()];
  const plainWords = words as readonly (PlayableWord & BruteWord)[];

  const solutionsOf = (own: typeof plainWords) => allSolutions(board.sides, own, 3);
  const cases: [SearchOptions, BruteSolution[]][] = [
    [{ exclude: [excluded] }, solutionsOf(plainWords.filter(({ word }) => word !== excluded))],
    [
      { require: required },
      solutionsOf(plainWords).filter((solution) => required.every((word) => solution.words.includes(word))),
    ],
    [{ tier: 'everyday' }, solutionsOf(plainWords.filter(({ tier }) => tier === 'everyday'))],
  ];
  for (const [options, expected] of cases)
    checkAgainst(`${label}, ${JSON.stringify(options)}`, board, words, expected, options, 3);

  const played = pick();
  const onwards = unpadded(allSolutions(board.sides, plainWords, 3, [played]), false);
  checkListed(`${label}, after ${played}`, board, words, onwards, { played: [played] }, 3);

  const each = new Map<string, AnySolution>();
  const whole = unpadded(solutionsOf(plainWords));
  for (const solution of whole.toSorted(byShortest)) {
    if (!each.has(solution.words[0]!)) each.set(solution.words[0]!, solution);
  }
  const listed = makeSearch(board, words, { maxWords: 3 }).solutions('shortest', {
    oneEach: true,
    limit: Infinity,
  });
  expect(plain(listed), `${label}, one each`).toEqual(plain(each.values()));

  const exactly = whole.filter((solution) => solution.words.length === 3);
  expect(
    plain(makeSearch(board, words, { maxWords: 3 }).solutions('shortest', { exactly: 3, limit: Infinity })),
    label,
  ).toEqual(plain(exactly.sort(byShortest)));
}

describe('search', () => {
  const board = parseBoard('abc def ghi jkl');
  const words = (list: string[], on: Board = board) =>
    playableOn(
      on,
      list.map((word) => ({ word, likelihood: 0.5 })),
    );

  it('answers 0 words when what was played already solves the board', () => {
    const search = makeSearch(board, words(['adgjbehkcfil']), { played: ['adgjbehkcfil'] });
    expect(search.fewest).toBe(0);
    expect([...search.solutions('shortest').take(1)]).toEqual([{ words: [], likelihood: 1 }]);
    const unsolved = makeSearch(board, words(['adgjbehkcfil']));
    expect([...unsolved.solutions('shortest', { exactly: 0 })]).toEqual([]);
  });

  it('refuses played words that do not chain, naming the one', () => {
    for (const wrong of ['bad', 'gab'])
      expect(() => makeSearch(board, [], { played: ['adg', wrong] })).toThrow(
        `"${wrong}" can't be played there`,
      );
  });

  it('counts past what a double holds, exactly', () => {
    const square = makeBoard(['a', 'b', 'c', 'd']);
    const loops = words(['abcda', 'acbda', 'adcba', 'abdca'], square);
    // Any of 4 words, n times: each covers all four spots and ends where it began.
    const all = makeSearch(square, loops, { padded: true });
    expect(all.count(30)).toBe(4n ** 30n);
    expect(all.count(20)).toBe(4 ** 20);
    expect(makeSearch(square, loops).count(30)).toBe(0);
  });

  // Of both boards, chains from the letter are known whose first word is not needed, and none that is a solution.
  it.each([
    [238, 'k', 0],
    [311, 'c', 1],
  ])(
    'takes no chain with a needless first word for a solution when told to stop: seed %i',
    (seed, startLetter, most) => {
      const { board, entries } = randomCase(seed);
      const words = playableOn(board, entries);
      let looks = 0;
      const search = makeSearch(board, words, { startLetter, stop: () => looks++ >= most });
      expect([search.fewest, search.fewestBounds.atMost]).toEqual([undefined, undefined]);
      expect(makeSearch(board, words, { startLetter }).fewest).toBeUndefined();
    },
  );

  it('says where it was cut when told to stop, and is exact when not', () => {
    const { board: wide, lexicon } = wideBoard();
    let looks = 0;
    const search = makeSearch(wide, findPlayable(wide, lexicon), { stop: () => ++looks > 2 });
    expect(search.count(4)).toBeUndefined();
    expect(search.cut).toMatch(
      / has \d,\d{3} words to try; the time ran out before the count of 4-word solutions was certain/,
    );
    expect(looks).toBe(3);
    // Once its time is up, a further question looks at the clock before anything else, and is not worked on.
    expect(search.count(3)).toBeUndefined();
    expect(looks).toBe(4);
    // What is short on any board is answered all the same.
    expect(search.count(1)).toBe(0);
    expect(search.count(2)).toBeTypeOf('number');
    expect(makeSearch(wide, findPlayable(wide, lexicon)).count(2)).toBeTypeOf('number');
  });

  it('lists hundreds of thousands of solutions in order, in steps that grow no faster than the list', () => {
    const search = makeSearch(
      parseBoard('riu pgh lcs yao'),
      walkBoard(parseBoard('riu pgh lcs yao'), readLexicon()),
    );
    let moved = 0;
    const { splice } = Array.prototype;
    const spy = vi.spyOn(Array.prototype, 'splice').mockImplementation(function (
      this: unknown[],
      start,
      ...more
    ) {
      moved += this.length - start;
      return Reflect.apply(splice, this, [start, ...more]);
    });
    let listed = 0;
    let last = 1;
    let isSorted = true;
    for (const { likelihood } of search.solutions('shortest', { exactly: 3, limit: Infinity })) {
      listed++;
      // The weight rounds the likelihood.
      isSorted &&= likelihood <= last * 1.001;
      last = likelihood;
    }
    spy.mockRestore();
    expect(isSorted).toBe(true);
    expect(listed).toBe(search.count(3));
    expect(listed).toBeGreaterThan(380_000);
    expect(search.steps / listed).toBeLessThan(95);
    expect(moved).toBeLessThan(listed);
  });

  it('gives a count that was cut as a lower bound', () => {
    const { board: wide, lexicon } = wideBoard();
    const playable = findPlayable(wide, lexicon);
    const whole = Number(makeSearch(wide, playable).count(3));
    let looks = 0;
    const { value, exact } = makeSearch(wide, playable, { stop: () => ++looks > 50 }).counted(3);
    expect(exact).toBe(false);
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(whole);
    // At its end, too, where it has met chains that have a needless word.
    const [small, real] = [
      parseBoard('ozu nri lfa mbt'),
      findPlayable(parseBoard('ozu nri lfa mbt'), readLexicon()),
    ];
    looks = 0;
    const all = makeSearch(small, real, { stop: () => ++looks < 0 }).count(4);
    const cut = makeSearch(small, real, { stop: () => --looks < 1 }).counted(4);
    expect(cut).toEqual({ value: expect.any(Number), exact: false });
    expect(cut.value).toBeLessThanOrEqual(Number(all));
  });

  it('keeps the order of likelihoods that are all but certain', () => {
    const close = words(['adgjbehk', 'kcfil', 'kcfilad']).map((word, index) => ({
      ...word,
      likelihood: [0.99, 0.999, 0.998][index]!,
    }));
    const best = [...makeSearch(board, close).solutions('shortest')].filter(
      (solution) => solution.words.length === 2,
    );
    expect(best.map((solution) => solution.words[1])).toEqual(['kcfil', 'kcfilad']);
  });
});

function wideBoard(): { board: Board; lexicon: Lexicon } {
  const board = makeBoard(['abcde', 'fghij', 'klmno', 'pqrst']);
  return { board, lexicon: everydayLexicon(randomWords(board.sides, 3000, 8)) };
}

/** Takes steps until it is stopped, or until there are a hundred times as many as work after the time is up may take. */
function stepsUntilStopped(stopper: Stopper, run: (work: () => void) => void): number {
  const before = stopper.steps;
  expect(() =>
    run(() => {
      while (stopper.steps < 100 * MAX_GRACE_STEPS) stopper.step(1000);
    }),
  ).toThrow(Stopped);
  return stopper.steps - before;
}

describe('stopping a search', () => {
  it('asks at the first step once it was stopped', () => {
    const stopper = new Stopper(() => true);
    expect(stepsUntilStopped(stopper, (work) => work())).toBeLessThan(10_000);
    expect(stepsUntilStopped(stopper, (work) => work())).toBe(1000);
  });

  it('lets what comes first go on after the time is up, but only for a limited number of steps', () => {
    const stopper = new Stopper(() => true);
    const steps = stepsUntilStopped(stopper, (work) => stopper.unstopped(work));
    expect(steps).toBeGreaterThanOrEqual(MAX_GRACE_STEPS);
    expect(steps).toBeLessThan(MAX_GRACE_STEPS + 10_000);
  });

  it('gives nested work no more steps than the outermost has', () => {
    const stopper = new Stopper(() => true);
    const nested = (work: () => void) =>
      stopper.unstopped(() => {
        stopper.step(MAX_GRACE_STEPS / 2);
        stopper.unstopped(work);
      });
    expect(stepsUntilStopped(stopper, nested)).toBeLessThan(MAX_GRACE_STEPS + 10_000);
  });

  it('never stops without being told to', () => {
    const stopper = new Stopper(undefined);
    expect(() => stopper.step(100 * MAX_GRACE_STEPS)).not.toThrow();
  });
});
