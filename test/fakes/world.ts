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
import { replyText } from '../../src/chat/terminal/screen.ts';
import type { BlockView, MessageView } from '../../src/chat/web/view.ts';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import { Daily } from '../../src/daily/daily.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import type { DoorName } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Poster } from '../../src/dispatch/poster.ts';
import { dayReviews, deliveriesOfPlayers } from '../../src/players/reviews.ts';
import { alignedRows, cellText, isPerson } from '../../src/reply/model/text.ts';
import type { Action, Inline, Line } from '../../src/reply/model/types.ts';
import { type Started, type StartOptions, startDiscord } from '../chat/discord/start.ts';
import { type OpenedSlack, type OpenSlackOptions, openSlack } from '../chat/slack/open-slack.ts';
import { openPage, type Served, serveWeb, type Told } from '../chat/web/serve.ts';
import { makeTestApp, someone, type TestApp, type TestAppOptions } from './app.ts';
import { say } from './ask.ts';
import { type Component, flatten } from './discord/components.ts';
import type { Message as DiscordMessage } from './discord/message.ts';
import type { Sight as DiscordSight } from './discord/person.ts';
import { asList, asWire } from './discord/rules.ts';
import { controlsOf, shownText } from './slack/shown.ts';
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
  /** As it reads now: later changes are in it. */
  readonly text: string;
  /** Where its button for a page leads. */
  readonly link?: string | undefined;
  press(who: Name, label: string): Promise<Shown>;
  /** Sends the form with these options filled in. */
  submit(fields: Readonly<Record<string, string>>): Promise<Shown>;
}

/** A channel at one door. */
export interface Place {
  readonly door: DoorName;
  readonly ref: ChannelRef;
  /** Types a command, such as `hint step:count`, in the channel or in the thread of a message. */
  ask(who: Name, line: string, thread?: Shown): Promise<Shown>;
  /** All that everybody sees in the channel and its threads now. */
  messages(): Promise<readonly Shown[]>;
  /** How this platform writes somebody in `text`. */
  named(who: Name): string;
}

export interface World extends TestApp {
  /** One for each door, in the order in which they were asked for. */
  readonly places: readonly Place[];
  readonly discord: Started | undefined;
  readonly slack: OpenedSlack | undefined;
  readonly web: Served | undefined;
  readonly daily: Daily;
  /** Moves the clock, and lets the daily thread do what is due. */
  at(moment: number): Promise<void>;
}

export interface WorldOptions extends TestAppOptions {
  readonly doors: readonly DoorName[];
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
    ignoredErrors: /^bolt: /,
    ...options,
  });
  const has = (door: DoorName) => doors.includes(door);
  const discord = has('discord')
    ? await startDiscord({ fake: { limits: false }, ...discordOptions, test })
    : undefined;
  const slack = has('slack') ? await openSlack({ ...slackOptions, test }) : undefined;
  const web = has('web') ? await serveWeb({}, test) : undefined;
  for (const [door, opened] of Object.entries({ discord, slack, web }))
    if (opened !== undefined) posters.set(door, opened.door.poster!);
  const daily = new Daily({
    store: test.store,
    puzzles: test.app.puzzles,
    answerSteps: answerSteps(test.app),
    posters: [...posters.values()],
    log: test.app.log,
    clock: test.clock,
    random: () => 0.5,
    owner: 'test',
    source: 'house',
    reviews: dayReviews(test.app),
    kinds: deliveriesOfPlayers(test.app),
    concurrency: 1,
  });
  const makePlace: Record<DoorName, () => Place> = {
    discord: () => onDiscord(discord!),
    slack: () => onSlack(slack!),
    web: () => onWeb(web!),
    terminal: () => inTerminal(test),
  };
  return {
    ...test,
    places: doors.map((door) => makePlace[door]()),
    discord,
    slack,
    web,
    daily,
    async at(moment) {
      test.clock.time = moment;
      await daily.tick();
      await daily.runDue();
    },
    async close() {
      await daily.stop();
      for (const opened of [discord, slack, web]) await opened?.close();
      await test.close();
    },
  };
}

const COVER = '▒▒▒▒▒▒';

/** Moments in New York time, as platforms show them. */
function inNewYork(moment: number, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...style }).format(moment);
}
const time = (moment: number) => inNewYork(moment, { timeStyle: 'short' });
const full = (moment: number) => inNewYork(moment, { dateStyle: 'medium', timeStyle: 'short' });

