import { type MissingRequirement, PostFailure } from '../../../dispatch/poster.ts';
import { isUnfit } from '../answer/send-with-fallback.ts';
import { NotInstalled } from '../install/workspaces.ts';
import { REMOVED, readFailure } from './errors.ts';

export const LACKS = {
  membership: {
    what: 'a seat in the channel',
    how: 'Type `/invite @letterboxed` there; I never join by myself.',
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
    how: 'Whoever runs this bot must check its token, and which addresses may use it.',
  },
} as const satisfies Record<string, MissingRequirement>;

/** What each code says is missing. Until somebody gives it, no further try will do. */
const LACK_OF: Readonly<Record<string, MissingRequirement>> = {
  not_in_channel: LACKS.membership,
  user_not_in_channel: LACKS.membership,
  is_archived: LACKS.archived,
  is_inactive: LACKS.archived,
  channel_not_found: LACKS.channel,
  method_not_supported_for_channel_type: LACKS.channel,
  messages_tab_disabled: LACKS.channel,
  restricted_action: LACKS.posting,
  restricted_action_read_only_channel: LACKS.posting,
  restricted_action_thread_only_channel: LACKS.posting,
  restricted_action_non_threadable_channel: LACKS.posting,
  restricted_action_thread_locked: LACKS.posting,
  channel_is_limited_access: LACKS.posting,
  no_permission: LACKS.posting,
  missing_scope: LACKS.scope,
  invalid_auth: LACKS.token,
  not_authed: LACKS.token,
  not_allowed_token_type: LACKS.token,
  access_denied: LACKS.token,
  ekm_access_denied: LACKS.posting,
};

/** Of a thread or message that is no longer there. */
const GONE = new Set([
  'cannot_reply_to_message',
  'thread_not_found',
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** What daily is to make of a call that failed. */
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
      const requirement = LACK_OF[code];
      if (REMOVED.has(code))
        return new PostFailure('removed', `the app was removed (${code})`, { cause: error });
      if (requirement !== undefined)
        return new PostFailure('refused', `Slack said ${code}`, { lacks: [requirement], cause: error });
      if (isUnfit(error) || GONE.has(code))
        return new PostFailure('invalid', `Slack said ${code} ${details}`.trim(), { cause: error });
      // Unheard-of codes still mean that nothing was posted.
      return new PostFailure('later', `Slack said ${code}`, { cause: error });
    }
  }
}
