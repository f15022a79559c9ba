import { webApi } from '@slack/bolt';
import { refusalOf } from '../post/errors.ts';

const TIMEOUT = 10_000;
/** Past their five answers or thirty minutes. */
const SPENT = new Set(['used_url', 'expired_url', 'invalid_url']);

export function isSpent(error: unknown): boolean {
  return SPENT.has(refusalOf(error) ?? '');
}

/** Answers at a response URL. Slack refuses with a status there, or with an answer that says so. */
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
  const { ok, error } = readAnswer(text);
  if (response.ok && ok) return;
  if (response.status === 429) {
    throw new webApi.WebAPIRateLimitedError(Number(response.headers.get('retry-after') ?? 1));
  }
  if (response.status >= 500) throw new webApi.WebAPIHTTPError(response.status, response.statusText, {});
  throw new webApi.WebAPIPlatformError({ ok: false, error: error ?? 'expired_url' });
}

function readAnswer(text: string): { ok?: boolean; error?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
