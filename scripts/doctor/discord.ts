import { randomUUID } from 'node:crypto';
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelFlags,
  RESTJSONErrorCodes as CODE,
  ComponentType,
  DiscordAPIError,
  EntryPointCommandHandlerType,
  MessageFlags,
  PermissionFlagsBits,
  type RawFile,
  RESTEvents,
  Routes,
} from 'discord.js';
import * as v from 'valibot';
import { COMMANDS } from '../../commands/index.ts';
import { fetchApplication, waysToInstall } from '../../src/chat/discord/application.ts';
import { differing, fetchCommands, wantedOf } from '../../src/chat/discord/commands.ts';
import { codeOf, postFailure, UNREADABLE } from '../../src/chat/discord/errors.ts';
import { findMessage } from '../../src/chat/discord/poster.ts';
import { containerIdOf } from '../../src/chat/discord/render.ts';
import { BotRest, makeClient } from '../../src/chat/discord/rest.ts';
import { makeAccess, mentionNeeds, missingIn, tagsOf } from '../../src/chat/discord/rights.ts';
import type { DiscordConfig } from '../../src/config/config.ts';
import { makeTenant } from '../../src/core/channel-ref.ts';
import { acceptsSecret } from '../../src/operations/discord-application.ts';
import type { Check, Examination, RemoveLater } from './examine.ts';
import { examine, expect, NotTried, needed, PIXEL } from './examine.ts';

export interface DiscordPatient {
  readonly config: DiscordConfig;
  /** Where it posts, and removes what it posted. */
  readonly channel: string;
  readonly forum?: string | undefined;
  /** A role to mention, quietly. */
  readonly role?: string | undefined;
}

const CREATED = v.object({ id: v.string() });
const MEMBER = v.object({ user: v.object({ username: v.string() }) });
const PLACE = v.object({ guild_id: v.optional(v.string()) });
const MENTIONING = v.object({ id: v.string(), mention_roles: v.optional(v.array(v.string()), []) });
const PICTURE = v.object({ items: v.tuple([v.object({ spoiler: v.optional(v.boolean(), false) })]) });
const GALLERY = v.object({ components: v.tuple([PICTURE]) });
const FORUM_POST = v.object({ id: v.string(), message: CREATED });

export function examineDiscord(patient: DiscordPatient): Promise<Examination> {
  return examine(
    (removeLater) => discordChecks(patient, removeLater),
    (error) => {
      const { kind, message } = postFailure(error);
      if (error instanceof DiscordAPIError && error.status === 401) return false;
      return kind === 'later' && message !== UNREADABLE;
    },
  );
}

export type DiscordAssumption = keyof ReturnType<typeof discordChecks>;

