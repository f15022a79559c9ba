/** One channel at each door with the real daily thread, and what a person reads there, as text. */
import { expect } from 'vitest';

import { replyText } from '../../../src/chat/terminal/screen.ts';
import type { BlockView } from '../../../src/chat/web/view.ts';
import { type Daily, makeDaily } from '../../../src/daily/daily.ts';
import { answerSteps } from '../../../src/daily/delivery/messages.ts';
import type { Poster } from '../../../src/dispatch/poster.ts';
import { reviewInDay } from '../../../src/players/reviews/review-days.ts';
import { alignedRows, cellText, isPerson } from '../../../src/reply/model/text.ts';
import type { Inline, Line } from '../../../src/reply/model/types.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';
import { COMPONENT, type Component, flatten } from '../../fakes/discord/components.ts';
import type { Message as DiscordMessage } from '../../fakes/discord/message.ts';
import { asList, asWire } from '../../fakes/discord/rules.ts';
import { shownText } from '../../fakes/slack/shown.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { startDiscord } from '../discord/start.ts';
import { messageOf, openSlack } from '../slack/open-slack.ts';
import { openPage } from '../web/page.ts';
import { serveWeb } from '../web/serve.ts';

/** A message as somebody reads it, in the channel or in a thread, with what is hidden covered. */
export interface Read {
  readonly id: string;
  readonly where: 'channel' | 'thread';
  readonly text: string;
}

export interface DoorDay {
  readonly name: string;
  /** Moves the clock, and lets the daily thread do what is due. */
  at(moment: number): Promise<void>;
  /** All that is in the channel and its threads now. */
  messages(): Promise<readonly Read[]>;
  /** What any member is answered, or somebody who changes the settings of the channel, which it is told then. */
  ask(line: string, who: 'manager' | 'member'): Promise<string>;
  close(): Promise<void>;
}

export const COVER = '▒▒▒▒▒▒';
const APP = { words: WORDS, house };

/** Moments in New York time, as platforms show them. */
function inNewYork(moment: number, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...style }).format(moment);
}
const time = (moment: number) => inNewYork(moment, { timeStyle: 'short' });
const full = (moment: number) => inNewYork(moment, { dateStyle: 'medium', timeStyle: 'short' });

function dailyOf({ app, clock }: TestApp, poster: Poster): Daily & { at(moment: number): Promise<void> } {
  const daily = makeDaily({
    store: app.store,
    puzzles: app.puzzles,
    answerSteps: answerSteps(app),
    posters: [poster],
    log: app.log,
    clock,
    random: () => 0.5,
    owner: 'test',
    source: 'house',
    dayReview: reviewInDay(app),
    pace: () => ({ concurrency: 1, perSecond: 1e6 }),
  });
  return Object.assign(daily, {
    async at(moment: number) {
      clock.time = moment;
      await daily.tick();
      await daily.runDue();
    },
  });
}

export async function openDiscord(): Promise<DoorDay> {
  const app = { ...APP, posterOf: () => started.door.poster };
  const started: Awaited<ReturnType<typeof startDiscord>> = await startDiscord({
    app,
    fake: { limits: false },
  });
  const { discord, guild, channel } = started;
  const [manager, member] = ['ann', 'bob'].map((name) => discord.world.addUser(name));
  discord.world.addMember(guild, manager!, [discord.world.addRole(guild, 'Managers', ['MANAGE_GUILD']).id]);
  const daily = dailyOf(started, started.door.poster);
  return {
    name: 'discord',
    at: (moment) => daily.at(moment),
    async messages() {
      const threads = discord.world.channelsOf(guild.id).filter(({ parent_id }) => parent_id === channel.id);
      const read = (id: string, where: Read['where']) =>
        discord.world
          .messagesOf(id)
          .map((message) => ({ id: message.id, where, text: discordText(message) }));
      return [...read(channel.id, 'channel'), ...threads.flatMap(({ id }) => read(id, 'thread'))];
    },
    async ask(line, who) {
      const [subcommand = '', action = ''] = line.split(' ');
      const [, named, value] = /^(\w+):(.+)$/.exec(action) ?? [];
      const user = who === 'manager' ? manager! : member!;
      const options: Record<string, string> = named ? { [named]: value ?? '' } : action ? { do: action } : {};
      const seen = await discord.command({ channel, user, name: 'letterboxed', subcommand, options });
      return discordText(seen.message);
    },
    async close() {
      await daily.stop();
      await started.close();
    },
  };
}

export function discordText({ components }: Pick<DiscordMessage, 'components'>): string {
  return components
    .flatMap((top) => ('components' in top ? asList(top.components).map((one) => one as Component) : [top]))
    .map(discordPart)
    .filter((text) => text !== '')
    .join('\n');
}

