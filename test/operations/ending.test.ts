import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong } from '../fakes/sample.ts';
import {
  askOnDiscord,
  askOnSlack,
  openPlatforms,
  type Platforms,
  posted,
  rowsFrom,
  switchOn,
  WholeBot,
} from '../whole-bot/platforms.ts';

const CHANNELS = 50;
const COMMANDS = 20;
const MORNING = Date.parse('2027-03-05T07:30:00Z');
const EVENING = Date.parse('2027-03-05T20:00:00Z');
/** After which another process may take over what a dead one was at. */
const LEASE = 3 * MINUTE;

const opened = Date.now();
const standing = { now: () => opened };
let dataDir: string;
let platforms: Platforms;
const bots: WholeBot[] = [];

beforeEach(async () => {
  dataDir = makeFolder();
  platforms = await openPlatforms(CHANNELS, standing);
});

afterEach(async () => {
  for (const { child } of bots.splice(0)) child.kill('SIGKILL');
  await platforms.close();
});

async function start(at: number): Promise<WholeBot> {
  const bot = new WholeBot({ ...platforms.settings, DATA_DIR: dataDir }, { startsAt: at });
  bots.push(bot);
  await bot.nextMessage();
  return bot;
}

/** People ask for something at once. */
function askAll(): Promise<unknown>[] {
  const { discord, slack, workspace, discordTalk, slackTalk } = platforms;
  return Array.from({ length: COMMANDS }, (_, at) =>
    at % 2 === 0
      ? askOnDiscord(platforms, discord.world.addUser(`person ${at}`), discordTalk, 'today')
      : askOnSlack(slack.addPerson(workspace), slackTalk, 'solve ozu nri lfa mbt'),
  );
}

/** In the midst of the day's posts and of commands; what became of it. */
async function endIn(signal: NodeJS.Signals) {
  const bot = await start(MORNING);
  await switchOn(platforms, { zones: ['America/New_York'] });
  const exited = once(bot.child, 'exit');
  const first = platforms.slack.next(({ message }) => message?.metadata !== undefined);
  bot.child.send({ move: EVENING });
  await first;
  const answers = Promise.allSettled(askAll());
  // Some have begun, and none knows of the end before it comes.
  await platforms.slack.next(({ message }) => message?.metadata !== undefined);
  bot.child.kill(signal);
  const [status] = (await exited) as [number | null];
  return { answers, status };
}

/** Another process comes up later, and does what is left. */
async function takeUp(): Promise<void> {
  const bot = await start(EVENING + LEASE);
  await bot.ask({ move: EVENING + LEASE + MINUTE });
  expect(await bot.stop()).toBeGreaterThanOrEqual(0);
}

/** Nothing is left to do, and what was sent stands there once. What was given up is for the test to judge. */
async function expectNothingTwice() {
  const rows = await rowsFrom(dataDir, '2027-03-03', 4);
  expect([rows.states.get('due'), rows.states.get('sending')]).toEqual([undefined, undefined]);
  const seen = posted(platforms);
  const all = [...seen.openings, ...seen.others];
  expect(new Set(all).size).toBe(all.length);
  return { ...rows, seen };
}

describe(`in the midst of ${COMMANDS} commands and ${CHANNELS} posts`, onlyLong, () => {
  it('SIGTERM: all commands are answered, the end is in order, and what was left is posted later', async () => {
    const { answers, status } = await endIn('SIGTERM');
    expect((await answers).filter((one) => one.status === 'rejected')).toEqual([]);
    expect(status).toBe(0);
    await takeUp();
    const { givenUp, openings, seen } = await expectNothingTwice();
    expect(givenUp).toEqual([]);
    expect([openings, seen.openings.length]).toEqual([CHANNELS, CHANNELS]);
  });

  it('SIGKILL: every post is there once after the next start, or nobody can know whether it is', async () => {
    const { status } = await endIn('SIGKILL');
    expect(status).toBe(null);
    await takeUp();
    const { givenUp, seen } = await expectNothingTwice();
    // Discord can be searched. Slack, without a scope to read channels, can't: rather once too few than twice.
    expect(givenUp.filter((tenant) => !tenant.startsWith('slack:'))).toEqual([]);
    expect(seen.openings.length).toBeGreaterThanOrEqual(CHANNELS - givenUp.length);
  });
});
