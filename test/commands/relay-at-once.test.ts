/**
 * Two people add a word at the same moment. Their reads, saves and edits wait at a gate, which lets them through in
 * every order (in `npm test`, in some of them): in one process, and in two that share a store.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, describe, expect, test } from 'vitest';
import type { App } from '../../src/dispatch/contract.ts';
import { parseStoredRelay } from '../../src/players/relay/game.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import type { Store } from '../../src/store/store.ts';
import { makeTestApp, NOON, someone, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { skipPauses } from '../fakes/pauses.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';

const PEOPLE = ['ann', 'bob'] as const;
type PersonName = (typeof PEOPLE)[number];
const STEPS = 5;
/** Of the orders, every how-manyth is tried, and from which: one of these ends with the edit of a game that went on since. */
const [EVERY, FIRST] = sample([1, 0], [25, 9]);
/**
 * Turns of the event loop after which everything that was started has finished. On a slow machine each query of the
 * store waits for one, which makes up to twelve between two steps at the gate.
 */
const QUIET = 40;

skipPauses();
const world = await makeTestApp({ words: WORDS, house });
afterAll(() => world.close());

/** Holds each person's steps until it is their turn. */
class Gate {
  readonly #held = new Map<PersonName, () => void>();
  #arrived = 0;

  pass(person: PersonName): Promise<void> {
    this.#arrived++;
    return new Promise((resolve) => {
      this.#held.set(person, resolve);
    });
  }

  /** Runs one step of this person, or of the other one if this one has none left. */
  async turn(person: PersonName): Promise<void> {
    const whose = this.#held.has(person) ? person : [...this.#held.keys()][0];
    const release = whose && this.#held.get(whose);
    if (whose !== undefined) this.#held.delete(whose);
    release?.();
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let quiet = 0, before = this.#arrived; quiet < QUIET; quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#arrived !== before) [quiet, before] = [0, this.#arrived];
    }
  }
}

/** Who acts at the moment: two people may share a process. */
const acting = new AsyncLocalStorage<PersonName>();

/** A process. */
function gated(app: App, gate: Gate, poster: TestPoster): App {
  const pass = () => gate.pass(acting.getStore()!);
  const store = Object.create(app.store) as Store;
  store.tenant = (tenant) => {
    const whole = app.store.tenant(tenant);
    const { games } = whole;
    return {
      ...whole,
      games: {
        get: (...asked) => pass().then(() => games.get(...asked)),
        save: (...asked) => pass().then(() => games.save(...asked)),
      },
    };
  };
  const edit: TestPoster['edit'] = (...asked) => pass().then(() => poster.edit(...asked));
  return { ...app, store, posterOf: () => ({ ...poster, edit }) };
}

/** All orders of so many steps of the one and so many of the other; a part of them in `npm test`. */
function ordersToTry(a: number, b: number): PersonName[][] {
  return [...orders(a, b)].filter((_, index) => index % EVERY === FIRST);
}

function* orders(a: number, b: number): Generator<PersonName[]> {
  if (a + b === 0) yield [];
  if (a > 0) for (const rest of orders(a - 1, b)) yield ['ann', ...rest];
  if (b > 0) for (const rest of orders(a, b - 1)) yield ['bob', ...rest];
}

let games = 0;

async function playAtOnce(
  order: readonly PersonName[],
  words: Record<PersonName, string>,
  processes: number,
) {
  const tenant = `web:game-${++games}`;
  const poster = makeTestPoster();
  const open: App = { ...world.app, posterOf: () => poster };
  await sendStep(world.store, { tenant, channel: 'general', date: TODAY, step: 'opening' }, NOON - 1);
  await say(open, 'relay start', someone({ id: 'cleo' }, { tenant }));
  await say(open, 'relay bfjmcg', someone({ id: 'cleo' }, { tenant }));

  const gate = new Gate();
  const apps = Array.from({ length: processes }, () => gated(open, gate, poster));
  const replies = new Map<PersonName, Reply>();
  const both = PEOPLE.map(async (person, index) => {
    const app = apps[index % processes]!;
    const asker = someone({ id: person }, { tenant });
    replies.set(person, await acting.run(person, () => say(app, `relay ${words[person]}`, asker)));
  });
  await gate.settle();
  for (const person of order) await gate.turn(person);
  while (replies.size < PEOPLE.length) await gate.turn(PEOPLE[replies.size]!);
  await Promise.all(both);

  const game = await world.store.tenant(tenant).games.get('general thread-1', NOON);
  return { replies, poster, relay: parseStoredRelay(game!.state)!.relay };
}

describe.each([
  ['in one process', 1],
  ['in two processes', 2],
])('two at the same moment, %s', (_, processes) => {
  test('of two words that fit at the same position, one is accepted and the other refused with the reason', async () => {
    const words = { ann: 'gkdhln', bob: 'gkdhlnbp' };
    const winners = new Set<string>();
    // The one that is refused draws nothing, so there are only four steps each to interleave.
    for (const order of ordersToTry(STEPS - 1, STEPS - 1)) {
      const { replies, poster, relay } = await playAtOnce(order, words, processes);
      const taken = relay.legs.slice(1);
      expect(taken).toHaveLength(1);
      const { by } = taken[0]!;
      const other = by === 'ann' ? 'bob' : 'ann';
      winners.add(by);
      expect(taken[0]!.word).toBe(words[by as PersonName]);
      expect(replies.get(by as PersonName)!.title).toMatch(/^(Word added|Solved together!)$/);
      expect(replies.get(other)!.title).toMatch(/^(That word doesn’t work|No relay here right now)$/);
      expect(replies.get(other)!.audience).toBe('asker');
      expectLastDrawn(poster, [...relay.legs]);
    }
    expect(winners).toEqual(new Set(PEOPLE));
  });

  test('of two words in a row, one that comes too early is refused with the reason, and none is lost', async () => {
    const words = { ann: 'gkdhln', bob: 'nbp' };
    const ends = new Set<string>();
    for (const order of ordersToTry(STEPS, STEPS)) {
      const { replies, poster, relay } = await playAtOnce(order, words, processes);
      expect(replies.get('ann')!.title).toBe('Word added');
      expect(relay.legs[1]).toEqual({ word: 'gkdhln', by: 'ann' });
      const isSolved = relay.legs.length === 3;
      expect(relay.end).toBe(isSolved ? 'solved' : undefined);
      expect(replies.get('bob')!.title).toBe(isSolved ? 'Solved together!' : 'That word doesn’t work');
      ends.add(String(relay.end));
      expectLastDrawn(poster, [...relay.legs]);
    }
    expect(ends).toEqual(new Set(['solved', 'undefined']));
  });
});

/** One message, which in the end shows the game as it is. */
function expectLastDrawn(poster: TestPoster, legs: { word: string; by: string }[]): void {
  expect(poster.messages).toHaveLength(1);
  const last = opened(poster.messages[0]!.shown.at(-1)!);
  const lines = legs.map(({ word, by }, index) => `${index + 1}. ${word.toUpperCase()} @${by}`);
  expect(last.match(/^\d+\. .*$/gm)).toEqual(lines);
}
