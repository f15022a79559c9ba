import * as v from 'valibot';
import { PostFailure } from '../../../dispatch/poster.ts';
import type { SlackApi } from '../api/slack-api.ts';

export interface Wanted {
  readonly team: string;
  readonly channel: string;
  readonly thread: string | undefined;
  readonly key: string;
  readonly now: number;
}

/** Slack may return only 15 messages a page to some apps, whatever they ask for. */
const PAGE = 100;
const MAX_PAGES = 10;
/** Seconds. Daily gives up on a post long before. */
const BACK = 36 * 60 * 60;

const Messages = v.array(
  v.object({
    ts: v.string(),
    metadata: v.optional(v.object({ event_payload: v.optional(v.object({ key: v.optional(v.unknown()) })) })),
  }),
);

/** Finds a message by the delivery key in its metadata. Returns the message's timestamp. */
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
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await api.call(team, method, cursor === undefined ? args : { ...args, cursor });
    const messages = v.parse(Messages, answer.messages);
    const found = messages.find(({ metadata }) => metadata?.event_payload?.key === key);
    if (found !== undefined) return found.ts;
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return undefined;
  }
  throw new PostFailure('unknown', 'the channel holds more messages than can be searched');
}
