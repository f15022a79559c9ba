/**
 * One world for tests: an app, the doors that are asked for on their fake platforms, the daily thread in all of them, and
 * people who read, type, press and fill in forms there, alike at every door.
 *
 * @example
 * const { places: [discord], at, close } = await world({ doors: ['discord'] });
 * await discord!.ask('ada', 'daily on');
 * await at(newYork(21, 8));
 * const [opening] = await discord!.messages();
 */

import { ComponentType } from 'discord.js';
import { expect } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import { DOORS } from '../../src/core/channel-ref.ts';
import { Daily, type DailyOptions } from '../../src/daily/daily.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Poster } from '../../src/dispatch/poster.ts';
import { messagesUpdated } from '../../src/players/public-messages.ts';
import { dayReviews, playerHandlers } from '../../src/players/reviews.ts';
import { alignedRows, cellText, isPerson } from '../../src/reply/model/table.ts';
import type { Action, Inline, Line } from '../../src/reply/model/types.ts';
import type { BlockView, MessageView } from '../../src/web/chat/views.ts';
import { type Started, type StartOptions, startDiscord } from '../chat/discord/start.ts';
import { type OpenedSlack, type OpenSlackOptions, openSlack } from '../chat/slack/open-slack.ts';
import { type BoardFacts, openPage, type Served, serveWeb } from '../chat/web/serve.ts';
import { makeTestApp, someone, type TestApp, type TestAppOptions } from './app.ts';
import { type Component, flatten } from './discord/components.ts';
import type { Message as DiscordMessage } from './discord/message.ts';
import type { Sight as DiscordSight } from './discord/person.ts';
import { asList, asWire } from './discord/rules.ts';
import { shownText } from './slack/shown.ts';
import type { Message as SlackMessage, Sight as SlackSight, View } from './slack/world.ts';
import { house, WORDS } from './small-board.ts';

/** A moment of November 2026, in New York time. */
export const newYork = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 5, minute);

/** The three people of each place, whom the local chat has too. The first may change the settings of the channel. */
export type Name = 'ada' | 'ben' | 'cleo';

/** What somebody sees: an answer, a message, or a form. What is hidden is covered. */
export interface Shown {
  readonly id: string;
  /** `asker`: nobody else sees it. */
  readonly where: 'channel' | 'thread' | 'asker' | 'form';
  /** The current text, including later changes. */
  readonly text: string;
  press(who: Name, label: string): Promise<Shown>;
  /** Sends the form with these options filled in. */
  submit(fields: Readonly<Record<string, string>>): Promise<Shown>;
}

/** The doors that have channels. */
export const WORLD_DOORS = DOORS.filter((door) => door !== 'terminal');
type WorldDoor = (typeof WORLD_DOORS)[number];
export const PLATFORMS = WORLD_DOORS.filter((door) => door !== 'web');
export type Platform = (typeof PLATFORMS)[number];

/** A channel at one door. */
export interface Place {
  readonly door: WorldDoor;
  readonly ref: ChannelRef;
  /** Types a command, such as `hint step:count`, in the channel, in the thread of a message, or to the bot alone. */
  ask(who: Name, line: string, where?: Shown | 'private messages'): Promise<Shown>;
  /** All that everybody sees in the channel and its threads now. */
  messages(): Promise<readonly Shown[]>;
  /** How this platform writes somebody in `text`. */
  named(who: Name): string;
  /** Their id there. */
  idOf(who: Name): string;
}

export interface World extends TestApp {
  /** One for each door, in the order in which they were asked for. */
  readonly places: readonly Place[];
  readonly discord: Started | undefined;
  readonly slack: OpenedSlack | undefined;
  readonly web: Served | undefined;
  readonly daily: Daily;
  /** Another process's daily thread. */
  begin(other: Partial<DailyOptions>): Daily;
  /** Moves the clock, and lets the daily thread do what is due. */
  at(moment: number): Promise<void>;
  /** Other doors and another daily thread, with nothing that these had in memory. The local chat, which has all there, stays. */
  restart(): Promise<void>;
}

