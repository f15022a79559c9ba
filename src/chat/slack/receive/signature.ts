import { createHmac, timingSafeEqual } from 'node:crypto';

const FIVE_MINUTES = 5 * 60;

/** What is wrong with a request that should come from Slack; undefined when it does. For logs, not for the sender. */
export type SignatureTrouble = 'headers' | 'timestamp' | 'signature';

export interface SignedRequest {
  /** A header that was sent twice is joined with a comma, and refused. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** As it came over the wire: a body parsed and written again has another signature. */
  readonly body: Buffer;
}

/**
 * Checks a request against every secret that is good at the moment, two of them while they are changed.
 * A timestamp from the future is no better than an old one.
 *
 * @param now milliseconds since 1970
 */
export function signatureTrouble(
  { timestamp, signature, body }: SignedRequest,
  secrets: readonly string[],
  now: number,
): SignatureTrouble | undefined {
  if (timestamp === undefined || signature === undefined) return 'headers';
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return 'headers';
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > FIVE_MINUTES) return 'timestamp';
  const given = Buffer.from(signature.slice(3), 'hex');
  // All secrets are tried in any case, so that time tells nothing about which of them fits.
  const fits = secrets.map((secret) => {
    const hash = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
    return timingSafeEqual(given, hash);
  });
  return fits.includes(true) ? undefined : 'signature';
}
