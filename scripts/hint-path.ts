/**
 * `node scripts/hint-path.ts [opening|step|restart|words] [all] [names]`: the files in which something runs between a hint that
 * is asked for on a fake Discord and its answer, with the functions of each that ran. `opening` follows the opening of a day
 * instead, from its minute to its thread, `step` a hint step in that thread, `restart` an opening that a process before has
 * sent without an answer, and `words` a word that is typed on a fake Slack. The store, the solver and the word lists are left
 * out; `all` counts these too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startBot } from '../src/bot.ts';
import { readConfig } from '../src/config/config.ts';
import { HOUR, MINUTE } from '../src/core/clock.ts';
import { addDays, dateAt, spanOf } from '../src/puzzle/calendar.ts';
import { shownText } from '../test/fakes/slack/shown.ts';
import { askOnDiscord, openPlatforms, type Platforms } from '../test/whole-bot/platforms.ts';

const ROOT = join(import.meta.dirname, '..');
const asked = process.argv.slice(2);
const COUNTED = asked.includes('all')
  ? /^(?:commands|src\/)/
  : /^(?:commands|src\/(?!store|solver|wordlists))/;
/** What runs in each of them belongs to the path; what runs in some, such as for a tick of the daily thread, does not. */
const RUNS = 4;
/** Milliseconds in which work that an answer left behind ends. */
const PAUSE = 300;

const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// Before anything runs: V8 counts no calls of functions that it has compiled in its usual way.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const folder = mkdtempSync(join(tmpdir(), 'hint-path-'));
/** Milliseconds that the bot's clock is ahead. */
let ahead = 0;
const clock = { now: () => Date.now() + ahead };
/** Called with the route of each request to Discord, before its answer. */
let onRequest: (route: string | undefined) => void = () => undefined;
const platforms: Platforms = await openPlatforms(2, clock, clock, () => {
  onRequest(platforms.discord.requests.at(-1)?.route);
  return 0;
});
const { discord, slack, slackTalk } = platforms;
const start = () => startBot(readConfig({ ...platforms.settings, DATA_DIR: folder }), log, { clock });
let bot = await start();

interface Path {
  /** Called each time before it is followed. */
  readonly prepare?: () => Promise<void>;
  readonly follow: () => Promise<unknown>;
}

/** Each makes what its path needs. */
const PATHS: Readonly<Record<string, () => Promise<Path>>> = {
  async hint() {
    const asker = discord.world.addUser('asker');
    return { follow: () => askOnDiscord(platforms, asker, platforms.discordTalk, 'hint') };
  },

  async words() {
    const person = slack.addPerson(platforms.workspace);
    const ask = async (line: string) => {
      const { message } = await person.slash(slackTalk, `/letterboxed ${line}`).shown;
      return shownText(message?.blocks ?? []);
    };
    const [, word] = /([A-Z]{3,}) –/.exec(await ask('reveal open')) ?? [];
    // The same right word of the day's board each time.
    return {
      async follow() {
        if (!(await ask(`play ${word}`)).includes(`${word} fits`))
          throw new Error('the word was not answered');
      },
    };
  },

  async opening() {
    await switchOn();
    // Not until the answer, with which the next posts begin.
    return { prepare: () => beforeOpening(), follow: () => minuteUntil(THREAD_STARTED) };
  },

  async step() {
    await switchOn();
    return {
      async prepare() {
        await beforeOpening();
        await minuteUntil(THREAD_STARTED);
        // The first step comes with the opening, the next one at noon.
        await bot.daily?.runDue();
        await beforeNext(4 * HOUR - MINUTE);
      },
      follow: () => minuteUntil(MESSAGE_SENT),
    };
  },

  async restart() {
    await switchOn();
    return {
      async prepare() {
        await beforeOpening();
        discord.fault({ on: MESSAGE_SENT, what: 'lose' });
        await minuteUntil(MESSAGE_SENT);
        await bot.stop();
        // Or the next attempt would come while the other process starts.
        ahead -= PASSED;
        bot = await start();
        await bot.daily?.runDue();
        ahead += PASSED - MINUTE;
      },
      follow: () => minuteUntil(THREAD_STARTED),
    };
  },
};

/** Milliseconds between the two processes, at least; by the clock, the second one starts before the first one ends. */
const PASSED = 10 * MINUTE;
const MESSAGE_SENT = 'POST /channels/:channel/messages';
const THREAD_STARTED = 'POST /channels/:channel/messages/:message/threads';

async function switchOn(): Promise<void> {
  const [channel] = platforms.discordChannels;
  const owner = discord.world.guilds.get(channel!.guild_id!)!.owner_id;
  await askOnDiscord(platforms, discord.world.users.get(owner)!, channel!, 'daily', {
    do: 'on',
    opening: '08:00',
  });
}

/** Lets time pass to the minute before the next opening. Threads are opened at eight by default, and a puzzle's day begins at three. */
async function beforeOpening(): Promise<void> {
  await bot.daily?.runDue();
  await beforeNext(spanOf(addDays(dateAt(clock.now()), 1)).from + 5 * HOUR - MINUTE - clock.now());
}

/** A process that has just been on sees the minute come: after a jump, posts might be there that it must look for. */
async function beforeNext(milliseconds: number): Promise<void> {
  ahead += milliseconds;
  await bot.daily?.tick();
  await bot.daily?.runDue();
}

/** Lets a minute pass, and resolves when a request comes. */
async function minuteUntil(wanted: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onRequest = (route) => route === wanted && resolve();
  ahead += MINUTE;
  await promise;
  onRequest = () => undefined;
}

/** The functions that run, each by its file and where it begins. */
async function functionsOf({ prepare, follow }: Path): Promise<Set<string>> {
  await prepare?.();
  await sleep(PAUSE);
  // Begins to count from zero.
  await session.post('Profiler.takePreciseCoverage');
  await follow();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = new Set<string>();
  for (const { url, functions } of result.filter(({ url }) => url.startsWith('file:'))) {
    const file = relative(ROOT, fileURLToPath(url));
    if (!COUNTED.test(file)) continue;
    for (const { functionName: name, ranges } of functions)
      if (ranges[0]!.count > 0) ran.add(`${file}:${ranges[0]!.startOffset} ${name || '(without a name)'}`);
  }
  return ran;
}

const measured = await PATHS[asked.find((one) => one in PATHS) ?? 'hint']!();
// The first one has much to load.
await measured.prepare?.();
await measured.follow();
let path = await functionsOf(measured);
for (let run = 1; run < RUNS; run++) {
  const ran = await functionsOf(measured);
  path = new Set([...path].filter((one) => ran.has(one)));
}
const byFile = Map.groupBy(path, (ran) => ran.slice(0, ran.indexOf(':')));
for (const [file, functions] of [...byFile].sort()) {
  console.log(`${file} ${functions.length}`);
  if (asked.includes('names')) for (const ran of functions) console.log(ran.replace(/^.*?:\d+/, ' '));
}
console.log(`${byFile.size} files, ${path.size} functions`);
rmSync(folder, { recursive: true });
// The bot, and what the libraries left behind, need not end.
process.exit();
