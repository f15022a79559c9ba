import { type Grant, Refusal, refuseFor, TWELVE_HOURS } from './access.ts';
import { blockProblems, viewProblems } from './block-kit.ts';
import { withIds } from './shown.ts';
import {
  addMessage,
  type Call,
  type Channel,
  type ChannelKind,
  type Content,
  directChannel,
  type File,
  isShared,
  type Json,
  type Message,
  type Slack,
  show,
  type User,
  type View,
  type Workspace,
} from './world.ts';

/**
 * What an argument must be: text, a whole number, a flag, or JSON, which may come as text in a form; with a `!`, it is
 * required.
 */
type ArgumentKind = 'text' | 'whole' | 'flag' | 'json';
type Arguments = Readonly<Record<string, ArgumentKind | `${ArgumentKind}!`>>;

/** A Web API method as documented: its token, its scopes, its arguments, and what it does. */
interface Method {
  readonly token?: Grant['kind'] | 'none' | 'any';
  /** Held in any case; those that depend on the channel are checked by the method. */
  readonly scopes?: readonly string[];
  readonly args: Arguments;
  run(call: Call): Json;
}

/**
 * Checks arguments against their rules and reads those that came as text. Unlike Slack, which overlooks
 * an argument it does not know, this refuses it: a misspelt one would be lost in silence.
 */
function checkArguments(given: Json, rules: Arguments): Json {
  const known: Arguments = { ...rules, token: 'text', team_id: 'text' };
  const problems = Object.entries(rules)
    .filter(([name, rule]) => rule.endsWith('!') && (given[name] === undefined || given[name] === ''))
    .map(([name]) => `missing required field: ${name}`);
  const read: Json = {};
  for (const [name, value] of Object.entries(given)) {
    const kind = known[name]?.replace('!', '') as ArgumentKind | undefined;
    read[name] = kind && parseArgument(kind, value);
    if (kind === undefined) problems.push(`unknown argument [argument:${name}]`);
    else if (read[name] === undefined) problems.push(`must be ${kind} [argument:${name}]`);
  }
  if (problems.length > 0) throw refuseFor('invalid_arguments', problems);
  return read;
}

function parseArgument(kind: ArgumentKind, value: unknown): unknown {
  switch (kind) {
    case 'text':
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    case 'whole':
      return /^\d+$/.test(String(value)) ? Number(value) : undefined;
    case 'flag':
      return { true: true, 1: true, false: false, 0: false }[String(value)];
    case 'json':
      try {
        return typeof value === 'object' ? value : JSON.parse(String(value));
      } catch {
        return undefined;
      }
  }
}

function needScope({ grant }: Pick<Call, 'grant'>, scope: string): void {
  if (grant.scopes.includes(scope)) return;
  throw new Refusal('missing_scope', { needed: scope, provided: grant.scopes.join(',') });
}

const FAMILY: Record<ChannelKind, string> = { public: 'channels', private: 'groups', im: 'im' };

/** The channel of a call that reads: the app must be able to see it, and have the scope of its kind. */
function readableChannel(call: Call, right: 'read' | 'history'): Channel {
  const channel = call.workspace.channels.get(call.args.channel);
  const isMember = channel?.members.has(call.workspace.botUser) === true;
  if (channel === undefined) {
    const scopes = Object.values(FAMILY).map((family) => `${family}:${right}`);
    if (!scopes.some((scope) => call.grant.scopes.includes(scope))) needScope(call, scopes[0]!);
    throw new Refusal('channel_not_found');
  }
  needScope(call, `${FAMILY[channel.kind]}:${right}`);
  if (channel.kind !== 'public' && !isMember) throw new Refusal('channel_not_found');
  if (right === 'history' && !isMember) throw new Refusal('not_in_channel');
  return channel;
}

/** The channel of a call that writes; a person's id means the conversation with them. */
function writableChannel({ workspace, slack }: Call, id: string): Channel {
  const channel = workspace.users.has(id)
    ? directChannel(slack.world, workspace, id)
    : workspace.channels.get(id);
  if (channel === undefined) throw new Refusal('channel_not_found');
  if (!channel.members.has(workspace.botUser))
    throw new Refusal(channel.kind === 'public' ? 'not_in_channel' : 'channel_not_found');
  if (channel.isArchived) throw new Refusal('is_archived');
  return channel;
}

