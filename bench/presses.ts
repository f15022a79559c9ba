/**
 * People who play on Discord over four processes with `ROLE=interactions`: how soon a press gets its first answer, and what it
 * costs in queries and processor time. A million presses in a day are 12 a second.
 *
 *   scripts/test-postgres.sh run npx node bench/presses.ts [people] [presses of each] [presses a second]
 */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DEFAULT_SETTINGS } from '../src/daily/settings/settings.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { openStore } from '../src/store/store.ts';
import { BotProcess } from '../test/bot-process.ts';
import { type FakeDiscord, startFakeDiscord } from '../test/fakes/discord/index.ts';
import type { Message } from '../test/fakes/discord/message.ts';
import { buttonsOf } from '../test/fakes/discord/person.ts';
import type { Channel } from '../test/fakes/discord/world.ts';
import { random } from '../test/solver/random-boards.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const PROCESSES = 4;
const CHANNELS = 100;
const BOARD = ['ozu', 'nri', 'lfa', 'mbt'];
const next = random(3);

interface Usage {
  readonly queries: number;
  /** Seconds of processor time. */
  readonly processor: number;
  /** Bytes. */
  readonly memory: number;
}

async function run(people: number, each: number, perSecond: number): Promise<void> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: see the top of this file');
  const databaseUrl = Object.assign(new URL(server), { pathname: '/presses' }).href;
  const pool = new pg.Pool({ connectionString: server });
  await pool.query('create database presses');
  await pool.end();
  const discord = await startFakeDiscord({ limits: false, memory: 10, clock: Date });
  const channels = await fill(databaseUrl, discord);
  const bots = Array.from({ length: PROCESSES }, () => startBot(discord, databaseUrl));
  try {
    const ports = await Promise.all(bots.map(portOf));
    const [first, ...others] = ports.map((port) => `http://127.0.0.1:${port}/discord/interactions`);
    await discord.endpoint.set(first!, ...others);
    // The first game in each process loads what games need.
    for (let game = 0; game < PROCESSES; game++) await play(discord, channels[0]!, { presses: 4, pause: 0 });
    const before = await Promise.all(ports.map(usageOf));
    const began = performance.now();
    const answers = await playAll(discord, channels, { people, each, perSecond });
    const seconds = (performance.now() - began) / 1_000;
    report({ people, seconds, ...answers }, before, await Promise.all(ports.map(usageOf)));
  } finally {
    await Promise.all(bots.map((bot) => bot.remove()));
    await discord.close();
  }
}

/** Channels with a daily thread, as most channels with players have. */
async function fill(databaseUrl: string, { world }: FakeDiscord): Promise<Channel[]> {
  const store = await openStore({ databaseUrl, onTrouble: () => {} });
  const guild = world.addGuild('Club');
  const channels = Array.from({ length: CHANNELS }, () => world.addChannel(guild));
  const at = Date.now();
  const { subscriptions } = store.tenant(`discord:${guild.id}`);
  for (const { id } of channels)
    await subscriptions.save(id, DEFAULT_SETTINGS, { version: 0, by: 'manager', at });
  const date = dateAt(at);
  const opening = { tenant: `discord:${guild.id}`, date, step: 'opening', dueAt: at } as const;
  await store.allDeliveries.plan(channels.map(({ id }) => ({ ...opening, channel: id })));
  const puzzle = { date, source: 'house', sides: BOARD };
  const posted = JSON.stringify({ message: '1', thread: '1', puzzle });
  const pool = new pg.Pool({ connectionString: databaseUrl });
  await pool.query("update delivery set state = 'sent', done_at = due_at, posted = $1", [posted]);
  await pool.end();
  await store.close();
  return channels;
}

function startBot(discord: FakeDiscord, databaseUrl: string): BotProcess {
  return new BotProcess({
    ROLE: 'interactions',
    DATABASE_URL: databaseUrl,
    DISCORD_TOKEN: discord.token,
    DISCORD_PUBLIC_KEY: discord.endpoint.publicKey,
    DISCORD_API_URL: discord.url,
    PUZZLE_SOURCE: 'house',
    PORT: '0',
    LOG_LEVEL: 'info',
  });
}

