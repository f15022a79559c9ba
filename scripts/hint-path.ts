/**
 * `node scripts/hint-path.ts [opening|words] [all] [names]`: the files in which something runs between a hint that is asked for
 * on a fake Discord and its answer, with the functions of each that ran. `opening` follows the opening of a day instead, from
 * its minute to its thread, and `words` a word that is typed on a fake Slack. The store, the solver and the word lists are
 * left out; `all` counts these too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../commands/index.ts';
import { startBot } from '../src/bot.ts';
import { makeManifest } from '../src/chat/slack/manifest.ts';
import { readConfig } from '../src/config/config.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../src/core/clock.ts';
import { startFakeDiscord } from '../test/fakes/discord/index.ts';
import { startFakeSlack } from '../test/fakes/slack/index.ts';
import { shownText } from '../test/fakes/slack/shown.ts';

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
/** Milliseconds that the bot's clock is ahead. */
let ahead = 0;
const clock = { now: () => Date.now() + ahead };
const discord = await startFakeDiscord({ clock });
const guild = discord.world.addGuild('Word club');
discord.join(guild);
const channel = discord.world.addChannel(guild);
const slack = await startFakeSlack({ manifest: makeManifest({ commands: COMMANDS }), clock });
const workspace = slack.addWorkspace();
await startBot(
  readConfig({
    ...{ PUZZLE_SOURCE: 'house', DATA_DIR: folder, PORT: '0' },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url },
    ...{ SLACK_BOT_TOKEN: slack.install(workspace), SLACK_APP_TOKEN: slack.app.appToken },
    SLACK_API_URL: slack.apiUrl,
  }),
  log,
  clock,
);

const asker = discord.world.addUser('asker');
async function askForHint(): Promise<void> {
  const seen = await discord.command({ user: asker, channel, name: 'letterboxed', subcommand: 'hint' });
  if (seen.failed) throw new Error('the hint was not answered');
}

/** Types the same right word of the day's board each time, and resolves when it is answered. */
async function followWords(): Promise<() => Promise<void>> {
  const person = slack.addPerson(workspace);
  const channel = slack.addChannel(workspace, [person]);
  const ask = async (line: string) => {
    const { message } = await person.slash(channel, `/letterboxed ${line}`).shown;
    return shownText(message?.blocks ?? []);
  };
  const [, word] = /([A-Z]{3,}) –/.exec(await ask('reveal open')) ?? [];
  return async () => {
    if (!(await ask(`play ${word}`)).includes(`${word} fits`)) throw new Error('the word was not answered');
  };
}

/** Milliseconds until threads are opened by default. */
function untilOpening(): number {
  const [hour = 0, minute = 0, second = 0] = new Date(clock.now())
    .toLocaleTimeString('en-GB', { timeZone: 'America/New_York' })
    .split(':')
    .map(Number);
  // At eight, the next one is a day later.
  return (8 * HOUR - hour * HOUR - minute * MINUTE - second * SECOND + DAY) % DAY || DAY;
}

const threads = () =>
  [...discord.world.channels.values()].filter(({ parent_id }) => parent_id === channel.id);

/** Moves the clock to the next day's opening, and waits for its thread. */
async function openDay(): Promise<void> {
  const before = threads().length;
  ahead += untilOpening();
  while (threads().length === before) await sleep(5);
}

async function followOpenings(): Promise<() => Promise<void>> {
  const user = discord.world.users.get(guild.owner_id)!;
  await discord.command({ user, channel, name: 'letterboxed', subcommand: 'daily', options: { do: 'on' } });
  return openDay;
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

const act = process.argv.includes('opening')
  ? await followOpenings()
  : process.argv.includes('words')
    ? await followWords()
    : askForHint;
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
