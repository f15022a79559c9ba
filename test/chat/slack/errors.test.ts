import { webApi } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { postFailure, privateFailure } from '../../../src/chat/slack/errors.ts';
import { StoreError } from '../../../src/core/errors.ts';
import type { PostFailureKind } from '../../../src/dispatch/poster.ts';

const refusal = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });

describe('a failed call', () => {
  /** Codes of one meaning, the same for all that a person may have to do about it. */
  const MEANINGS: readonly (readonly [codes: string, kind: PostFailureKind, requirement?: RegExp])[] = [
    ['is_archived is_inactive', 'refused', /archived/],
    ['not_in_channel user_not_in_channel', 'refused', /a member/],
    ['channel_not_found', 'refused', /channel that is there/],
    ['method_not_supported_for_channel_type messages_tab_disabled', 'refused', /a kind that takes messages/],
    [
      `restricted_action restricted_action_read_only_channel restricted_action_thread_only_channel
      restricted_action_non_threadable_channel channel_is_limited_access no_permission access_denied ekm_access_denied`,
      'refused',
      /right to post/,
    ],
    ['missing_scope', 'refused', /chat:write/],
    [
      'invalid_auth not_authed token_expired not_allowed_token_type ratelimited rate_limited service_unavailable some_error_of_next_year',
      'later',
    ],
    ['account_inactive token_revoked', 'removed'],
    [
      `msg_too_long invalid_blocks invalid_arguments msg_blocks_too_long too_many_attachments no_text slack_file_error
      slack_connect_file_link_sharing_blocked missing_file_data file_not_found posting_to_channel_denied`,
      'invalid',
    ],
    [
      `restricted_action_thread_locked cannot_reply_to_message thread_not_found message_not_found cant_update_message
      edit_window_closed`,
      'closed',
    ],
    ['internal_error fatal_error', 'unknown'],
  ];

  it.each(
    MEANINGS.flatMap(([codes, kind, requirement = /^$/]) =>
      codes.split(/\s+/).map((code) => ({ code, kind, requirement })),
    ),
  )('with $code is a post that fails as $kind', ({ code, kind, requirement }) => {
    const failure = postFailure(refusal(code));
    expect(failure.kind).toBe(kind);
    expect(failure.missingRequirements.map(({ what }) => what).join()).toMatch(requirement);
  });

  it('of the store, though by the network, does not show that nothing was sent to Slack', () => {
    const cause = Object.assign(new Error(), { code: 'ECONNREFUSED' });
    const { kind, message } = postFailure(new StoreError('store.unreachable', 'no store', { cause }));
    expect([kind, message]).toEqual(['unknown', 'no store']);
  });

  it('for coming too fast, said in the body alone, waits as long as Slack says, or half a minute', () => {
    expect(postFailure(refusal('ratelimited')).retryAfter).toBe(30_000);
    const data = { ok: false, error: 'ratelimited', response_metadata: { retryAfter: 7 } };
    expect(postFailure(new webApi.WebAPIPlatformError(data)).retryAfter).toBe(7_000);
  });

  it.each<[code: string, kind: PostFailureKind]>([
    ...`cannot_dm_bot channel_not_found is_archived messages_tab_disabled user_disabled user_not_found user_not_visible
    users_not_found`
      .split(/\s+/)
      .map((code): [string, PostFailureKind] => [code, 'refused']),
    ['invalid_auth', 'later'],
    ['restricted_action', 'later'],
    ['account_inactive', 'removed'],
  ])('with %s is a private message that fails as %s', (code, kind) => {
    expect(privateFailure(refusal(code)).kind).toBe(kind);
  });

  const reset = (reason: string) =>
    `upstream connect error or disconnect/reset before headers. reset reason: ${reason}`;

  it.each<[body: string, kind: PostFailureKind]>([
    ['', 'later'],
    ['{"ok":false,"error":"service_unavailable"}', 'later'],
    ['no healthy upstream', 'later'],
    [reset('connection failure'), 'later'],
    [reset('remote connection failure, transport failure reason: delayed connect error: 111'), 'later'],
    [reset('overflow'), 'later'],
    [reset('connection termination'), 'unknown'],
    [reset('remote reset'), 'unknown'],
  ])('with status 503 did nothing, unless a request was lost behind the proxy: %j is %s', (body, kind) => {
    expect(postFailure(new webApi.WebAPIHTTPError(503, '', {}, body)).kind).toBe(kind);
  });
});
