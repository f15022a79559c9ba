import { webApi } from '@slack/bolt';

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

/** Something failed before the call itself was made. */
export class NotCalled extends Error {
  override readonly name = 'NotCalled';
  constructor(cause: unknown) {
    super('there was no token for the call', { cause });
  }
}

/** @example readFailure(error).kind // 'refused' */
export function readFailure(error: unknown): Failure {
  if (error instanceof NotCalled) return { kind: 'unsent', details: error.message };
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

/** The code of the network error that the client wrapped, up to five levels down. */
function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const { code, original, cause } = at as { code?: unknown; original?: unknown; cause?: unknown };
    if (typeof code === 'string' && !code.startsWith('slack_')) return code;
    at = original ?? cause;
  }
  return undefined;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
