import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import type { App } from '../../src/dispatch/contract.ts';
import {
  factsAsSent,
  factsOfDays,
  readHintRecord,
  recordFacts,
  tryOn,
} from '../../src/dispatch/hint-record.ts';
import { addDays, dateAt } from '../../src/puzzle/calendar.ts';
import { factsAbout, HINT_STEPS, solutionFacts } from '../../src/reply/model/facts.ts';
import { ALL_HINT_POINTS } from '../../src/reply/replies/hint-steps.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { Board } from '../../src/solver/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { resultIn } from '../fakes/stored.ts';

describe('the record of a day that is on', () => {
  let made: TestApp;
  afterEach(() => made.close());

  const BEN = someone({ id: 'ben' });
  const ask = async (line: string) => opened(await say(made.app, line, { ...BEN, opens: 'all' }));
  const counted = async () =>
    (await readHintRecord(BEN, made.app, { ...house(TODAY), date: dateAt(made.clock.time) })).countedSteps;
  const result = (date = TODAY) => resultIn(made.store, BEN.where.tenant, 'ben', BEN.where.channel, date);

  test('what was told of a day that is on outlives what is told of other days and boards afterwards', async () => {
    made = await makeTestApp({ words: WORDS, house, limits: { hintsPerPerson: 10 } });
    await ask('hint first');
    for (let day = 2; day < 40; day++) {
      made.clock.time += 1;
      const date = addDays(TODAY, -day);
      await recordFacts(BEN, made.app, [factsAbout({ board: house(date).board, date }, 'start', 'count')]);
      await recordFacts(BEN, made.app, [factsAbout({ board: { sides: ['a', 'b'.repeat(day)] } }, 'start')]);
    }
    expect(await counted()).toEqual(['first']);
    made.clock.time += 1;
    const board = { sides: ['a', 'b'.repeat(50)] };
    await recordFacts(BEN, made.app, [factsAbout({ board }, 'count')]);
    expect((await readHintRecord(BEN, made.app, { board })).countedSteps).toEqual(['count']);
    // What everybody may read costs nobody.
    const reply = { blocks: [], reveals: [factsAbout({ board }, 'solution')] };
    expect(factsAsSent(BEN, { ...reply, audience: 'asker' })).toEqual(reply.reveals);
    expect(factsAsSent(BEN, { ...reply, audience: 'everyone' })).toEqual([]);
    await recordFacts({ ...BEN, hintRecording: 'shared' }, made.app, [factsAbout({ board }, 'solution')]);
    await recordFacts({ ...BEN, hintRecording: 'off' }, made.app, [factsAbout({ board }, 'start')]);
    const cards = ['count', 'hardest'] as const;
    for (const card of ['other', 'board'] as const)
      await recordFacts(BEN, made.app, [
        { ...factsAbout({ board }, cards[Number(card === 'other')]!), card },
      ]);
    expect(await readHintRecord(BEN, made.app, { board })).toEqual({
      countedSteps: cards,
      isSolutionSeen: true,
      shownSteps: cards,
      ownCardSteps: ['count'],
    });
  });

  test('what was told of a day that is on leaves a mark when it is erased, until the day is over', async () => {
    made = await makeTestApp({ words: WORDS, house });
    await ask('hint first');
    const yesterday = addDays(TODAY, -1);
    const open = { ...house(yesterday), date: yesterday };
    await recordFacts(BEN, made.app, [factsAbout(open, 'start')]);
    await ask('privacy delete sure');
    // Yesterday’s thread may still be open.
    expect((await readHintRecord(BEN, made.app, open)).countedSteps).toEqual(HINT_STEPS);
    expect(await ask('privacy')).toContain('Nothing is stored about you');
    await ask('play words:bfjmcg,gkdhlnbp');
    expect(await result()).toMatchObject({ hints: ALL_HINT_POINTS, afterSolution: true });
    made.clock.time += DAY;
    expect(await counted()).toEqual([]);
    made.clock.time -= DAY;
    expect(await counted()).toEqual(HINT_STEPS);
  });

  test('who was told nothing of the day erases without a mark', async () => {
    made = await makeTestApp({ words: WORDS, house });
    await recordFacts(BEN, made.app, [factsAbout({ ...house('2026-10-01'), date: '2026-10-01' }, 'first')]);
    await ask('privacy delete sure');
    await ask('play words:bfjmcg,gkdhlnbp');
    expect(await result()).toMatchObject({ hints: 0 });
    expect((await result())?.afterSolution).toBeFalsy();
  });
});

