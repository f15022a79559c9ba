import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/reply/model/types.ts';
import { openStore } from '../../../src/store/open.ts';
import { NOON } from '../../fakes/app.ts';
import type { Message } from '../../fakes/discord/message.ts';
import type { Sight } from '../../fakes/discord/person.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type SlowStore, slowStore } from './slow-store.ts';
import { type Started, type StartOptions, startDiscord } from './start.ts';

/** How the callback names what it says first. */
const SAYS = { message: 4, later: 5, update: 6, form: 9 } as const;
const CALLBACK = 'POST /interactions/:interaction/:token/callback';
const EDIT = 'PATCH /webhooks/:application/:token/messages/:message';
const MINUTE = 60_000;

let started: Started;
let slow: SlowStore;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  slow.release();
  await started.close();
  while (ends.length > 0) await ends.pop()?.();
});

/** One clock for the bot and its Discord, so that time passes for both. */
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
const firstSaid = async () => {
  await expect.poll(() => callbacks().length).toBeGreaterThan(0);
  return callbacks()[0]?.body as { type: number; data?: { flags?: number } };
};
const refused = () => started.discord.requests.filter(({ status = 0 }) => status >= 400);
const errors = () => started.logged.filter(({ level }) => level === 'error');
const warned = () => started.logged.filter(({ level }) => level === 'warn').map(({ fields }) => fields.code);