function discordChecks({ config, channel, forum, role }: DiscordPatient, removeLater: RemoveLater) {
  const rest = new BotRest(config);
  const client = makeClient(rest);
  const me = async () => v.parse(CREATED, await rest.get(Routes.user('@me'))).id;
  const access = makeAccess(client, Date, me);

  async function serverOf(channel: string): Promise<string> {
    const { guild_id: server } = v.parse(PLACE, await rest.get(Routes.channel(channel)));
    expect(server !== undefined, 'it is no channel of a server');
    return server;
  }

  async function accessTo(channel: string) {
    return access({ tenant: makeTenant('discord', await serverOf(channel)), channel });
  }

  async function post(body: object, files: RawFile[] = []): Promise<string> {
    const { id } = v.parse(CREATED, await rest.post(Routes.channelMessages(channel), { body, files }));
    removeMessageLater(id);
    return id;
  }

  function removeMessageLater(message: string): void {
    removeLater(`the message ${message}`, async () => {
      await rest.delete(Routes.channelMessage(channel, message)).catch((error: unknown) => {
        // The check of the nonce notes one message twice.
        if (codeOf(error) !== CODE.UnknownMessage) throw error;
      });
    });
  }

  function removeThreadLater(thread: string): void {
    removeLater(`the thread ${thread}, which takes the permission Manage Threads`, () =>
      rest.delete(Routes.channel(thread)),
    );
  }

  return {
    token: {
      claim: 'the token is accepted and names the application',
      isFirst: true,
      todo: 'Copy the token again from the page Bot of the application into DISCORD_TOKEN.',
      async run() {
        await fetchApplication(client);
      },
    },
    channel: {
      claim: 'the bot sees this channel, which is one of a server',
      todo: 'Add the bot to the server with the link that npm run invite prints, let it see the channel, and copy the channel’s id again.',
      isFirst: true,
      async run() {
        await serverOf(channel);
      },
    },
    installation: {
      claim: 'the application can be installed in servers, and by people for themselves',
      todo: 'Tick "Guild Install" on the page Installation of the application, then run: npm run register',
      async run() {
        const installed = waysToInstall(await fetchApplication(client));
        const { GuildInstall, UserInstall } = ApplicationIntegrationType;
        expect(installed.includes(GuildInstall), 'it can’t be installed in servers');
        if (!installed.includes(UserInstall))
          throw new NotTried(
            'servers only; for people to install it for themselves, tick "User Install" there too',
          );
      },
    },
    permissions: {
      claim: 'the bot has the permissions of the daily thread in this channel',
      todo: 'Allow them for the bot in the settings of the channel, under Permissions.',
      async run() {
        const missing = missingIn(await accessTo(channel)).map(({ what }) => what);
        expect(missing.length === 0, `missing: ${missing.join(', ')}`);
      },
    },
    commands: {
      claim: 'the command is registered, and is returned as it was declared',
      todo: 'Run npm run register, and then this again; if the difference stays, Discord keeps it in another form: send us this report.',
      async run() {
        const application = await fetchApplication(client);
        const known = await fetchCommands(application);
        expect(known.length > 0, 'nothing is registered');
        const differs = differing(wantedOf(application, COMMANDS, known), known);
        expect(differs === undefined, `what is registered differs: ${differs}`);
      },
    },
    activity: {
      claim:
        'the board opens inside Discord: the client secret is accepted, and the bot answers the command of Activities',
      todo: 'Copy the client secret again from the page OAuth2, switch on "Enable Activities", and restart the bot: docs/discord.md.',
      async run() {
        const secret = needed(config.clientSecret, 'for the board inside Discord, set DISCORD_CLIENT_SECRET');
        const application = await fetchApplication(client);
        const isAccepted = await acceptsSecret(rest, application.id, secret);
        expect(isAccepted, 'Discord refuses DISCORD_CLIENT_SECRET');
        const isAnswered = (await fetchCommands(application)).some(
          ({ type, handler }) =>
            type === ApplicationCommandType.PrimaryEntryPoint &&
            handler === EntryPointCommandHandlerType.AppHandler,
        );
        expect(isAnswered, 'there is no command of Activities that the bot answers');
      },
    },
    rateLimits: {
      claim: 'answers say in their headers how many requests are left and until when',
      todo: 'Let requests reach Discord without a proxy that takes headers away.',
      async run() {
        const headers = new Set<string>();
        const note = (_: unknown, response: { readonly headers: { keys(): Iterable<string> } }) => {
          for (const name of response.headers.keys()) headers.add(name);
        };
        rest.on(RESTEvents.Response, note);
        await rest.get(Routes.channelMessages(channel), { query: new URLSearchParams({ limit: '1' }) });
        rest.off(RESTEvents.Response, note);
        for (const name of ['x-ratelimit-remaining', 'x-ratelimit-reset-after'])
          expect(headers.has(name), `the header ${name} is missing`);
      },
    },
    nonce: {
      claim: 'a message that is sent twice with one nonce is posted once',
      async run() {
        const nonce = randomUUID().slice(0, 25);
        const body = { ...text('Trying: one nonce'), nonce, enforce_nonce: true };
        const first = await post(body);
        expect(first === (await post(body)), 'the second message was posted too');
      },
    },
    readBack: {
      claim: 'a message is found in the channel by the number of its container',
      todo: 'Allow "Read Message History" for the bot in the channel; if it is allowed, send us this report.',
      async run() {
        const key = randomUUID();
        const id = await post(text('Trying: read back', containerIdOf(key)));
        const { permissions } = await accessTo(channel);
        const mayRead = permissions.has(PermissionFlagsBits.ReadMessageHistory);
        expect(mayRead, 'the bot may not read the history of this channel');
        const found = await findMessage(rest, { channel, key, since: 0, me: await me() });
        expect(found?.message === id, 'the message was not found');
      },
    },
    spoilerPicture: {
      claim: 'a picture marked as a spoiler is still marked when it is read back',
      todo: 'Send us this report: pictures of solutions may be seen by accident.',
      async run() {
        const gallery = {
          type: ComponentType.MediaGallery,
          items: [{ media: { url: 'attachment://pixel.png' }, spoiler: true }],
        };
        const attachments = [{ id: 0, description: 'One pixel', is_spoiler: true }];
        const body = { flags: MessageFlags.IsComponentsV2, components: [gallery], attachments };
        const id = await post(body, [{ name: 'pixel.png', data: PIXEL, contentType: 'image/png' }]);
        const { components } = v.parse(GALLERY, await rest.get(Routes.channelMessage(channel, id)));
        expect(components[0].items[0].spoiler, 'the picture is not marked');
      },
    },
    roleMention: {
      claim: 'a role that the bot mentions is notified',
      todo: 'Switch on "Allow anyone to @mention this role" in the server’s settings, under Roles.',
      async run() {
        const mentioned = needed(role, 'name a role with --role ID; it is notified without a sound');
        const missing = mentionNeeds(await accessTo(channel), mentioned);
        expect(missing === undefined, `it needs ${missing?.what}`);
        const body = {
          content: `<@&${mentioned}> Trying: mention`,
          flags: MessageFlags.SuppressNotifications,
          allowed_mentions: { parse: [], roles: [mentioned] },
        };
        const answer = await rest.post(Routes.channelMessages(channel), { body });
        const { id, mention_roles } = v.parse(MENTIONING, answer);
        removeMessageLater(id);
        expect(mention_roles.includes(mentioned), 'Discord did not notify the role');
      },
    },
    names: {
      claim: 'Discord returns the name of a member',
      todo: 'Send us this report: people are mentioned until then, and phones may show "@invalid-user".',
      async run() {
        v.parse(MEMBER, await rest.get(Routes.guildMember(await serverOf(channel), await me())));
      },
    },
    thread: {
      claim: 'a thread has the id of its message, and can not be started twice',
      async run() {
        const id = await post(text('Trying: thread'));
        const start = () => rest.post(Routes.threads(channel, id), { body: { name: 'Trying: thread' } });
        const started = v.parse(CREATED, await start());
        removeThreadLater(started.id);
        expect(started.id === id, `the thread has the id ${started.id}, its message ${id}`);
        const code = await start().then(() => undefined, codeOf);
        expect(code === CODE.ThreadAlreadyCreatedForMessage, 'a second thread was started');
      },
    },
    forumPost: {
      claim: 'a forum post and its first message share their id',
      todo: 'Choose a text channel for the daily thread, and send us this report.',
      async run() {
        const parent = needed(forum, 'name a forum with --forum ID');
        const { channel } = await accessTo(parent);
        const mustTag = channel.flags.has(ChannelFlags.RequireTag);
        const body = {
          name: 'Trying: forum post',
          message: text('Trying: forum post'),
          ...(mustTag && { applied_tags: tagsOf(channel).slice(0, 1) }),
        };
        const { id, message } = v.parse(FORUM_POST, await rest.post(Routes.threads(parent), { body }));
        removeThreadLater(id);
        expect(id === message.id, `the post has the id ${id}, its message ${message.id}`);
      },
    },
  } satisfies Record<string, Check>;
}

/** A message in the form of the bot's posts, as quiet as possible. */
function text(content: string, mark?: number): object {
  const components = [{ type: ComponentType.TextDisplay, content }];
  const container = { type: ComponentType.Container, id: mark, components };
  return { flags: MessageFlags.IsComponentsV2, components: [container], allowed_mentions: { parse: [] } };
}
