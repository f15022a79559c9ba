import { describe, expect, test } from 'vitest';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { conversationKey } from '../../../src/store/tables/short-lived.ts';
import type { TenantStore } from '../../../src/store/tables/tenants.ts';
import { exportOf, resultIn } from '../../fakes/stored.ts';
import type { Ground } from './ground.ts';

const AT = Date.UTC(2026, 10, 20, 8);

const REMINDER = { channel: 'c1', at: '19:00', zone: 'UTC', setAt: AT };

/** Something in every table that can hold a person. */
export async function live(tenant: TenantStore, person: string): Promise<void> {
  await tenant.hints.record(person, '2026-11-20', ['start'], { at: AT });
  await tenant.results.record({
    person,
    channel: 'c1',
    date: '2026-11-20' as const,
    board: 'abc def',
    words: 2,
    letters: 14,
    hints: 1,
    solvedAt: AT,
    sinceOpening: null,
  });
  await tenant.people.choose(person, { hidden: true });
  await tenant.subscriptions.save(`c ${person}`, { zone: 'UTC' }, { version: 0, by: person, at: AT });
  await tenant.boards.put({
    channel: `c ${person}`,
    date: '2026-11-20' as const,
    puzzle: {},
    typedBy: person,
    typedAt: AT,
  });
  await tenant.games.save(`t ${person}`, {
    state: { by: person },
    version: 0,
    people: [person, 'friend'],
    expiresAt: AT + 60,
    now: AT,
  });
  await tenant.soloGames.save(person, {
    board: 'a b c',
    channel: 'c',
    state: { word: 'x' },
    version: 0,
    now: AT,
    expiresAt: AT + 60,
  });
  await tenant.people.setComparison(person, 'checksum', { agreed: 1, at: AT });
  await tenant.otherResults.add({ ...WORDLE, person });
  await tenant.reminders.set({ person, ...REMINDER });
  await tenant.finds.add({ person, ...FIND });
  await tenant.madeBoards.add({ ...MADE_BOARD, channel: `c ${person}`, madeBy: person });
  await tenant.madeBoards.record({ ...MADE_BOARD_RESULT, person });
}

const FIND = { channel: 'c', board: 'abc def ghi', solution: 'ad be', foundAt: AT };
const MADE_BOARD = {
  board: 'abc def ghi',
  sides: 'abc-def-ghi',
  name: 'Tea',
  note: 'For Ada',
  appraisal: {},
  madeAt: AT,
  closedAt: null,
  expiresAt: AT + 60,
  posted: undefined,
  thread: null,
};
const WORDLE = { channel: 'c', game: 'wordle', date: '2026-11-20', score: 3, at: AT } as const;
const MADE_BOARD_RESULT = {
  channel: 'c',
  board: 'abc def ghi',
  words: 2,
  letters: 9,
  hints: 0,
  solvedAt: AT,
};

