import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { parseMoves } from '../../src/play/moves.ts';
import { SoloGames } from '../../src/players/solo/solo-games.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say, unopened } from '../fakes/ask.ts';
import { DAY_THREAD, sendStep } from '../fakes/day-thread.ts';
import { drawnWords, openTexts, tokens } from '../fakes/open-texts.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { house, WORDS } from '../fakes/small-board.ts';

const TWO = 'play bfjmcg,gkdhlnbp';
const LINE = 'Letter Boxed, November 20 · 2 words · no hints';

let world: TestApp;
let poster: TestPoster;
beforeEach(async () => {
  poster = makeTestPoster();
  world = await makeTestApp({
    words: WORDS,
    house,
    posterOf: (door) => (door === 'slack' ? undefined : poster),
  });
});
afterEach(() => world.close());

const openDay = () =>
  sendStep(world.store, { tenant: 'web:local', channel: 'general', date: TODAY, step: 'opening' }, NOON - 1);

function expectNothingGivenAway(reply: Reply): void {
  const known = tokens([...openTexts(reply), opened(reply)]);
  expect(WORDS.filter(({ word }) => known.has(word))).toEqual([]);
  expect(drawnWords(reply).filter((word) => WORDS.some((one) => one.word === word))).toEqual([]);
  const [picture] = reply.blocks.flatMap((block) => (block.kind === 'picture' ? [block.picture] : []));
  expect(picture).toMatchObject({ letters: false });
  // Not even the board behind the picture is the day's.
  expect(picture!.board.letters).toBe('abcdefghijkl');
}

