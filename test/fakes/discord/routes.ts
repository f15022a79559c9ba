/** The routes the fake knows: the ones this bot has a use for, each held to its page of the documentation. */
import * as v from 'valibot';
import type { Activities } from './activities.ts';
import { overwriteCommands, readCommands } from './commands.ts';
import { type Gateway, INTENT, MAX_CONCURRENCY } from './gateway.ts';
import type { Interactions } from './interactions.ts';
import {
  createMessage,
  editMessage,
  type Message,
  readMessages,
  type Upload,
  withoutContent,
  withoutNonce,
} from './message.ts';
import { hold, Refusal, snowflake, type Wire } from './rules.ts';
import { forumPost, modifyChannel, type ThreadLimits, threadFromMessage } from './threads.ts';
import { BITS, bitsOf, CHANNEL, type Channel, type Guild, ORDINARY, type World } from './world.ts';

interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly uploads: readonly Upload[];
  /** The header, which people's tokens are in. */
  readonly authorization: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

export interface Route {
  /** `POST /channels/:channel/messages`, as faults and limits name it. */
  readonly name: string;
  readonly method: string;
  readonly parts: readonly string[];
  /** The token of an interaction is in the path, and no bot token is required. */
  readonly open: boolean;
  readonly handle: (call: Call) => Answer;
}

