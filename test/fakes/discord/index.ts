/**
 * A Discord on loopback: REST and gateway, as strict as the documentation, with people who press buttons
 * and a network that fails on demand.
 *
 * @example
 * const discord = await startFakeDiscord();
 * const guild = discord.world.addGuild('Word club');
 * const seen = await discord.command({ channel: discord.world.addChannel(guild), name: 'letterboxed', subcommand: 'today' });
 */
import { closeServer, listening, originOf } from '../loopback.ts';
import { standingClock } from '../standing-clock.ts';
import { Activities } from './activities.ts';
import type { BrokenAssumptions } from './broken.ts';
import { Endpoint } from './endpoint.ts';
import { describeGuild, Gateway, INTENT } from './gateway.ts';
import { type Interaction, Interactions, KIND } from './interactions.ts';
import { type Attachment, type Message, makeMessage } from './message.ts';
import { buttonsOf, choiceOf, filledIn, invocation, type OptionValues, Sight } from './person.ts';
import { LIMITS, type Limits, RateLimits } from './rate-limits.ts';
import { makeRoutes } from './routes.ts';
import type { Wire } from './rules.ts';
import { type Fault, Http, type Seen } from './server.ts';
import type { ThreadLimits } from './threads.ts';
import {
  type Channel,
  type Clock,
  type Guild,
  type Permission,
  permissionsIn,
  type User,
  World,
} from './world.ts';

export interface Settings {
  token?: string;
  /** One that stands still by default. */
  clock?: Clock;
  /** `false` for none at all. */
  limits?: Partial<Limits> | false;
  threads?: Partial<ThreadLimits>;
  shards?: number;
  /** Milliseconds; Discord's are five seconds. */
  identifyWindow?: number;
  memory?: number;
  latency?: () => number;
}

/** Who asks, and where: without a channel in private messages with the bot. */
export interface Asking {
  user?: User;
  channel?: Channel;
  locale?: string;
  /** Runs the app as installed by the person rather than by the server. */
  userInstalled?: boolean;
  /** Delivers the event this many times, as a gateway that repeats itself does. */
  deliveries?: number;
}

export interface Command extends Asking {
  name: string;
  subcommand?: string;
  options?: OptionValues;
  /** The addresses of files that are options, by the ids that are their values. */
  files?: Readonly<Record<string, string>>;
}

const TOKEN = 'fake.discord.token';
/**
 * Milliseconds after which a test learns that no answer came. No limit of Discord's: those go by the clock of
 * the world, so that a busy machine breaks none of them.
 */
const GIVE_UP = 50_000;

export class FakeDiscord {
  readonly token: string;
  readonly world: World;
  readonly gateway: Gateway;
  readonly interactions: Interactions;
  readonly activities: Activities;
  readonly endpoint: Endpoint;
  readonly threads: ThreadLimits;
  /** People who take no private messages (error 50007). */
  readonly closedToDirect = new Set<string>();
  readonly limits: RateLimits | undefined;
  readonly #http: Http;
  readonly #waiting = new Map<Interaction, () => void>();
  #origin = '';