describe('share', () => {
  test('posts line and picture in the day’s thread, once', async () => {
    await openDay();
    await say(world.app, TWO);
    const reply = await say(world.app, 'share');
    expect(reply).toMatchObject({ title: 'Shared', audience: 'asker' });
    const again = await say(world.app, 'share');
    expect(opened(again)).toContain('You’ve shared this result already');
    expect(poster.posts).toHaveLength(1);
    const [post] = poster.posts;
    expect(post).toMatchObject({ channel: { tenant: 'web:local', channel: 'general' }, thread: DAY_THREAD });
    expect(post!.key).toMatch(/^[0-9a-f]{1,25}$/);
    expect(post!.reply).toMatchObject({ title: LINE, audience: 'everyone' });
    expect(opened(post!.reply)).toContain('@5 solved it less than a minute after it was posted.');
    expect(opened(post!.reply)).toContain('🟦🟦🟦🟦🟦🟦 🟧🟧🟧🟧🟧🟧🟧🟧');
    expectNothingGivenAway(post!.reply);
  });

  test('shares a better result again', async () => {
    await openDay();
    await say(world.app, 'play bfjmcg,gkdhln,nbp');
    await say(world.app, 'share');
    await say(world.app, TWO);
    await say(world.app, 'share');
    expect(poster.posts.map(({ reply }) => reply.title)).toEqual([LINE.replace('2 words', '3 words'), LINE]);
  });

  test('answers with the result itself in the day’s thread', async () => {
    await openDay();
    await say(world.app, TWO);
    const reply = await say(world.app, 'share', someone({}, { thread: DAY_THREAD.thread! }));
    expect(reply).toMatchObject({ title: LINE, audience: 'everyone' });
    expect(poster.posts).toEqual([]);
  });

  test.each(['no thread', 'a closed thread', 'a door without hands'])(
    '%s: answers for everyone',
    async (where) => {
      if (where !== 'no thread') await openDay();
      if (where === 'a closed thread')
        await sendStep(
          world.store,
          { tenant: 'web:local', channel: 'general', date: TODAY, step: 'closing' },
          NOON,
        );
      const asker = {
        ...someone(),
        door: where === 'a door without hands' ? ('slack' as const) : ('web' as const),
      };
      await say(world.app, TWO, asker);
      const reply = await say(world.app, 'share', asker);
      expect(reply).toMatchObject({ title: LINE, audience: 'everyone' });
      expectNothingGivenAway(reply);
      expect(poster.posts).toEqual([]);
    },
  );

  test('answers for everyone when the thread refuses, and says when the outcome is unknown', async () => {
    await openDay();
    await say(world.app, TWO);
    poster.failures.post.push(new PostFailure('refused', 'locked'));
    expect(await say(world.app, 'share')).toMatchObject({ title: LINE, audience: 'everyone' });
    await say(world.app, TWO, someone({ id: '6' }));
    poster.failures.post.push(new PostFailure('unknown', 'timed out'));
    expect(await say(world.app, 'share', someone({ id: '6' }))).toMatchObject({
      title: 'Maybe shared',
      audience: 'asker',
    });
  });

  test('shares only the person’s own result, from any tenant of the door', async () => {
    await say(world.app, TWO);
    const other = await say(world.app, 'share', someone({ id: '6' }));
    expect(other).toMatchObject({ title: expect.stringMatching(/^Nothing to share yet/), audience: 'asker' });
    const away = await say(world.app, 'share', someone({}, { tenant: 'web:away', channel: 'c' }));
    expect(away).toMatchObject({ title: LINE, audience: 'everyone' });
    const door = await say(world.app, 'share', { ...someone(), door: 'discord' });
    expect(door.audience).toBe('everyone');
    const stranger = await say(world.app, 'share', {
      ...someone({}, { tenant: 'discord:1' }),
      door: 'discord',
    });
    expect(stranger.title).toMatch(/^Nothing to share yet/);
  });

  test('shares a result on a later day', async () => {
    await say(world.app, TWO);
    world.clock.time += 30 * 24 * 3_600_000;
    const reply = await say(world.app, 'share 2026-11-20');
    expect(reply.title).toBe(LINE);
    expectNothingGivenAway(reply);
  });

  test.each([
    ['share line', ['@5 solved it', '2 words of 6 and 8 letters, with no hints.'], ['🟦', '[Letter Boxed']],
    ['share squares', ['with no hints.', '🟦🟦🟦🟦🟦🟦 🟧🟧🟧🟧🟧🟧🟧🟧'], ['[Letter Boxed']],
    ['share as:notation', ['with no hints.', 'B - G(6), G - P(8)', 'give something away'], ['🟦']],
  ])('%s shows a sentence and what was chosen', async (line, shown, left) => {
    await say(world.app, TWO);
    const text = opened(await say(world.app, line));
    for (const part of shown) expect(text).toContain(part);
    for (const part of left) expect(text).not.toContain(part);
  });

  test('hides the notation from everybody who does not open it', async () => {
    await openDay();
    await say(world.app, TWO);
    await say(world.app, 'share notation');
    await say(world.app, 'share squares');
    // Each format is posted once.
    expect(opened(await say(world.app, 'share notation'))).toContain('You’ve shared this result already');
    expect(poster.posts).toHaveLength(2);
    const { reply } = poster.posts[0]!;
    expect(unopened(reply)).not.toContain('G - P(8)');
    expect(
      JSON.stringify({ ...reply, blocks: reply.blocks.filter(({ kind }) => kind !== 'spoiler') }),
    ).not.toContain('G - P');
  });

  test('says so when the words of a result are gone', async () => {
    await say(world.app, TWO);
    world.clock.time += 61 * 24 * 3_600_000;
    const reply = await say(world.app, `share notation date:${TODAY}`);
    expect(reply).toMatchObject({ title: 'Your words are no longer stored', audience: 'asker' });
  });

  test('does not take an empty game for the words of a result in numbers only', async () => {
    await say(world.app, 'record in 2 words');
    const games = new SoloGames(world.app);
    for (const moves of ['b', '<'])
      await games.play(someone(), { options: { date: TODAY }, moves: parseMoves(moves)! });
    expect((await say(world.app, 'share notation')).title).toBe('Your words are no longer stored');
  });
});

/** The same person in a private conversation and in a channel of Discord. */
const DIRECT = {
  ...someone({}, { tenant: 'discord:@5', channel: 'd', direct: true }),
  door: 'discord' as const,
};
const CHANNEL = { ...someone({}, { tenant: 'discord:1', channel: 'general' }), door: 'discord' as const };
const namesOn = async (asker: Parameters<typeof say>[2]) =>
  opened(await say(world.app, 'leaderboard', asker)).match(/^ *\d+ {2}@\S+/gm) ?? [];
const openGame = async (asker: Parameters<typeof say>[2]) => opened(await say(world.app, 'play', asker));

