import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { TIMEOUT } from '../../src/players/relay/game.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { HINT_STEPS } from '../../src/reply/replies/hint-steps.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { NOON, someone, TODAY } from '../fakes/app.ts';
import { formOf, opened, press, say } from '../fakes/ask.ts';
import { DAY_THREAD, sendStep } from '../fakes/day-thread.ts';
import { drawnWords, openTexts, tokens } from '../fakes/open-texts.ts';
import { WORDS } from '../fakes/small-board.ts';
import { openTable, type RelayTable } from './relay-table.ts';

let table: RelayTable;
let world: RelayTable['world'];
let poster: RelayTable['poster'];
beforeEach(async () => {
  table = await openTable();
  ({ world, poster } = table);
});
afterEach(() => world.close());

const tell: RelayTable['tell'] = (...asked) => table.tell(...asked);
const kept = () => table.kept();
const shown = () => table.shown();
const message = () => poster.messages.at(-1)!;
const buttons = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));

describe('a relay in the thread of the day', () => {
  test('is one message, which each word changes in place', async () => {
    const started = await tell('relay start');
    expect(started).toMatchObject({ audience: 'asker', title: 'Relay started in the thread' });
    expect(poster.posts[0]).toMatchObject({
      thread: DAY_THREAD,
      channel: { tenant: 'web:local', channel: 'general' },
    });
    expect(shown()).toMatchObject({ title: 'Relay: Friday, November 20, 2026', audience: 'everyone' });
    expect(opened(shown())).toContain('Letters left: B C D F G H J K L M N P');

    const added = await tell('relay BFJMCG', 'ann');
    expect(added).toMatchObject({ title: 'Word added', audience: 'asker' });
    expect(opened(added)).toContain('Next word starts with: G');
    expect(opened(shown())).toContain('1. BFJMCG @ann');
    expect(opened(shown())).toContain('Letters left: D H K L N P');
    expect(drawnWords(shown())).toEqual(['bfjmcg']);

    const solved = await tell('relay gkdhlnbp', 'bob');
    expect(solved.title).toBe('Solved together!');
    expect(shown().title).toBe('Relay solved in 2 words: Friday, November 20, 2026');
    expect(opened(shown())).toContain('with no hints. Well done, @ann, @bob.');
    expect(poster.messages).toHaveLength(1);
    expect(message().shown).toHaveLength(3);
    expect((await tell('relay nbp', 'bob')).title).toBe('No relay here right now');
  });

  test('explains a wrong word to the person who typed it, and changes nothing', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    for (const [word, why] of [
      ['nbp', 'has to start with G'],
      ['gjb', 'not in the word list'],
      ['qqq', 'not on this board'],
    ]) {
      const reply = await tell(`relay ${word}`, 'bob');
      expect(reply).toMatchObject({ title: 'That word doesn’t work', audience: 'asker' });
      expect(opened(reply)).toContain(why);
      expect(opened(reply)).not.toContain('faster');
    }
    expect((await tell('relay bfjmcg', 'bob')).title).toBe('That word was played already');
    expect(opened(await tell('relay "gkdhln nbp"', 'bob'))).toContain('one word at a time');
    expect((await kept())?.relay.legs).toHaveLength(1);
    expect(message().shown).toHaveLength(2);
  });

  test('runs once in a thread; the next one starts after it has ended', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    const second = await tell('relay start', 'bob');
    expect(opened(second)).toContain('A relay is already on:');
    expect(second.audience).toBe('asker');
    await tell('relay stop', 'ann');
    expect(shown().title).toBe('Relay ended: Friday, November 20, 2026');
    await tell('relay start', 'bob');
    expect(poster.messages).toHaveLength(2);
    expect((await kept())?.relay).toMatchObject({ startedBy: 'bob', legs: [] });
  });

  test('is found from its channel and its thread, and not from another channel', async () => {
    await tell('relay start', 'ann');
    await tell('relay bfjmcg', 'bob', { thread: DAY_THREAD.thread });
    expect((await kept())?.relay.legs).toHaveLength(1);
    expect((await tell('relay gkdhln', 'bob', { thread: 'thread-2' })).title).toBe('No relay here right now');
    await tell('relay start', 'bob', { thread: 'thread-2' });
    expect(poster.posts.at(-1)!.thread).toEqual({ thread: 'thread-2' });
    expect((await kept())?.relay.startedBy).toBe('ann');
  });

  test('lets only some people take words back: who added them, who started it, and managers', async () => {
    await tell('relay start', 'ann');
    await tell('relay bfjmcg', 'bob');
    expect((await tell('relay undo', 'cleo')).title).toBe('You can’t take this word back');
    expect((await tell('relay undo', 'bob')).title).toBe('Last word taken back');
    expect(opened(shown())).not.toContain('BFJMCG');
    expect((await tell('relay undo', 'bob')).title).toBe('Nothing to take back');
    expect((await tell('relay stop', 'cleo')).title).toBe('You can’t end this game');
  });

  test('with turns, refuses two words in a row by one person', async () => {
    await tell('relay start turns');
    expect(opened(shown())).toContain('nobody adds two words in a row.');
    await tell('relay bfjmcg');
    expect((await tell('relay gkdhln')).title).toBe('Not your turn');
    expect((await tell('relay gkdhln', 'bob')).title).toBe('Word added');
  });

  test('shows a hint only to the person who asked, and everybody that there was one', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    const hint = await tell('relay hint', 'bob');
    expect(hint).toMatchObject({
      audience: 'asker',
      title: expect.stringContaining(`Hint 1 of ${HINT_STEPS.length}`),
    });
    expect(hint.blocks.some(({ kind }) => kind === 'spoiler')).toBe(true);
    expect(opened(shown())).toContain('Hints so far: 1');
    expect(await world.store.tenant('web:local').hints.seen('bob', TODAY)).toEqual(['start']);
    const played = new Set(['bfjmcg']);
    for (const { shown: replies } of poster.messages) {
      for (const reply of replies) {
        const open = tokens([...openTexts(reply), opened(reply)]);
        expect(WORDS.filter(({ word }) => open.has(word) && !played.has(word))).toEqual([]);
        expect(tokens([reply.title, JSON.stringify(buttons(reply))]).has('bfjmcg')).toBe(false);
        const alts = reply.blocks.flatMap((block) => (block.kind === 'picture' ? [block.alt] : []));
        expect(tokens(alts).has('bfjmcg')).toBe(false);
      }
    }
  });

  test('plays a word that is also an action after a plus, and refuses to start twice', async () => {
    await tell('relay start');
    expect(opened(await tell('relay +stop'))).toContain('STOP has S, which is not on this board');
    expect((await kept())?.relay.end).toBeUndefined();
    expect((await tell('relay show', 'bob')).audience).toBe('asker');
  });

  test('has buttons that run what they name; the one for adding asks for the word', async () => {
    await tell('relay start');
    const [add, hint, undo, stop] = buttons(shown());
    const dispatcher = makeDispatcher(world.app, { commands: table.commands });
    const form = formOf(dispatcher.prepare({ ...someone(), ...add!.action }));
    expect(form.fields.map(({ name }) => name)).toEqual(['word']);
    const asker = someone({ id: 'ann' });
    const { command, options } = form.action;
    expect((await press(world.app, { command, options: { ...options, word: 'Bfjmcg' } }, asker, table.commands)).title).toBe('Word added'); // biome-ignore format: one line reads better
    expect((await press(world.app, hint!.action, asker, table.commands)).title).toMatch(/^Hint/);
    expect((await press(world.app, undo!.action, asker, table.commands)).title).toBe('Last word taken back');
    expect((await press(world.app, stop!.action, asker, table.commands)).title).toBe('Relay ended');
    const [again] = buttons(shown());
    expect((await press(world.app, again!.action, asker, table.commands)).title).toBe(
      'Relay started in the thread',
    );
  });

  test('ends when nobody has added a word for a long time', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    expect(shown().blocks).toContainEqual({
      kind: 'note',
      line: expect.arrayContaining([{ moment: NOON + TIMEOUT, style: 'relative' }]),
    });
    world.clock.time += TIMEOUT;
    const late = await tell('relay gkdhln', 'bob');
    expect(opened(late)).toContain('ended, because nobody added a word for a while');
    expect(shown().title).toBe('Relay ended: Friday, November 20, 2026');
    expect(opened(shown())).toContain('nobody added a word for a while.');
    expect((await tell('relay start', 'bob')).title).toBe('Relay started in the thread');
  });

  test('stays on its board when the board of the day changes', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    const board = parseBoard('abc def ghi jkl');
    const asker = { tenant: 'web:local', channel: 'general' };
    await world.app.puzzles.setByHand(
      { date: TODAY, source: 'hand', board, typedBy: '9', typedAt: NOON },
      asker,
    );
    expect((await tell('relay gkdhln', 'bob')).title).toBe('Word added');
  });
});

