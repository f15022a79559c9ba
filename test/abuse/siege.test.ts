/**
 * Hostile people and ordinary ones at both chat platforms, with daily threads opening in the middle of it. The bot is a
 * process of its own, whose clock begins at noon and runs like the real one.
 *
 *   LONG=1 SIEGE=600 npx vitest run test/abuse/siege.test.ts   a thousand people for 600 seconds, on an idle machine
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { Random } from '../../src/core/random.ts';
import { typeAction } from '../../src/reply/model/text.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong } from '../fakes/sample.ts';
import { type HostileCommand, hostileCommands, NAMED } from '../whole-bot/hostile.ts';
import {
  type Answered,
  askOnDiscord,
  askOnSlack,
  forget,
  openPlatforms,
  type Platforms,
  posted,
  switchOn,
  WholeBot,
} from '../whole-bot/platforms.ts';
import { mutate } from './mutate.ts';

const IS_WHOLE = process.env.SIEGE !== undefined;
/** Rates are commands in a second; a tenth of hostile people's are malformed events. */
const PLAN = IS_WHOLE
  ? { milliseconds: Number(process.env.SIEGE) * SECOND, channels: 200, ordinary: 1_000, hostile: 100, ordinaryRate: 15, hostileRate: 50 } // biome-ignore format: one line reads better
  : { milliseconds: 20 * SECOND, channels: 20, ordinary: 100, hostile: 20, ordinaryRate: 3, hostileRate: 10 }; // biome-ignore format: one line reads better
/** Milliseconds at most for openings that are still missing at the end. */
const PATIENCE = 2 * MINUTE;
/** When it begins, by the clocks of the bot and of the platforms: a thread opens only while its puzzle has hours left. */
const NOON = Date.UTC(2026, 10, 20, 12);

// The people: ordinary ones, and hostile ones who ask for too much, too often, or for nonsense.

/** The answers that some people got. */
interface Tally {
  /** For each command that had no answer, what it was. */
  readonly unanswered: string[];
  /** Milliseconds until there was a first sign of each answer. */
  readonly first: number[];
}

const ORDINARY: readonly HostileCommand[] = [
  { name: 'today', options: {} },
  { name: 'hint', options: {} },
  { name: 'check', options: { words: 'forum' } },
  { name: 'words', options: {} },
  { name: 'help', options: {} },
  { name: 'solve', options: { sides: 'ozu nri lfa mbt' } },
  { name: 'stats', options: {} },
  { name: 'next', options: { words: 'forum' } },
];
/** Commands that cost much, are malformed, huge, or not theirs to use. */
const HOSTILE: readonly HostileCommand[] = [
  ...NAMED,
  ...hostileCommands(100),
  ...['relay', 'daily', 'set', 'privacy', 'reveal'].map((name) => ({ name, options: {} })),
  { name: 'check', options: { words: 'forum,'.repeat(300) } },
  { name: 'check', options: { words: '@everyone <script>||`'.repeat(90) } },
  { name: 'solve', options: { sides: 'a'.repeat(1_900) } },
  { name: 'words', options: { sides: '<'.repeat(1_900) } },
  { name: 'today', options: { date: '2020-01-01' } },
];
/** People in one channel: with more, its own limit would be what is measured. */
const A_CHANNEL = 25;
/** One in this many hostile people sends half of all their commands, far over the limit of a person. */
const FLOODING = 10;

type Kind = 'ordinary' | 'hostile';
type Ask = (line: HostileCommand) => Promise<Answered>;

/** Ordinary and hostile people at both platforms, who ask until they are stopped. */
class Crowd {
  readonly #platforms: Platforms;
  readonly #people: Readonly<Record<Kind, readonly Ask[]>>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** The answers so far. */
  readonly tallies: Readonly<Record<Kind, Tally>> = { ordinary: emptyTally(), hostile: emptyTally() };

