import { describe, expect, test, vi } from 'vitest';
import { splitWords } from '../../../src/core/text.ts';
import { SearchCache } from '../../../src/jobs/jobs.ts';
import { addDays } from '../../../src/puzzle/calendar.ts';
import { housePuzzle } from '../../../src/puzzle/house.ts';
import { factsAbout, HINT_STEPS, type HintStep } from '../../../src/reply/model/facts.ts';
import { namedBoardOf, pictureOf } from '../../../src/reply/model/named-board.ts';
import { lineText, plainText } from '../../../src/reply/model/text.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import {
  bestOf,
  countedWords,
  goodStarts,
  huntSolutions,
  inoffensiveFirst,
  quickOf,
  recapOf,
  shortestOf,
  solutionChecksum,
} from '../../../src/reply/replies/chosen-solutions.ts';
import { hintBlocks, hintCard, hintData } from '../../../src/reply/replies/hint.ts';
import { HINTS, hintTitle } from '../../../src/reply/replies/hint-steps.ts';
import { nextReply } from '../../../src/reply/replies/next.ts';
import { solutionReply } from '../../../src/reply/replies/reveal.ts';
import { solveReply } from '../../../src/reply/replies/solutions.ts';
import { wordsReply } from '../../../src/reply/replies/words.ts';
import { type BoardShape, makeBoard } from '../../../src/solver/board.ts';
import { candidates } from '../../../src/solver/candidates.ts';
import { checkWords } from '../../../src/solver/check.ts';
import { generate } from '../../../src/solver/generate.ts';
import { findPlayable } from '../../../src/solver/playable.ts';
import { makeSearch, type Search, type SearchOptions } from '../../../src/solver/search.ts';
import type { Solution } from '../../../src/solver/types.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import { isOffensive } from '../../../src/wordlists/offensive-words.ts';
import fc from '../../fakes/fast-check.ts';
import { sample } from '../../fakes/sample.ts';
import { SHAPES } from '../../solver/random-boards.ts';
import { hidden, shortestIn } from '../look.ts';
import { CRUDE_BOARD, CRUDE_LIKELIHOODS, playable } from '../setting.ts';

const WORDS = playable(CRUDE_BOARD, CRUDE_LIKELIHOODS);
const search = (options: SearchOptions = {}, words = WORDS) => makeSearch(CRUDE_BOARD, words, options);
const spelled = (solutions: Iterable<Solution>) => [...solutions].map(({ words }) => words.join(' '));
/** A list that was written down, or what is left of it for a search without the offensive words. */
const listed = (given: readonly Solution[], { words }: Search, exactly?: number) =>
  given
    .values()
    .filter((one) => !isCrude(one) || words.some(({ word }) => isOffensive(word)))
    .filter((one) => exactly === undefined || one.words.length === exactly);
const isCrude = ({ words }: Solution) => words.some(isOffensive);