describe('in a channel without a thread', () => {
  const elsewhere = { channel: 'random' };
  const OWN = { message: 'o1', thread: 'own-1' };

  test('opens one, and is played from the channel and the thread', async () => {
    expect((await tell('relay start', 'ann', elsewhere)).title).toBe('Relay started in the thread');
    expect(poster.openings).toHaveLength(1);
    expect(poster.openings[0]).toMatchObject({ threadName: 'Relay: Friday, November 20, 2026', ping: null });
    expect(drawnWords(poster.openings[0]!.reply)).toEqual([]);
    expect(poster.posts[0]!.thread).toEqual(OWN);
    expect((await tell('relay bfjmcg', 'bob', elsewhere)).title).toBe('Word added');
    const there = { ...elsewhere, thread: OWN.thread };
    expect((await tell('relay gkdhln', 'cleo', there)).title).toBe('Word added');
    expect(opened(shown())).toContain('2. GKDHLN @cleo');
    expect(opened(await tell('relay start', 'cleo', there))).toContain('A relay is already on:');
    expect((await tell('relay nbp', 'cleo', { ...elsewhere, thread: 'other' })).title).toBe(
      'No relay here right now',
    );
    expect((await tell('relay nbp', 'ann', elsewhere)).title).toBe('Solved together!');
    expect(poster.messages).toHaveLength(1);
  });

  test('continues when the thread of the day is opened while it runs', async () => {
    await tell('relay start', 'ann', elsewhere);
    const opening = { tenant: 'web:local', channel: 'random', date: TODAY, step: 'opening' };
    await sendStep(world.store, opening, NOON, { message: 'd', thread: 'day' });
    expect((await tell('relay bfjmcg', 'bob', elsewhere)).title).toBe('Word added');
    const inDay = { ...elsewhere, thread: 'day' };
    expect((await tell('relay start', 'bob', inDay)).title).toBe('Relay started in the thread');
    // With two games running, commands in the channel are about the one in the day's thread.
    await tell('relay gkdhln', 'bob', elsewhere);
    expect(opened(shown())).toContain('1. GKDHLN @bob');
  });

  test.each(['opening', 'message'])(
    'where the %s is refused, each who plays sees the game in the answer',
    async (what) => {
      if (what === 'message') poster.open = async () => OWN;
      poster.failures.post.push(new PostFailure('refused', 'locked'));
      const started = await tell('relay start', 'ann', elsewhere);
      expect(started.audience).toBe('asker');
      expect(opened(started)).toContain('couldn’t post the game’s message here, so only you see this');
      expect(opened(await tell('relay bfjmcg', 'bob', elsewhere))).toContain('BFJMCG');
    },
  );
});

