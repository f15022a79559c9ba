import { type Logger, LogLevel, webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { MINUTE, timeoutAwake } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
import type { Log } from '../../core/log.ts';
import type { App } from '../../dispatch/contract.ts';
import type { CheckLease } from '../../dispatch/poster.ts';
import {
  beforeSending,
  REFUSED_TOKEN_CODES,
  REMOVED_CODES,
  readFailure,
  refusalOf,
  UNREADABLE,
} from './errors.ts';
import { WithId } from './events.ts';

/** Longer than Slack takes for any answer. */
const REQUEST_TIMEOUT_MS = 10_000;

export type CallAnswer = webApi.WebAPICallResult & Record<string, unknown>;

/**
 * Options of every client of Slack's. None retries by itself: the library's own ten retries would post twice when only the
 * answer was lost.
 */
export function clientOptions(log: Log, apiUrl: string | undefined) {
  return {
    logger: boltLogger(log),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: (...request: Parameters<typeof fetch>) => fetchReadable(request, apiUrl),
    slackApiUrl: apiUrl,
  };
}

export function makeClient(log: Log, apiUrl: string | undefined): webApi.WebClient {
  return new webApi.WebClient(undefined, clientOptions(log, apiUrl));
}

/** Seconds to wait when a refusal names no time, such as a proxy's. */
const DEFAULT_RETRY_SECONDS = 5;

function secondsToWait({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? seconds : DEFAULT_RETRY_SECONDS;
}

const SLACK_API_URL = 'https://slack.com/api/';

/** An answer of a method. What a proxy may send instead with status 200 does not look like this. */
const MethodAnswer = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('ok', [
    v.looseObject({ ok: v.literal(true) }),
    v.looseObject({ ok: v.literal(false), error: v.string() }),
  ]),
);

/**
 * Fetches, and changes two kinds of answers that the client would misread. A rate limit without a retry time gets one:
 * otherwise, the request would count as one that may have been done. An answer that is not Slack's becomes the error
 * `UNREADABLE`, for a request that may have been done: a post that counts as refused would be sent again.
 */
async function fetchReadable(
  [url, init]: Parameters<typeof fetch>,
  apiUrl = SLACK_API_URL,
): Promise<Response> {
  const response = await fetch(url, { ...init, signal: timeoutAwake(REQUEST_TIMEOUT_MS) });
  const { status, headers } = response;
  if (status === 429) {
    await response.body?.cancel();
    return new Response(null, { status, headers: { 'retry-after': String(secondsToWait(response)) } });
  }
  // Files are uploaded to other addresses, which answer in words.
  if (status !== 200 || !String(url).startsWith(apiUrl)) return response;
  const text = await response.text();
  if (v.is(MethodAnswer, text)) return new Response(text, { headers });
  return Response.json({ ok: false, error: UNREADABLE });
}

/** Methods that change nothing: opening a conversation that is open already gives the same one. */
const READ_METHODS = /^(auth\.test|conversations\.(history|info|members|open|replies)|users\.info)$/;

/** A workspace that has installed the app, as far as the door needs to know it. */
export interface Workspace {
  readonly team: string;
  readonly botId: string;
  readonly botUser: string;
}

/** The workspaces that have installed the app: one by its token, or many by OAuth. */
export interface Workspaces {
  /** Reads the facts that are needed at the start. Throws when Slack does not know the token. */
  open(): Promise<void>;
  /** Undefined where the app is not installed. Must be quick: Slack waits for it before an acknowledgement. */
  find(team: string): Promise<Workspace | undefined>;
  trouble(): string | undefined;
  /** A token that is valid for at least one more hour. Throws `NotInstalled`. */
  token(team: string): Promise<string>;
  /**
   * Records that the app was removed from the workspace, or that its token was revoked. Does nothing when the
   * given token has been replaced since, because the app was then installed again.
   */
  markRemoved(team: string, token: string | undefined): Promise<void>;
}

type Tokens = Pick<Workspaces, 'token' | 'markRemoved'>;

/** Milliseconds until Slack is asked again whether a scope that was missing has been given. */
const MISSING_SCOPE_MS = MINUTE;
/** Workspaces whose scopes are remembered. */
const MAX_WORKSPACES = 5_000;

const REFUSED_TOKEN =
  'Slack does not take the token of this workspace: what is due there is tried again until it does. If it was replaced, give the bot the new one';

/** Calls of Slack's methods as the bot of a workspace. */
export class SlackApi {
  readonly #client: webApi.WebClient;
  readonly #workspaces: Tokens;
  readonly #app: Pick<App, 'log' | 'clock'>;
  /** Workspaces whose token Slack does not take now. */
  readonly #refused = new Set<string>();
  /** The scopes of each workspace's token, as the last answer named them, and when Slack was asked. */
  readonly #scopes = new LRUCache<string, { held: string[] | undefined; at: number }>(atMost(MAX_WORKSPACES));

  constructor(client: webApi.WebClient, workspaces: Tokens, app: Pick<App, 'log' | 'clock'>) {
    this.#client = client;
    this.#workspaces = workspaces;
    this.#app = app;
  }

  /**
   * Whether the app may use a scope in a workspace. Scopes change while the bot runs, when the app is installed again. If
   * Slack can't be asked, its last answer counts. True if no answer has ever named scopes, such as behind a proxy that drops
   * the header: the call itself will show it.
   */
  async may(team: string, scope: string): Promise<boolean> {
    const { held, at = Number.NEGATIVE_INFINITY } = this.#scopes.get(team) ?? {};
    if (held?.includes(scope)) return true;
    const now = this.#app.clock.now();
    // The answer to any call teaches the scopes.
    if (now - at >= MISSING_SCOPE_MS)
      await this.call(team, 'auth.test', {}).catch(() => this.#scopes.set(team, { held, at: now }));
    return this.#scopes.get(team)?.held?.includes(scope) ?? true;
  }

  /**
   * Keeps the scopes that an answer names. That to an upload names none.
   *
   * @param at when the request was sent: a late answer does not replace what a later request has learned
   */
  #learnScopes(team: string, { response_metadata: answered }: webApi.WebAPICallResult, at: number): void {
    const known = this.#scopes.get(team);
    if (at < (known?.at ?? at)) return;
    this.#scopes.set(team, { held: answered?.scopes ?? known?.held, at });
  }

  /** @param checkLease awaited last, after everything that takes time */
  call(
    team: string,
    method: string,
    args: Record<string, unknown>,
    checkLease?: CheckLease,
  ): Promise<CallAnswer> {
    const calling = () =>
      this.#withToken(team, async (token) => {
        await checkLease?.();
        return this.#client.apiCall(method, { ...args, token }) as Promise<CallAnswer>;
      });
    // A failed read changed nothing, so it counts as never sent, and may be repeated.
    return READ_METHODS.test(method) ? beforeSending(calling) : calling();
  }

  /** Opens a modal, or pushes it onto the one that is open, and returns the id of its view. */
  async openView(
    team: string,
    trigger: string,
    view: object,
    method: 'views.open' | 'views.push' = 'views.open',
  ): Promise<string> {
    const answer = await this.call(team, method, { trigger_id: trigger, view });
    return v.parse(WithId, answer.view).id;
  }

  /** @param channel shares the file there; without it, only the bot can see the file until a message shows it */
  async upload(team: string, filename: string, content: Buffer, channel?: string): Promise<string> {
    const file = { filename, file: content, channel_id: channel };
    const answer = await this.#withToken(team, (token) => this.#client.filesUploadV2({ token, ...file }));
    const id = answer.files[0]?.files?.[0]?.id;
    if (!id) throw new Error('Slack accepted a file and returned no id');
    return id;
  }

  async reach(): Promise<void> {
    await this.#client.apiCall('api.test');
  }

  trouble(): string | undefined {
    return this.#refused.size === 0 ? undefined : REFUSED_TOKEN;
  }

  /** A token that Slack has revoked means that the app was removed from its workspace. */
  async #withToken<Answer extends webApi.WebAPICallResult>(
    team: string,
    act: (token: string) => Promise<Answer>,
  ): Promise<Answer> {
    const token = await beforeSending(() => this.#workspaces.token(team));
    const at = this.#app.clock.now();
    try {
      const answer = await act(token);
      this.#learnScopes(team, answer, at);
      if (this.#refused.delete(team))
        this.#app.log.info({ door: 'slack', team }, 'Slack takes the token of this workspace again');
      return answer;
    } catch (error) {
      const refusal = refusalOf(error);
      if (REFUSED_TOKEN_CODES.has(refusal) && !this.#refused.has(team)) {
        this.#refused.add(team);
        this.#app.log.warn({ door: 'slack', team, refusal }, REFUSED_TOKEN);
      }
      if (REMOVED_CODES.has(refusal)) await this.#workspaces.markRemoved(team, token);
      throw error;
    }
  }
}

const ResponseUrlAnswer = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ ok: v.optional(v.boolean()), error: v.optional(v.string()) })),
  {},
);