export interface WorldOptions extends TestAppOptions {
  readonly doors: readonly WorldDoor[];
  /** What else a door is opened with. */
  readonly discord?: StartOptions;
  readonly slack?: OpenSlackOptions;
}

/** Opens a world, on the small board unless it is given other words. */
export async function world({
  doors,
  discord: discordOptions,
  slack: slackOptions,
  ...options
}: WorldOptions): Promise<World> {
  const posters = new Map<string, Poster>();
  const test = await makeTestApp({
    ...(options.words === undefined && options.lexicon === undefined && { words: WORDS, house }),
    posterOf: (door) => posters.get(door),
    ...options,
  });
  const has = (door: WorldDoor) => doors.includes(door);
  const discord = has('discord')
    ? await startDiscord({ fake: { limits: false }, ...discordOptions, test })
    : undefined;
  const slack = has('slack') ? await openSlack({ ...slackOptions, test }) : undefined;
  const web = has('web') ? await serveWeb({}, test) : undefined;
  let started = 0;
  function begin(other: Partial<DailyOptions> = {}): Daily {
    for (const [door, opened] of Object.entries({ discord, slack, web }))
      if (opened !== undefined) posters.set(door, opened.door.poster);
    return new Daily({
      store: test.store,
      puzzles: test.app.puzzles,
      answerSteps: answerSteps(test.app),
      posters: [...posters.values()],
      log: test.app.log,
      clock: test.clock,
      random: () => 0.5,
      owner: `test ${++started}`,
      reviews: dayReviews(test.app),
      handlers: playerHandlers(test.app),
      concurrency: 1,
      ...other,
    });
  }
  let daily = begin();
  const makePlace: Record<WorldDoor, () => Place> = {
    discord: () => onDiscord(discord!),
    slack: () => onSlack(slack!, test),
    web: () => onWeb(web!),
  };
  return {
    ...test,
    places: doors.map((door) => whenShown(makePlace[door](), test)),
    discord,
    slack,
    web,
    begin,
    get daily() {
      return daily;
    },
    async at(moment) {
      test.clock.time = moment;
      await daily.tick();
      await daily.runDue();
    },
    async restart() {
      await daily.stop();
      for (const opened of [discord, slack]) await opened?.restart();
      daily = begin();
    },
    async close() {
      await daily.stop();
      for (const opened of [discord, slack, web]) await opened?.close();
      await test.close();
    },
  };
}

/** Whoever looks at a place sees it once messages show what answers have told. */
function whenShown(place: Place, { app }: TestApp): Place {
  return { ...place, messages: () => messagesUpdated(app).then(place.messages) };
}

const COVER = '▒▒▒▒▒▒';

/** Moments in New York time, as platforms show them. */
function inNewYork(moment: number, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...style }).format(moment);
}
/** A moment in what is read, until it is known how to show it. */
const marked = (moment: number, isTime: boolean) => `⟦${moment}${isTime ? ' time' : ''}⟧`;
const MARKED = /⟦(\d+)( time)?⟧/g;

function inWords(read: string): string {
  return read.replace(MARKED, (_, moment, isTime) =>
    inNewYork(Number(moment), isTime ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }),
  );
}