describe('the order of solutions', () => {
  test('puts offensive solutions last of their length, however likely, and loses none', () => {
    const [first] = search().solutions('shortest');
    expect(isCrude(first!)).toBe(true);
    expect(spelled(shortestOf(search(), { exactly: 2 }))).toEqual([
      'hlcfjbdgw wakn',
      'hlcfjbdgw wanbdgk',
      'wanbdgk kcfjhl',
      'hlcfjbdgw wank',
      'wankbdgj jcfhl',
      'hlcfjbdgw wankbdgj',
    ]);
    const all = [...shortestOf(search({ maxWords: 4 }))];
    expect(spelled(all).sort()).toEqual(spelled(search({ maxWords: 4 }).solutions('shortest')).sort());
    expect(all.map(({ words }) => words.length)).toEqual(all.map(({ words }) => words.length).sort());
  });

  test('keeps all solutions of a list of mixed lengths, and their order among those of a kind and length', () => {
    const some = fc.array(fc.record({ length: fc.integer({ min: 1, max: 4 }), crude: fc.boolean() }), {
      maxLength: 60,
    });
    const inoffensive = [1, 2, 2].map((length) => ({ length, crude: false }));
    const manyCrude = [...inoffensive, ...Array.from({ length: 60 }, () => ({ length: 2, crude: true }))];
    manyCrude.push(inoffensive[1]!);
    fc.assert(
      fc.property(some, (drawn) => {
        const given = drawn
          .toSorted((a, b) => a.length - b.length)
          .map(({ length, crude }, index) => ({
            words: Array.from({ length }, () => (crude ? 'wank' : 'wakn')),
            likelihood: index,
          }));
        const shown = [...inoffensiveFirst(search(), (one, exactly) => listed(given, one, exactly))];
        const rank = (solution: Solution) => [
          solution.words.length,
          Number(isCrude(solution)),
          solution.likelihood,
        ];
        const wanted = given.toSorted((a, b) => {
          const [left, right] = [rank(a), rank(b)];
          const differs = left.findIndex((value, at) => value !== right[at]);
          return differs < 0 ? 0 : left[differs]! - right[differs]!;
        });
        expect(shown).toEqual(wanted);
      }),
      { examples: [[manyCrude]] },
    );
  });

  test('looks for the others by themselves where nearly all are offensive, and still loses none', () => {
    const crude = Array.from({ length: 300 }, (_, index) => ({ words: ['wank'], likelihood: index }));
    const others = [7, 299].map((likelihood) => ({ words: ['wakn'], likelihood }));
    const given = [...crude.slice(0, 7), others[0]!, ...crude.slice(7), others[1]!];
    let read = 0;
    const shown = inoffensiveFirst(search(), (one, exactly) =>
      listed(given, one, exactly).map((solution) => {
        read++;
        return solution;
      }),
    );
    expect([shown.next().value, shown.next().value]).toEqual(others);
    expect(read).toBeLessThan(100);
    expect([...shown]).toEqual(crude);
  });

  test('puts offensive solutions last in the list of the safest, whatever their length', () => {
    const shown = [
      ...inoffensiveFirst(search({ maxWords: 3 }), (one) => one.solutions('safest'), { byLength: false }),
    ];
    const firstCrude = shown.findIndex(isCrude);
    expect(firstCrude).toBeGreaterThan(0);
    expect(shown.slice(firstCrude).every(isCrude)).toBe(true);
  });

  test('shows the best inoffensive solution of each first word', () => {
    expect(spelled(shortestOf(search(), { oneEach: true, exactly: 2 }))).toEqual([
      'hlcfjbdgw wakn',
      'wanbdgk kcfjhl',
      'wankbdgj jcfhl',
    ]);
    const firsts = (solutions: Iterable<Solution>) => [...solutions].map(({ words }) => words[0]).sort();
    expect(firsts(shortestOf(search(), { oneEach: true }))).toEqual(
      firsts(search().solutions('shortest', { oneEach: true })),
    );
  });

  test('prepares the search without offensive words once', () => {
    const asked = search();
    const prepared = vi.spyOn(asked, 'words', 'get');
    const [first, again] = [1, 2].map(() => spelled(shortestOf(asked, { oneEach: true })));
    expect(again).toEqual(first);
    expect(prepared).toHaveBeenCalledTimes(1);
  });

  test('does not demote a word that the asker requires', () => {
    expect(spelled(shortestOf(search({ require: ['WANK'] }), { exactly: 2 }))).toEqual(['hlcfjbdgw wank']);
    const asked = search({ require: ['Wankbdgj'] });
    expect(spelled(shortestOf(asked, { exactly: 2 }))).toEqual(['wankbdgj jcfhl', 'hlcfjbdgw wankbdgj']);
    expect(quickOf(asked)?.words).toContain('wankbdgj');
  });

  test('shows offensive solutions when there are no others', () => {
    const only = search(
      {},
      WORDS.filter(({ word }) => ['wankbdgj', 'jcfhl'].includes(word)),
    );
    expect(bestOf(only)?.words).toEqual(['wankbdgj', 'jcfhl']);
    expect(quickOf(only)?.words).toEqual(['wankbdgj', 'jcfhl']);
    expect(spelled(shortestOf(only, { oneEach: true }))).toEqual(['wankbdgj jcfhl']);
  });
});

