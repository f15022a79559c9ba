import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Conversation, type Exchange } from '../../src/chat/conversation.ts';
import type { Dispatcher } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { madeUp } from '../fakes/ask.ts';
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
const needy = madeUp({
  name: 'needy',
  options: [{ name: 'word', description: 'A word', kind: 'text', required: true }],
  run: async ({ options }) => ({ title: `Got ${options.word}`, blocks: [], audience: 'everyone' }),
});

let world: TestApp;
let dispatcher: Dispatcher;
let conversation: Conversation;
/** What a door was asked to do, in its order. */
let done: string[];
beforeEach(async () => {
  gate = Promise.withResolvers();
  world = await makeTestApp({ words: WORDS, house });
  dispatcher = makeDispatcher(world.app, { commands: [quick, slow, needy] });
  conversation = new Conversation('web', dispatcher, world.app.log);
  done = [];
});
afterEach(() => world.close());

function exchange(more: Partial<Exchange> = {}): Exchange {
  return {
    asker: () => someone(),
    due: () => undefined,
    acknowledge: async () => void done.push('acknowledge'),
    show: async ({ title }, prepared) => void done.push(`show ${title}${prepared ? '' : ', an apology'}`),
    form: async ({ fields }) => void done.push(`form ${fields.map(({ name }) => name)}`),
    ...more,
  };
}
const now = () => Promise.resolve();
const broken = () => Promise.reject(new Error('lost'));
const packed = () => dispatcher.packAction({ command: 'needy', options: {} });

describe('a conversation', () => {
  it.each<[string, string, Partial<Exchange>, string[]]>([
    ['shows an answer', 'quick', {}, ['show Quick']],
    ['opens a form for what is missing', 'needy', {}, ['form word']],
    [
      'acknowledges what takes longer than the platform waits',
      'slow',
      { due: now },
      ['acknowledge', 'show Slow'],
    ],
    ['does not acknowledge a form that is ready', 'needy', { due: (p) => p && now() }, ['form word']],
    [
      'shows what a door makes of running',
      'quick',
      { run: async (answer) => ({ ...(await answer.run()), title: 'Mine' }) },
      ['show Mine'],
    ],
  ])('%s', async (_, line, more, expected) => {
    const answered = conversation.line(exchange(more), line);
    // Long after the platform had to be told.
    await new Promise((resolve) => setTimeout(resolve, 20));
    gate.resolve();
    await answered;
    expect(done).toEqual(expected);
  });

  it('shows a refusal, which is no apology', async () => {
    await conversation.line(exchange(), 'nonsense');
    expect(done).toEqual([expect.stringMatching(/^show (?!.*apology)/)]);
  });

  it('adds what was filled in to the action of a form', async () => {
    await conversation.press(exchange(), await packed(), { word: 'ozone' });
    expect(done).toEqual(['show Got ozone']);
  });

  it.each<[string, Partial<Exchange>, string[]]>([
    ['apologizes', {}, [expect.stringMatching(/^show .*, an apology$/)]],
    ['says nothing when nobody is there any more', { isOver: () => true }, []],
    ['does not reject when the apology fails too', { show: broken }, []],
  ])('%s when something fails on the way', async (_, more, expected) => {
    world.allowErrors('an answer failed');
    await conversation.line(exchange({ asker: broken, ...more }), 'quick');
    expect(done).toEqual(expected);
  });

  it('is done when everything is answered, with what was asked meanwhile', async () => {
    void conversation.line(exchange(), 'slow');
    const all = conversation.done().then(() => done.push('done'));
    void conversation.line(exchange(), 'quick');
    conversation.track(gate.promise.then(() => conversation.line(exchange(), 'quick')));
    gate.resolve();
    await all;
    expect(done.at(-1)).toBe('done');
    expect(done).toHaveLength(4);
  });
});
