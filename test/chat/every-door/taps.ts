/** Finds the shortest way by taps over the real clients. */

import { ComponentType } from 'discord-api-types/v10';
import { makeTestApp } from '../../fakes/app.ts';
import { type Component, flatten } from '../../fakes/discord/components.ts';
import type { Message as DiscordMessage } from '../../fakes/discord/message.ts';
import { asList, asWire } from '../../fakes/discord/rules.ts';
import { controlsOf, shownText } from '../../fakes/slack/shown.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { startDiscord } from '../discord/start.ts';
import { messageOf, openSlack } from '../slack/open-slack.ts';
import { openPage } from '../web/page.ts';
import { serveWeb } from '../web/serve.ts';

/** What somebody sees after some taps. */
export interface Screen {
  /** What can be read at once. */
  readonly text: string;
  /** What is under each cover that opens in place. */
  readonly covered: readonly string[];
  /** What can be pressed, and what can be chosen from menus. */
  readonly buttons: readonly string[];
  readonly choices: readonly string[];
  press(label: string): Promise<Screen>;
}

export interface TapsDoor {
  /** The day's message, as somebody sees it who has never pressed anything. */
  begin(): Promise<Screen>;
  close(): Promise<void>;
}

/** What is read: each match of it, or for the solution the first. */
export interface Goal {
  readonly pattern: RegExp;
  readonly isOneEnough?: true;
}

export const GOALS: Readonly<Record<string, Goal>> = {
  'hint 1': { pattern: /Best first|No shortest solution starts/ },
  'hint 3': { pattern: /can use it/ },
  solution: { pattern: /BFJMCG – GKDHLNBP/, isOneEnough: true },
};

const MOST_TAPS = 8;
/** Ways that lead to playing, checking or sharing, and ask for words. */
const ELSEWHERE = /solved|play|check|share|leaderboard|stats|playable|all solutions|^enter$|^undo$|^delete$/i;

/** Tries ways in the order of what they cost. */
export async function fewestTaps(door: TapsDoor, goal: Goal): Promise<number | undefined> {
  let best: number | undefined;
  const ways: { readonly labels: readonly string[]; readonly taps: number }[] = [{ labels: [], taps: 0 }];
  for (;;) {
    ways.sort((a, b) => a.taps - b.taps);
    const way = ways.shift();
    if (way === undefined || way.taps >= (best ?? MOST_TAPS)) return best;
    let screen = await door.begin();
    for (const label of way.labels) screen = await screen.press(label);
    const more = tapsToRead(screen, goal);
    if (more !== undefined) best = Math.min(best ?? MOST_TAPS, way.taps + more);
    const next = (labels: readonly string[], taps: number) =>
      labels
        .filter((label) => !ELSEWHERE.test(label))
        .map((label) => ({ labels: [...way.labels, label], taps: way.taps + taps }));
    ways.push(...next(screen.buttons, 1), ...next(screen.choices, 2));
  }
}

/** How many covers must be opened to read what is wanted; undefined where it is not on this screen. */
function tapsToRead({ text, covered }: Screen, { pattern, isOneEnough }: Goal): number | undefined {
  const under = covered.filter((one) => pattern.test(one)).length;
  const isOpen = pattern.test(text);
  if (isOneEnough && isOpen) return 0;
  if (!isOpen && under === 0) return undefined;
  return isOneEnough ? 1 : under;
}

const APP = { words: WORDS, house };
const labelsIn = (texts: readonly (string | undefined)[]) => [
  ...new Set(texts.filter((text) => text !== undefined)),
];

