import { webApi } from '@slack/bolt';
import { isNeverConnected, networkTrouble, StartError, StoreError } from '../../core/errors.ts';
import { type MissingRequirement, PostFailure } from '../../dispatch/poster.ts';

/**
 * How a call to Slack failed. `refused`: Slack said no, with its code; `limited`: too many calls; `unsent`: nothing was done;
 * `unknown`: it may have been done. `isFault`: the bot itself failed.
 */
export type Failure =
  | { readonly kind: 'refused'; readonly code: string; readonly details: string }
  | { readonly kind: 'limited'; readonly retryAfter: number }
  | { readonly kind: 'unsent' | 'unknown'; readonly details: string; readonly isFault?: boolean };

/** Slack failed while it handled the call: part of it may have been done. */
const SERVER_ERRORS = new Set(['internal_error', 'fatal_error']);
/** Slack does not accept the content of a message or view, or its files in this channel, such as one that several companies share. */
const INVALID_CONTENT =
  /^(invalid_blocks.*|invalid_arguments|invalid_attachments|msg_too_long|msg_blocks_too_long|too_many_attachments|no_text|view_too_large|markdown_text_conflict|(\w+_)?files?(_\w+)?|posting_to_channel_denied)$/;

/** Codes after which the token is useless: the app was removed from the workspace. */
export const REMOVED_CODES: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked']);

/** Codes of a token that Slack does not take now. It may later, as where the bot's address was not allowed. */
export const REFUSED_TOKEN_CODES: ReadonlySet<string> = new Set([
  'not_authed',
  'invalid_auth',
  'token_expired',
  'not_allowed_token_type',
]);

/** Codes for a trigger that opens no view any more: it was used, or is older than three seconds. */
export const TRIGGER_GONE = /^((expired|exchanged|invalid)_trigger_id|trigger_(expired|exchanged))$/;

/** Our own code, in place of Slack's: without a token there is no call. */
const NOT_INSTALLED = 'not_installed';

export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
  constructor(team: string) {
    super(`the app is not installed in workspace ${team}`);
  }
}

/** The app is installed, but its stored tokens can't be read. The operator has to repair this. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Something failed before anything was sent that could change something. */
class NothingSent extends Error {
  override readonly name = 'NothingSent';
}

/** Marks an `unknown` failure of `act`, such as of the store or of a read, as one after which nothing was sent. */
export async function beforeSending<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const failure = readFailure(error);
    throw failure.kind === 'unknown' ? new NothingSent(failure.details, { cause: error }) : error;
  }
}

/** In place of Slack's code, where nobody can tell from an answer whether it was done, such as from a proxy's page. */
export const UNREADABLE = 'an answer that is not Slack’s';

/** @example readFailure(error).kind // 'refused' */
export function readFailure(error: unknown): Failure {
  if (error instanceof NothingSent)
    return { ...readFailure(error.cause), kind: 'unsent', details: error.message };
  if (error instanceof NotInstalled) return { kind: 'refused', code: NOT_INSTALLED, details: '' };
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { kind: 'limited', retryAfter: error.retryAfter * 1000 };
  if (error instanceof webApi.WebAPIPlatformError) return readPlatform(error);
  if (error instanceof webApi.WebAPIHTTPError) {
    const details = `status ${error.statusCode}`;
    // Slack answers with 200; another success or a redirection says nothing about the request.
    const isClientError = error.statusCode >= 400 && error.statusCode < 500;
    return { kind: isClientError || wasTurnedAway(error) ? 'unsent' : 'unknown', details };
  }
  if (error instanceof StoreError) return { kind: 'unknown', details: error.message };
  const trouble = networkTrouble(error);
  if (trouble !== undefined)
    return { kind: isNeverConnected(error) ? 'unsent' : 'unknown', details: trouble };
  const name = error instanceof Error ? error.name : typeof error;
  return { kind: 'unknown', details: `the bot itself failed: ${name}`, isFault: true };
}

