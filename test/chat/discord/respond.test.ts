import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerDeadlines } from '../../../src/chat/discord/context.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import type { Dispatcher } from '../../../src/dispatch/contract.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { HINTS } from '../../../src/reply/replies/hint-steps.ts';
import type { Store } from '../../../src/store/store.ts';
import { NOON } from '../../fakes/app.ts';
import type { Message } from '../../fakes/discord/message.ts';
import type { Sight } from '../../fakes/discord/person.ts';
import { type Channel, THREAD } from '../../fakes/discord/world.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { openNewStore } from '../../fakes/new-store.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type Started, startDiscord } from './start.ts';

/** The types of a first answer. */
const FIRST = { message: 4, later: 5, laterUpdate: 6, update: 7, form: 9 } as const;
const FOLLOW_UP = 'POST /webhooks/:application/:token';
const CALLBACK = 'POST /interactions/:interaction/:token/callback';
const EDIT = 'PATCH /webhooks/:application/:token/messages/@original';

/** A store whose answers are held back after `slow`, until `release`. */
function slowStore(real: Store) {
  let gate = Promise.resolve();
  let open = () => {};
  const wrap = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'object' && value !== null) return wrap(value);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          const before = gate;
          const answer: unknown = value.apply(target, given);
          if (answer instanceof Promise) return before.then(() => answer);
          return typeof answer === 'object' && answer !== null ? wrap(answer) : answer;
        };
      },
    });
  return {
    store: wrap(real),
    slow() {
      gate = new Promise<void>((resolve) => {
        open = resolve;
      });
    },
    release() {
      open();
      gate = Promise.resolve();
    },
  };
}

let started: Started;
let slow: ReturnType<typeof slowStore>;
/** The dispatcher, and what a test replaces of it. */
let own: Dispatcher;
let replaced: Partial<Pick<Dispatcher, 'prepare' | 'complete'>> = {};
const ends: (() => unknown)[] = [];

/** The bot and the fake share a clock, so that time passes for both. */
async function start(deadlines: Partial<AnswerDeadlines> = { giveUpAfterMs: MINUTE }): Promise<void> {
  const store = await openNewStore(makeFolder());
  slow = slowStore(store);
  const clock = {
    time: NOON,
    now() {
      return this.time;
    },
  };
  started = await startDiscord({
    door: { deadlines },
    dispatcher(made) {
      own = made;
      return {
        ...made,
        prepare: (request) => (replaced.prepare ?? made.prepare)(request),
        complete: (...asked) => (replaced.complete ?? made.complete)(...asked),
      };
    },
    fake: { clock },
    app: { words: WORDS, house, store: slow.store, clock },
  });
  ends.push(
    () => store.close(),
    () => started.close(),
  );
}
async function end(): Promise<void> {
  while (ends.length > 0) await ends.pop()?.();
}
beforeAll(() => start());
afterAll(end);
beforeEach(() => {
  // The rate limit counts a person's commands over half a minute.
  started.clock.time += MINUTE;
  started.logged.length = 0;
  started.discord.forgetRequests();
});
afterEach(() => {
  slow.release();
  replaced = {};
  started.discord.clearFaults();
  expect(errors()).toEqual([]);
});

const use = (subcommand: string, options = {}, more = {}) =>
  started.discord.command({ channel: started.channel, name: 'letterboxed', subcommand, options, ...more });
const callbacks = () => started.discord.requestsTo(CALLBACK);
const firstAnswer = async () => {
  await expect.poll(() => callbacks()[0]?.status).toBeDefined();
  return callbacks()[0]?.body as { type: number; data?: { flags?: number } };
};
const refused = () => started.discord.requests.filter(({ status = 0 }) => status >= 400);
const errors = () => started.logged.filter(({ level }) => level === 'error');
const warned = () => started.logged.filter(({ level }) => level === 'warn').map(({ fields }) => fields.code);

