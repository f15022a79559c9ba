/**
 * A hundred hostile people and a thousand ordinary ones at both chat platforms, with the daily threads of 200
 * channels posted in the middle of it. The bot is a process of its own, with a clock that begins at noon and runs
 * like the real one. Prints how ordinary people were answered, what became of the posts, what was refused, and how
 * memory and the database grew.
 * `node bench/siege.ts [seconds]`
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '../src/core/clock.ts';
import { openPlatforms, type Platforms, posted, switchOn, WholeBot } from '../test/whole-bot/platforms.ts';
import { Crowd, type CrowdPlan, type Tally } from './siege-crowd.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

export interface Siege extends CrowdPlan {
  readonly seconds: number;
  /** Rows of the table into which that time is divided. */
  readonly parts: number;
  readonly channels: number;
  /**
   * Whether the platforms' clocks stand still, so that a busy machine keeps their limits of three seconds for an answer.
   * The delays of openings are not known then.
   */
  readonly isPatient?: boolean;
}

export const WHOLE: Siege = {
  seconds: 600,
  parts: 10,
  channels: 200,
  ordinary: 1_000,
  hostile: 100,
  ordinaryRate: 15,
  hostileRate: 50,
};

/** One part of the time. */
export interface Part {
  readonly until: number;
  readonly ordinary: Tally;
  readonly hostile: Tally;
  /** Bytes of the bot's process, of the heap in it, and of the database. */
  readonly rss: number;
  readonly heap: number;
  readonly database: number;
  /** Milliseconds of processor time that the thread which answers people has used since its start. */
  readonly processor: number;
}

export interface Outcome {
  readonly parts: readonly Part[];
  /** Before the siege; its other figures are empty. */
  readonly start: Part;
  readonly peak: number;
  /** Milliseconds from the moment when they were due until the platforms had the openings, in order. */
  readonly delays: readonly number[];
  readonly missing: number;
  readonly doubled: number;
  /** How many commands and jobs ended how. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** What the bot logged as errors. */
  readonly log: string;
}

/** Milliseconds at most for openings that are still missing at the end. */
const PATIENCE = 2 * MINUTE;
/** When it begins, by the clocks of the bot and of the platforms. */
const NOON = Date.UTC(2026, 10, 20, 12);

export async function siege(plan: Siege): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'letterboxed-siege-'));
  // A thread opens only while its puzzle is on and has hours left, which may not be so by the real clock.
  // Whole minutes ahead, since the bot's cron job follows the real clock.
  const ahead = Math.round((NOON - Date.now()) / MINUTE) * MINUTE;
  const clock = { now: () => Date.now() + ahead };
  const ofPlatforms = plan.isPatient ? { now: () => NOON } : clock;
  const platforms = await openPlatforms(plan.channels, ofPlatforms, ofPlatforms);
  // Discord's real limit, which the daily threads keep to.
  const { DISCORD_REQUESTS_PER_SECOND: _, ...settings } = platforms.settings;
  const bot = new WholeBot({ ...settings, DATA_DIR: dataDir }, { ahead });
  const { port } = await bot.nextMessage();
  const measure = async () => {
    const { rss = 0, heap = 0, processor = 0 } = await bot.ask({ vitals: true });
    return { rss, heap, processor, database: sizeOf(dataDir) };
  };
  try {
    const half = (plan.seconds * 1000) / 2;
    // Openings are at whole minutes; this one is in the middle.
    const due = Math.ceil((clock.now() + half + plan.channels * 100) / MINUTE) * MINUTE;
    await switchOn(platforms, { zones: ['UTC'], openings: [new Date(due).toISOString().slice(11, 16)] });
    const crowd = new Crowd(platforms, plan);
    const start = { until: 0, ...crowd.take(), ...(await measure()) };
    await sleep(Math.max(0, due - half - clock.now()));
    const parts: Part[] = [];
    const began = clock.now();
    crowd.start();
    for (let part = 1; part <= plan.parts; part++) {
      const until = (plan.seconds * part) / plan.parts;
      await sleep(Math.max(0, began + until * 1000 - clock.now()));
      parts.push({ until, ...crowd.take(), ...(await measure()) });
    }
    await crowd.stop();
    // What was asked last is answered by now.
    parts.push({ until: Math.round((clock.now() - began) / 1000), ...crowd.take(), ...(await measure()) });
    while (posted(platforms).openings.length < plan.channels && clock.now() < due + half + PATIENCE)
      await sleep(500);
    const { openings } = posted(platforms);
    const outcomes = await outcomesOf(port!);
    const peak = peakOf(bot.child.pid!);
    await bot.stop();
    const distinct = new Set(openings).size;
    return {
      parts,
      start,
      peak,
      delays: arrivals(platforms).map((at) => at - due),
      missing: plan.channels - distinct,
      doubled: openings.length - distinct,
      outcomes,
      log: bot.log,
    };
  } finally {
    bot.child.kill('SIGKILL');
    await platforms.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** When the platforms had the openings, in milliseconds since 1970, in order. */
function arrivals({ discord, discordChannels, slackChannels }: Platforms): number[] {
  const { messages, bot } = discord.world;
  const onDiscord = discordChannels.flatMap(({ id }) =>
    (messages.get(id) ?? []).filter(({ author, nonce }) => author.id === bot.id && nonce !== undefined),
  );
  const onSlack = slackChannels.flatMap(({ messages: all }) =>
    all.filter(({ byApp, metadata, threadTs }) => byApp && metadata !== undefined && threadTs === undefined),
  );
  return [
    ...onDiscord.map(({ timestamp }) => Date.parse(timestamp)),
    ...onSlack.map(({ ts }) => Number(ts) * 1000),
  ].sort((a, b) => a - b);
}

/** How commands and jobs ended, from the bot's own metrics. */
async function outcomesOf(port: number): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const outcomes = new Map<string, number>();
  for (const [, what, outcome, count] of text.matchAll(
    /^letterboxed_(commands|jobs)_total\{.*outcome="([\w-]+)"\} (\d+)$/gm,
  )) {
    const kind = `${what} ${outcome}`;
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + Number(count));
  }
  return outcomes;
}

