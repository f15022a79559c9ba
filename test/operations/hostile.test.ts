/** Commands that are made to take long, over the whole bot: each is answered. `bench/hostile.ts` measures how soon. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeAction } from '../../src/reply/model/text.ts';
import { sample } from '../fakes/sample.ts';
import { makeFolder } from '../store/folders.ts';
import { type HostileCommand, hostileCommands, NAMED } from '../whole-bot/hostile.ts';
import { askOnDiscord, askOnSlack, openPlatforms, type Platforms, WholeBot } from '../whole-bot/platforms.ts';

const ANSWERED =
  /^### (Solved|Solutions|No solution|[A-Z]+ fits|Playable words|After |All \d+ words|None of the|Solution: |That didn’t work\nThat took more than)/;
const opened = Date.now();
let platforms: Platforms;
let bot: WholeBot;

beforeAll(async () => {
  platforms = await openPlatforms(0, { now: () => opened });
  bot = new WholeBot({ ...platforms.settings, DATA_DIR: makeFolder() });
  await bot.nextMessage();
});

afterAll(async () => {
  bot.child.kill('SIGKILL');
  await platforms.close();
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

  it('are answered without a fault, whatever the board, the words and the options are', async () => {
    // Each kind at least once; bench/hostile.ts tries 200.
    const commands = hostileCommands(sample(40, 2));
    for (const [at, command] of commands.entries()) {
      const { text } = await (at % 2 === 0 ? onDiscord(`hostile ${at}`, command) : onSlack(command));
      expect(text).not.toBe('');
      expect(text).not.toContain('Sorry, that went wrong');
    }
    expect(bot.log).toBe('');
  });
});
