import { describe, expect, test } from 'vitest';
import { MAX_SOLO_GAMES } from '../../../src/store/tables/games.ts';
import type { Result } from '../../../src/store/tables/results.ts';
import { resultIn, resultsOf, stepsSeen } from '../../fakes/stored.ts';
import { resultOf } from '../../players/made-up.ts';
import type { Ground } from './ground.ts';

export function playContract({ store, door }: Ground): void {
  const AT = Date.UTC(2026, 10, 20, 8);

  describe('hints', () => {
    test('are remembered once each, in the order they were seen, of one puzzle and person', async () => {
      const tenant = `${door()}:1`;
      const { hints } = store().tenant(tenant);
      await hints.record('p1', '2026-11-20', ['start'], { at: AT });
      await hints.record('p1', '2026-11-20', ['count'], { at: AT + 1 });
      await hints.record('p1', '2026-11-20', ['start'], { at: AT + 2 });
      await hints.record('p2', '2026-11-20', ['first'], { at: AT });
      await hints.record('p1', 'abc def ghi jkl', ['joint'], { at: AT });
      expect(await stepsSeen(store(), tenant, 'p1', '2026-11-20')).toEqual(['start', 'count']);
      expect(await stepsSeen(store(), tenant, 'p1', 'abc def ghi jkl')).toEqual(['joint']);
      expect(await stepsSeen(store(), tenant, 'p3', '2026-11-20')).toEqual([]);
    });

    test('two presses at once both count', async () => {
      const tenant = `${door()}:1`;
      const { hints } = store().tenant(tenant);
      await Promise.all(['a', 'b', 'c', 'a'].map((step) => hints.record('p1', 'x', [step], { at: AT })));
      expect(await stepsSeen(store(), tenant, 'p1', 'x')).toEqual(['a', 'b', 'c']);
    });

    test('of two answers at once both count, whatever the order of their hints', async () => {
      const tenant = `${door()}:1`;
      const { hints } = store().tenant(tenant);
      const steps = Array.from('abcdefghijklmnop');
      const boards = Array.from({ length: 15 }, (_, number) => `board ${number}`);
      for (const board of boards)
        await Promise.all(
          [steps, steps.toReversed(), steps, steps.toReversed()].map((some) =>
            hints.record('p1', board, some, { at: AT }),
          ),
        );
      expect(await stepsSeen(store(), tenant, 'p1', boards[0]!)).toEqual(steps);
    });
  });

  describe('results', () => {
    const result: Result = {
      person: 'p1',
      channel: 'c1',
      date: '2026-11-20' as const,
      board: 'abc def',
      words: 3,
      letters: 16,
      hints: 2,
      solvedAt: AT,
      sinceOpening: 60_000,
    };

    test('a better one takes the place of a worse one, and never the reverse', async () => {
      const tenant = `${door()}:1`;
      const { results } = store().tenant(tenant);
      const record = (change: Partial<Result>) => results.record({ ...result, ...change });
      expect(await record({})).toBe(true);
      expect(await resultIn(store(), tenant, 'p1', 'c1', '2026-11-20')).toEqual(result);
      expect(await record({})).toBe(false);
      expect(await record({ solvedAt: AT + 1 })).toBe(false);
      expect(await record({ words: 4, letters: 14, hints: 0 })).toBe(false);
      expect(await record({ letters: 17, hints: 0 })).toBe(false);
      expect(await record({ hints: 1, solvedAt: AT + 5 })).toBe(true);
      expect(await record({ letters: 15, hints: 7, solvedAt: AT + 6 })).toBe(true);
      const best = {
        ...result,
        words: 2,
        letters: 30,
        hints: 9,
        solvedAt: AT + 7,
        path: {
          sides: [3, 3, 3, 3],
          words: [
            [0, 3, 6],
            [6, 9],
          ],
        },
      };
      expect(await results.record({ ...best, sinceOpening: null })).toBe(false);
      expect(await results.record(best)).toBe(true);
      expect(await resultIn(store(), tenant, 'p1', 'c1', '2026-11-20')).toEqual(best);
    });

    test('of two boards of a day are both kept, and only those of the day’s present board are ranked', async () => {
      const mine = door();
      const { results, channelResults, people } = store().tenant(`${mine}:1`);
      const date = '2026-11-20';
      const ranked = async () =>
        (await channelResults.ofDay('c1', date)).map(({ person, board }) => [person, board]);
      expect(await results.record(result)).toBe(true);
      expect(await results.record({ ...result, person: 'p3', sinceOpening: null })).toBe(true);
      await channelResults.setBoard('c1', date, 'ghi jkl');
      expect(await channelResults.ofReplaced('c1', date)).toBe(1);
      expect(await ranked()).toEqual([]);
      expect(await channelResults.sums('c1', date, date)).toEqual([]);
      expect(await channelResults.byDay('c1', date, date)).toEqual([]);
      expect(await results.record({ ...result, board: 'ghi jkl', words: 9 })).toBe(true);
      expect(await ranked()).toEqual([['p1', 'ghi jkl']]);
      await people.choose('p1', { listed: true });
      expect(await store().allPeople.resultsOf(mine, 'p1', date)).toMatchObject([
        { board: 'abc def', words: 3, replaced: true },
        { board: 'ghi jkl', words: 9 },
      ]);
      expect(await store().allPeople.scoresOf(mine, 'p1')).toMatchObject([{ words: 3 }]);
      await channelResults.setBoard('c1', date, 'abc def');
      expect(await ranked()).toEqual([['p1', 'abc def']]);
      expect(await channelResults.ofReplaced('c1', date)).toBe(1);
    });

    test('of another channel count where regulars are missing, and those of another tenant do not', async () => {
      const mine = door();
      const [here, there] = [1, 2].map((number) => store().tenant(`${mine}:${number}`));
      for (const { people } of [here!, there!]) await people.choose('p1', { listed: true });
      expect(await here!.results.record({ ...result, date: '2026-11-19' })).toBe(true);
      expect(await there!.results.record(result)).toBe(true);
      const regulars = { channel: 'c1', from: '2026-11-16', to: '2026-11-20', days: 1 } as const;
      const missing = () => here!.channelResults.missing({ ...regulars, date: '2026-11-20', limit: 5 });
      expect(await missing()).toEqual(['p1']);
      expect(await here!.results.record({ ...result, channel: 'c2' })).toBe(true);
      expect(await missing()).toEqual([]);
      await here!.channelResults.setBoard('c2', '2026-11-20', 'another');
      expect(await missing()).toEqual(['p1']);
    });

    test('of many at once the best stays', async () => {
      const tenant = `${door()}:1`;
      const { results } = store().tenant(tenant);
      const words = [5, 3, 4, 2, 6, 3];
      await Promise.all(words.map((count) => results.record({ ...result, words: count })));
      expect(await resultIn(store(), tenant, 'p1', 'c1', '2026-11-20')).toMatchObject({ words: 2 });
    });

    test('a reported one gives way to a played one and to its own message, and to no other that is not better', async () => {
      const tenant = `${door()}:1`;
      const { results, channelResults } = store().tenant(tenant);
      const reported = {
        ...result,
        words: 2,
        letters: 0,
        reported: true,
        message: 'm1',
      } as const;
      expect(await results.record(reported)).toBe(true);
      expect(await results.record({ ...reported, words: 3, message: 'm2' })).toBe(false);
      const withLetters = { ...reported, letters: 15, message: 'm2' };
      expect(await results.record(withLetters)).toBe(true);
      expect(await results.record(reported)).toBe(false);
      const corrected = { ...reported, words: 4, message: 'm2' };
      expect(await results.record(corrected)).toBe(true);
      expect(await resultIn(store(), tenant, 'p1', 'c1', '2026-11-20')).toEqual(corrected);
      const played = { ...result, words: 5, message: 'm2', solution: 'checksum' };
      expect(await results.record(played)).toBe(true);
      expect(await results.record({ ...reported, words: 1, message: 'm2' })).toBe(false);
      expect(await resultIn(store(), tenant, 'p1', 'c1', '2026-11-20')).toEqual(played);
      expect(await channelResults.sums('c1', '2026-11-20', '2026-11-20')).toMatchObject([{ reported: 0 }]);
    });

    test('one after the solution gives way to any other that was played, and takes the place of a reported one', async () => {
      const mine = door();
      const { results, channelResults } = store().tenant(`${mine}:1`);
      const after = { ...result, words: 2, hints: 0, afterSolution: true } as const;
      expect(await results.record({ ...result, words: 1, reported: true })).toBe(true);
      expect(await results.record(after)).toBe(true);
      expect(await resultIn(store(), `${mine}:1`, 'p1', 'c1', '2026-11-20')).toEqual(after);
      const sums = () => channelResults.sums('c1', '2026-11-20', '2026-11-20');
      expect(await sums()).toMatchObject([{ reported: 0, afterSolution: 1 }]);
      expect(await store().allPeople.scoresOf(mine, 'p1')).toMatchObject([{ afterSolution: true }]);
      expect(await results.record({ ...result, words: 9 })).toBe(true);
      expect(await results.record(after)).toBe(false);
      expect(await sums()).toMatchObject([{ reported: 0, afterSolution: 0 }]);
    });

    test('that came late replace none that came before the closing, and are listed without being counted', async () => {
      const { results, channelResults, people } = store().tenant(`${door()}:1`);
      const message = { reported: true, message: 'm1' } as const;
      expect(await results.record({ ...result, ...message })).toBe(true);
      expect(await results.record({ ...result, words: 1, late: true })).toBe(false);
      expect(await results.record({ ...result, ...message, words: 1, late: true })).toBe(false);
      const late = { ...result, person: 'p2', late: true } as const;
      expect(await results.record({ ...late, ...message })).toBe(true);
      expect(await results.record(late)).toBe(true);
      const listed = await channelResults.ofDay('c1', '2026-11-20');
      expect(listed.map((one) => [one.person, one.late])).toEqual([
        ['p1', undefined],
        ['p2', true],
      ]);
      expect(await channelResults.sums('c1', '2026-11-20', '2026-11-20')).toMatchObject([{ person: 'p1' }]);
      expect(await channelResults.byDay('c1', '2026-11-20', '2026-11-20')).toMatchObject([{ people: 1 }]);
      await people.choose('p3', { calm: true });
      await results.record({ ...late, person: 'p3' });
      expect(await channelResults.calmSolvers('c1', '2026-11-20')).toEqual([]);
    });

    test('are added up for each person of a channel, between dates, without late results and hidden people', async () => {
      const { results, channelResults, people } = store().tenant(`${door()}:1`);
      for (const change of [
        { date: '2026-11-18' as const },
        { date: '2026-11-19' as const, words: 2, letters: 12, hints: 1, solvedAt: AT - 5 },
        {},
        { date: '2026-11-21' as const },
        { channel: 'c2', date: '2026-11-19' as const },
        { person: 'p2', words: 9 },
        { person: 'p2', date: '2026-11-19' as const, sinceOpening: null },
        { person: 'p3' },
        { person: 'p4', sinceOpening: null },
      ]) {
        await results.record({ ...result, ...change });
      }
      await people.choose('p3', { hidden: true });
      await people.choose('p2', { hidden: false });
      await store().tenant(`${door()}:1`).people.choose('p1', { calm: true });
      expect(await channelResults.sums('c1', '2026-11-19', '2026-11-20')).toEqual([
        {
          person: 'p1',
          days: 2,
          reported: 0,
          afterSolution: 0,
          counted: 2,
          words: 5,
          letters: 28,
          hints: 3,
          solvedAt: 2 * AT - 5,
        },
        {
          person: 'p2',
          days: 1,
          reported: 0,
          afterSolution: 0,
          counted: 1,
          words: 9,
          letters: 16,
          hints: 2,
          solvedAt: AT,
        },
      ]);
      expect(await channelResults.byDay('c1', '2026-11-19', '2026-11-20')).toEqual([
        { date: '2026-11-19', people: 1, ranked: 1, words: 2 },
        { date: '2026-11-20', people: 2, ranked: 2, words: 12 },
      ]);
      const dates = ['2026-11-18', '2026-11-19', '2026-11-20'];
      expect(await channelResults.datesIn('c1', '2026-11-20')).toEqual(dates);
      expect(await channelResults.datesIn('c1', '2026-11-17')).toEqual([]);
      expect(await channelResults.span('c1')).toEqual({ from: '2026-11-18', to: '2026-11-21' });

      // A calm person is counted among those who solved a board, without a place among them.
      await people.choose('p2', { calm: true });
      expect(await people.isRanked('p2')).toBe(false);
      expect(await channelResults.byDay('c1', '2026-11-20', '2026-11-20')).toMatchObject([
        { people: 2, ranked: 1, words: 3 },
      ]);
      expect(await channelResults.sums('c1', '2026-11-19', '2026-11-20')).toMatchObject([{ person: 'p1' }]);
      expect(await channelResults.ofDay('c1', '2026-11-20')).toMatchObject([{ person: 'p1' }]);
      expect(await channelResults.calmSolvers('c1', '2026-11-20')).toEqual(['p2']);
      await people.choose('p2', { hidden: true });
      expect(await channelResults.calmSolvers('c1', '2026-11-18', '2026-11-20')).toEqual([]);
    });

    test('are returned by channel and date without who is hidden, and by person', async () => {
      const tenant = `${door()}:1`;
      const { results, channelResults, people } = store().tenant(tenant);
      for (const change of [
        { date: '2026-11-18' as const },
        { date: '2026-11-19' as const },
        { person: 'p2', solvedAt: AT - 1 },
        {},
        { channel: 'c2' },
        { date: '2026-11-21' as const },
      ]) {
        await results.record({ ...result, ...change });
      }
      await people.choose('p2', { hidden: true });
      expect(await channelResults.ofDay('c1', '2026-11-20')).toEqual([result]);
      expect(await results.datesIn('p1', 'c2')).toEqual(['2026-11-20']);
      expect(await results.datesIn('p1', 'c1')).toEqual([
        '2026-11-18',
        '2026-11-19',
        '2026-11-20',
        '2026-11-21',
      ]);
      expect(
        (await resultsOf(store(), tenant, 'p1')).map(({ date, channel }) => `${date} ${channel}`),
      ).toEqual(['2026-11-18 c1', '2026-11-19 c1', '2026-11-20 c1', '2026-11-20 c2', '2026-11-21 c1']);
    });
  });

  test('finds are those of a board, of a day and of earlier days, without who hides or is calm', async () => {
    const mine = door();
    const { finds, people } = store().tenant(`${mine}:1`);
    const [yesterday, today] = ['2026-11-19 ab', '2026-11-20 ab'];
    const find = { person: 'p1', channel: 'c', board: today, solution: 'a b', foundAt: AT };
    for (const change of [{}, { board: yesterday }, { channel: 'c2' }, { person: 'p2' }, { person: 'p3' }])
      await finds.add({ ...find, ...change });
    await people.choose('p2', { hidden: true });
    await people.choose('p3', { calm: true });
    expect(await finds.ofBoard('c', today)).toEqual([find]);
    expect(await finds.ofDay('c', '2026-11-20')).toEqual([find]);
    expect(await finds.ofDay('c', '2026-11-19')).toEqual([{ ...find, board: yesterday }]);
    const before = await store().allPeople.findsBefore(mine, 'p1', '2026-11-20');
    expect(before).toEqual([{ board: yesterday, solution: 'a b' }]);
  });

  describe('solo games', () => {
    const game = { board: '2026-11-20 ab', state: { word: 'a' }, now: AT, expiresAt: AT + 60 };

    test('are kept for each person and board, until their time', async () => {
      const mine = door();
      const tenant = `${mine}:1`;
      const { soloGames } = store().tenant(tenant);
      const { soloGame, soloGameBoards } = store().allPeople;
      expect(await soloGames.save('p1', { ...game, version: 0 })).toBe(true);
      const { state } = game;
      expect(await soloGame(mine, 'p1', game.board, AT + 59)).toEqual({ tenant, state, version: 1 });
      expect(await soloGame(mine, 'p1', game.board, AT + 60)).toBeUndefined();
      expect(await soloGame(mine, 'p1', 'another', AT)).toBeUndefined();
      expect(await soloGame(mine, 'p2', game.board, AT)).toBeUndefined();
      expect(await soloGame(door(), 'p1', game.board, AT)).toBeUndefined();
      await soloGames.save('p1', { ...game, board: 'later', version: 0 });
      expect(await soloGameBoards(mine, 'p1', AT + 59)).toEqual([game.board, 'later']);
      expect(await soloGameBoards(mine, 'p1', AT + 60)).toEqual([]);
      expect(await soloGameBoards(mine, 'p2', AT)).toEqual([]);
    });

    test('go on in another tenant of the door', async () => {
      const mine = door();
      const [one, two] = [`${mine}:1`, `${mine}:2`];
      const save = (tenant: string, version: number, word: string, person = 'p1') =>
        store()
          .tenant(tenant)
          .soloGames.save(person, { ...game, state: { word }, version, now: AT + version });
      const { soloGame, moveSoloGame } = store().allPeople;
      const open = () => soloGame(mine, 'p1', game.board, AT);
      // Two were begun at once: the last move decides.
      await save(two, 0, 'older');
      await save(one, 0, 'a');
      await save(one, 1, 'b');
      await save(two, 0, 'other', 'p2');
      await save(one, 0, 'first', 'p3');
      await save(two, 0, 'second', 'p3');
      await save(two, 1, 'third', 'p3');
      expect(await soloGame(mine, 'p3', game.board, AT)).toMatchObject({ tenant: two });
      const move = () => moveSoloGame({ tenant: one, to: two }, 'p1', game.board);
      // Another process may have moved it, and made a move.
      await Promise.all([move(), move()]);
      expect(await open()).toEqual({ tenant: two, state: { word: 'b' }, version: 2 });
      expect(await save(one, 2, 'late')).toBe(false);
      expect(await save(two, 2, 'c')).toBe(true);
      expect(await store().allPeople.lastPlayed(mine, 'p1')).toBe(AT + 2);
      await move();
      expect(await open()).toEqual({ tenant: two, state: { word: 'c' }, version: 3 });
      expect(await soloGame(mine, 'p2', game.board, AT)).toMatchObject({ state: { word: 'other' } });
    });

    test('tell how many people play a board in a channel, who are not hidden and have not solved it', async () => {
      const { soloGames, people, results, channelResults } = store().tenant(`${door()}:1`);
      const date = '2026-11-20';
      const board = `${date} ab`;
      const playing = (channel = 'c1', at = AT) => soloGames.playing(channel, board, date, at);
      expect(await playing()).toBe(0);
      for (const person of ['p1', 'p2', 'p3', 'p4'])
        await soloGames.save(person, { ...game, board, channel: 'c1', version: 0 });
      await soloGames.save('p1', { ...game, board: 'another', channel: 'c1', version: 0 });
      await soloGames.save('direct', { ...game, board, version: 0 });
      expect(await playing()).toBe(4);
      expect(await playing('c2')).toBe(0);
      expect(await playing('c1', AT + 60)).toBe(0);
      await soloGames.save('p1', { ...game, board, channel: 'c2', version: 1 });
      expect([await playing(), await playing('c2')]).toEqual([3, 1]);
      await people.choose('p2', { hidden: true });
      await results.record(resultOf(date, { person: 'p3', channel: 'c1' }));
      await results.record(resultOf(date, { person: 'p4', channel: 'c2' }));
      expect(await playing()).toBe(1);
      // The person whose board was replaced plays the new one.
      await channelResults.setBoard('c1', date, 'another');
      expect(await playing()).toBe(2);
    });

    test('are saved only over the version that was read', async () => {
      const { soloGames } = store().tenant(`${door()}:1`);
      const save = (version: number, more: Partial<typeof game> = {}) =>
        soloGames.save('p1', { ...game, ...more, version });
      expect(await save(1)).toBe(false);
      const both = await Promise.all([save(0), save(0)]);
      expect(both.toSorted()).toEqual([false, true]);
      const next = await Promise.all([1, 2, 3].map((word) => save(1, { state: { word: `${word}` } })));
      expect(next.filter((isSaved) => isSaved)).toHaveLength(1);
      expect(await save(1)).toBe(false);
      expect(await save(2, { now: AT + 60, expiresAt: AT + 90 })).toBe(false);
      expect(await save(0, { now: AT + 60, expiresAt: AT + 90 })).toBe(true);
    });

    test('of too many, those played longest ago are deleted, of that person only', async () => {
      const mine = door();
      const { soloGames } = store().tenant(`${mine}:1`);
      const { soloGame } = store().allPeople;
      const save = (person: string, number: number) =>
        soloGames.save(person, { ...game, board: `b${number}`, version: 0, now: AT + number });
      await save('p2', 0);
      for (let number = 0; number < MAX_SOLO_GAMES + 2; number++) await save('p1', number);
      const kept = await Promise.all(
        Array.from({ length: MAX_SOLO_GAMES + 2 }, (_, number) => soloGame(mine, 'p1', `b${number}`, AT)),
      );
      expect(kept.map((one) => one !== undefined)).toEqual([
        false,
        false,
        ...Array(MAX_SOLO_GAMES).fill(true),
      ]);
      expect(await soloGame(mine, 'p2', 'b0', AT)).toBeDefined();
    });
  });

  describe('games', () => {
    const saved = { state: { words: ['cab'] }, people: ['p2', 'p1'], expiresAt: AT + 60, now: AT };

    test('one a thread, saved over the version that was read', async () => {
      const mine = door();
      const { games } = store().tenant(`${mine}:1`);
      expect(await games.save('t1', { ...saved, version: 0 })).toBe(true);
      expect(await games.get('t1', AT)).toEqual({ state: saved.state, version: 1 });
      expect(await games.save('t1', { ...saved, version: 0 })).toBe(false);
      expect(await games.save('t1', { ...saved, version: 2 })).toBe(false);
      expect(await games.save('t2', { ...saved, version: 1 })).toBe(false);
      const people = ['p1', 'p2', 'p3'];
      const moves = await Promise.all(
        people.map((by) => games.save('t1', { ...saved, state: { by }, people: [by], version: 1 })),
      );
      expect(moves.filter((isSaved) => isSaved)).toHaveLength(1);
      const by = people[moves.indexOf(true)]!;
      expect(await games.get('t1', AT)).toEqual({ state: { by }, version: 2 });
      const counts = await Promise.all(people.map((person) => store().allPeople.counts(mine, person)));
      expect(counts.map(([counted]) => counted?.games === 1)).toEqual(moves);
    });

    test('an expired one is gone, and a new one may replace it', async () => {
      const { games } = store().tenant(`${door()}:1`);
      await games.save('t1', { ...saved, version: 0 });
      expect(await games.get('t1', AT + 60)).toBeUndefined();
      expect(await games.save('t1', { ...saved, version: 1, now: AT + 60 })).toBe(false);
      const next = { state: {}, people: [], expiresAt: AT + 120, now: AT + 60 };
      expect(await games.save('t1', { ...next, version: 0 })).toBe(true);
      expect(await games.get('t1', AT + 60)).toEqual({ state: {}, version: 1 });
    });
  });
}
