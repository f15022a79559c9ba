/**
 * The whole bot with nobody to look after it: a puzzle a day in channels of each kind on the fake platforms, while clocks
 * change, Discord and the newspaper fail, and the bot is started again. Each post is there once, and everybody is answered.
 *
 *   LONG=1 DAYS=366 npx vitest run test/whole-bot/year.test.ts   a year, with a leap day, in some minutes
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { containerIdOf } from '../../src/chat/discord/render.ts';
import { makeTenant } from '../../src/core/channel-ref.ts';
import { DAY, HOUR, type PuzzleDate } from '../../src/core/clock.ts';
import { postKey } from '../../src/daily/day-thread.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { addDays, dateAt, spanOf } from '../../src/puzzle/calendar.ts';
import { generate } from '../../src/solver/generate.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { CHANNEL, type Channel, THREAD } from '../fakes/discord/world.ts';
import { makeFolder } from '../fakes/folder.ts';
import { json, startNewspaper, status } from '../fakes/newspaper.ts';
import { onlyLong } from '../fakes/sample.ts';
import { askOnDiscord, askOnSlack, forget, openPlatforms, type Platforms, WholeBot } from './platforms.ts';

const DAYS = Number(process.env.DAYS ?? 50);
/** Sydney, Berlin and New York change their clocks within 50 days; Phoenix and Kolkata never do. */
const FIRST: PuzzleDate = '2027-09-20';
const LAST = addDays(FIRST, DAYS - 1);
const BEGINS = spanOf(FIRST).from - HOUR;
/** After the last puzzle: for its solution in the west, and for the end of its thread. */
const REST = 3 * DAY;
/** New York has its board, and neither outage is on. */
const PEOPLE_AT = 17 * HOUR;
/** Two channels on Discord should open in these hours, and close the day before. */
const NO_DISCORD = { from: Date.parse('2027-10-10T08:00Z'), to: Date.parse('2027-10-10T14:00Z') };
/** Two puzzles come out meanwhile, and channels have the house's boards instead. */
const NO_NEWSPAPER = { from: Date.parse('2027-10-20T06:00Z'), to: Date.parse('2027-10-22T06:00Z') };
const RESTART = Date.parse('2027-11-01T00:00Z');
const STEPS = ['opening', ...DEFAULT_SETTINGS.steps.map(({ step }) => step), 'closing'] as const;
/** Opening times at full hours of UTC, so that nothing is late. */
const PLACES = [
  ['text', { zone: 'America/New_York', opening: '08:00' }],
  ['text', { zone: 'Asia/Kolkata', opening: '08:30', steps: 'start@08:30 count@12:30 solution@20:30' }],
  ['forum', { zone: 'Europe/Berlin', opening: '10:00' }],
  ['slack', { zone: 'America/Phoenix', opening: '07:00', source: 'house' }],
  ['slack', { zone: 'Australia/Sydney', opening: '08:00' }],
] as const;
const SERVICE = /\/(\d{4}-\d\d-\d\d)\.json$/;
const lexicon = readLexicon();

/** A channel with a daily thread, and the keys of each message of the bot there, by the message's id. */
interface Place {
  readonly zone: string;
  keyOf(date: PuzzleDate, step: (typeof STEPS)[number]): string;
  messages(): Iterable<readonly [id: string, keys: readonly string[]]>;
}

