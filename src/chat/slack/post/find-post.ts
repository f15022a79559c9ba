import * as v from 'valibot';
import { PostFailure } from '../../../dispatch/poster.ts';
import type { SlackApi } from '../api/slack-api.ts';

export interface Wanted {
  readonly team: string;
  readonly channel: string;
  readonly thread: string | undefined;
  readonly keys: readonly string[];
  /** None of the posts is older. */
  readonly since: number;
}

/** Slack may return only 15 messages a page to some apps, whatever they ask for. */
const PAGE = 100;
const MAX_PAGES = 10;
/** Seconds that Slack's clock may be behind ours. */
const CLOCK_DIFFERENCE = 300;

const Messages = v.array(
  v.object({
    ts: v.string(),
    metadata: v.optional(
      v.object({
        event_payload: v.optional(v.object({ key: v.optional(v.unknown()), also: v.optional(v.unknown()) })),
      }),
    ),
  }),
);
type Message = v.InferOutput<typeof Messages>[number];

/** Finds a message by the delivery key in its metadata. Returns the message's timestamp. */
export async function findPost(
  api: SlackApi,
  { key, ...where }: Omit<Wanted, 'keys'> & { readonly key: string },
): Promise<string | undefined> {
  const found = await findPosts(api, { ...where, keys: [key] });
  if (found === undefined)
    throw new PostFailure('unknown', 'the channel holds more messages than can be searched');
  return found.get(key);
}

/** The timestamps of messages by the delivery keys in their metadata. Undefined if there are too many to search. */
export async function findPosts(
  api: SlackApi,
  { team, channel, thread, keys, since }: Wanted,
): Promise<ReadonlyMap<string, string> | undefined> {
  const method = thread === undefined ? 'conversations.history' : 'conversations.replies';
  const args = {
    channel,
    include_all_metadata: true,
    limit: PAGE,
    ...(thread === undefined
      ? { oldest: String(Math.floor(since / 1000) - CLOCK_DIFFERENCE) }
      : { ts: thread }),
  };
  const found = new Map<string, string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await api.call(team, method, cursor === undefined ? args : { ...args, cursor });
    for (const message of v.parse(Messages, answer.messages)) {
      for (const key of keysOf(message)) if (keys.includes(key)) found.set(key, message.ts);
    }
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined || found.size === keys.length) return found;
  }
  return undefined;
}

/** What a message carries to be found by its key, and by those of posts that went into it. */
export function metadataOf(key: string, also: readonly string[] = []) {
  return {
    event_type: 'letterboxed_post',
    event_payload: { key, ...(also.length > 0 && { also: also.join(' ') }) },
  };
}

function keysOf({ metadata }: Message): string[] {
  const { key, also } = metadata?.event_payload ?? {};
  return [key, ...(typeof also === 'string' ? also.split(' ') : [])].filter((one) => typeof one === 'string');
}