const sizeOf = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/** The most memory that a process ever had, in bytes, as Linux counts it. */
const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024;

const mega = (bytes: number) => (bytes / 1e6).toFixed(1);

function print({ parts, start, peak, delays, missing, doubled, outcomes, log }: Outcome, plan: Siege): void {
  heading(
    'until, s',
    'ordinary commands answered',
    'unanswered',
    'first answer: median, ms',
    'p99',
    'whole answer: median, ms',
    'p99',
    'hostile commands answered',
    'unanswered',
    'memory, MB',
    'heap, MB',
    'database, MB',
  );
  for (const part of [start, ...parts]) printPart(part);
  const all = (of: 'first' | 'whole') =>
    parts.flatMap(({ ordinary }) => ordinary[of]).toSorted((a, b) => a - b);
  const shown = (['first', 'whole'] as const).map(
    (of) =>
      `median ${milliseconds(quantile(all(of), 0.5))} ms, p99 ${milliseconds(quantile(all(of), 0.99))} ms`,
  );
  console.log(`\nOrdinary first answers: ${shown[0]} (wanted: p99 at most 200). Whole answers: ${shown[1]}.`);
  console.log(
    `Openings: ${delays.length} of ${plan.channels}, ${missing} missing, ${doubled} posted twice; ` +
      `the median ${milliseconds(quantile(delays, 0.5))} ms after its time, the last ${milliseconds(delays.at(-1) ?? Number.NaN)}.`,
  );
  const end = parts.at(-1)!;
  console.log(
    `Memory: ${mega(start.rss)} MB at the start, ${mega(peak)} at most, ${mega(end.rss)} at the end. ` +
      `Database: ${mega(start.database)} MB at the start, ${mega(end.database)} at the end.`,
  );
  const besieged = parts.at(-2) ?? end;
  console.log(
    `The thread that answers people used ${((besieged.processor - start.processor) / 1000).toFixed(1)} s of processor time in ${besieged.until} s.`,
  );
  console.log(`Ended as: ${[...outcomes].map(([kind, count]) => `${count} ${kind}`).join(', ')}.`);
  const unanswered = new Map<string, number>();
  for (const what of parts.flatMap(({ ordinary }) => ordinary.unanswered))
    unanswered.set(what, (unanswered.get(what) ?? 0) + 1);
  for (const [what, count] of unanswered) console.log(`Unanswered, ${count} times: ${what}`);
  if (log !== '') console.log(`\nIts log at level error:\n${log.slice(0, 4000)}`);
}

function printPart({ until, ordinary, hostile, rss, heap, database }: Part): void {
  const times = (['first', 'whole'] as const).flatMap((of) => {
    const sorted = ordinary[of].toSorted((a, b) => a - b);
    return [0.5, 0.99].map((share) => (sorted.length === 0 ? '' : milliseconds(quantile(sorted, share))));
  });
  row(
    until,
    ordinary.answered,
    ordinary.unanswered.length,
    ...times,
    hostile.answered,
    hostile.unanswered.length,
    ...[rss, heap, database].map(mega),
  );
}

export async function run(seconds = WHOLE.seconds): Promise<void> {
  const plan = { ...WHOLE, seconds };
  print(await siege(plan), plan);
}

if (import.meta.main) await run(Number(process.argv[2] ?? WHOLE.seconds));