function onDiscord({ app, discord, guild, channel }: Started): Place {
  const { world } = discord;
  const users = { ada: world.addUser('ada'), ben: world.addUser('ben'), cleo: world.addUser('cleo') };
  world.addMember(guild, users.ada, [world.addRole(guild, 'Managers', ['MANAGE_GUILD']).id]);
  const threads = () => world.channelsOf(guild.id).filter(({ parent_id }) => parent_id);
  const seen = (message: DiscordMessage, where: Shown['where'], sight?: DiscordSight): Shown => ({
    id: message.id,
    where,
    get text() {
      return inWords(discordText(sight?.message ?? message));
    },
    press: async (who, label) =>
      answered(await discord.press(sight?.message ?? message, label, { user: users[who], channel })),
    submit: () => Promise.reject(new Error('Discord shows no form here')),
  });
  async function answered(sight: DiscordSight): Promise<Shown> {
    if (sight.interaction.deleted) {
      // A private answer in place of one that was announced to everybody.
      await expect.poll(() => sight.followUps.length).toBeGreaterThan(0);
      return seen(sight.followUps[0]!, 'asker');
    }
    if (sight.interaction.modal === undefined)
      return seen(sight.message, sight.ephemeral ? 'asker' : 'channel', sight);
    const text = JSON.stringify(sight.modal);
    return {
      id: 'form',
      where: 'form',
      text,
      press: () => Promise.reject(new Error('a form has no buttons')),
      submit: async (fields) => answered(await discord.submit(sight, fields)),
    };
  }
  return {
    door: 'discord',
    ref: { tenant: `discord:${guild.id}`, channel: channel.id },
    named: (who) => users[who].username,
    idOf: (who) => users[who].id,
    async ask(who, line, where) {
      const { command: subcommand, options } = readLine(app, line);
      const inThread = typeof where === 'object' && threads().find(({ id }) => id === where.id);
      const sight = await discord.command({
        ...(where !== 'private messages' && { channel: inThread || channel }),
        user: users[who],
        name: 'letterboxed',
        subcommand,
        options,
      });
      // The form for settings is sent with what it shows as set.
      return answered(
        sight.interaction.modal && subcommand === 'daily' ? await discord.submit(sight, {}) : sight,
      );
    },
    async messages() {
      const inThreads = threads().flatMap(({ id }) =>
        world.messagesOf(id).map((message) => seen(message, 'thread')),
      );
      return [...world.messagesOf(channel.id).map((message) => seen(message, 'channel')), ...inThreads];
    },
  };
}

/** What a typed line asks for: on Discord it is chosen from lists. */
function readLine(app: TestApp['app'], line: string): Action {
  const dispatcher = makeDispatcher(app, { commands: COMMANDS });
  const prepared = dispatcher.prepareLine(line, someone({ mayManage: true }));
  if (prepared.kind === 'form') return prepared.form.action;
  if (prepared.kind === 'answer') return prepared.request;
  throw new Error(`${line}: ${prepared.reply.title}`);
}

function discordText({ components }: Pick<DiscordMessage, 'components'>): string {
  return components
    .flatMap((top) => ('components' in top ? asList(top.components).map((one) => one as Component) : [top]))
    .map(discordPart)
    .filter((text) => text !== '')
    .join('\n');
}

