import { expect, type TestOptions, test } from 'vitest';
import { DAY_KIND, EVERY_DATE, personChannel, REMINDER_KIND } from '../../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { Lease } from '../../../src/store/tables/deliveries.ts';
import type { TenantStore } from '../../../src/store/tables/tenants.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { exportOf } from '../../fakes/stored.ts';
import { because, type Ground } from './ground.ts';

const AT = Date.UTC(2026, 10, 20, 8);

/** A step of one tenant's life. Few names, so that tenants use the same ones all the time. */
interface Step {
  readonly tenant: number;
  readonly action: keyof typeof ACTIONS;
  readonly person: string;
  readonly channel: string;
  readonly date: PuzzleDate;
  readonly number: number;
}

interface Life {
  readonly store: Store;
  readonly tenant: TenantStore;
  lease: Lease | undefined;
}

const ACTIONS = {
  saveSettings: ({ tenant }, { channel, person, number }) =>
    tenant.subscriptions.save(channel, { number }, { version: number % 3, by: person, at: AT }),
  suspend: ({ tenant }, { channel, person }) =>
    tenant.subscriptions.setState(channel, { state: 'suspended', reason: because(person) }),
  claimNotice: ({ tenant }, { channel }) => tenant.subscriptions.claimNotice(channel, AT),
  reactivate: ({ tenant }, { channel }) => tenant.subscriptions.reactivate(channel),
  posted: ({ tenant }, { channel }) => tenant.subscriptions.posted(channel),
  putBoard: ({ tenant }, { channel, date, person, number }) =>
    tenant.boards.put({ channel, date, puzzle: { number }, typedBy: person, typedAt: AT }),
  removeBoard: ({ tenant }, { channel, date }) => tenant.boards.remove(channel, date),
  report: ({ tenant }, { channel, date }) => tenant.boards.claimReport(channel, date),
  see: ({ tenant }, { person, date, number }) =>
    tenant.hints.record(person, date, [`step ${number}`], { at: AT }),
  record: ({ tenant }, { person, channel, date, number }) =>
    tenant.results.record({
      person,
      channel,
      date,
      board: 'abc def',
      words: number,
      letters: 14,
      hints: 0,
      solvedAt: AT,
      sinceOpening: number === 5 ? null : number,
    }),
  setBoard: ({ tenant }, { channel, date, number }) =>
    tenant.channelResults.setBoard(channel, date, number % 2 === 1 ? 'abc def' : 'ghi jkl'),
  hide: ({ tenant }, { person, number }) => tenant.people.choose(person, { hidden: number % 2 === 1 }),
  calm: ({ tenant }, { person, number }) => tenant.people.choose(person, { calm: number % 2 === 1 }),
  compare: ({ tenant }, { person, number }) =>
    tenant.people.setComparison(person, `code ${number}`, { agreed: 1, at: AT }),
  playOther: ({ tenant }, { person, channel, date, number }) =>
    tenant.otherResults.add({ person, channel, game: 'wordle', date, score: number, at: AT }),
  takeSummaries: ({ tenant }, { person, number }) =>
    tenant.people.choose(person, { inSummaries: number % 2 === 0 }),
  list: ({ tenant }, { person, number }) => tenant.people.choose(person, { listed: number % 2 === 0 }),
  remind: ({ tenant }, { person, channel, number }) =>
    tenant.reminders.set({ person, channel, at: '08:00', zone: 'UTC', setAt: AT + number }),
  endReminder: async ({ tenant }, { person, number }) => {
    const row = { channel: personChannel(person), date: EVERY_DATE, kind: REMINDER_KIND };
    const claim = { owner: 'me', now: AT + number, until: AT + 99 };
    const claimed = await tenant.deliveries.claim(row, claim);
    return claimed && tenant.deliveries.settle(claimed, { state: 'waiting', record: {} }, AT);
  },
  find: ({ tenant }, { person, channel, date: board, number }) =>
    tenant.finds.add({ person, channel, board, solution: `solution ${number}`, foundAt: AT + number }),
  bringPostForward: ({ tenant }, { channel, date, number }) =>
    tenant.deliveries.bringForward({ channel, date, kind: DAY_KIND }, AT - number),
  forget: ({ store, tenant }, { person }) => store.allPeople.erase(tenant.tenant, person),
  play: ({ tenant }, { channel, person, number }) =>
    tenant.games.save(channel, {
      state: { number },
      version: number % 3,
      people: [person],
      expiresAt: AT + 1,
      now: AT,
    }),
  playAlone: ({ tenant }, { date: board, channel, person, number }) =>
    tenant.soloGames.save(person, {
      board,
      channel,
      state: { number },
      version: number % 3,
      now: AT,
      expiresAt: AT + 1,
    }),
  madeBoard: ({ tenant }, { channel, date: board, person, number }) =>
    tenant.madeBoards.add({
      channel,
      board,
      sides: board,
      name: `${number}`,
      note: null,
      appraisal: {},
      madeBy: person,
      madeAt: AT,
      closedAt: null,
      expiresAt: AT + 1,
      posted: undefined,
      thread: null,
    }),
  reach: ({ tenant }, { channel, date: board, person, number: words }) =>
    tenant.madeBoards.record({ channel, board, person, words, letters: 9, hints: 0, solvedAt: AT }),
  notePosted: ({ tenant }, { channel, date: board, number }) =>
    tenant.madeBoards.recordPosted(channel, board, { number }, `thread ${board}`),
  closeMadeBoard: ({ tenant }, { channel, date }) => tenant.madeBoards.close(channel, date, AT),
  removeMadeBoard: ({ tenant }, { channel, date }) => tenant.madeBoards.remove(channel, date),
  install: ({ tenant }, { number }) => tenant.installation.put(`${number}`),
  async uninstall({ tenant: { installation } }, { number }) {
    const replaced = await installation.replace(`${number}`, `${number} again`);
    return [replaced, await installation.revoke(`${number} again`, AT)];
  },
  plan: ({ store, tenant: { tenant } }, { channel, date, number }) =>
    store.allDeliveries.plan([{ tenant, channel, date, kind: DAY_KIND, dueAt: AT + number }]),
  async claim(life, { channel, date, number }) {
    const claim = { owner: 'me', now: AT + number, until: AT + number + 1 };
    const claimed = await life.tenant.deliveries.claim({ channel, date, kind: DAY_KIND }, claim);
    life.lease = claimed ?? life.lease;
    return claimed;
  },
  renew: ({ tenant, lease }, { number }) =>
    lease && tenant.deliveries.renew(lease, AT + number, { record: { number } }),
  settle: ({ tenant, lease }, { person, number }) => {
    const state = (['due', 'waiting', 'sent', 'given-up', 'skipped'] as const)[number % 5]!;
    const times = { nextAt: AT, openedAt: number % 2 === 0 ? AT : undefined };
    return (
      lease &&
      tenant.deliveries.settle(lease, { state, ...times, reason: because(person), record: { number } }, AT)
    );
  },
  skipDue: ({ tenant }, { channel, date }) =>
    tenant.deliveries.skipDue({ channel, date, kind: DAY_KIND }, because('x'), AT),
  revive: ({ tenant }, { channel, date }) => tenant.deliveries.revive({ channel, date, kind: DAY_KIND }, AT),
  wake: ({ tenant }, { channel, date }) => tenant.deliveries.wakeBefore(channel, date, AT),
  async revise({ tenant }, { channel, date, number }) {
    const day = await tenant.deliveries.day(channel, date);
    return day && tenant.deliveries.reviseDay(day, { number }, { now: AT });
  },
  belong: ({ tenant }, { number }) => tenant.setOrganization(number === 0 ? undefined : `E${number}`),
  remove: ({ tenant }) => tenant.markRemoved(AT),
  comeBack: ({ tenant }) => tenant.markPresent({ from: '2026-11-20', now: 0 }),
  async erase({ store, tenant }) {
    // Before anybody else is removed.
    await tenant.markRemoved(1);
    return (await store.allTenants.eraseRemoved(1)).includes(tenant.tenant);
  },
  read: (life, { person, channel, date }) => contents(life, [person], [channel], [date]),
} satisfies Record<string, (life: Life, step: Step) => unknown>;

