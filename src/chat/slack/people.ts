import type { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { DAY, MINUTE } from '../../core/clock.ts';
import { atMost, expiring } from '../../core/concurrency.ts';
import { UserError } from '../../core/errors.ts';
import { isZone } from '../../daily/settings/local-time.ts';
import type { App, Person } from '../../dispatch/contract.ts';
import { conversationKey } from '../../store/tables/short-lived.ts';
import type { SlackApi } from './api.ts';
import { readFailure, refusalOf } from './errors.ts';
import { tenantOf } from './events.ts';

interface SlackPerson {
  readonly name: string | undefined;
  readonly isDeactivated: boolean;
  readonly zone: string | undefined;
  /** An admin or owner of the workspace. */
  readonly isManager: boolean;
  /** Set for one of a workspace whose organization installed the app: others of its channels are in other workspaces. */
  readonly managesOnlyHere: boolean;
}

const CACHE_MS = 10 * MINUTE;
const MAX_CACHED = 5000;

const UNKNOWN_RIGHTS = 'Slack doesn’t tell me right now whether you may do that. Try again in a minute.';

/** The people of workspaces, and who may manage the daily threads there. */
export function makePeople({ clock, log }: Pick<App, 'clock' | 'log'>, api: SlackApi) {
  const known = new LRUCache<string, SlackPerson, { readonly team: string; readonly user: string }>({
    ...expiring(MAX_CACHED, CACHE_MS, clock),
    fetchMethod: (_key, _stale, { context: { team, user } }) => ask(team, user),
  });

  async function ask(team: string, user: string): Promise<SlackPerson | undefined> {
    try {
      const answer: webApi.UsersInfoResponse = await api.call(team, 'users.info', { user });
      const { name, profile, deleted, tz, is_admin, is_owner, team_id } = answer.user ?? {};
      const organization = answer.user?.enterprise_user;
      const isOrganizationManager = organization?.is_admin === true || organization?.is_owner === true;
      // Members of a shared channel from elsewhere may be admins there, which counts for nothing here.
      const teams = [team_id, organization?.enterprise_id, ...(organization?.teams ?? [])];
      const isOfTeam = team_id === undefined || teams.includes(team);
      return {
        name: profile?.display_name || profile?.real_name || name,
        isDeactivated: deleted === true,
        zone: tz !== undefined && isZone(tz) ? tz : undefined,
        isManager: isOfTeam && (isOrganizationManager || is_admin === true || is_owner === true),
        managesOnlyHere: team === organization?.enterprise_id && !isOrganizationManager,
      };
    } catch (error) {
      if (refusalOf(error) === 'missing_scope') return undefined;
      throw error;
    }
  }

  /** What Slack knows of a person. Undefined where the app may not look people up. */
  async function lookUp(team: string, user: string): Promise<SlackPerson | undefined> {
    if (!(await api.may(team, 'users:read'))) return undefined;
    return known.fetch(`${team} ${user}`, { context: { team, user } });
  }

  /** Admins and owners manage. If the app may not look people up, everybody does where they type, and changes are announced. */
  async function permissionOf(team: string, user: string): Promise<Omit<Person, 'id'>> {
    try {
      const person = await lookUp(team, user);
      const { isManager = true, managesOnlyHere = true, zone } = person ?? {};
      return { mayManage: isManager, managesOnlyHere, ...(zone && { zone }) };
    } catch (error) {
      log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a person could not be looked up');
      // Asked again for what only managers may do: they may well be one. Whoever manages only here is none by then: a change
      // would not be announced, since this answer can't set `managesOnlyHere`.
      const lookUpAccess = () =>
        lookUp(team, user).then(
          (person) => person?.isManager === true && !person.managesOnlyHere,
          () => Promise.reject(new UserError('slack.people', UNKNOWN_RIGHTS)),
        );
      return { mayManage: false, lookUpAccess };
    }
  }

  return { lookUp, permissionOf };
}

export type People = ReturnType<typeof makePeople>;

const MAX_REMEMBERED = 5000;
/** Long, since messages in a conversation mark it again, but presses of buttons don't. */
const KEPT_MS = 400 * DAY;

/**
 * The bot's own conversations, for all processes of a store. A press does not say that it comes from one: an id that starts with
 * `D` may also be that of two people.
 */
export class DirectChannels {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #remembered = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>) {
    this.#app = app;
  }

  async add(team: string, channel: string): Promise<void> {
    const { store, clock, log } = this.#app;
    const key = conversationKey(tenantOf(team), channel);
    if (this.#remembered.has(key)) return;
    try {
      await store.events.extend(key, clock.now() + KEPT_MS);
      this.#remembered.set(key, true);
    } catch (err) {
      log.warn({ door: 'slack', err }, 'a private conversation could not be stored: its next event will be');
    }
  }

  async has(team: string, channel: string): Promise<boolean> {
    const key = conversationKey(tenantOf(team), channel);
    if (!channel.startsWith('D')) return false;
    if (this.#remembered.has(key)) return true;
    const { store, clock, log } = this.#app;
    try {
      if ((await store.events.markedUntil(key, clock.now())) === undefined) return false;
    } catch (err) {
      // Hints in a conversation of others cost nothing, and without the store none is recorded anyway.
      log.warn(
        { door: 'slack', err },
        'a conversation could not be looked up: it is taken for one of others',
      );
      return false;
    }
    this.#remembered.set(key, true);
    return true;
  }
}
