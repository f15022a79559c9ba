import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeAction } from '../../src/reply/model/text.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { type HostileCommand, hostileCommands, NAMED } from '../whole-bot/hostile.ts';
import { askOnDiscord, askOnSlack, openPlatforms, type Platforms, WholeBot } from '../whole-bot/platforms.ts';

/** A day whose board is always the same: on some, the solutions have words that every log has, such as "house". */
const NOON = Date.parse('2026-11-20T17:00:00Z');
const standing = { now: () => NOON };
const ANSWERED =
  /^### (Solved|Solutions|No solution|[A-Z]+ fits|Playable words|After |All \d+ words|None of the|Solution: |That took more than)/;
let platforms: Platforms;
let bot: WholeBot;
let base: string;

beforeAll(async () => {
  platforms = await openPlatforms(2, standing, standing);
  // One: what is not made to take long is answered without.
  const settings = { ...platforms.settings, DATA_DIR: makeFolder(), LOG_LEVEL: 'debug', WORKERS: '1' };
  bot = new WholeBot(settings, { startsAt: NOON });
  base = `http://127.0.0.1:${(await bot.nextMessage()).port}`;
});

afterAll(async () => {
  bot.child.kill('SIGKILL');
  await platforms.close();
});

describe('the whole bot, on Discord and Slack at once', () => {
  it('is ready when both doors are open', async () => {
    const response = await fetch(`${base}/readyz`);
    expect(await response.json()).toMatchObject({ ready: true, doors: { discord: 'ok', slack: 'ok' } });
    expect(response.status).toBe(200);
  });

  it('answers at both, counts it, and writes a line with an id for each', async () => {
    const { discord, slack, workspace, discordTalk, slackTalk } = platforms;
    const somebody = discord.world.addUser('somebody new');
    await askOnDiscord(platforms, somebody, discordTalk, 'today');
    await askOnDiscord(platforms, somebody, discordTalk, 'reveal');
    await askOnSlack(slack.addPerson(workspace), slackTalk, 'hint');
    const read = async () => (await fetch(`${base}/metrics`)).text();
    // The bot counts an answer when the platform has confirmed it, after people have seen it.
    await expect.poll(read).toContain('letterboxed_first_answer_seconds_count{door="discord"} 2');
    const figures = await read();
    expect(figures).toContain(
      'letterboxed_commands_total{door="discord",command="today",outcome="answered"} 1',
    );
    expect(figures).toContain('letterboxed_commands_total{door="slack",command="hint",outcome="answered"} 1');
    expect(figures).toMatch(/letterboxed_jobs_total{job="hint",where="\w+",outcome="done"} 1/);
    const lines = bot.log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; request?: string });
    const requests = lines.filter(({ msg }) => msg === 'command').map(({ request }) => request);
    expect(new Set(requests).size).toBe(3);
  });

  it('says nothing of its tokens, and nothing that gives the puzzle away, in its log and on its pages', async () => {
    const { discord } = platforms;
    const answer = await askOnDiscord(
      platforms,
      discord.world.addUser('another'),
      platforms.discordTalk,
      'reveal',
      { sides: 'ozu nri lfa mbt' },
    );
    const solution = [...answer.text.matchAll(/\|\|([^|]+)\|\|/g)].flatMap(([, hidden]) =>
      [...hidden!.matchAll(/[A-Za-z]{5,}/g)].map(([word]) => word.toLowerCase()),
    );
    expect(solution.length).toBeGreaterThan(1);
    const pages = await Promise.all(
      ['healthz', 'readyz', 'metrics'].map(async (page) => (await fetch(`${base}/${page}`)).text()),
    );
    const seen = [bot.log, ...pages].join('\n').toLowerCase();
    const { DISCORD_TOKEN, SLACK_BOT_TOKEN, SLACK_APP_TOKEN } = platforms.settings;
    for (const token of [DISCORD_TOKEN, SLACK_BOT_TOKEN, SLACK_APP_TOKEN])
      expect(seen).not.toContain(token!.toLowerCase());
    const logged = JSON.stringify(bot.log.toLowerCase().split(/[^a-z]+/));
    // Words the program itself uses, such as "solution", may happen to be on the board.
    const given = solution.filter(
      (word) => logged.includes(`"${word}"`) && !/solution|words|least|likely|answer|short|sure/.test(word),
    );
    expect(given).toEqual([]);
  });
});

function onDiscord(name: string, { name: command, options }: HostileCommand) {
  const user = platforms.discord.world.addUser(name);
  return askOnDiscord(platforms, user, platforms.discordTalk, command, options);
}

function onSlack({ name: command, options }: HostileCommand) {
  const { slack, workspace, slackTalk } = platforms;
  return askOnSlack(slack.addPerson(workspace), slackTalk, typeAction({ command, options }));
}

describe('commands that are made to take long', () => {
  const named = NAMED.filter((_, at) => sample(true, at === 0));
  it.each(named)('$name $options.sides is answered, and so is somebody else meanwhile', async (command) => {
    const answer = onDiscord('hostile', command);
    const other = await onDiscord('other', {
      name: 'check',
      options: { words: 'forum', sides: 'ozu nri lfa mbt' },
    });
    expect(other.text).toContain('FORUM fits');
    // On a busy machine a search may be ended: that is a clear answer, too.
    expect((await answer).text).toMatch(ANSWERED);
  });

  it(
    'are answered without a fault, whatever the board, the words and the options are',
    onlyLong,
    async () => {
      const commands = hostileCommands(100);
      for (const [at, command] of commands.entries()) {
        const { text } = await (at % 2 === 0 ? onDiscord(`hostile ${at}`, command) : onSlack(command));
        expect(text).not.toBe('');
        expect(text).not.toContain('Sorry, that went wrong');
      }
      expect(bot.log.split('\n').filter((line) => line.includes('"level":"error"'))).toEqual([]);
    },
  );
});
