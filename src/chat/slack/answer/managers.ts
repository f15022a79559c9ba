import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { MINUTE } from '../../../core/clock.ts';
import type { App } from '../../../dispatch/contract.ts';
import { readFailure } from '../api/errors.ts';
import type { SlackApi } from '../api/slack-api.ts';
import type { Workspaces } from '../install/workspaces.ts';

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
  readonly #log: App['log'];
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
