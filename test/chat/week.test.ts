/**
 * A week at three doors that share a store: two servers on the fake Discord, a workspace on the fake Slack,
 * and the local chat, with the daily thread in each. Some days are missed, on one the bot is down, somebody
 * stays off the board, somebody deletes everything. Leaderboards and closing messages are checked against a
 * plain recomputation.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Daily, makeDaily } from '../../src/daily/daily.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { reviewInDay } from '../../src/players/group/review-days.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import type { PuzzleDate } from '../../src/puzzle/types.ts';
import { Random } from '../../src/solver/random.ts';
import { makeTestApp, type TestApp } from '../fakes/app.ts';
import { textOf } from '../fakes/discord/person.ts';
import type { Channel, User } from '../fakes/discord/world.ts';
import { shownText } from '../fakes/slack/shown.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { bestOf, type Entry, expectedLine, expectedRows, isOnTime } from '../players/diary.ts';
import { standingsRows } from '../players/standings-rows.ts';
import { type Started, startDiscord } from './discord/start.ts';
import { messageOf, type OpenedSlack, openSlack } from './slack/open-slack.ts';
import { openPage } from './web/page.ts';
import { type Served, serveWeb } from './web/serve.ts';

const MONDAY: PuzzleDate = '2026-11-16';
const DAYS = Array.from({ length: 7 }, (_, index) => addDays(MONDAY, index));
const DARK = DAYS[2]!;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SOLUTIONS = ['bfjmcg,gkdhlnbp', 'bfjmcg,gkdhln,nbp'];

interface Seat {
  readonly person: string;
  readonly site: 'club' | 'guild' | 'team' | 'local';
  /** What the platform answers to a line: its text, names of people as `@id`. */
  say(line: string): Promise<string>;
}

let world: TestApp;
let discord: Started;
let slack: OpenedSlack;
let web: Served;
let daily: Daily;
let seats: readonly Seat[];

beforeAll(async () => {
  world = await makeTestApp({ words: WORDS, house });
  const shared = { words: WORDS, house, store: world.store, clock: world.clock };
  discord = await startDiscord({
    app: { ...shared, posterOf: () => discord.door.poster },
    fake: { limits: false },
  });
  slack = await openSlack({ test: await makeTestApp({ ...shared, posterOf: () => slack.door.poster }) });
  web = await serveWeb({ ...shared, posterOf: () => web.door.poster });
  const guild = discord.discord.world.addGuild('Chess club');
  discord.discord.join(guild);
  const other = discord.discord.world.addChannel(guild);
  const [ann, bob, cleo, dan] = ['ann', 'bob', 'cleo', 'dan'].map((name) => discord.discord.world.addUser(name)) as [User, User, User, User]; // biome-ignore format: one line reads better
  for (const one of [discord.guild, guild]) {
    const managers = discord.discord.world.addRole(one, 'Managers', ['MANAGE_GUILD']);
    discord.discord.world.addMember(one, ann, [managers.id]);
  }
  seats = [
    ...[ann, bob, cleo].map((user) => onDiscord('club', discord.channel, user)),
    ...[ann, cleo, dan].map((user) => onDiscord('guild', other, user)),
    ...[slack.ann, slack.bob].map(onSlack),
    ...['ada', 'ben'].map(onWeb),
  ];
  daily = makeDaily({
    store: world.store,
    puzzles: world.app.puzzles,
    answerSteps: answerSteps(world.app),
    posters: [discord.door.poster, slack.door.poster!, web.door.poster],
    log: world.app.log,
    clock: world.clock,
    random: () => 0.5,
    owner: 'test',
    source: 'house',
    dayReview: reviewInDay(world.app),
    pace: () => ({ concurrency: 4, perSecond: 1e6 }),
  });
});

afterAll(async () => {
  await daily.stop();
  await web.close();
  await slack.close();
  await slack.test.close();
  await discord.close();
  await world.close();
});

