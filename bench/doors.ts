/**
 * The whole bot as a process of its own, with both chat doors on fake platforms: how soon it is ready, how soon commands that
 * come all at once get their first answer, and how much memory it takes with many servers. With the start of the command line.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typeAction } from '../src/reply/model/text.ts';
import type { OptionValue } from '../src/reply/model/types.ts';
import {
  askOnDiscord,
  askOnSlack,
  openPlatforms,
  type Platforms,
  WholeBot,
} from '../test/whole-bot/platforms.ts';
import { heading, medianTime, milliseconds, quantile, row } from './table.ts';

const AT_ONCE = 50;
const ROUNDS = 10;
const SERVERS = [1, 2_000];
const CHANNELS = 10;
/** Commands one after the other, before they come all at once. */
const QUIET = 100;
const ASKED: readonly (readonly [command: string, options: Readonly<Record<string, OptionValue>>])[] = [
  ['hint', {}],
  ['today', {}],
  ['solve', { sides: 'ozu nri lfa mbt' }],
  ['check', { words: 'forum,mozart' }],
  ['words', {}],
  ['help', {}],
  ['hint', { step: 'count' }],
];
const BIN = fileURLToPath(new URL('../bin/letterboxed.js', import.meta.url));
const STARTS = 15;

export async function run(): Promise<void> {
  heading(
    'servers',
    'ready after its start, ms',
    'first command, ms',
    `first answer of ${AT_ONCE} at once, Discord: median`,
    'p99',
    'Slack: median',
    'p99',
    'memory, MB',
  );
  for (const servers of SERVERS) await measure(servers);
  console.log('');
  heading('process', 'median ms');
  const [empty, solve] = [
    ['-e', '0'],
    [BIN, 'solve', 'ozu nri lfa mbt'],
  ].map(startOf) as [number, number];
  row('letterboxed solve, without the start of Node', milliseconds(solve - empty));
}

async function measure(servers: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'letterboxed-bench-'));
  const platforms = await openPlatforms(0);
  const { world } = platforms.discord;
  for (let at = 0; at < servers; at++) {
    const guild = world.addGuild(`Club ${at}`);
    for (let channel = 0; channel < CHANNELS; channel++) world.addChannel(guild);
  }
  const began = performance.now();
  const bot = new WholeBot({ ...platforms.settings, DATA_DIR: dataDir });
  await bot.nextMessage();
  const ready = performance.now() - began;
  const [cold] = await burst(platforms, onDiscord, 1);
  for (let quiet = 0; quiet < QUIET; quiet++) await burst(platforms, onDiscord, 1);
  const { rss = 0 } = await bot.ask({ vitals: true });
  const times = [];
  for (const ask of [onDiscord, onSlack]) {
    const first: number[] = [];
    for (let round = 0; round < ROUNDS; round++) first.push(...(await burst(platforms, ask, AT_ONCE)));
    times.push(quantile(first, 0.5), quantile(first, 0.99));
  }
  row(servers, ...[ready, cold!, ...times].map(milliseconds), Math.round(rss / 1e6));
  await bot.stop();
  await platforms.close();
  rmSync(dataDir, { recursive: true });
}

type Ask = (platforms: Platforms, asked: (typeof ASKED)[number]) => Promise<{ readonly first: number }>;

/** Milliseconds until each got its first answer. */
async function burst(platforms: Platforms, ask: Ask, count: number): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) => ask(platforms, ASKED[at % ASKED.length]!)),
  );
  return answers.map(({ first }) => first);
}

/** Somebody new in a channel of their own each time, since people and channels have rate limits. */
function onDiscord(platforms: Platforms, [command, options]: (typeof ASKED)[number]) {
  const { world } = platforms.discord;
  const [guild] = world.guilds.values();
  return askOnDiscord(platforms, world.addUser('somebody'), world.addChannel(guild!), command, options);
}

function onSlack({ slack, workspace }: Platforms, [command, options]: (typeof ASKED)[number]) {
  const person = slack.addPerson(workspace);
  return askOnSlack(person, slack.addChannel(workspace, [person]), typeAction({ command, options }));
}

/** Milliseconds that a process takes, side by side with others. */
function startOf(args: readonly string[]): number {
  return medianTime(STARTS, () => {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  });
}
