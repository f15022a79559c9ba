import { webApi } from '@slack/bolt';

/**
 * How a call to Slack failed. `refused`: it said no, with its code; `limited`: too fast; `unsent`: it never
 * arrived; `unknown`: it may have been done.
 */
export type Failure =
  | { readonly kind: 'refused'; readonly code: string; readonly details: string }
  | { readonly kind: 'limited'; readonly retryAfter: number }
  | { readonly kind: 'unsent' | 'unknown'; readonly details: string };

/** Codes of connections that were never made. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|SELF_SIGNED_.*|DEPTH_ZERO_.*)$/;
/** Slack broke down in the middle: some of it may have been done. */
const BROKEN = new Set(['internal_error', 'fatal_error']);

/** Something went wrong on the way to the call itself. */
export class NotCalled extends Error {
  override readonly name = 'NotCalled';
  constructor(cause: unknown) {
    super('no token for the call could be had', { cause });
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

function readPlatform({ data }: webApi.WebAPIPlatformError): Failure {
  const code = data.error;
  // An answer that is no JSON comes as an error that is no code.
  if (!/^[a-z0-9_]{1,80}$/.test(code)) return { kind: 'unknown', details: 'an answer that is not JSON' };
  if (BROKEN.has(code)) return { kind: 'unknown', details: code };
  if (code === 'ratelimited' || code === 'rate_limited')
    return { kind: 'limited', retryAfter: (data.response_metadata?.retryAfter ?? 30) * 1000 };
  return { kind: 'refused', code, details: (data.response_metadata?.messages ?? []).join(' ').slice(0, 300) };
}

function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error, deep = 0; at instanceof Error && deep < 5; deep++) {
    const { code, original, cause } = at as { code?: unknown; original?: unknown; cause?: unknown };
    if (typeof code === 'string' && !code.startsWith('slack_')) return code;
    at = original ?? cause;
  }
  return undefined;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The code Slack refused with, if it did. */
export function refusalOf(error: unknown): string | undefined {
  const failure = readFailure(error);
  return failure.kind === 'refused' ? failure.code : undefined;
}

/** The token is good for nothing any more: the app was removed from the workspace. */
export const REMOVED: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked']);
