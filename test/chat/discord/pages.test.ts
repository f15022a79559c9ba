import { afterEach, expect, it } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type Started, startDiscord } from './start.ts';

const FIRST = { message: 4, later: 5, laterChange: 6, change: 7 } as const;

let started: Started;
afterEach(() => started.close());

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
  ['at once', false, FIRST.message, FIRST.change],
  ['later', true, FIRST.later, FIRST.laterChange],
])(
  'a page that comes %s replaces the message for the person who asked; others get one of their own',
  async (_, isLate, fresh, there) => {
    let release = () => {};
    let wait = Promise.resolve();
    started = await startDiscord({
      app: { words: WORDS, house },
      // What is there at once is not deferred on a slow machine either.
      ...(!isLate && { door: { patience: { deferAt: MINUTE } } }),
      dispatcher: (made) => ({
        ...made,
        prepare: (request) => ({
          kind: 'answer',
          request,
          private: false,
          inPlace: request.options.page !== undefined,
          managing: false,
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
