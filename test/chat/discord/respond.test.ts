import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { HINTS } from '../../../src/reply/replies/hint-steps.ts';
import { openStore } from '../../../src/store/store.ts';
import { NOON } from '../../fakes/app.ts';
import type { Message } from '../../fakes/discord/message.ts';
import type { Sight } from '../../fakes/discord/person.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type SlowStore, slowStore } from './slow-store.ts';
import { type Started, type StartOptions, startDiscord } from './start.ts';

/** The types of a first answer. */
const FIRST = { message: 4, later: 5, laterUpdate: 6, update: 7, form: 9 } as const;
const CALLBACK = 'POST /interactions/:interaction/:token/callback';
const EDIT = 'PATCH /webhooks/:application/:token/messages/:message';

let started: Started;
let slow: SlowStore;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  slow.release();
  await started.close();
  while (ends.length > 0) await ends.pop()?.();
});

/** The bot and the fake share a clock, so that time passes for both. */
async function start(options: StartOptions = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-slow-'));
  const store = await openStore({ dataDir: folder });
  ends.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => store.close(),
  );
  slow = slowStore(store);
  const clock = {
    time: NOON,
    now() {
      return this.time;
    },
  };
  started = await startDiscord({
    ...options,
    fake: { clock },
    app: { words: WORDS, house, store: slow.store, clock },
  });
}

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
async function slowly(
  ask: () => Promise<Sight>,
  first: number,
  isPrivate: boolean,
  codes: number[] = [],
): Promise<Sight> {
  started.discord.forgetRequests();
  slow.slow();
  const asked = ask();
  const { type, data } = await firstAnswer();
  expect(type).toBe(first);
  if (first === FIRST.later) expect(data?.flags ?? 0).toBe(isPrivate ? 64 : 0);
  started.clock.time += 4_000;
  slow.release();
  const seen = await asked;
  expect(refused().map(({ code }) => code)).toEqual(codes);
  expect(errors()).toEqual([]);
  return seen;
}