test(`${DAYS} days pass: every post is there once, and everybody is answered`, {
  timeout: 7_200_000,
  ...onlyLong,
}, async () => {
  const clock = { time: BEGINS, now: () => clock.time };
  const platforms = await openPlatforms(0, clock);
  onTestFinished(() => platforms.close());
  const newspaper = await serveNewspaper();
  const dataDir = makeFolder();
  const settings = { PUZZLE_SOURCE: 'newspaper', NEWSPAPER_URL: newspaper.url, DATA_DIR: dataDir };
  let log = '';
  const start = async () => {
    const started = new WholeBot({ ...platforms.settings, ...settings }, { startsAt: clock.time });
    const { port } = await started.nextMessage();
    return { started, port };
  };
  let bot = await start();
  onTestFinished(() => void bot.started.child.kill('SIGKILL'));
  const places: Place[] = [];
  for (const place of PLACES) places.push(await switchOn(platforms, place));
  const people = makePeople(platforms);

  /** As it was posted: an opening is changed a day later. */
  const ledger = new Map<string, readonly string[]>();
  const end = BEGINS + DAYS * DAY + REST;
  for (let month = ''; clock.time < end; clock.time += HOUR) {
    const { time } = clock;
    if (time === RESTART) {
      await bot.started.stop();
      log += bot.started.log;
      bot = await start();
    }
    if (time === NO_DISCORD.from) {
      platforms.discord.fault({ on: '*', what: { status: 503 }, times: Number.POSITIVE_INFINITY });
      platforms.discord.gateway.drop();
    }
    if (time === NO_DISCORD.to) {
      platforms.discord.clearFaults();
      const isReady = async () => (await fetch(`http://127.0.0.1:${bot.port}/readyz`)).ok;
      await expect.poll(isReady).toBe(true);
    }
    const hasNewspaper = time < NO_NEWSPAPER.from || time >= NO_NEWSPAPER.to;
    newspaper.setReachable(hasNewspaper);
    await bot.started.ask({ move: time });
    if (time % DAY === PEOPLE_AT) {
      for (const { messages } of places)
        for (const [id, keys] of messages()) if (!ledger.has(id)) ledger.set(id, keys);
      await people.ask(hasNewspaper ? boardOf(dateAt(time)).solution.words : undefined);
    }
    const now = new Date(time).toISOString().slice(0, 7);
    if (now === month) continue;
    month = now;
    forget(platforms);
    const { rss = 0 } = await bot.started.ask({ vitals: true });
    const files = readdirSync(dataDir).filter((name) => name.startsWith('letterboxed.db'));
    const bytes = files.reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
    console.info(`${month}: ${mega(rss)} MB of memory, database ${mega(bytes)} MB`);
  }

  const own = Map.groupBy(ledger.values(), ([first]) => first);
  const together = new Set([...ledger.values()].flatMap(([, ...rest]) => rest));
  const wrong: string[] = [];
  for (const { zone, keyOf } of places)
    for (let date = FIRST; date <= LAST; date = addDays(date, 1))
      for (const step of STEPS) {
        const key = keyOf(date, step);
        const times = (own.get(key)?.length ?? 0) + Number(together.has(key));
        if (times !== 1) wrong.push(`${times} times: ${zone} ${date} ${step}`);
      }
  console.info(`${places.length * DAYS * STEPS.length} posts wanted. ${await people.stats()}`);
  expect(wrong).toEqual([]);
  await bot.started.stop();
  expect(log + bot.started.log).not.toMatch(/"level":"fatal"/);
  const program = resolve(import.meta.dirname, '../../bin/letterboxed.js');
  execFileSync(process.execPath, [program, 'db', 'check'], { env: { ...process.env, DATA_DIR: dataDir } });
});

