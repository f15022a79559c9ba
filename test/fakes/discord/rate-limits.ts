/**
 * developers/topics/rate-limits.mdx: 50 requests a second for a bot as a whole, a bucket for each route and
 * top-level resource, and a ban for an address that makes too many invalid requests. Limits run in real
 * time, whatever clock the rest of the fake is given: a client waits for them in real time too.
 */
export interface Limits {
  /** Requests over all routes in any second. */
  global: number;
  /** How many requests a bucket takes in how many milliseconds, by `METHOD /route`; `*` for all others. */
  buckets: Readonly<Record<string, { limit: number; per: number }>>;
  /** 401, 403 and 429 answers in ten minutes after which the address is shut out. */
  invalid: number;
}

export const LIMITS: Limits = {
  global: 50,
  // The documentation gives no numbers for routes; these are of the size that clients meet in practice.
  buckets: {
    'POST /channels/:channel/messages': { limit: 5, per: 5_000 },
    'POST /channels/:channel/messages/:message/threads': { limit: 5, per: 5_000 },
    'POST /webhooks/:application/:token': { limit: 5, per: 2_000 },
    '*': { limit: 20, per: 1_000 },
  },
  invalid: 10_000,
};

export interface Verdict {
  readonly headers: Readonly<Record<string, string>>;
  /** Set when the request is refused: a 429. */
  readonly refusal?: { readonly retryAfter: number; readonly global: boolean };
}

interface Window {
  count: number;
  ends: number;
}

const TEN_MINUTES = 600_000;

export class RateLimits {
  readonly #limits: Limits;
  readonly #windows = new Map<string, Window>();
  /** When the requests of the last second came. */
  #global: number[] = [];
  #invalid: number[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Answers that counted as invalid in the last ten minutes. */
  get invalid(): number {
    const now = performance.now();
    this.#invalid = this.#invalid.filter((at) => now - at < TEN_MINUTES);
    return this.#invalid.length;
  }

  noteInvalid(): void {
    this.#invalid.push(performance.now());
  }

  get banned(): boolean {
    return this.invalid >= this.#limits.invalid;
  }

  /** Interaction endpoints are "not bound to the application's global rate limit". */
  take(route: string, resource: string, boundToGlobal: boolean): Verdict {
    const now = performance.now();
    if (boundToGlobal) {
      this.#global = this.#global.filter((at) => now - at < 1_000);
      if (this.#global.length >= this.#limits.global) {
        const retryAfter = (this.#global.at(-this.#limits.global)! + 1_000 - now) / 1_000;
        return {
          headers: { 'X-RateLimit-Global': 'true', 'X-RateLimit-Scope': 'global' },
          refusal: { retryAfter, global: true },
        };
      }
    }
    const rule = this.#limits.buckets[route] ?? this.#limits.buckets['*'];
    if (rule === undefined) {
      if (boundToGlobal) this.#global.push(now);
      return { headers: {} };
    }
    const key = `${route} ${resource}`;
    let window = this.#windows.get(key);
    if (window === undefined || now >= window.ends) {
      window = { count: 0, ends: now + rule.per };
      this.#windows.set(key, window);
    }
    const full = window.count >= rule.limit;
    if (!full) {
      window.count += 1;
      if (boundToGlobal) this.#global.push(now);
    }
    const after = (window.ends - now) / 1_000;
    const headers = {
      'X-RateLimit-Limit': String(rule.limit),
      'X-RateLimit-Remaining': String(rule.limit - window.count),
      'X-RateLimit-Reset': ((Date.now() + after * 1_000) / 1_000).toFixed(3),
      'X-RateLimit-Reset-After': after.toFixed(3),
      'X-RateLimit-Bucket': bucketName(route),
    };
    if (!full) return { headers };
    return {
      headers: { ...headers, 'X-RateLimit-Scope': 'user' },
      refusal: { retryAfter: after, global: false },
    };
  }
}

/** "A unique string denoting the rate limit, non-inclusive of top-level resources in the path." */
function bucketName(route: string): string {
  let hash = 0;
  for (const character of route) hash = (hash * 31 + character.charCodeAt(0)) | 0;
  return (hash >>> 0).toString(16).padStart(8, '0');
}
