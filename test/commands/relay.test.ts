/** Relays, where `transcripts/relay.txt` can't say it: what the poster is given, and what happens when it fails. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR } from '../../src/core/clock.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { RELAY_TIMEOUT_MS } from '../../src/players/relay/game.ts';
import { NOON, someone, TODAY } from '../fakes/app.ts';
import { opened } from '../fakes/ask.ts';
import { DAY_THREAD } from '../fakes/day-thread.ts';
import { drawnWords, openTexts, tokens } from '../fakes/open-texts.ts';
import { WORDS } from '../fakes/small-board.ts';
import { buttons } from '../reply/look.ts';
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

test('everybody sees only words that were played, and none in titles, buttons and alt texts', async () => {
  await tell('relay start');
  await tell('relay bfjmcg');
  expect(poster.posts).toMatchObject([
    { thread: DAY_THREAD, channel: { tenant: 'web:local', channel: 'general' } },
  ]);
  expect(drawnWords(shown())).toEqual(['bfjmcg']);
  const hint = await tell('relay hint', 'bob');
  expect(hint.blocks.some(({ kind }) => kind === 'spoiler')).toBe(true);
  expect(await world.store.tenant('web:local').hints.seenOn('bob', TODAY)).toEqual(['count', 'first']);
  for (const reply of poster.messages.flatMap(({ shown }) => shown)) {
    const open = tokens([...openTexts(reply), opened(reply)]);
    expect(WORDS.filter(({ word }) => open.has(word)).every(({ word }) => word === 'bfjmcg')).toBe(true);
    const alts = reply.blocks.flatMap((block) => (block.kind === 'picture' ? [block.alt] : []));
    expect(tokens([reply.title, JSON.stringify(buttons(reply)), ...alts]).has('bfjmcg')).toBe(false);
  }
});

test('a word that nobody could go on from is refused before it is public', async () => {
  await tell('relay start');
  const answer = await tell('relay nbp');
  expect(openTexts(answer)[0]).toBe('Nobody could go on\n\nNothing starts with P. Try another word.');
  expect(drawnWords(shown())).toEqual([]);
});

test('the message of a thread that it opens shows the bare board, and mentions nobody', async () => {
  await tell('relay start', 'ann', { channel: 'random' });
  expect(poster.openings).toMatchObject([{ threadName: 'Relay: Friday, November 20, 2026', ping: null }]);
  expect(drawnWords(poster.openings[0]!.reply)).toEqual([]);
});

test('it says as a moment when it ends', async () => {
  await tell('relay start');
  expect(shown().blocks).toContainEqual({
    kind: 'note',
    line: expect.arrayContaining([{ moment: NOON + RELAY_TIMEOUT_MS, style: 'relative' }]),
  });
});

test('answers are announced as private only where the game is a message of its own', () => {
  const { prepareLine } = makeDispatcher(world.app, { commands: table.commands });
  const isPrivate = (asker: Parameters<typeof prepareLine>[1]) => {
    const prepared = prepareLine('relay show', asker);
    return prepared.kind === 'answer' && prepared.private;
  };
  expect(isPrivate(someone())).toBe(true);
  expect(isPrivate(someone({}, { direct: true }))).toBe(false);
  expect(isPrivate({ ...someone(), door: 'terminal' })).toBe(false);
});

describe('its message', () => {
  const later = (retryAfter?: number) =>
    new PostFailure('later', 'slow down', retryAfter === undefined ? {} : { retryAfter });

  test('waits as long as the platform asks, then shows the current game', async () => {
    await tell('relay start');
    poster.failures.edit.push(later(2500), new PostFailure('unknown', 'no answer'));
    await tell('relay bfjmcg');
    expect(table.waits).toEqual([2500, 1000]);
    expect(opened(shown())).toContain('BFJMCG');
    expect(poster.messages).toHaveLength(1);
  });

  test.each(['invalid', 'refused'] as const)('is posted again when it can’t be edited (%s)', async (kind) => {
    await tell('relay start');
    poster.failures.edit.push(new PostFailure(kind, 'gone'));
    await tell('relay bfjmcg');
    expect(poster.messages).toHaveLength(2);
    expect(opened(shown())).toContain('BFJMCG');
    await tell('relay gkdhln', 'bob');
    expect(poster.messages.map(({ shown }) => shown.length)).toEqual([1, 2]);
    expect(new Set(poster.posts.map(({ key }) => key)).size).toBe(2);
  });

  test('is posted again a limited number of times', async () => {
    await tell('relay start');
    for (let hints = 1; hints <= 8; hints++) {
      poster.failures.edit.push(new PostFailure('invalid', 'gone'));
      await tell('relay hint', `p${hints}`);
    }
    expect(poster.messages).toHaveLength(5);
    expect((await kept())?.relay.hints).toBe(8);
  });

  test('is posted again when it is old and the platform limits its edits', async () => {
    await tell('relay start');
    world.clock.time += HOUR + 1;
    poster.failures.edit.push(later());
    await tell('relay bfjmcg');
    expect(poster.messages).toHaveLength(2);
    expect(opened(shown())).toContain('BFJMCG');
  });

  test('accepts a word even when the message can’t be updated', async () => {
    await tell('relay start');
    poster.failures.edit.push(later(), later(), later());
    expect((await tell('relay bfjmcg')).title).toBe('Word added');
    expect((await kept())?.relay.legs).toHaveLength(1);
    expect(world.logged.map(({ message }) => message)).toContain(
      'A relay’s message could not be updated. The next move tries again.',
    );
    await tell('relay gkdhln', 'bob');
    expect(opened(shown())).toContain('GKDHLN');
  });

  test('updates twice, not once for each, after many moves at once', async () => {
    await tell('relay start');
    let release: (value: unknown) => void = () => {};
    poster.beforeEdit = () => new Promise((resolve) => { release = resolve; }); // biome-ignore format: one line reads better
    const first = tell('relay hint', 'p0');
    await expect.poll(() => release.length).not.toBe(0);
    const rest = Array.from({ length: 9 }, (_, index) => tell('relay hint', `p${index + 1}`));
    await expect.poll(async () => (await kept())?.relay.hints).toBe(10);
    // The last one counted has not yet asked for the message to be drawn again.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    poster.beforeEdit = async () => {};
    release(undefined);
    await Promise.all([first, ...rest]);
    expect(opened(shown())).toContain('Hints so far: 10');
    expect(poster.messages.at(-1)!.shown.length).toBe(1 + 2);
  });
});
