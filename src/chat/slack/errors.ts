import { webApi } from '@slack/bolt';
import { errorCodes, StartError } from '../../core/errors.ts';
import { type MissingRequirement, PostFailure } from '../../dispatch/poster.ts';

/**
 * How a call to Slack failed. `refused`: Slack said no, with its code; `limited`: too many calls; `unsent`: it
 * never reached Slack; `unknown`: it may have been done.
 */
export type Failure =
  | { readonly kind: 'refused'; readonly code: string; readonly details: string }
  | { readonly kind: 'limited'; readonly retryAfter: number }
  | { readonly kind: 'unsent' | 'unknown'; readonly details: string };

/** Codes of connections that were never made. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|SELF_SIGNED_.*|DEPTH_ZERO_.*)$/;
/** Slack failed while it handled the call: part of it may have been done. */
const SERVER_ERRORS = new Set(['internal_error', 'fatal_error']);
/** Slack does not accept the content of a message or view. */
const INVALID_CONTENT =
  /^(invalid_blocks.*|invalid_arguments|invalid_attachments|msg_too_long|msg_blocks_too_long|too_many_attachments|no_text|view_too_large|markdown_text_conflict|slack_file.*)$/;

/** Codes after which the token is useless: the app was removed from the workspace. */
export const REMOVED: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked']);

/** Codes of a token that Slack does not take now. It may later, as where the bot's address was not allowed. */
const NOT_TAKEN = new Set(['not_authed', 'invalid_auth', 'token_expired', 'not_allowed_token_type']);

export function isTokenRefused(error: unknown): boolean {
  return NOT_TAKEN.has(refusalOf(error) ?? '');
}

/** The app is the organization's, and the organization has not added it to this workspace. */
export const NOT_ADDED = 'team_access_not_granted';

/** Codes for a trigger that opens no view any more: it was used, or is older than three seconds. */
export const TRIGGER_GONE: ReadonlySet<string> = new Set([
  'expired_trigger_id',
  'exchanged_trigger_id',
  'invalid_trigger_id',
  'trigger_expired',
  'trigger_exchanged',
]);

export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
  readonly team: string;
  constructor(team: string) {
    super(`the app is not installed in workspace ${team}`);
    this.team = team;
  }
}

/** The app is installed, but its stored tokens can't be read. The operator has to repair this. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  constructor(team: string, reason: string) {
    super(`the stored tokens of workspace ${team} ${reason}`);
  }
}

/** Something failed before anything was sent that could change something. */
export class NothingSent extends Error {
  override readonly name = 'NothingSent';
}

/** However `act` fails, such as by the store or by a call that only reads, nothing was done. */
export async function beforeSending<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const failure = error instanceof NotInstalled ? undefined : readFailure(error);
    throw failure?.kind === 'unknown' ? new NothingSent(failure.details, { cause: error }) : error;
  }
}

/** @example readFailure(error).kind // 'refused' */
export function readFailure(error: unknown): Failure {
  if (error instanceof NothingSent) return { kind: 'unsent', details: error.message };
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { kind: 'limited', retryAfter: error.retryAfter * 1000 };
  if (error instanceof webApi.WebAPIPlatformError) return readPlatform(error);
  if (error instanceof webApi.WebAPIHTTPError) {
    const details = `status ${error.statusCode}`;
    return { kind: error.statusCode >= 500 ? 'unknown' : 'unsent', details };
  }
  const code = networkCode(error);
  return {
    kind: code !== undefined && UNSENT.test(code) ? 'unsent' : 'unknown',
    details: code ?? nameOf(error),
  };
}

/** The code that Slack refused with, if it did. */
export function refusalOf(error: unknown): string | undefined {
  const failure = readFailure(error);
  return failure.kind === 'refused' ? failure.code : undefined;
}

/** Whether Slack refused the content of a message: another form of the same message may be accepted. */
export function isInvalidContent(error: unknown): boolean {
  return INVALID_CONTENT.test(refusalOf(error) ?? '');
}

function readPlatform({ data }: webApi.WebAPIPlatformError): Failure {
  const code = data.error;
  // The client reports an answer that is not JSON as an error whose text is not a code.
  if (!/^[a-z0-9_]{1,80}$/.test(code)) return { kind: 'unknown', details: 'an answer that is not JSON' };
  if (SERVER_ERRORS.has(code)) return { kind: 'unknown', details: code };
  if (code === 'ratelimited' || code === 'rate_limited')
    return { kind: 'limited', retryAfter: (data.response_metadata?.retryAfter ?? 30) * 1000 };
  return { kind: 'refused', code, details: (data.response_metadata?.messages ?? []).join(' ').slice(0, 300) };
}

