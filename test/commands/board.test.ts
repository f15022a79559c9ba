/** Boards that people make: `board` in a channel where a poster posts, and where none does. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { type Asker, settled } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { type Posted, PostFailure } from '../../src/dispatch/poster.ts';
import { ALL_HINT_POINTS } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { formOf, opened, say, unopened } from '../fakes/ask.ts';
import { deliverDue } from '../fakes/deliver-due.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';
import { standingsRows } from '../players/standings-rows.ts';

const PUBLIC_URL = 'https://example.org/games';

let world: TestApp;
let poster: TestPoster;
beforeEach(async () => {
  poster = makeTestPoster();
  world = await makeTestApp({
    words: WORDS,
    house,
    posterOf: (door) => (door === 'web' ? poster : undefined),
    settings: { PUBLIC_URL, SLACK_SIGNING_SECRET: 'x'.repeat(32), SLACK_BOT_TOKEN: 'xoxb-1' },
  });
});
afterEach(() => world.close());

const as = (id: string, who: object = {}, where: object = {}): Asker => {
  const asker = someone({ id, mayManage: false });
  return { ...asker, who: { ...asker.who, ...who }, where: { ...asker.where, ...where } };
};
const tell = (line: string, asker: Asker = as('ann')) => say(world.app, line, asker);
const deliver = () => deliverDue(world.app, poster);
const tenant = () => world.store.tenant(as('ann').where.tenant);
const MAKE = `board make ${SIDES} name:Tea`;
const SOLVE = 'play bfjmcg,gkdhlnbp sides:bcd-fgh-jkl-mnp';

describe('making a board', () => {
  test('checks it, names it and posts it once, with a thread and a link', async () => {
    const reply = await tell(MAKE);
    expect(reply.audience).toBe('asker');
    expect(unopened(reply)).toMatch(
      /You made Tea.*in the channel now.*Par: \d words.*Difficulty: hard, like the house/s,
    );
    expect(unopened(reply)).not.toContain('solve it in');
    expect(opened(reply)).toContain('All words do in 2.');
    expect(poster.openings).toHaveLength(1);
    const [opening] = poster.openings;
    expect(opening).toMatchObject({ threadName: 'Tea', ping: null, outcomeUnknown: false });
    expect(opened(opening!.reply)).toMatch(/Challenge: Tea.*Made by: @ann.*Open until/s);
    expect(JSON.stringify(opening!.reply)).toContain(`${PUBLIC_URL}/board/bcd-fgh-jkl-mnp`);
    expect(JSON.stringify(opening!.reply)).not.toMatch(/bfjmcg|everyday words solve/i);
  });

  test('takes all bare words as sides, with letters that repeat', async () => {
    await tell('board make bcdb fgh jkl mnp');
    expect(opened(poster.openings[0]!.reply)).toContain('Challenge: Board CGKN');
    expect(JSON.stringify(poster.openings[0]!.reply)).toContain('bcdb-fgh-jkl-mnp');
  });

  test('asks in a form for the sides, and for a name that may be left out', () => {
    const form = formOf(
      makeDispatcher(world.app, { commands: COMMANDS }).prepareLine('board make', as('ann')),
    );
    expect(form.fields.map(({ name, required }) => [name, required])).toEqual([
      ['sides', true],
      ['name', false],
    ]);
    expect(form.submit).toBe('Make');
    expect(form.action).toEqual({ command: 'board', options: { do: 'make' } });
  });

  test.each([
    ['board make bcd fgh jkl xyz', /No words that I know solve this board/],
    ['board make fuc kgh jlm npq', /spell a word/],
    [`board make ${SIDES} name:"<@1>"`, /can’t be a name/],
    ['board make sides:bcd', /can’t tell where a side ends/],
  ])('refuses %s', async (line, why) => {
    expect(opened(await tell(line))).toMatch(why);
    expect(poster.openings).toEqual([]);
    expect(await tenant().madeBoards.ofChannel('general', world.clock.now())).toEqual([]);
  });

  test('says that the channel has the board, in whatever order of sides and letters, or a board of the name', async () => {
    await tell(MAKE);
    expect(opened(await tell('board make mnp jlk fgh cdb', as('ben')))).toContain('already: Tea');
    expect(opened(await tell('board make bcd fgh mnp jklx name:tea'))).toContain('a board of that name: tea');
    expect(poster.openings).toHaveLength(1);
  });

  test.each(['dance', 'name:tea'])('says which actions there are for "board %s"', async (typed) => {
    expect(opened(await tell(`board ${typed}`))).toMatch(
      /What about "(dance|tea)"\? Type one of these before it: make, list, standings, close or remove\./,
    );
  });

  test.each([
    [{ mayPost: false }, 'you may not write in this channel'],
    [{ mayOpenThreads: false }, 'you may not open one in this channel'],
  ])('posts nothing for people with %j', async (rights, why) => {
    expect(opened(await tell(MAKE, as('ann', rights)))).toContain(why);
    expect(poster.openings).toEqual([]);
  });

  test('is limited for a person and for a channel, and says when the next one can be made', async () => {
    const { madeBoards } = tenant();
    const make = async (id: string) => {
      world.clock.time += 1;
      const reply = await tell(MAKE, as(id));
      await madeBoards.remove('general', 'bcd fgh jkl mnp');
      return opened(reply);
    };
    for (let time = 0; time < 3; time++) expect(await make('ann')).toContain('You made Tea');
    expect(await make('ann')).toMatch(
      /You made 3 boards today\. You can make the next one 2026-11-21 08:00 UTC/,
    );
    for (const id of ['b', 'c', 'd']) for (let time = 0; time < 2; time++) await make(id);
    expect(await make('e')).toContain('You made Tea');
    for (let time = 0; time < 3; time++)
      expect(await make('f')).toContain('This channel got 10 boards today.');
    // Those counted for nobody: there is room in another channel.
    expect(opened(await tell(MAKE, as('f', {}, { channel: 'other' })))).toContain('You made Tea');
    world.clock.time += DAY;
    expect(await make('ann')).toContain('You made Tea');
  });

  test('answers with the board itself where nothing can be posted', async () => {
    const reply = await tell(MAKE, as('ann', {}, { direct: true }));
    expect(opened(reply)).toMatch(/Challenge: Tea/);
    expect(poster.openings).toEqual([]);
    expect(opened(await tell('boards', as('ann', {}, { direct: true })))).toContain('Tea by @ann');
  });
});

describe('a post that fails', () => {
  const row = () => tenant().madeBoards.get('general', 'bcd fgh jkl mnp', world.clock.now());

  test('leaves a board that its maker can post later', async () => {
    poster.failures.post.push(new PostFailure('refused', 'no'));
    expect(opened(await tell(MAKE))).toContain('I couldn’t post it here');
    expect(opened(await tell(MAKE, as('ben')))).toContain('already: Tea');
    expect(opened(await tell(MAKE))).toContain('in the channel now');
    expect(new Set(poster.openings.map(({ key }) => key)).size).toBe(1);
    expect(poster.openings.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual([false, true]);
  });

  test('is not repeated while nobody knows how it ended, and then looks first', async () => {
    poster.failures.post.push(new PostFailure('unknown', 'no answer'));
    expect(opened(await tell(MAKE))).toContain('I don’t know yet');
    expect(opened(await tell(MAKE))).toContain('I don’t know yet');
    expect(poster.openings).toHaveLength(1);
    world.clock.time += 2 * 60_000;
    expect(opened(await tell(MAKE))).toContain('in the channel now');
    expect(poster.openings[1]).toMatchObject({ key: poster.openings[0]!.key, outcomeUnknown: true });
  });

  test('between the message and the thread is taken up by the next process, which posts the rest only', async () => {
    const { open } = poster;
    poster.open = async (post) => {
      await post.note({ message: 'm1' });
      throw new Error('the process was killed here');
    };
    await tell(MAKE);
    expect(await row()).toMatchObject({ posted: { message: 'm1' }, thread: 'm1' });
    const known: (Posted | undefined)[] = [];
    poster.open = async (post) => {
      known.push(post.posted);
      return open(post);
    };
    await deliver();
    expect(known).toEqual([]);
    world.clock.time += 2 * 60_000;
    await Promise.all([deliver(), deliver()]);
    expect(known).toEqual([{ message: 'm1' }]);
    expect(await row()).toMatchObject({ thread: 'own-1' });
    await deliver();
    expect(known).toHaveLength(1);
  });
});

describe('results of a board', () => {
  beforeEach(() => tell(MAKE));

  test('count for that board, and for no day, streak or leaderboard', async () => {
    expect(opened(await tell(SOLVE, as('ben')))).toContain('It counts for Tea.');
    expect(opened(await tell('play bfjmcg,gkdhln,nbp sides:mnp-jkl-fgh-bcd', as('cleo')))).toContain(
      'It counts for Tea: 2 of 2.'.replace('2 of', '2nd of'),
    );
    expect(opened(await tell('board standings tee', as('dan')))).toContain('Did you mean Tea?');
    const standings = opened(await tell('board standings tea', as('dan')));
    expect(standingsRows(standings)).toEqual(['1. @ben 2', '2. @cleo 3']);
    expect(standings).toMatch(/@ben +2 +14 +0$/m);
    expect(await tenant().results.ofPerson('ben')).toEqual([]);
    expect(opened(await tell('leaderboard', as('ben')))).toContain('No results yet');
    expect(opened(await tell('stats', as('ben')))).not.toMatch(/streak.*[1-9] day/i);
  });

  test('have the hints that were seen, on the board’s growing card', async () => {
    await tell('hint count sides:bcd-fgh-jkl-mnp', as('ben'));
    await tell(SOLVE, as('ben'));
    expect(opened(await tell('board standings tea', as('ben')))).toMatch(/@ben +2 +14 +[1-9]\d*$/m);
  });

  test('are kept at their best, and shown to no one of those who hide', async () => {
    await tell(SOLVE, as('ben'));
    expect(opened(await tell('play bfjmcg,gkdhln,nbp sides:bcd-fgh-jkl-mnp', as('ben')))).toContain(
      'Your best stays 2 words.',
    );
    await tell('privacy hide', as('ben'));
    expect(opened(await tell('board standings tea', as('cleo')))).not.toContain('ben');
    expect(opened(await tell('boards', as('cleo')))).toContain('no results yet');
    await tell('board close tea');
    expect(opened(poster.edits.at(-1)!.reply)).not.toContain('ben');
  });

  test('no longer count when it is closed, by its maker or after thirty days', async () => {
    world.clock.time += 30 * DAY;
    expect(opened(await tell(SOLVE, as('ben')))).toContain('Tea is closed, so it doesn’t count there.');
    expect(opened(await tell('board standings tea'))).toContain('No results yet');
  });

  test('stay as they were when a closed board is solved again', async () => {
    for (const person of ['ben', 'cleo']) await tell(SOLVE, as(person));
    await tell('board close tea');
    const again = opened(await tell(SOLVE, as('cleo')));
    expect(again).toContain('Tea is closed.\nYour best there stays 2 words: 2nd of 2.');
    expect(again).not.toContain('It counts for');
  });

  test('are shown in its message once its thirty days are over, after a failed edit too', async () => {
    await tell(SOLVE, as('ben'));
    world.clock.time += 30 * DAY - 1;
    await deliver();
    expect(poster.edits).toEqual([]);
    world.clock.time += 1;
    poster.failures.edit.push(new PostFailure('later', 'slow down'));
    await deliver();
    expect(poster.edits).toEqual([]);
    world.clock.time += MINUTE;
    await deliver();
    expect(poster.edits).toMatchObject([{ message: 'o1' }]);
    expect(opened(poster.edits[0]!.reply)).toMatch(/Closed: Tea.*1\. @ben 2 words/s);
    await deliver();
    expect(poster.edits).toHaveLength(1);
  });

  test('are shown though the message of another board can’t be changed', async () => {
    await tell('board make abc def ghi jkl name:Other');
    poster.edit = async (_, { message }, reply) => {
      if (message !== 'o1') throw new PostFailure('later', 'slow down');
      poster.edits.push({ message, reply });
    };
    world.clock.time += 30 * DAY;
    await deliver();
    expect(poster.edits).toMatchObject([{ message: 'o1' }]);
  });

  test('are exported and erased with the person', async () => {
    await tell(SOLVE, as('ben'));
    const file = (await tell('privacy export', as('ben'))).blocks.find(({ kind }) => kind === 'file');
    expect(JSON.parse((file as { content: string }).content).stored[0].madeBoardResults).toHaveLength(1);
    await tell('privacy delete sure', as('ben'));
    await tell('privacy delete sure', as('ann'));
    expect(opened(await tell('board standings tea', as('ben')))).toContain('No results yet');
    expect(opened(await tell('boards', as('ben')))).not.toContain('@');
  });
});

describe('the boards of a channel', () => {
  test('are listed from the newest on, a page at a time, each to be played', async () => {
    const { madeBoards } = tenant();
    await tell(MAKE);
    const first = (await madeBoards.ofChannel('general', world.clock.now()))[0]!;
    const { solvers: _, ...stored } = first;
    for (let number = 1; number <= 5; number++)
      await madeBoards.add({
        ...stored,
        board: `b${number}`,
        name: `Tea ${number}`,
        madeAt: stored.madeAt + number,
      });
    const reply = await tell('boards');
    expect(opened(reply)).toMatch(/Tea 5.*Tea 4.*Tea 3.*Tea 2.*Boards 1 to 4 of 6/s);
    expect(opened(reply)).not.toContain('Tea 1 ');
    const labels = reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
    expect(labels.map(({ label }) => label)).toEqual([
      ...['Play Tea 5', 'Play Tea 4', 'Play Tea 3', 'Play Tea 2'],
      ...['More', 'Make a board'],
    ]);
    expect(opened(await tell('board list page:2'))).toMatch(/Tea 1.*Tea by/s);
  });

  test('are closed and removed by their maker or a manager only, which their message shows', async () => {
    await tell(MAKE);
    await tell(SOLVE, as('ben'));
    for (const line of ['board close tea', 'board remove tea'])
      expect(opened(await tell(line, as('ben')))).toContain('Only the person who made a board');
    expect(poster.edits).toEqual([]);
    expect(opened(await tell('board close tea', as('boss', { lookUpAccess: async () => true })))).toContain(
      'Tea is closed',
    );
    expect(poster.edits[0]).toMatchObject({ message: 'o1' });
    expect(opened(poster.edits[0]!.reply)).toMatch(/Closed: Tea.*1\. @ben 2 words/s);
    expect(opened(await tell('board close tea'))).toContain('closed already');
    const question = await tell('board remove tea');
    expect(opened(question)).toMatch(/Remove Tea\?.*It deletes 1 result, too\. You can’t undo it\./s);
    expect(poster.edits).toHaveLength(1);
    const sure = question.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))[0];
    expect(sure?.action.options).toEqual({ do: 'remove', sides: 'bcd-fgh-jkl-mnp', sure: true });
    expect(opened(await tell('board remove tea sure:true'))).toContain('Tea is removed');
    expect(opened(poster.edits[1]!.reply)).toContain('Removed: Tea');
    expect(JSON.stringify(poster.edits[1]!.reply)).not.toContain('bcd');
    expect(opened(await tell('boards'))).toContain('Nobody has made a board here');
  });

  test('are what commands in their threads are about', async () => {
    await tell('board make bcd fgh mnp jkl name:Tea');
    const inThread = (id: string) => as(id, {}, { thread: 'own-1' });
    expect(opened(await tell('play bfjmcg,gkdhlnbp', inThread('ben')))).toContain('It counts for Tea.');
    expect((await tell('hint', inThread('ben'))).again?.options).toMatchObject({ sides: 'bcd-fgh-mnp-jkl' });
    expect(opened(await tell('board standings', inThread('ben')))).toContain('@ben');
    expect(opened(await tell('board standings'))).toContain('Which board?');
  });

  test.each([
    ['solve', 'Solutions: BCD FGH MNP JKL'],
    ['solve 3', 'Solutions: BCD FGH MNP JKL'],
    ['words starts:b', 'Playable words: BCD FGH MNP JKL'],
    ['next bfjmcg', 'After BFJMCG'],
    ['check bfjmcg', 'BFJMCG fits.'],
    ['hint', 'Hint 1 of '],
    ['reveal', 'Solution: BCD FGH MNP JKL'],
    ['play', 'Your game: BCD FGH MNP JKL'],
    ['play bfjmcg', 'BFJMCG fits.'],
  ])('are what "%s" in their threads is about, for the asker alone', async (line, title) => {
    await tell('board make bcd fgh mnp jkl name:Tea');
    const reply = await tell(line, as('ben', {}, { thread: 'own-1' }));
    expect(reply.audience).toBe('asker');
    expect(reply.title).toContain(title);
    expect(opened(reply)).not.toContain('Friday');
    expect(JSON.stringify(reply)).toContain('bcd-fgh-mnp-jkl');
    if (line.startsWith('solve') || line === 'reveal') expect(unopened(reply)).not.toMatch(/gkdhln/i);
    const ofDay = await tell(`${line} date:today`, as('cleo', {}, { thread: 'own-1' }));
    expect(JSON.stringify(ofDay)).not.toContain('bcd-fgh-mnp-jkl');
  });

  test('solved in its thread count as all hints, as its solution does', async () => {
    await tell(MAKE);
    const inThread = (id: string) => as(id, {}, { thread: 'own-1' });
    await tell('solve', inThread('ben'));
    await tell('reveal', inThread('cleo'));
    for (const person of ['ben', 'cleo']) await tell(SOLVE, as(person));
    const hints = [...opened(await tell('board standings tea')).matchAll(/@(?:ben|cleo) +2 +14 +(\d+)$/gm)];
    expect(hints.map(([, points]) => Number(points))).toEqual([ALL_HINT_POINTS, ALL_HINT_POINTS]);
  });

  test('are solved without sides in their threads only: elsewhere, a form asks for them', async () => {
    await tell(MAKE);
    const bare = async (where: object) => {
      const prepared = makeDispatcher(world.app, { commands: COMMANDS }).prepareLine(
        'solve 3',
        as('ben', {}, where),
      );
      return settled(prepared);
    };
    for (const where of [{}, { thread: 'day' }, { thread: 'own-1', channel: 'other' }])
      expect(formOf(await bare(where))).toMatchObject({
        fields: [{ name: 'sides' }],
        action: { options: { words: 3 } },
      });
    expect(await bare({ thread: 'own-1' })).toMatchObject({ kind: 'answer', private: true });
    expect(
      formOf(
        await settled(
          makeDispatcher(world.app, { commands: COMMANDS }).prepareLine(
            'board make',
            as('ben', {}, { thread: 'own-1' }),
          ),
        ),
      ).fields,
    ).toHaveLength(2);
    await tell('board remove tea sure:true');
    expect((await bare({ thread: 'own-1' })).kind).toBe('form');
  });

  test('are what share, leaderboard and record in their threads are about, and the day’s board if a day is named', async () => {
    await tell(MAKE);
    const inThread = as('ben', {}, { thread: 'own-1' });
    expect((await tell('share', inThread)).title).toBe('Nothing to share yet: Tea');
    expect(opened(await tell('record in 2 words', inThread))).toContain('For Tea, only words count.');
    expect(opened(await tell('record ||bfjmcg – gkdhlnbp||', inThread))).toContain('It counts for Tea.');
    const shared = await tell('share', inThread);
    expect(shared).toMatchObject({
      title: 'Letter Boxed, Tea · 2 words · no hints',
      audience: 'everyone',
    });
    expect(opened(shared)).toContain('@ben solved it.');
    expect(opened(shared)).toContain('🟦🟦🟦🟦🟦🟦 🟧🟧🟧🟧🟧🟧🟧🟧');
    expect(shared.blocks).toContainEqual(
      expect.objectContaining({ kind: 'picture', picture: expect.objectContaining({ letters: false }) }),
    );
    expect(opened(await tell('share notation', inThread))).toContain('B - G(6), G - P(8)');
    expect((await tell('leaderboard', inThread)).title).toBe('Standings: Tea');
    expect((await tell('leaderboard week', inThread)).title).toMatch(/^Leaderboard: week of/);
    expect((await tell('share today', inThread)).title).toMatch(/^Nothing to share yet: Friday/);
    expect(opened(await tell('record in 2 words date:today', inThread))).toContain('self-reported');
    expect((await tell('leaderboard')).title).toMatch(/^Leaderboard: week of/);
    expect(poster.posts).toEqual([]);
  });

  test('are shared with the words of their own server, never with those of another one', async () => {
    await tell(MAKE);
    const share = 'share notation sides:bcd-fgh-jkl-mnp';
    await tell(SOLVE, as('ben'));
    // As many words and letters as here.
    await tell('play bfjm,mcgkdhlnbp sides:bcd-fgh-jkl-mnp', as('ben', {}, { tenant: 'web:other' }));
    await tell('play bfjmcg,gkdhln,nbp sides:bcd-fgh-jkl-mnp', as('ben'));
    expect(opened(await tell(share, as('ben')))).toContain('Your words are no longer stored');
    await tell(SOLVE, as('ben'));
    expect(opened(await tell(share, as('ben', {}, { thread: 'own-1' })))).toContain('B - G(6), G - P(8)');
  });

  test('are shared in their threads from elsewhere in the channel, once', async () => {
    await tell(MAKE);
    const game = opened(await tell(SOLVE, as('ben')));
    expect(game).toContain('[Share]');
    const share = 'share sides:bcd-fgh-jkl-mnp';
    expect(opened(await tell(share, as('ben')))).toContain('Posted in the thread of Tea.');
    expect(opened(await tell(share, as('ben')))).toContain('You’ve shared this result already.');
    expect(poster.posts).toHaveLength(1);
    expect(poster.posts[0]!.thread).toMatchObject({ thread: 'own-1' });
    expect(poster.posts[0]!.reply.title).toBe('Letter Boxed, Tea · 2 words · no hints');
    expect(opened(await tell('share sides:bcd-fgh-jkl-mnx'))).toContain('This is neither.');
    expect(opened(await tell(`${share} date:today`))).toContain('Give sides or a date, not both.');
  });
});
