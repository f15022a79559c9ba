import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { MINUTE } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
import type { App } from '../../dispatch/contract.ts';
import { toEveryone } from '../../reply/model/text.ts';
import type { Line, Reply } from '../../reply/model/types.ts';
import type { SubscriptionState } from '../../store/schema.ts';
import type { CallAnswer, SlackApi } from './api.ts';
import { readFailure, refusalOf } from './errors.ts';
import { channelOf, type Origin } from './events.ts';

const LOOKUP_SCOPE = 'users:read';
const CACHE_MS = 10 * MINUTE;
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
export function makeManagers({ clock, log }: Pick<App, 'clock' | 'log'>, api: SlackApi) {
  const cache = new LRUCache<string, boolean>({
    ...atMost(MAX_CACHED),
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: clock,
  });

  async function permissionOf(team: string, user: string): Promise<Permission> {
    const mayManage = (await api.may(team, LOOKUP_SCOPE)) ? await isManager(team, user) : undefined;
    return { mayManage: mayManage ?? true, announce: mayManage === undefined };
  }

  /**
   * Undefined where the app may not look people up. Nobody counts as a manager while a lookup fails; that answer is not
   * cached.
   */
  async function isManager(team: string, user: string): Promise<boolean | undefined> {
    const key = `${team} ${user}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    try {
      const answer = await api.call(team, 'users.info', { user });
      const found = v.parse(User, answer.user);
      const manages = (found.is_admin === true || found.is_owner === true) && isOfTeam(found, team);
      cache.set(key, manages);
      return manages;
    } catch (error) {
      if (refusalOf(error) === 'missing_scope') return undefined;
      log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a person could not be looked up');
      return false;
    }
  }

  return { permissionOf };
}

export type Managers = ReturnType<typeof makeManagers>;

const Named = v.object({
  name: v.string(),
  profile: v.optional(
    v.object({ display_name: v.optional(v.string()), real_name: v.optional(v.string()) }),
    {},
  ),
});

/** A person's display name. Throws where the app may not look people up, or can't at the moment. */
export async function nameOf(api: SlackApi, team: string, user: string): Promise<string> {
  if (!(await api.may(team, LOOKUP_SCOPE))) throw new Error(`it takes ${LOOKUP_SCOPE} to look people up`);
  return nameIn(await api.call(team, 'users.info', { user }));
}

export function nameIn({ user }: CallAnswer): string {
  const { name, profile } = v.parse(Named, user);
  return profile.display_name || profile.real_name || name;
}

/** The announcement of a board that was typed in, with how to undo it. */
function boardAnnouncement(person: string): Reply {
  return announcement('A board of the day was typed in or taken back for this channel', [
    ...['By ', { person }, '. The board of today: ', { command: 'today' }],
    ...['. To take a typed one back: ', { command: 'set undo' }],
  ]);
}

const CHANGE_DESCRIPTIONS: Readonly<Record<SubscriptionState, string>> = {
  active: 'switched on',
  paused: 'paused',
  off: 'switched off',
  suspended: 'stopped',
};

function threadAnnouncement(person: string, before: SubscriptionState, after: SubscriptionState): Reply {
  const change = before === after ? 'changed' : CHANGE_DESCRIPTIONS[after];
  return announcement(`The daily Letter Boxed thread of this channel was ${change}`, [
    ...['By ', { person }, '. To see its settings: ', { command: 'daily show' }],
  ]);
}

function announcement(title: string, line: Line): Reply {
  return toEveryone(title, [{ kind: 'note', line }]);
}

/** Runs a command. Returns its reply, and any change that must be announced in the channel. */
export async function runAnnouncing(app: Pick<App, 'store'>, origin: Origin, run: () => Promise<Reply>) {
  const before = await stateOf(app, origin);
  const reply = await run();
  const after = await stateOf(app, origin);
  const { user } = origin;
  const typed = after.board === before.board ? undefined : boardAnnouncement(user);
  return {
    reply,
    announcement:
      after.settings === before.settings ? typed : threadAnnouncement(user, before.state, after.state),
  };
}

/** The settings that everybody in a channel may change. */
async function stateOf({ store }: Pick<App, 'store'>, origin: Origin) {
  const { tenant, channel } = channelOf(origin);
  const { subscriptions, boards } = store.tenant(tenant);
  const { version, state = 'off', until } = (await subscriptions.get(channel)) ?? {};
  const { boards: count, lastTypedAt } = await boards.state(channel);
  return { settings: `${version} ${state} ${until}`, state, board: `${count} ${lastTypedAt}` };
}
