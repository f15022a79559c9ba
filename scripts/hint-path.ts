/**
 * `node scripts/hint-path.ts`: the files in which something runs between a hint that is asked for on a fake Discord and
 * its answer, for the list in ARCHITECTURE.md. Besides the store, the solver and the word lists.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startBot } from '../src/bot.ts';
import { readConfig } from '../src/config/config.ts';
import { startFakeDiscord } from '../test/fakes/discord/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COUNTED = /^(?:commands|src\/(?!store|solver|wordlists))/;
/** What runs in each of them belongs to the hint; what runs in some, such as a tick of the daily thread, does not. */
const RUNS = 4;
/** Milliseconds in which whatever an answer left behind ends. */
const PAUSE = 300;

const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: console.warn, error: console.error };
const folder = mkdtempSync(join(tmpdir(), 'hint-path-'));
const discord = await startFakeDiscord();
const settings = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url, PUZZLE_SOURCE: 'house' };
const bot = await startBot(readConfig({ ...settings, DATA_DIR: folder, PORT: '0' }), log);
const guild = discord.world.addGuild('Word club');
discord.join(guild);
const asked = {
  user: discord.world.addUser('asker'),
  channel: discord.world.addChannel(guild),
  name: 'letterboxed',
  subcommand: 'hint',
};
const session = new Session();
session.connect();
await session.post('Profiler.enable');

async function filesOfHint(): Promise<Set<string>> {
  await sleep(PAUSE);
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const answer = await discord.command(asked);
  if (answer.failed) throw new Error('the hint was not answered');
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const ours = result.filter(({ url, functions }) => {
    return url.startsWith('file:') && functions.some(({ ranges: [whole] }) => whole!.count > 0);
  });
  return new Set(
    ours.map(({ url }) => relative(ROOT, fileURLToPath(url))).filter((file) => COUNTED.test(file)),
  );
}

// The first hint has much to load.
await discord.command(asked);
let path = [...(await filesOfHint())];
for (let run = 1; run < RUNS; run++) {
  const files = await filesOfHint();
  path = path.filter((file) => files.has(file));
}
console.log(`${path.sort().join('\n')}\n${path.length} files`);
await bot.stop();
await discord.close();
rmSync(folder, { recursive: true });
// The warm-up and what the library left behind need not end.
process.exit();
