import { PostFailure } from '../../../dispatch/poster.ts';
import type { SlackApi } from './api.ts';

export interface Wanted {
  readonly team: string;
  readonly channel: string;
  readonly thread: string | undefined;
  readonly key: string;
  readonly now: number;
}

/** Slack may hand out no more than 15 at a time. */
const PAGE = 100;
const MOST_PAGES = 10;
/** Daily gives up on a post long before. */
const BACK = 36 * 60 * 60;

/** Looks for a message by the delivery key in its metadata; its timestamp. */
export async function findPost(
  api: SlackApi,
  { team, channel, thread, key, now }: Wanted,
): Promise<string | undefined> {
  const method = thread === undefined ? 'conversations.history' : 'conversations.replies';
  const args = {
    channel,
    include_all_metadata: true,
    limit: PAGE,
    ...(thread === undefined ? { oldest: String(Math.floor(now / 1000) - BACK) } : { ts: thread }),
  };
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await api.call(team, method, cursor === undefined ? args : { ...args, cursor });
    const messages = answer.messages as readonly FoundMessage[];
    const found = messages.find(({ metadata }) => metadata?.event_payload?.key === key);
    if (found !== undefined) return found.ts;
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return undefined;
  }
  throw new PostFailure('unknown', 'the channel holds more messages than can be looked through');
}

interface FoundMessage {
  readonly ts: string;
  readonly metadata?: { readonly event_payload?: { readonly key?: unknown } };
}
