import { randomUUID } from 'node:crypto';
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  ButtonStyle,
  ChannelFlags,
  type ClientApplication,
  RESTJSONErrorCodes as CODE,
  ComponentType,
  EntryPointCommandHandlerType,
  MessageFlags,
  PermissionFlagsBits,
  REST,
  RESTEvents,
  Routes,
} from 'discord.js';
import * as v from 'valibot';
import { COMMANDS } from '../../commands/index.ts';
import { fetchApplication, waysToInstall } from '../../src/chat/discord/application.ts';
import { differing, fetchCommands, wantedOf } from '../../src/chat/discord/commands.ts';
import { codeOf, postFailure } from '../../src/chat/discord/errors.ts';
import { containerIdOf } from '../../src/chat/discord/render.ts';
import { makeClient } from '../../src/chat/discord/rest.ts';
import { mentionNeeds, missingIn, nameOfMember, Rights, tagsOf } from '../../src/chat/discord/rights.ts';
import { findMessages } from '../../src/chat/discord/search.ts';
import type { DiscordConfig } from '../../src/config/config.ts';
import { makeTenant } from '../../src/core/channel-ref.ts';
import { acceptsSecret } from '../../src/operations/discord-application.ts';
import { DISCORD_ASSUMPTIONS, type DiscordAssumption } from './assumptions.ts';
import { Cleanup, type Examination, examine, expect, NotTried, PIXEL } from './examine.ts';
import { type Press, serverWith, waitForForm, waitForMessageCommand, waitForPress } from './press-discord.ts';

export interface DiscordPatient {
  readonly config: DiscordConfig;
  /** Where it posts, and removes what it posted. */
  readonly channel: string;
  readonly forum?: string | undefined;
  /** A role to mention, quietly. */
  readonly role?: string | undefined;
  /** Whether somebody is there to press a button. */
  readonly press: boolean;
  readonly say: (line: string) => void;
}

const FILES = [{ name: 'pixel.png', data: PIXEL, contentType: 'image/png' }];
/** Flag of an attachment that is shown as a spoiler. */
const SPOILER = 1 << 3;

const CREATED = v.object({ id: v.string() });
const PLACE = v.object({ guild_id: v.optional(v.string()) });
const MENTIONING = v.object({ id: v.string(), mention_roles: v.optional(v.array(v.string()), []) });
const MESSAGE = v.object({
  id: v.string(),
  flags: v.optional(v.number(), 0),
  edited_timestamp: v.nullish(v.string()),
  attachments: v.optional(v.array(v.object({ flags: v.optional(v.number(), 0) })), []),
});
const FORUM_POST = v.object({ id: v.string(), message: CREATED });

export function examineDiscord(patient: DiscordPatient): Promise<Examination> {
  const cleanup = new Cleanup();
  return examine(DISCORD_ASSUMPTIONS, new DiscordTrial(patient, cleanup), cleanup, {
    mayPass: (error) => !v.isValiError(error) && postFailure(error).kind === 'later',
  });
}

/** One method for each assumption. */
class DiscordTrial implements Record<DiscordAssumption, () => Promise<void>> {
  readonly #patient: DiscordPatient;
  readonly #cleanup: Cleanup;
  readonly #rest: REST;
  readonly #rights: Rights;
  #headers = new Headers();
  #press: Promise<Press> | undefined;

