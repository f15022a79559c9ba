import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { DAY, HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import type { ChosenMessage } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { DAY_THREAD, sendStep } from '../fakes/day-thread.ts';
import { drawnWords, openTexts, tokens } from '../fakes/open-texts.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';
import { resultIn } from '../fakes/stored.ts';

/** Shared results, where `transcripts/share.txt` can't say it: what is in a post, and what is stored. */

const TWO = 'play bfjmcg,gkdhlnbp';
/** The same person in a private conversation and in a channel of Discord. */
const DIRECT = {
  ...someone({}, { tenant: 'discord:@5', channel: 'd', direct: true }),
  door: 'discord' as const,
};
const CHANNEL = { ...someone({}, { tenant: 'discord:1' }), door: 'discord' as const };

let world: TestApp;
let poster: TestPoster;
beforeEach(async () => {
  poster = makeTestPoster();
  world = await makeTestApp({ words: WORDS, house, posterOf: () => poster });
});
afterEach(() => world.close());

const openDay = (tenant: string) => sendStep(world.store, { tenant, step: 'opening' }, NOON - 1);
const finds = () =>
  world.store.tenant('discord:1').finds.ofBoard('general', `${TODAY} ${SIDES.replaceAll(' ', '-')}`);
const stored = () => resultIn(world.store, 'discord:1', '5', 'general', TODAY);

function expectNothingGivenAway(reply: Reply): void {
  const known = tokens([...openTexts(reply), opened(reply)]);
  expect(WORDS.filter(({ word }) => known.has(word))).toEqual([]);
  expect(drawnWords(reply).filter((word) => WORDS.some((one) => one.word === word))).toEqual([]);
}

const pictures = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'picture' ? [block.picture] : []));

test('what is shared gives nothing away, and shows the path on a later day only', async () => {
  for (const id of ['5', '6']) await say(world.app, TWO, someone({ id }));
  expectNothingGivenAway(await say(world.app, 'share'));
  await openDay('web:local');
  // Nothing is posted for a person who may not write there, who is told so.
  const silent = await say(world.app, 'share', someone({ id: '6', mayPostInThreads: false }));
  expect([silent.audience, poster.posts]).toEqual(['asker', []]);
  expect(opened(silent)).toContain('Only you see this');
  await say(world.app, 'share');
  const [post] = poster.posts;
  expect(post).toMatchObject({ channel: { tenant: 'web:local', channel: 'general' }, thread: DAY_THREAD });
  expect(post!.key).toMatch(/^[0-9a-f]{1,25}$/);
  expectNothingGivenAway(post!.reply);
  expect(pictures(post!.reply)).toEqual([]);
  world.clock.time += 30 * 24 * 3_600_000;
  const late = await say(world.app, 'share 2026-11-20', someone({ id: '6' }, { channel: 'other' }));
  expectNothingGivenAway(late);
  // Not even the board behind the picture is the day's.
  expect(pictures(late)).toMatchObject([{ letters: false, board: { letters: 'abcdefghijkl' } }]);
});

test('a result without words is shared once with squares, also when its day is over', async () => {
  await openDay('web:local');
  for (const [id, line] of [
    ['5', 'record in 2 words'],
    ['6', TWO],
  ] as const) {
    await say(world.app, line, someone({ id }));
    await say(world.app, 'share', someone({ id }));
  }
  expect(poster.posts).toHaveLength(2);
  world.clock.time += DAY;
  const again = async (id: string) => opened(await say(world.app, `share ${TODAY}`, someone({ id })));
  expect(await again('5')).toContain('You’ve shared this result already.');
  // The path is more than what was shown before.
  expect(await again('6')).toContain('Posted in that day’s thread.');
  expect(poster.posts.map(({ reply }) => pictures(reply).length)).toEqual([0, 0, 1]);
});

test('a result that was being posted when the process ended is looked for by the next share, not lost for 60 days', async () => {
  await openDay('web:local');
  await say(world.app, TWO);
  const share = async () => opened(await say(world.app, 'share'));
  const post = poster.post.bind(poster);
  poster.post = (parts) => {
    poster.posts.push(parts);
    return new Promise(() => undefined);
  };
  void say(world.app, 'share');
  await expect.poll(() => poster.posts).toHaveLength(1);
  poster.post = post;
  expect(await share()).toContain('Maybe shared');
  world.clock.time += 5 * MINUTE;
  expect(await share()).toContain('Posted in today’s thread.');
  expect(await share()).toContain('You’ve shared this result already.');
  expect(poster.posts).toMatchObject([
    { outcomeUnknown: false, since: NOON },
    { outcomeUnknown: true, since: NOON },
  ]);
});