/** Longer texts are cut by Slack, as its documentation says. */
const TEXT_CUT = 40_000;
const METADATA_MOST = 16_000;

/** Whether the app may show a file in blocks at this moment. */
function canShow(slack: Slack, workspace: Workspace): (file: string) => boolean {
  return (key) => {
    const file = workspace.files.get(key);
    return (
      file?.isComplete === true && /\.(png|jpe?g|gif)$/i.test(file.name) && file.readyAt <= slack.elapsed()
    );
  };
}

/** The text and blocks of a message, checked. */
function readContent(slack: Slack, workspace: Workspace, args: Json): Content {
  const { text = '', blocks } = args;
  if (blocks !== undefined && !Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const hasBlocks = blocks !== undefined && blocks.length > 0;
  if (!hasBlocks && text === '') throw new Refusal('no_text');
  const problems = blockProblems(blocks ?? [], 'message', canShow(slack, workspace));
  if (problems.length > 0) throw refuseFor('invalid_blocks', problems);
  return {
    text: text.slice(0, TEXT_CUT),
    blocks: withIds(blocks ?? [], slack.world.nextId),
  };
}

/** Message metadata: a kind and a flat object, readable by every app in the workspace. */
function readMetadata(metadata: unknown): Json | undefined {
  if (metadata === undefined) return undefined;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new Refusal('invalid_metadata_format');
  const { event_type: type, event_payload: payload, ...rest } = metadata as Json;
  if (typeof type !== 'string' || type === '' || typeof payload !== 'object' || payload === null)
    throw new Refusal('invalid_metadata_format');
  if (Object.keys(rest).length > 0) throw new Refusal('invalid_metadata_format');
  if (type.length > 50 || !/^\w+$/.test(type)) throw new Refusal('invalid_metadata_schema');
  if (JSON.stringify(metadata).length > METADATA_MOST) throw new Refusal('metadata_too_large');
  return { event_type: type, event_payload: payload };
}

/** The arguments that the bot uses; others are refused. */
const WRITING = { channel: 'text!', text: 'text', blocks: 'json', thread_ts: 'text' } as const;
const UPDATE_TEXT_MOST = 4000;
const EPHEMERAL_TEXT_MOST = 40_000;

const chatMethods: Record<string, Method> = {
  'chat.postMessage': {
    scopes: ['chat:write'],
    args: { ...WRITING, metadata: 'json', unfurl_links: 'flag', unfurl_media: 'flag' },
    run(call) {
      const { slack, workspace, args } = call;
      const channel = writableChannel(call, args.channel);
      const content = readContent(slack, workspace, args);
      const metadata = readMetadata(args.metadata);
      const threadTs = threadOf(channel, args.thread_ts);
      slack.pace.post(channel.id);
      const message = addMessage(slack.world, workspace, channel, {
        ...content,
        user: workspace.botUser,
        metadata,
        threadTs,
      });
      show(slack, { workspace: workspace.id, message });
      return {
        channel: channel.id,
        ts: message.ts,
        message: messageJson(workspace, slack.app.id, message, true),
      };
    },
  },

  'chat.postEphemeral': {
    scopes: ['chat:write'],
    args: { ...WRITING, user: 'text!' },
    run(call) {
      const { slack, workspace, args } = call;
      const channel = writableChannel(call, args.channel);
      if (!channel.members.has(args.user)) throw new Refusal('user_not_in_channel');
      if ((args.text ?? '').length > EPHEMERAL_TEXT_MOST) throw new Refusal('msg_too_long');
      const message = addMessage(slack.world, workspace, channel, {
        ...readContent(slack, workspace, args),
        user: workspace.botUser,
        only: args.user,
        threadTs: threadOf(channel, args.thread_ts),
      });
      // Nobody sees one in a thread that is not there yet, though Slack says nothing of it.
      const isThread = channel.messages.some(({ threadTs }) => threadTs === message.threadTs);
      if (message.threadTs === undefined || isThread) show(slack, { workspace: workspace.id, message });
      return { message_ts: message.ts };
    },
  },

  'chat.update': {
    scopes: ['chat:write'],
    args: { channel: 'text!', ts: 'text!', text: 'text', blocks: 'json' },
    run(call) {
      const { slack, workspace, args } = call;
      const { channel, message } = ownMessage(call);
      if (channel.isArchived) throw new Refusal('is_inactive');
      if ((args.text ?? '').length > UPDATE_TEXT_MOST) throw new Refusal('msg_too_long');
      Object.assign(message, readContent(slack, workspace, args), { isEdited: true });
      show(slack, { workspace: workspace.id, message });
      return {
        channel: channel.id,
        ts: message.ts,
        text: message.text,
        message: messageJson(workspace, slack.app.id, message, true),
      };
    },
  },

  'chat.delete': {
    scopes: ['chat:write'],
    args: { channel: 'text!', ts: 'text!' },
    run(call) {
      const { channel, message } = ownMessage(call);
      message.isDeleted = true;
      return { channel: channel.id, ts: message.ts };
    },
  },
};

/** The parent of a thread; a reply's own ts means its thread. A deleted message without replies has none: Slack posts in the channel. */
function threadOf(channel: Channel, ts: string | undefined): string | undefined {
  if (ts === undefined) return undefined;
  const hasReplies = channel.messages.some(({ threadTs }) => threadTs === ts);
  const parent = channel.messages.find((one) => one.ts === ts && (!one.isDeleted || hasReplies));
  return parent && (parent.threadTs ?? parent.ts);
}

function ownMessage({ workspace, args }: Call): { channel: Channel; message: Message } {
  const channel = workspace.channels.get(args.channel);
  if (channel === undefined) throw new Refusal('channel_not_found');
  const message = channel.messages.find(({ ts, isDeleted }) => ts === args.ts && !isDeleted);
  if (message === undefined) throw new Refusal('message_not_found');
  if (!message.byApp) throw new Refusal('cant_update_message');
  return { channel, message };
}

const TIMELINE = {
  channel: 'text!',
  cursor: 'text',
  include_all_metadata: 'flag',
  limit: 'whole',
  oldest: 'text',
} as const;

const conversationMethods: Record<string, Method> = {
  'conversations.info': {
    args: { channel: 'text!' },
    run(call) {
      const { id, name, kind, isArchived, members } = readableChannel(call, 'read');
      const channel = { id, name, is_channel: kind === 'public', is_private: kind === 'private' };
      const is_member = members.has(call.workspace.botUser);
      return { channel: { ...channel, is_im: kind === 'im', is_archived: isArchived, is_member } };
    },
  },

  'conversations.members': {
    args: { channel: 'text!', cursor: 'text', limit: 'whole' },
    run(call) {
      const { items, next } = pageOf([...readableChannel(call, 'read').members], call.args);
      return { members: items, response_metadata: { next_cursor: next } };
    },
  },

  'conversations.history': {
    args: TIMELINE,
    run(call) {
      const channel = readableChannel(call, 'history');
      const tops = channel.messages.filter(({ threadTs }) => threadTs === undefined);
      return timeline(call, tops.toReversed());
    },
  },

  'conversations.replies': {
    args: { ...TIMELINE, ts: 'text!' },
    run(call) {
      const channel = readableChannel(call, 'history');
      const { ts } = call.args;
      const thread = channel.messages.filter((message) => message.ts === ts || message.threadTs === ts);
      if (thread.length === 0) throw new Refusal('thread_not_found');
      return timeline(call, thread);
    },
  },

  'users.conversations': {
    args: { types: 'text', exclude_archived: 'flag', limit: 'whole', cursor: 'text' },
    run(call) {
      const { args, workspace } = call;
      const kinds = new Set(String(args.types ?? 'public_channel').split(','));
      for (const kind of ['public', 'private'] as const)
        if (kinds.has(`${kind}_channel`)) needScope(call, `${FAMILY[kind]}:read`);
      const its = [...workspace.channels.values()].filter(
        ({ kind, members, isArchived }) =>
          kinds.has(`${kind}_channel`) &&
          members.has(workspace.botUser) &&
          !(args.exclude_archived && isArchived),
      );
      const { items, next } = pageOf(its, args);
      const channels = items.map(({ id, name }) => ({ id, name }));
      return { channels, response_metadata: { next_cursor: next } };
    },
  },

  'conversations.open': {
    scopes: ['im:write'],
    args: { users: 'text!' },
    run({ slack, workspace, args }) {
      if (!workspace.users.has(args.users)) throw new Refusal('user_not_found');
      return { channel: { id: directChannel(slack.world, workspace, args.users).id } };
    },
  },
};

/** As of 2025-05-29, "this method is rate limited to 1 request per minute", with at most 15 objects. */
const UNLISTED_MESSAGES = 15;

function timeline(call: Call, messages: readonly Message[]): Json {
  const { args, workspace, slack } = call;
  const within = messages.filter(
    ({ ts, isDeleted }) => !isDeleted && (args.oldest === undefined || ts > args.oldest),
  );
  if (slack.isUnlisted) slack.pace.take(`read ${workspace.id}`, 1 / 60, 1);
  const most = slack.isUnlisted ? UNLISTED_MESSAGES : 999;
  const { items, next } = pageOf(within, { ...args, limit: Math.min(args.limit ?? 100, most) });
  const withMetadata = args.include_all_metadata === true;
  return {
    messages: items.map((message) => messageJson(workspace, slack.app.id, message, withMetadata)),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
}

function pageOf<Item>(all: readonly Item[], { cursor, limit = 100 }: Json): { items: Item[]; next: string } {
  const from = cursor ? Number(Buffer.from(cursor, 'base64').toString()) : 0;
  if (!Number.isInteger(from) || from < 0) throw new Refusal('invalid_cursor');
  const to = from + Math.min(limit, 999);
  const next = to < all.length ? Buffer.from(String(to)).toString('base64') : '';
  return { items: all.slice(from, to), next };
}

const fileMethods: Record<string, Method> = {
  'files.getUploadURLExternal': {
    scopes: ['files:write'],
    args: { filename: 'text!', length: 'whole!' },
    run({ slack, workspace, args }) {
      if (args.length < 1)
        throw refuseFor('invalid_arguments', ['must be greater than 0 [json-pointer:/length]']);
      const file: File = {
        id: slack.world.nextId('F'),
        name: args.filename,
        ...(args.filename.endsWith('.png') && { mimetype: 'image/png' }),
        isReadable: true,
        length: args.length,
        bytes: undefined,
        isComplete: false,
        readyAt: 0,
      };
      workspace.files.set(file.id, file);
      return { file_id: file.id, upload_url: `${slack.base}/upload/${workspace.id}/${file.id}` };
    },
  },

  'files.info': {
    scopes: ['files:read'],
    args: { file: 'text!' },
    run({ slack, workspace, args }) {
      if (!workspace.files.has(args.file)) throw new Refusal('file_not_found');
      return { file: wholeFile(slack, workspace, args.file) };
    },
  },

  'files.delete': {
    scopes: ['files:write'],
    args: { file: 'text!' },
    run({ workspace, args }) {
      if (!workspace.files.delete(args.file)) throw new Refusal('file_not_found');
      return {};
    },
  },

  'files.completeUploadExternal': {
    scopes: ['files:write'],
    args: { files: 'json!', channel_id: 'text' },
    run(call) {
      const { slack, workspace, args } = call;
      if (!Array.isArray(args.files) || args.files.length === 0)
        throw refuseFor('invalid_arguments', ['must have at least 1 item [json-pointer:/files]']);
      const files = args.files.map((entry: Json) => {
        const file = workspace.files.get(entry?.id);
        if (file?.bytes === undefined || file.isComplete) throw new Refusal('file_not_found');
        return file;
      });
      for (const file of files) {
        file.isComplete = true;
        file.readyAt = slack.elapsed() + slack.fileDelay;
      }
      if (args.channel_id !== undefined) {
        const channel = writableChannel(call, args.channel_id);
        const shared = { user: workspace.botUser, files: files.map(({ id }) => id) };
        const message = addMessage(slack.world, workspace, channel, shared);
        show(slack, { workspace: workspace.id, message });
      }
      return { files: args.files.map(({ id, title }: Json) => ({ id, title: title ?? '' })) };
    },
  },
};

export function wholeFile({ base }: Slack, workspace: Workspace, id: string): Json {
  const { name, mimetype, length: size } = workspace.files.get(id)!;
  const url_private = `${base}/files-pri/${workspace.id}/${id}/${name}`;
  return { id, name, mimetype, size, mode: 'hosted', url_private };
}

const checkMethods: Record<string, Method> = {
  'blocks.validate': {
    args: { blocks: 'json', view: 'json' },
    run({ slack, workspace, args: { blocks = [], view } }) {
      const mayShow = canShow(slack, workspace);
      const problems = [
        ...blockProblems(blocks, 'message', mayShow),
        ...(view === undefined ? [] : viewProblems(view, 'modal', mayShow).problems),
      ];
      if (problems.length > 0) throw refuseFor('invalid_blocks', problems);
      return {};
    },
  },
};

/** Who the app is, and how it comes by its tokens. */
const identityMethods: Record<string, Method> = {
  'api.test': { token: 'none', args: {}, run: () => ({}) },

  'auth.test': {
    token: 'any',
    args: {},
    run: ({ slack: { app }, workspace, grant }) =>
      grant.kind === 'app'
        ? { app_id: app.id, app_name: app.name }
        : {
            url: `https://${workspace.domain}.slack.com/`,
            team: workspace.domain,
            user: 'bot',
            team_id: workspace.id,
            user_id: workspace.botUser,
            bot_id: workspace.botId,
            ...(workspace.organization !== undefined && { enterprise_id: workspace.organization }),
            is_enterprise_install: workspace.organization === grant.workspace,
          },
  },

  'users.info': {
    scopes: ['users:read'],
    args: { user: 'text!' },
    run({ workspace, args }) {
      const { users, botUser: id } = workspace;
      const bot: User = { id, name: 'letterboxed', isAdmin: false, zone: 'UTC' };
      const user = args.user === id ? bot : users.get(args.user);
      if (user === undefined) throw new Refusal('user_not_found');
      return {
        user: {
          id: user.id,
          team_id: user.team ?? workspace.id,
          name: `handle.${user.name}`,
          profile: { display_name: user.displayName ?? '', real_name: user.name },
          deleted: user.isDeleted ?? false,
          is_admin: user.isAdmin,
          is_restricted: false,
          is_bot: false,
          tz: user.zone,
        },
      };
    },
  },

  'apps.connections.open': {
    token: 'app',
    scopes: ['connections:write'],
    args: {},
    run: ({ slack }) => ({
      url: `${slack.base.replace('http', 'ws')}/link?ticket=${slack.world.nextId('L')}&app_id=${slack.app.id}`,
    }),
  },

  'oauth.v2.access': {
    token: 'none',
    args: {
      client_id: 'text',
      client_secret: 'text',
      code: 'text',
      grant_type: 'text',
      redirect_uri: 'text',
      refresh_token: 'text',
    },
    run(call) {
      const { slack, args } = call;
      if (args.client_id !== slack.app.clientId) throw new Refusal('invalid_client_id');
      if (args.client_secret !== slack.app.clientSecret) throw new Refusal('bad_client_secret');
      switch (args.grant_type ?? 'authorization_code') {
        case 'authorization_code':
          return redeemCode(call);
        case 'refresh_token':
          return accessJson(call, slack.tokens.refresh(String(args.refresh_token)), undefined);
        default:
          throw new Refusal('invalid_grant_type');
      }
    },
  },
};

function redeemCode(call: Call): Json {
  const { slack, args } = call;
  const code = slack.codes.get(args.code);
  if (code === undefined) throw new Refusal('invalid_code');
  if (code.redirect !== (args.redirect_uri ?? '')) throw new Refusal('bad_redirect_uri');
  slack.codes.delete(args.code);
  const workspace = slack.world.workspaces.get(code.workspace);
  if (workspace !== undefined) workspace.isInstalled = true;
  const grant = slack.tokens.grant(code.workspace, code.scopes, { rotates: slack.app.rotatesTokens });
  return accessJson(call, grant, code.user);
}

function accessJson({ slack }: Call, grant: Grant, installer: string | undefined): Json {
  const workspace = slack.world.workspaces.get(grant.workspace);
  return {
    access_token: grant.token,
    token_type: 'bot',
    scope: grant.scopes.join(','),
    bot_user_id: workspace?.botUser ?? `W${grant.workspace}`,
    app_id: slack.app.id,
    team: workspace === undefined ? null : { id: workspace.id, name: workspace.domain },
    enterprise: workspace === undefined ? { id: grant.workspace, name: 'The organization' } : null,
    is_enterprise_install: workspace === undefined,
    ...(installer !== undefined && { authed_user: { id: installer } }),
    ...(grant.refreshToken !== undefined && {
      refresh_token: grant.refreshToken,
      expires_in: TWELVE_HOURS / 1000,
    }),
  };
}

const MOST_MODALS = 3;

const viewMethods: Record<string, Method> = {
  'views.open': {
    args: { trigger_id: 'text!', view: 'json!' },
    run: (call) => openModal(call, () => []),
  },

  'views.push': {
    args: { trigger_id: 'text!', view: 'json!' },
    run: (call) =>
      openModal(call, (open) => {
        if (open.length === 0) throw new Refusal('not_found');
        if (open.length >= MOST_MODALS) throw new Refusal('push_limit_reached');
        return open;
      }),
  },

  // The bot updates modals alone.
  'views.update': {
    args: { view: 'json!', view_id: 'text!' },
    run(call) {
      const { slack, workspace, args } = call;
      for (const [user, stack] of workspace.modals) {
        const at = stack.findIndex(({ id }) => id === args.view_id);
        if (at < 0) continue;
        const view = makeView(call, args.view, 'modal', args.view_id);
        stack.splice(at, 1, view);
        show(slack, { workspace: workspace.id, view, viewer: user });
        return { view };
      }
      throw new Refusal('not_found');
    },
  },

  'views.publish': {
    args: { user_id: 'text!', view: 'json!' },
    run(call) {
      const { slack, workspace, args } = call;
      if (!slack.app.hasHome) throw new Refusal('not_enabled');
      if (!workspace.users.has(args.user_id))
        throw refuseFor('invalid_arguments', ['user not found [argument:user_id]']);
      const old = workspace.homes.get(args.user_id);
      const view = makeView(call, args.view, 'home', old?.id);
      workspace.homes.set(args.user_id, view);
      show(slack, { workspace: workspace.id, view, viewer: args.user_id });
      return { view };
    },
  },
};

/** @param below the modals that stay open below it */
function openModal(call: Call, below: (open: View[]) => View[]): Json {
  const { slack, workspace, args } = call;
  const view = makeView(call, args.view, 'modal');
  const { id, user } = slack.triggers.use(args.trigger_id, workspace.id);
  workspace.modals.set(user, [...below(workspace.modals.get(user) ?? []), view]);
  show(slack, { workspace: workspace.id, view, viewer: user, cause: id });
  return { view };
}

/** A checked view with all that Slack adds to it. */
export function makeView(
  { slack, workspace }: Pick<Call, 'slack' | 'workspace'>,
  given: Json,
  type: View['type'],
  id: string = slack.world.nextId('V'),
): View {
  const { problems, isTooLarge } = viewProblems(given, type, canShow(slack, workspace));
  if (isTooLarge) throw new Refusal('view_too_large');
  if (problems.length > 0) throw refuseFor('invalid_arguments', problems);
  // "In order to use the file_input element within your app, your app must have the files:read scope."
  const mayRead = slack.tokens.ofWorkspace(workspace.id).some(({ scopes }) => scopes.includes('files:read'));
  const hasFile = (given.blocks as Json[]).some(({ element }) => element?.type === 'file_input');
  if (hasFile && !mayRead) throw new Refusal('missing_scope');
  const blocks = (given.blocks as Json[]).map((block) => ({ block_id: slack.world.nextId('b'), ...block }));
  return {
    callback_id: '',
    private_metadata: '',
    ...given,
    id,
    type,
    blocks,
    team_id: workspace.id,
    app_id: slack.app.id,
    app_installed_team_id: isShared(workspace) ? workspace.organization : workspace.id,
    bot_id: workspace.botId,
    state: { values: {} },
    hash: `${slack.world.nextTs()}.hash`,
    root_view_id: id,
    previous_view_id: null,
  };
}

/** A message as methods and payloads carry it. */
export function messageJson(
  workspace: Workspace,
  app: string,
  message: Message,
  withMetadata: boolean,
): Json {
  return {
    type: 'message',
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: workspace.id,
    blocks: message.blocks,
    ...(message.byApp && { bot_id: workspace.botId, app_id: app }),
    thread_ts: message.threadTs,
    edited: message.isEdited ? { user: message.user, ts: message.ts } : undefined,
    metadata: withMetadata ? message.metadata : undefined,
  };
}

const METHODS: Readonly<Record<string, Method>> = {
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...checkMethods,
  ...identityMethods,
  ...viewMethods,
};

/** What a call with this token and these arguments answers; a Refusal or TooFast is thrown. */
export function callMethod(slack: Slack, name: string, token: string | undefined, given: Json): Json {
  const method = METHODS[name];
  if (method === undefined) throw new Refusal('unknown_method', { req_method: name });
  const grant = grantOf(slack, method, token);
  const workspace = slack.world.workspaces.get(grant.workspace) ?? workspaceOf(slack, grant, given);
  const call = { slack, grant, workspace: workspace as Workspace, args: {} };
  for (const scope of method.scopes ?? []) needScope(call, scope);
  const args = checkArguments(given, method.args);
  if (method.token === undefined && args.team_id !== undefined && args.team_id !== grant.workspace)
    throw new Refusal('team_not_found');
  return { ok: true, ...method.run({ ...call, args }) };
}

/** Which of an organization's workspaces a call is about: that of its channel, view or trigger. */
function workspaceOf(
  { world, triggers }: Slack,
  { workspace: organization }: Grant,
  given: Json,
): Workspace | undefined {
  const members = [...world.workspaces.values()].filter((one) => one.organization === organization);
  const { channel, channel_id = channel, trigger_id, view_id } = given;
  const issued = triggers.workspaceOf(String(trigger_id));
  const found = members.find(
    ({ id, channels, modals }) =>
      channels.has(channel_id) ||
      id === issued ||
      [...modals.values()].some((views) => views.some((view) => view.id === view_id)),
  );
  if (found !== undefined && !found.isAdded) throw new Refusal('team_access_not_granted');
  return found ?? members.find(({ isAdded }) => isAdded);
}

const NOBODY: Grant = { token: '', kind: 'app', workspace: '', scopes: [] };

function grantOf(slack: Slack, { token: kind = 'bot' }: Method, token: string | undefined): Grant {
  return kind === 'none' ? NOBODY : slack.tokens.check(token, kind);
}

const ANSWER = {
  text: 'text',
  blocks: 'json',
  response_type: 'text',
  replace_original: 'flag',
  thread_ts: 'text',
} as const;

/** What a post to a response URL does: a new answer, or the message it came from changed or deleted. */
export function answer(slack: Slack, key: string, body: Json): void {
  const where = slack.responseUrls.use(key);
  const args = checkArguments(body, ANSWER);
  const workspace = slack.world.workspaces.get(where.workspace)!;
  const channel = workspace.channels.get(where.channel)!;
  if (args.response_type !== undefined && !['ephemeral', 'in_channel'].includes(args.response_type))
    throw new Refusal('invalid_response_type');
  const { original } = where;
  if (!slack.urlsShowFiles && JSON.stringify(args.blocks ?? []).includes('"slack_file"'))
    throw new Refusal('invalid_blocks');
  const content = readContent(slack, workspace, args);
  if (args.replace_original) {
    if (original === undefined) throw new Refusal('message_not_found');
    Object.assign(original, content, { isEdited: true });
    show(slack, { workspace: workspace.id, message: original, viewer: where.user, cause: key });
    return;
  }
  const message = addMessage(slack.world, workspace, channel, {
    ...content,
    user: workspace.botUser,
    threadTs: args.thread_ts ?? undefined,
    only: args.response_type === 'in_channel' ? undefined : where.user,
  });
  show(slack, { workspace: workspace.id, message, viewer: where.user, cause: key });
}