/** Of these, solutions were told for nothing on each. */
const DAYS = sample(20, 1);

const { app, clock, close } = await makeTestApp();
afterAll(close);

/** The words of a text that a reader takes for told: those of chains, and those that are named as next or first words. */
function wordsToldIn(text: string): { readonly chains: string[][]; readonly words: string[] } {
  const chains = [...text.matchAll(/\b[A-Z]{3,}(?: – [A-Z]{3,})+/g)].map(([chain]) =>
    chain.toLowerCase().split(' – '),
  );
  const named = [...text.matchAll(/(?:Start|Go on) with ([A-Z]{3,})\b/g)].map(([, word]) => word!);
  const next = /Best next words?:\n((?: {2}.*\n?)+)/.exec(text)?.[1] ?? '';
  const listed = [...next.matchAll(/^ {2}([A-Z]{3,})/gm)].map(([, word]) => word!);
  return { chains, words: [...chains.flat(), ...[...named, ...listed].map((word) => word.toLowerCase())] };
}

/** Walks a chain letter by letter. */
function isSolution({ sides }: Board, chain: readonly string[]): boolean {
  const sideOf = (letter: string) => sides.findIndex((side) => side.includes(letter));
  const isWalk = chain.every((word, at) => {
    if (at > 0 && word[0] !== chain[at - 1]!.at(-1)) return false;
    return [...word].every(
      (letter, spot) => sideOf(letter) >= 0 && (spot === 0 || sideOf(letter) !== sideOf(word[spot - 1]!)),
    );
  });
  return isWalk && [...sides.join('')].every((letter) => chain.join('').includes(letter));
}

const partsOf = (chain: readonly string[]) =>
  chain.flatMap((_, from) => chain.slice(from).map((__, length) => chain.slice(from, from + length + 1)));

/** Boards that are not the day's, and share its solutions. */
function neighboursOf({ sides: [a, b, c, d] }: Board, word: string): Record<string, string> {
  const strange = [...'etaoinsrhldcumfpgwybvkxjqz'].find(
    (letter) => ![a, b, c, d].join('').includes(letter),
  )!;
  const own = sidesWithout([a!, b!, c!, d!], word.at(-1)!);
  return {
    'a letter on a side of its own': [...own, word.at(-1)].join('-'),
    'a letter twice': [a, b, c, `${d}${a![0]}`].join('-'),
    'one letter more': [a, b, c, d, strange].join('-'),
  };
}
const sidesWithout = (sides: readonly string[], letter: string) =>
  sides.map((side) => side.replace(letter, '')).filter((side) => side !== '');