test('a result with fewer letters is shared again', async () => {
  const words = [...WORDS, { ...WORDS[0]!, word: 'gkdhlnbpb' }];
  const { app, store, close } = await makeTestApp({ words, house, posterOf: () => poster });
  await sendStep(store, { step: 'opening' }, NOON - 1);
  for (const line of ['play bfjmcg,gkdhlnbpb', TWO]) {
    await say(app, line);
    expect(opened(await say(app, 'share'))).toContain('Posted in today’s thread.');
  }
  await close();
});

test('a result is looked for where the answer to its post was lost, and made anew where it was refused', async () => {
  await openDay('web:local');
  await say(world.app, TWO);
  for (const kind of ['refused', 'unknown', 'refused'] as const)
    poster.failures.post.push(new PostFailure(kind, ''));
  for (let time = 0; time < 4; time++) await say(world.app, 'share');
  expect(poster.posts.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual([false, false, true, true]);
});

test('a calm person is not asked to share what they solved in a private chat', async () => {
  for (const [calm, isAsked] of [
    ['off', true],
    ['on', false],
  ] as const) {
    await say(world.app, `calm ${calm}`, DIRECT);
    const answer = opened(await say(world.app, 'record in 2 words', DIRECT));
    expect(answer.includes('type share there')).toBe(isAsked);
  }
});

test('a board solved in a private chat counts in the channel with the time at which it was solved', async () => {
  await openDay('discord:1');
  expect(opened(await say(world.app, TWO, DIRECT))).toContain('type share there');
  world.clock.time += 3_600_000;
  await say(world.app, 'share', CHANNEL);
  expect(await stored()).toMatchObject({ words: 2, solvedAt: NOON, sinceOpening: 1 });
  expect(opened(poster.posts.at(-1)!.reply)).toContain('less than a minute after it was posted.');
  expect(opened(await say(world.app, 'play', DIRECT))).not.toContain('type share there');
  // Its words are found here, too: a closing would list them as found by nobody.
  expect(await finds()).toMatchObject([{ person: '5', solution: 'bfjmcg gkdhlnbp' }]);
});

test('a board solved in a private chat after the thread had told the solution is no find, and the sharer reads why', async () => {
  await openDay('discord:1');
  await sendStep(world.store, { tenant: 'discord:1', step: 'solution' }, NOON);
  world.clock.time += MINUTE;
  expect(opened(await say(world.app, TWO, DIRECT))).toContain('type share there');
  const answer = opened(await say(world.app, 'share', CHANNEL));
  expect(answer).toContain(
    'after the solution\nThe solution was posted here before you solved it.\nIt now counts',
  );
  expect(await finds()).toEqual([]);
  world.clock.time += DAY;
  // No share makes a result of yesterday count.
  await say(world.app, 'privacy delete sure', CHANNEL);
  await say(world.app, 'record message:"in 2 words" date:2026-11-21', DIRECT);
  expect(opened(await say(world.app, 'record message:"in 2 words" date:2026-11-21', DIRECT))).toContain(
    'share there',
  );
  world.clock.time += DAY;
  const later = opened(await say(world.app, 'record message:"in 3 words" date:2026-11-21', DIRECT));
  expect(later).toContain('Your result stays 2 words');
  expect(later).not.toContain('share there');
});

test('a result whose words are gone counts there all the same, and has no notation', async () => {
  await openDay('discord:1');
  await say(world.app, TWO, DIRECT);
  world.clock.time += 61 * DAY;
  await world.store.allTenants.deleteExpired(world.clock.time, '2026-11-20');
  expect((await say(world.app, `share notation ${TODAY}`, CHANNEL)).title).toBe(
    'Your words are no longer stored',
  );
  expect(await stored()).toMatchObject({ words: 2, solvedAt: NOON });
});

test('the title of a result is shown once the thread has told how many words it takes, or the day is over', async () => {
  await say(world.app, TWO);
  await openDay('web:local');
  const shared = async (line: string) => {
    await say(world.app, line, someone({}, { thread: '9' }));
    return opened(poster.posts.at(-1)!.reply);
  };
  expect(await shared('share line')).not.toContain('Legend');
  await sendStep(world.store, { channel: 'other', step: 'count' }, NOON - 1);
  expect(await shared('share notation')).not.toContain('Legend');
  await sendStep(world.store, { step: 'count' }, NOON - 1);
  expect(await shared('share')).toContain('. Legend.');
});

/** Results that people add from a message, chosen in the menu of the message; typed lines are in `transcripts/results.txt`. */

const SOLUTION = '||BFJMCG|| - ||GKDHLNBP||';

/** Chooses "Add to my results" on a message. */
async function choose(text: string, change: Partial<ChosenMessage> = {}): Promise<Reply> {
  const asker = someone();
  const message = { id: 'm1', author: asker.who.id, text, at: NOON - HOUR, ...change };
  const prepared = makeDispatcher(world.app, { commands: COMMANDS }).prepare({
    ...asker,
    message,
    command: 'record',
    options: {},
  });
  if (prepared.kind !== 'answer') throw new Error(`prepared as ${prepared.kind}`);
  expect(prepared.private).toBe(true);
  const reply = await prepared.run();
  expect(reply.audience).toBe('asker');
  return reply;
}

function added(date: PuzzleDate = TODAY) {
  const { who, where } = someone();
  return resultIn(world.store, where.tenant, who.id, where.channel, date);
}

test('words count as played, at the time when the message was written', async () => {
  expect((await choose(SOLUTION)).title).toContain('Solved in 2 words');
  const result = await added();
  expect(result).toMatchObject({ words: 2, letters: 14, solvedAt: NOON - HOUR, message: 'm1' });
  expect(result?.reported).toBeUndefined();
  expect(result?.solution).toMatch(/^[\w-]{12}$/);
});

test('words that don’t solve the board are not recorded, and the answer says why', async () => {
  expect(opened(await choose('||bfjmcg|| ||gkdhln||'))).toContain('1 letter left: P');
  expect(await added()).toBeUndefined();
});

test('a corrected message replaces what it said before, and the better of two messages is kept', async () => {
  await choose('2 words');
  expect(opened(await choose('3 words'))).toContain('It replaces 2 words');
  expect(await added()).toMatchObject({ words: 3 });
  expect(opened(await choose('4 words', { id: 'm2' }))).toContain('Your result stays 3 words');
  expect(await added()).toMatchObject({ words: 3, message: 'm1' });
});

test.each([
  ['yesterday’s message counts for yesterday', '2 words', NOON - 24 * HOUR, '2026-11-19', NOON - 24 * HOUR],
  ['a message dated ahead of our clock counts as written now', '2 words', NOON + HOUR, TODAY, NOON],
] as const)('%s', async (_, text, at, date, solvedAt) => {
  await choose(text, { at });
  expect(await added(date)).toMatchObject({ words: 2, solvedAt, sinceOpening: expect.any(Number) });
  if (date !== TODAY) expect(await added()).toBeUndefined();
});

test('a corrected message replaces what it said before in channels where that was shared, until their day is closed', async () => {
  const random = someone({}, { channel: 'random' });
  await choose('2 words');
  await say(world.app, 'share', random);
  expect(opened(await choose('3 words'))).toContain('It replaces 2 words');
  expect(await added()).toMatchObject({ words: 3 });
  expect(opened(await say(world.app, 'share', random))).toContain('3 words · no hints');
  for (const step of ['opening', 'closing']) await sendStep(world.store, { channel: 'random', step }, NOON);
  await choose('4 words');
  expect(await resultIn(world.store, 'web:local', '5', 'random', TODAY)).toMatchObject({ words: 3 });
});

test('a corrected message still counts as one after the solution in a channel that had told it before', async () => {
  for (const step of ['opening', 'solution'])
    await sendStep(world.store, { channel: 'random', step }, NOON - 2 * HOUR);
  await choose('2 words');
  await say(world.app, 'share', someone({}, { channel: 'random' }));
  await choose('3 words');
  const there = await resultIn(world.store, 'web:local', '5', 'random', TODAY);
  expect(there).toMatchObject({ words: 3, afterSolution: true });
  expect((await added())?.afterSolution).toBeUndefined();
});

test('the date of a shared line counts, and a day that is over as late', async () => {
  await choose('Letter Boxed, November 18 · 2 words · no hints');
  expect(await added('2026-11-18')).toMatchObject({ words: 2, sinceOpening: null });
});
