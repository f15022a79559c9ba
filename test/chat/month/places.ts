/** A channel on the fake Discord and one on the fake Slack, with twelve people in each and one store behind both doors. */

import { BOT_SCOPES } from '../../../src/chat/slack/manifest.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { startChild } from '../../daily/kill.ts';
import type { TestApp } from '../../fakes/app.ts';
import { textOf } from '../../fakes/discord/person.ts';
import { CHANNEL } from '../../fakes/discord/world.ts';
import { openNewStore } from '../../fakes/new-store.ts';
import { shownText } from '../../fakes/slack/shown.ts';
import type { Message } from '../../fakes/slack/world.ts';
import { world } from '../../fakes/world.ts';
import { makeFolder } from '../../store/folders.ts';
import type { Started } from '../discord/start.ts';
import { messageOf, type OpenedSlack } from '../slack/open-slack.ts';
import type { MonthConfig } from './deliverer.ts';

export type PlaceName = 'discord' | 'slack';
type Options = Readonly<Record<string, string | true>>;

/** What was posted in a channel and sent to its people, oldest first. */
interface Posted {
  /** What the bot knows each message by. */
  readonly key: string;
  readonly text: string;
  /** Set for a private message. */
  readonly person?: string;
}

export interface Place {
  readonly name: PlaceName;
  /** Ids; the first manages the channel. */
  readonly people: readonly string[];
  /** What the platform shows somebody who runs a command. @param names whether the answer names anybody */
  say(person: string, command: string, options?: Options, names?: boolean): Promise<string>;
  /** What the bot posted and sent by itself. */
  posted(): Posted[];
}

export interface Places {
  readonly clock: TestApp['clock'];
  readonly all: readonly Place[];
  /** The daily thread at a moment: what is due then is posted and sent. */
  tick(moment: number): Promise<void>;
  /** The same in a process that is killed at its nth await; false where it ended before that. */
  tickAndKill(moment: number, killAt: number): Promise<boolean>;
  close(): Promise<void>;
}

export async function openPlaces(people: number): Promise<Places> {
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  // With the permission to look for a post whose answer a killed process did not get.
  const scopes = [...BOT_SCOPES, 'channels:history'];
  const made = await world({ doors: ['discord', 'slack'], store, slack: { scopes } });
  const { clock } = made;
  const [{ discord }, slack] = [made.discord!, made.slack!];
  const config: MonthConfig = {
    discord: { token: discord.token, apiUrl: discord.url },
    slack: { token: slack.fake.install(slack.workspace, { scopes }), apiUrl: slack.fake.apiUrl },
  };
  let killed = 0;
  return {
    clock,
    all: [onDiscord(made.discord!, people), onSlack(slack, people)],
    tick: made.at,
    async tickAndKill(moment, killAt) {
      // The platforms' clock: a lost post is looked for since it was due.
      clock.time = moment;
      const { signal } = await startChild({
        owner: `killed-${++killed}`,
        store: { dataDir },
        platform: import.meta.resolve('./deliverer.ts'),
        config,
        moments: [moment],
        lease: 2 * MINUTE,
        killAt,
      }).ended;
      return signal === 'SIGKILL';
    },
    async close() {
      await made.close();
      await store.close();
    },
  };
}

function onDiscord({ discord, guild, channel }: Started, count: number): Place {
  const { world } = discord;
  const users = Array.from({ length: count }, (_, index) => world.addUser(`player ${index}`));
  const managers = world.addRole(guild, 'Managers', ['MANAGE_GUILD']);
  world.addMember(guild, users[0]!, [managers.id]);
  // Discord's people are shown by their names.
  const byId = (text: string) => text.replace(/player (\d+)/g, (_, index) => `@${users[Number(index)]!.id}`);
  return {
    name: 'discord',
    people: users.map(({ id }) => id),
    async say(person, command, options = {}) {
      const user = users.find(({ id }) => id === person)!;
      const seen = await discord.command({
        channel,
        user,
        name: 'letterboxed',
        subcommand: command,
        options,
      });
      return byId(plain(textOf(seen.message)));
    },
    posted() {
      const places = [...world.channels.values()].filter(
        ({ id, parent_id, type }) => id === channel.id || parent_id === channel.id || type === CHANNEL.dm,
      );
      return places.flatMap(({ id, recipients }) =>
        world
          .messagesOf(id)
          .filter(({ nonce }) => nonce !== undefined)
          .map((message) => ({
            key: String(message.nonce),
            text: byId(plain(textOf(message))).replaceAll('`', ''),
            ...(recipients !== undefined && { person: recipients[0]!.id }),
          })),
      );
    },
  };
}

function onSlack({ fake, workspace, channel }: OpenedSlack, count: number): Place {
  const players = Array.from({ length: count }, (_, index) => {
    const player = fake.addPerson(workspace, { isAdmin: index === 0 });
    channel.members.add(player.id);
    return player;
  });
  return {
    name: 'slack',
    people: players.map(({ id }) => id),
    async say(person, command, options = {}, names = false) {
      const player = players.find(({ id }) => id === person)!;
      const typed = Object.entries(options).map(([name, value]) =>
        value === true ? name : `${name}:"${value}"`,
      );
      // People are named by an edit, since a message that names them would ping them.
      const edited = fake.next(({ message }) => message?.isEdited === true);
      const action = player.slash(channel, ['/letterboxed', command, ...typed].join(' '));
      const message = names ? (await edited).message! : await messageOf(action);
      return plain(shownText(message.blocks));
    },
    posted() {
      const conversations = [...workspace.channels.values()].filter(
        ({ id, kind }) => id === channel.id || kind === 'im',
      );
      return conversations.flatMap(({ kind, members, messages }) =>
        messages
          .filter(({ byApp, metadata, isDeleted }) => byApp && !isDeleted && metadata !== undefined)
          .map((message: Message) => ({
            key: String(message.metadata!.event_payload.key),
            text: plain(shownText(message.blocks)).replaceAll('`', ''),
            ...(kind === 'im' && { person: [...members].find((id) => id !== workspace.botUser)! }),
          })),
      );
    },
  };
}

/** Names as `@id`, and no markup. */
function plain(text: string): string {
  return text.replace(/<@(\w+)>/g, '@$1').replace(/[*\\#]/g, '');
}
