import { DAY, type PuzzleDate } from '../core/clock.ts';
import { errorCode } from '../core/errors.ts';
import type { About } from '../core/program.ts';
import { NewspaperError, readPage, readPayload, type Trouble } from './newspaper.ts';
import type { Puzzle } from './types.ts';

export const NEWSPAPER_URL = 'https://www.nytimes.com';
/** Before the second try of a request that may just have been unlucky. */
const PAUSE = 1_000;
const UNLUCKY: readonly Trouble[] = ['unreachable', 'failing'];
/** After these, the page may still have what the service has not. After the others we leave it be. */
const TRY_PAGE: readonly Trouble[] = [
  'missing',
  'failing',
  'too-large',
  'redirected',
  'unreadable',
  'invalid',
  'wrong-day',
];

interface NewspaperOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Sent with each request: who we are and where to complain. */
  readonly userAgent: string;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** `NEWSPAPER_URL`: a proxy, or a stand-in for tests. */
  readonly base?: string;
  readonly limits?: Partial<SiteLimits>;
}

export type NewspaperAnswer =
  | {
      readonly ok: true;
      readonly puzzle: Puzzle;
      readonly dropped: number;
      readonly way: Way;
      readonly requests: number;
    }
  /** The last trouble; `requests` counts all that were sent, redirects too. */
  | { readonly ok: false; readonly error: NewspaperError; readonly requests: number };
type Way = 'service' | 'page';

export interface Newspaper {
  /**
   * The caller has to know that the day's puzzle is out.
   *
   * @param how `isToday`, as the page only ever has the puzzle that is on; `again`, to try once more, a moment later,
   * after bad luck
   */
  ask(
    date: PuzzleDate,
    how: { readonly isToday: boolean; readonly again: boolean },
  ): Promise<NewspaperAnswer>;
}

/**
 * One round of asking the newspaper for one date: its service first, then the game's page. It fails only
 * as an answer, never by throwing, whatever comes back.
 */
export function makeNewspaper(options: NewspaperOptions): Newspaper {
  const { random, sleep } = options;
  const base = new URL((options.base ?? NEWSPAPER_URL).replace(/\/*$/, '/'));

  const ask: Newspaper['ask'] = async (date, { isToday, again }) => {
    const site = openSite(base, options);
    const attempt = async (way: Way): Promise<NewspaperAnswer> => {
      try {
        const payload =
          way === 'service'
            ? parseJson(await site.get(`svc/letter-boxed/v1/${date}.json`, 'application/json'))
            : readPage(await site.get('puzzles/letter-boxed', 'text/html'));
        return { ok: true, ...readPayload(payload, date), way, requests: site.requests() };
      } catch (error) {
        if (error instanceof NewspaperError) return { ok: false, error, requests: site.requests() };
        throw error;
      }
    };

    let answer = await attempt('service');
    if (!answer.ok && again && UNLUCKY.includes(answer.error.trouble)) {
      await sleep(PAUSE * (1 + random()));
      answer = await attempt('service');
    }
    if (answer.ok || !isToday || !TRY_PAGE.includes(answer.error.trouble)) return answer;
    const page = await attempt('page');
    if (page.ok || page.error.trouble === 'slow-down') return page;
    // What the service said is the better reason: the page is only the second choice.
    return { ...answer, requests: page.requests };
  };

  return { ask };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new NewspaperError('unreadable', 'the answer is not JSON');
  }
}

interface SiteLimits {
  /** For one request with its redirects and body, in milliseconds. */
  readonly timeout: number;
  /** Of a body, after decompression. */
  readonly bytes: number;
  readonly redirects: number;
}
const SITE_LIMITS: SiteLimits = { timeout: 10_000, bytes: 1_000_000, redirects: 3 };
const REDIRECTS = [301, 302, 303, 307, 308];
/** However long a site asks us to wait, tomorrow is another day. */
const LONGEST_WAIT = DAY;

/**
 * Careful reading from one site: bounded in time, size and redirects, and never led off the site. `requests` counts what
 * was sent so far, redirects too.
 */
export function openSite(base: URL, options: Omit<NewspaperOptions, 'base' | 'random' | 'sleep'>) {
  const limits = { ...SITE_LIMITS, ...options.limits };
  let requests = 0;

  /** The body of a good answer as text; anything else throws `NewspaperError`. */
  async function get(path: string, accept: string): Promise<string> {
    const signal = AbortSignal.timeout(limits.timeout);
    const headers = { 'user-agent': options.userAgent, accept };
    try {
      let url = new URL(path, base);
      for (let redirects = 0; ; redirects++) {
        requests++;
        // One request after the other: each address comes from the answer before.
        const response = await options.fetch(url, { redirect: 'manual', headers, signal });
        if (!REDIRECTS.includes(response.status)) {
          if (response.ok) return await readBody(response, limits.bytes);
          await response.body?.cancel();
          throw statusError(response, options.now());
        }
        await response.body?.cancel();
        url = nextUrl(response.headers.get('location'), url, base);
        if (redirects >= limits.redirects) {
          throw new NewspaperError('redirected', `more than ${limits.redirects} redirects`);
        }
      }
    } catch (error) {
      if (error instanceof NewspaperError) throw error;
      if (signal.aborted)
        throw new NewspaperError('timeout', `no whole answer in ${limits.timeout / 1_000} s`);
      throw new NewspaperError('unreachable', `the connection failed (${causeCode(error)})`);
    }
  }

  return { get, requests: () => requests };
}

async function readBody(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop by throwing also cancels the body, so no more of it is received.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw new NewspaperError('too-large', `the answer is larger than ${most} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function statusError(response: Response, now: number): NewspaperError {
  const { status } = response;
  const wait = readRetryAfter(response.headers.get('retry-after'), now);
  const trouble =
    status === 404 || status === 410
      ? 'missing'
      : status === 401 || status === 403
        ? 'refused'
        : status === 429 || (status === 503 && wait !== undefined)
          ? 'slow-down'
          : 'failing';
  return new NewspaperError(trouble, `answered ${status}`, { status, wait });
}

/** Seconds, or a date. */
export function readRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_WAIT);
}

/** The site is the base's own host, and for a name with `www.` its whole domain, by no weaker protocol. */
function nextUrl(location: string | null, from: URL, base: URL): URL {
  const next = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const domain = base.hostname.startsWith('www.') ? base.hostname.slice(4) : undefined;
  const isWithin =
    next !== undefined &&
    next.protocol === base.protocol &&
    next.port === base.port &&
    next.username === '' &&
    (next.hostname === base.hostname ||
      (domain !== undefined && (next.hostname === domain || next.hostname.endsWith(`.${domain}`))));
  if (isWithin) return next;
  throw new NewspaperError('redirected', 'redirected off the site');
}

function causeCode(error: unknown): string {
  const { cause, name } = error as Error;
  return String(errorCode(cause) ?? name);
}

/**
 * What the newspaper learns about the sender of requests: the program, and the addresses of its project and operator.
 *
 * @example userAgent({ version: '1.2.0', contact: 'me@example.org' }) // 'letterboxed-bot/1.2.0 (me@example.org)'
 */
export function userAgent({ version, homepage, contact }: About & { readonly contact?: string }): string {
  const addresses = [...(homepage === undefined ? [] : [`+${homepage}`]), ...(contact ? [contact] : [])];
  const name = `letterboxed-bot/${version}`;
  return addresses.length === 0 ? name : `${name} (${addresses.join('; ')})`;
}
