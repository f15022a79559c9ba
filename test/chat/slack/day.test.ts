/** A day's thread in Slack: the real daily thread and door on the fake platform. */

import { afterEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/core/clock.ts';
import { directChannel } from '../../fakes/slack/world.ts';
import { type World, world } from '../../fakes/world.ts';
import { messageOf, type OpenedSlack, read } from './open-slack.ts';

const SIX = Date.parse('2026-11-20T11:00:00Z');

let made: World;
let slack: OpenedSlack;
afterEach(() => made.close());

async function open(): Promise<void> {
  made = await world({ doors: ['slack'] });
  slack = made.slack!;
  slack.test.clock.time = SIX;
}

async function until(moment: number): Promise<void> {
  while (made.clock.time < moment) await made.at(made.clock.time + HOUR / 4);
}

const posts = () => slack.channel.messages.filter(({ byApp, metadata }) => byApp && metadata !== undefined);
const titles = () => posts().map(({ text, threadTs }) => [text.split('\n')[0], threadTs]);

describe('a day’s thread', () => {
  const OPENING = ['Friday, November 20', undefined] as const;

  /** Ann is asked about an opening without an answer. */
  async function openedInDoubt() {
    await open();
    const { ann, channel, fake, test, workspace } = slack;
    await messageOf(ann.slash(channel, '/letterboxed daily on'));
    await expect.poll(() => channel.messages).toHaveLength(1);
    test.expectErrors('this post cannot be made: it is left out');
    const loseNext = () => fake.faults.inject({ kind: 'lose', method: 'chat.postMessage' });
    loseNext();
    await until(SIX + 3 * HOUR);
    expect(titles()).toEqual([OPENING]);
    const questions = directChannel(fake.world, workspace, ann.id).messages;
    const say = (verdict: string) => messageOf(ann.press(questions[0]!, verdict));
    return { questions, say, loseNext };
  }

  it('is opened again once where somebody asks for it: another answer lost means another question', async () => {
    const { questions, say, loseNext } = await openedInDoubt();
    loseNext();
    expect((await say('Post it again')).text).toContain('It comes within a minute or two');
    await until(SIX + 5 * HOUR);
    expect(titles()).toEqual([OPENING, OPENING]);
    expect(questions).toHaveLength(2);
  });

  it('goes on under a small message where somebody says that an opening without an answer is there', async () => {
    const { questions, say } = await openedInDoubt();
    const [opening] = posts();
    expect(read(questions[0]!)).toContain('[Post it again] [It is there]');
    const answer = await say('It is there');
    expect(answer.text).toContain('The hints follow under a new small message');
    await until(SIX + 27 * HOUR);
    const anchor = posts()[1]!;
    expect(titles().slice(0, 6)).toEqual([
      OPENING,
      ['The day’s hints come here', undefined],
      ['Start letters', anchor.ts],
      ['Words needed', anchor.ts],
      ['The solution', anchor.ts],
      ['Saturday, November 21', undefined],
    ]);
    expect(titles()).toContainEqual(['That was the board of Friday, November 20, 2026', anchor.ts]);
    // Neither of them shows a second board.
    expect([opening!.isEdited, anchor.isEdited]).toEqual([false, false]);
    expect(read(anchor)).not.toContain('picture');
  });
});