/** By a command of somebody who manages the channel. */
async function switchOn(platforms: Platforms, [kind, settings]: (typeof PLACES)[number]): Promise<Place> {
  const { discord, slack, workspace } = platforms;
  const { zone } = settings;
  if (kind === 'slack') {
    const admin = slack.addPerson(workspace, { isAdmin: true });
    const channel = slack.addChannel(workspace, [admin]);
    const typed = Object.entries(settings).map(([name, value]) => `${name}:"${value}"`);
    await askOnSlack(admin, channel, `daily on ${typed.join(' ')}`);
    const tenant = makeTenant('slack', workspace.id);
    return {
      zone,
      keyOf: (date, step) => postKey({ tenant, channel: channel.id, date, step }),
      messages: () =>
        channel.messages
          .filter(({ byApp, isDeleted, metadata }) => byApp && !isDeleted && metadata !== undefined)
          .map(({ ts, metadata }) => {
            const { key } = metadata!.event_payload as { key: string };
            return [`${channel.id} ${ts}`, key.split(' ')] as const;
          }),
    };
  }
  const { world } = discord;
  const guild = world.addGuild(`Club of ${zone}`);
  discord.join(guild);
  const channel = world.addChannel(guild, kind === 'forum' ? CHANNEL.forum : CHANNEL.text);
  const owner = world.users.get(guild.owner_id)!;
  // Commands can't be typed in a forum itself, only in one of its posts.
  const post = {
    id: world.snowflake(),
    type: THREAD.public,
    guild_id: guild.id,
    parent_id: channel.id,
    owner_id: owner.id,
    name: 'A daily puzzle here?',
    thread_metadata: {
      archived: false,
      locked: false,
      auto_archive_duration: 10_080,
      archive_timestamp: new Date(world.clock.now()).toISOString(),
    },
  };
  const asked = kind === 'forum' ? world.keepChannel(post as Channel) : channel;
  await askOnDiscord(platforms, owner, asked, 'daily', { do: 'on', ...settings });
  const tenant = makeTenant('discord', guild.id);
  return {
    zone,
    keyOf: (date, step) => String(containerIdOf(postKey({ tenant, channel: channel.id, date, step }))),
    messages: () => {
      const threads = world.channelsOf(guild.id).filter(({ parent_id }) => parent_id === channel.id);
      return [channel, ...threads]
        .flatMap(({ id }) => world.messagesOf(id))
        .filter(({ author, components }) => author.id === world.bot.id && components.length > 0)
        .map(({ id, components: [container] }) => [
          id,
          [String(container?.id), ...(container?.components ?? []).map((part) => String(part.id))],
        ]);
    },
  };
}

/** Two people: one solves each day's board on Discord, the other asks on Slack. */
function makePeople(platforms: Platforms) {
  const { discord, slack, workspace, discordTalk, slackTalk } = platforms;
  const player = discord.world.addUser('plays each day');
  const asker = slack.addPerson(workspace);
  const play = (command: string, options = {}) =>
    askOnDiscord(platforms, player, discordTalk, command, options);
  return {
    /** Each call throws if there is no answer. @param words the solution, if the board is the newspaper's */
    async ask(words: readonly string[] | undefined): Promise<void> {
      await play('today');
      if (words !== undefined) await play('play', { words: words.join(',') });
      await askOnSlack(asker, slackTalk, 'hint');
      await askOnSlack(asker, slackTalk, `check ${words?.[0] ?? 'forum'}`);
    },
    stats: async () => (await play('stats')).text,
  };
}

function boardOf(date: PuzzleDate) {
  return generate(lexicon, { seed: `newspaper:${date}` });
}

/** A newspaper with a made-up board for each day. */
async function serveNewspaper() {
  const server = await startNewspaper();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const service = (...[response, request, url]: Parameters<ReturnType<typeof json>>) => {
    const [, date] = SERVICE.exec(request.url ?? '') ?? [];
    if (date === undefined) return status(404)(response, request, url);
    const { board, solution, par } = boardOf(date as PuzzleDate);
    const accepted = findPlayable(board, lexicon).filter(({ likelihood }) => likelihood > 0.5);
    const dictionary = [...new Set([...accepted.map(({ word }) => word), ...solution.words])];
    const puzzle = { printDate: date, sides: board.sides, dictionary, ourSolution: solution.words, par };
    return json(puzzle)(response, request, url);
  };
  return {
    url: server.url,
    setReachable: (isReachable: boolean) => server.play(isReachable ? service : status(500), status(500)),
  };
}

const mega = (bytes: number) => (bytes / 1e6).toFixed(1);