/** Reasons of Slack's Envoy for a connection that it lost before it passed the request on. */
const NEVER_PASSED_ON = /connection failure|connection timeout|overflow/;

/** Status 503 means that nothing was done. Only Envoy also sends it after losing a request that it had passed on. */
function wasTurnedAway({ statusCode, body }: webApi.WebAPIHTTPError): boolean {
  const [, reset] = /reset reason: (.*)/.exec(String(body)) ?? [];
  return statusCode === 503 && (reset === undefined || NEVER_PASSED_ON.test(reset));
}

/** The code that Slack refused with; empty if it did not refuse. */
export function refusalOf(error: unknown): string {
  const failure = readFailure(error);
  return failure.kind === 'refused' ? failure.code : '';
}

/** A response URL takes five answers within thirty minutes. */
export const SPENT_URL_CODES: ReadonlySet<string> = new Set(['used_url', 'expired_url', 'invalid_url']);

/** Whether Slack refused the content of a message: another form of the same message may be accepted. */
export function isInvalidContent(error: unknown): boolean {
  return INVALID_CONTENT.test(refusalOf(error));
}

function readPlatform({ data }: webApi.WebAPIPlatformError): Failure {
  const code = data.error;
  if (typeof code !== 'string' || !/^[a-z0-9_]{1,80}$/.test(code))
    return { kind: 'unknown', details: UNREADABLE };
  if (SERVER_ERRORS.has(code)) return { kind: 'unknown', details: code };
  if (code === 'ratelimited' || code === 'rate_limited')
    return { kind: 'limited', retryAfter: (data.response_metadata?.retryAfter ?? 30) * 1000 };
  return { kind: 'refused', code, details: (data.response_metadata?.messages ?? []).join(' ').slice(0, 300) };
}

/** Codes for which the bot ends at its start instead of trying again: a person has to act, mostly on the token. */
export const START_ENDING_CODES: ReadonlySet<string> = new Set([
  ...REFUSED_TOKEN_CODES,
  ...REMOVED_CODES,
  'missing_scope',
]);

const WHERE_TO_FIND = {
  SLACK_BOT_TOKEN:
    'Copy the bot token (xoxb-…) from the page "OAuth & Permissions" of your app at api.slack.com/apps; if the app is no longer installed in the workspace, install it there again.',
  SLACK_APP_TOKEN:
    'Copy the app-level token (xapp-…) from the page "Basic Information" of your app at api.slack.com/apps, or make a new one there with the scope connections:write.',
} as const;

/** If Slack refuses the token, throws an error that names its setting and says what to do. Other errors pass as they are. */
export async function explainingToken(
  name: keyof typeof WHERE_TO_FIND,
  start: Promise<unknown>,
): Promise<void> {
  try {
    await start;
  } catch (cause) {
    const code = refusalOf(cause);
    if (!START_ENDING_CODES.has(code)) throw cause;
    const fix = `${WHERE_TO_FIND[name]} Set ${name} to it and restart the bot.`;
    throw new StartError(`Slack does not accept ${name} (${code}). ${fix}`, { cause });
  }
}

export const REQUIREMENTS = {
  membership: {
    what: 'to be a member of the channel',
    how: 'Type `/invite @letterboxed` there. I never join by myself.',
  },
  archived: { what: 'a channel that is not archived', how: 'Bring the channel back, or choose another one.' },
  channel: {
    what: 'a channel that is there and that I can see',
    how: 'If it is private, type `/invite @letterboxed` there; if it is gone, choose another one.',
  },
  kind: { what: 'a channel of a kind that takes messages', how: 'Choose another channel.' },
  posting: {
    what: 'the right to post in the channel',
    how: 'Its settings let only some people post: let this app be one of them, or choose another channel.',
  },
  installation: { what: 'to be installed in this workspace', how: 'Install the app in it.' },
  scope: { what: 'the permission chat:write', how: 'Install the app in this workspace once more.' },
} as const satisfies Record<string, MissingRequirement>;