  constructor(platforms: Platforms) {
    this.#platforms = platforms;
    const hostile = peopleOf(platforms, PLAN.hostile);
    const flooding = hostile.filter((_, at) => at % FLOODING === 0);
    this.#people = {
      ordinary: peopleOf(platforms, PLAN.ordinary),
      hostile: hostile.flatMap((ask, at) => [ask, flooding[at % flooding.length]!]),
    };
  }

  start(): void {
    const { ordinaryRate, hostileRate } = PLAN;
    this.#talk('ordinary', ORDINARY, ordinaryRate);
    this.#talk('hostile', HOSTILE, hostileRate * 0.9);
    const send = mutatedEvents(this.#platforms);
    this.#timers.push(setInterval(send, 10_000 / hostileRate));
    this.#timers.push(setInterval(() => forget(this.#platforms), 10_000));
  }

  /** Resolves when everybody has an answer, or has given up waiting for it. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#underWay);
  }

  #talk(kind: Kind, lines: readonly HostileCommand[], rate: number): void {
    const people = this.#people[kind];
    const began = performance.now();
    let asked = 0;
    const timer = setInterval(() => {
      // Sends as many as are due by now, since a timer alone drifts.
      for (const due = ((performance.now() - began) / 1000) * rate; asked < due; asked++) {
        const work = this.#ask(kind, people[asked % people.length]!, lines[asked % lines.length]!);
        this.#underWay.add(work);
        void work.finally(() => this.#underWay.delete(work));
      }
    }, 20);
    this.#timers.push(timer);
  }

  async #ask(kind: Kind, ask: Ask, line: HostileCommand): Promise<void> {
    try {
      const { first } = await ask(line);
      this.tallies[kind].first.push(first);
    } catch (error) {
      this.tallies[kind].unanswered.push(`${line.name}: ${(error as Error).message.slice(0, 200)}`);
    }
  }
}

const emptyTally = (): Tally => ({ unanswered: [], first: [] });

/** People of both platforms in turns, in channels that they share with a few others of the same kind. */
function peopleOf(platforms: Platforms, count: number): Ask[] {
  const { discord, slack, workspace } = platforms;
  const [guild] = discord.world.guilds.values();
  const room = () => ({
    discord: discord.world.addChannel(guild!),
    slack: slack.addChannel(workspace, []),
  });
  let rooms = room();
  return Array.from({ length: count }, (_, at): Ask => {
    if (at % (2 * A_CHANNEL) === 0) rooms = room();
    const { discord: channel, slack: slackChannel } = rooms;
    if (at % 2 === 1) {
      const person = slack.addPerson(workspace);
      slackChannel.members.add(person.id);
      return ({ name: command, options }) =>
        askOnSlack(person, slackChannel, typeAction({ command, options }));
    }
    const user = discord.world.addUser(`person ${at} of ${count}`);
    return ({ name, options }) => askOnDiscord(platforms, user, channel, name, options);
  });
}

/** Sends a malformed event to one of the platforms' clients each time it is called. */
function mutatedEvents({ discord, slack }: Platforms): () => void {
  const random = new Random('siege');
  const [guild] = discord.world.guilds.values();
  const interaction = {
    id: discord.world.snowflake(),
    application_id: discord.world.application.id,
    type: 3,
    token: 'a-token',
    data: { custom_id: 'x', component_type: 2 },
    user: { id: '7' },
    authorizing_integration_owners: { 1: '7' },
  };
  const frame = {
    envelope_id: 'x',
    type: 'interactive',
    payload: { type: 'block_actions', actions: [{}] },
  };
  let sent = 0;
  return () => {
    if (sent++ % 2 === 0)
      discord.gateway.dispatch('INTERACTION_CREATE', mutate(interaction, random), guild!.id);
    else slack.sockets.sendRaw(JSON.stringify(mutate(frame, random)) ?? '');
  };
}

// Openings have a time in whole minutes, so that this takes two.
test('hostile people keep nobody from an answer, and no opening from its channel', {
  timeout: 2 * PLAN.milliseconds + 10 * MINUTE,
  ...onlyLong,
}, async () => {
  // Whole minutes ahead, since the bot's cron job follows the real clock.
  const ahead = Math.round((NOON - Date.now()) / MINUTE) * MINUTE;
  const now = () => Date.now() + ahead;
  // The sample's platforms stand still: a busy machine does not keep their limits of three seconds for an answer.
  const clock = { now: IS_WHOLE ? now : () => NOON };
  const platforms = await openPlatforms(PLAN.channels, clock, clock);
  onTestFinished(() => platforms.close());
  // Discord's real limit, which the daily threads keep to.
  const { DISCORD_REQUESTS_PER_SECOND: _, ...settings } = platforms.settings;
  const bot = new WholeBot({ ...settings, DATA_DIR: makeFolder() }, { ahead });
  onTestFinished(() => void bot.child.kill('SIGKILL'));
  await bot.nextMessage();
  // Openings are at whole minutes; this one is in the middle.
  const half = PLAN.milliseconds / 2;
  const due = Math.ceil((now() + half + PLAN.channels * 100) / MINUTE) * MINUTE;
  await switchOn(platforms, { zones: ['UTC'], openings: [new Date(due).toISOString().slice(11, 16)] });
  const crowd = new Crowd(platforms);
  await sleep(due - half - now());
  const { rss: begin = 0 } = await bot.ask({ vitals: true });
  const openings = () => posted(platforms).openings;
  const lastOpening = (async () => {
    while (openings().length < PLAN.channels && now() < due + half + PATIENCE) await sleep(500);
    return now() - due;
  })();
  crowd.start();
  await sleep(PLAN.milliseconds);
  await crowd.stop();
  const { loop } = await bot.ask({ vitals: true });
  const seconds = Math.max(0, await lastOpening) / SECOND;
  // As Linux counts it, in kilobytes.
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${bot.child.pid}/status`, 'utf8'))?.[1]);
  await bot.stop();

  const { ordinary, hostile } = crowd.tallies;
  const times = ordinary.first.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(share * times.length)] ?? Number.NaN);
  console.info(
    `${times.length} ordinary and ${hostile.first.length} hostile commands answered; first answers to ordinary people: ` +
      `median ${at(0.5)} ms, p99 ${at(0.99)} ms; longest turn ${loop!.busiest.toFixed(0)} ms; ` +
      `last opening ${seconds.toFixed(1)} s after its time; ${Math.round(begin / 1e6)} to ${Math.round(peak / 1e3)} MB`,
  );
  expect(ordinary.unanswered).toEqual([]);
  expect(times.length).toBeGreaterThan((PLAN.ordinaryRate * PLAN.milliseconds) / SECOND / 2);
  expect(openings().length).toBe(PLAN.channels);
  expect(new Set(openings()).size).toBe(PLAN.channels);
  expect(bot.log).toBe('');
});
