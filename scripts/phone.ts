/**
 * Draws the commonest messages as phones of 360 points show them, on Discord and on Slack, and the line below which people
 * have to scroll.
 *
 *   node scripts/phone.ts FOLDER [WIDTH]
 *
 * With the fonts Noto Sans and Lato (on Debian: fonts-noto-core, fonts-lato); others are wider, and wrap earlier.
 *
 * Assumed, for neither platform publishes it for its apps: the sizes in `STYLES`, taken from the platforms' web clients
 * where they have the same element; the room that the client's own bars take; and that buttons wrap where a row of them is
 * too wide.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../commands/index.ts';
import { makeShowCommand } from '../src/chat/discord/commands.ts';
import { renderReply as renderDiscord } from '../src/chat/discord/render.ts';
import { renderReply as renderSlack } from '../src/chat/slack/render.ts';
import { closingMessage, openingMessage, plannedThread } from '../src/daily/delivery/messages.ts';
import { Schedules } from '../src/daily/plan/schedule.ts';
import { DEFAULT_SETTINGS } from '../src/daily/settings/settings.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { huntIn } from '../src/players/hunt.ts';
import { dayGameKey } from '../src/players/results/own-result.ts';
import { dayReviews } from '../src/players/reviews.ts';
import { addDays } from '../src/puzzle/calendar.ts';
import { makeAction } from '../src/reply/model/action.ts';
import { peopleIn } from '../src/reply/model/text.ts';
import type { Action, Reply } from '../src/reply/model/types.ts';
import { makePictures } from '../src/reply/picture/pictures.ts';
import { huntCardReply } from '../src/reply/replies/hunt.ts';
import {
  type OpeningExtras,
  weekLine,
  yesterdayButton,
  yesterdayLine,
} from '../src/reply/replies/opening.ts';
import { launch } from '../test/chat/web/browser.ts';
import { TODAY } from '../test/fakes/app.ts';
import { everyAnswer } from '../test/fakes/every-answer.ts';

/** The commonest messages, by what was typed; the last answer to each. */
const LINES = [
  ...['today', 'hint', 'check forum,mozart', 'play', 'play forum,mobilization', 'share', 'leaderboard'],
  ...['stats', 'daily show', 'help', 'review', 'hunt'],
];
/** Points between the client's own bars, on a phone of 360 by 740. */
const VISIBLE = 610;
const STYLES = `
  * { box-sizing: border-box } body { margin: 0; max-width: 760px; position: relative }
  .fold { position: absolute; top: ${VISIBLE}px; width: 100%; border-top: 2px dashed red }
  img { display: block; width: 100%; border-radius: 8px } button { font: inherit; border: 0 }
  pre { margin: 0; overflow: hidden } .row { display: flex; flex-wrap: wrap; gap: 8px }
  .discord { font: 16px/20px "gg sans", "Noto Sans", sans-serif; background: #1a1a1e; color: #e3e3e6; padding: 8px 16px 8px 72px }
  .discord h3 { font-size: 16px; margin: 0 } .discord small { font-size: 13px; color: #9b9ca3 }
  .discord .box { border: 1px solid #3a3a40; border-left: 4px solid #a8324a; border-radius: 8px; padding: 12px; display: grid; gap: 8px }
  .discord .box > * { min-width: 0; overflow-wrap: anywhere } .discord code { font: 14px/18px monospace; background: #2b2b31; padding: 0 3px }
  .discord button { height: 32px; padding: 0 12px; border-radius: 8px; font-size: 14px; font-weight: 500; color: #fff; background: #3c3d44 }
  .discord .s1 { background: #5865f2 } .discord .s3 { background: #00863a } .discord .s4 { background: #d22d39 }
  .discord .menu { width: 100%; border: 1px solid #3a3a40; border-radius: 8px; padding: 10px 12px; color: #9b9ca3 }
  .discord s { background: #4a4a52; color: transparent; text-decoration: none; border-radius: 4px } .discord b i { font-style: normal; color: #a9bbff }
  .slack { font: 15px/22px "Lato", "Noto Sans", sans-serif; background: #fff; color: #1d1c1d; padding: 8px 16px 8px 60px; display: grid; gap: 8px }
  .slack > * { min-width: 0; overflow-wrap: anywhere } .slack h3 { font-size: 18px; margin: 0 }
  .slack small { font-size: 13px; line-height: 18px; color: #616061 } .slack code, .slack pre { font: 12px/18px monospace; background: #f4f4f4; color: #c01343 }
  .slack pre { padding: 8px; color: #1d1c1d; border: 1px solid #ddd } .slack table { border-collapse: collapse; font-size: 13px } .slack td { border: 1px solid #ddd; padding: 4px 8px; white-space: nowrap }
  .slack button { height: 36px; padding: 0 12px; border-radius: 8px; font-size: 15px; font-weight: 700; background: #fff; border: 1px solid #bbb }
  .slack .primary { background: #007a5a; color: #fff } .slack .wide { overflow: hidden; position: relative }
`;
const PEOPLE: Readonly<Record<string, string>> = {
  ada: 'Ada Lovelace',
  ben: 'Benjamin',
  cleo: 'Cleo from accounting',
};