describe('share in a channel, of a board solved in a private conversation', () => {
  const openChannelsDay = () =>
    sendStep(
      world.store,
      { tenant: 'discord:1', channel: 'general', date: TODAY, step: 'opening' },
      NOON - 1,
    );

  test('makes the result count on the leaderboard, with the time at which it was solved', async () => {
    await openChannelsDay();
    expect(opened(await say(world.app, TWO, DIRECT))).toContain('To count in a channel, type share there.');
    expect(await openGame(DIRECT)).toContain('To count in a channel, type share there.');
    world.clock.time += 3_600_000;
    expect(await namesOn(CHANNEL)).toEqual([]);
    const note = await say(world.app, 'share', CHANNEL);
    expect(note).toMatchObject({ title: 'Shared', audience: 'asker' });
    expect(opened(note)).toContain('It now counts on this channel’s leaderboard.');
    expect(await namesOn(CHANNEL)).toEqual(['1  @5']);
    expect(poster.posts[0]!.reply.title).toBe(LINE);
    const stored = await world.store.tenant('discord:1').results.get('5', 'general', TODAY);
    expect(stored).toMatchObject({ words: 2, solvedAt: NOON, sinceOpening: 1 });
    // From then on there is nothing left to say.
    expect(opened(await say(world.app, 'share', CHANNEL))).not.toContain('leaderboard');
    expect(await openGame(DIRECT)).not.toContain('To count');
  });

  test('takes a better result than the channel’s, and leaves a worse one', async () => {
    await say(world.app, 'play bfjmcg,gkdhln,nbp', CHANNEL);
    await say(world.app, TWO, DIRECT);
    expect((await say(world.app, 'share', CHANNEL)).title).toBe(LINE);
    expect(await world.store.tenant('discord:1').results.get('5', 'general', TODAY)).toMatchObject({
      words: 2,
    });
    await say(world.app, TWO, someoneElse(CHANNEL));
    await say(world.app, 'play bfjmcg,gkdhln,nbp', someoneElse(DIRECT));
    expect((await say(world.app, 'share', someoneElse(CHANNEL))).title).toBe(LINE);
  });

  test('does not count a result of another board, or one whose words are gone, and says so', async () => {
    await openChannelsDay();
    await say(world.app, TWO, DIRECT);
    const { soloGames } = world.store.tenant('discord:@5');
    const [board] = await soloGames.boards('5', NOON);
    const other = { board: board!, state: {}, version: 1, now: NOON, expiresAt: NOON + 1 };
    expect(await soloGames.save('5', other)).toBeDefined();
    const note = opened(await say(world.app, 'share', CHANNEL));
    expect(note).toContain('It isn’t on this channel’s leaderboard. To count here, enter your words: ');
    expect(await namesOn(CHANNEL)).toEqual([]);
    expect(poster.posts).toHaveLength(1);
  });

  test('keeps a self-reported result self-reported, and a hidden person hidden', async () => {
    const told = opened(await say(world.app, 'record solved it in 2 words', DIRECT));
    expect(told).toContain('To count in a channel, type share there.');
    await say(world.app, 'privacy hide', DIRECT);
    expect(await openGame(DIRECT)).not.toContain('To count');
    const shared = await say(world.app, 'share', CHANNEL);
    expect(shared.title).toContain('self-reported');
    expect(await namesOn(CHANNEL)).toEqual([]);
    await say(world.app, 'privacy unhide', DIRECT);
    expect(await namesOn(CHANNEL)).toEqual(['1  @5']);
  });

  test('says nothing of channels where there are none, or after the day', async () => {
    expect(opened(await say(world.app, TWO))).not.toContain('To count');
    const terminal = { ...someone({}, { tenant: 'slack:1', direct: true }), door: 'slack' as const };
    expect(opened(await say(world.app, TWO, terminal))).not.toContain('To count');
    expect(opened(await say(world.app, `${TWO} date:yesterday`, DIRECT))).not.toContain('To count');
  });
});

describe('a board solved in another conversation of the same workspace', () => {
  const direct = someone({}, { channel: 'D5', direct: true });

  test('is no board without a result: its game says what makes it count here', async () => {
    await say(world.app, TWO, direct);
    const game = await openGame(someone());
    expect(game).toContain('To count in this channel, share it.');
    expect(game).toContain('[Share]');
    expect(game).not.toContain('Only daily boards count');
    await say(world.app, 'share');
    expect(await openGame(someone())).not.toContain('To count');
  });

  test('leaves out the advice on the leaderboard for those who are on it', async () => {
    const advice = 'Solved today’s board in a private chat? To count here: /letterboxed share';
    await say(world.app, TWO, direct);
    expect(opened(await say(world.app, 'leaderboard'))).toContain(advice);
    // It is the same for everybody who is not listed, so that it tells others nothing.
    expect(opened(await say(world.app, 'leaderboard', someone({ id: '6' })))).toContain(advice);
    expect(opened(await say(world.app, 'leaderboard last week'))).not.toContain(advice);
    expect(opened(await say(world.app, 'leaderboard', direct))).not.toContain(advice);
    await say(world.app, 'share');
    expect(opened(await say(world.app, 'leaderboard'))).not.toContain(advice);
  });
});

function someoneElse<Asker extends typeof CHANNEL>(asker: Asker): Asker {
  return {
    ...asker,
    who: { ...asker.who, id: '6' },
    where: { ...asker.where, tenant: asker.where.tenant.replace('@5', '@6') },
  };
}
