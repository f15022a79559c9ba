import type { App } from '../../../dispatch/contract.ts';
import type { Workspaces } from '../install/workspaces.ts';
import type { SlackApi } from '../post/api.ts';
import { readFailure } from '../post/errors.ts';

/** Who may manage a workspace's places. */
export interface People {
  /**
   * Admins and owners, where the app may look people up; else everybody in a channel may, and what they
   * change there is announced in it.
   */
  mayManage(team: string, user: string): Promise<{ readonly may: boolean; readonly announce: boolean }>;
}

const SCOPE = 'users:read';
const REMEMBERED = 10 * 60_000;
const MOST_REMEMBERED = 5000;

export function makePeople(
  { clock, log }: Pick<App, 'clock' | 'log'>,
  api: SlackApi,
  workspaces: Workspaces,
): People {
  const known = new Map<string, { may: boolean; until: number }>();

  async function look(team: string, user: string): Promise<boolean> {
    const answer = await api.call(team, 'users.info', { user });
    const { is_admin: isAdmin, is_owner: isOwner } = answer.user as Record<string, unknown>;
    return isAdmin === true || isOwner === true;
  }

  return {
    async mayManage(team, user) {
      const workspace = await workspaces.find(team);
      if (!workspace?.scopes.includes(SCOPE)) return { may: true, announce: true };
      const key = `${team} ${user}`;
      const entry = known.get(key);
      if (entry !== undefined && clock.now() < entry.until) return { may: entry.may, announce: false };
      try {
        const may = await look(team, user);
        known.delete(key);
        known.set(key, { may, until: clock.now() + REMEMBERED });
        if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value!);
        return { may, announce: false };
      } catch (error) {
        log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a person could not be looked up');
        return { may: false, announce: false };
      }
    },
  };
}
