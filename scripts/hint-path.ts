/**
 * `node scripts/hint-path.ts [hint|letter|letter discord]`: the files in which something runs between a hint that is asked
 * for on a fake Discord, or a letter that is pressed on a fake Slack or Discord, and the answer, for the list in
 * ARCHITECTURE.md. The store, the solver and the word lists are left out; `all` counts these too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../commands/index.ts';
import { type Bot, startBot } from '../src/bot.ts';
import { makeManifest } from '../src/chat/slack/manifest.ts';
import { readConfig } from '../src/config/config.ts';
import { startFakeDiscord } from '../test/fakes/discord/index.ts';
import { buttonsOf } from '../test/fakes/discord/person.ts';
import { startFakeSlack } from '../test/fakes/slack/index.ts';
import { controlsOf } from '../test/fakes/slack/shown.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const isAll = process.argv.includes('all');
const COUNTED = isAll ? /^(?:commands|src\/)/ : /^(?:commands|src\/(?!store|solver|wordlists))/;
/** Files that run in each of them belong to the path; files that run in some, such as for a tick of the daily thread, do not. */
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
async function onDiscord(isLetter: boolean): Promise<() => Promise<void>> {
  const discord = await startFakeDiscord();
  await start({ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url });
  const guild = discord.world.addGuild('Word club');
  discord.join(guild);
  const user = discord.world.addUser('asker');
  const channel = discord.world.addChannel(guild);
  const ask = async (subcommand: string) => {
    const seen = await discord.command({ user, channel, name: 'letterboxed', subcommand });
    if (seen.failed) throw new Error(`${subcommand} was not answered`);
    return seen;
  };
  if (!isLetter) return async () => void (await ask('hint'));
  const { message } = await ask('play');
  return async () => {
    const letters = buttonsOf(message).filter(({ label = '', disabled }) => label.length === 1 && !disabled);
    await discord.press(message, letters[0]!.label!, { user });
  };
}

async function letterOnSlack(): Promise<() => Promise<void>> {
  const slack = await startFakeSlack({
    manifest: makeManifest({ commands: COMMANDS }),
    pace: { postsPerSecond: 0 },
  });
  const workspace = slack.addWorkspace();
  const { appToken } = slack.app;
  await start({
    SLACK_BOT_TOKEN: slack.install(workspace),
    SLACK_APP_TOKEN: appToken,
    SLACK_API_URL: slack.apiUrl,
  });
  const person = slack.addPerson(workspace);
  const channel = slack.addChannel(workspace, [person]);
  await person.slash(channel, '/letterboxed play').shown;
  const letters = () => controlsOf(person.modal?.blocks ?? []).filter(({ label }) => label.startsWith('○'));
  while (letters().length === 0) await sleep(PAUSE);
  return async () => {
    const shown = slack.next(({ view }) => view?.id === person.modal?.id);
    await person.press(person.modal!, letters()[0]!.label).ack;
    await shown;
  };
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');

async function filesOf(act: () => Promise<void>): Promise<Set<string>> {
  await sleep(PAUSE);
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const ours = result.filter(({ url, functions }) => {
    return url.startsWith('file:') && functions.some(({ ranges: [whole] }) => whole!.count > 0);
  });
  return new Set(
    ours.map(({ url }) => relative(ROOT, fileURLToPath(url))).filter((file) => COUNTED.test(file)),
  );
}

const isLetter = process.argv.includes('letter');
const act = await (isLetter && !process.argv.includes('discord') ? letterOnSlack() : onDiscord(isLetter));
// The first one has much to load.
await act();
let path = [...(await filesOf(act))];
for (let run = 1; run < RUNS; run++) {
  const files = await filesOf(act);
  path = path.filter((file) => files.has(file));
}
console.log(`${path.sort().join('\n')}\n${path.length} files`);
rmSync(folder, { recursive: true });
// The bot, and what the libraries left behind, need not end.
process.exit();
