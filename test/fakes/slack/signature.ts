import { createHmac } from 'node:crypto';

/** The headers Slack signs a request with. `at` in milliseconds. */
export function signatureHeaders(secret: string, body: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` };
}