// biome-ignore lint/suspicious/noExplicitAny: payloads of both platforms, only to be looked at
type Json = any;

const [folder = 'phone', width = '360'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { answers, world } = await everyAnswer();
const dispatcher = makeDispatcher(world.app, { commands: COMMANDS });
const showCommand = makeShowCommand(dispatcher, () => '1');
const pictures = makePictures();
const pack = async (action: Action) => makeAction(action);
const names = async (people: readonly string[]) => new Map(people.map((id) => [id, PEOPLE[id] ?? id]));
const browser = await launch();
const page = await browser.newPage({ viewport: { width: Number(width), height: 740 }, deviceScaleFactor: 2 });
const shown = LINES.map((line) => {
  const { reply } = answers.findLast((one) => one.line === line && one.reply !== undefined)!;
  return { line, reply: reply! };
});
for (const [at, { line, reply }] of [...shown, ...(await channelMessages())].entries()) {
  for (const [door, draw] of Object.entries({ discord: drawDiscord, slack: drawSlack })) {
    await page.setContent(`<style>${STYLES}</style><div class="fold"></div>${await draw(reply)}`);
    const { height = 0 } = (await page.locator(`.${door}`).boundingBox()) ?? {};
    const name = `${door}-${at}-${line.replace(/\W+/g, '-')}`;
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    console.log(`${name}: ${Math.round(height)} of ${VISIBLE} points`);
  }
}
await browser.close();
await world.close();

/** What the channel reads about its hunt, and about its day once that is over. */
async function channelMessages(): Promise<{ line: string; reply: Reply }[]> {
  const { app } = world;
  const channel = { tenant: 'web:local', channel: 'general' };
  const puzzle = await app.puzzles.puzzleOf(TODAY, channel);
  const day = {
    ...channel,
    date: TODAY,
    puzzle,
    now: app.clock.now(),
    settings: DEFAULT_SETTINGS,
    months: [],
  };
  const closing = closingMessage(TODAY, await dayReviews(app).closing(day));
  const thread = new Schedules().of(DEFAULT_SETTINGS, TODAY);
  const hunt = await huntIn(app.store, channel, { board: dayGameKey(puzzle), date: puzzle.date });
  return [
    { line: 'hunt card', reply: huntCardReply(hunt, { options: { date: TODAY }, names: true }) },
    { line: 'closing', reply: closing },
    {
      line: 'morning',
      reply: openingMessage(
        // The longest source.
        { ...puzzle, source: 'newspaper', editor: 'Sam Ezersky', par: 5 },
        plannedThread(thread),
        thread.opensAt,
        fullMorning(),
      ),
    },
  ];
}

/** A Monday's message with as much as it can tell. */
function fullMorning(): OpeningExtras {
  const nine = Array.from({ length: 9 }, (_, index) => ({
    rank: index + 1,
    person: ['ada', 'ben', 'cleo'][index % 3]!,
    words: 2 + index,
    days: 7 - index,
  }));
  const date = addDays(TODAY, -1);
  const yesterday = { date, isYesterday: true, results: nine, names: true, streak: 128 };
  return {
    lines: [
      'The commonest letter of all is missing: no E today.',
      yesterdayLine(yesterday),
      weekLine(nine, true),
    ],
    players: '12 playing, 34 solved, best 2 words.',
    buttons: [yesterdayButton(yesterday)],
  };
}

async function drawDiscord(reply: Reply): Promise<string> {
  const { body, files } = await renderDiscord(reply, {
    pack,
    pictures,
    showCommand,
    names: { of: (_, people) => names(people) },
  });
  const data = new Map(files.map((file) => [`attachment://${file.name}`, source(file.data as Buffer)]));
  const draw = (part: Json): string => {
    switch (part.type) {
      case 1:
        return `<div class="row">${part.components.map(draw).join('')}</div>`;
      case 2:
        return `<button class="s${part.style}">${safe(part.label)}</button>`;
      case 3:
        return `<div class="menu">${safe(part.placeholder)}</div>`;
      case 10:
        return `<div>${part.content
          .split('\n')
          .map(markdown)
          .join('<br>')
          .replace(/\|\|(.+?)\|\|/g, '<s>$1</s>')}</div>`;
      case 12:
        return part.items.map((item: Json) => `<img src="${data.get(item.media.url)}">`).join('');
      default:
        return `<div class="box">${(part.components ?? []).map(draw).join('')}</div>`;
    }
  };
  return `<div class="discord">${(body.components as Json[]).map(draw).join('')}</div>`;
}

function markdown(text: string): string {
  const line = safe(text)
    .replace(/\|\|(.+?)\|\|/g, '<s>$1</s>')
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/`(.+?)`/g, '<code>$1</code>')
    .replace(/&lt;(\/[\w ]+):1>/g, '<b><i>$1</i></b>')
    .replace(/&lt;t:(\d+):t>/g, (_, seconds) => timeOf(Number(seconds)))
    .replace(/&lt;t:\d+:\w>/g, 'in 3 hours')
    .replace(/\\(.)/g, '$1');
  if (line.startsWith('### ')) return `<h3>${line.slice(4)}</h3>`;
  return line.startsWith('-# ') ? `<small>${line.slice(3)}</small>` : line;
}

