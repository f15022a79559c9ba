/** The doors as somebody sees them who reads everything: whole messages as data, and all that can be pressed there. */

import { vi } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import { whenLookedUp } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { plainText } from '../../../src/reply/model/text.ts';
import type { Action } from '../../../src/reply/model/types.ts';
import type { MessageView } from '../../../src/web/chat/views.ts';
import type { PersonalLinks } from '../../../src/web/pages/personal-links.ts';
import { openPage } from '../../chat/web/serve.ts';
import { someone } from '../../fakes/app.ts';

import { flatten } from '../../fakes/discord/components.ts';
import type { Message as DiscordMessage } from '../../fakes/discord/message.ts';
import { asList, asWire } from '../../fakes/discord/rules.ts';
import type { Person } from '../../fakes/slack/people.ts';
import { controlsOf, readMarkup } from '../../fakes/slack/shown.ts';
import type { Message as SlackMessage, Sight as SlackSight, View } from '../../fakes/slack/world.ts';
import type { World } from '../../fakes/world.ts';
import { LINK_SECRETS, openLink } from '../../web/pages/serve.ts';
import { readable, textsIn } from './reader.ts';
import { IN_PRIVATE, OF_THREAD } from './sequences.ts';

/** What somebody can read because of what they did. */
export interface Seen {
  /** For everybody in the channel. */
  readonly everyone: boolean;
  /** In the open. */
  readonly open: string;
  /** With what is covered on Discord, where nobody is told that somebody uncovers it. */
  readonly all: string;
  /** They opened it themselves: by a press of Show, or by asking on their own page. */
  readonly isOpened: boolean;
  /** Shown to them because everybody may open it. */
  readonly isFree: boolean;
  readonly presses: readonly Press[];
}

export interface Press {
  readonly label: string;
  act(): Promise<readonly Seen[]>;
}

/** Somebody new at a door. */
export interface Visitor {
  readonly id: string;
  readonly tenant: string;
  readonly channel: string;
  /** Undefined where the door has no way to ask this. */
  say(line: string): Promise<readonly Seen[] | undefined>;
  /** What is suggested for a line that is begun. Undefined where nothing is. */
  complete(begun: string): Promise<readonly Seen[] | undefined>;
  /** What the bot has posted for everybody. */
  posted(): Promise<readonly Seen[]>;
}

const seen = (open: string, more: Partial<Seen> = {}): Seen => ({
  everyone: false,
  all: open,
  isOpened: false,
  isFree: false,
  presses: [],
  open,
  ...more,
});

const NO_WAY =
  /There is no option|has no subcommand|archived thread|has no autocomplete|There is no command|is not one of its choices|out of its range|of another type/;

export function visitDiscord({ app, discord: started }: World): Visitor {
  const { discord, guild, channel } = started!;
  const user = discord.world.addUser('visitor');
  const dispatcher = makeDispatcher(app, { commands: COMMANDS });
  const threads = () =>
    discord.world.channelsOf(guild.id).filter(({ parent_id }) => parent_id === channel.id);
  const posts = () => [channel, ...threads()].flatMap(({ id }) => discord.world.messagesOf(id));
  const sightOf = (message: DiscordMessage, everyone: boolean): Seen => {
    const texts = textsIn({
      ...message,
      author: undefined,
      mentions: undefined,
      interaction_metadata: undefined,
    });
    const covers = /(?<!\\)\|\|(.*?)(?<!\\)\|\|/gs;
    const buttons = flatten(message.components).flatMap(({ label, disabled, custom_id }) =>
      label === undefined || custom_id === undefined || disabled ? [] : [label],
    );
    const choices = flatten(message.components).flatMap(({ options }) =>
      asList(options).map((option) => String(asWire(option).label)),
    );
    return seen(readable(texts.map((text) => text.replace(covers, ' '))), {
      everyone,
      all: readable(texts.map((text) => text.replace(covers, '$1'))),
      presses: [...buttons, ...choices].map((label) => ({
        label,
        act: () => watch(() => discord.press(message, label, { user, channel })),
      })),
    });
  };
  async function watch(act: () => ReturnType<typeof discord.press>): Promise<Seen[]> {
    const before = new Set(posts().map(({ id }) => id));
    const sight = await act();
    const added = posts().filter(({ id }) => !before.has(id) && sight.interaction.original?.id !== id);
    const { modal, choices = [], original } = sight.interaction;
    const forms = modal === undefined ? [] : [seen(readable(textsIn(modal)))];
    return [
      ...(original === undefined ? [] : [sightOf(sight.message, !sight.ephemeral)]),
      ...sight.followUps.map((message) => sightOf(message, false)),
      ...forms,
      seen(readable(textsIn(choices))),
      ...added.map((message) => sightOf(message, true)),
    ];
  }
  function askedBy(line: string) {
    const { command: subcommand, options } = actionOf(dispatcher, line);
    return { user, name: 'letterboxed', subcommand, options };
  }
  async function ifPossible(act: () => ReturnType<typeof discord.press>): Promise<Seen[] | undefined> {
    try {
      return await watch(act);
    } catch (error) {
      if (NO_WAY.test(String(error))) return undefined;
      throw error;
    }
  }
  return {
    id: user.id,
    tenant: `discord:${guild.id}`,
    channel: channel.id,
    say: (line) => {
      const [oldest] = threads().toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const place = OF_THREAD.test(line) ? oldest : channel;
      return ifPossible(() => discord.command({ ...askedBy(line.replace(OF_THREAD, '')), channel: place }));
    },
    async complete(begun) {
      const asked = askedBy(begun);
      const names = Object.keys(asked.options);
      const all = await Promise.all(
        names.map((focused) => ifPossible(() => discord.complete({ ...asked, channel, focused }))),
      );
      return all.flatMap((seen) => seen ?? []);
    },
    posted: async () => posts().map((message) => sightOf(message, true)),
  };
}