function onDiscord({ app, discord, guild, channel }: Started): Place {
  const { world } = discord;
  const users = { ada: world.addUser('ada'), ben: world.addUser('ben'), cleo: world.addUser('cleo') };
  world.addMember(guild, users.ada, [world.addRole(guild, 'Managers', ['MANAGE_GUILD']).id]);
  const threads = () => world.channelsOf(guild.id).filter(({ parent_id }) => parent_id === channel.id);
  const seen = (message: DiscordMessage, where: Shown['where'], sight?: DiscordSight): Shown => ({
    id: message.id,
    where,
    get text() {
      return discordText(sight?.message ?? message);
    },
    get link() {
      return flatten((sight?.message ?? message).components).find(({ url }) => url !== undefined)?.url;
    },
    press: async (who, label) =>
      answered(await discord.press(sight?.message ?? message, label, { user: users[who], channel })),
    submit: () => Promise.reject(new Error('Discord shows no form here')),
  });
  function answered(sight: DiscordSight): Shown {
    if (sight.interaction.modal === undefined) {
      return seen(sight.message, sight.ephemeral ? 'asker' : 'channel', sight);
    }
    return {
      id: 'form',
      where: 'form',
      text: JSON.stringify(sight.modal),
      press: () => Promise.reject(new Error('a form has no buttons')),
      submit: async (fields) => answered(await discord.submit(sight, fields)),
    };
  }
  return {
    door: 'discord',
    ref: { tenant: `discord:${guild.id}`, channel: channel.id },
    named: (who) => users[who].username,
    async ask(who, line, thread) {
      const { command: subcommand, options } = readLine(app, line);
      const place = thread === undefined ? channel : threads().find(({ id }) => id === thread.id);
      return answered(
        await discord.command({ channel: place, user: users[who], name: 'letterboxed', subcommand, options }),
      );
    },
    async messages() {
      const inThreads = threads().flatMap(({ id }) => world.messagesOf(id));
      return [
        ...world.messagesOf(channel.id).map((message) => seen(message, 'channel')),
        ...inThreads.map((message) => seen(message, 'thread')),
      ];
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
        .replace(/<t:(\d+):(\w)>/g, (_, seconds, style) =>
          (style === 't' ? time : full)(Number(seconds) * 1000),
        )
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

function onSlack({ fake, workspace, channel, ann, bob }: OpenedSlack): Place {
  const cleo = fake.addPerson(workspace);
  channel.members.add(cleo.id);
  const people = { ada: ann, ben: bob, cleo };
  const posted = () => channel.messages.filter(({ byApp, only }) => byApp && only === undefined);
  const seen = (message: SlackMessage): Shown => {
    const { ts, threadTs, only } = message;
    return {
      id: ts,
      where: only !== undefined ? 'asker' : threadTs === undefined || threadTs === ts ? 'channel' : 'thread',
      get text() {
        return slackText(message.blocks);
      },
      get link() {
        return controlsOf(message.blocks).find(({ element }) => element.url !== undefined)?.element.url;
      },
      press: async (who, label) => answered(await people[who].press(message, label).shown, who),
      submit: () => Promise.reject(new Error('Slack shows no form here')),
    };
  };
  const form = (view: View, who: Name): Shown => ({
    id: 'form',
    where: 'form',
    text: slackText(view.blocks),
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
    ref: { tenant: `slack:${workspace.id}`, channel: channel.id },
    named: (who) => `<@${people[who].id}>`,
    async ask(who, line, thread) {
      const before = posted().length;
      const root = channel.messages.find(({ ts }) => ts === thread?.id);
      // What names people is posted as any message, which tells of no command.
      const isPublic = ({ message }: SlackSight) =>
        message?.byApp === true && message.channel === channel.id && message.only === undefined;
      const inPublic = /^(?:share|leaderboard)/.test(line) ? [fake.next(isPublic)] : [];
      const action =
        root === undefined
          ? people[who].slash(channel, `/letterboxed ${line}`)
          : people[who].mention(channel, line, root);
      const shown = answered(await Promise.race([action.shown, ...inPublic]), who);
      // Everybody in a channel may change its settings there, so a change is announced, after the answer.
      if (who === 'ada' && /^daily (?!show|test)/.test(line)) {
        await expect.poll(() => posted().length).toBeGreaterThan(before);
        await expect.poll(() => slackText(posted().at(-1)!.blocks)).toContain('By <@');
      }
      return shown;
    },
    messages: async () => posted().map(seen),
  };
}

function slackText(blocks: Parameters<typeof shownText>[0]): string {
  const moments = JSON.stringify(blocks).replace(/<!date\^(\d+)\^([^|]*)\|[^>]*>/g, (_, seconds, format) =>
    (format === '{time}' ? time : full)(Number(seconds) * 1000),
  );
  return shownText(JSON.parse(moments))
    .replace(/\*|`/g, '')
    .replace(/\[Show\]/g, `${COVER} [Show]`);
}

function onWeb(served: Served): Place {
  const { url } = served.door;
  type Asked = { readonly form?: { readonly value: string } | undefined };
  async function stateFor(who: Name): Promise<Told['data']> {
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
    text: [message.title, ...message.blocks.map(webText)].filter((text) => text !== '').join('\n'),
    press(who, label) {
      const buttons = message.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
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
    async ask(who, line, on) {
      const thread = (await stateFor(who)).threads?.find(({ opener }) => opener === on?.id)?.id;
      return after(who, () => openPage(url, who).ask('/say', { line, thread }));
    },
    messages: async () => (await messagesFor('cleo')).filter((message) => !message.private).map(seen),
  };
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
      return '[the board, to play in place: Delete, Enter, Undo, Hint]';
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
  if ('moment' in piece) return (piece.style === 'time' ? time : full)(piece.moment);
  if ('command' in piece) return `/letterboxed ${piece.command}`;
  if ('channel' in piece) return `#${piece.channel}`;
  return 'label' in piece ? piece.label : `@${piece.person}`;
}

/** A terminal has no channel: only what is typed is answered. */
function inTerminal({ app }: TestApp): Place {
  const ref = { tenant: 'terminal:local', channel: 'terminal' };
  const asker = {
    ...someone({ id: 'terminal', mayManage: true }, { ...ref, direct: true }),
    door: 'terminal' as const,
  };
  const refuse = () => Promise.reject(new Error('a terminal has nothing to press'));
  return {
    door: 'terminal',
    ref,
    named: () => '@terminal',
    async ask(_, line) {
      const text = replyText(await say(app, line, asker), { reveal: true });
      return { id: 'answer', where: 'asker', text, press: refuse, submit: refuse };
    },
    messages: async () => [],
  };
}
