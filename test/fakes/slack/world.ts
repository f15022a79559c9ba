/** Workspaces, people, channels and messages: what Slack keeps. Knows no HTTP and checks no tokens. */

import type { Grant, ResponseUrls, Tokens, Triggers } from './access.ts';
import type { BrokenAssumptions, Faults, Pace } from './faults.ts';
import type { FakeApp } from './manifest.ts';

export interface Clock {
  now(): number;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  isAdmin: boolean;
  /** Their account was deactivated; lists of members keep them. */
  isDeleted?: boolean;
  /** A guest, in this workspace's words; or somebody of another workspace, in a channel that both share. */
  readonly team?: string;
  readonly zone: string;
}

export type ChannelKind = 'public' | 'private' | 'im';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  isArchived: boolean;
  readonly members: Set<string>;
  /** In the order they were posted, replies among them. */
  readonly messages: Message[];
}

export interface Content {
  text: string;
  blocks: Json[];
}

export interface Message extends Content {
  readonly ts: string;
  readonly channel: string;
  /** Who wrote it; the bot's user for the app's messages. */
  readonly user: string;
  readonly byApp: boolean;
  readonly threadTs: string | undefined;
  readonly metadata: Json | undefined;
  /** Set for ephemeral messages: the one person who sees it. */
  readonly only: string | undefined;
  readonly files: readonly string[];
  /** The people and groups that it notified when it was new. */
  readonly notified: readonly string[];
  isEdited: boolean;
  isDeleted: boolean;
}

export interface View extends Json {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly blocks: Json[];
  hash: string;
}

