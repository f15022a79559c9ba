import type { webApi } from '@slack/bolt';
import type { App } from '../../../dispatch/contract.ts';
import { NotInstalled, tenantOf, type Workspace, type Workspaces } from './workspaces.ts';

/** The one workspace of `SLACK_BOT_TOKEN`. */
export function makeOneWorkspace(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  client: webApi.WebClient,
  botToken: string,
): Workspaces {
  let opening: Promise<Workspace> | undefined;
  let isLost = false;

  async function ask(): Promise<Workspace> {
    const known = await client.auth.test({ token: botToken });
    const { team_id: team = '', bot_id: botId = '', user_id: botUser = '' } = known;
    await store.tenant(tenantOf(team)).markPresent();
    return { team, botId, botUser, scopes: known.response_metadata?.scopes ?? [] };
  }

  /** Asked once; again only when that failed. */
  function know(): Promise<Workspace> {
    opening ??= ask().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function find(team: string): Promise<Workspace | undefined> {
    const workspace = await know();
    return workspace.team === team && !isLost ? workspace : undefined;
  }

  return {
    async open() {
      await know();
    },
    find,
    async token(team) {
      if ((await find(team)) === undefined) throw new NotInstalled(team);
      return botToken;
    },
    async lost(team) {
      if ((await find(team)) === undefined) return;
      isLost = true;
      await store.tenant(tenantOf(team)).markRemoved(clock.now());
    },
    trouble: () =>
      isLost ? 'Slack no longer takes SLACK_BOT_TOKEN: the app was removed from the workspace' : undefined,
  };
}