function discordPart(part: Component): string {
  switch (part.type) {
    case COMPONENT.text:
      return String(part.content)
        .replace(/(?<!\\)\|\|.*?(?<!\\)\|\|/gs, COVER)
        .replace(/<t:(\d+):(\w)>/g, (_, seconds, style) =>
          (style === 't' ? time : full)(Number(seconds) * 1000),
        )
        .replace(/^(###|-#) /gm, '')
        .replace(/\\(.)/g, '$1')
        .replace(/\*\*|`/g, '');
    case COMPONENT.gallery:
      return asList(asWire(part).items)
        .map(asWire)
        .map(({ description, spoiler }) => (spoiler ? `[picture ${COVER}]` : `[picture: ${description}]`))
        .join('\n');
    case COMPONENT.row:
      return flatten([part])
        .flatMap(({ type, label }) => (type === COMPONENT.button ? [`[${label}]`] : []))
        .join(' ');
    default:
      return '';
  }
}

export async function openSlackDay(): Promise<DoorDay> {
  const posterOf = () => slack.door.poster;
  const test = await makeTestApp({ ...APP, posterOf, ignoredErrors: /^bolt: / });
  const slack: Awaited<ReturnType<typeof openSlack>> = await openSlack({ test });
  const daily = dailyOf(test, slack.door.poster!);
  const read = (blocks: Parameters<typeof shownText>[0]) =>
    shownText(JSON.parse(JSON.stringify(blocks).replace(/<!date\^(\d+)\^([^|]*)\|[^>]*>/g, slackMoment)))
      .replace(/\*|`/g, '')
      .replace(/\[Show\]/g, `${COVER} [Show]`);
  const posted = () => slack.channel.messages.filter(({ byApp, only }) => byApp && only === undefined);
  return {
    name: 'slack',
    at: (moment) => daily.at(moment),
    messages: async () =>
      posted().map(({ ts, threadTs, blocks }) => ({
        id: ts,
        where: threadTs === undefined || threadTs === ts ? 'channel' : 'thread',
        text: read(blocks),
      })),
    async ask(line, who) {
      const person = who === 'manager' ? slack.ann : slack.bob;
      const before = posted().length;
      const { blocks } = await messageOf(person.slash(slack.channel, `/letterboxed ${line}`));
      // Everybody in a channel may change its settings there, so a change is announced, after the answer.
      if (who === 'manager') await expect.poll(() => posted().length).toBeGreaterThan(before);
      return read(blocks);
    },
    async close() {
      await daily.stop();
      await slack.close();
      await test.close();
    },
  };
}

function slackMoment(_: string, seconds: string, format: string): string {
  const moment = Number(seconds) * 1000;
  return format === '{time}' ? time(moment) : full(moment);
}

export async function openWeb(): Promise<DoorDay> {
  const posterOf = (): Poster => served.door.poster;
  const served: Awaited<ReturnType<typeof serveWeb>> = await serveWeb({ ...APP, posterOf });
  const daily = dailyOf(served, served.door.poster);
  return {
    name: 'web',
    at: (moment) => daily.at(moment),
    async messages() {
      const events = await openPage(served.door.url, 'cleo').listen();
      const { data } = await events.first(({ event }) => event === 'state');
      await events.close();
      return (data.messages ?? []).map(({ id, thread, title, blocks }) => ({
        id,
        where: thread === undefined ? 'channel' : 'thread',
        text: [title, ...blocks.map(webText)].filter((text) => text !== '').join('\n'),
      }));
    },
    async ask(line, who) {
      const { ask, listen } = openPage(served.door.url, who === 'manager' ? 'ada' : 'ben');
      const events = await listen();
      const { data: state } = await events.first(({ event }) => event === 'state');
      const known = new Set(state.messages?.map(({ id }) => id));
      await ask('/say', { line });
      const { data } = await events.first(({ event, data: { id } }) => event !== 'state' && !known.has(id));
      await events.close();
      return [data.title, ...data.blocks.map(webText)].filter((text) => text !== '').join('\n');
    },
    async close() {
      await daily.stop();
      await served.close();
    },
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
export async function openTerminal(): Promise<DoorDay> {
  const test = await makeTestApp(APP);
  const asker = {
    ...someone(
      { id: 'terminal', mayManage: true },
      { tenant: 'terminal:local', channel: 'terminal', direct: true },
    ),
    door: 'terminal' as const,
  };
  return {
    name: 'terminal',
    async at(moment) {
      test.clock.time = moment;
    },
    messages: async () => [],
    ask: async (line) => replyText(await say(test.app, line, asker), { reveal: true }),
    close: () => test.close(),
  };
}
