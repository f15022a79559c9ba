/** Relays, where `transcripts/relay.txt` can't say it: what the poster is given, what happens when it fails, and what is stored. */
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { StoreError } from '../../src/core/errors.ts';
import { type App, whenLookedUp } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { MessageUpdater, messagesUpdated } from '../../src/players/public-messages.ts';
import { parseStoredRelay, RELAY_TIMEOUT_MS } from '../../src/players/relay/game.ts';
import { hookedStore } from '../daily/hooks.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { formOf, opened, replyOf, say } from '../fakes/ask.ts';
import { DAY_THREAD, deliverDue, sendStep } from '../fakes/day-thread.ts';
import { drawnWords, openTexts, tokens } from '../fakes/open-texts.ts';
import { skipPauses, turns } from '../fakes/pauses.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { replaceMethods } from '../fakes/replace-methods.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { buttons } from '../reply/look.ts';

/** A channel with the day's thread, and relays on the test's clock. */
let world: TestApp;
let poster: TestPoster;
/** Milliseconds that updates of messages would have waited. */
const waits = skipPauses();
beforeEach(async () => {
  poster = makeTestPoster();
  world = await makeTestApp({
    words: WORDS,
    house,
    posterOf: (door) => (door === 'web' ? poster : undefined),
  });
  await sendStep(world.store, { step: 'opening' }, NOON - 1);
  waits.length = 0;
});
afterEach(() => world.close());

const tell = (line: string, id = 'ann', where = {}) => say(world.app, line, someone({ id }, where));
/** The game of the day's thread as it is stored. */
async function kept() {
  const { games } = world.store.tenant('web:local');
  return parseStoredRelay((await games.get(`general ${DAY_THREAD.thread}`, world.clock.time))?.state);
}
/** What the newest message shows now. */
const shown = () => poster.messages.at(-1)!.shown.at(-1)!;
/** Lets so much time pass and delivers what is due then. */
async function pass(milliseconds: number): Promise<void> {
  world.clock.time += milliseconds;
  await deliverDue(world.app, poster);
}

test('a word typed alone in the thread joins its relay, and elsewhere is played in the asker’s own game', async () => {
  const { thread } = DAY_THREAD;
  const alone = await tell('bfjmcg', 'ann', { thread });
  expect(alone.title).toBe('Your game: Nov 20, 2026');
  await tell('relay start');
  const asker = { ...someone({ id: 'bob' }, { thread }), isPublicLine: true };
  expect((await say(world.app, 'bfjmcg', asker)).title).toBe('Word added');
  expect((await kept())?.relay.legs).toEqual([{ word: 'bfjmcg', by: 'bob' }]);
  expect((await tell('nbp', 'bob', { thread })).title).toBe('That word doesn’t work');
});

test('the form for a word suggests no word', async () => {
  await tell('relay start');
  const add = buttons(shown()).find(({ label }) => label === 'Add a word')!;
  const asking = makeDispatcher(world.app, { commands: COMMANDS }).prepare({ ...someone(), ...add.action });
  const { fields } = formOf(await whenLookedUp(asking));
  expect(fields.map(({ name, placeholder }) => [name, placeholder])).toEqual([['word', undefined]]);
});

test('everybody sees only words that were played, and none in titles, buttons and alt texts', async () => {
  await tell('relay start');
  await tell('relay bfjmcg');
  expect(poster.posts).toMatchObject([
    { thread: DAY_THREAD, channel: { tenant: 'web:local', channel: 'general' } },
  ]);
  expect(drawnWords(shown())).toEqual(['bfjmcg']);
  const hint = await tell('relay hint', 'bob');
  expect(hint.blocks.some(({ kind }) => kind === 'spoiler')).toBe(true);
  expect(await world.store.allPeople.seenOn('web', 'bob', TODAY)).toEqual(['hardest']);
  for (const reply of poster.messages.flatMap(({ shown }) => shown)) {
    const open = tokens([...openTexts(reply), opened(reply)]);
    expect(WORDS.filter(({ word }) => open.has(word)).every(({ word }) => word === 'bfjmcg')).toBe(true);
    const alts = reply.blocks.flatMap((block) => (block.kind === 'picture' ? [block.alt] : []));
    expect(tokens([reply.title, JSON.stringify(buttons(reply)), ...alts]).has('bfjmcg')).toBe(false);
  }
});

