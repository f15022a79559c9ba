import * as v from 'valibot';
import { DAY, type PuzzleDate, timeoutAwake } from '../core/clock.ts';
import { errorCode, UserError } from '../core/errors.ts';
import type { About } from '../core/program.ts';
import { hasRepeats, makeBoard } from '../solver/board.ts';
import { walkWord } from '../solver/playable.ts';
import type { Board } from '../solver/types.ts';
import type { DayWord, Puzzle } from './types.ts';

const DEFAULT_BASE = 'https://www.nytimes.com';
/** Milliseconds before a request that may just have been unlucky is repeated. */
const RETRY_AFTER_MS = 1_000;
const RETRIED_TROUBLES: readonly Trouble[] = ['unreachable', 'failing'];
/** Troubles of the service after which the page may still have the puzzle. After any other, we don't ask the page. */
const PAGE_TROUBLES: readonly Trouble[] = [
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
  /** The setting `NEWSPAPER_URL`: a proxy, or a server of tests. */
  readonly base?: string;
  readonly limits?: Partial<SiteLimits>;
}

export type NewspaperAnswer =
  | (ReadPayload & { readonly ok: true; readonly way: Way; readonly requests: number })
  /** Where both ways fail, `error` is the service's, unless the page asks us to wait. `requests` counts redirects, too. */
  | { readonly ok: false; readonly error: NewspaperError; readonly requests: number };
type Way = 'service' | 'page';

export interface Newspaper {
  /**
   * The caller has to know that the day's puzzle is out.
   *
   * @param how `isToday`: the page is asked for no other day, since it only has the puzzle that is on; `mayRetry`: the service is
   * asked once more, a moment later, after bad luck
   */
  ask(
    date: PuzzleDate,
    how: { readonly isToday: boolean; readonly mayRetry: boolean },
  ): Promise<NewspaperAnswer>;
}

/**
 * One round of asking the newspaper for a date: its service first, then the game's page. A failure of the newspaper is an
 * answer, and is not thrown.
 */