function actionOf(dispatcher: ReturnType<typeof makeDispatcher>, line: string): Action {
  const prepared = dispatcher.prepareLine(line, someone({ mayManage: true }));
  if (prepared.kind === 'form') return prepared.form.action;
  return prepared.kind === 'answer' ? prepared.request : { command: 'nothing like that', options: {} };
}

export function visitSlack({ slack }: World): Visitor {
  const { fake, workspace, channel } = slack!;
  const person = fake.addPerson(workspace);
  channel.members.add(person.id);
  const sightOf = (on: SlackMessage | View, more: Partial<Seen> = {}): Seen => {
    const everyone = 'ts' in on && on.only === undefined && on.channel === channel.id;
    const blocks = on.blocks.map((block) => block);
    const all = controlsOf(blocks).flatMap(({ label, element }): string[] => {
      const options = (element.options ?? []).map((option: { text: { text: string } }) => option.text.text);
      return options.length > 0 ? options : [label];
    });
    // A move that changes nothing shows nothing, for which nobody can wait.
    const labels = all.filter((label) => 'ts' in on || ASKS_IN_GAME.test(label));
    const numbers = new Map<string, number>();
    const presses = labels.map((label: string) => {
      const which = numbers.get(label) ?? 0;
      numbers.set(label, which + 1);
      return { label, act: () => press(on, label, which, everyone) };
    });
    return seen(readable(textsIn(on).map(readMarkup)), { everyone, presses, ...more });
  };
  async function press(
    on: SlackMessage | View,
    label: string,
    which: number,
    everyone: boolean,
  ): Promise<Seen[]> {
    // Nobody can press what lies below another modal, or was closed.
    const isCovered = !('ts' in on) && on.type === 'modal' && person.modal?.id !== on.id;
    if (isCovered) throw new Error(`No button "${label}" on top`);
    const sights = await watch(person, () => person.press(on, label, which).shown);
    const isShow = /^Show(?: all)?$/.test(label);
    return sights.map((sight) => sightOf(sight, { isOpened: isShow, isFree: isShow && everyone }));
  }
  /** What was shown by the time that the door has answered. */
  async function watch(by: Person, act: () => Promise<SlackSight>): Promise<(SlackMessage | View)[]> {
    const before = channel.messages.length;
    using tracked = vi.spyOn(Conversation.prototype, 'track');
    // What names people is posted as any message, which tells of no command.
    const isPosted = ({ message }: SlackSight) =>
      message?.channel === channel.id && message.only === undefined;
    let own: SlackSight | undefined;
    const shown = act().then((sight) => (own = sight));
    const first = await Promise.race([shown, fake.next(isPosted)]);
    await (tracked.mock.contexts[0] as Conversation).done();
    const { message, view: opened } = own ?? first;
    const view = opened && (by.modal ?? opened);
    const added = channel.messages.slice(before).filter((one) => one.byApp && one.ts !== message?.ts);
    return [...(message === undefined ? [] : [message]), ...(view === undefined ? [] : [view]), ...added];
  }
  return {
    id: person.id,
    tenant: `slack:${workspace.id}`,
    channel: channel.id,
    async say(line) {
      const [root] = channel.messages.filter(({ byApp, only }) => byApp && only === undefined);
      const typed = line.replace(OF_THREAD, '').replace(IN_PRIVATE, '');
      const action = IN_PRIVATE.test(line)
        ? () => person.write(typed).shown
        : OF_THREAD.test(line)
          ? () => person.mention(channel, typed, root).shown
          : () => person.slash(channel, `/letterboxed ${typed}`).shown;
      return (await watch(person, action)).map((sight) => sightOf(sight));
    },
    complete: async () => undefined,
    posted: async () =>
      channel.messages
        .filter(({ byApp, only }) => byApp && only === undefined)
        .map((message) => sightOf(message)),
  };
}

const ASKS_IN_GAME = /hint|solution|^Show|how you did|hunt|^A first|check|letter|word/i;