function onDiscord(site: Seat['site'], channel: Channel, user: User): Seat {
  return {
    person: user.id,
    site,
    async say(line) {
      const [subcommand = '', ...rest] = line.split(' ');
      const options = Object.fromEntries(rest.map((part) => part.split(':')));
      const sure = 'sure' in options ? { sure: true } : {};
      const seen = await discord.discord.command({ channel, user, name: 'letterboxed', subcommand, options: { ...options, ...sure } }); // biome-ignore format: one line reads better
      return textOf(seen.message)
        .replace(/<@(\d+)>/g, '@$1')
        .replace(/[*\\#]/g, '');
    },
  };
}

function onSlack(person: OpenedSlack['ann']): Seat {
  return {
    person: person.id,
    site: 'team',
    async say(line) {
      const isNaming = line.startsWith('leaderboard');
      const named = slack.fake.next(({ message }) => message?.isEdited === true);
      const action = person.slash(slack.channel, `/letterboxed ${line}`);
      const message = isNaming ? (await named).message! : await messageOf(action);
      return shownText(message.blocks)
        .replace(/<@(\w+)>/g, '@$1')
        .replaceAll('*', '');
    },
  };
}

function onWeb(person: string): Seat {
  return {
    person,
    site: 'local',
    async say(line) {
      const { ask, listen } = openPage(web.door.url, person);
      const events = await listen();
      await events.first(({ event }) => event === 'state');
      const before = events.received.length;
      await ask('/say', { line });
      const { data } = await events.first((one) => events.received.indexOf(one) >= before);
      await events.close();
      const tables = data.blocks.flatMap((block) => (block.kind === 'table' ? block.table.rows : []));
      const lines = data.blocks.flatMap((block) => (block.kind === 'text' ? block.lines : []));
      const pieces = lines.map((one) => (Array.isArray(one) ? one : [one]).map(plain).join(''));
      const rows = tables.map((row) => row.map((cell) => (typeof cell === 'object' ? plain(cell) : cell)).join(' | ')); // biome-ignore format: one line reads better
      return [data.title, ...pieces, ...rows].join('\n');
    },
  };
}

function plain(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  const { bold = '', person } = piece as { bold?: string; person?: string };
  return person === undefined ? bold : `@${person}`;
}

test('a week ends with every leaderboard and every closing message right', async () => {
  const random = new Random('a week');
  const chance = (percent: number) => random.below(100) < percent;
  const first = (site: Seat['site']) => seats.find((seat) => seat.site === site)!;
  const expected = new Map<string, string>();
  let diary: (Entry & Pick<Seat, 'site'>)[] = [];
  const hidden = new Set<string>();
  const counting = (site: Seat['site']) =>
    bestOf(diary.filter((entry) => entry.site === site && isOnTime(entry))).filter(({ person }) => !hidden.has(person)); // biome-ignore format: one line reads better
  const settle = async (moment: number) => {
    world.clock.time = moment;
    await daily.tick();
    await daily.runDue();
  };
  const say = (seat: Seat, line: string) => {
    world.clock.time += MINUTE;
    return seat.say(line);
  };

  await settle(spanOf(MONDAY).from + HOUR);
  for (const site of ['club', 'guild', 'team', 'local'] as const)
    expect(await say(first(site), 'daily do:on')).not.toMatch(/didn’t work|manage/);
  for (const date of DAYS) {
    if (date === DARK) continue;
    await settle(spanOf(date).from + 10 * HOUR);
    for (const seat of seats) {
      if (!chance(70)) continue;
      const solution = SOLUTIONS[random.below(2)]!;
      expect(await say(seat, `play words:${solution}`)).toContain('Solved in ');
      const words = solution.split(',');
      const letters = words.join('').length;
      diary.push({ person: seat.person, site: seat.site, date, words: words.length, letters, hints: 0, at: world.clock.time }); // biome-ignore format: one line reads better
    }
    const [, , cleo, , , dan] = seats as [Seat, Seat, Seat, Seat, Seat, Seat];
    if (date === DAYS[3]) {
      expect(await say(cleo, 'privacy do:hide')).toContain('You’re hidden from all leaderboards');
      hidden.add(cleo.person);
    }
    if (date === DAYS[4]) {
      expect(await say(dan, 'privacy do:delete sure:yes')).toContain('Everything about you is erased');
      diary = diary.filter(({ person }) => person !== dan.person);
    }
    for (const site of ['club', 'guild', 'team'] as const) {
      const line = expectedLine(counting(site).filter((entry) => entry.date === date));
      if (line !== undefined) expected.set(`${site} ${date}`, line);
    }
  }
  for (const site of ['club', 'guild', 'team', 'local'] as const) {
    const rows = standingsRows(await say(first(site), 'leaderboard period:week'));
    expect(rows).toEqual(expectedRows(counting(site)));
    expect(rows.length).toBeGreaterThan(0);
  }

  await settle(spanOf(addDays(MONDAY, 7)).from + 10 * HOUR);
  const closings = closingsByPlace();
  expect(closings.size).toBe(3);
  expect(expected.size).toBeGreaterThan(12);
  for (const [channel, texts] of closings) {
    expect(texts).toHaveLength(DAYS.length - 1);
    for (const [index, date] of DAYS.filter((day) => day !== DARK).entries()) {
      const line = expected.get(`${channel} ${date}`);
      if (line === undefined) expect(texts[index]).toContain('No results this time.');
      else expect(texts[index]).toContain(line);
    }
    const leader = expectedRows(counting(channel as Seat['site']))[0]!.split(' ')[1];
    expect(texts.at(-1)).toContain(`Best of the week: 1. ${leader}`);
  }
});

/** The last messages of all days' threads, in their order. */
function closingsByPlace(): Map<string, string[]> {
  const isClosing = (text: string) => text.includes('That was the board of');
  const found = new Map<string, string[]>();
  const { world: there } = discord.discord;
  for (const [site, parent] of [
    ['club', discord.channel.id],
    ['guild', otherChannel()],
  ] as const) {
    // biome-ignore format: one line reads better
    const threads = [...there.channels.values()].filter(({ parent_id }) => parent_id === parent);
    const texts = threads.flatMap(({ id }) => there.messagesOf(id)).map((message) => textOf(message));
    found.set(site, texts.filter(isClosing).map((text) => text.replace(/<@(\d+)>/g, '@$1').replaceAll('\\', ''))); // biome-ignore format: one line reads better
  }
  const posts = slack.channel.messages.filter(({ byApp }) => byApp).map(({ blocks }) => shownText(blocks));
  found.set('team', posts.filter(isClosing).map((text) => text.replace(/<@(\w+)>/g, '@$1'))); // biome-ignore format: one line reads better
  return found;
}

function otherChannel(): string {
  const [guild] = [...discord.discord.world.guilds.values()].filter(({ name }) => name === 'Chess club');
  return [...discord.discord.world.channels.values()].find(({ guild_id }) => guild_id === guild!.id)!.id;
}
