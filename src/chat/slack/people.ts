import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { MINUTE } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
import type { App } from '../../dispatch/contract.ts';
import type { SlackApi } from './api.ts';
import { readFailure, refusalOf } from './errors.ts';

const LOOKUP_SCOPE = 'users:read';

const User = v.object({
  name: v.optional(v.string()),
  profile: v.optional(
    v.object({ display_name: v.optional(v.string()), real_name: v.optional(v.string()) }),
    {},
  ),
  deleted: v.optional(v.boolean()),
  is_admin: v.optional(v.boolean()),
  is_owner: v.optional(v.boolean()),
  team_id: v.optional(v.string()),
  enterprise_user: v.optional(v.object({ teams: v.optional(v.array(v.string())) })),
});

interface SlackPerson {
  readonly name: string | undefined;
  readonly isDeactivated: boolean;
  /** An admin or owner of the workspace. */
  readonly isManager: boolean;
}

/** What Slack knows of a person. Undefined where the app may not look people up. */
export async function lookUp(api: SlackApi, team: string, user: string): Promise<SlackPerson | undefined> {
  if (!(await api.may(team, LOOKUP_SCOPE))) return undefined;
  try {
    const answer = await api.call(team, 'users.info', { user });
    const { name, profile, deleted, is_admin, is_owner, team_id, enterprise_user } = v.parse(
      User,
      answer.user,
    );
    // Members of a shared channel from elsewhere may be admins there, which counts for nothing here.
    const isOfTeam = (team_id ?? team) === team || enterprise_user?.teams?.includes(team) === true;
    return {
      name: profile.display_name || profile.real_name || name,
      isDeactivated: deleted === true,
      isManager: isOfTeam && (is_admin === true || is_owner === true),
    };
  } catch (error) {
    if (refusalOf(error) === 'missing_scope') return undefined;
    throw error;
  }
}

export interface Permission {
  readonly mayManage: boolean;
  /** Whether a change must be announced in the channel, because everybody in it may make one. */
  readonly announce: boolean;
}

const CACHE_MS = 10 * MINUTE;
const MAX_CACHED = 5000;

/**
 * Who may manage the daily threads of a workspace: admins and owners, where the app may look people up;
 * elsewhere everybody in a channel, and what they change is announced there.
 */
export function makeManagers({ clock, log }: Pick<App, 'clock' | 'log'>, api: SlackApi) {
  const cache = new LRUCache<string, boolean>({
    ...atMost(MAX_CACHED),
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: clock,
  });

  async function permissionOf(team: string, user: string): Promise<Permission> {
    const key = `${team} ${user}`;
    const cached = (await api.may(team, LOOKUP_SCOPE)) ? cache.get(key) : undefined;
    if (cached !== undefined) return { mayManage: cached, announce: false };
    try {
      const person = await lookUp(api, team, user);
      if (person === undefined) return { mayManage: true, announce: true };
      cache.set(key, person.isManager);
      return { mayManage: person.isManager, announce: false };
    } catch (error) {
      log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a person could not be looked up');
      // The next request asks again.
      return { mayManage: false, announce: false };
    }
  }

  return { permissionOf };
}

export type Managers = ReturnType<typeof makeManagers>;
