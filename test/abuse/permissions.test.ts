/** The table of docs/limits.md: who may do what where. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Started, startDiscord } from '../chat/discord/start.ts';
import { messageOf, type OpenedSlack, openSlack, read } from '../chat/slack/open-slack.ts';
import { bitsOf, type Channel, type Permission, type User } from '../fakes/discord/world.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';

const DOCUMENT = readFileSync('docs/limits.md', 'utf8');

interface Line {
  readonly who: string;
  /** Permissions that the channel takes from them. */
  readonly denied?: readonly Permission[];
  readonly allowed?: readonly Permission[];
  readonly where?: 'foreign' | 'direct';
  /** Whether everybody in the channel sees what `today` answers them. */
  readonly isPublic: boolean;
  /** Whether a relay of theirs opens a thread, and a board that they make. */
  readonly opensThread: boolean;
  /** Whether they may add words to a relay in a thread of the server. */
  readonly playsInThread?: boolean;
  /** Whether `daily on` may change what the channel gets. */
  readonly manages: boolean;
}

const LINES: readonly Line[] = [
  { who: 'member', isPublic: true, opensThread: true, playsInThread: true, manages: false },
  {
    who: 'muted member',
    denied: ['SEND_MESSAGES', 'SEND_MESSAGES_IN_THREADS', 'CREATE_PUBLIC_THREADS'],
    isPublic: false,
    opensThread: false,
    playsInThread: false,
    manages: false,
  },
  {
    who: 'thread-only member',
    denied: ['SEND_MESSAGES', 'CREATE_PUBLIC_THREADS'],
    isPublic: false,
    opensThread: false,
    playsInThread: true,
    manages: false,
  },
  {
    who: 'guest',
    denied: ['CREATE_PUBLIC_THREADS'],
    isPublic: true,
    opensThread: false,
    playsInThread: true,
    manages: false,
  },
  {
    who: 'Discord: Manage Server',
    allowed: ['MANAGE_GUILD'],
    isPublic: true,
    opensThread: true,
    playsInThread: true,
    manages: true,
  },
  {
    who: 'user-installed app in a foreign server',
    where: 'foreign',
    isPublic: true,
    opensThread: false,
    manages: false,
  },
  {
    who: 'user-installed app in a foreign server, or in a direct message',
    where: 'direct',
    isPublic: true,
    opensThread: false,
    manages: false,
  },
];

describe('on Discord', () => {
  let started: Started;
  beforeAll(async () => {
    started = await startDiscord({ app: { words: WORDS, house, posterOf: () => started.door.poster } });
  });
  afterAll(() => started.close());
  beforeEach(() => {
    started.clock.time += 60_000;
  });

  it.each(LINES)(
    '$who',
    async ({ who, denied = [], allowed = [], where, isPublic, opensThread, playsInThread, manages }) => {
      expect(DOCUMENT).toContain(`| ${who}`);
      const { world } = started.discord;
      const user: User = world.addUser(who);
      const addChannel = () => {
        const made = world.addChannel(started.guild);
        const rights = { allow: String(bitsOf(allowed)), deny: String(bitsOf(denied)) };
        const overwrite = { id: user.id, type: 1 as const, ...rights };
        made.permission_overwrites = [...(made.permission_overwrites ?? []), overwrite];
        return made;
      };
      const threadsOf = (parent: Channel) =>
        [...world.channels.values()].filter(({ parent_id }) => parent_id === parent.id);
      const channel: Channel | undefined = where === 'direct' ? undefined : addChannel();
      const ask = (subcommand: string, options: Record<string, string> = {}, asked = channel) =>
        started.discord.command({
          user,
          name: 'letterboxed',
          subcommand,
          options,
          ...(asked !== undefined && { channel: asked }),
          ...(where !== undefined && { userInstalled: true }),
        });
      expect(!(await ask('today')).ephemeral).toBe(isPublic);
      await ask('relay', { word: 'start' });
      expect(channel !== undefined && threadsOf(channel).length > 0).toBe(opensThread);
      await ask('board', { do: 'make', sides: OTHER_SIDES });
      const made = channel === undefined ? [] : threadsOf(channel);
      expect(made.some(({ name }) => name?.startsWith('Board '))).toBe(opensThread);
      if (playsInThread !== undefined) {
        const played = addChannel();
        const starting = {
          channel: played,
          name: 'letterboxed',
          subcommand: 'relay',
          options: { word: 'start' },
        };
        await started.discord.command({ ...starting, user: world.addUser('host') });
        const { text } = await ask('relay', { word: 'bfjm' }, threadsOf(played)[0]!);
        expect(text).toContain(playsInThread ? 'Word added' : 'may not write in threads');
      }
      const asked = await ask('daily', { do: 'on' });
      if (asked.interaction.modal !== undefined) await started.discord.submit(asked, {});
      const tenant = where === undefined ? `discord:${started.guild.id}` : `discord:@${user.id}`;
      const settings = await started.store.tenant(tenant).subscriptions.list();
      expect(settings.filter((one) => one.channel === channel?.id).length > 0).toBe(manages);
    },
  );

  it('nobody starts more than five relays a day, and the answer says when the next one is possible', async () => {
    const { world } = started.discord;
    const user = world.addUser('keen');
    const start = (channel: Channel) =>
      started.discord.command({
        user,
        channel,
        name: 'letterboxed',
        subcommand: 'relay',
        options: { word: 'start' },
      });
    for (let time = 0; time < 5; time++) {
      expect((await start(world.addChannel(started.guild))).text).toContain('Relay started');
    }
    const refused = await start(world.addChannel(started.guild));
    expect(refused.ephemeral).toBe(true);
    expect(refused.text).toMatch(/had 5 today.*<t:\d+:R>/s);
  });
});

describe('on Slack, where anybody may type a board', () => {
  let slack: OpenedSlack;
  afterEach(() => slack.close());

  const announced = () =>
    slack.channel.messages
      .map((message) => read(message))
      .filter((text) => /typed in or taken back/.test(text));

  it('announces a typed board where anybody may type one, and anybody can take it back', async () => {
    slack = await openSlack();
    const { ann, bob, channel, test } = slack;
    const ask = (who: typeof ann, line: string) => messageOf(who.slash(channel, `/letterboxed ${line}`));
    expect(read(await ask(bob, 'set ozu nri lfa mbt'))).toContain('Board set for this channel');
    await expect.poll(() => announced()).toHaveLength(1);
    await expect.poll(() => announced()[0]).toContain(`By <@${bob.id}>.`);
    expect(announced()[0]).toContain('Take the typed board back');
    expect(announced()[0]).not.toMatch(/ozu/i);
    expect(read(await ask(ann, 'set undo'))).toContain('Typed board taken back');
    await expect.poll(() => announced()).toHaveLength(2);
    const boards = await test.store.tenant(`slack:${slack.workspace.id}`).boards.state(channel.id);
    expect(boards).toEqual({ boards: 0, lastTypedAt: null });
    expect(read(await ask(ann, 'set undo'))).toContain('Nothing to take back');
    expect(announced()).toHaveLength(2);
  });
});