async function openDiscord(): Promise<TapsDoor> {
  const started = await startDiscord({ app: APP, fake: { limits: false } });
  const { discord, channel } = started;
  const { message } = await discord.command({ channel, name: 'letterboxed', subcommand: 'today' });
  let people = 0;
  const screenOf = (shown: DiscordMessage, user: ReturnType<typeof discord.world.addUser>): Screen => {
    const parts = flatten(shown.components);
    const whole = parts.map(({ content = '' }) => content).join('\n');
    const hidden = /(?<!\\)\|\|(.*?)(?<!\\)\|\|/gs;
    const plain = (text: string) => text.replace(/[*\\]/g, '');
    return {
      text: plain(whole.replace(hidden, '')),
      covered: [...whole.matchAll(hidden)].map(([, text = '']) => plain(text)),
      buttons: labelsIn(
        parts.map(({ type, label }: Component) => (type === ComponentType.Button ? label : undefined)),
      ),
      choices: labelsIn(
        parts.flatMap((part) =>
          part.type === ComponentType.StringSelect
            ? asList(part.options)
                .map(asWire)
                .map(({ label }) => String(label))
            : [],
        ),
      ),
      press: async (label) => screenOf((await discord.press(shown, label, { user, channel })).message, user),
    };
  };
  return {
    begin: async () => {
      started.clock.time += 60_000;
      return screenOf(message, discord.world.addUser(`reader${++people}`));
    },
    close: () => started.close(),
  };
}

async function openSlackDoor(): Promise<TapsDoor> {
  const test = await makeTestApp({ ...APP, ignoredErrors: /^bolt: / });
  const slack = await openSlack({ test });
  const opening = await messageOf(slack.ann.mention(slack.channel, 'today'));
  const screenOf = (blocks: typeof opening.blocks, on: typeof opening, person: typeof slack.ann): Screen => ({
    text: shownText(blocks).replaceAll('*', ''),
    covered: [],
    // Each cover has a button of its own.
    buttons: labelsIn(controlsOf(blocks).flatMap(({ label, element }) => (element.options ? [] : [label]))),
    choices: labelsIn(
      controlsOf(blocks).flatMap(({ element }) =>
        (element.options ?? []).map((option: { text: { text: string } }) => option.text.text),
      ),
    ),
    async press(label) {
      const shown = await messageOf(person.press(on, label));
      return screenOf(shown.blocks, shown, person);
    },
  });
  return {
    begin: async () => {
      test.clock.time += 60_000;
      const person = slack.fake.addPerson(slack.workspace);
      slack.channel.members.add(person.id);
      return screenOf(opening.blocks, opening, person);
    },
    async close() {
      await slack.close();
      await test.close();
    },
  };
}

/** The local chat has three people, so each way has a chat of its own. */
async function openWeb(): Promise<TapsDoor> {
  let served = await serveWeb(APP);
  return {
    async begin() {
      await served.close();
      served = await serveWeb(APP);
      const { ask, listen } = openPage(served.door.url, 'ben');
      const events = await listen();
      await events.first(({ event }) => event === 'state');
      const after = async (act: () => Promise<unknown>) => {
        const before = events.received.length;
        await act();
        return (await events.first((one) => events.received.indexOf(one) >= before)).data;
      };
      type Shown = Awaited<ReturnType<typeof after>>;
      const screenOf = async (message: Shown): Promise<Screen> => {
        const covered = await Promise.all(
          message.blocks.flatMap((block) =>
            block.kind === 'spoiler'
              ? [
                  ask('/open', { message: message.id, block: block.block }).then(({ lines }) =>
                    JSON.stringify(lines),
                  ),
                ]
              : [],
          ),
        );
        const board = message.blocks.find(({ kind }) => kind === 'board');
        const buttons = message.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
        const choices = message.blocks.flatMap((block) => (block.kind === 'menu' ? block.choices : []));
        const pressed = new Map([...buttons, ...choices].map(({ label, value }) => [label, value]));
        return {
          text: JSON.stringify(message.blocks),
          covered,
          buttons: [...(board === undefined ? [] : ['Hint']), ...buttons.map(({ label }) => label)],
          choices: choices.map(({ label }) => label),
          press: async (label) => {
            const value = pressed.get(label);
            if (value !== undefined)
              return screenOf(await after(() => ask('/press', { message: message.id, value })));
            const help = label === 'Hint' ? 'hint' : 'reveal';
            const block = board?.kind === 'board' ? board.block : 0;
            return screenOf(await after(() => ask('/help', { message: message.id, block, ask: help })));
          },
        };
      };
      return screenOf(await after(() => ask('/say', { line: 'today' })));
    },
    close: () => served.close(),
  };
}

export const TAPS_DOORS: Readonly<Record<string, () => Promise<TapsDoor>>> = {
  discord: openDiscord,
  slack: openSlackDoor,
  web: openWeb,
};