describe('the best', () => {
  test('next word is one of a longer way on where all of the fewest words offend', () => {
    const words = playable(CRUDE_BOARD, { hlcfjbdgw: 0.9, wank: 0.9, wan: 0.9, nak: 0.9 });
    const request = { namedBoard: namedBoardOf(CRUDE_BOARD), isListExact: true };
    const reply = nextReply({ ...request, search: search({ played: ['hlcfjbdgw'] }, words) });
    expect(reply.notFound).toBeUndefined();
    expect(Object.values(hidden(reply)).flat().join(' ')).toMatch(/WAN(?!K)/);
  });

  test('is the one that the board was made from, if it is as short as any and offends nobody', () => {
    const preferred = ['wakn', 'nope'];
    expect(bestOf(search({ preferred }))?.words).toEqual(['hlcfjbdgw', 'wakn']);
    expect(bestOf(search({ preferred: ['hlcfjbdgw', 'wank'] }))?.words).toEqual(['hlcfjbdgw', 'wakn']);
    const other = search({ preferred: ['wanbdgk', 'kcfjhl'] });
    expect(bestOf(other)?.words).toEqual(['wanbdgk', 'kcfjhl']);
    expect(goodStarts(other)[0]?.letter).toBe('w');
    expect(spelled(shortestOf(other, { oneEach: true }).take(1))).toEqual(['wanbdgk kcfjhl']);
    const onwards = search({ preferred: ['wanbdgk', 'kcfjhl'], played: ['Wanbdgk'] });
    expect(bestOf(onwards)?.words).toEqual(['kcfjhl']);
    expect(bestOf(search({ preferred: ['wanbdgk', 'kcfjhl'], exclude: ['kcfjhl'] }))?.words).not.toContain(
      'kcfjhl',
    );
  });

  test('of a house board is its own pair, in every hint', () => {
    for (let day = 0; day < sample(3_650, 5); day++) {
      const date = addDays('2026-11-24', day);
      const { board, official = [] } = housePuzzle(date);
      const source = { verdicts: new Map(), decides: true, official };
      const searches = new SearchCache();
      const found = searches.of(searches.judge(board, source, { lexicon }), {}, () => false);
      expect(bestOf(found)?.words, date).toEqual(official);
      expect(goodStarts(found)[0]?.letter, date).toBe(official[0]![0]);
      const namedBoard = namedBoardOf(board);
      for (const step of HINT_STEPS) {
        const shown = hintBlocks({ namedBoard, search: found }, [step]).flatMap((block) =>
          block.kind === 'spoiler' ? block.hidden.flatMap((line) => splitWords(lineText(line))) : [],
        );
        expect(shown.length, `${date} ${step}`).toBeGreaterThan(0);
        expect(shown.filter(isOffensive), `${date} ${step}`).toEqual([]);
      }
    }
  });

  test('when the time runs out, is one without offensive words if there is one', () => {
    expect(isCrude(search().anySolution()!)).toBe(true);
    expect(isCrude(quickOf(search())!)).toBe(false);
  });

  test('pages of a list follow each other without gap or repetition', () => {
    const namedBoard = namedBoardOf(CRUDE_BOARD);
    const page = (number: number) =>
      shortestIn(solveReply({ namedBoard, search: search(), isListExact: true, page: number })) ?? [];
    const pages = [1, 2, 3].map((number) =>
      page(number).map((line) => line.toLowerCase().replaceAll(' – ', ' ')),
    );
    const wanted = spelled(shortestOf(search()).take(15));
    // On one page, those that may offend are in a list of their own.
    expect(pages.map((lines) => lines.toSorted())).toEqual(
      [0, 5, 10].map((from) => wanted.slice(from, from + 5).toSorted()),
    );
  });
});

describe('a search of everyday words alone', () => {
  const board = makeBoard(['tub', 'pxi', 'snq', 'oja']);
  const words = findPlayable(board, readLexicon());
  const reply = (options: SearchOptions, asked: Partial<Parameters<typeof solveReply>[0]> = {}) =>
    hidden(
      solveReply({
        namedBoard: namedBoardOf(board),
        search: makeSearch(board, words, { ...options, tier: 'everyday' }),
        wide: makeSearch(board, words, options),
        isListExact: true,
        ...asked,
      }),
    )['With all words'];

  test('says what all words could do, where that is less', () => {
    expect(reply({})).toEqual(['4 words with well-known words, but 2 with NIQAB.']);
    expect(reply({}, { page: 2 })).toBeUndefined();
    expect(reply({ exclude: ['niqab'] })).not.toEqual(['4 words with well-known words, but 2 with NIQAB.']);
    expect(reply({ maxWords: 3 })).toEqual(['Nothing with well-known words, but 2 with NIQAB.']);
    const same = makeSearch(board, words, { tier: 'everyday' });
    expect(reply({}, { search: same, wide: same })).toBeUndefined();
  });
});

