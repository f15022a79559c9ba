import { webApi } from '@slack/bolt';
import type { Log } from '../../../core/log.ts';
import { NotInstalled, type Workspaces } from '../install/workspaces.ts';
import { boltLogger } from '../receive/logger.ts';
import { NotCalled, REMOVED, refusalOf } from './errors.ts';

/** Longer than Slack takes for any answer. */
const TIMEOUT = 10_000;

/**
 * The one client for all workspaces. It repeats nothing by itself: the library's own ten retries would
 * post twice what only seemed to fail.
 */
export function makeClient(log: Log, apiUrl: string | undefined): webApi.WebClient {
  return new webApi.WebClient(undefined, {
    logger: boltLogger(log),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT,
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
  });
}

export type CallAnswer = webApi.WebAPICallResult & Record<string, unknown>;

/** Calls of Slack's methods as the bot of a workspace. */
export interface SlackApi {
  call(team: string, method: string, args: Record<string, unknown>): Promise<CallAnswer>;
  upload(team: string, file: UploadFile): Promise<string>;
}

export interface UploadFile {
  readonly name: string;
  readonly content: Buffer;
  readonly alt?: string;
  /** Shares it there; without, only the bot can see it until it stands in a message. */
  readonly channel?: string;
}

export function makeApi(client: webApi.WebClient, workspaces: Workspaces): SlackApi {
  /** A token that died takes its workspace with it. */
  async function as<Answer>(team: string, act: (token: string) => Promise<Answer>): Promise<Answer> {
    const token = await tokenOf(team);
    try {
      return await act(token);
    } catch (error) {
      if (REMOVED.has(refusalOf(error) ?? '')) await workspaces.lost(team, token);
      throw error;
    }
  }

  /** Without one nothing is sent, however that came about. */
  async function tokenOf(team: string): Promise<string> {
    try {
      return await workspaces.token(team);
    } catch (error) {
      throw error instanceof NotInstalled ? error : new NotCalled(error);
    }
  }

  return {
    call: (team, method, args) =>
      as(team, (token) => client.apiCall(method, { ...args, token }) as Promise<CallAnswer>),

    upload: (team, { name, content, alt, channel }) =>
      as(team, async (token) => {
        const shared = { token, filename: name, file: content, ...(alt !== undefined && { alt_text: alt }) };
        const done = await client.filesUploadV2(
          channel === undefined ? shared : { ...shared, channel_id: channel },
        );
        const [completion] = done.files as { files?: { id?: string }[] }[];
        const id = completion?.files?.[0]?.id;
        if (id === undefined) throw new Error('Slack took a file and gave it no id');
        return id;
      }),
  };
}
