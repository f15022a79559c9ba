/** Two people are compared once both agreed, and nobody learns why somebody is not. */

import { afterAll, beforeEach, expect, test } from 'vitest';
import { HOUR } from '../../src/core/clock.ts';
import type { Asker } from '../../src/dispatch/contract.ts';
import { PostFailure, type PrivatePost } from '../../src/dispatch/poster.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { makeTestPoster, sending } from '../fakes/poster.ts';

import { house, WORDS } from '../fakes/small-board.ts';
import { actionOf } from '../reply/look.ts';

const TWO = 'play bfjmcg,gkdhlnbp';
const THREE = 'play bfjmcg,gkdhln,nbp';

const asked: PrivatePost[] = [];
let failure: PostFailure | undefined;
let arriving: () => Promise<void>;
let world: TestApp;
let run = 0;

beforeEach(async () => {
  await world?.close();
  asked.length = 0;
  failure = undefined;
  arriving = async () => {};
  run++;
  const poster = {
    ...makeTestPoster(),
    postPrivately: (post: PrivatePost) =>
      sending(post, async () => {
        asked.push(post);
        if (failure !== undefined) throw failure;
        await arriving();
        return { message: `to ${post.person}` };
      }),
  };
  world = await makeTestApp({
    words: WORDS,
    house,
    posterOf: (door) => (door === 'web' ? poster : undefined),
  });
});
afterAll(() => world.close());

const who = (id: string, where: Partial<Asker['where']> = {}) =>
  someone({ id: `${id}${run}`, mayManage: id === 'bob' }, where);
const tell = async (id: string, line: string, where?: Partial<Asker['where']>) =>
  say(
    world.app,
    line.replace(/@(\w+)/, (mention) => `${mention}${run}`),
    who(id, where),
  );
const compare = async (id: string, other: string) => opened(await tell(id, `stats with:@${other}`));

async function solve(back: number, lines: Readonly<Record<string, string>>): Promise<void> {
  world.clock.time = spanOf(addDays(TODAY, -back)).from + 5 * HOUR;
  for (const [id, line] of Object.entries(lines)) await tell(id, line);
  world.clock.time = NOON;
}

/** Ann better on one day, Bob on two, equal on one; today, and what only one of them solved, do not count. */
async function played(): Promise<void> {
  await solve(1, { ann: TWO, bob: THREE });
  await solve(2, { ann: THREE, bob: TWO });
  await solve(3, { ann: THREE, bob: TWO });
  await solve(4, { ann: TWO, bob: TWO });
  await solve(5, { ann: TWO });
  await solve(6, { ann: TWO, bob: 'record 2 words' });
  await solve(7, { ann: TWO, bob: 'reveal open' });
  await solve(7, { bob: THREE });
  await solve(0, { ann: TWO, bob: THREE });
}

const answerBy = (id: string, label: string): Promise<Reply> =>
  press(
    world.app,
    actionOf(asked.at(-1)!.reply, label),
    who(id, { direct: true, tenant: `web:@${id}${run}` }),
  );

let probes = 0;

/** Who has been asked by now. Questions follow the answers in their order, so that one more is the last. */
async function whoWasAsked(): Promise<string[]> {
  const probe = `probe${++probes}x`;
  await solve(0, { [probe]: TWO });
  await compare(`${probe}y`, probe);
  await expect.poll(() => asked.at(-1)?.person).toBe(`${probe}${run}`);
  asked.pop();
  return asked.map(({ person }) => person.slice(0, -String(run).length));
}

async function agreed(): Promise<void> {
  await played();
  await tell('ann', 'stats with:@bob');
  await whoWasAsked();
  await answerBy('bob', 'Agree');
}

const NONE = /^No comparison\n/;

test('asks the other one once, in private, and compares days that are over once they agree', async () => {
  await played();
  expect(await compare('ann', 'bob')).toMatch(NONE);
  expect(await whoWasAsked()).toEqual(['bob']);
  expect(asked[0]!.reply.audience).toBe('asker');
  expect(opened(asked[0]!.reply)).toContain(`@ann${run} would like to see`);
  expect(await compare('ann', 'bob')).toMatch(NONE);
  expect(await whoWasAsked()).toHaveLength(1);

  const shown = opened(await answerBy('bob', 'Agree'));
  expect(shown).toContain('4 days on which both of you solved the board');
  expect(shown).toContain('You were better on 2, they were on 1, and you were equal on 1.');
  // BFJMCG on four days, and GKDHLNBP on the one on which they were equal.
  expect(shown).toContain('You both found 5 words.');
  const own = await tell('ann', 'stats with:@bob');
  expect(opened(own)).toContain('You were better on 1, they were on 2, and you were equal on 1.');
  expect(own.audience).toBe('asker');
  expect(JSON.stringify(own)).not.toMatch(/bfjmcg|gkdhln/i);
});