export function makeNewspaper(options: NewspaperOptions): Newspaper {
  const { random, sleep } = options;
  const base = new URL((options.base ?? DEFAULT_BASE).replace(/\/*$/, '/'));

  const ask: Newspaper['ask'] = async (date, { isToday, mayRetry }) => {
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
    if (!answer.ok && mayRetry && RETRIED_TROUBLES.includes(answer.error.trouble)) {
      await sleep(RETRY_AFTER_MS * (1 + random()));
      answer = await attempt('service');
    }
    if (answer.ok || !isToday || !PAGE_TROUBLES.includes(answer.error.trouble)) return answer;
    const page = await attempt('page');
    if (page.ok || page.error.trouble === 'slow-down') return page;
    // The service's trouble is the better explanation: the page is only the second choice.
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
  /** Milliseconds for one request with its redirects and body. */
  readonly timeout: number;
  /** Bytes of a body after decompression. */
  readonly bytes: number;
  readonly redirects: number;
}
const SITE_LIMITS: SiteLimits = { timeout: 10_000, bytes: 1_000_000, redirects: 3 };
const REDIRECTS = [301, 302, 303, 307, 308];
/** The longest wait that we accept, whatever a site asks for. */
const MAX_RETRY_AFTER_MS = DAY;

/**
 * Reads carefully from one site: limited in time, size and redirects, and never led off the site. `requests` counts
 * everything sent so far, including redirects.
 */
export function openSite(base: URL, options: Omit<NewspaperOptions, 'base' | 'random' | 'sleep'>) {
  const limits = { ...SITE_LIMITS, ...options.limits };
  let requests = 0;

  /** The body of a good answer as text; anything else throws `NewspaperError`. */
  async function get(path: string, accept: string): Promise<string> {
    const signal = timeoutAwake(limits.timeout);
    const headers = { 'user-agent': options.userAgent, accept };
    try {
      let url = new URL(path, base);
      for (let redirects = 0; ; redirects++) {
        requests++;
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
  const trouble = status === 503 && wait !== undefined ? 'slow-down' : (STATUS_TROUBLES[status] ?? 'failing');
  return new NewspaperError(trouble, `answered ${status}`, { status, wait });
}

const STATUS_TROUBLES: Readonly<Record<number, Trouble>> = {
  401: 'refused',
  403: 'refused',
  404: 'missing',
  410: 'missing',
  429: 'slow-down',
};

/** Seconds, or a date. */
export function readRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}

/** Redirects may lead only to the base's own host or, for a name with `www.`, its domain, and to no weaker protocol. */
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

/** The ways in which a request to the newspaper can fail, as named in logs and tests. */
export const TROUBLES = [
  /** 404 or 410: no puzzle under this date, or not yet. */
  'missing',
  /** 401 or 403: the page is not asked instead, since the newspaper does not want us. */
  'refused',
  /** 429, or 503 with Retry-After: asked to wait. */
  'slow-down',
  /** Any other status. */
  'failing',
  /** No connection, or it broke before the body was whole. */
  'unreachable',
  'timeout',
  'too-large',
  /** A redirect off the site, or too many of them. */
  'redirected',
  /** Not JSON, or a page without a puzzle in it. */
  'unreadable',
  /** JSON that is not a puzzle; `field` says where. */
  'invalid',
  /** A puzzle of another day than the one asked for. */
  'wrong-day',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Contains nothing that was received except a field's name, so it can be logged as it is. */
export class NewspaperError extends Error {
  override readonly name = 'NewspaperError';
  readonly trouble: Trouble;
  readonly field: string | undefined;
  readonly status: number | undefined;
  /** Milliseconds the newspaper asks us to wait. */
  readonly wait: number | undefined;

  constructor(
    trouble: Trouble,
    message: string,
    more: { readonly field?: string; readonly status?: number; readonly wait?: number | undefined } = {},
  ) {
    super(message);
    this.trouble = trouble;
    ({ field: this.field, status: this.status, wait: this.wait } = more);
  }
}

const LIMITS = {
  shortest: 3,
  longest: 40,
  sides: 8,
  words: 50_000,
  solution: 8,
  par: 20,
  editor: 60,
} as const;
/** The dictionary's runs: main words, additions, obscure words. */
const DICTIONARY_RUNS = 3;

const strings = (most: number) => v.pipe(v.array(v.string()), v.maxLength(most));
/** The fields of the payload that are read; all others are ignored. */
const payloadSchema = v.object({
  printDate: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/)),
  sides: strings(LIMITS.sides),
  dictionary: v.nullish(strings(LIMITS.words)),
  ourSolution: v.nullish(strings(LIMITS.solution)),
  par: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LIMITS.par))),
  editor: v.nullish(v.string()),
});
/** If one of these has another form one day, the board is used without it. */
const OPTIONAL_FIELDS: readonly unknown[] = ['dictionary', 'ourSolution', 'par', 'editor'];

interface ReadPayload {
  readonly puzzle: Puzzle;
  /** The optional fields that can't be read. */
  readonly unread: readonly string[];
  /** Entries of the dictionary that can't be words of this board. Counted for the log, never shown. */
  readonly dropped: number;
}

/**
 * A checked puzzle from the newspaper's payload, or a `NewspaperError` that names the field. `printDate`
 * and `sides` must be there and right; the rest may be missing, or have another form. All text that
 * comes through consists of letters of the board or looks like a name, so nothing hostile can ride along.
 *
 * @example readPayload(JSON.parse(body), '2026-11-20').puzzle.board.sides
 */
export function readPayload(
  payload: unknown,
  date: PuzzleDate,
  unread: ReadPayload['unread'] = [],
): ReadPayload {
  // A list is an object, too.
  const read = v.safeParse(payloadSchema, Array.isArray(payload) ? undefined : payload, { abortEarly: true });
  if (!read.success) {
    const field = read.issues[0].path?.[0].key;
    if (OPTIONAL_FIELDS.includes(field)) {
      const others = Object.entries(payload ?? {}).filter(([name]) => name !== field);
      return readPayload(Object.fromEntries(others), date, [...unread, String(field)]);
    }
    const path = v.getDotPath(read.issues[0]) ?? '(whole)';
    throw invalidField(path.replace(/\.(\d+)$/, '[$1]'), 'is missing or of another form');
  }
  const { printDate, sides, dictionary, ourSolution, par, editor } = read.output;
  if (printDate !== date) {
    throw new NewspaperError('wrong-day', `printDate is ${printDate}, asked for ${date}`, {
      field: 'printDate',
    });
  }
  const board = readSides(sides);
  const { words, dropped } = readDictionary(dictionary ?? [], board);
  const puzzle: Puzzle = {
    date,
    source: 'newspaper',
    board,
    par: par ?? undefined,
    dictionary: words,
    official: readSolution(ourSolution ?? [], board),
    editor: readEditor(editor ?? ''),
  };
  return { puzzle, dropped, unread };
}