/** A message with a button whose action is too long for its custom id, and so is kept in the store. */
async function kept(action: string): Promise<Message> {
  const { message } = await use('today');
  await started.store.actions.put('key', action, started.clock.now() + MINUTE);
  const [button] = JSON.stringify(message.components).match(/2\|check[^"]*/) ?? [];
  return JSON.parse(JSON.stringify(message).replace(button!, '@key')) as Message;
}

/** Asks while the store takes four seconds to answer, and checks the first answer. */
async function slowly(ask: () => Promise<Sight>, first: number, isPrivate: boolean): Promise<Sight> {
  started.discord.forgetRequests();
  slow.slow();
  const asked = ask();
  // Before the store answers, or a slow machine would not defer it.
  await expect.poll(() => callbacks().map(({ code }) => code)).toEqual([undefined]);
  const { type, data } = await firstAnswer();
  expect(type).toBe(first);
  if (first === FIRST.later) expect(data?.flags ?? 0).toBe(isPrivate ? 64 : 0);
  started.clock.time += 4_000;
  slow.release();
  const seen = await asked;
  expect(refused()).toEqual([]);
  return seen;
}

describe('while the store takes four seconds', () => {
  it('defers an answer, and opens a form, when access depends on a role in the store', async () => {
    const { discord, guild } = started;
    const role = discord.world.addRole(guild, 'Puzzlers');
    const manager = discord.world.addRole(guild, 'Managers', ['MANAGE_GUILD']);
    const [ben, dana] = ['ben', 'dana'].map((name) => discord.world.addUser(name));
    discord.world.addMember(guild, ben!, [role.id]);
    discord.world.addMember(guild, dana!, [manager.id]);
    await use('daily', { do: 'on', managers: role.id }, { user: dana });
    const seen = await slowly(() => use('daily', { do: 'show' }, { user: ben }), FIRST.later, true);
    expect(seen.text).not.toContain('You need Manage Server, or the role chosen here');
    const carl = discord.world.addUser('carl');
    const refusedOne = await slowly(() => use('daily', { do: 'off' }, { user: carl }), FIRST.later, true);
    expect(refusedOne.text).toContain('You need Manage Server, or the role chosen here');
    const form = await slowly(() => use('set', {}, { user: ben }), FIRST.form, false);
    expect(form.modal.components[0]?.component?.custom_id).toBe('sides');
    const filled = () => discord.submit(form, { sides: 'bcd fgh jkl mnp' });
    expect((await slowly(filled, FIRST.later, true)).text).toContain('Board set for this channel');
  });

  it('defers a long button in private, for a private answer', async () => {
    const message = await kept('2|hint|step=count');
    const press = () => started.discord.press(message, '@key');
    expect((await slowly(press, FIRST.later, true)).text).toContain(HINTS.count.label);
  });

  it('defers a long button in private, and then answers in public', async () => {
    const message = await kept('2|today|');
    const press = () => started.discord.press(message, '@key');
    const seen = await slowly(press, FIRST.later, true);
    await expect.poll(() => seen.followUps.length).toBe(1);
    const [shown] = seen.followUps;
    expect(JSON.stringify(shown?.components)).toContain('Letter Boxed for Friday, November 20, 2026');
    expect(shown!.flags & 64).toBe(0);
    expect(seen.interaction.deleted).toBe(true);
  });

  it('defers a long button, and then offers its form', async () => {
    const message = await kept('2|check|');
    const press = () => started.discord.press(message, '@key');
    const seen = await slowly(press, FIRST.later, true);
    expect(seen.text).toContain('This needs more: words');
    expect((await started.discord.press(seen.message, 'Fill in')).modal.title).toBe('Letter Boxed: check');
  });
});

/** Lets commands run until the returned function is called. */
function hold({ isPrivate = true } = {}): () => void {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const answer = {
    kind: 'answer',
    private: isPrivate,
    inPlace: false,
    guess: [],
    forManagers: false,
  } as const;
  replaced.prepare = (request) => ({ ...answer, request, run: () => promise });
  return () => {
    replaced = {};
    resolve({ title: 'At last', blocks: [], audience: 'asker' });
  };
}

describe('an answer that turns out to be private', () => {
  it('is for the person alone, although it was announced in public', async () => {
    const end = hold({ isPrivate: false });
    const asked = use('about');
    const { type, data } = await firstAnswer();
    expect([type, (data?.flags ?? 0) & 64]).toEqual([FIRST.later, 0]);
    end();
    const seen = await asked;
    await expect.poll(() => seen.followUps.map(({ flags }) => flags & 64)).toEqual([64]);
    expect(seen.interaction.deleted).toBe(true);
  });

  it('arrives, too, where somebody has deleted the announcement', async () => {
    const { interactions, world } = started.discord;
    const end = hold({ isPrivate: false });
    const asked = use('about');
    await firstAnswer();
    interactions.remove(world.application.id, callbacks()[0]!.path.split('/').at(-2)!);
    end();
    const { followUps } = await asked;
    await expect.poll(() => followUps.map(({ flags }) => flags & 64)).toEqual([64]);
  });
});

describe('an answer that is too late', () => {
  it('by three seconds (10062) is logged, nothing more is sent, and its hint counts for nobody', async () => {
    // The process is busy, or the gateway is late.
    replaced.prepare = (request) => {
      started.clock.time += 3_001;
      return own.prepare(request);
    };
    const user = started.discord.world.addUser('late');
    const seen = await use('hint', {}, { user });
    expect(seen.failed).toBe(true);
    await expect.poll(warned).toEqual([10062]);
    expect(started.discord.requests.map(({ code }) => code)).toEqual([10062]);
    replaced = {};
    expect((await use('hint', {}, { user })).text).toContain('Hint 1 of');
  });

  it('because its thread is locked is logged, and its hint counts for nobody', async () => {
    const { discord, channel, guild } = started;
    const user = discord.world.addUser('locked out');
    const isIn = { type: THREAD.public, guild_id: guild.id, parent_id: channel.id };
    const thread = discord.world.keepChannel({ ...channel, id: discord.world.snowflake(), ...isIn });
    thread.thread_metadata = { archived: false, locked: true } as Channel['thread_metadata'];
    discord.fault({ on: CALLBACK, what: { code: 50083 } });
    use('hint', {}, { user, channel: thread }).catch(() => undefined);
    await expect.poll(warned).toEqual([50083]);
    expect((await use('hint', {}, { user })).text).toContain('Hint 1 of');
  });

  it.each([
    [10003, 'the channel was deleted'],
    [10008, 'the person dismissed it'],
    [10015, 'the token is not known any more'],
    [50001, 'the thread was locked where the bot was not added'],
    [50083, 'the thread was locked'],
  ])('is logged and not repeated for code %i: %s', async (code) => {
    const end = hold();
    started.discord.fault({ on: EDIT, what: { code } });
    use('about').catch(() => undefined);
    await firstAnswer();
    end();
    await expect.poll(warned).toEqual([code]);
    expect(started.discord.requests.map((one) => one.code)).toEqual([undefined, code]);
  });
});

describe('a first answer whose response is lost', () => {
  it('is not sent twice', async () => {
    started.discord.fault({ on: CALLBACK, what: 'lose' });
    const seen = await use('about');
    expect(seen.failed).toBe(false);
    await expect.poll(() => callbacks().map(({ code }) => code)).toEqual([undefined, 40060]);
    expect(seen.followUps).toEqual([]);
    expect(warned()).toEqual([]);
  });

  it('is not sent twice by the library either, where a button opens a form', async () => {
    const form = await use('check');
    replaced.prepare = (request) => own.prepare({ ...request, options: {} });
    started.discord.forgetRequests();
    started.discord.fault({ on: CALLBACK, what: 'reset' });
    const seen = await started.discord.submit(form, { words: 'cab' });
    expect(seen.text).toContain('This needs more: words');
    await expect.poll(() => callbacks().map(({ code }) => code)).toEqual([undefined, 40060]);
    await expect.poll(warned).toEqual([40060]);
    expect(seen.followUps).toEqual([]);
  });

  it.each(['lose', { code: 40060 }, 'drop'] as const)(
    'that defers (%o) is followed by the answer',
    async (what) => {
      slow.slow();
      started.discord.fault({ on: CALLBACK, what, ...(typeof what === 'object' && { after: 1 }) });
      if (typeof what === 'object') started.discord.fault({ on: CALLBACK, what: 'lose' });
      const asked = use('today');
      await expect.poll(() => callbacks().length).toBe(2);
      slow.release();
      expect((await asked).text).toContain('Letter Boxed for Friday');
    },
  );

  it('that is refused after it was deferred is followed by an apology', async () => {
    slow.slow();
    started.discord.fault({ on: EDIT, what: { code: 50035 } });
    const asked = use('today');
    await firstAnswer();
    slow.release();
    await expect.poll(() => started.discord.requestsTo(FOLLOW_UP).map(({ status }) => status)).toEqual([200]);
    // The first message after a deferral takes its place.
    expect((await asked).text).toContain('Sorry, that went wrong');
    expect(errors()).toHaveLength(1);
    started.logged.length = 0;
  });
});

it('answers an interaction once that the gateway sends twice', async () => {
  await use('about', {}, { deliveries: 2 });
  await use('about');
  expect(callbacks()).toHaveLength(2);
});

describe('suggestions that can not be sent', () => {
  it('are logged, and nothing else is sent for them', async () => {
    started.discord.fault({ on: CALLBACK, what: { code: 50035 } });
    const asked = { channel: started.channel, name: 'letterboxed', subcommand: 'daily', focused: 'zone' };
    started.discord.complete({ ...asked, options: { zone: 'berl' } }).catch(() => undefined);
    await expect.poll(warned).toEqual([50035]);
    expect(started.discord.requests).toHaveLength(1);
  });
});

function page(number: number): Reply {
  const button = { label: 'Next', action: { command: 'leaderboard', options: { page: number + 1 } } };
  return {
    title: `Page ${number}`,
    blocks: [{ kind: 'buttons', buttons: [button] }],
    // As a list that is empty by then.
    audience: number > 2 ? 'asker' : 'everyone',
    replaces: number > 1,
  };
}

it.each([
  ['later', true, FIRST.later, FIRST.laterUpdate],
  ['at once', false, FIRST.message, FIRST.update],
])(
  'a page that comes %s replaces the message for the person who asked, unless it is private; others get one of their own',
  async (_, isLate, fresh, there) => {
    let release = () => {};
    let wait = Promise.resolve();
    // What is there at once is not deferred on a slow machine either.
    if (!isLate) {
      await end();
      await start({ deferAfterMs: MINUTE });
    }
    replaced.prepare = (request) => ({
      kind: 'answer',
      request,
      private: false,
      inPlace: request.options.page !== undefined,
      guess: [],
      forManagers: false,
      run: () => wait.then(() => page(Number(request.options.page ?? 1))),
    });
    const { discord, channel } = started;
    const [ann, ben] = ['ann', 'ben'].map((name) => discord.world.addUser(name));
    const first = await discord.command({
      channel,
      user: ann!,
      name: 'letterboxed',
      subcommand: 'leaderboard',
    });
    const press = async (user = ann!) => {
      discord.forgetRequests();
      if (isLate)
        wait = new Promise((resolve) => {
          release = resolve;
        });
      const pressed = discord.press(first.message, 'Next', { user });
      await expect.poll(() => callbacks().length).toBe(1);
      release();
      const { type } = callbacks()[0]!.body as { type: number };
      return { seen: await pressed, type };
    };
    const others = await press(ben);
    expect(others.type).toBe(fresh);
    expect(others.seen.text).toContain('Page 2');
    expect(others.seen.message.id).not.toBe(first.message.id);
    expect(first.text).toContain('Page 1');
    const own = await press();
    expect(own.type).toBe(there);
    expect(own.seen.message.id).toBe(first.message.id);
    expect(first.text).toContain('Page 2');
    const { seen } = await press();
    if (!isLate) expect(seen.ephemeral).toBe(true);
    expect(first.text).toContain('Page 2');
  },
);

describe('while the bot stops', () => {
  it('answers what came before, and asks for a retry of what comes now', async () => {
    await end();
    await start();
    const release = hold();
    const begun = use('about');
    await firstAnswer();
    let isStopped = false;
    const stopped = started.door.stop().then(() => {
      isStopped = true;
    });
    const other = await use('today');
    expect(other.text).toContain('restarting');
    expect(other.ephemeral).toBe(true);
    const asked = { channel: started.channel, name: 'letterboxed', subcommand: 'daily', focused: 'zone' };
    expect((await started.discord.complete({ ...asked, options: { zone: 'b' } })).choices).toEqual([]);
    expect(isStopped).toBe(false);
    release();
    expect((await begun).text).toContain('At last');
    await stopped;
  });
});

describe('a store that does not answer', () => {
  it('leaves a long form and suggestions out, in time', async () => {
    await end();
    await start({ giveUpAfterMs: 200 });
    replaced.complete = () => new Promise<never>(() => {});
    slow.slow();
    const [form, suggestions] = await Promise.all([
      use('check', { sides: `ozu nri lfa mbt${' |'.repeat(45)}` }),
      started.discord.complete({
        channel: started.channel,
        name: 'letterboxed',
        subcommand: 'daily',
        options: { zone: 'berl' },
        focused: 'zone',
      }),
    ]);
    expect(form.text).toContain('too slow to open a form');
    expect(form.ephemeral).toBe(true);
    expect(suggestions.interaction.choices).toEqual([]);
    expect(refused()).toEqual([]);
  });
});
