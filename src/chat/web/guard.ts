import type { IncomingMessage, ServerResponse } from 'node:http';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Everything comes from this server, and nothing may frame it or be sent elsewhere. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export function protect(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/**
 * Whether a request comes from our own page. Other pages in the same browser can send requests here too:
 * by a name of their own that points to this machine (its name is then in Host), or across origins.
 */
export function isOurs({ headers, method }: IncomingMessage, port: number, allowOutside: boolean): boolean {
  const { host = '', origin } = headers;
  if (!allowOutside && !LOOPBACK.some((name) => host === `${name}:${port}` || (port === 80 && host === name)))
    return false;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false;
  // Browsers always name the origin of what they post; only other programs leave it out.
  return method !== 'POST' || (headers['content-type'] ?? '').startsWith('application/json');
}
