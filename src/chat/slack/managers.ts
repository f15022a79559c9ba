import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { MINUTE } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { App } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { SubscriptionState } from '../../store/schema.ts';
import type { CallAnswer, SlackApi } from './api.ts';
import { readFailure } from './errors.ts';
import { channelOf, type Origin } from './origin.ts';
import type { Workspaces } from './workspaces.ts';

const SCOPE = 'users:read';
const CACHED = 10 * MINUTE;
const MAX_CACHED = 5000;

const User = v.object({
  is_admin: v.optional(v.boolean()),
  is_owner: v.optional(v.boolean()),
  team_id: v.optional(v.string()),
  enterprise_user: v.optional(v.object({ teams: v.optional(v.array(v.string())) })),
});

/** Members of a shared channel from elsewhere may be admins there, which counts for nothing here. */
function isOfTeam(user: v.InferOutput<typeof User>, team: string): boolean {
  const { team_id: own = team, enterprise_user: enterprise } = user;
  return own === team || (enterprise?.teams?.includes(team) ?? false);
}

export interface Permission {
  readonly mayManage: boolean;
  /** Whether a change must be announced in the channel, because everybody in it may make one. */
  readonly announce: boolean;
}

/**
 * Who may manage the daily threads of a workspace: admins and owners, where the app may look people up;
 * elsewhere everybody in a channel, and what they change is announced there.
 */
export class Managers {
  readonly #log: Log;
  readonly #api: SlackApi;
  readonly #workspaces: Workspaces;
  readonly #cache: LRUCache<string, boolean>;

  constructor({ clock, log }: Pick<App, 'clock' | 'log'>, api: SlackApi, workspaces: Workspaces) {
    this.#log = log;
    this.#api = api;
    this.#workspaces = workspaces;
    this.#cache = new LRUCache({ max: MAX_CACHED, ttl: CACHED, ttlResolution: 0, perf: clock });
  }

  async permissionOf(team: string, user: string): Promise<Permission> {
    const workspace = await this.#workspaces.find(team);
    if (!workspace?.scopes.includes(SCOPE)) return { mayManage: true, announce: true };
    return { mayManage: await this.#isManager(team, user), announce: false };
  }

  /** Nobody manages while people can't be looked up; that answer is not cached. */
  async #isManager(team: string, user: string): Promise<boolean> {
    const key = `${team} ${user}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    try {
      const answer = await this.#api.call(team, 'users.info', { user });
      const found = v.parse(User, answer.user);
      const isManager = (found.is_admin === true || found.is_owner === true) && isOfTeam(found, team);
      this.#cache.set(key, isManager);
      return isManager;
    } catch (error) {
      this.#log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a person could not be looked up');
      return false;
    }
  }
}

const Named = v.object({
  name: v.string(),
  profile: v.optional(
    v.object({ display_name: v.optional(v.string()), real_name: v.optional(v.string()) }),
    {},
  ),
});

/** The name that a person goes by. Throws where the app may not look people up, or can't now. */
export async function nameOf(
  api: SlackApi,
  workspaces: Workspaces,
  team: string,
  user: string,
): Promise<string> {
  const workspace = await workspaces.find(team);
  if (!workspace?.scopes.includes(SCOPE)) throw new Error(`it takes ${SCOPE} to look people up`);
  return nameIn(await api.call(team, 'users.info', { user }));
}

/** The name in an answer of `users.info`. */
export function nameIn({ user }: CallAnswer): string {
  const { name, profile } = v.parse(Named, user);
  return profile.display_name || profile.real_name || name;
}

/**
 * Where Slack does not say who manages a channel, everybody in it may change its daily thread and type in the board
 * of a day. A change is announced to all of them, with how to undo it.
 */
const BOARD_TYPED: Reply = {
  title: 'Somebody typed in or took back a board of the day for this channel',
  blocks: [
    {
      kind: 'note',
      line: [
        'The board of today: ',
        { command: 'today' },
        '. To take a typed one back: ',
        { command: 'set undo' },
      ],
    },
  ],
  audience: 'everyone',
};

const CHANGES: Readonly<Record<SubscriptionState, string>> = {
  active: 'switched on',
  paused: 'paused',
  off: 'switched off',
  suspended: 'stopped',
};

function threadChanged(before: SubscriptionState, after: SubscriptionState): Reply {
  return {
    title: `The daily Letter Boxed thread of this channel was ${before === after ? 'changed' : CHANGES[after]}`,
    blocks: [{ kind: 'note', line: ['To see its settings: ', { command: 'daily show' }] }],
    audience: 'everyone',
  };
}

/** The settings that everybody in a channel may have changed. */
export interface ChannelState {
  readonly settings: string;
  readonly state: SubscriptionState;
  readonly board: string;
}

export async function stateOf({ store }: Pick<App, 'store'>, origin: Origin): Promise<ChannelState> {
  const { tenant, channel } = channelOf(origin);
  const { subscriptions, boards } = store.tenant(tenant);
  const { version, state = 'off', until } = (await subscriptions.get(channel)) ?? {};
  const { boards: count, lastTypedAt } = await boards.state(channel);
  return { settings: `${version} ${state} ${until}`, state, board: `${count} ${lastTypedAt}` };
}

/** The change that a command made for everybody in the channel, if any. */
export function announcementOf(before: ChannelState, after: ChannelState): Reply | undefined {
  if (after.settings !== before.settings) return threadChanged(before.state, after.state);
  return after.board === before.board ? undefined : BOARD_TYPED;
}