function readSides(sides: readonly string[]): Board {
  try {
    const board = makeBoard(sides.map((side) => side.toLowerCase()));
    // The newspaper's boards have no letter twice; on one that has, hostile words could take forever to walk.
    if (hasRepeats(board)) throw invalidField('sides', 'have a letter twice');
    return board;
  } catch (error) {
    if (error instanceof UserError) throw invalidField('sides', `is not a board (${error.code})`);
    throw error;
  }
}

/**
 * The list consists of three alphabetical runs, one after the other, which only the breaks in the order separate. If there
 * is another number of runs, no word counts as obscure.
 */
function readDictionary(listed: readonly string[], board: Board): { words?: DayWord[]; dropped: number } {
  if (listed.length === 0) return { dropped: 0 };
  const words = listed.map((word) => word.toLowerCase()).filter((word) => isPlayable(word, board));
  const dropped = listed.length - words.length;
  if (words.length === 0) throw invalidField('dictionary', 'holds no word that can be played on these sides');
  if (dropped > words.length) throw invalidField('dictionary', 'is mostly not words of these sides');
  const breaks = words.flatMap((word, index) => (index > 0 && word < words[index - 1]! ? [index] : []));
  const obscureFrom = breaks.length === DICTIONARY_RUNS - 1 ? breaks.at(-1)! : words.length;
  const known = new Map<string, boolean>();
  words.forEach((word, index) => {
    if (!known.has(word)) known.set(word, index >= obscureFrom);
  });
  return { words: Array.from(known, ([word, obscure]) => ({ word, obscure })), dropped };
}

/** The newspaper's own solution, if it is one: a chain of playable words that touches every spot. */
function readSolution(listed: readonly string[], board: Board): readonly string[] | undefined {
  const words = listed.map((word) => word.toLowerCase());
  const isChain = words.every(
    (word, index) => isPlayable(word, board) && (index === 0 || word[0] === words[index - 1]!.at(-1)),
  );
  const covered = words.flatMap((word) => walkWord(board, word)).reduce((all, { mask }) => all | mask, 0);
  return isChain && covered === board.full ? words : undefined;
}

/** A name, if it looks like one; otherwise nothing, since nobody's puzzle should fail because of it. */
function readEditor(text: string): string | undefined {
  const name = text.trim();
  return name.length <= LIMITS.editor && /^\p{L}[\p{L}\p{M}.,'’ -]*$/u.test(name) ? name : undefined;
}

function isPlayable(word: string, board: Board): boolean {
  return word.length >= LIMITS.shortest && word.length <= LIMITS.longest && walkWord(board, word).length > 0;
}

function invalidField(field: string, what: string): NewspaperError {
  return new NewspaperError('invalid', `${field} ${what}`, { field });
}

/** The length is bounded: a page of many beginnings of scripts would otherwise take minutes. */
const GAME_DATA_ASSIGNMENT = /<script\b[^<>]{0,200}>\s{0,200}window\.gameData\s*=/i;

/** The puzzle's data from the game's page, where a script element does nothing but set `window.gameData`. No script is run. */
export function readPage(html: string): unknown {
  const assignment = GAME_DATA_ASSIGNMENT.exec(html);
  if (assignment === null) throw unreadablePage('no script sets window.gameData');
  const from = assignment.index + assignment[0].length;
  const end = html.indexOf('</script', from);
  try {
    return JSON.parse(html.slice(from, end < 0 ? undefined : end).replace(/;\s*$/, ''));
  } catch {
    throw unreadablePage('window.gameData is not JSON');
  }
}

function unreadablePage(what: string): NewspaperError {
  return new NewspaperError('unreadable', `the page can't be read: ${what}`);
}
