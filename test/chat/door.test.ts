/** What all doors share, where their own tests can’t see it. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Conversation, NameCache, type RequestContext } from '../../src/chat/conversation.ts';
import { makeDropEvent, SeenOnce } from '../../src/chat/door.ts';
import { HOUR, MINUTE, SECOND } from '../../src/core/clock.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { madeUp } from '../fakes/ask.ts';
import { changePauses } from '../fakes/pauses.ts';
import { house, WORDS } from '../fakes/small-board.ts';

let gate: PromiseWithResolvers<void>;
const quick = madeUp({
  name: 'quick',
  run: async () => ({ title: 'Quick', blocks: [], audience: 'everyone' }),
});
const slow = madeUp({
  name: 'slow',
  run: async () => {
    await gate.promise;
    return { title: 'Slow', blocks: [], audience: 'everyone' };
  },
});
let world: TestApp;
let conversation: Conversation;
let done: string[];
beforeEach(async () => {
  gate = Promise.withResolvers();
  world = await makeTestApp({ words: WORDS, house });
  conversation = new Conversation('web', world.app, makeDispatcher(world.app, { commands: [quick, slow] }));
  done = [];
});
afterEach(() => world.close());

function context(more: Partial<RequestContext> = {}): RequestContext {
  return {
    asker: () => someone(),
    due: () => undefined,
    acknowledge: async () => void done.push('acknowledge'),
    show: async ({ title }) => void done.push(`show ${title}`),
    form: async () => void done.push('form'),
    ...more,
  };
}
const broken = () => Promise.reject(new Error('lost'));

it('is done when everything is answered, with what was asked meanwhile', async () => {
  void conversation.line(context(), 'slow');
  const all = conversation.done().then(() => done.push('done'));
  void conversation.line(context(), 'quick');
  void conversation.track(gate.promise.then(() => conversation.line(context(), 'quick')));
  gate.resolve();
  await all;
  expect(done.at(-1)).toBe('done');
  expect(done).toHaveLength(4);
});

it.each<[string, Partial<RequestContext>]>([
  ['says nothing when nobody is there any more', { isOver: () => true }],
  ['does not reject when the apology fails too', { show: broken }],
])('%s, when something fails on the way', async (_, more) => {
  world.allowErrors('an answer failed');
  await conversation.line(context({ asker: broken, ...more }), 'quick');
  expect(done).toEqual([]);
});

it('apologizes for what fails while the answer is being acknowledged', async () => {
  world.expectErrors('an answer failed');
  // It would end the process.
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  await conversation.line(
    context({
      asker: () => gate.promise.then(broken),
      due: async () => undefined,
      acknowledge: async () => {
        gate.resolve();
        await setImmediate();
        done.push('acknowledge');
      },
    }),
    'quick',
  );
  expect(done).toEqual(['acknowledge', expect.stringMatching(/^show /)]);
  expect(unhandled).not.toHaveBeenCalled();
});

it('what one platform sent is new when another one sends it', async () => {
  const { app, clock } = world;
  const until = clock.now() + MINUTE;
  const [discord, slack] = [new SeenOnce(app, 'discord'), new SeenOnce(app, 'slack')];
  expect(await discord.isRepeat('1', until)).toBe(false);
  expect(await slack.isRepeat('1', until)).toBe(false);
  expect(await discord.isRepeat('1', until)).toBe(true);
});

it('what could not be marked is new, and what this process has seen is not', async () => {
  const { app, clock } = world;
  const mark = () => Promise.reject(new Error('the store is away'));
  const seen = new SeenOnce(
    { ...app, store: { ...app.store, events: { ...app.store.events, mark } } },
    'slack',
  );
  expect(await seen.isRepeat('1', clock.now() + MINUTE)).toBe(false);
  expect(await seen.isRepeat('1', clock.now() + MINUTE)).toBe(true);
});

it('events that were dropped are one line for each name in ten minutes, which is cut, with the number of all', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const now = vi.spyOn(performance, 'now').mockReturnValue(1);
  onTestFinished(() => {
    vi.useRealTimers();
    now.mockRestore();
  });
  const drop = makeDropEvent(world.app.log, 'slack');
  for (const name of ['a', 'a', 'b'.repeat(99)]) drop(name);
  now.mockReturnValue(10 * MINUTE + 2);
  vi.runAllTimers();
  drop('a');
  expect(world.logged.map(({ fields: { event, dropped } }) => [event, dropped])).toEqual([
    ['a', 1],
    ['b'.repeat(60), 3],
    ['a', 4],
  ]);
});

it('what has expired is new, to the process that received it, too', async () => {
  const { app, clock } = world;
  const seen = new SeenOnce(app, 'slack');
  expect(await seen.isRepeat('1', clock.now() + MINUTE)).toBe(false);
  clock.time += HOUR;
  expect(await seen.isRepeat('1', clock.now() + MINUTE)).toBe(false);
});

it('a name that could not be found is looked up again after a minute, and a known one after a day', async () => {
  const asked: string[] = [];
  let found: string | undefined;
  const names = new NameCache(world.clock, async (tenant, person) => {
    asked.push(`${tenant} ${person}`);
    return found;
  });
  const name = async () => (await names.of('slack:T1', ['U1'])).get('U1');
  expect([await name(), await name()]).toEqual([undefined, undefined]);
  expect(asked).toEqual(['slack:T1 U1']);
  found = 'Ann';
  world.clock.time += MINUTE + 1;
  expect([await name(), await name()]).toEqual(['Ann', 'Ann']);
  found = 'Anna';
  world.clock.time += HOUR;
  expect(await name()).toBe('Ann');
  world.clock.time += 24 * HOUR;
  expect(await name()).toBe('Anna');
  expect(asked).toHaveLength(3);
});

it('a name neither ends its line nor turns the rest of it round', async () => {
  const controls = ['\u202e', '\u2066', '\u200f', '\u061c'];
  const names = new NameCache(world.clock, async (_, person) =>
    person === 'U1' ? `An${controls.join('')}n\n\u2028 B\u0000` : controls.join(''),
  );
  expect([...(await names.of('slack:T1', ['U1', 'U2']))]).toEqual([['U1', 'Ann B']]);
});

it('a name is shown although more people are looked up at once than are remembered, unless it takes two seconds', async () => {
  changePauses((delay) => (delay === 2 * SECOND ? 500 : delay));
  const late = Promise.withResolvers<string>();
  const names = new NameCache(world.clock, async (_, person) => (person === 'late' ? late.promise : person));
  const people = Array.from({ length: 20_001 }, (_, at) => `U${at}`);
  expect((await names.of('slack:T1', people)).size).toBe(people.length);
  expect([...(await names.of('slack:T1', ['U1', 'late'])).keys()]).toEqual(['U1']);
  late.resolve('Ann');
  expect((await names.of('slack:T1', ['late'])).get('late')).toBe('Ann');
});

it('a name is that of the person in the same tenant', async () => {
  const names = new NameCache(world.clock, async (tenant) => `known to ${tenant}`);
  for (const tenant of ['slack:T1', 'slack:T2'])
    expect((await names.of(tenant, ['U1'])).get('U1')).toBe(`known to ${tenant}`);
});