const PEOPLE = ['p1', 'p2'];
const CHANNELS = ['c1', 'c2'];
const DATES: readonly PuzzleDate[] = ['2026-11-20', '2026-11-21'];

async function contents(
  { store, tenant }: Pick<Life, 'store' | 'tenant'>,
  people = PEOPLE,
  channels = CHANNELS,
  dates = DATES,
) {
  const { subscriptions, installation, results, channelResults, soloGames } = tenant;
  const { madeBoards, boards, deliveries, reminders, games } = tenant;
  const found: unknown[] = [await subscriptions.list(), await installation.get(), await tenant.isRemoved()];
  found.push(await tenant.people.hiddenAmong(people), await deliveries.openThreads());
  found.push(await tenant.people.inSummariesAmong(people));
  for (const person of people) {
    found.push(await exportOf(store, tenant.tenant, person));
    found.push(await tenant.people.isHidden(person), await tenant.people.isRanked(person));
    found.push(await results.days(person));
    found.push(await reminders.get(person));
    for (const channel of channels) found.push(await results.datesIn(person, channel));
    for (const date of dates) found.push(await madeBoards.resultOf(channels[0]!, date, person));
  }
  const span = [DATES[0]!, DATES[1]!] as const;
  for (const channel of channels) {
    for (const date of dates) found.push(await soloGames.playing(channel, date, date, AT));
    found.push(await subscriptions.get(channel), await games.get(channel, AT));
    found.push(await channelResults.ofDay(channel, span[0]), await channelResults.sums(channel, ...span));
    found.push(
      await channelResults.byDay(channel, ...span),
      await channelResults.datesIn(channel, span[1]),
      await channelResults.span(channel),
      await channelResults.ofReplaced(channel, span[0]),
      await channelResults.boardOf(channel, span[0]),
      await channelResults.calmSolvers(channel, ...span),
    );
    found.push(await tenant.otherResults.sums(channel, ...span), await tenant.otherResults.span(channel));
    found.push(await tenant.finds.ofDay(channel, span[0]), await tenant.finds.ofBoard(channel, DATES[0]!));
    const regulars = { channel, from: span[0], to: span[1], days: 1 };
    found.push(await channelResults.hasRegulars(regulars));
    found.push(
      await madeBoards.ofChannel(channel, AT),
      await boards.state(channel),
      await boards.days(channel),
    );
    found.push(await deliveries.datesOpened(channel, '2026-11-22', 9));
    found.push(...(await deliveries.lastOpened(channel, '2026-11-22', 2)));
    for (const date of dates) {
      found.push(await channelResults.missing({ ...regulars, date, limit: 9 }));
      found.push(await madeBoards.calmSolvers(channel, date));
      found.push(await madeBoards.results(channel, date), await madeBoards.get(channel, date, AT));
      found.push(await madeBoards.ofThread(channel, `thread ${date}`, AT));
      found.push(await deliveries.nextThreadAt(channel, date), await boards.ofDates([date]));
      found.push(await deliveries.get(channel, date, DAY_KIND), await tenant.channelDay(channel, date));
    }
  }
  return found;
}

