/**
 * What planning costs this tree and another one, side by side: the first minute after a start, a quiet one, one in which
 * every channel opens, one in which every thread has a step, and a whole day. Sending is not measured.
 *
 *   git worktree add ../old b65c8ec1
 *   ln -s "$PWD/node_modules" ../old/
 *   scripts/test-postgres.sh run npx node bench/ticks.ts ../old [channels, ...]
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { DAY, HOUR, MINUTE } from '../src/core/clock.ts';
import { DEFAULT_SETTINGS } from '../src/daily/settings/settings.ts';
import type { DeliveryKey } from '../src/store/tables/deliveries.ts';
import { quiet } from '../test/daily/ground.ts';
import { heading, row } from './table.ts';

const COUNTS = [10, 1_000, 10_000];
const ROUNDS = 3;
/** New York's 08:00 in November, when all channels open. */
const OPENING = Date.UTC(2026, 10, 20, 13);
/** Threads that are opened by one process at the same time. */
const AT_ONCE = 24;
const KINDS = ['first', 'quiet', 'opening', 'step', 'day'] as const;
type Times = Record<(typeof KINDS)[number], number>;
type Run = (text: string) => Promise<unknown>;

/** The planner of a tree, whose ways to say that threads were opened differ. */
interface Tree {
  open(options: object): Promise<Store>;
  plan(store: Store): Planning;
}
interface Store {
  tenant(id: string): { subscriptions: { save(...args: unknown[]): Promise<unknown> } };
  readonly planning?: {
    begin(rules: string, now: number): Promise<void>;
    hasten(opened: readonly DeliveryKey[]): Promise<void>;
  };
  close(): Promise<void>;
}
interface Planning {
  tick(now: number): Promise<readonly DeliveryKey[]>;
  opened(keys: readonly DeliveryKey[], now: number): Promise<readonly DeliveryKey[]>;
}

async function load(folder: string): Promise<Tree> {
  const part = (path: string) => import(join(folder, 'src', path));
  const [{ openStore }, { Planner }, { Schedules }] = await Promise.all([
    // Stores were opened in a file of their own.
    part('store/open.ts').catch(() => part('store/store.ts')),
    part('daily/plan/planner.ts'),
    part('daily/plan/schedule.ts'),
  ]);
  return {
    open: openStore,
    plan(store) {
      const planner = new Planner({ store, log: quiet, schedules: new Schedules() });
      let isBegun = false;
      const keysOf = (ticked: DeliveryKey[] | { planned: DeliveryKey[] }) =>
        'planned' in ticked ? ticked.planned : ticked;
      return {
        async tick(now) {
          if (!isBegun) await store.planning?.begin('', now);
          isBegun = true;
          return keysOf(await planner.tick(now));
        },
        async opened(keys, now) {
          const { planning } = store;
          if (planning === undefined)
            return (
              await Promise.all(keys.map(async (key) => keysOf(await planner.opened(key, now))))
            ).flat();
          await planning.hasten(keys);
          return (await planner.some(now)).added;
        },
      };
    },
  };
}

async function measure(tree: Tree, count: number, server?: string): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-ticks-'));
  const databaseUrl = server && Object.assign(new URL(server), { pathname: '/ticks' }).href;
  const pool = server === undefined ? undefined : new pg.Pool({ connectionString: server });
  await pool?.query('create database ticks');
  const store = await tree.open(databaseUrl === undefined ? { dataDir: folder } : { databaseUrl });
  const { run, end } =
    databaseUrl === undefined ? onFile(join(folder, 'letterboxed.db')) : onServer(databaseUrl);
  try {
    await fill(store, count);
    return await measureIn(() => tree.plan(store), run);
  } finally {
    await end();
    await store.close();
    await pool?.query('drop database ticks');
    await pool?.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(store: Store, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await store
      .tenant(`discord:${index}`)
      .subscriptions.save('c', DEFAULT_SETTINGS, { version: 0, by: 'manager', at: OPENING - DAY });
}

function onFile(file: string): { run: Run; end: () => Promise<void> } {
  const database = new DatabaseSync(file);
  return { run: async (text) => database.exec(text), end: async () => database.close() };
}

function onServer(connectionString: string): { run: Run; end: () => Promise<void> } {
  const client = new pg.Pool({ connectionString, max: 1 });
  return { run: (text) => client.query(text), end: () => client.end() };
}

async function measureIn(startPlanning: () => Planning, run: Run): Promise<Times> {
  let planning = startPlanning();
  const minute = async (now: number) => {
    let spent = 0;
    const timed = async <Result>(work: () => Promise<Result>) => {
      const before = process.cpuUsage();
      const result = await work();
      const { user, system } = process.cpuUsage(before);
      spent += (user + system) / 1000;
      return result;
    };
    let keys = await timed(() => planning.tick(now));
    const planned = keys.length;
    while (keys.length > 0) {
      await run(`update delivery set state = 'sent', done_at = ${now} where state = 'due'`);
      const openings = keys.filter(({ step }) => step === 'opening');
      const others: DeliveryKey[] = [];
      for (let from = 0; from < openings.length; from += AT_ONCE)
        others.push(...(await timed(() => planning.opened(openings.slice(from, from + AT_ONCE), now))));
      keys = others;
    }
    return { spent, planned };
  };
  // The day before is planned and sent.
  for (let now = OPENING - DAY; now < OPENING - HOUR; now += HOUR) await minute(now);
  planning = startPlanning();
  const first = await minute(OPENING - HOUR);
  const kinds = { quiet: [] as number[], opening: [] as number[], step: [] as number[] };
  let day = 0;
  for (let now = OPENING - HOUR + MINUTE; now < OPENING + DAY - HOUR; now += MINUTE) {
    const { spent, planned } = await minute(now);
    day += spent;
    kinds[planned === 0 ? 'quiet' : now === OPENING ? 'opening' : 'step'].push(spent);
  }
  const mean = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0) / times.length;
  const { quiet, opening, step } = kinds;
  return { first: first.spent, quiet: mean(quiet), opening: mean(opening), step: mean(step), day };
}

/** The least of some rounds, in turns, so that both have the machine at its best. */
async function compare(trees: readonly [Tree, Tree], count: number, server?: string): Promise<void> {
  const best = trees.map(() => Object.fromEntries(KINDS.map((kind) => [kind, Infinity])) as Times);
  for (let round = 0; round < ROUNDS; round++)
    for (const index of round % 2 ? [1, 0] : [0, 1]) {
      const times = await measure(trees[index]!, count, server);
      for (const kind of KINDS) best[index]![kind] = Math.min(best[index]![kind], times[kind]);
    }
  const [ours, theirs] = best as [Times, Times];
  row(
    server === undefined ? 'SQLite' : 'PostgreSQL',
    count,
    ...KINDS.map((kind) => `${(ours[kind] / theirs[kind]).toFixed(2)} (${ours[kind].toFixed(1)} ms)`),
  );
}

if (import.meta.main) {
  const [, , other = '', ...counts] = process.argv;
  const trees = [await load(resolve(import.meta.dirname, '..')), await load(resolve(other))] as const;
  heading('engine', 'channels', ...KINDS);
  for (const server of new Set([undefined, process.env.TEST_DATABASE_URL]))
    for (const count of counts.length > 0 ? counts.map(Number) : COUNTS) await compare(trees, count, server);
}
