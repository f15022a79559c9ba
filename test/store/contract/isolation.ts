import { describe, expect, test } from 'vitest';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Lease } from '../../../src/store/tables/deliveries.ts';
import type { TenantStore } from '../../../src/store/tables/tenant.ts';
import fc from '../../fakes/fast-check.ts';
import { sample } from '../../fakes/sample.ts';
import { makeFolder } from '../folders.ts';
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
  report: ({ tenant }, { channel, date }) => tenant.boards.claimReport(channel, date),
  see: ({ tenant }, { person, date, number }) =>
    tenant.hints.see(person, date, [`step ${number}`], { at: AT }),
  record: ({ tenant }, { person, channel, date, number }) =>
    tenant.results.record({
      person,
      channel,
      date,
      words: number,
      letters: 14,
      hints: 0,
      solvedAt: AT,
      sinceOpening: null,
      lengths: [number],
    }),
  hide: ({ tenant }, { person, number }) => tenant.people.setHidden(person, number % 2 === 0),
  forget: ({ tenant }, { person }) => tenant.people.erase(person),
  play: ({ tenant }, { channel, person, number }) =>
    tenant.games.save(channel, {
      state: { number },
      version: number % 3,
      people: [person],
      expiresAt: AT + 1,
      now: AT,
    }),
  playAlone: ({ tenant }, { date: board, person, number }) =>
    tenant.soloGames.save(person, {
      board,
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
  removeMadeBoard: ({ tenant }, { channel, date }) => tenant.madeBoards.remove(channel, date),
  end: ({ tenant }, { channel }) => tenant.games.end(channel),
  install: ({ tenant }, { number }) => tenant.installation.put(`${number}`, AT),
  uninstall: ({ tenant }, { number }) => tenant.installation.lose(`${number}`, AT),
  plan: ({ store, tenant: { tenant } }, { channel, date, number }) =>
    store.allDeliveries.plan([{ tenant, channel, date, step: 'opening', dueAt: AT + number }]),
  async claim(life, { channel, date, number }) {
    const claim = { owner: 'me', now: AT + number, until: AT + number + 1 };
    const claimed = await life.tenant.deliveries.claim(channel, date, 'opening', claim);
    life.lease = claimed?.lease ?? life.lease;
    return claimed;
  },
  sent: ({ tenant, lease }, { number }) => (lease ? tenant.deliveries.sent(lease, { number }, AT) : false),
  giveUp: ({ tenant, lease }, { person }) =>
    lease ? tenant.deliveries.giveUp(lease, because(person), AT) : false,
  skipDue: ({ tenant }, { channel, date }) =>
    tenant.deliveries.skipDue({ channel, date, step: 'opening' }, because('x'), AT),
  revive: ({ tenant }, { channel, date }) => tenant.deliveries.revive(channel, date, 'opening', AT),
  remove: ({ tenant }) => tenant.markRemoved(AT),
  comeBack: ({ tenant }) => tenant.markPresent(),
  erase: ({ tenant }) => tenant.erase(),
  read: ({ tenant }, { person, channel, date }) => contents(tenant, [person], [channel], [date]),
} satisfies Record<string, (life: Life, step: Step) => unknown>;

const PEOPLE = ['p1', 'p2'];
const CHANNELS = ['c1', 'c2'];
const DATES: readonly PuzzleDate[] = ['2026-11-20', '2026-11-21'];

async function contents(tenant: TenantStore, people = PEOPLE, channels = CHANNELS, dates = DATES) {
  const found: unknown[] = [await tenant.subscriptions.list(), await tenant.installation.get()];
  for (const person of people) {
    found.push(await tenant.people.export(person), await tenant.results.ofPerson(person));
    found.push(await tenant.soloGames.boards(person, AT));
    for (const date of dates) {
      found.push(await tenant.hints.seen(person, date), await tenant.soloGames.get(person, date, AT));
    }
  }
  for (const channel of channels) {
    found.push(await tenant.subscriptions.get(channel), await tenant.games.get(channel, AT));
    found.push(await tenant.channelResults.between(channel, DATES[0]!, DATES[1]!));
    found.push(await tenant.madeBoards.ofChannel(channel, AT));
    found.push(await tenant.deliveries.datesOf(channel, 'opening', '2026-11-22', 9));
    for (const date of dates) {
      found.push(await tenant.madeBoards.results(channel, date));
      found.push(await tenant.boards.get(channel, date), await tenant.deliveries.ofDay(channel, date));
    }
  }
  return found;
}

export function isolationContract({ store, door }: Ground): void {
  describe('tenants interleaved at random', () => {
    const steps = fc.array(
      fc.record<Step>({
        tenant: fc.nat(2),
        action: fc.constantFrom(...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])),
        person: fc.constantFrom(...PEOPLE),
        channel: fc.constantFrom(...CHANNELS),
        date: fc.constantFrom(...DATES),
        number: fc.nat(5),
      }),
      { minLength: 20, maxLength: 60 },
    );

    /** Every answer each tenant got, and all it can see at the end. */
    async function run(on: Store, names: readonly string[], script: readonly Step[]) {
      const lives = names.map((name): Life => ({ store: on, tenant: on.tenant(name), lease: undefined }));
      const answers: unknown[][] = names.map(() => []);
      for (const step of script)
        answers[step.tenant]!.push(await ACTIONS[step.action](lives[step.tenant]!, step));
      for (const [index, { tenant }] of lives.entries()) answers[index]!.push(await contents(tenant));
      return answers;
    }

    test('each gets just what it would get if it were alone in the world', async () => {
      const alone = await openStore({ dataDir: makeFolder() });
      await fc.assert(
        fc.asyncProperty(steps, async (script) => {
          const names = [1, 2, 3].map((id) => `${door()}:${id}`);
          // The same door for the first two, and the same id at another door for the third.
          const tenants = [names[0]!, `${names[0]!}x`, `${names[1]!.split(':')[0]}:1`];
          const together = await run(store(), tenants, script);
          for (const [index, tenant] of tenants.entries()) {
            const own = script.filter((step) => step.tenant === index);
            const answers = await run(alone, [tenant], own.map((step) => ({ ...step, tenant: 0 }))); // biome-ignore format: one line reads better
            await alone.tenant(tenant).erase();
            expect(together[index]).toEqual(answers[0]);
          }
        }),
        { numRuns: sample(20, 3) },
      );
      await alone.close();
    });
  });
}