/** These delete what the others made. */
const DESTRUCTIVE: readonly (keyof typeof ACTIONS)[] = [
  ...(['removeBoard', 'removeMadeBoard', 'uninstall', 'forget', 'erase'] as const),
];
const NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];
const CONSTRUCTIVE = NAMES.filter((name) => !DESTRUCTIVE.includes(name));

/** The same tenant, noting the names of the queries that it is asked. */
function noting(tenant: TenantStore, asked: Set<string>): TenantStore {
  const note = <Part extends object>(part: Part, prefix: string): Part =>
    new Proxy(part, {
      get(target, name: string) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'object' && value !== null) return note(value, `${name}.`);
        if (typeof value === 'function') asked.add(prefix + name);
        return value;
      },
    });
  return note(tenant, '');
}

const queriesOf = (tenant: TenantStore) =>
  Object.entries(tenant).flatMap(([name, part]) =>
    typeof part === 'function'
      ? [name]
      : Object.keys(typeof part === 'object' ? part : {}).map((one) => `${name}.${one}`),
  );

export function isolationContract({ store, door }: Ground, options: TestOptions): void {
  test(
    'every query of a tenant answers and changes just what it would if the tenant were alone',
    options,
    async () => {
      const alone = await openStore({ dataDir: makeFolder() });
      const crowd: Life = { store: store(), tenant: store().tenant(`slack:${door()}1x`), lease: undefined };
      for (const action of CONSTRUCTIVE) {
        for (const [index, date] of DATES.entries())
          for (const person of PEOPLE)
            for (const channel of CHANNELS)
              await ACTIONS[action](crowd, { tenant: 0, action, person, channel, date, number: 2 * index });
      }
      const others = await contents(crowd);
      const name = crowd.tenant.tenant.slice(0, -1);
      const asked = new Set<string>();
      const mine: Life = { store: store(), tenant: noting(store().tenant(name), asked), lease: undefined };
      const twin: Life = { store: alone, tenant: alone.tenant(name), lease: undefined };
      // Numbers that add in the first round and change in the second; due after everything of the crowd.
      const rounds = [
        ...CONSTRUCTIVE.map((action) => ({ action, number: 6 })),
        ...[...CONSTRUCTIVE, ...DESTRUCTIVE].map((action) => ({ action, number: 4 })),
      ];
      for (const { action, number } of rounds) {
        const step = { tenant: 0, action, person: 'p1', channel: 'c1', date: DATES[0]!, number };
        expect(await ACTIONS[action](mine, step), action).toEqual(await ACTIONS[action](twin, step));
        if (action !== 'read' && !DESTRUCTIVE.includes(action)) continue;
        expect(await contents(mine), action).toEqual(await contents(twin));
        expect(await contents(crowd), action).toEqual(others);
      }
      expect([...asked].sort()).toEqual(queriesOf(crowd.tenant).sort());
      await alone.close();
    },
  );
}