describe('solutions of the day’s board, found on another one', () => {
  const solvedDays = new Set<number>();
  test.each(Array.from({ length: DAYS }, (_, day) => day))('day %i', async (day) => {
    clock.time = NOON + day * DAY;
    const where = someone().where;
    const { board } = await app.puzzles.puzzleOf(dateAt(clock.time), where);
    const search = makeSearch(board, findPlayable(board, app.lexicon));
    const shortest = [...search.solutions('shortest', { exactly: search.fewest! })];
    const firsts = new Set(shortest.map(({ words }) => words[0]!));
    const played = shortest[0]!.words[0]!;
    for (const [kind, sides] of Object.entries(neighboursOf(board, played)))
      for (const line of ['solve', 'solve all', 'reveal open', 'hint first', `next words:${played}`]) {
        const asker = someone({ id: `${day} ${kind} ${line}` });
        const text = opened(await say(app, `${line} sides:${sides}`, { ...asker, opens: 'all' }));
        const own = line.startsWith('next') ? [played] : [];
        const { chains, words } = wordsToldIn(text);
        const told = words.filter((word) => !own.includes(word));
        const tried = own.length > 0 ? told.map((word) => [...own, word]) : chains.flatMap(partsOf);
        const isSolved = tried.some((chain) => isSolution(board, chain));
        const isBegun = told.some((word) => firsts.has(word));
        const { countedSteps } = await readHintRecord(asker, app, { board, date: dateAt(clock.time) });
        const wanted = isSolved ? HINT_STEPS : isBegun ? ['first'] : [];
        expect({ line, kind, text, steps: countedSteps }).toEqual({ line, kind, text, steps: wanted });
        if (isSolved) solvedDays.add(day);
      }
  });

  test('were told on each of the days', () => {
    expect(solvedDays.size).toBe(DAYS);
  });

  test.each<[what: string, told: Parameters<typeof tryOn>[1][number], dictionary: string[], facts: string[]]>(
    [
      [
        'as a solution, though only first words were named',
        { facts: ['first'], told: { chains: [['forum', 'mobilization']] } },
        [],
        ['solution'],
      ],
      [
        'as a solution that goes on from words of the asker',
        solutionFacts({ board: { sides: [] } }, [['mobilization']], ['forum']),
        [],
        ['solution'],
      ],
      [
        'not for words of the asker alone',
        { facts: ['first'], told: { after: ['forum', 'mobilization'], chains: [['queen']] } },
        [],
        [],
      ],
      [
        'not with a word that the day’s dictionary lacks',
        { facts: ['solution'], told: { chains: [['forum', 'mobilization']] } },
        ['mobilization'],
        [],
      ],
    ],
  )('count %s', (_, told, words, facts) => {
    const dictionary = words.map((word) => ({ word, obscure: false }));
    const board = makeBoard(['ozu', 'nri', 'lfa', 'mbt']);
    const tried = tryOn({ board, ...(words.length > 0 && { dictionary }) }, [told]);
    expect([...tried.facts]).toEqual(facts);
  });

  test('are looked for in a few steps for each letter, and searched for on a few boards', async () => {
    const sides = ['ozu nri lfa mbt', 'abc def ghi jkl', 'xyz wvu tsr qpo'].map((typed) => typed.split(' '));
    let steps = 0;
    const counting = (word: string) =>
      new Proxy(Object(word), {
        get(target, name) {
          steps += 1;
          const value = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }) as string;
    const words = ['mozart', 'tumbril', 'lion'];
    const chains = Array.from({ length: 100 }, () => words.map(counting));
    for (const some of sides) tryOn({ board: makeBoard(some) }, [{ facts: ['solution'], told: { chains } }]);
    expect(steps).toBeLessThan(3 * sides.length * chains.length * words.join('').length);

    const typedBoards = Array.from({ length: 50 }, () => ({
      board: makeBoard(sides[0]!),
      date: dateAt(NOON),
      source: 'hand' as const,
    }));
    const ran: string[] = [];
    const told = { chains: [words] };
    const facts = { board: makeBoard(sides[1]!), facts: ['solution'], told } as const;
    const apps = {
      puzzles: {
        ...app.puzzles,
        wordSource: async () => ({ verdicts: new Map() }),
      },
      work: {
        run: async (name: string) => {
          ran.push(name);
          return [];
        },
      },
    };
    const found = await factsOfDays(async () => typedBoards, apps as unknown as App, [facts], {
      channel: 'one',
    });
    expect({ found, ran }).toEqual({ found: [], ran: Array(8).fill('beginnings') });
  });
});