test('no relay begins on a typed board that nobody could make for the channel', async () => {
  const { title } = await tell('relay start fuc kgh jlm npq');
  expect(title).toBe('The letters of this board spell a word that I don’t post');
  expect(poster.posts).toEqual([]);
  const alone = await tell('relay start fuc kgh jlm npq', 'ann', { direct: true });
  expect(alone.title).toMatch(/^Relay: /);
});

test('a word that nobody could go on from is refused before it is public', async () => {
  await tell('relay start');
  const answer = await tell('relay nbp');
  expect(openTexts(answer)[0]).toBe('That’s a dead end\n\nNothing starts with P. Try another word.');
  expect(drawnWords(shown())).toEqual([]);
});

test('of two words at the same moment, the one that is saved later is judged after the other', async () => {
  await tell('relay start');
  // Both are read and judged before either is saved, on a slow machine, too.
  const { promise, resolve } = Promise.withResolvers<void>();
  let judged = 0;
  const { work } = world.app;
  const run: typeof work.run = (name, ...asked) =>
    work.run(name, ...asked).finally(() => {
      if (name !== 'check') return undefined;
      if (++judged === 2) resolve();
      return promise;
    });
  const app = { ...world.app, work: replaceMethods(work, { run }) };
  const [one, other] = await Promise.all([
    say(app, 'relay bfjmcg', someone({ id: 'ann' })),
    say(app, 'relay bfjm', someone({ id: 'bob' })),
  ]);
  expect((await kept())?.relay.legs).toHaveLength(1);
  expect([one.title, other.title].toSorted()).toEqual(['That word doesn’t work', 'Word added']);
  const refused = one.title === 'Word added' ? other : one;
  expect(opened(refused)).toContain('Someone was faster, and the relay has moved on.');
  expect(refused.audience).toBe('asker');
  expect(drawnWords(shown())).toHaveLength(1);
});

test('a move before the game’s message is there is not told that it couldn’t be posted', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const post = poster.post.bind(poster);
  let posts = 0;
  poster.post = async (parts) => {
    posts++;
    await promise;
    return post(parts);
  };
  const started = tell('relay start');
  await expect.poll(() => posts).toBe(1);
  const answer = opened(await tell('relay bfjmcg', 'bob'));
  expect(answer).toContain('so only you see this');
  expect(answer).not.toContain('couldn’t');
  resolve();
  await started;
  expect(drawnWords(shown())).toEqual(['bfjmcg']);
});

test('a game that went on in another process is shown as it is, though an older edit arrives last', async () => {
  await tell('relay start');
  const arrival = Promise.withResolvers<void>();
  let edits = 0;
  poster.beforeEdit = async () => {
    if (edits++ === 0) await arrival.promise;
  };
  const first = tell('relay bfjmcg');
  await expect.poll(() => edits).toBe(1);
  // A process of its own, with the same database.
  const process: App = { ...world.app, store: Object.create(world.app.store) };
  await say(process, 'relay gkdhln', someone({ id: 'bob' }));
  expect(drawnWords(shown())).toEqual(['bfjmcg', 'gkdhln']);
  arrival.resolve();
  await first;
  expect(drawnWords(shown())).toEqual(['bfjmcg', 'gkdhln']);
  expect(edits).toBe(3);
  expect(poster.messages).toHaveLength(1);
});