export async function visitWeb({ web, store }: World, id: string): Promise<Visitor> {
  const { url } = web!.door;
  const page = openPage(url, id);
  const [tenant, channel] = ['web:local', 'general'];
  // The local chat has three people, so that each visitor is one of them whom the bot knows nothing of.
  await store.allPeople.erase('web', id);
  async function messages(): Promise<readonly MessageView[]> {
    const events = await page.listen();
    const { data } = await events.first(({ event }) => event === 'state');
    await events.close();
    return data.messages ?? [];
  }
  let known = new Set((await messages()).map((message) => JSON.stringify(message)));
  async function after(act: () => Promise<object>, more: Partial<Seen> = {}): Promise<Seen[]> {
    const answer = await act();
    const all = await messages();
    const fresh = all.filter((message) => !known.has(JSON.stringify(message)));
    known = new Set(all.map((message) => JSON.stringify(message)));
    return [seen(readable(textsIn(answer)), more), ...fresh.map(sightOf)];
  }
  function sightOf(message: MessageView): Seen {
    const everyone = !message.private;
    const pressed = (label: string, value: string) => ({
      label,
      act: () => after(() => page.ask('/press', { message: message.id, value })),
    });
    const presses = message.blocks.flatMap((block): Press[] => {
      if (block.kind === 'buttons') return block.buttons.map(({ label, value }) => pressed(label, value));
      if (block.kind === 'menu') return block.choices.map(({ label, value }) => pressed(label, value));
      if (block.kind === 'board') {
        const help = { message: message.id, block: block.block, ask: 'hint' };
        const controls = block.controls.map(({ label, value }) => pressed(label, value));
        return [...controls, { label: 'Hint', act: () => after(() => page.ask('/help', help)) }];
      }
      if (block.kind !== 'spoiler') return [];
      const open = { message: message.id, block: block.block };
      const more = { isOpened: true, isFree: everyone };
      const act = async () => ({ on: [message.title, block.label], ...(await page.ask('/open', open)) });
      return [{ label: 'Show', act: () => after(act, more) }];
    });
    // What they typed themselves is shown with it.
    return seen(readable(textsIn({ ...message, asker: undefined })), { everyone, presses });
  }
  return {
    id,
    tenant,
    channel,
    async say(line) {
      const typed = line.replace(OF_THREAD, '');
      const events = await page.listen();
      const { data } = await events.first(({ event }) => event === 'state');
      await events.close();
      const thread = OF_THREAD.test(line) ? data.threads?.[0]?.id : undefined;
      return after(() => page.ask('/say', { line: typed, thread }));
    },
    complete: async (begun) => [
      seen(readable(textsIn((await page.ask('/suggest', { line: begun })).suggestions))),
    ],
    posted: async () => (await messages()).filter((message) => !message.private).map(sightOf),
  };
}

let pages = 0;

/** Somebody of Discord on their own page, who now and then asks something in the chat, too. */
export async function visitPage({ app, clock }: World, date: string, links: PersonalLinks): Promise<Visitor> {
  const id = `reader-${++pages}`;
  const where = { tenant: 'discord:1', channel: '10', direct: false };
  const asker = { door: 'discord' as const, who: { id, mayManage: false }, where };
  const now = clock.now();
  const link = new URL(links.linkTo(asker, { date }, { madeAt: now, until: now + 3_600_000 }));
  const dispatcher = makeDispatcher(app, { commands: COMMANDS });
  const { ask } = await openLink(app, dispatcher, link, LINK_SECRETS);
  return {
    id,
    tenant: where.tenant,
    channel: where.channel,
    async say(line) {
      // A page has no threads.
      if (OF_THREAD.test(line)) return undefined;
      const [, command = '', words = '', shown] = PAGE_LINE.exec(line) ?? [];
      if (command === 'play') {
        const moves = words
          .split(',')
          .map((word, at) => (at === 0 ? word : word.slice(1)))
          .join('.');
        return [seen(readable(textsIn((await ask('play', { moves: `${moves}.` })).answer)))];
      }
      if (command !== '') {
        const asked = { ask: command, words: words === '' ? [] : words.split(','), ...(shown && { shown }) };
        return [seen(readable(textsIn((await ask('help', asked)).answer)), { isOpened: command !== 'hint' })];
      }
      // In the chat of a platform that says when somebody opens what is hidden, and they never do.
      const prepared = await whenLookedUp(dispatcher.prepareLine(line, { ...asker, door: 'slack' }));
      if (prepared.kind === 'form') return [];
      const reply = prepared.kind === 'refusal' ? prepared.reply : await prepared.run();
      const isPublic = reply.audience === 'everyone';
      return [seen(plainText(reply), { everyone: isPublic })];
    },
    complete: async () => undefined,
    posted: async () => [],
  };
}
/** What a page can ask. */
const PAGE_LINE = /^(hint|hunt|review|reveal|share|play)(?: words:([a-z,]+))?(?: shown:"([a-z,]+)")?$/;
