import type { PuzzleDate } from '../../core/clock.ts';
import type { Puzzle } from '../types.ts';
import { NewspaperError, type Trouble } from './errors.ts';
import { readPage, readPayload } from './payload.ts';
import { openSite, type SiteLimits } from './site.ts';

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

export interface NewspaperOptions {
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

export interface AskOptions {
  /** The page only ever has the puzzle that is on. */
  readonly isToday: boolean;
  /** Try once more, a moment later, after bad luck. */
  readonly again: boolean;
}

export type Answer =
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
  /** Never asks for a day on its own account: that the day is out is for the caller to know. */
  ask(date: PuzzleDate, options: AskOptions): Promise<Answer>;
}

/**
 * One round of asking the newspaper for one date: its service first, then the game's page. It fails only
 * as an answer, never by throwing, whatever comes back.
 */
export function makeNewspaper(options: NewspaperOptions): Newspaper {
  const { random, sleep } = options;
  const base = new URL((options.base ?? NEWSPAPER_URL).replace(/\/*$/, '/'));

  async function ask(date: PuzzleDate, { isToday, again }: AskOptions): Promise<Answer> {
    const site = openSite(base, options);
    const attempt = async (way: Way): Promise<Answer> => {
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
    // What the service said is the better reason: the page is only its stand-in.
    return { ...answer, requests: page.requests };
  }

  return { ask };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new NewspaperError('unreadable', 'the answer is not JSON');
  }
}
