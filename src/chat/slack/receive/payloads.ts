import * as v from 'valibot';

/**
 * What the listeners read of Slack's payloads. Bolt's types describe them but nothing checks them, so a payload
 * without a text or a response URL would fail somewhere in the middle of an answer.
 */
export const COMMAND = v.object({
  user_id: v.string(),
  channel_id: v.string(),
  text: v.optional(v.string(), ''),
  response_url: v.string(),
  trigger_id: v.string(),
});

export const MENTION = v.object({
  user: v.string(),
  channel: v.string(),
  ts: v.string(),
  thread_ts: v.exactOptional(v.string()),
  text: v.string(),
});

export const DIRECT_MESSAGE = v.object({
  user: v.string(),
  channel: v.string(),
  thread_ts: v.exactOptional(v.string()),
  // A message may be a picture alone.
  text: v.optional(v.string(), ''),
});

export const HOME_OPENED = v.object({ user: v.string(), channel: v.string(), tab: v.string() });

export const TOKENS_REVOKED = v.object({
  tokens: v.object({ bot: v.optional(v.array(v.string()), []) }),
});

const View = v.object({ id: v.string(), private_metadata: v.string() });

const InView = v.object({
  user: v.object({ id: v.string() }),
  trigger_id: v.string(),
  view: v.object({ ...View.entries, type: v.string() }),
});
const InMessage = v.object({
  user: v.object({ id: v.string() }),
  trigger_id: v.string(),
  view: v.optional(v.undefined()),
  container: v.object({
    channel_id: v.string(),
    message_ts: v.string(),
    thread_ts: v.exactOptional(v.string()),
    is_ephemeral: v.optional(v.boolean(), false),
  }),
  response_url: v.string(),
});
/** The press of a button in a modal, on a home page, or on a message. */
export const PRESS = v.union([InView, InMessage]);
export type PressBody = v.InferOutput<typeof PRESS>;

export const SUBMISSION = v.object({
  user: v.object({ id: v.string() }),
  view: v.object({
    ...View.entries,
    state: v.object({
      values: v.record(v.string(), v.record(v.string(), v.object({ value: v.nullish(v.string()) }))),
    }),
  }),
});
export type Submission = v.InferOutput<typeof SUBMISSION>;

/** The paths of what is wrong with a payload. What it contains is private and stays out of the log. */
export function problemsOf(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => `${v.getDotPath(issue) ?? 'payload'}: ${issue.expected} expected`).join(', ');
}