describe('where nothing can be posted', () => {
  test('answers are announced as public, and elsewhere as private', () => {
    const { prepareLine } = makeDispatcher(world.app, { commands: table.commands });
    const isPrivate = (asker: Parameters<typeof prepareLine>[1]) => {
      const prepared = prepareLine('relay show', asker);
      return prepared.kind === 'answer' && prepared.private;
    };
    expect(isPrivate(someone())).toBe(true);
    expect(isPrivate(someone({}, { direct: true }))).toBe(false);
    expect(isPrivate({ ...someone(), door: 'terminal' })).toBe(false);
  });

  test.each([
    ['in private', { ...someone({ id: 'ann' }, { direct: true, channel: 'dm' }) }],
    ['at a door without a poster', { ...someone({ id: 'ann' }), door: 'terminal' as const }],
  ])('%s, the answer is the game', async (_, asker) => {
    const ask = (line: string) => say(world.app, line, asker, table.commands);
    expect(await ask('relay start')).toMatchObject({
      audience: 'everyone',
      title: expect.stringMatching(/^Relay:/),
    });
    const one = await ask('relay bfjmcg');
    expect(one).toMatchObject({ audience: 'everyone', replaces: true });
    expect(opened(one)).toContain('1. BFJMCG @ann');
    expect((await ask('relay gkdhlnbp')).title).toMatch(/^Relay solved in 2 words/);
    expect(poster.messages).toHaveLength(0);
  });
});