export interface Ground {
  readonly token: string;
  readonly world: World;
  readonly gateway: Gateway;
  readonly interactions: Interactions;
  readonly activities: Activities;
  readonly limits: ThreadLimits;
  readonly closedToDirect: Set<string>;
  readonly shards: number;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const nothing: Answer = { status: 204 };

export function makeRoutes(ground: Ground): Route[] {
  const { world, gateway, interactions, activities, limits } = ground;

  const guildOf = (id: string): Guild => {
    const guild = world.guilds.get(id);
    if (guild === undefined) throw new Refusal(10004);
    // The documentation leaves open how a server without the bot answers; 50001 is what it names for it.
    if (!guild.members.has(world.bot.id)) throw new Refusal(50001);
    return guild;
  };
  const announce = (message: Message): void => {
    const intent = message.guild_id === undefined ? INTENT.directMessages : INTENT.guildMessages;
    gateway.dispatch('MESSAGE_CREATE', message, message.guild_id, intent);
  };
  const announceThread = (event: string, thread: Channel): void =>
    gateway.dispatch(event, thread, thread.guild_id, INTENT.guilds);
  const checkApplication = (id: string): void => {
    if (id !== world.application.id) throw new Refusal(50001);
  };
  const readable = (channel: Channel): void => world.demand(channel, 'READ_MESSAGE_HISTORY');

  const closed: Record<string, (call: Call, params: Record<string, string>) => Answer> = {
    'GET /gateway/bot': () =>
      ok({
        url: gateway.url,
        shards: ground.shards,
        session_start_limit: {
          total: 1000,
          remaining: Math.max(0, 1000 - gateway.identifies),
          reset_after: 86_400_000,
          max_concurrency: MAX_CONCURRENCY,
        },
      }),
    'GET /users/@me/guilds': () =>
      ok(
        [...world.guilds.values()]
          .filter(({ members }) => members.has(world.bot.id))
          .map(({ id, name }) => ({
            ...{ id, name, icon: null, banner: null, owner: false, features: [] },
            permissions: String(bitsOf(ORDINARY)),
          })),
      ),
    'GET /applications/@me': () => ok(world.application),
    'GET /applications/:application/activity-instances/:instance': (
      _,
      { application = '', instance = '' },
    ) => {
      checkApplication(application);
      const described = activities.describe(instance);
      if (described === undefined) throw new Refusal(0);
      return ok(described);
    },
    'POST /users/@me/channels': ({ body }) => {
      hold(body, v.strictObject({ recipient_id: snowflake }));
      const user = world.users.get((body as Wire).recipient_id as string);
      if (user === undefined) throw new Refusal(10013);
      return ok(world.directChannel(user));
    },

    'GET /applications/:application/commands': ({ query }, { application = '' }) => {
      checkApplication(application);
      return ok(readCommands(world, query));
    },
    'PUT /applications/:application/commands': ({ body }, { application = '' }) => {
      checkApplication(application);
      return ok(overwriteCommands(world, body));
    },

    'GET /guilds/:guild': (_, { guild = '' }) => {
      const { id, name, owner_id, roles } = guildOf(guild);
      return ok({ id, name, owner_id, roles });
    },
    'GET /guilds/:guild/members/:user': (_, { guild = '', user = '' }) => {
      const member = guildOf(guild).members.get(user);
      if (member === undefined) throw new Refusal(10007);
      return ok(member);
    },
    'GET /guilds/:guild/threads/active': (_, { guild = '' }) => {
      const threads = world.channelsOf(guildOf(guild).id).filter((one) => {
        const visible = (world.permissions(world.bot.id, one) & BITS.VIEW_CHANNEL) !== 0n;
        return one.thread_metadata?.archived === false && visible;
      });
      // "Threads are ordered by their id, in descending order."
      return ok({ threads: threads.toReversed(), members: [] });
    },

    'GET /channels/:channel': (_, { channel = '' }) => ok(world.visible(channel)),
    'PATCH /channels/:channel': ({ body }, { channel = '' }) => {
      const changed = modifyChannel(world, channel, body);
      announceThread('THREAD_UPDATE', changed);
      return ok(changed);
    },
    'DELETE /channels/:channel': (_, { channel = '' }) => {
      const dropped = world.visible(channel);
      world.demand(dropped, 'MANAGE_THREADS');
      world.dropChannel(dropped);
      announceThread('THREAD_DELETE', dropped);
      return ok(dropped);
    },
    'GET /channels/:channel/messages': ({ query }, { channel = '' }) =>
      ok(readMessages(world, channel, query).map((one) => withoutContent(world, one))),
    'POST /channels/:channel/messages': ({ body, uploads }, { channel = '' }) => {
      const to = world.visible(channel);
      if (to.type === CHANNEL.dm && ground.closedToDirect.has(to.recipients?.[0]?.id ?? '')) {
        throw new Refusal(50007);
      }
      const { message, repeated } = createMessage(world, channel, body, uploads);
      if (!repeated) announce(message);
      return ok(message);
    },
    'GET /channels/:channel/messages/:message': (_, { channel = '', message = '' }) => {
      readable(world.visible(channel));
      return ok(withoutContent(world, world.messageOf(channel, message)));
    },
    'PATCH /channels/:channel/messages/:message': ({ body, uploads }, { channel = '', message = '' }) =>
      ok(withoutNonce(editMessage(world, limits, channel, message, body, uploads))),
    'DELETE /channels/:channel/messages/:message': (_, { channel = '', message = '' }) => {
      const at = world.visible(channel);
      const found = world.messageOf(channel, message);
      if (found.author.id !== world.bot.id) world.demand(at, 'MANAGE_MESSAGES');
      world.messages.set(
        channel,
        world.messagesOf(channel).filter((one) => one !== found),
      );
      return nothing;
    },
    'POST /channels/:channel/messages/:message/threads': ({ body }, { channel = '', message = '' }) => {
      const thread = threadFromMessage(world, limits, channel, message, body);
      announceThread('THREAD_CREATE', { ...thread, newly_created: true } as Channel);
      return { status: 201, body: thread };
    },
    'POST /channels/:channel/threads': ({ body, uploads }, { channel = '' }) => {
      const { thread, message } = forumPost(world, limits, channel, body, uploads);
      announceThread('THREAD_CREATE', { ...thread, newly_created: true } as Channel);
      return { status: 201, body: { ...thread, message } };
    },
  };

  const open: typeof closed = {
    'GET /gateway': () => ok({ url: gateway.url }),
    'POST /oauth2/token': ({ body }) => activities.exchange(body),
    'GET /users/@me': ({ authorization }) => {
      if (authorization === `Bot ${ground.token}`) return ok(world.bot);
      const user = activities.userOf(authorization.replace('Bearer ', ''));
      if (user === undefined) throw new Refusal(0, undefined, 401);
      return ok(user);
    },
    'POST /interactions/:interaction/:token/callback': ({ body, uploads, query }, params) => {
      const { interaction = '', token = '' } = params;
      const { id, kind, answeredBy, instance } = interactions.answer(interaction, token, body, uploads);
      if (query.get('with_response') !== 'true') return nothing;
      const launched = instance && { activity_instance: { id: instance.id } };
      return ok({
        interaction: { id, type: kind, ...(instance && { activity_instance_id: instance.id }) },
        resource: { type: answeredBy, ...launched },
      });
    },
    'POST /webhooks/:application/:token': ({ body, uploads }, { application = '', token = '' }) =>
      ok(interactions.followUp(application, token, body, uploads)),
    'PATCH /webhooks/:application/:token/messages/@original': (
      { body, uploads },
      { application = '', token = '' },
    ) => ok(interactions.edit(application, token, body, uploads)),
    'DELETE /webhooks/:application/:token/messages/@original': (_, { application = '', token = '' }) => {
      interactions.remove(application, token);
      return nothing;
    },
  };

  const table = (handlers: typeof closed, isOpen: boolean): Route[] =>
    Object.entries(handlers).map(([name, handle]) => {
      const [method = '', path = ''] = name.split(' ');
      return {
        name,
        method,
        parts: path.split('/'),
        open: isOpen,
        handle: (call) => handle(call, { ...call.params }),
      };
    });
  return [...table(closed, false), ...table(open, true)];
}