describe('its message', () => {
  const later = (retryAfter?: number) =>
    new PostFailure('later', 'slow down', retryAfter === undefined ? {} : { retryAfter });

  /** Updates that were asked for, of which some share one. */
  let update: MockInstance;
  beforeEach(() => {
    update = vi.spyOn(MessageUpdater.prototype, 'update');
  });
  afterEach(() => update.mockRestore());

  /** Holds all edits of messages until the returned function is called, and counts updates from now on. */
  function holdEdits() {
    update.mockClear();
    const { promise, resolve } = Promise.withResolvers<void>();
    const release = Object.assign(() => resolve(), { held: 0 });
    poster.beforeEdit = () => {
      release.held++;
      return promise;
    };
    return release;
  }

  test('keeps no player waiting', async () => {
    await tell('relay start');
    const release = holdEdits();
    const dispatcher = makeDispatcher(world.app, { commands: COMMANDS });
    const titles: string[] = [];
    for (const word of ['bfjmcg', 'hint', 'gkdhln', 'nbp'])
      titles.push((await replyOf(dispatcher.prepareLine(`relay ${word}`, someone({ id: word })))).title);
    expect(titles.toSpliced(1, 1)).toEqual(['Word added', 'Word added', 'Solved together!']);
    expect(release.held).toBe(1);
    release();
    await messagesUpdated(world.app);
    expect(shown().title).toMatch(/^Relay solved/);
  });

  test('shows the end although the next game is started at once', async () => {
    await tell('relay start');
    const release = holdEdits();
    const dispatcher = makeDispatcher(world.app, { commands: COMMANDS });
    for (const line of ['relay bfjmcg', 'relay stop'])
      await replyOf(dispatcher.prepareLine(line, someone({ id: 'ann' })));
    const next = tell('relay start');
    await turns();
    release();
    await next;
    expect(poster.messages.map(({ shown }) => shown.at(-1)!.title)).toEqual([
      expect.stringMatching(/^Relay ended: /),
      expect.stringMatching(/^Relay: /),
    ]);
  });

  test('of a game whose end could not be shown shows it at the next move', async () => {
    await tell('relay start');
    poster.failures.edit.push(later(), later(), later());
    await tell('relay stop');
    expect(shown().title).toMatch(/^Relay: /);
    expect(opened(await tell('relay bfjmcg'))).toContain('is over');
    expect(shown().title).toMatch(/^Relay ended: /);
    poster.failures.edit.push(new PostFailure('invalid', 'deleted'), later(10 * MINUTE));
    await tell('relay bfjmcg');
    await tell('relay bfjmcg');
    expect(poster.messages).toHaveLength(1);
  });

  test('waits as long as the platform asks, then shows the current game', async () => {
    await tell('relay start');
    poster.failures.edit.push(later(30_000), new PostFailure('unknown', 'no answer'));
    await tell('relay bfjmcg');
    expect(waits).toEqual([30_000, 1000]);
    expect(opened(shown())).toContain('BFJMCG');
    expect(poster.messages).toHaveLength(1);
  });

  test.each([
    new PostFailure('invalid', 'gone'),
    new PostFailure('refused', 'not allowed'),
    later(10 * MINUTE),
  ])('is posted again when it can’t be edited, or not for long: %s', async (failure) => {
    await tell('relay start');
    poster.failures.edit.push(failure);
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
    const release = holdEdits();
    const asked = [tell('relay hint', 'p0')];
    await expect.poll(() => release.held).toBe(1);
    for (let person = 1; person < 10; person++) asked.push(tell('relay hint', `p${person}`));
    await expect.poll(() => update.mock.calls.length).toBe(10);
    release();
    await Promise.all(asked);
    expect(opened(shown())).toContain('Hints so far: 10');
    expect(poster.messages.at(-1)!.shown.length).toBe(1 + 2);
  });

  test('shows nobody who was forgotten while an older state was on its way', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    const release = holdEdits();
    const hint = tell('relay hint', 'bob');
    await expect.poll(() => release.held).toBe(1);
    const forgotten = tell('privacy delete sure');
    await expect.poll(() => update.mock.calls.length).toBe(2);
    await turns();
    expect(release.held).toBe(1);
    release();
    await Promise.all([hint, forgotten]);
    expect(opened(shown())).not.toContain('@ann');
  });
});