test('who said no is not asked again, and the asker is told nothing else than before', async () => {
  await played();
  const before = await compare('ann', 'bob');
  await whoWasAsked();
  expect(opened(await answerBy('bob', 'No'))).toContain('Not compared');
  expect(await compare('ann', 'bob')).toBe(before);
  await tell('ann', 'privacy delete sure');
  await solve(0, { ann: TWO });
  expect(await compare('ann', 'bob')).toBe(before);
  expect(await whoWasAsked()).toHaveLength(1);
});

test.each([
  ['hides', 'privacy hide'],
  ['is calm', 'calm on'],
])('somebody who %s is neither asked nor compared, and hears so when they ask', async (_, choice) => {
  await played();
  await tell('bob', choice);
  const none = await compare('ann', 'bob');
  expect(none).toMatch(NONE);
  expect(await whoWasAsked()).toEqual([]);
  expect(await compare('bob', 'ann')).toMatch(/nobody is compared with you/);

  await tell('bob', choice === 'calm on' ? 'calm off' : 'privacy unhide');
  await compare('bob', 'ann');
  expect(await compare('ann', 'bob')).toContain('4 days');
  await tell('bob', choice);
  expect(await compare('ann', 'bob')).toBe(none);
});

test('what somebody agreed to ends with a press, and with what is stored about either of them', async () => {
  await agreed();
  const shown = await tell('bob', 'stats with:@ann');
  await press(world.app, actionOf(shown, 'Stop comparing'), who('bob'));
  const none = await compare('ann', 'bob');
  expect(none).toMatch(NONE);
  expect(await compare('bob', 'ann')).toContain('4 days');
  expect(JSON.stringify(await tell('bob', 'privacy export'))).toContain('comparisons');
  expect(opened(await tell('bob', 'privacy'))).toContain('Comparisons: 1');
  expect(JSON.stringify(await tell('ann', 'privacy export'))).not.toContain(`bob${run}`);

  await tell('bob', 'privacy delete sure');
  expect(await compare('ann', 'bob')).toBe(none);
  await solve(0, { bob: TWO });
  expect(await compare('ann', 'bob')).toBe(none);
});

test('oneself, bots, strangers and people of another server are not compared, and nobody is asked', async () => {
  await played();
  await tell('stranger', TWO, { tenant: 'web:elsewhere' });
  expect(await compare('ann', 'ann')).toContain('That’s you');
  const nobody = (await compare('ann', 'robot')).replaceAll('robot', 'X');
  expect(nobody).toMatch(NONE);
  expect((await compare('ann', 'stranger')).replaceAll('stranger', 'X')).toBe(nobody);
  // A press that nobody was asked for.
  const forged = { command: 'stats', options: { with: `bob${run}`, agree: true } };
  expect(opened(await press(world.app, forged, who('stranger', { tenant: 'web:elsewhere' })))).toMatch(NONE);
  expect(
    opened(await press(world.app, { ...forged, options: { with: `ann${run}`, agree: true } }, who('bob'))),
  ).toMatch(NONE);
  expect(await whoWasAsked()).toEqual([]);
  expect(await compare('ann', 'bob" or 1=1')).toContain('Choose one person');
});

test('an answer waits for no question, and is the same where the question fails', async () => {
  await played();
  const arrival = Promise.withResolvers<void>();
  arriving = () => arrival.promise;
  expect(await compare('ann', 'bob')).toMatch(NONE);
  await expect.poll(() => asked).toHaveLength(1);
  arrival.reject(new TypeError('no such platform'));
  world.expectErrors('a question about a comparison could not be sent');
  expect(await whoWasAsked()).toEqual(['bob']);
});

test('a person asks a few people a day; a question that does not arrive is not sent again', async () => {
  await played();
  failure = new PostFailure('refused', 'they take no messages');
  expect(await compare('ann', 'bob')).toMatch(NONE);
  expect(await whoWasAsked()).toHaveLength(1);
  failure = undefined;
  expect(await compare('ann', 'bob')).toMatch(NONE);
  for (let number = 1; number <= 5; number++) await solve(0, { [`p${number}x`]: TWO });
  for (let number = 1; number <= 3; number++) expect(await compare('ann', `p${number}x`)).toMatch(NONE);
  await tell('p4x', 'privacy hide');
  expect(await compare('ann', 'p4x')).toMatch(NONE);
  expect(await whoWasAsked()).toHaveLength(4);
  // From then on, the answers tell nobody who can be asked from people who can't.
  for (const other of ['p5x', 'nobody'])
    expect(await compare('ann', other)).toContain('You’ve asked 5 people');
  for (const other of ['p1x', 'p4x', 'bob']) expect(await compare('ann', other)).toMatch(NONE);
  expect(await whoWasAsked()).toHaveLength(4);
});