  constructor(patient: DiscordPatient, cleanup: Cleanup) {
    this.#patient = patient;
    this.#cleanup = cleanup;
    const { token, apiUrl, requestsPerSecond: globalRequestsPerSecond } = patient.config;
    const options = { retries: 0, globalRequestsPerSecond, ...(apiUrl !== undefined && { api: apiUrl }) };
    this.#rest = new REST(options).setToken(token);
    this.#rest.on(RESTEvents.Response, (_, response) => {
      this.#headers = new Headers([...response.headers]);
    });
    this.#rights = new Rights(
      makeClient(this.#rest),
      Date.now,
      async () => v.parse(CREATED, await this.#rest.get(Routes.user('@me'))).id,
    );
  }

  async token(): Promise<void> {
    await this.#application();
  }

  async installation(): Promise<void> {
    const installed = waysToInstall(await this.#application());
    expect(installed.includes(ApplicationIntegrationType.GuildInstall), 'it can’t be installed in servers');
    if (!installed.includes(ApplicationIntegrationType.UserInstall))
      throw new NotTried(
        'servers only; for people to install it for themselves, tick "User Install" there too',
      );
  }

  async permissions(): Promise<void> {
    const missing = missingIn(await this.#accessTo(this.#patient.channel)).map(({ what }) => what);
    expect(missing.length === 0, `missing: ${missing.join(', ')}`);
  }

  async commands(): Promise<void> {
    const application = await this.#application();
    const known = await fetchCommands(application);
    expect(known.length > 0, 'nothing is registered');
    const differs = differing(wantedOf(application, COMMANDS, known), known);
    expect(differs === undefined, `what is registered differs: ${differs}`);
  }

  async activity(): Promise<void> {
    const { clientSecret } = this.#patient.config;
    if (clientSecret === undefined)
      throw new NotTried('for the board inside Discord, set DISCORD_CLIENT_SECRET');
    const application = await this.#application();
    const isAccepted = await acceptsSecret(this.#rest, application.id, clientSecret);
    expect(isAccepted, 'Discord refuses DISCORD_CLIENT_SECRET');
    const known = await fetchCommands(application);
    const { PrimaryEntryPoint } = ApplicationCommandType;
    const isAnswered = known.some(
      ({ type, handler }) =>
        type === PrimaryEntryPoint && handler === EntryPointCommandHandlerType.AppHandler,
    );
    expect(isAnswered, 'there is no command of Activities that the bot answers');
  }

  async rateLimits(): Promise<void> {
    await this.#rest.get(Routes.channelMessages(this.#patient.channel), {
      query: new URLSearchParams({ limit: '1' }),
    });
    for (const name of ['x-ratelimit-remaining', 'x-ratelimit-reset-after'])
      expect(this.#headers.has(name), `the header ${name} is missing`);
  }

  async nonce(): Promise<void> {
    const body = { ...text('Trying: one nonce'), nonce: randomUUID().slice(0, 25), enforce_nonce: true };
    const first = await this.#post(body);
    expect(first === (await this.#post(body)), 'the second message was posted too');
  }

  async readBack(): Promise<void> {
    const { channel } = this.#patient;
    const key = randomUUID();
    const id = await this.#post(text('Trying: read back', containerIdOf(key)));
    const { permissions } = await this.#accessTo(channel);
    const mayRead = permissions.has(PermissionFlagsBits.ReadMessageHistory);
    expect(mayRead, 'the bot may not read the history of this channel');
    const me = await this.#rights.me();
    const found = await findMessages(this.#rest, { channel, keys: [key], since: 0, me });
    expect(found.get(key) === id, 'the message was not found');
  }

  async edit(): Promise<void> {
    const id = await this.#post(text('Trying: edit'));
    const route = Routes.channelMessage(this.#patient.channel, id);
    const edited = v.parse(MESSAGE, await this.#rest.patch(route, { body: text('Trying: edited') }));
    expect(edited.id === id && typeof edited.edited_timestamp === 'string', 'the message was not changed');
  }

  async spoilerPicture(): Promise<void> {
    const gallery = {
      type: ComponentType.MediaGallery,
      items: [{ media: { url: 'attachment://pixel.png' }, spoiler: true }],
    };
    const attachments = [{ id: 0, description: 'One pixel', is_spoiler: true }];
    const id = await this.#post(
      { flags: MessageFlags.IsComponentsV2, components: [gallery], attachments },
      FILES,
    );
    const route = Routes.channelMessage(this.#patient.channel, id);
    const { attachments: kept } = v.parse(MESSAGE, await this.#rest.get(route));
    expect(kept.length === 1 && ((kept[0]?.flags ?? 0) & SPOILER) !== 0, 'the picture is not marked');
  }

  async roleMention(): Promise<void> {
    const { channel, role } = this.#patient;
    if (role === undefined) throw new NotTried('name a role with --role ID; it is notified without a sound');
    const missing = mentionNeeds(await this.#accessTo(channel), role);
    expect(missing === undefined, `it needs ${missing?.what}`);
    const flags = MessageFlags.SuppressNotifications;
    const content = `<@&${role}> Trying: mention`;
    const body = { content, flags, allowed_mentions: { parse: [], roles: [role] } };
    const answer = await this.#rest.post(Routes.channelMessages(channel), { body });
    const { id, mention_roles } = v.parse(MENTIONING, answer);
    this.#removeMessage(id);
    expect(mention_roles.includes(role), 'Discord did not notify the role');
  }

  async names(): Promise<void> {
    const server = await this.#serverOf(this.#patient.channel);
    await nameOfMember(this.#rest, server, await this.#rights.me());
  }

  async thread(): Promise<void> {
    const { channel } = this.#patient;
    const { id, start } = await this.#startThread('Trying: thread');
    expect(start.id === id, `the thread has the id ${start.id}, its message ${id}`);
    const again = this.#rest.post(Routes.threads(channel, id), { body: { name: 'Trying: thread' } });
    const code = await again.then(() => undefined, codeOf);
    expect(code === CODE.ThreadAlreadyCreatedForMessage, 'a second thread was started');
  }

  async #startThread(name: string) {
    const id = await this.#post(text(name));
    const started = await this.#rest.post(Routes.threads(this.#patient.channel, id), { body: { name } });
    const start = v.parse(CREATED, started);
    this.#removeThread(start.id);
    return { id, start };
  }

  async forumPost(): Promise<void> {
    const { forum } = this.#patient;
    if (forum === undefined) throw new NotTried('name a forum with --forum ID');
    const { channel } = await this.#accessTo(forum);
    const mustTag = channel.flags.has(ChannelFlags.RequireTag);
    const body = {
      name: 'Trying: forum post',
      message: text('Trying: forum post'),
      ...(mustTag && { applied_tags: tagsOf(channel).slice(0, 1) }),
    };
    const post = v.parse(FORUM_POST, await this.#rest.post(Routes.threads(forum), { body }));
    this.#removeThread(post.id);
    expect(post.id === post.message.id, `the post has the id ${post.id}, its message ${post.message.id}`);
  }

  async intents(): Promise<void> {
    const { config, channel } = this.#patient;
    const server = await serverWith(channel, config);
    expect(server !== undefined, 'the server of this channel was not sent');
  }

  async deferredAnswer(): Promise<void> {
    const { application, token } = await this.#pressed();
    const route = Routes.webhookMessage(application, token);
    const answer = v.parse(
      MESSAGE,
      await this.#rest.patch(route, { body: text('Trying: deferred'), auth: false }),
    );
    expect((answer.flags & MessageFlags.Ephemeral) !== 0, 'everybody sees the answer');
  }

  async privateFollowUp(): Promise<void> {
    const { application, token } = await this.#pressed();
    const flags = MessageFlags.Ephemeral;
    const body = {
      content: 'Trying: private answer',
      flags,
      attachments: [{ id: 0, description: 'One pixel' }],
    };
    const route = Routes.webhook(application, token);
    const answer = v.parse(MESSAGE, await this.#rest.post(route, { body, files: FILES, auth: false }));
    expect((answer.flags & flags) !== 0, 'everybody sees the answer');
    expect(answer.attachments.length === 1, 'the file is missing');
  }

  async form(): Promise<void> {
    const { config, press, say } = this.#patient;
    if (!press) throw new NotTried('needs somebody who fills in a form: add --press');
    const typed = await waitForForm({ config, rest: this.#rest, say }, (id) =>
      this.#post(button(id, 'Open me')),
    );
    expect(typed !== '', 'what was typed is missing');
  }

  async messageText(): Promise<void> {
    const { config, press, say } = this.#patient;
    if (!press) throw new NotTried('needs somebody who chooses a command on a message: add --press');
    const text = await waitForMessageCommand({ config, rest: this.#rest, say });
    expect(text !== '', 'the text of the message is missing');
  }

  async #serverOf(channel: string): Promise<string> {
    const { guild_id: server } = v.parse(PLACE, await this.#rest.get(Routes.channel(channel)));
    if (server === undefined) throw new NotTried('name a channel of a server');
    return server;
  }

  async #accessTo(channel: string) {
    const server = await this.#serverOf(channel);
    return this.#rights.channel({ tenant: makeTenant('discord', server), channel });
  }

  #application(): Promise<ClientApplication> {
    return fetchApplication(makeClient(this.#rest));
  }

  /** The press of a button, deferred for the person alone. One press serves all checks that need one. */
  #pressed(): Promise<Press> {
    const { config, press, say } = this.#patient;
    if (!press) throw new NotTried('needs somebody who presses a button: add --press');
    this.#press ??= waitForPress({ config, rest: this.#rest, say }, (id) => this.#post(button(id)));
    return this.#press;
  }

  async #post(body: object, files: typeof FILES = []): Promise<string> {
    const { channel } = this.#patient;
    const { id } = v.parse(CREATED, await this.#rest.post(Routes.channelMessages(channel), { body, files }));
    this.#removeMessage(id);
    return id;
  }

  #removeMessage(id: string): void {
    this.#cleanup.add(`the message ${id}`, async () => {
      const route = Routes.channelMessage(this.#patient.channel, id);
      await this.#rest.delete(route).catch((error: unknown) => {
        // One message may have been noted twice: that is what the check of the nonce is about.
        if (codeOf(error) !== CODE.UnknownMessage) throw error;
      });
    });
  }

  #removeThread(id: string): void {
    this.#cleanup.add(`the thread ${id}, which takes the permission Manage Threads`, () =>
      this.#rest.delete(Routes.channel(id)),
    );
  }
}

/** A message in the form of the bot's posts, as quiet as possible. */
function text(content: string, mark?: number): object {
  const part = { type: ComponentType.TextDisplay, content };
  const container = {
    type: ComponentType.Container,
    components: [part],
    ...(mark !== undefined && { id: mark }),
  };
  return { flags: MessageFlags.IsComponentsV2, components: [container], allowed_mentions: { parse: [] } };
}

function button(id: string, label = 'Press me'): object {
  const one = { type: ComponentType.Button, style: ButtonStyle.Primary, label, custom_id: id };
  return {
    flags: MessageFlags.IsComponentsV2,
    components: [{ type: ComponentType.ActionRow, components: [one] }],
  };
}
