import { describe, expect, test } from 'vitest';
import { pictureOf, subjectOfBoard } from '../../../src/reply/model/action.ts';
import { lineText } from '../../../src/reply/model/text.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import {
  bestOf,
  inoffensiveFirst,
  quickOf,
  recapOf,
  shortestOf,
  solutionChecksum,
} from '../../../src/reply/replies/chosen-solutions.ts';
import { type HintStep, hintBlocks } from '../../../src/reply/replies/hint.ts';
import { nextReply } from '../../../src/reply/replies/played.ts';
import { solutionReply, solvedReply } from '../../../src/reply/replies/solutions.ts';
import { wordsReply } from '../../../src/reply/replies/words.ts';
import { makeSearch, type Search, type SearchOptions } from '../../../src/solver/search.ts';
import type { Solution } from '../../../src/solver/types.ts';
import { isOffensive } from '../../../src/wordlists/offensive-words.ts';
import fc from '../../fakes/fast-check.ts';
import { CRUDE_BOARD, CRUDE_LIKELIHOODS } from '../crude-board.ts';
import { hidden, shortestIn } from '../look.ts';
import { playable } from '../setting.ts';

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
  test('is the same inoffensive one for hints, the next word and the answer', () => {
    const subject = subjectOfBoard(CRUDE_BOARD);
    expect(bestOf(search())?.words).toEqual(['hlcfjbdgw', 'wakn']);
    const hint = hintBlocks(search(), 'first').flatMap((block) =>
      block.kind === 'spoiler' ? block.hidden.map((line) => lineText(line)) : [],
    );
    expect(hint).toEqual(['Start with HLCFJBDGW.']);
    const played = search({ played: ['hlcfjbdgw'] });
    expect(bestOf(played)?.words).toEqual(['wakn']);
    const next = nextReply({ subject, search: played, certain: true, audience: 'asker' });
    expect(hidden(next)['Best next word']).toEqual(['WAKN']);
  });

  test('when the time runs out, is one without offensive words if there is one', () => {
    expect(isCrude(search().quick()!)).toBe(true);
    expect(isCrude(quickOf(search())!)).toBe(false);
  });

  test('pages of a list follow each other without gap or repetition', () => {
    const subject = subjectOfBoard(CRUDE_BOARD);
    const page = (number: number) =>
      shortestIn(
        solvedReply({ subject, search: search(), certain: true, page: number, audience: 'asker' }),
      ) ?? [];
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

describe('what may offend', () => {
  const subject = subjectOfBoard(CRUDE_BOARD);
  const only = search(
    {},
    WORDS.filter(({ word }) => ['wankbdgj', 'jcfhl'].includes(word)),
  );
  const spoilers = (reply: Reply) =>
    reply.blocks.flatMap((block) => (block.kind === 'spoiler' ? [[block.label, block.open === true]] : []));
  const asked = { subject, certain: true, audience: 'asker', open: true } as const;

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
    expect(reply.blocks).toContainEqual(
      pictureOf(CRUDE_BOARD, { words: bestOf(search())!.words, spoiler: true }),
    );
  });

  test('is behind a note in the hints that spell it, and in no other', () => {
    const open = (step: HintStep, words: Search) =>
      hintBlocks(words, step, { open: true }).flatMap((block) =>
        block.kind === 'spoiler' ? block.open : [],
      );
    const steps = ['lengths', 'masked', 'first'] as const;
    expect(steps.map((step) => open(step, only))).toEqual([[true], [undefined], [undefined]]);
    expect(steps.map((step) => open(step, search()))).toEqual([[true], [true], [true]]);
  });

  test('is in a list of words of its own', () => {
    const reply = wordsReply({ ...asked, words: WORDS, filter: { starts: 'wa' } });
    expect(hidden(reply)).toEqual({
      'Words, best known first': ['WAKN, WANBDGK'],
      'Words, best known first – may offend': ['WANK, WANKBDGJ'],
    });
  });

  test('is not what nobody found', () => {
    const all = [...shortestOf(search())].filter((one) => !isCrude(one));
    const found = all.map(({ words }) => solutionChecksum(words));
    expect(recapOf(search(), found.slice(1)).unfound).toEqual(all[0]!.words);
    expect(recapOf(search(), found).unfound).toBeUndefined();
  });
});