/** The missing requirement behind each code. Another attempt does not help until somebody adds it. */
const REQUIREMENT_OF: Readonly<Record<string, MissingRequirement>> = {
  not_in_channel: REQUIREMENTS.membership,
  user_not_in_channel: REQUIREMENTS.membership,
  is_archived: REQUIREMENTS.archived,
  is_inactive: REQUIREMENTS.archived,
  channel_not_found: REQUIREMENTS.channel,
  method_not_supported_for_channel_type: REQUIREMENTS.kind,
  messages_tab_disabled: REQUIREMENTS.kind,
  restricted_action: REQUIREMENTS.posting,
  restricted_action_read_only_channel: REQUIREMENTS.posting,
  restricted_action_thread_only_channel: REQUIREMENTS.posting,
  restricted_action_non_threadable_channel: REQUIREMENTS.posting,
  channel_is_limited_access: REQUIREMENTS.posting,
  no_permission: REQUIREMENTS.posting,
  missing_scope: REQUIREMENTS.scope,
  // The app is the organization's, which has not added it to this workspace.
  team_access_not_granted: REQUIREMENTS.installation,
  access_denied: REQUIREMENTS.posting,
  ekm_access_denied: REQUIREMENTS.posting,
};

/** Codes for a thread or message that can't be added to or changed any more. The channel can still have the next day's thread. */
const CLOSED_THREAD_CODES = new Set([
  'restricted_action_thread_locked',
  'cannot_reply_to_message',
  'thread_not_found',
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** The failure of a call in the terms of the daily thread. */
export function postFailure(cause: unknown): PostFailure {
  if (cause instanceof PostFailure) return cause;
  if (cause instanceof StoreError) return new PostFailure('unknown', cause.message, { cause });
  const failure = readFailure(cause);
  if (failure.kind === 'limited')
    return new PostFailure('later', 'Slack asked to wait', { retryAfter: failure.retryAfter, cause });
  const { details } = failure;
  if (failure.kind !== 'refused') {
    // The error behind it, such as one with a stack trace.
    const more = { cause: cause instanceof NothingSent ? cause.cause : cause, isFault: failure.isFault };
    return failure.kind === 'unsent'
      ? new PostFailure('later', `nothing was sent to Slack: ${details}`, more)
      : new PostFailure('unknown', `no answer from Slack: ${details}`, more);
  }
  const { code } = failure;
  const said = `Slack said ${code}`;
  const requirement = REQUIREMENT_OF[code];
  if (REMOVED_CODES.has(code) || code === NOT_INSTALLED)
    return new PostFailure('removed', `the app was removed (${code})`, { cause });
  if (requirement !== undefined)
    return new PostFailure('refused', said, { missingRequirements: [requirement], cause });
  if (CLOSED_THREAD_CODES.has(code)) return new PostFailure('closed', `${said} ${details}`.trim(), { cause });
  if (isInvalidContent(cause)) return new PostFailure('invalid', `${said} ${details}`.trim(), { cause });
  // Nothing was posted: Slack does not accept the token now, or gave a reason that we don't know.
  return new PostFailure('later', said, { cause });
}

/** Codes of people who are gone, or who take no messages of the app. */
const UNREACHABLE = new Set([
  'cannot_dm_bot',
  'channel_not_found',
  'is_archived',
  'messages_tab_disabled',
  'user_disabled',
  'user_not_found',
  'user_not_visible',
  'users_not_found',
]);

/** Like `postFailure`, for a message to one person: any refusal may end by itself, except those of `UNREACHABLE`. */
export function privateFailure(error: unknown): PostFailure {
  const failure = postFailure(error);
  if (UNREACHABLE.has(refusalOf(error))) return new PostFailure('refused', failure.message, { cause: error });
  return failure.kind === 'refused' ? new PostFailure('later', failure.message, { cause: error }) : failure;
}