describe('while the store takes four seconds', () => {
  it('defers a public answer in public', async () => {
    await start();
    const seen = await slowly(() => use('today'), FIRST.later, false);
    expect(seen.text).toContain('Letter Boxed for Friday, November 20, 2026');
    expect(seen.ephemeral).toBe(false);
  });

  it('defers a private answer in private', async () => {
    await start();
    const seen = await slowly(() => use('hint', { step: 'count' }), FIRST.later, true);
    expect(seen.text).toContain(HINTS.count.label);
  });

  it('defers an answer, and opens a form, when access depends on a role in the store', async () => {
    await start();
    const { discord, guild } = started;
    const role = discord.world.addRole(guild, 'Puzzlers');
    const manager = discord.world.addRole(guild, 'Managers', ['MANAGE_GUILD']);
    const [ben, dana] = ['ben', 'dana'].map((name) => discord.world.addUser(name));
    discord.world.addMember(guild, ben!, [role.id]);
    discord.world.addMember(guild, dana!, [manager.id]);
    await use('daily', { do: 'on', managers: `<@&${role.id}>` }, { user: dana });
    const seen = await slowly(() => use('daily', { do: 'show' }, { user: ben }), FIRST.later, true);
    expect(seen.text).not.toContain('Only managers can do that');
    const carl = discord.world.addUser('carl');
    const refusedOne = await slowly(() => use('daily', { do: 'off' }, { user: carl }), FIRST.later, true);
    expect(refusedOne.text).toContain('Only managers can do that');
    const form = await slowly(() => use('set', {}, { user: ben }), FIRST.form, false);
    expect(form.modal.components[0]?.component?.custom_id).toBe('sides');
    const filled = () => discord.submit(form, { sides: 'bcd fgh jkl mnp' });
    expect((await slowly(filled, FIRST.later, true)).text).toContain('Board set for this channel');
  });

  it('defers a long button in private, for a private answer', async () => {
    await start();
    const message = await kept('2|hint|step=count');
    const press = () => started.discord.press(message, '@key');
    expect((await slowly(press, FIRST.later, true)).text).toContain(HINTS.count.label);
  });

  it('defers a long button in private, and then answers in public', async () => {
    await start();
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
    await start();
    const message = await kept('2|check|');
    const press = () => started.discord.press(message, '@key');
    const seen = await slowly(press, FIRST.later, true);
    expect(seen.text).toContain('This needs more: words');
    expect((await started.discord.press(seen.message, 'Fill in')).modal.title).toBe('Letter Boxed: check');
  });

  it('answers in time without a long form, and without suggestions', async () => {
    const suggest = () => new Promise<never>(() => {});
    const door = { deadlines: { giveUpAfterMs: 200 } };
    await start({ door, dispatcher: (made) => ({ ...made, complete: suggest }) });
    slow.slow();
    const [form, suggestions] = await Promise.all([
      use('check', { sides: 'abc '.repeat(30) }),
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

/** A command that runs until `end` is called; later ones run as usual. */
function stuck({ isPrivate = true } = {}) {
  let end = () => {};
  const reply = new Promise<Reply>((resolve) => {
    end = () => resolve({ title: 'At last', blocks: [], audience: 'asker' });
  });
  let isOver = false;
  const dispatcher: NonNullable<StartOptions['dispatcher']> = (made) => ({
    ...made,
    prepare: (request) =>
      isOver
        ? made.prepare(request)
        : {
            kind: 'answer',
            request,
            private: isPrivate,
            inPlace: false,
            forManagers: false,
            run: () => reply,
          },
  });
  return {
    dispatcher,
    end() {
      isOver = true;
      end();
    },
  };
}

describe('an answer that turns out to be private', () => {
  it('is for the person alone, although it was announced in public', async () => {
    const { dispatcher, end } = stuck({ isPrivate: false });
    await start({ dispatcher });
    const asked = use('about');
    const { type, data } = await firstAnswer();
    expect([type, (data?.flags ?? 0) & 64]).toEqual([FIRST.later, 0]);
    end();
    const seen = await asked;
    await expect.poll(() => seen.followUps.map(({ flags }) => flags & 64)).toEqual([64]);
    expect(seen.interaction.deleted).toBe(true);
  });
});

describe('an answer that is too late', () => {
  it('by three seconds (10062) is logged, and nothing more is sent', async () => {
    await start({
      // The process is busy, or the gateway is late.
      dispatcher: (made, { clock }) => ({
        ...made,
        prepare(request) {
          clock.time += 3_001;
          return made.prepare(request);
        },
      }),
    });
    started.discord.forgetRequests();
    const seen = await use('about');
    expect(seen.failed).toBe(true);
    await expect.poll(warned).toEqual([10062]);
    expect(started.discord.requests.map(({ code }) => code)).toEqual([10062]);
    expect(errors()).toEqual([]);
  });

  it('by fifteen minutes (50027) is logged, and nothing more is sent', async () => {
    const { dispatcher, end } = stuck();
    await start({ dispatcher });
    started.discord.forgetRequests();
    const asked = use('about');
    expect((await firstAnswer()).type).toBe(FIRST.later);
    started.clock.time += 15 * MINUTE + 1;
    end();
    expect((await asked).failed).toBe(true);
    await expect.poll(warned).toEqual([50027]);
    expect(started.discord.requests.map(({ code }) => code)).toEqual([undefined, 50027]);
    expect(errors()).toEqual([]);
    expect((await use('about')).failed).toBe(false);
  });

  it.each([
    [10003, 'the channel was deleted'],
    [10008, 'the person dismissed it'],
    [10015, 'the token is not known any more'],
  ])('is logged and not repeated for code %i: %s', async (code) => {
    const { dispatcher, end } = stuck();
    await start({ dispatcher });
    started.discord.forgetRequests();
    started.discord.fault({ on: EDIT, what: { code } });
    use('about').catch(() => undefined);
    await firstAnswer();
    end();
    await expect.poll(warned).toEqual([code]);
    expect(started.discord.requests.map((one) => one.code)).toEqual([undefined, code]);
    expect(errors()).toEqual([]);
  });
});

describe('a first answer whose response is lost', () => {
  it('is not sent twice', async () => {
    await start();
    started.discord.fault({ on: CALLBACK, what: 'lose' });
    const seen = await use('about');
    expect(seen.failed).toBe(false);
    await expect.poll(() => callbacks().map(({ code }) => code)).toEqual([undefined, 40060]);
    expect(seen.followUps).toEqual([]);
    expect(warned()).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it.each(['lose', { code: 40060 }, 'drop'] as const)(
    'that defers (%o) is followed by the answer',
    async (what) => {
      await start();
      slow.slow();
      started.discord.fault({ on: CALLBACK, what, ...(typeof what === 'object' && { after: 1 }) });
      if (typeof what === 'object') started.discord.fault({ on: CALLBACK, what: 'lose' });
      const asked = use('today');
      await expect.poll(() => callbacks().length).toBe(2);
      slow.release();
      expect((await asked).text).toContain('Letter Boxed for Friday');
      expect(errors()).toEqual([]);
    },
  );

  it('that defers after another delivery of the same event did is followed by the answer', async () => {
    await start();
    const seen = await slowly(() => use('today', {}, { deliveries: 2 }), FIRST.later, false, [40060]);
    expect(seen.text).toContain('Letter Boxed for Friday');
    await expect.poll(() => started.discord.requestsTo(EDIT).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('suggestions that can not be sent', () => {
  it('are logged, and nothing else is sent for them', async () => {
    await start();
    started.discord.forgetRequests();
    started.discord.fault({ on: CALLBACK, what: { code: 50035 } });
    const asked = { channel: started.channel, name: 'letterboxed', subcommand: 'daily', focused: 'zone' };
    started.discord.complete({ ...asked, options: { zone: 'berl' } }).catch(() => undefined);
    await expect.poll(warned).toEqual([50035]);
    expect(started.discord.requests).toHaveLength(1);
    expect(errors()).toEqual([]);
  });
});

describe('while the bot stops', () => {
  it('answers what came before, and asks for a retry of what comes now', async () => {
    const { dispatcher, end } = stuck();
    await start({ dispatcher });
    started.discord.forgetRequests();
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
    end();
    expect((await begun).text).toContain('At last');
    await stopped;
  });
});

function page(number: number): Reply {
  const button = { label: 'Next', action: { command: 'leaderboard', options: { page: number + 1 } } };
  return {
    title: `Page ${number}`,
    blocks: [{ kind: 'buttons', buttons: [button] }],
    audience: 'everyone',
    replaces: number > 1,
  };
}

it.each([
  ['at once', false, FIRST.message, FIRST.update],
  ['later', true, FIRST.later, FIRST.laterUpdate],
])(
  'a page that comes %s replaces the message for the person who asked; others get one of their own',
  async (_, isLate, fresh, there) => {
    let release = () => {};
    let wait = Promise.resolve();
    await start({
      // What is there at once is not deferred on a slow machine either.
      ...(!isLate && { door: { deadlines: { deferAfterMs: MINUTE } } }),
      dispatcher: (made) => ({
        ...made,
        prepare: (request) => ({
          kind: 'answer',
          request,
          private: false,
          inPlace: request.options.page !== undefined,
          forManagers: false,
          run: () => wait.then(() => page(Number(request.options.page ?? 1))),
        }),
      }),
    });
    const { discord, channel } = started;
    const [ann, ben] = ['ann', 'ben'].map((name) => discord.world.addUser(name));
    const said = () => discord.requestsTo('POST /interactions/:interaction/:token/callback');
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
      await expect.poll(() => said().length).toBe(1);
      release();
      const { type } = said()[0]!.body as { type: number };
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
  },
);