function discordPart(part: Component): string {
  switch (part.type) {
    case ComponentType.TextDisplay:
      return String(part.content)
        .replace(/(?<!\\)\|\|.*?(?<!\\)\|\|/gs, COVER)
        .replace(/<t:(\d+):(\w)>/g, (_, seconds, style) => marked(Number(seconds) * 1000, style === 't'))
        .replace(/<(\/[^:>]+):\d+>/g, '$1')
        .replace(/^(###|-#) /gm, '')
        .replace(/\\(.)/g, '$1')
        .replace(/\*\*|`/g, '');
    case ComponentType.MediaGallery:
      return asList(asWire(part).items)
        .map(asWire)
        .map(({ description, spoiler }) => (spoiler ? `[picture ${COVER}]` : `[picture: ${description}]`))
        .join('\n');
    case ComponentType.ActionRow:
      return flatten([part])
        .flatMap(({ type, label }) => (type === ComponentType.Button ? [`[${label}]`] : []))
        .join(' ');
    default:
      return '';
  }
}

function onSlack({ fake, workspace, channel, ann, bob }: OpenedSlack, { store }: TestApp): Place {
  const cleo = fake.addPerson(workspace);
  channel.members.add(cleo.id);
  const people = { ada: ann, ben: bob, cleo };
  const ref = { tenant: `slack:${workspace.id}`, channel: channel.id };
  /** What everybody in the channel may change there. */
  async function changeable(): Promise<string> {
    const { subscriptions, boards } = store.tenant(ref.tenant);
    const { version, state, until } = (await subscriptions.get(channel.id)) ?? {};
    return JSON.stringify([version, state, until, await boards.state(channel.id)]);
  }
  const posted = () => channel.messages.filter(({ byApp, only }) => byApp && only === undefined);
  const seen = (message: SlackMessage): Shown => {
    const { ts, threadTs, only } = message;
    return {
      id: ts,
      where: only !== undefined ? 'asker' : threadTs === undefined || threadTs === ts ? 'channel' : 'thread',
      get text() {
        return inWords(slackText(message.blocks));
      },
      press: async (who, label) => answered(await people[who].press(message, label).shown, who),
      submit: () => Promise.reject(new Error('Slack shows no form here')),
    };
  };
  /** Once the names of its people have been looked up. */
  async function named(sight: SlackSight): Promise<SlackSight> {
    await expect.poll(() => slackText(sight.message!.blocks)).not.toMatch(/\bsomeone\b(?! who)/);
    return sight;
  }
  const form = (view: View, who: Name): Shown => ({
    id: 'form',
    where: 'form',
    text: inWords(slackText(view.blocks)),
    press: () => Promise.reject(new Error('a form has no buttons')),
    async submit(fields) {
      const labels = Object.entries(fields).map(([name, typed]) => [
        name[0]!.toUpperCase() + name.slice(1),
        typed,
      ]);
      const answer = fake.next(({ message }) => message?.only === people[who].id);
      const { ack, shown } = people[who].submit(Object.fromEntries(labels));
      const { body } = await ack;
      // The form stays open, with the reason at each field.
      if (body?.response_action === 'errors')
        return { ...form(view, who), text: Object.values(body.errors).join('\n') };
      return answered(await Promise.race([shown, answer]), who);
    },
  });
  const answered = ({ message, view }: SlackSight, who: Name): Shown =>
    message === undefined ? form(view!, who) : seen(message);
  return {
    door: 'slack',
    ref,
    named: (who) => `<@${people[who].id}>`,
    idOf: (who) => people[who].id,
    async ask(who, line, where) {
      const root = typeof where === 'object' && channel.messages.find(({ ts }) => ts === where.id);
      const before = { posted: posted().length, changeable: await changeable() };
      // What names people is posted as any message, which tells of no command.
      const isPublic = ({ message }: SlackSight) =>
        message?.byApp === true && message.channel === channel.id && message.only === undefined;
      const inPublic = /^(?:share|leaderboard)/.test(line) && where !== 'private messages';
      const naming = inPublic ? [fake.next(isPublic).then(named)] : [];
      const action = root
        ? people[who].mention(channel, line, root)
        : where === 'private messages'
          ? people[who].write(line)
          : people[who].slash(channel, `/letterboxed ${line}`);
      const shown = answered(await Promise.race([action.shown, ...naming]), who);
      // A change of what everybody may change is announced, after the answer.
      if ((await changeable()) !== before.changeable) {
        await expect.poll(() => posted().length).toBeGreaterThan(before.posted);
        await expect.poll(() => slackText(posted().at(-1)!.blocks)).toContain('By <@');
      }
      return shown;
    },
    messages: async () => posted().map(seen),
  };
}

function slackText(blocks: Parameters<typeof shownText>[0]): string {
  const moments = JSON.stringify(blocks).replace(/<!date\^(\d+)\^([^|]*)\|[^>]*>/g, (_, seconds, format) =>
    marked(Number(seconds) * 1000, format === '{time}'),
  );
  return shownText(JSON.parse(moments))
    .replace(/\*|`/g, '')
    .replace(/\[Show\]/g, `${COVER} [Show]`);
}

function onWeb(served: Served): Place {
  const { url } = served.door;
  type Asked = { readonly form?: { readonly value: string } | undefined };
  async function stateFor(who: Name): Promise<BoardFacts['data']> {
    const events = await openPage(url, who).listen();
    const { data } = await events.first(({ event }) => event === 'state');
    await events.close();
    return data;
  }
  const messagesFor = async (who: Name) => (await stateFor(who)).messages ?? [];
  /** What is new to somebody once something is done, or has changed: first what is for them alone. */
  async function after(who: Name, act: () => Promise<Asked>): Promise<Shown> {
    const known = new Set((await messagesFor(who)).map((message) => JSON.stringify(message)));
    const { form } = await act();
    if (form !== undefined) return formOf(who, form);
    const fresh = (await messagesFor(who)).filter((message) => !known.has(JSON.stringify(message)));
    const shown = fresh.find((message) => message.private) ?? fresh[0];
    if (shown === undefined) throw new Error('the local chat shows nothing new');
    return seen(shown);
  }
  const seen = (message: MessageView): Shown => ({
    id: message.id,
    where: message.private ? 'asker' : message.thread === undefined ? 'channel' : 'thread',
    get text() {
      return inWords(webMessage(message));
    },
    press(who, label) {
      const buttons = message.blocks.flatMap((block) =>
        block.kind === 'buttons' ? block.buttons : block.kind === 'board' ? block.controls : [],
      );
      const choices = message.blocks.flatMap((block) => (block.kind === 'menu' ? block.choices : []));
      const pressed = [...buttons, ...choices].find((one) => one.label === label);
      const board = message.blocks.find((block) => block.kind === 'board');
      if (board !== undefined && label === 'Hint') {
        const help = { message: message.id, block: board.block, ask: 'hint' };
        return after(who, () => openPage(url, who).ask('/help', help));
      }
      if (pressed === undefined) throw new Error(`There is no button "${label}" to press.`);
      const { value } = pressed;
      return after(who, () => openPage(url, who).ask('/press', { message: message.id, value }));
    },
    submit: () => Promise.reject(new Error('the local chat shows no form here')),
  });
  const formOf = (who: Name, form: { value: string }): Shown => ({
    id: 'form',
    where: 'form',
    text: JSON.stringify(form),
    press: () => Promise.reject(new Error('a form has no buttons')),
    submit: (fields) => after(who, () => openPage(url, who).ask('/submit', { value: form.value, fields })),
  });
  return {
    door: 'web',
    ref: { tenant: 'web:local', channel: 'general' },
    named: (who) => `@${who}`,
    idOf: (who) => who,
    async ask(who, line, on) {
      const opener = typeof on === 'object' ? on.id : undefined;
      const thread =
        opener && (await stateFor(who)).threads?.find((one) => one.openingMessage === opener)?.id;
      return after(who, () => openPage(url, who).ask('/say', { line, thread }));
    },
    async messages() {
      const { messages = [] } = await stateFor('cleo');
      return messages.filter((message) => !message.private).map(seen);
    },
  };
}

function webMessage({ title, blocks }: MessageView): string {
  return [title, ...blocks.map(webText)].filter((text) => text !== '').join('\n');
}

function webText(block: BlockView): string {
  switch (block.kind) {
    case 'text':
      return block.lines.map(webLine).join('\n');
    case 'facts':
      return block.facts.map(({ label, value }) => `${label}\n${webLine(value)}`).join('\n');
    case 'table':
      return alignedRows(block.table, (cell) => (isPerson(cell) ? `@${cell.person}` : cellText(cell))).join(
        '\n',
      );
    case 'picture':
      return block.spoiler ? `[picture ${COVER}]` : `[picture: ${block.alt}]`;
    case 'board':
      return `[the board, to play in place: ${['Delete', 'Enter', 'Undo', 'Hint', ...block.controls.map(({ label }) => label)].join(', ')}]`;
    case 'spoiler':
      return `${block.label} ${COVER} [Show]`;
    case 'opened':
      return [block.label, ...block.lines.map(webLine)].join('\n');
    case 'buttons':
      return block.buttons.map(({ label }) => `[${label}]`).join(' ');
    case 'note':
      return webLine(block.line);
    default:
      return '';
  }
}

function webLine(line: Line): string {
  return (Array.isArray(line) ? line : [line]).map((piece: Inline) => webPiece(piece)).join('');
}

function webPiece(piece: Inline): string {
  if (typeof piece === 'string') return piece;
  if ('bold' in piece) return piece.bold;
  if ('code' in piece) return piece.code;
  if ('moment' in piece) return marked(piece.moment, piece.style === 'time');
  if ('command' in piece) return `/letterboxed ${piece.command}`;
  if ('channel' in piece) return `#${piece.channel}`;
  return 'label' in piece ? piece.label : `@${piece.person}`;
}