export interface File {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  /** Of what people upload. */
  readonly mimetype?: string;
  /** Given in a form of the app, or its own. */
  readonly isReadable?: boolean;
  /** Uploaded in another company's part of a shared channel. */
  readonly isForeign?: boolean;
  bytes: Buffer | undefined;
  isComplete: boolean;
  /** Moment, on the pace clock, from which blocks may show it. */
  readyAt: number;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any form, checked where it is used
export type Json = Record<string, any>;

export interface Workspace {
  readonly id: string;
  readonly domain: string;
  readonly botId: string;
  readonly botUser: string;
  readonly users: Map<string, User>;
  readonly channels: Map<string, Channel>;
  readonly files: Map<string, File>;
  /** User groups by their ids, with their handles. */
  readonly groups: Map<string, string>;
  /** Ephemeral messages: shown once, kept nowhere on the platform, listed here for the tests. */
  readonly ephemerals: Message[];
  /** Open modals of each person, the top one last. */
  readonly modals: Map<string, View[]>;
  readonly homes: Map<string, View>;
  isInstalled: boolean;
  /** The Enterprise Grid organization that it belongs to. */
  organization: string | undefined;
  /** Whether the organization has added the app that it has installed. */
  isAdded: boolean;
}

export type World = ReturnType<typeof makeWorld>;

export function makeWorld(clock: Clock) {
  let count = 0;
  let lastMicros = 0;
  return {
    clock,
    workspaces: new Map<string, Workspace>(),
    nextId(prefix: string): string {
      count += 1;
      return `${prefix}${(0xa000_0000 + count).toString(36).toUpperCase().padStart(9, '0')}`;
    },
    nextTs(): string {
      lastMicros = Math.max(lastMicros + 1, Math.floor(clock.now()) * 1000);
      return `${Math.floor(lastMicros / 1_000_000)}.${String(lastMicros % 1_000_000).padStart(6, '0')}`;
    },
  };
}

/** Whether the app is there by the organization's installation, and not by one of its own. */
export function isShared({ organization, isInstalled }: Workspace): boolean {
  return organization !== undefined && !isInstalled;
}

export function addWorkspace(world: World, domain: string): Workspace {
  const workspace: Workspace = {
    id: world.nextId('T'),
    domain,
    botId: world.nextId('B'),
    botUser: world.nextId('U'),
    users: new Map(),
    channels: new Map(),
    files: new Map(),
    groups: new Map(),
    ephemerals: [],
    modals: new Map(),
    homes: new Map(),
    isInstalled: false,
    organization: undefined,
    isAdded: false,
  };
  world.workspaces.set(workspace.id, workspace);
  return workspace;
}

export function addUser(world: World, workspace: Workspace, user: Partial<Omit<User, 'id'>> = {}): User {
  const id = world.nextId('U');
  const added = {
    id,
    name: id.toLowerCase(),
    isAdmin: false,
    zone: 'Europe/Berlin',
    ...user,
  };
  workspace.users.set(id, added);
  return added;
}

export function addChannel(
  world: World,
  workspace: Workspace,
  { name = 'general', kind = 'public' as ChannelKind, members = [] as readonly string[] } = {},
): Channel {
  const id = world.nextId(kind === 'im' ? 'D' : 'C');
  const channel: Channel = { id, name, kind, isArchived: false, members: new Set(members), messages: [] };
  workspace.channels.set(id, channel);
  return channel;
}

/** The conversation between a person and the app. */
export function directChannel(world: World, workspace: Workspace, user: string): Channel {
  for (const channel of workspace.channels.values()) {
    if (channel.kind === 'im' && channel.members.has(user)) return channel;
  }
  return addChannel(world, workspace, {
    name: 'directmessage',
    kind: 'im',
    members: [user, workspace.botUser],
  });
}

export function addMessage(
  world: World,
  workspace: Workspace,
  channel: Channel,
  message: Partial<Message> & { user: string },
): Message {
  const added: Message = {
    text: '',
    blocks: [],
    byApp: message.user === workspace.botUser,
    threadTs: undefined,
    metadata: undefined,
    only: undefined,
    files: [],
    notified: notifiedBy(message.blocks ?? []),
    isEdited: false,
    isDeleted: false,
    ...message,
    ts: world.nextTs(),
    channel: channel.id,
  };
  (added.only === undefined ? channel.messages : workspace.ephemerals).push(added);
  return added;
}

/** What the methods and the people share: one Slack, with one app on it. */
export interface Slack {
  readonly world: World;
  readonly app: FakeApp;
  readonly tokens: Tokens;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly pace: Pace;
  readonly faults: Faults;
  /** What doors assume about Slack, and this fake does not keep. */
  readonly broken: BrokenAssumptions;
  readonly codes: Map<
    string,
    { workspace: string; user: string; scopes: readonly string[]; redirect: string }
  >;
  /** Neither listed in the marketplace nor made for one workspace: it may read little, and seldom. */
  readonly isUnlisted: boolean;
  /** Milliseconds until an uploaded file can be shown. */
  readonly fileDelay: number;
  /** Whether posts to response URLs may show files. */
  readonly urlsShowFiles: boolean;
  readonly elapsed: () => number;
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  base: string;
  /** Called for everything that is shown to people. */
  readonly watchers: Set<Watcher>;
  /** What was sent to the app, oldest first. */
  readonly delivered: { readonly kind: string; readonly payload: Json }[];
}

/** Something was shown. `cause` is the trigger or response URL that it came by, where there is one. */
export interface Sight {
  readonly workspace: string;
  readonly message?: Message;
  readonly view?: View;
  readonly viewer?: string;
  readonly cause?: string;
}
type Watcher = (sight: Sight) => void;

export function show(slack: Slack, sight: Sight): void {
  for (const watch of slack.watchers) watch(sight);
}

/** A call of a method, its token and its arguments checked. */
export interface Call {
  readonly slack: Slack;
  readonly workspace: Workspace;
  readonly grant: Grant;
  readonly args: Json;
}

/** Mentions notify in the text of sections and in rich text, not in small print. */
function notifiedBy(blocks: readonly Json[]): string[] {
  const shown = JSON.stringify(blocks.filter(({ type }) => type !== 'context'));
  return [...shown.matchAll(/<(?:@(?=[UW])|!subteam\^(?=S))(\w+)|"user_id":"(\w+)"/g)].map(
    ([, id, user]) => id ?? user!,
  );
}
