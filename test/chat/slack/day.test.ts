/** A day's thread in Slack: the real daily thread and door on the fake platform. */

import { afterEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/core/clock.ts';
import { Daily } from '../../../src/daily/daily.ts';
import { answerSteps } from '../../../src/daily/delivery/messages.ts';
import { directChannel } from '../../fakes/slack/world.ts';
import { random } from '../../solver/random-boards.ts';
import { messageOf, type OpenedSlack, type OpenSlackOptions, openSlack, read } from './open-slack.ts';

const SIX = Date.parse('2026-11-20T11:00:00Z');

let slack: OpenedSlack;
let daily: Daily;
afterEach(async () => {
  await daily.stop();
  await slack.close();
});

async function open(options: OpenSlackOptions = {}): Promise<void> {
  slack = await openSlack(options);
  const { app, clock } = slack.test;
  clock.time = SIX;
  daily = new Daily({
    store: app.store,
    puzzles: app.puzzles,
    answerSteps: answerSteps(app),
    posters: [slack.door.poster!],
    log: app.log,
    clock,
    random: random(1),
    owner: 'test',
    concurrency: 4,
  });
}

async function at(moment: number): Promise<void> {
  slack.test.clock.time = moment;
  await daily.tick();
  await daily.runDue();
}

async function until(moment: number): Promise<void> {
  while (slack.test.clock.time < moment) await at(slack.test.clock.time + HOUR / 4);
}

const posts = () => slack.channel.messages.filter(({ byApp, metadata }) => byApp && metadata !== undefined);
const titles = () => posts().map(({ text, threadTs }) => [text, threadTs]);

describe('a day’s thread', () => {
  it('is posted from the command that switches it on to the closing a day later', async () => {
    await open();
    const answer = await messageOf(slack.ann.slash(slack.channel, '/letterboxed daily on'));
    expect(answer.only).toBe(slack.ann.id);
    expect(read(answer)).not.toContain('didn’t work');
    await until(SIX + 27 * HOUR);
    const [opening, , , , nextDay] = posts();
    expect(titles().slice(0, 5)).toEqual([
      ['Letter Boxed for Friday, November 20, 2026', undefined],
      ['Start letters', opening!.ts],
      ['Words needed', opening!.ts],
      ['The solution', opening!.ts],
      ['Saturday, November 21 · par 4', undefined],
    ]);
    // Two threads go on side by side, in either order.
    expect(titles().slice(5).toSorted()).toEqual([
      ['Start letters', nextDay!.ts],
      ['That was the board of Friday, November 20, 2026', opening!.ts],
    ]);
    // The message of the day that is over was changed in place.
    expect(read(opening!)).toContain('The day of this board is over.');
    expect(opening!.isEdited).toBe(true);
    const solution = posts()[3]!;
    const before = JSON.stringify(solution);
    const shown = await messageOf(slack.bob.press(solution, 'Show'));
    expect(shown).toMatchObject({ only: slack.bob.id, threadTs: opening!.ts });
    const theirs = await messageOf(slack.ann.press(solution, 'Show'));
    expect([theirs.only, read(theirs)]).toEqual([slack.ann.id, read(shown)]);
    expect(JSON.stringify(solution)).toBe(before);
    const all = await messageOf(slack.bob.press(solution, 'Show all'));
    expect(all.only).toBe(slack.bob.id);
    expect(read(all)).toContain('[picture: ');
    expect(read(all)).not.toContain('[Show');
    expect(JSON.stringify(solution)).toBe(before);
    const words = read(shown).match(/\b[A-Z]{5,}\b/g)!;
    for (const word of words) expect(before.toUpperCase()).not.toContain(word);
  });

  const OPENING = ['Friday, November 20 · par 4', undefined] as const;

  /** Ann is asked about an opening without an answer. */
  async function openedInDoubt() {
    await open();
    const { ann, channel, fake, test, workspace } = slack;
    await messageOf(ann.slash(channel, '/letterboxed daily on'));
    await expect.poll(() => channel.messages).toHaveLength(1);
    test.expectErrors('the platform refuses this message');
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
      ['Saturday, November 21 · par 4', undefined],
    ]);
    expect(titles()).toContainEqual(['That was the board of Friday, November 20, 2026', anchor.ts]);
    // Neither of them shows a second board.
    expect([opening!.isEdited, anchor.isEdited]).toEqual([false, false]);
    expect(read(anchor)).not.toContain('picture');
  });
});