async function portOf(bot: BotProcess): Promise<number> {
  await bot.said(/^discord: open/);
  return Number((await bot.said(/^health: /)).port);
}

/** By its own metrics. */
async function usageOf(port: number): Promise<Usage> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return {
    queries: sum('letterboxed_store_seconds_count'),
    processor: sum('process_cpu_seconds_total'),
    memory: sum('process_resident_memory_bytes'),
  };
}

interface Games {
  readonly people: number;
  readonly each: number;
  readonly perSecond: number;
}

/** As many people at a time as keep the pace if each presses once in two seconds. */
async function playAll(
  discord: FakeDiscord,
  channels: readonly Channel[],
  { people, each, perSecond }: Games,
): Promise<{ waits: number[]; unanswered: number }> {
  const pause = 2_000;
  const waits: number[] = [];
  let left = people;
  const keepPlaying = async () => {
    await sleep(next() * pause);
    while (left-- > 0) {
      const channel = channels[Math.floor(next() * channels.length)]!;
      await play(discord, channel, { presses: each, pause }, waits);
      discord.world.attachments.clear();
    }
  };
  await Promise.all(Array.from({ length: Math.ceil((perSecond * pause) / 1_000) }, keepPlaying));
  const answered = waits.filter((wait) => wait < Number.POSITIVE_INFINITY);
  return { waits: answered.sort((a, b) => a - b), unanswered: waits.length - answered.length };
}

/**
 * A game of a new person, who presses any button that can be pressed, and presses again after three seconds without an
 * answer.
 *
 * @param waits gets how long each press waited
 */
async function play(
  discord: FakeDiscord,
  channel: Channel,
  { presses, pause }: { presses: number; pause: number },
  waits: number[] = [],
): Promise<void> {
  const user = discord.world.addUser('somebody new');
  const open = { user, channel, name: 'letterboxed', subcommand: 'play' };
  let message: Message | undefined;
  for (let press = 0; press < presses; press++) {
    const acted =
      message === undefined ? discord.command(open) : discord.press(message, choose(message), { user });
    const seen = await acted.catch(() => undefined);
    const { at = 0, answeredAt = Number.POSITIVE_INFINITY } = seen?.interaction ?? {};
    waits.push(answeredAt - at);
    message = seen?.message ?? message;
    await sleep(pause * (0.5 + next()));
  }
}

/** Enter where a word can end, mostly; otherwise a letter, or Back where there is none. */
function choose(message: Message): string {
  const pressable = buttonsOf(message).filter(({ disabled, custom_id }) => !disabled && custom_id);
  const labels = pressable.map(({ label }) => label!);
  if (labels.includes('Enter') && next() < 0.7) return 'Enter';
  const letters = labels.filter((label) => label.length === 1);
  return letters[Math.floor(next() * letters.length)] ?? 'Back';
}

function report(
  {
    people,
    seconds,
    waits,
    unanswered,
  }: { people: number; seconds: number; waits: readonly number[]; unanswered: number },
  before: readonly Usage[],
  after: readonly Usage[],
): void {
  const used = (what: keyof Usage) =>
    after.reduce((sum, usage, index) => sum + usage[what] - before[index]![what], 0);
  const presses = waits.length;
  heading('presses', `${people} people, ${PROCESSES} processes, ${(presses / seconds).toFixed(0)} a second`);
  row('presses, unanswered', `${presses}, ${unanswered}`);
  row(
    'first answer: median, p99, most',
    [0.5, 0.99, 1].map((q) => milliseconds(quantile(waits, q))).join(', '),
  );
  row('queries a press, games opened included', (used('queries') / presses).toFixed(2));
  row('processor time a press, ms', milliseconds((used('processor') * 1_000) / presses));
  row(
    'memory of a process at most, MB',
    String(Math.round(Math.max(...after.map(({ memory }) => memory)) / 1e6)),
  );
}

if (import.meta.main) {
  const [people = 400, each = 50, perSecond = 50] = process.argv.slice(2).map(Number);
  await run(people, each, perSecond);
}