export function peopleContract({ store, door }: Ground): void {
  describe('people', () => {
    const whole = (tenant: string, person: string) => ({
      tenant,
      hidden: true,
      listed: false,
      calm: false,
      inSummaries: false,
      hints: [{ puzzle: '2026-11-20', step: 'start', at: AT, card: 0 }],
      results: [expect.objectContaining({ person, words: 2 })],
      boards: [{ channel: `c ${person}`, date: '2026-11-20', puzzle: {}, typedAt: AT }],
      settings: [{ channel: `c ${person}`, at: AT }],
      games: [{ thread: `t ${person}`, state: { by: person } }],
      soloGames: [{ board: 'a b c', channel: 'c', state: { word: 'x' }, at: AT }],
      reminders: [{ ...REMINDER, state: 'due', dueAt: AT }],
      comparisons: [{ other: 'checksum', agreed: 1, at: AT }],
      otherResults: [WORDLE],
      finds: [{ channel: 'c', board: 'abc def ghi', solution: 'ad be', at: AT }],
      madeBoards: [{ channel: `c ${person}`, sides: 'abc-def-ghi', name: 'Tea', note: 'For Ada', at: AT }],
      madeBoardResults: [{ ...MADE_BOARD_RESULT, person, afterSolution: 0 }],
    });

    test('hide and show', async () => {
      const { tenant, people } = store().tenant(`${door()}:1`);
      expect(await people.isHidden('p1')).toBe(false);
      await people.choose('p1', { hidden: true });
      expect(await people.isHidden('p1')).toBe(true);
      expect(await people.isHidden('p2')).toBe(false);
      expect(await people.hiddenAmong(['p1', 'p2'])).toEqual(new Set(['p1']));
      expect(await people.hiddenAmong([])).toEqual(new Set());
      expect(await store().allPeople.counts(tenant, 'p1')).toMatchObject([{ hidden: true }]);
      await people.choose('p1', { hidden: false });
      expect(await people.isHidden('p1')).toBe(false);
    });

    test('get all that is stored about them, in one tenant and at one door', async () => {
      const [mine, other] = [door(), door()];
      for (const tenant of [`${mine}:1`, `${mine}:2`, `${other}:1`]) {
        await live(store().tenant(tenant), 'p1');
        await live(store().tenant(tenant), 'p2');
      }
      expect(await exportOf(store(), `${mine}:1`, 'p1')).toEqual(whole(`${mine}:1`, 'p1'));
      expect(await exportOf(store(), `${mine}:1`, 'nobody')).toBeUndefined();
      expect(await store().allPeople.export(mine, 'p1')).toEqual([
        whole(`${mine}:1`, 'p1'),
        whole(`${mine}:2`, 'p1'),
      ]);
      expect(await store().allPeople.export(mine, 'nobody')).toEqual([]);
    });

    test('have results in all tenants of one door, in the order of tenants and dates', async () => {
      const [mine, other] = [door(), door()];
      const { allPeople } = store();
      const record = (tenant: string, person: string, date: PuzzleDate) =>
        store().tenant(tenant).results.record({
          person,
          date,
          channel: 'c',
          board: 'abc def',
          words: 2,
          letters: 14,
          hints: 0,
          solvedAt: AT,
          sinceOpening: 1,
        });
      await record(`${mine}:2`, 'p1', '2026-11-19');
      await record(`${mine}:1`, 'p1', '2026-11-20');
      await record(`${mine}:1`, 'p1', '2026-11-18');
      await record(`${mine}:3`, 'p2', '2026-11-20');
      await record(`${other}:1`, 'p1', '2026-11-20');
      const scores = await allPeople.scoresOf(mine, 'p1');
      expect(scores.map(({ date }) => date)).toEqual(['2026-11-18', '2026-11-19', '2026-11-20']);
      const ofDay = await allPeople.resultsOf(mine, 'p1', '2026-11-18');
      expect(ofDay).toEqual([
        {
          ...(await resultIn(store(), `${mine}:1`, 'p1', 'c', '2026-11-18')),
          tenant: `${mine}:1`,
        },
      ]);
      expect(await allPeople.scoresOf(mine, 'nobody')).toEqual([]);
      expect(await allPeople.resultsOf(mine, 'nobody', '2026-11-18')).toEqual([]);
      expect(await allPeople.tenantsOf(mine, 'p1')).toEqual([`${mine}:1`, `${mine}:2`]);
      expect(await allPeople.tenantsOf(mine, 'nobody')).toEqual([]);
      const { boards } = store().tenant(`${mine}:1`);
      for (const channel of ['c', 'not played'])
        await boards.put({ channel, date: '2026-11-17', puzzle: {}, typedBy: 'p2', typedAt: AT });
      expect(await boards.days('c')).toEqual([{ date: '2026-11-17', at: AT }]);
      expect(await allPeople.typedDays(mine, 'p1')).toEqual([{ date: '2026-11-17', at: AT }]);
    });

    test('have seen hints in every tenant of a door, of a typed board and of a day’s board', async () => {
      const [mine, other] = [door(), door()];
      const see = (tenant: string, person: string, puzzle: string, step: string, card?: 'board' | 'other') =>
        store().tenant(tenant).hints.record(person, puzzle, [step], { at: AT, card });
      const board = 'abc def ghi jkl';
      await see(`${mine}:1`, 'p1', `2026-11-20 ${board}`, 'start', 'board');
      await see(`${mine}:2`, 'p1', `2026-11-20 ${board}`, 'start', 'other');
      await see(`${mine}:2`, 'p1', `2026-11-20 ${board}`, 'count');
      await see(`${mine}:2`, 'p1', `2026-11-19 ${board}`, 'lengths', 'other');
      await see(`${mine}:2`, 'p1', `2026-11-19 ${board}`, 'lengths');
      await see(`${mine}:1`, 'p1', board, 'first');
      await see(`${mine}:1`, 'p1', '2026-11-20 abc def ghi', 'masked');
      await see(`${mine}:1`, 'p1', `xyz ${board}`, 'masked');
      // A typed board whose first side is as long as a date.
      await see(`${mine}:1`, 'p1', `abcdefghij ${board}`, 'masked');
      await see(`${mine}:1`, 'p2', board, 'masked');
      await see(`${other}:1`, 'p1', board, 'joint');
      const seen = await store().allPeople.factsSeen(mine, 'p1', board);
      expect(Object.fromEntries(seen)).toEqual({
        count: 'none',
        first: 'none',
        lengths: 'other',
        start: 'board',
      });
      const ofDay = await store().allPeople.factsSeen(mine, 'p1', board, { date: '2026-11-20' });
      expect([...ofDay.keys()].sort()).toEqual(['count', 'first', 'start']);
      expect(await store().allPeople.factsSeen(mine, 'nobody', board)).toEqual(new Map());
      expect(await store().allPeople.factsSeen(mine, 'p1', board, { before: AT })).toEqual(new Map());
      const seenOn = (date: PuzzleDate) => store().allPeople.seenOn(mine, 'p1', date);
      expect(await seenOn('2026-11-20')).toEqual(['count', 'masked', 'start']);
      expect(await seenOn('2026-11-18')).toEqual([]);
      expect(await store().allPeople.datesOfHints(mine, 'p1', '2026-11-20')).toEqual(['2026-11-20']);
    });

    test('say at a door whether they agree to be compared, once, and change that where they said it', async () => {
      const [mine, other] = [door(), door()];
      const { allPeople } = store();
      const { people } = store().tenant(`${mine}:1`);
      expect(await people.setComparison('p1', 'code', { agreed: 1, at: AT })).toBe(true);
      expect(await allPeople.comparison(mine, 'p1', 'code')).toEqual({ tenant: `${mine}:1`, isAgreed: true });
      expect(await allPeople.comparison(mine, 'p2', 'code')).toBeUndefined();
      expect(await allPeople.comparison(other, 'p1', 'code')).toBeUndefined();
      expect(await people.setComparison('p1', 'code', { agreed: 0, at: AT })).toBe(false);
      expect((await allPeople.comparison(mine, 'p1', 'code'))?.isAgreed).toBe(false);
      // Written by two processes at once: a refusal counts.
      await store().tenant(`${mine}:0`).people.setComparison('p1', 'code', { agreed: 1, at: AT });
      expect((await allPeople.comparison(mine, 'p1', 'code'))?.isAgreed).toBe(false);
    });

    test('are summed by other games, without those who hide or are calm, and first only among others', async () => {
      const { otherResults, people } = store().tenant(`${door()}:1`);
      const add = (person: string, date: PuzzleDate, score: number, isConfirmed = false) =>
        otherResults.add({ ...WORDLE, person, date, score }, { isConfirmed });
      const sums = (from: PuzzleDate = '2026-11-16') => otherResults.sums('c', from, '2026-11-22');
      for (const person of ['p1', 'p2', 'p3', 'p4']) await add(person, '2026-11-20', 4);
      await add('p1', '2026-11-21', 2);
      await add('p2', '2026-11-22', 3);
      await add('p3', '2026-11-22', 3);
      await otherResults.add({ ...WORDLE, person: 'p1', channel: 'other', score: 1 });
      await people.choose('p3', { hidden: true });
      await people.choose('p4', { calm: true });
      expect(await otherResults.span('c')).toEqual({ from: '2026-11-20', to: '2026-11-22' });
      expect(await otherResults.span('empty')).toBeUndefined();
      const one = { person: 'p1', game: 'wordle', results: 2, score: 6, firsts: 1 };
      expect(await sums()).toEqual([one, { ...one, person: 'p2', score: 7 }]);
      expect(await sums('2026-11-21')).toEqual([
        { ...one, results: 1, score: 2, firsts: 0 },
        { ...one, person: 'p2', results: 1, score: 3, firsts: 0 },
      ]);
      expect([await add('p1', '2026-11-20', 1), await add('p1', '2026-11-20', 5, true)]).toEqual([
        false,
        true,
      ]);
      expect((await sums())[0]).toEqual({ ...one, score: 7, firsts: 0 });
    });

    test('are hidden at a door when any of its tenants hides them', async () => {
      const [mine, other] = [door(), door()];
      const { allPeople } = store();
      await store().tenant(`${mine}:1`).people.choose('p1', { hidden: true });
      await store().tenant(`${mine}:2`).people.choose('p1', { hidden: false });
      expect(await allPeople.isHidden(mine, 'p1')).toBe(true);
      expect(await allPeople.isHidden(mine, 'p2')).toBe(false);
      expect(await allPeople.isHidden(other, 'p1')).toBe(false);
      await store().tenant(`${mine}:1`).people.choose('p1', { hidden: false });
      expect(await allPeople.isHidden(mine, 'p1')).toBe(false);
    });

    test('of the tenants of one organization are one person, for as long as these belong to it', async () => {
      const mine = door();
      const [one, other, outside] = [1, 2, 3].map((id) => store().tenant(`slack:${mine}${id}`)) as [
        TenantStore,
        TenantStore,
        TenantStore,
      ];
      const { allPeople } = store();
      for (const tenant of [one, other, outside]) await live(tenant, 'p1');
      for (const tenant of [one, other]) await tenant.setOrganization(`of ${mine}`);
      await outside.setOrganization(`another of ${mine}`);
      const tenantsOf = ({ tenant }: TenantStore) => allPeople.tenantsOf(tenant, 'p1');
      expect(await tenantsOf(one)).toEqual([one.tenant, other.tenant]);
      expect(await tenantsOf(outside)).toEqual([outside.tenant]);
      await other.hints.record('p1', '2026-11-20 abc', ['count'], { at: AT });
      const seenIn = ({ tenant }: TenantStore) => allPeople.seenOn(tenant, 'p1', '2026-11-20');
      expect(await Promise.all([one, outside].map(seenIn))).toEqual([['count'], []]);
      await other.setOrganization(undefined);
      expect(await tenantsOf(one)).toEqual([one.tenant]);
      await other.setOrganization(`of ${mine}`);
      await allPeople.erase(other.tenant, 'p1');
      expect(await exported(store(), [one.tenant, other.tenant, outside.tenant], 'p1')).toEqual([
        false,
        false,
        true,
      ]);
    });

    test('are forgotten at once in all tenants of a door, and nobody else is', async () => {
      const [mine, other] = [door(), door()];
      const tenants = [`${mine}:1`, `${mine}:2`, `${mine}:3`, `${other}:1`];
      for (const tenant of tenants) {
        await live(store().tenant(tenant), 'p1');
        await live(store().tenant(tenant), 'p2');
      }
      const left = (person: string) => exported(store(), tenants, person);
      const both = { state: {}, version: 0, people: ['p1', 'p9'], expiresAt: AT + 60, now: AT };
      await store().tenant(`${mine}:1`).games.save('both', both);
      await store().allPeople.erase(`${mine}:1`, 'p1');
      // A game that is deleted names nobody any longer.
      expect(await store().allPeople.tenantsOf(mine, 'p9')).toEqual([]);
      expect(await left('p1')).toEqual([false, false, false, true]);
      expect(await left('p2')).toEqual([true, true, true, true]);
      expect(await exportOf(store(), `${mine}:1`, 'p2')).toEqual(whole(`${mine}:1`, 'p2'));

      const { subscriptions, channelDay, games, madeBoards } = store().tenant(`${mine}:2`);
      expect(await madeBoards.get('c p1', 'abc def ghi', AT)).toMatchObject({
        madeBy: null,
        name: 'Tea',
        note: null,
      });
      expect(await madeBoards.resultOf('c', 'abc def ghi', 'p1')).toBeUndefined();
      expect(await madeBoards.resultOf('c', 'abc def ghi', 'p2')).toMatchObject({ person: 'p2' });
      expect(await subscriptions.get('c p1')).toMatchObject({ setBy: null, settings: { zone: 'UTC' } });
      expect((await channelDay('c p1', '2026-11-20')).board).toMatchObject({ typedBy: null });
      expect(await games.get('t p1', AT)).toBeUndefined();
      expect(await games.get('t p2', AT)).toBeDefined();
    });

    test('leave nothing in their private conversations, where nobody relies on it', async () => {
      const mine = door();
      const tenant = store().tenant(`${mine}:@p1`);
      const others = store().tenant(`${mine}:@p2`);
      for (const one of [tenant, others]) {
        await live(one, 'p1');
        await one.games.save('nobody', { state: {}, version: 0, people: [], expiresAt: AT + 60, now: AT });
      }
      await store().allPeople.erase(mine, 'p1');
      const rows = async ({ games, madeBoards, subscriptions, channelDay }: typeof tenant) => [
        await games.get('nobody', AT),
        await madeBoards.get('c p1', 'abc def ghi', AT),
        await subscriptions.get('c p1'),
        (await channelDay('c p1', '2026-11-20')).board,
      ];
      expect(await rows(tenant)).toEqual([undefined, undefined, undefined, undefined]);
      expect(await rows(others)).not.toContain(undefined);
      // On Slack, these are channels of a workspace, with a mark.
      const workspace = store().tenant(`${mine}:T1`);
      for (const person of ['p1', 'p2']) await live(workspace, person);
      await workspace.madeBoards.add({ ...MADE_BOARD, channel: 'shared', madeBy: 'p1' });
      await store().events.extend(conversationKey(workspace.tenant, 'c p1'), AT + 60);
      await store().allPeople.erase(workspace.tenant, 'p1');
      for (const person of ['p1', 'p2']) {
        const isLeft = person === 'p2';
        expect((await workspace.madeBoards.ofChannel(`c ${person}`, AT)).length > 0).toBe(isLeft);
        expect((await workspace.channelDay(`c ${person}`, '2026-11-20')).board !== undefined).toBe(isLeft);
      }
      expect(await workspace.madeBoards.ofChannel('shared', AT)).toMatchObject([{ madeBy: null }]);
      const alone = store().tenant(`${mine}:@p3`);
      await alone.games.save('nobody', { state: {}, version: 0, people: [], expiresAt: AT + 60, now: AT });
      await store().allPeople.erase(mine, 'p3');
      expect(await alone.games.get('nobody', AT)).toBeUndefined();
    });

    test('removes a person from settings that name them, and nobody else', async () => {
      const { allPeople, tenant } = store();
      const { tenant: scope, subscriptions } = tenant(`slack:${door()}`);
      const settings = { ping: 'U1', managers: 'U12', zone: 'Asia/Tokyo' };
      await subscriptions.save('c', settings, { version: 0, by: 'U2', at: AT });
      await allPeople.erase(scope, 'U1');
      const left = await subscriptions.get('c');
      expect(left).toMatchObject({ settings: { ...settings, ping: null }, version: 2, setBy: 'U2' });
      await allPeople.erase(scope, 'U3');
      expect(await subscriptions.get('c')).toEqual(left);
    });

    test.each([
      'hints',
      'results',
      'people',
      'subscriptions',
      'boards',
      'games',
      'soloGames',
      'madeBoards',
      'reminders',
      'finds',
      'otherResults',
    ] as const)('are found everywhere when only %s know them', async (noun) => {
      const mine = door();
      const tenant = store().tenant(`${mine}:1`);
      const none = Object.fromEntries(Object.keys(tenant).map((name) => [name, NOTHING]));
      await live({ ...none, [noun]: tenant[noun] } as unknown as TenantStore, 'p1');
      expect(await store().allPeople.export(mine, 'p1')).toHaveLength(1);
      await store().allPeople.erase(mine, 'p1');
      expect(await store().allPeople.export(mine, 'p1')).toEqual([]);
    });
  });
}

/** A noun that takes everything and keeps nothing. */
const NOTHING = new Proxy({}, { get: () => async () => undefined });

async function exported(store: Store, tenants: readonly string[], person: string): Promise<boolean[]> {
  return Promise.all(tenants.map(async (tenant) => (await exportOf(store, tenant, person)) !== undefined));
}