test('a relay has its message although the store failed as it was posted', async () => {
  let failures = 1;
  const fail = () => {
    if (poster.messages.length > 0 && failures-- > 0) throw new StoreError('store.unreachable', 'gone');
  };
  const app = { ...world.app, store: hookedStore(world.store, fail) };
  expect((await say(app, 'relay start', someone({ id: 'ann' }))).title).toBe('Relay started in the thread');
  expect((await kept())?.message).toBeDefined();
  expect(poster.messages).toHaveLength(1);
});

test('a relay whose process ended before its message was posted gets it at the next start, once', async () => {
  world.expectErrors('a command failed');
  const fail = (point: string) => {
    if (point === 'before allDeliveries.plan') throw new StoreError('store.unreachable', 'gone');
  };
  const ended = { ...world.app, store: hookedStore(world.store, fail) };
  expect((await say(ended, 'relay start', someone({ id: 'ann' }))).title).toContain('went wrong');
  // It may still be on its way.
  await tell('relay start', 'bob');
  expect(poster.messages).toEqual([]);
  world.clock.time += MINUTE;
  await Promise.all(['bob', 'cleo'].map((id) => tell('relay start', id)));
  await tell('relay bfjmcg', 'bob');
  expect(poster.messages).toHaveLength(1);
  expect(opened(shown())).toContain('BFJMCG');
  await pass(RELAY_TIMEOUT_MS);
  await pass(RELAY_TIMEOUT_MS);
  expect(shown().title).toMatch(/^Relay ended: /);
});

test('a game is stored for a day after the moment at which it would time out', async () => {
  await tell('relay start');
  world.clock.time += RELAY_TIMEOUT_MS + DAY - 1;
  expect(await kept()).toBeDefined();
  world.clock.time += 2;
  expect(await kept()).toBeUndefined();
});

describe('the end of a game that nobody plays', () => {
  const titles = () => poster.messages.map(({ shown }) => shown.at(-1)!.title);

  test('one that is over before the next one is started loses its buttons at that start', async () => {
    await tell('relay start');
    world.clock.time += RELAY_TIMEOUT_MS;
    await tell('relay start');
    expect(titles()).toEqual([expect.stringMatching(/^Relay ended: /), expect.stringMatching(/^Relay: /)]);
  });

  test.each(['bfjmcg', 'hint', 'undo'])(
    'one that is over loses its buttons at relay %s, too',
    async (move) => {
      await tell('relay start');
      world.clock.time += RELAY_TIMEOUT_MS;
      expect(opened(await tell(`relay ${move}`))).toContain('nobody added a word for a while');
      expect(titles()).toEqual([expect.stringMatching(/^Relay ended: /)]);
      expect(opened(await tell(`relay ${move}`))).toContain('The last relay here is over');
    },
  );

  test('one that got its message only after it might have ended loses its buttons', async () => {
    poster.failures.post.push(new PostFailure('refused', 'not allowed'));
    await tell('relay start');
    world.clock.time += HOUR;
    await tell('relay bfjmcg');
    await pass(RELAY_TIMEOUT_MS - HOUR);
    await tell('relay start');
    expect(titles()).toEqual([expect.stringMatching(/^Relay: /)]);
    await pass(HOUR);
    expect(titles()).toEqual([expect.stringMatching(/^Relay ended: /)]);
  });

  test('one that the platform does not show at first is shown as ended once it does', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    const lost = new PostFailure('unknown', 'no answer');
    poster.failures.edit.push(lost, lost, lost, lost);
    await pass(RELAY_TIMEOUT_MS);
    expect(titles()).toEqual([expect.stringMatching(/^Relay: /)]);
    for (let minutes = 0; minutes < 5; minutes++) await pass(MINUTE);
    expect(titles()).toEqual([expect.stringMatching(/^Relay ended: /)]);
    // From then on, nobody who asks to be forgotten takes words out of it.
    expect((await kept())?.relay.end).toBe('timed-out');
    expect(poster.failures.edit).toEqual([]);
  });
});