describe('what may offend', () => {
  const namedBoard = namedBoardOf(CRUDE_BOARD);
  const only = search(
    {},
    WORDS.filter(({ word }) => ['wankbdgj', 'jcfhl'].includes(word)),
  );
  const spoilers = (reply: Reply) =>
    reply.blocks.flatMap((block) => (block.kind === 'spoiler' ? [[block.label, block.open === true]] : []));
  const asked = { namedBoard, isListExact: true, audience: 'asker', open: true } as const;

  test('is behind a note and in no picture, even where solutions are shown openly', () => {
    const reply = solutionReply({ ...asked, search: only });
    expect(spoilers(reply)).toEqual([['Shortest and best known – may offend', false]]);
    expect(reply.blocks.some(({ kind }) => kind === 'picture')).toBe(false);
  });

  test('of the source is not what the picture shows', () => {
    const official = { words: ['wankbdgj', 'jcfhl'], source: 'hand' } as const;
    const reply = solutionReply({ ...asked, search: search(), official });
    expect(spoilers(reply).slice(0, 2)).toEqual([
      ['The solution typed with the board – may offend', false],
      ['Shortest and best known', true],
    ]);
    const best = bestOf(search())!.words;
    expect(reply.blocks).toContainEqual(
      pictureOf(CRUDE_BOARD, {
        words: best,
        spoiler: { ...factsAbout(namedBoardOf(CRUDE_BOARD), 'solution'), told: { chains: [best] } },
      }),
    );
  });

  test('is in no hint, though every solution may have such a word', () => {
    const open = (step: HintStep, words: Search) =>
      hintBlocks({ namedBoard: namedBoardOf(CRUDE_BOARD), search: words }, [step], 'board').flatMap(
        (block) => (block.kind === 'spoiler' ? block.open : []),
      );
    const steps = ['lengths', 'masked', 'first'] as const;
    expect(steps.map((step) => open(step, only))).toEqual([[true], [], []]);
    expect(steps.map((step) => open(step, search()))).toEqual([[true], [true], [true]]);
  });

  test('is in no data of a hint', () => {
    expect(hintData({ namedBoard, search: only, step: 'first' }).data).toMatchObject({ first: null });
  });

  test('in all of the shortest is in no hint, and no note tells how many words the longer one has', () => {
    const words = playable(CRUDE_BOARD, { hlcfjbdgw: 0.9, wank: 0.9, wan: 0.9, nak: 0.9 });
    const blocks = hintBlocks({ namedBoard, search: search({}, words) }, ['masked']);
    const reply = { title: '', blocks, audience: 'everyone' } as const;
    expect(Object.values(hidden(reply))).toEqual([['H_C_J_D_W', 'W_N', 'N_K']]);
    expect(plainText(reply)).not.toMatch(/\d/);
  });

  test('is in no hint, and the hints before it stay', () => {
    const card = hintCard({ namedBoard, search: only, step: 'masked', shown: ['count', 'lengths'] });
    expect(card.title).toBe(hintTitle(['count', 'lengths']));
    expect(spoilers(card).map(([label]) => label)).toEqual([HINTS.count.label, HINTS.lengths.label]);
    expect(plainText(card)).toContain('I found no solution without a word that may offend.');
    // Hints that would be withheld are not offered.
    expect(plainText(card)).toContain('Next hint: start letters');
    expect(plainText(card)).not.toMatch(/Every second letter|The first word/);
  });

  test('is not what all words could do', () => {
    const longer = playable(CRUDE_BOARD, { hlcfjbdgw: 0.9, wan: 0.9, nak: 0.9 });
    const reply = solveReply({ ...asked, search: search({}, longer), wide: only });
    expect(Object.keys(hidden(reply))).not.toContain('With all words');
  });

  test('is in a list of words of its own', () => {
    const reply = wordsReply({ ...asked, words: WORDS, filter: { starts: 'wa' } });
    expect(hidden(reply)).toEqual({
      'Words, best known first': ['WAKN, WANBDGK'],
      'Words, best known first – may offend': ['WANK, WANKBDGJ'],
    });
  });

  test('is neither the answer nor what nobody found', () => {
    const all = [...shortestOf(search())].filter((one) => !isCrude(one));
    const found = all.map(({ words }) => solutionChecksum(words));
    const { answer, others, unfound } = recapOf(search(), found.toSpliced(1, 1));
    expect(answer).toEqual(all[0]!.words);
    expect(unfound).toEqual(all[1]!.words);
    expect(others).toBe(answer!.length > 2 ? undefined : Number(search().count(answer!.length)) - 1);
    // The answer is told anyway.
    expect(recapOf(search(), found.slice(1)).unfound).toBeUndefined();
    expect(recapOf(search(), found).unfound).toBeUndefined();
  });
});

