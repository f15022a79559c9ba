/**
 * A year of the whole bot in some minutes, with nobody to look after it: 366 puzzles in channels of each kind on the
 * fake platforms, with both changes of the clocks, a leap day, a new year, two outages and a restart. Prints a table of the months; the exit code is 1 if anything is
 * doubled, missing or unanswered.
 *
 *   npx node bench/year.ts [days]
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, type PuzzleDate } from '../src/core/clock.ts';
import { addDays, spanOf } from '../src/puzzle/calendar.ts';
import { openPlatforms, type Platforms } from '../test/whole-bot/platforms.ts';
import { heading, row } from './table.ts';
import { YearBot } from './year/bot.ts';
import {
  countPosts,
  type Ledger,
  noteMessages,
  PLACES,
  switchOnPlaces,
  type YearChannel,
} from './year/channels.ts';
import { YearNewspaper } from './year/newspaper.ts';
import { YearPeople } from './year/people.ts';

const FIRST: PuzzleDate = '2027-06-01';
const DAYS = 366;
/** All times of the channels are at full hours of UTC, so that nothing is late. */
const TICK = HOUR;
/** A file system in memory: waiting for the disk took most of the year's time. */
const MEMORY = '/dev/shm';
/** After the last puzzle: for its solution in the west, and for the end of its thread. */
const REST = 3 * DAY;
/** In UTC: New York has its board, and neither outage is on. */
const PEOPLE_AT = 17 * HOUR;
const RESTART = Date.parse('2027-12-01T00:00Z');
/** Two channels on Discord should open in these hours, and close the day before. */
const NO_DISCORD = { from: Date.parse('2027-09-14T08:00Z'), to: Date.parse('2027-09-14T14:00Z') };
/** Two puzzles come out meanwhile, and channels have the house's boards instead. */
const NO_NEWSPAPER = { from: Date.parse('2028-01-10T06:00Z'), to: Date.parse('2028-01-12T06:00Z') };
const DISCORD_IS_DOWN = { on: '*', what: { status: 503 }, times: Number.POSITIVE_INFINITY } as const;

const clock = {
  time: spanOf(FIRST).from - HOUR,
  now() {
    return this.time;
  },
};

interface World {
  readonly platforms: Platforms;
  readonly newspaper: YearNewspaper;
  readonly bot: YearBot;
  readonly people: YearPeople;
}
/** What is measured when a month ends. */
type MonthsEnd = Awaited<ReturnType<YearBot['vitals']>> & ReturnType<YearPeople['take']>;

export async function run(days = DAYS): Promise<void> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'letterboxed-year-'));
  const platforms = await openPlatforms(0, clock);
  const newspaper = await YearNewspaper.start();
  const bot = new YearBot(folder, {
    ...platforms.settings,
    PUZZLE_SOURCE: 'newspaper',
    NEWSPAPER_URL: newspaper.server.url,
  });
  const world = { platforms, newspaper, bot, people: new YearPeople(platforms, newspaper) };
  try {
    const began = performance.now();
    await bot.start(clock.time);
    const channels = await switchOnPlaces(platforms);
    await bot.move(clock.time);
    const ledger: Ledger = new Map();
    const note = () => noteMessages(platforms, channels, ledger);
    const months = await live(world, clock.time + days * DAY + REST, note);
    report(ledger, channels, months, addDays(FIRST, days - 1));
    console.log(await world.people.statsOfPlayer());
    await bot.stop();
    console.log(bot.checkDatabase());
    console.log(`${days} days took ${Math.round((performance.now() - began) / 1000)} s.`);
    if (bot.log !== '') console.log(`\nIts log at level error:\n${bot.log.slice(0, 4000)}`);
  } finally {
    bot.kill();
    await platforms.close();
    await newspaper.server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody does anything here but the people who play: no step of the year is an operator's but the restart. */
async function live({ platforms, newspaper, bot, people }: World, end: number, note: () => void) {
  const months = new Map<string, MonthsEnd>();
  while (clock.time < end) {
    const month = new Date(clock.time).toISOString().slice(0, 7);
    clock.time += TICK;
    const { time } = clock;
    if (time === RESTART) {
      await bot.stop();
      await bot.start(time);
    }
    if (time === NO_DISCORD.from) {
      platforms.discord.fault(DISCORD_IS_DOWN);
      platforms.discord.gateway.drop();
    }
    if (time === NO_DISCORD.to) {
      platforms.discord.clearFaults();
      await bot.untilReady();
    }
    const hasNewspaper = time < NO_NEWSPAPER.from || time >= NO_NEWSPAPER.to;
    newspaper.setReachable(hasNewspaper);
    await bot.move(time);
    if (time % DAY === PEOPLE_AT) {
      note();
      await people.ask(time, hasNewspaper);
    }
    if (new Date(time).toISOString().slice(0, 7) === month && time < end) continue;
    months.set(month, { ...(await bot.vitals()), ...people.take() });
    forget(platforms);
    console.error(`${month} is over.`);
  }
  return months;
}

function report(
  ledger: Ledger,
  channels: readonly YearChannel[],
  ends: ReadonlyMap<string, MonthsEnd>,
  last: PuzzleDate,
): void {
  const { months, others } = countPosts(ledger, channels, FIRST, last);
  heading(
    'month',
    'posts wanted',
    'posted',
    'in one message',
    'doubled',
    'missing',
    'commands',
    'unanswered',
    'memory, MB',
    'database, MB',
  );
  let wrong = 0;
  for (const [month, { wanted, posted, together, doubled, missing }] of months) {
    const { memory, database, asked, unanswered } = ends.get(month)!;
    row(
      month,
      wanted,
      posted,
      together,
      doubled,
      missing.length,
      asked,
      unanswered,
      mega(memory),
      mega(database),
    );
    for (const one of missing) console.error(`missing: ${one}`);
    wrong += doubled + missing.length + unanswered;
  }
  console.log(`\n${PLACES.length} channels, ${others} messages of the days before and after.`);
  if (wrong > 0) process.exitCode = 1;
}

/** Deletes what the fakes stored of pictures and requests, which would fill this process's memory. */
function forget({ discord, workspace }: Platforms): void {
  discord.world.attachments.clear();
  discord.forgetRequests();
  for (const file of workspace.files.values()) file.bytes = undefined;
  workspace.ephemerals.length = 0;
}

const mega = (bytes: number) => (bytes / 1e6).toFixed(1);

if (import.meta.main) await run(Number(process.argv[2] ?? DAYS));
