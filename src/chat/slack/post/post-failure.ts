import { type MissingRequirement, PostFailure } from '../../../dispatch/poster.ts';
import { isInvalidContent, REMOVED, readFailure, refusalOf } from '../api/errors.ts';
import { NotInstalled } from '../install/workspaces.ts';

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
  posting: {
    what: 'the right to post in the channel',
    how: 'Its settings let only some people post: let this app be one of them, or choose another channel.',
  },
  scope: { what: 'the permission chat:write', how: 'Install the app in this workspace once more.' },
  token: {
    what: 'a token that Slack takes',
    how: 'The person who runs this bot must check its token, and which addresses may use it.',
  },
} as const satisfies Record<string, MissingRequirement>;

/** What each code says is missing. Trying again does not help until somebody changes it. */
const REQUIREMENT_OF: Readonly<Record<string, MissingRequirement>> = {
  not_in_channel: REQUIREMENTS.membership,
  user_not_in_channel: REQUIREMENTS.membership,
  is_archived: REQUIREMENTS.archived,
  is_inactive: REQUIREMENTS.archived,
  channel_not_found: REQUIREMENTS.channel,
  method_not_supported_for_channel_type: REQUIREMENTS.channel,
  messages_tab_disabled: REQUIREMENTS.channel,
  restricted_action: REQUIREMENTS.posting,
  restricted_action_read_only_channel: REQUIREMENTS.posting,
  restricted_action_thread_only_channel: REQUIREMENTS.posting,
  restricted_action_non_threadable_channel: REQUIREMENTS.posting,
  restricted_action_thread_locked: REQUIREMENTS.posting,
  channel_is_limited_access: REQUIREMENTS.posting,
  no_permission: REQUIREMENTS.posting,
  missing_scope: REQUIREMENTS.scope,
  invalid_auth: REQUIREMENTS.token,
  not_authed: REQUIREMENTS.token,
  not_allowed_token_type: REQUIREMENTS.token,
  access_denied: REQUIREMENTS.token,
  ekm_access_denied: REQUIREMENTS.posting,
};

/** Codes of a thread or message that no longer exists. */
const GONE = new Set([
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
      return new PostFailure('later', `Slack could not be reached (${failure.details})`, { cause: error });
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
      // An unknown code still means that nothing was posted.
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