/** The code of the network error that the client wrapped. */
function networkCode(error: unknown): string | undefined {
  return errorCodes(error)
    .filter((code) => typeof code === 'string')
    .find((code) => !code.startsWith('slack_'));
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Codes of a token that can't be used at the start: calling again does not help. */
export const TOKEN_REFUSED: ReadonlySet<string> = new Set([...NOT_TAKEN, ...REMOVED, 'missing_scope']);

const WHERE_TO_FIND = {
  SLACK_BOT_TOKEN:
    'Copy the bot token (xoxb-…) from the page "OAuth & Permissions" of your app at api.slack.com/apps; if the app is no longer installed in the workspace, install it there again.',
  SLACK_APP_TOKEN:
    'Copy the app-level token (xapp-…) from the page "Basic Information" of your app at api.slack.com/apps, or make a new one there with the scope connections:write.',
} as const;

/** Which setting has a token that Slack refuses, and what to do about it; other errors pass as they are. */
export function explainToken(name: keyof typeof WHERE_TO_FIND, error: unknown): unknown {
  const code = refusalOf(error);
  if (code === undefined || !TOKEN_REFUSED.has(code)) return error;
  return new StartError(
    `Slack does not accept ${name} (${code}). ${WHERE_TO_FIND[name]} Set ${name} to it and restart the bot.`,
    { cause: error },
  );
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
  scope: { what: 'the permission chat:write', how: 'Install the app in this workspace once more.' },
} as const satisfies Record<string, MissingRequirement>;

/** The requirement that each code says is missing. Trying again does not help until somebody changes it. */
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
  access_denied: REQUIREMENTS.posting,
  ekm_access_denied: REQUIREMENTS.posting,
};

/** Codes of a thread or message that takes no more; the channel can have the next day's. */
const GONE = new Set([
  'restricted_action_thread_locked',
  'cannot_reply_to_message',
  'thread_not_found',
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** The failure of a call in the terms of the daily thread. */
export function postFailure(error: unknown): PostFailure {
  if (error instanceof PostFailure) return error;
  if (error instanceof NotInstalled) return new PostFailure('removed', error.message, { cause: error });
  const failure = readFailure(error);
  switch (failure.kind) {
    case 'limited':
      return new PostFailure('later', 'Slack asked to wait', {
        retryAfter: failure.retryAfter,
        cause: error,
      });
    case 'unsent':
      return new PostFailure('later', `nothing was sent to Slack (${failure.details})`, { cause: error });
    case 'unknown':
      return new PostFailure('unknown', `no answer from Slack (${failure.details})`, { cause: error });
    case 'refused': {
      const { code, details } = failure;
      const requirement = REQUIREMENT_OF[code];
      if (REMOVED.has(code))
        return new PostFailure('removed', `the app was removed (${code})`, { cause: error });
      if (requirement !== undefined)
        return new PostFailure('refused', `Slack said ${code}`, {
          missingRequirements: [requirement],
          cause: error,
        });
      if (isInvalidContent(error) || GONE.has(code))
        return new PostFailure('invalid', `Slack said ${code} ${details}`.trim(), { cause: error });
      // Nothing was posted: by a token that Slack does not take now, or for a reason that is not known here.
      return new PostFailure('later', `Slack said ${code}`, { cause: error });
    }
  }
}

/** Codes of people who are gone, or who take no messages of the app. */
const UNREACHABLE: ReadonlySet<string | undefined> = new Set([
  'cannot_dm_bot',
  'channel_not_found',
  'is_archived',
  'messages_tab_disabled',
  'user_disabled',
  'user_not_found',
  'user_not_visible',
  'users_not_found',
]);

/** The same for a message to one person: other refusals by Slack may end by themselves. */
export function privateFailure(error: unknown): PostFailure {
  const failure = postFailure(error);
  if (UNREACHABLE.has(refusalOf(error))) return new PostFailure('refused', failure.message, { cause: error });
  return failure.kind === 'refused' ? new PostFailure('later', failure.message, { cause: error }) : failure;
}