  constructor(settings: Settings = {}) {
    this.token = settings.token ?? TOKEN;
    this.world = new World(settings.clock ?? standingClock());
    const { shards = 1, identifyWindow = 5_000 } = settings;
    this.gateway = new Gateway(this.world, { token: this.token, identifyWindow, shards });
    this.activities = new Activities(this.world);
    this.interactions = new Interactions(this.world, this.activities, (changed) =>
      this.#waiting.get(changed)?.(),
    );
    this.endpoint = new Endpoint(() => this.world.clock.now());
    this.threads = { activeThreads: 1_000, oldEdits: 30, ...settings.threads };
    this.limits = settings.limits === false ? undefined : new RateLimits({ ...LIMITS, ...settings.limits });
    const { token, world, gateway, interactions, activities, threads, closedToDirect } = this;
    const parts = { token, world, gateway, interactions, activities };
    const ground = { ...parts, limits: threads, closedToDirect, shards };
    this.#http = new Http(makeRoutes(ground), this.limits, {
      token: this.token,
      memory: settings.memory ?? 10_000,
      latency: settings.latency ?? (() => 0),
    });
    this.#http.server.on('upgrade', (request, socket, head) => gateway.upgrade(request, socket, head));
  }

  async listen(): Promise<this> {
    this.#origin = originOf(await listening(this.#http.server));
    this.gateway.url = `${this.#origin.replace('http', 'ws')}/gateway`;
    return this;
  }

  /** What `DISCORD_API_URL` is set to. */
  get url(): string {
    return `${this.#origin}/api`;
  }
  get requests(): readonly Seen[] {
    return this.#http.requests;
  }
  /** Requests of one route, such as `POST /channels/:channel/messages`. */
  requestsTo(route: string): readonly Seen[] {
    return this.requests.filter((one) => one.route === route);
  }
  forgetRequests(): void {
    this.#http.requests.length = 0;
  }
  fault(fault: Fault): void {
    this.#http.fault(fault);
  }
  /** What doors assume about Discord, and this fake does not keep. */
  get broken(): BrokenAssumptions {
    return this.#http.broken;
  }
  clearFaults(): void {
    this.#http.clearFaults();
  }

  async close(): Promise<void> {
    this.gateway.close();
    await closeServer(this.#http.server);
  }

  /** The bot is added to a server while it runs. */
  join(guild: Guild): void {
    if (!guild.members.has(this.world.bot.id)) this.world.addMember(guild, this.world.bot);
    this.gateway.dispatch('GUILD_CREATE', describeGuild(this.world, guild), guild.id, INTENT.guilds);
  }
  /** The bot is removed from a server. */
  remove(guild: Guild): void {
    guild.members.delete(this.world.bot.id);
    this.gateway.dispatch('GUILD_DELETE', { id: guild.id }, guild.id, INTENT.guilds);
  }
  /** The server has an outage: not a removal. */
  outage(guild: Guild): void {
    guild.available = false;
    this.gateway.dispatch('GUILD_DELETE', { id: guild.id, unavailable: true }, guild.id, INTENT.guilds);
  }
  recover(guild: Guild): void {
    guild.available = true;
    this.gateway.dispatch('GUILD_CREATE', describeGuild(this.world, guild), guild.id, INTENT.guilds);
  }
  deleteChannel(channel: Channel): void {
    this.world.dropChannel(channel);
    this.gateway.dispatch('CHANNEL_DELETE', channel, channel.guild_id, INTENT.guilds);
  }
  /** A moderator keeps the bot from posting for this many milliseconds. */
  timeOut(guild: Guild, milliseconds: number): void {
    const member = guild.members.get(this.world.bot.id)!;
    member.communication_disabled_until = new Date(this.world.clock.now() + milliseconds).toISOString();
    this.gateway.dispatch('GUILD_MEMBER_UPDATE', { guild_id: guild.id, ...member }, guild.id);
  }
  /** Takes permissions from the bot in a channel; none gives them all back. */
  deny(channel: Channel, ...names: readonly Permission[]): void {
    this.world.deny(channel, ...names);
    this.gateway.dispatch('CHANNEL_UPDATE', channel, channel.guild_id, INTENT.guilds);
  }

  command(asked: Command): Promise<Sight> {
    const { channel } = asked;
    if (channel?.thread_metadata?.archived) throw new Error('Nobody can use commands in an archived thread.');
    const data = invocation(this.world.commands, asked);
    return this.#ask(KIND.command, data, asked, undefined);
  }

  /** Chooses the Activity in the list of apps, where its command is left to the app. */
  openActivity(asked: Asking = {}): Promise<Sight> {
    const known = this.world.commands.find(({ type }) => type === 4);
    if (known?.handler !== 1) throw new Error('No command opens the Activity by way of the app.');
    return this.#ask(KIND.command, { id: known.id, name: known.name, type: 4 }, asked, undefined);
  }

  /** Chooses a command in the menu of a message, which comes along without any privileged intent. */
  messageCommand(message: Message, name: string, asked: Asking = {}): Promise<Sight> {
    const where = { ...this.#whereIs(message), ...asked };
    const known = this.world.commands.find((one) => one.type === 3 && one.name === name);
    if (known === undefined) throw new Error(`There is no command "${name}" on messages.`);
    const data = {
      id: known.id,
      name,
      type: 3,
      target_id: message.id,
      resolved: { messages: { [message.id]: message } },
    };
    return this.#ask(KIND.command, data, where, undefined);
  }

  /** A message that somebody writes. */
  write(channel: Channel, author: User, content: string, attachments: Attachment[] = []): Message {
    const message = makeMessage(this.world, channel.id, { content }, [], { author, attachments });
    this.world.messages.set(channel.id, [...this.world.messagesOf(channel.id), message]);
    return message;
  }

  /** Asks for suggestions for the option `focused`, whose text so far is in `options`. */
  complete(asked: Command & { focused: string }): Promise<Sight> {
    const data = invocation(this.world.commands, asked);
    return this.#ask(KIND.autocomplete, data, asked, undefined);
  }

  /** Presses a button, found by its label or its custom id. */
  press(message: Message, button: string, asked: Asking = {}): Promise<Sight> {
    const found = buttonsOf(message).find((one) => one.label === button || one.custom_id === button);
    const chosen = found === undefined ? choiceOf(message, button) : undefined;
    if (chosen !== undefined) {
      const data = { custom_id: chosen.menu, component_type: 3, id: 0, values: [chosen.value] };
      return this.#ask(KIND.component, data, { ...this.#whereIs(message), ...asked }, message);
    }
    if (found?.custom_id === undefined) throw new Error(`There is no button "${button}" to press.`);
    if (found.disabled) throw new Error(`The button "${button}" cannot be pressed.`);
    const data = { custom_id: found.custom_id, component_type: 2, id: found.id ?? 0 };
    return this.#ask(KIND.component, data, { ...this.#whereIs(message), ...asked }, message);
  }

  /** Fills in and sends the modal that was seen. */
  submit(seen: Sight, typed: Readonly<Record<string, string>>): Promise<Sight> {
    const { modal, interaction } = seen;
    const data = { custom_id: modal.custom_id, components: filledIn(modal, typed) };
    const channel = this.world.channels.get(interaction.channelId);
    const asked = { user: interaction.user, ...(channel === undefined ? {} : { channel }) };
    return this.#ask(KIND.modal, data, asked, interaction.source);
  }

  #whereIs(message: Message): Asking {
    const channel = this.world.channels.get(message.channel_id);
    return channel === undefined ? {} : { channel };
  }

  #ask(kind: number, data: Wire, asked: Asking, source: Message | undefined): Promise<Sight> {
    const { world } = this;
    const user = asked.user ?? this.#somebody();
    const channel = asked.channel ?? world.directChannel(user);
    const guild = channel.guild_id === undefined ? undefined : world.guilds.get(channel.guild_id);
    const interaction = this.interactions.open(kind, {
      user,
      channelId: channel.id,
      guildId: guild?.id,
      source,
      onlyUserInstalled: asked.userInstalled === true,
    });
    const shown = source === undefined ? {} : { message: source };
    const event = {
      id: interaction.id,
      application_id: world.application.id,
      type: kind,
      token: interaction.token,
      version: 1,
      data,
      channel_id: channel.id,
      channel: { ...channel, permissions: String(world.permissions(user.id, channel)) },
      app_permissions: String(world.permissions(world.bot.id, channel)),
      locale: asked.locale ?? 'en-US',
      entitlements: [],
      attachment_size_limit: 10 * 2 ** 20,
      authorizing_integration_owners: asked.userInstalled ? { 1: user.id } : { 0: guild?.id ?? '0' },
      context: guild === undefined ? 1 : 0,
      ...shown,
      ...(guild === undefined ? { user } : this.#inGuild(guild, user, channel)),
    };
    const began = performance.now();
    const seen = this.#watch(interaction, began);
    if (this.endpoint.isSet)
      return Promise.all([seen, this.endpoint.deliver(event)]).then(([sight]) => sight);
    for (let time = 0; time < (asked.deliveries ?? 1); time += 1) {
      this.gateway.dispatch('INTERACTION_CREATE', event, guild?.id);
    }
    return seen;
  }

  #inGuild(guild: Guild, user: User, channel: Channel): Wire {
    const member = guild.members.get(user.id) ?? this.world.addMember(guild, user);
    const parent = this.world.channels.get(channel.parent_id ?? '') ?? channel;
    return {
      guild_id: guild.id,
      guild: { id: guild.id, locale: 'en-US', features: [] },
      guild_locale: 'en-US',
      member: {
        ...member,
        permissions: String(permissionsIn(guild, user.id, this.world.clock.now(), parent)),
      },
    };
  }

  #somebody(): User {
    return (
      [...this.world.users.values()].find((one) => one.username === 'somebody') ??
      this.world.addUser('somebody')
    );
  }

  /** Resolves as soon as the person sees an answer, or Discord has refused one for coming too late. */
  #watch(interaction: Interaction, began: number): Promise<Sight> {
    return new Promise((resolve, reject) => {
      const givingUp = setTimeout(() => {
        this.#waiting.delete(interaction);
        const { answeredBy } = interaction;
        reject(
          new Error(answeredBy === undefined ? 'No answer came.' : 'The answer was deferred and never came.'),
        );
      }, GIVE_UP).unref();
      this.#waiting.set(interaction, () => {
        if (!isVisible(interaction)) return;
        clearTimeout(givingUp);
        this.#waiting.delete(interaction);
        resolve(new Sight(interaction, performance.now() - began));
      });
    });
  }
}

function isVisible(interaction: Interaction): boolean {
  const { answeredBy, loading, edits, followUps, deleted, missed } = interaction;
  if (missed) return true;
  if (answeredBy === undefined) return false;
  if (answeredBy === 5) return !loading;
  if (answeredBy === 6) return edits > 0 || followUps.length > 0 || deleted;
  return true;
}

export async function startFakeDiscord(settings: Settings = {}): Promise<FakeDiscord> {
  return new FakeDiscord(settings).listen();
}