async function drawSlack(reply: Reply): Promise<string> {
  const files: string[] = [];
  const services = {
    pack,
    store: async () => '1',
    picture: async (picture: Json) => String(files.push(source(await pictures.png(picture))) - 1),
  };
  const options = {
    surface: 'message',
    inThread: false,
    names: await names(peopleIn(reply.blocks)),
  } as const;
  const { blocks } = await renderSlack(reply, options, services);
  const button = ({ text, placeholder, style = '' }: Json) =>
    `<button class="${style}">${safe((text ?? placeholder).text)}</button>`;
  const draw = (block: Json): string => {
    switch (block.type) {
      case 'header':
        return `<h3>${safe(block.text.text)}</h3>`;
      case 'context':
        return `<small>${block.elements.map((one: Json) => mrkdwn(one.text)).join(' ')}</small>`;
      case 'actions':
        return `<div class="row">${block.elements.map(button).join('')}</div>`;
      case 'image':
        return `<img src="${files[Number(block.slack_file.id)]}">`;
      case 'data_table': {
        const cells = (row: Json[]) => row.map(({ text }) => `<td>${safe(text ?? '@')}</td>`).join('');
        return `<div class="wide"><table>${block.rows.map((row: Json[]) => `<tr>${cells(row)}</tr>`).join('')}</table></div>`;
      }
      default: {
        const texts = [block.text, ...(block.fields ?? [])]
          .filter(Boolean)
          .map(({ text }) => `<div>${mrkdwn(text)}</div>`);
        return `<div>${texts.join('')}${block.accessory ? button(block.accessory) : ''}</div>`;
      }
    }
  };
  return `<div class="slack">${(blocks as Json[]).map(draw).join('')}</div>`;
}

function mrkdwn(text: string): string {
  return text
    .replace(/```\n?([\s\S]*?)\n?```/g, '<pre>$1</pre>')
    .replace(/<!date\^(\d+)\^{time}\|[^>]*>/g, (_, seconds) => timeOf(Number(seconds)))
    .replace(/<!date[^|]*\|([^>]*)>/g, 'today at 8:00 PM')
    .replace(/\*(.+?)\*/g, '<b>$1</b>')
    .replace(/`(.+?)`/g, '<code>$1</code>')
    .replace(/\n(?![^<]*<\/pre>)/g, '<br>');
}

function timeOf(seconds: number): string {
  const format = { timeStyle: 'short', timeZone: DEFAULT_SETTINGS.zone } as const;
  return new Date(seconds * 1000).toLocaleTimeString('en-US', format);
}

function source(data: Buffer): string {
  return `data:image/png;base64,${data.toString('base64')}`;
}

function safe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
