import { webApi } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { postFailure, privateFailure } from '../../../src/chat/slack/errors.ts';
import { StoreError } from '../../../src/core/errors.ts';
import type { PostFailureKind } from '../../../src/dispatch/poster.ts';

const refusal = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });

describe('a failed call', () => {
  it.each<[code: string, kind: PostFailureKind, requirement: RegExp | undefined]>([
    ['is_archived', 'refused', /archived/],
    ['not_in_channel', 'refused', /a member/],
    ['channel_not_found', 'refused', /channel that is there/],
    ['restricted_action', 'refused', /right to post/],
    ['missing_scope', 'refused', /chat:write/],
    ['invalid_auth', 'later', undefined],
    ['account_inactive', 'removed', undefined],
    ['token_revoked', 'removed', undefined],
    ['ratelimited', 'later', undefined],
    ['msg_too_long', 'invalid', undefined],
    ['invalid_blocks', 'invalid', undefined],
    ['msg_blocks_too_long', 'invalid', undefined],
    ['cannot_reply_to_message', 'closed', undefined],
    ['restricted_action_thread_locked', 'closed', undefined],
    ['service_unavailable', 'later', undefined],
    ['some_error_of_next_year', 'later', undefined],
    ['internal_error', 'unknown', undefined],
    ['fatal_error', 'unknown', undefined],
  ])('with %s is a post that fails as %s', (code, kind, requirement) => {
    const failure = postFailure(refusal(code));
    expect(failure.kind).toBe(kind);
    expect(failure.missingRequirements.map(({ what }) => what).join()).toMatch(requirement ?? /^$/);
  });

  it('of the store, though by the network, does not show that nothing was sent to Slack', () => {
    const cause = Object.assign(new Error(), { code: 'ECONNREFUSED' });
    const { kind, message } = postFailure(new StoreError('store.unreachable', 'no store', { cause }));
    expect([kind, message]).toEqual(['unknown', 'no store']);
  });

  it('for coming too fast, said in the body alone, waits half a minute', () => {
    expect(postFailure(refusal('ratelimited')).retryAfter).toBe(30_000);
  });

  it.each<[code: string, kind: PostFailureKind]>([
    ['channel_not_found', 'refused'],
    ['user_not_found', 'refused'],
    ['messages_tab_disabled', 'refused'],
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
