import { webApi } from '@slack/bolt';
import * as v from 'valibot';
import { refusalOf } from './errors.ts';

const TIMEOUT = 10_000;
/** A response URL takes five answers within thirty minutes. */
const SPENT = new Set(['used_url', 'expired_url', 'invalid_url']);

const Answer = v.object({ ok: v.optional(v.boolean()), error: v.optional(v.string()) });

export function isSpent(error: unknown): boolean {
  return SPENT.has(refusalOf(error) ?? '');
}

/** Answers at a response URL. Slack refuses either with a status or with an error in the body. */
export async function respond(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const text = await response.text();
  if (response.ok && !text.startsWith('{')) return;
  const { ok, error } = parseAnswer(text);
  if (response.ok && ok) return;
  if (response.status === 429) {
    throw new webApi.WebAPIRateLimitedError(Number(response.headers.get('retry-after') ?? 1));
  }
  if (response.status >= 500) throw new webApi.WebAPIHTTPError(response.status, response.statusText, {});
  throw new webApi.WebAPIPlatformError({ ok: false, error: error ?? 'expired_url' });
}

function parseAnswer(text: string): v.InferOutput<typeof Answer> {
  try {
    return v.parse(Answer, JSON.parse(text));
  } catch {
    return {};
  }
}
