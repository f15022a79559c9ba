import timers from 'node:timers/promises';
import { SimpleIdentifyThrottler } from 'discord.js';
import { vi } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { DiscordDoor, type DiscordDoorOptions } from '../../../src/chat/discord/door.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import type { Dispatcher } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { type Posted, UNLEASED } from '../../../src/dispatch/poster.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';
import { type FakeDiscord, type Settings, startFakeDiscord } from '../../fakes/discord/index.ts';
import type { Channel, Guild } from '../../fakes/discord/world.ts';
import { pictures } from '../../fakes/pictures.ts';
import { recordingPost } from '../../fakes/poster.ts';
import { house, WORDS } from '../../fakes/small-board.ts';

export interface Started extends TestApp {
  readonly discord: FakeDiscord;
  readonly door: DiscordDoor;
  readonly dispatcher: Dispatcher;
  readonly guild: Guild;
  readonly channel: Channel;
  /** Another door on the same Discord. */
  restart(): Promise<void>;
}

export interface StartOptions {
  /** Sessions follow each other at once, unless it has an `identifyWindow`. */
  readonly fake?: Settings;
  /** A function when they depend on the server, which is created first. */
  readonly door?: Partial<DiscordDoorOptions> | ((guild: Guild) => Partial<DiscordDoorOptions>);
  /** Few words and a small board by default. */
  readonly app?: Parameters<typeof makeTestApp>[0];
  /** An app that is there already; then `close` leaves it open. */
  readonly test?: TestApp;
  /** Changes the dispatcher before the door gets it. */
  readonly dispatcher?: (made: Dispatcher, test: TestApp) => Dispatcher;
  /** Runs before the door connects. */
  readonly prepare?: (discord: FakeDiscord, test: TestApp) => void | Promise<void>;
}

/** Few words and a small board of the day, for tests that don't care what is answered. */
const SMALL = { words: WORDS, house };

/** The library's own. */
const RECONNECT_PAUSE_MS = 500;

/** The real discord.js client against the fake Discord, with every command, in a server with one channel. */
export async function startDiscord(options: StartOptions = {}): Promise<Started> {
  const { fake, door: more, app = SMALL, prepare, dispatcher: change = (made) => made } = options;
  const test = options.test ?? (await makeTestApp(app));
  const discord = await startFakeDiscord({ clock: test.clock, identifyWindow: 0, ...fake });
  // Between two sessions, the library waits for five seconds, and before a reconnect for half a second.
  const throttle = vi.spyOn(SimpleIdentifyThrottler.prototype, 'waitForIdentify');
  if (fake?.identifyWindow === undefined) throttle.mockResolvedValue();
  const sleep = timers.setTimeout;
  const pause = vi
    .spyOn(timers, 'setTimeout')
    .mockImplementation((delay, ...more) => sleep(delay === RECONNECT_PAUSE_MS ? 0 : delay, ...more));
  const guild = discord.world.addGuild('Word club');
  const channel = discord.world.addChannel(guild);
  await prepare?.(discord, test);
  const dispatcher = change(makeDispatcher(test.app, { commands: COMMANDS }), test);
  const make = () =>
    new DiscordDoor({
      app: test.app,
      dispatcher,
      token: discord.token,
      apiUrl: discord.url,
      pictures,
      // However slow the machine is, forms and suggestions are not given up.
      deadlines: { giveUpAfterMs: MINUTE },
      ...(typeof more === 'function' ? more(guild) : more),
    });
  let door = make();
  await door.start();
  return {
    ...test,
    discord,
    get door() {
      return door;
    },
    dispatcher,
    guild,
    channel,
    async restart() {
      await door.stop();
      door = make();
      await door.start();
    },
    async close() {
      await door.stop();
      throttle.mockRestore();
      pause.mockRestore();
      await discord.close();
      if (options.test === undefined) await test.close();
    },
  };
}

/** The answer to a command that is quick and has no options. */
export function about({ discord, channel }: Started) {
  return discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
}

export interface Posts {
  /** What the poster recorded of each post. */
  readonly recorded: Posted[];
  readonly opening: (more?: object) => Promise<Posted>;
  readonly step: (thread: Posted, more?: object) => Promise<Posted>;
}

/** Posts of the daily thread in a channel, one call each, without its planning. */
export function postsIn(
  { door: { poster }, guild }: Pick<Started, 'door' | 'guild'>,
  channel: Channel,
): Posts {
  const recorded: Posted[] = [];
  const base = {
    channel: { tenant: `discord:${guild.id}`, channel: channel.id },
    ...UNLEASED,
    since: 0,
    ...recordingPost({ recorded }),
  };
  const opening = {
    ...base,
    key: 'opening-key',
    reply: reply('The day'),
    threadName: '2026-11-20 · BCD FGH',
  };
  return {
    recorded,
    opening: (more = {}) => poster.open({ ...opening, ping: null, ...more }),
    step: (thread, more = {}) =>
      poster.post({ ...base, key: 'step-key', reply: reply('A step'), thread, ...more }),
  };
}

export const reply = (title: string): Reply => ({
  title,
  blocks: [{ kind: 'spoiler', label: 'Hidden', hidden: ['secret'], reveals: undefined }],
  audience: 'everyone',
});