/** A message with a button that stands for an action too long for it, which is kept in the store. */
async function kept(action: string): Promise<Message> {
  const { message } = await use('today');
  await started.store.actions.put('key', action, started.clock.now() + MINUTE);
  const [button] = JSON.stringify(message.components).match(/1\|check[^"]*/) ?? [];
  return JSON.parse(JSON.stringify(message).replace(button!, '@key')) as Message;
}

/** Four seconds pass before the store says anything, and the answer comes all the same. */
async function slowly(
  ask: () => Promise<Sight>,
  first: number,
  isPrivate: boolean,
  codes: number[] = [],
): Promise<Sight> {
  started.discord.forgetRequests();
  slow.slow();
  const asked = ask();
  const { type, data } = await firstSaid();
  expect(type).toBe(first);
  if (first === SAYS.later) expect(data?.flags ?? 0).toBe(isPrivate ? 64 : 0);
  started.clock.time += 4_000;
  slow.release();
  const seen = await asked;
  expect(refused().map(({ code }) => code)).toEqual(codes);
  expect(errors()).toEqual([]);
  return seen;
}

describe('a store that takes four seconds', () => {
  it('puts off an answer for everyone', async () => {
    await start();
    const seen = await slowly(() => use('today'), SAYS.later, false);
    expect(seen.text).toContain('Letter Boxed, Friday 20 November 2026');
    expect(seen.ephemeral).toBe(false);
  });

  it('puts off a private one in private', async () => {
    await start();
    const seen = await slowly(() => use('hint', { step: 'count' }), SAYS.later, true);
    expect(seen.text).toContain('Hint 2 of 7');
  });

  it('does not keep those waiting who may manage by a role that stands in it', async () => {
    await start();
    const { discord, guild } = started;
    const role = discord.world.addRole(guild, 'Puzzlers');
    const manager = discord.world.addRole(guild, 'Managers', ['MANAGE_GUILD']);
    const [ben, dana] = ['ben', 'dana'].map((name) => discord.world.addUser(name));
    discord.world.addMember(guild, ben!, [role.id]);
    discord.world.addMember(guild, dana!, [manager.id]);
    await use('daily', { do: 'on', managers: `<@&${role.id}>` }, { user: dana });
    const seen = await slowly(() => use('daily', { do: 'show' }, { user: ben }), SAYS.later, true);
    expect(seen.text).not.toContain('for those who manage this place');
    const carl = discord.world.addUser('carl');
    const refusedOne = await slowly(() => use('daily', { do: 'show' }, { user: carl }), SAYS.later, true);
    expect(refusedOne.text).toContain('for those who manage this place');
    const form = await slowly(() => use('set', {}, { user: ben }), SAYS.form, false);
    expect(form.modal.components[0]?.component?.custom_id).toBe('sides');
    const filled = () => discord.submit(form, { sides: 'bcd fgh jkl mnp' });
    expect((await slowly(filled, SAYS.later, true)).text).toContain('is set for this channel');
  });

  it('keeps the meaning of a long button: what is private', async () => {
    await start();
    const message = await kept('1|hint|step=count');
    const press = () => started.discord.press(message, '@key');
    expect((await slowly(press, SAYS.later, true)).text).toContain('Hint 2 of 7');
  });

  it('keeps the meaning of a long button: what is for everyone comes in public', async () => {
    await start();
    const message = await kept('1|today');
    const press = () => started.discord.press(message, '@key');
    const seen = await slowly(press, SAYS.later, true);
    await expect.poll(() => seen.followUps.length).toBe(1);
    const [shown] = seen.followUps;
    expect(JSON.stringify(shown?.components)).toContain('Letter Boxed, Friday 20 November 2026');
    expect(shown!.flags & 64).toBe(0);
    expect(seen.interaction.deleted).toBe(true);
  });

  it('keeps the meaning of a long button: a form can no longer be opened, which is said', async () => {
    await start();
    const message = await kept('1|check');
    const press = () => started.discord.press(message, '@key');
    expect((await slowly(press, SAYS.later, true)).text).toContain('too slow to open a form');
  });

  it('has to keep a long form, and suggestions: said without it, in time', async () => {
    const suggest = () => new Promise<never>(() => {});
    await start({ dispatcher: (made) => ({ ...made, complete: suggest }) });
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

/** A command that takes until it is told to end, and then works. */
function stuck() {
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
        : { kind: 'answer', request, private: true, managing: false, run: () => reply },
  });
  return {
    dispatcher,
    end() {
      isOver = true;
      end();
    },
  };
}

describe('an answer that comes too late', () => {
  it('after three seconds (10062): the log says so, and nothing more is sent', async () => {
    await start({
      // A process that is kept busy, or a gateway that lags behind.
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

  it('after fifteen minutes (50027): the log says so, and nothing more is sent', async () => {
    const { dispatcher, end } = stuck();
    await start({ dispatcher });
    started.discord.forgetRequests();
    const asked = use('about');
    expect((await firstSaid()).type).toBe(SAYS.later);
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
  ])('code %i, %s: nobody is left to be told', async (code) => {
    const { dispatcher, end } = stuck();
    await start({ dispatcher });
    started.discord.forgetRequests();
    started.discord.fault({ on: EDIT, what: { code } });
    use('about').catch(() => undefined);
    await firstSaid();
    end();
    await expect.poll(warned).toEqual([code]);
    expect(started.discord.requests.map((one) => one.code)).toEqual([undefined, code]);
    expect(errors()).toEqual([]);
  });
});

describe('a first answer whose own answer is lost', () => {
  it('is not given twice', async () => {
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
    'that it comes later (%o): it still comes',
    async (what) => {
      await start();
      slow.slow();
      started.discord.fault({ on: CALLBACK, what, ...(typeof what === 'object' && { after: 1 }) });
      if (typeof what === 'object') started.discord.fault({ on: CALLBACK, what: 'lose' });
      const asked = use('today');
      await expect.poll(() => callbacks().length).toBe(2);
      slow.release();
      expect((await asked).text).toContain('Letter Boxed, Friday');
      expect(errors()).toEqual([]);
    },
  );

  it('that it comes later, which another delivery of the same event said: it comes', async () => {
    await start();
    const seen = await slowly(() => use('today', {}, { deliveries: 2 }), SAYS.later, false, [40060]);
    expect(seen.text).toContain('Letter Boxed, Friday');
    await expect.poll(() => started.discord.requestsTo(EDIT).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('suggestions that can not be given', () => {
  it('are not answered with something else', async () => {
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
  it('what was begun is answered, and what comes is told to come again', async () => {
    const { dispatcher, end } = stuck();
    await start({ dispatcher });
    started.discord.forgetRequests();
    const begun = use('about');
    await firstSaid();
    let isStopped = false;
    const stopped = started.door.stop().then(() => {
      isStopped = true;
    });
    const other = await use('today');
    expect(other.text).toContain('being restarted');
    expect(other.ephemeral).toBe(true);
    const asked = { channel: started.channel, name: 'letterboxed', subcommand: 'daily', focused: 'zone' };
    expect((await started.discord.complete({ ...asked, options: { zone: 'b' } })).choices).toEqual([]);
    expect(isStopped).toBe(false);
    end();
    expect((await begun).text).toContain('At last');
    await stopped;
  });
});
