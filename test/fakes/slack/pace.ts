import { TooFast } from './refusal.ts';

/** How often things may be done. Slack says "one message a second a channel", and allows short bursts. */
export interface Pace {
  /** A message into a channel. */
  post(channel: string): void;
  /** A call of a method that belongs to a tier: so many a minute, method and workspace. */
  call(workspace: string, method: string, perMinute: number): void;
}

/** Calls a minute that the documented tiers promise. */
export const TIERS = { 1: 1, 2: 20, 3: 50, 4: 100 } as const;

export interface PaceOptions {
  /** Milliseconds, only ever rising; real time unless a test says otherwise. */
  readonly elapsed: () => number;
  /** 0 switches it off. */
  readonly postsPerSecond: number;
  readonly burst: number;
  readonly tiers: boolean;
}

export function makePace({ elapsed, postsPerSecond, burst, tiers }: PaceOptions): Pace {
  const buckets = new Map<string, { left: number; at: number }>();

  const take = (key: string, perSecond: number, size: number) => {
    const now = elapsed();
    const bucket = buckets.get(key) ?? { left: size, at: now };
    bucket.left = Math.min(size, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    buckets.set(key, bucket);
    if (bucket.left < 1) throw new TooFast(Math.max(1, Math.ceil((1 - bucket.left) / perSecond)));
    bucket.left -= 1;
  };

  return {
    post(channel) {
      if (postsPerSecond > 0) take(`post ${channel}`, postsPerSecond, burst);
    },
    call(workspace, method, perMinute) {
      if (tiers) take(`${workspace} ${method}`, perMinute / 60, perMinute);
    },
  };
}