/**
 * Answers at a response URL. Slack refuses with a status or with an error in the body, and accepts with `ok`, as text or JSON.
 * After anything else, it may have been shown.
 */
export async function respond(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: timeoutAwake(REQUEST_TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status === 429) throw new webApi.WebAPIRateLimitedError(secondsToWait(response));
  if (response.status >= 500)
    throw new webApi.WebAPIHTTPError(response.status, response.statusText, {}, text);
  const { ok, error } = v.parse(ResponseUrlAnswer, text);
  const refuse = (code: string) => new webApi.WebAPIPlatformError({ ok: false, error: code });
  // A failing status without a code counts as a spent URL: the answer is posted then.
  if (!response.ok || (ok === false && error !== undefined)) throw refuse(error ?? 'expired_url');
  if (ok !== true && text.trim() !== 'ok') throw refuse(UNREADABLE);
}

const MAX_ATTEMPTS = 4;
/** Milliseconds, unless Slack says how long. */
const RETRY_PAUSE_MS = 500;
/** Nobody waits longer than this for an answer. */
const MAX_PAUSE_MS = 20_000;

/** Sends something to a person, and again only when it was certainly not sent. */
export async function retrying<Answer>(
  send: () => Promise<Answer>,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const failure = readFailure(error);
      if (attempt >= MAX_ATTEMPTS || (failure.kind !== 'limited' && failure.kind !== 'unsent')) throw error;
      const pause = failure.kind === 'limited' ? failure.retryAfter : RETRY_PAUSE_MS;
      if (pause > MAX_PAUSE_MS) throw error;
      await sleep(pause);
    }
  }
}

const MAX_MESSAGE_LENGTH = 500;

/**
 * Writes the libraries' messages to our log at its level `debug`, since each of their errors reaches us, too. Their own debug
 * messages are dropped, because they hold whole payloads. The log removes tokens, which could be part of an error.
 */
export function boltLogger(log: Log): Logger {
  const write = (...values: unknown[]) =>
    log.debug({ door: 'slack' }, `bolt: ${values.join(' ')}`.slice(0, MAX_MESSAGE_LENGTH));
  return {
    debug: () => {},
    info: write,
    warn: write,
    error: write,
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}