test('a recap names the letters that hints call the hardest, whatever other words there are, or if none is well known', () => {
  const known = WORDS.map((one) => ({ ...one, tier: one.word === 'wanbdgk' ? 'everyday' : 'wide' }) as const);
  const [every, counted] = [search(), search({}, known)];
  // As many words use each of these, so none of them is the hardest.
  expect(recapOf(every, []).hardest?.join('')).toBe('bcdfghl');
  expect(recapOf(counted, []).hardest?.join('')).toBe('cfhjl');
  const rare = search(
    {},
    WORDS.map((one) => ({ ...one, tier: 'wide' })),
  );
  expect(countedWords(rare)).toMatchObject({ words: { length: WORDS.length }, name: 'word' });
  for (const one of [every, counted, rare])
    expect(HINTS.hardest.data(one, bestOf(one)!)).toMatchObject({
      0: { letter: recapOf(one, []).hardest![0] },
    });
});

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
function searchOf(sides: readonly string[]) {
  const board = makeBoard(sides);
  return makeSearch(board, findPlayable(board, lexicon));
}
const boardsOf = (shape: BoardShape, most: number) =>
  candidates(lexicon, { seed: 'hunt', shape })
    .take(most)
    .map(({ board }) => board.sides);

describe('the solutions to find', () => {
  test('are 10 to 20 right ones on each board, the shortest first', () => {
    const hard = Array.from({ length: sample(200, 8) }, (_, seed) => ({
      seed: `${seed}`,
      share: [0, 0.05] as const,
    }));
    const boards = [
      ...boardsOf({ sides: 4, sideLength: 3 }, sample(2_000, 8)),
      ...hard.map((options) => generate(lexicon, options).board.sides),
    ];
    const rare = { 1: 0, 2: 0 } as Record<number, number>;
    for (const sides of boards) {
      const search = searchOf(sides);
      const found = huntSolutions(search);
      const label = sides.join(' ');
      expect(found.length, label).toBeGreaterThanOrEqual(10);
      expect(found.length, label).toBeLessThanOrEqual(20);
      expect(new Set(found.map((words) => words.join())).size, label).toBe(found.length);
      for (const words of found)
        expect(checkWords(search.board, words, search, isWord).solved, label).toBe(true);
      const lengths = found.map((words) => words.length);
      expect(lengths, label).toEqual(lengths.toSorted((a, b) => a - b));
      const { fewest = 0 } = search;
      const shortest = Number(search.count(fewest));
      const fit = shortestOf(search, { exactly: fewest }).filter((one) => !isCrude(one));
      expect(
        lengths.filter((words) => words === fewest),
        label,
      ).toHaveLength([...fit.take(found.length)].length);
      if (fewest === 2 && shortest in rare) rare[shortest]!++;
    }
    expect(rare[1]! + rare[2]!).toBeGreaterThan(sample(50, 1));
  });

  test('are as many on boards of other shapes, or all there are on boards of up to six letters', () => {
    const shapes = SHAPES.filter(({ sides, sideLength }) => sides * sideLength <= sample(16, 12));
    // A large board takes a second.
    const boards = [
      ...shapes.flatMap((shape) => [...boardsOf(shape, sample(40, 1))]),
      ...boardsOf({ sides: 4, sideLength: 1 }, 100),
      'toawxb vdurnz qhselg fpicmy'.split(' '),
    ];
    const short: string[] = [];
    for (const sides of boards) {
      const search = searchOf(sides);
      const found = huntSolutions(search).length;
      if (found >= 10) continue;
      short.push(sides.join(' '));
      const { fewest = 0, withPadded } = search;
      const all = [fewest, fewest + 1].flatMap((exactly) => [...shortestOf(withPadded, { exactly })]);
      expect(found, sides.join(' ')).toBe(all.filter((one) => !isCrude(one)).length);
    }
    expect(short.length).toBeGreaterThan(0);
    expect(short.length).toBeLessThan(boards.length / 10);
    expect(short.filter((sides) => sides.replaceAll(' ', '').length > 6)).toEqual([]);
  });

  test('are the same in whatever order the sides are typed, and whatever was asked before', () => {
    for (const sides of boardsOf({ sides: 4, sideLength: 3 }, sample(200, 5))) {
      const found = huntSolutions(searchOf(sides));
      const turned = sides.map((side) => side.split('').reverse().join('')).reverse();
      expect(huntSolutions(searchOf(turned))).toEqual(found);
      const asked = searchOf(sides);
      asked.count(3);
      asked.after(found[0]!.slice(0, 1)).count(1);
      expect(asked.solutions('safest').take(30).toArray()).not.toEqual([]);
      expect(huntSolutions(asked)).toEqual(found);
    }
  });
});
