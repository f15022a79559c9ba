import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, type PuzzleDate } from '../../src/core/clock.ts';
import type { App } from '../../src/dispatch/contract.ts';
import { parseMoves } from '../../src/play/game.ts';
import { addWords, type PlayedGame, playSoloGame, takeBackWord } from '../../src/players/solo-games.ts';
import { dayGameKey } from '../../src/puzzle/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { replaceMethods } from '../fakes/replace-methods.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';
import { resultIn } from '../fakes/stored.ts';

const TODAYS = {};
const TYPED = { sides: SIDES };

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

const moves = (text: string) => parseMoves(text)!;
const play = (text: string, options: object = TODAYS, version?: number, asker = someone(), sent?: number) =>
  playSoloGame(asker, world.app, {
    options: { ...options },
    moves: moves(text),
    ...(version !== undefined && { version }),
    ...(sent !== undefined && { sent }),
  });
const result = (date: PuzzleDate = TODAY) => resultIn(world.store, 'web:local', '5', 'general', date);

describe('a board that somebody plays', () => {
  test('goes on where they left off', async () => {
    expect((await play('')).version).toBe(0);
    const first = await play('bfjmcg.kd');
    expect(first).toMatchObject({ version: 1, state: { words: ['bfjmcg'], word: 'gkd', isSolved: false } });
    world.clock.time += DAY / 2;
    const again = await play('');
    expect(again).toMatchObject({ version: 1, isElsewhere: false, state: first.state });
    expect((await play('hln.', {}, 1)).state).toMatchObject({ words: ['bfjmcg', 'gkdhln'], left: ['p'] });
  });

  test('asks the database three times for a letter, once its board was read', async () => {
    const asked: string[] = [];
    const store = await openNewStore(makeFolder(), (table) => asked.push(table));
    const { app, close } = await makeTestApp({ words: WORDS, house, store });
    const press = (letter: string) => playSoloGame(someone(), app, { options: {}, moves: moves(letter) });
    for (const letter of 'bf') await press(letter);
    asked.length = 0;
    await press('j');
    // SQLite has two settings around each save, which are no table’s.
    expect(asked.filter((table) => table !== 'none')).toEqual(['delivery', 'solo_game', 'solo_game']);
    await close();
    await store.close();
  });

  test('counts as played in a channel, not in a private conversation', async () => {
    await play('b');
    await play('b', {}, undefined, someone({ id: '6' }, { channel: 'private', direct: true }));
    const { soloGames } = world.store.tenant('web:local');
    const playing = (channel: string) => soloGames.playing(channel, dayGameKey(house(TODAY)), TODAY, NOON);
    expect([await playing('general'), await playing('private')]).toEqual([1, 0]);
  });

  test('is stored from its first letter on', async () => {
    for (const nothing of ['<', '^', '!'].filter((text) => parseMoves(text) !== undefined))
      expect((await play(nothing)).version).toBe(0);
    expect((await play('b')).version).toBe(1);
    expect((await play('<')).version).toBe(2);
  });

  test('counts once when the day’s board is solved, and shows what it is worth later too', async () => {
    await say(world.app, 'hint count');
    const solved = await play('bfjmcg.kdhlnbp.');
    expect(solved.solved).toMatchObject({
      words: 2,
      letters: 14,
      day: { best: { words: 2, hints: 1, solvedAt: NOON }, streak: { current: 1, isTodaySolved: true } },
    });
    expect(await result()).toMatchObject({ words: 2, letters: 14, hints: 1 });
    world.clock.time += 60_000;
    const { solved: shown } = await play('');
    expect(shown).toMatchObject({ words: 2, day: { best: { solvedAt: NOON } } });
    expect(await result()).toMatchObject({ solvedAt: NOON });
    const again = opened(await say(world.app, 'play bfjmcg,gkdhlnbp'));
    expect(again).toContain('Right again. 14 letters.\nYour result stays 2 words, 14 letters, 1 hint point.');
    // The time is that of the result, not of these words.
    expect(again).not.toContain('after the board was posted');
  });

  test('is new to its person, though the game could be saved only at the second attempt', async () => {
    let attempts = 0;
    const tenant: typeof world.store.tenant = (name) => {
      const share = world.store.tenant(name);
      const save: typeof share.soloGames.save = async (...given) =>
        ++attempts > 1 && share.soloGames.save(...given);
      return { ...share, soloGames: { ...share.soloGames, save } };
    };
    const app = { ...world.app, store: { ...world.store, tenant } };
    const { solved } = await playSoloGame(someone(), app, {
      options: {},
      moves: moves('bfjmcg.kdhlnbp.'),
    });
    expect(attempts).toBe(2);
    expect(solved).toMatchObject({ day: { recorded: { result: { words: 2 } } }, hunt: { isNew: true } });
    expect(solved!.day!.recorded).not.toHaveProperty('better');
  });

  test('makes no move on a game that has gone on elsewhere', async () => {
    const { version } = await play('bf');
    await play('j', {}, version);
    const late = await play('m', {}, version);
    expect(late).toMatchObject({ isElsewhere: true, version: 2, state: { word: 'bfj' } });
    // A page that did not hear of its first move sends it again with the next.
    const again = await play('jm', {}, version, someone(), 1);
    expect(again).toMatchObject({ isElsewhere: false, version: 3, state: { word: 'bfjm' } });
    expect((await play('jmc', {}, version, someone(), 1)).isElsewhere).toBe(true);
  });

  test('makes each of some moves at once on the version before it, in any order', async () => {
    await Promise.all([play('k'), play('b'), play('f')]);
    // Letters of three sides may follow each other in any order.
    expect([...(await play('')).state.word].sort()).toEqual(['b', 'f', 'k']);
    expect((await play('')).version).toBe(3);
  });

  test('takes words that go on, whole solutions, and words back', async () => {
    const on = (...words: string[]) => addWords(someone(), world.app, {}, words);
    const back = () => takeBackWord(someone(), world.app, {});
    expect((await back()).state.refusal).toEqual({ code: 'nothing-to-take-back' });
    expect((await on('bfjmcg')).state.words).toEqual(['bfjmcg']);
    await play('kd');
    // First the word that is being entered elsewhere.
    expect((await back()).state).toMatchObject({ words: ['bfjmcg'], word: 'g' });
    expect((await on('gkdhln')).state.words).toEqual(['bfjmcg', 'gkdhln']);
    expect((await back()).state).toMatchObject({ words: ['bfjmcg'], word: 'g' });
    expect((await on('bfjmcg', 'fnord')).state).toMatchObject({
      words: ['bfjmcg'],
      refusal: { word: 'fnord' },
    });
    expect((await back()).state.words).toEqual([]);
    expect((await on('bfjmcg', 'gkdhlnbp')).state.isSolved).toBe(true);
    expect(await result()).toMatchObject({ words: 2 });
    expect(await back()).toMatchObject({ state: { isSolved: true }, solved: { words: 2 } });
  });

  test.each([false, true])('makes no move of words when the game went on meanwhile', async (isBackFirst) => {
    await play('bfjmcg.');
    const on = (app: App) => addWords(someone(), app, {}, ['gkdhln']);
    const back = (app: App) => takeBackWord(someone(), app, {});
    const [first, second] = isBackFirst ? [back, on] : [on, back];
    let played: Promise<PlayedGame> | undefined;
    const allPeople = replaceMethods(world.store.allPeople, {
      async soloGame(...asked) {
        const game = await world.store.allPeople.soloGame(...asked);
        played ??= first(world.app);
        await played;
        return game;
      },
    });
    const late = await second({ ...world.app, store: { ...world.store, allPeople } });
    expect([(await played)?.isElsewhere, late.isElsewhere]).toEqual([false, true]);
    expect((await play('')).version).toBe(2);
  });

  test('starts again when it has expired, or when what is stored is damaged', async () => {
    await play('bf');
    world.clock.time += 61 * DAY;
    expect((await play('', { date: TODAY })).state.word).toBe('');
    await world.store.tenant('web:local').soloGames.save('5', {
      board: 'bcd-fgh-jkl-mnp',
      state: { version: 1, words: 'x' },
      version: 0,
      now: world.clock.time,
      expiresAt: world.clock.time + DAY,
    });
    expect(await play('k', TYPED)).toMatchObject({ version: 2, state: { word: 'k' } });
  });
});
