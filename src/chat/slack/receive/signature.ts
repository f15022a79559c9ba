import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds that a signature is valid, before and after its timestamp. */
export const FIVE_MINUTES = 5 * 60;

/** What is wrong with a request that should come from Slack. For logs, not for its sender. */
export type SignatureProblem = 'headers' | 'timestamp' | 'signature';

export interface SignedRequest {
  /** A header that was sent twice is joined with a comma, and refused. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** As it was received: a body that is parsed and written again has another signature. */
  readonly body: Buffer;
}

/**
 * Checks a request against every secret that is valid at the moment; there are two while they are changed.
 * Unlike Bolt's own check, it refuses timestamps from the future as well as old ones.
 *
 * @param now milliseconds since 1970
 * @returns undefined when Slack signed the request
 */
export function signatureProblem(
  { timestamp, signature, body }: SignedRequest,
  secrets: readonly string[],
  now: number,
): SignatureProblem | undefined {
  if (timestamp === undefined || signature === undefined) return 'headers';
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return 'headers';
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > FIVE_MINUTES) return 'timestamp';
  const given = Buffer.from(signature.slice(3), 'hex');
  // Every secret is tried, so that the time taken does not show which of them matches.
  const matches = secrets.map((secret) => {
    const hash = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
    return timingSafeEqual(given, hash);
  });
  return matches.includes(true) ? undefined : 'signature';
}
