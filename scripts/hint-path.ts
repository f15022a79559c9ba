/**
 * `node scripts/hint-path.ts [all] [names]`: the files in which something runs between a hint that is asked for on a fake Discord and
 * its answer, with the functions of each that ran, for the list in ARCHITECTURE.md. The store, the solver and the word lists
 * are left out; `all` counts these too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Bot, startBot } from '../src/bot.ts';
import { readConfig } from '../src/config/config.ts';
import { startFakeDiscord } from '../test/fakes/discord/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const isAll = process.argv.includes('all');
const COUNTED = isAll ? /^(?:commands|src\/)/ : /^(?:commands|src\/(?!store|solver|wordlists))/;
/** What runs in each of them belongs to the path; what runs in some, such as for a tick of the daily thread, does not. */
const RUNS = 4;
/** Milliseconds in which work that an answer left behind ends. */
const PAUSE = 300;

const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: console.warn, error: console.error };
const folder = mkdtempSync(join(tmpdir(), 'hint-path-'));

function start(settings: Record<string, string>): Promise<Bot> {
  return startBot(readConfig({ ...settings, PUZZLE_SOURCE: 'house', DATA_DIR: folder, PORT: '0' }), log);
}

/** Starts a bot, and returns the action to follow. */
async function hintOnDiscord(): Promise<() => Promise<void>> {
  const discord = await startFakeDiscord();
  await start({ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url });
  const guild = discord.world.addGuild('Word club');
  discord.join(guild);
  const user = discord.world.addUser('asker');
  const channel = discord.world.addChannel(guild);
  return async () => {
    const seen = await discord.command({ user, channel, name: 'letterboxed', subcommand: 'hint' });
    if (seen.failed) throw new Error('the hint was not answered');
  };
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** The functions that run, each by its file and where it begins. */
async function functionsOf(act: () => Promise<void>): Promise<Set<string>> {
  await sleep(PAUSE);
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const ran = new Set<string>();
  for (const { url, functions } of result.filter(({ url }) => url.startsWith('file:'))) {
    const file = relative(ROOT, fileURLToPath(url));
    if (!COUNTED.test(file)) continue;
    for (const { functionName: name, ranges } of functions)
      if (ranges[0]!.count > 0) ran.add(`${file}:${ranges[0]!.startOffset} ${name}`);
  }
  return ran;
}

const act = await hintOnDiscord();
// The first one has much to load.
await act();
let path = await functionsOf(act);
for (let run = 1; run < RUNS; run++) {
  const ran = await functionsOf(act);
  path = new Set([...path].filter((one) => ran.has(one)));
}
const byFile = Map.groupBy(path, (ran) => ran.slice(0, ran.indexOf(':')));
for (const [file, functions] of [...byFile].sort()) {
  console.log(`${file} ${functions.length}`);
  if (process.argv.includes('names'))
    console.log(
      functions.map((ran) => `  ${ran.slice(ran.indexOf(' ') + 1) || '(without a name)'}`).join('\n'),
    );
}
console.log(`${byFile.size} files, ${path.size} functions`);
rmSync(folder, { recursive: true });
// The bot, and what the libraries left behind, need not end.
process.exit();
