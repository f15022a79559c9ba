/**
 * The plans of many channels in all zones, minute by minute over some days: what a minute costs the main thread, and
 * whether each day is planned once and in its minute. Each delivery counts as sent at once; test/daily/opening-wave.test.ts is about sending.
 *
 *   scripts/test-postgres.sh run npx node bench/channels.ts [channels] [first day] [days]
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { HOUR, MINUTE, type PuzzleDate } from '../src/core/clock.ts';
import { keepHeapSmall } from '../src/core/program.ts';
import { planDue } from '../src/daily/plan/planner.ts';
import { opensOnWeekend, scheduleOf } from '../src/daily/plan/schedule.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../src/daily/settings/settings.ts';
import { addDays, spanOf } from '../src/puzzle/calendar.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { chunksOf } from '../src/store/tables/rows.ts';
import { randomSettings } from '../test/daily/walk.ts';
import { random } from '../test/solver/random-boards.ts';
import { LoopWatch } from '../test/whole-bot/loop-watch.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

/** Asks this program to make the channels. */
const FILL = 'fill';
const CHANNELS = 100_000;
/** The clocks of Europe change on the second day. */
const FIRST: PuzzleDate = '2027-03-27';
const DAYS = 3;
/** The share of channels that open at 08:00 in these zones; the others open at any time in any zone. */
const AT_EIGHT = 0.7;
const POPULAR = ['Europe/Berlin', 'America/New_York', 'Europe/London', 'America/Los_Angeles'] as const;

interface Minute {
  /** Rows that were planned. */
  readonly planned: number;
  /** Milliseconds of processor time, of all threads, and of the longest turn of the event loop. */
  readonly processor: number;
  readonly longest: number;
  /** Bytes of the process. */
  readonly memory: number;
}

async function run(count: number, first: PuzzleDate, days: number): Promise<void> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: see the top of this file');
  const databaseUrl = Object.assign(new URL(server), { pathname: '/channels' }).href;
  await new pg.Pool({ connectionString: server }).query('create database channels');
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const [begin, end] = [spanOf(first).from - HOUR, spanOf(addDays(first, days - 1)).to];
  // In another process, whose memory is not measured.
  await promisify(execFile)(process.execPath, [
    import.meta.filename,
    FILL,
    databaseUrl,
    `${count}`,
    `${begin}`,
  ]);
  const store = await openStore({ databaseUrl });
  const watch = new LoopWatch();
  const minutes: Minute[] = [];
  for (let now = begin; now < end; now += MINUTE) {
    watch.take();
    const before = process.cpuUsage();
    const planned = await planAndSend(store, database, now);
    const { user, system } = process.cpuUsage(before);
    const processor = (user + system) / 1000;
    minutes.push({ planned, processor, longest: watch.take().busiest, memory: process.memoryUsage().rss });
    if (minutes.length % 60 === 0)
      console.error(new Date(now).toISOString(), process.memoryUsage().rss / 1e6);
  }
  report(minutes);
  await recount(database, channelsOf(count), { begin, first, last: addDays(first, days - 1), end });
  await store.close();
  await database.end();
  process.exit();
}

/** Their settings by their names. */
function channelsOf(count: number): Map<string, Partial<DailySettings>> {
  const next = random(1);
  const channels = new Map<string, Partial<DailySettings>>();
  for (let index = 0; index < count; index++) {
    const zone = POPULAR[index % POPULAR.length]!;
    channels.set(String(index), next() < AT_EIGHT ? { zone } : randomSettings(next));
  }
  return channels;
}

async function fill(databaseUrl: string, count: number, at: number): Promise<void> {
  await (await openStore({ databaseUrl })).close();
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  for (const some of chunksOf([...channelsOf(count)])) {
    const settings = some.map(([, change]) => JSON.stringify({ ...DEFAULT_SETTINGS, ...change }));
    await database.query(
      `insert into subscription (tenant, channel, settings, state, version, set_at, since, plan_at)
       select *, 'active', 1, $4::bigint, $4::bigint, 0 from unnest($1::text[], $2::text[], $3::text[])`,
      [...placesOf(some), settings, at],
    );
  }
  await database.query('analyze');
  await database.end();
}

/** Their tenants, and their channels. */
function placesOf(some: readonly (readonly [string, unknown])[]): [string[], string[]] {
  const channels = some.map(([channel]) => channel);
  return [channels.map((channel) => `discord:${Number(channel) % 5_000}`), channels];
}

/** How many days were planned at a moment. */
async function planAndSend(store: Store, database: pg.Pool, now: number): Promise<number> {
  await planDue(store, now);
  const sent = `update delivery set state = 'waiting', opened_at = $1 where state = 'due'`;
  return (await database.query(sent, [now])).rowCount ?? 0;
}

function report(minutes: readonly Minute[]): void {
  const [start, ...others] = minutes;
  const idle = others.filter(({ planned }) => planned === 0);
  const full = others.filter(({ planned }) => planned > 0);
  heading(
    'minutes',
    'of them',
    'rows planned',
    'processor: median ms',
    'p99 ms',
    'longest turn, ms',
    'memory, MB',
  );
  for (const [name, some] of Object.entries({ 'the first': [start!], quiet: idle, full })) {
    const processor = some.map((minute) => minute.processor);
    row(
      name,
      some.length,
      some.reduce((sum, { planned }) => sum + planned, 0),
      milliseconds(quantile(processor, 0.5)),
      milliseconds(quantile(processor, 0.99)),
      milliseconds(most(some.map(({ longest }) => longest))),
      Math.round(most(some.map(({ memory }) => memory)) / 1e6),
    );
  }
}

/** A year has more minutes than a call may have arguments. */
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

/** Throws at the first channel in which something is missing, early or late. */
async function recount(
  database: pg.Pool,
  channels: ReadonlyMap<string, Partial<DailySettings>>,
  { begin, first, last, end }: { begin: number; first: PuzzleDate; last: PuzzleDate; end: number },
): Promise<void> {
  let [posts, skipped] = [0, 0];
  for (const some of chunksOf([...channels])) {
    const { rows } = await database.query(
      `select channel, date, opened_at from delivery
       where kind = 'day' and (tenant, channel) in (select * from unnest($1::text[], $2::text[]))`,
      placesOf(some),
    );
    const opened = new Map(rows.map(({ channel, date, opened_at }) => [`${channel} ${date}`, opened_at]));
    skipped += rows.filter(({ opened_at }) => opened_at === null).length;
    for (const [channel, change] of some) {
      const settings = { ...DEFAULT_SETTINGS, ...change };
      // Steps have no rows: an open day knows its next moment.
      for (let date = first; date <= last; date = addDays(date, 1)) {
        const { opensAt } = scheduleOf(settings, date);
        const isDayOff = !settings.weekends && opensOnWeekend(settings, date);
        if (opensAt < begin || opensAt >= end || isDayOff) continue;
        const at = Number(opened.get(`${channel} ${date}`) ?? 0);
        if (at < opensAt || at >= opensAt + MINUTE)
          throw new Error(`${channel} ${settings.zone}: ${date} at ${at} instead of ${opensAt}`);
        posts++;
      }
    }
  }
  console.log(`\n${posts} days began and were planned in their minute, ${skipped} skipped.`);
}

// As the bot does.
keepHeapSmall();
const [, , first = CHANNELS, ...rest] = process.argv;
if (first === FILL) await fill(rest[0]!, Number(rest[1]), Number(rest[2]));
else if (import.meta.main)
  await run(Number(first), (rest[0] ?? FIRST) as PuzzleDate, Number(rest[1] ?? DAYS));
