import { type Logger, LogLevel, webApi } from '@slack/bolt';
import * as v from 'valibot';
import { type Backoff, pauseAfter } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { beforeSending, isTokenRefused, NOT_ADDED, REMOVED, readFailure, refusalOf } from './errors.ts';
import type { Workspaces } from './workspaces.ts';

/** Longer than Slack takes for any answer. */
const TIMEOUT = 10_000;

const OpenedView = v.object({ id: v.string() });
const Uploaded = v.looseTuple([
  v.object({ files: v.looseTuple([v.object({ id: v.pipe(v.string(), v.nonEmpty()) })]) }),
]);

export type CallAnswer = webApi.WebAPICallResult & Record<string, unknown>;

export interface UploadFile {
  readonly name: string;
  readonly content: Buffer;
  readonly alt?: string;
  /** Shares the file there; without it, only the bot can see the file until a message shows it. */
  readonly channel?: string;
}

/**
 * The one client for all workspaces. It retries nothing by itself: the library's own ten retries would post
 * twice when only the answer was lost.
 */
export function makeClient(log: Log, apiUrl: string | undefined): webApi.WebClient {
  return new webApi.WebClient(undefined, {
    logger: boltLogger(log),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT,
    fetch: fetchWithWait,
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
  });
}

/** Seconds to wait after a refusal that doesn't say how long, as of a proxy. */
const WAIT = 5;

function secondsToWait({ headers }: Response): number {
  const told = Number(headers.get('retry-after'));
  return told > 0 ? told : WAIT;
}

/** The client takes a refusal for coming too fast, if it doesn't tell how long to wait, for a request that may have been done. */
async function fetchWithWait(...given: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...given);
  if (response.status !== 429) return response;
  await response.body?.cancel();
  return new Response(null, { status: 429, headers: { 'retry-after': String(secondsToWait(response)) } });
}

/** Methods that change nothing: opening a conversation that is open already gives the same one. */
const READING = /^(auth\.test|conversations\.(history|info|members|open|replies)|users\.info)$/;

const REFUSED_TOKEN =
  'Slack does not take the token of this workspace: what is due there is tried again until it does. If it was replaced, give the bot the new one';

/** Calls of Slack's methods as the bot of a workspace. */
export class SlackApi {
  readonly #client: webApi.WebClient;
  readonly #workspaces: Workspaces;
  readonly #log: Log;
  /** Workspaces whose token Slack does not take now. */
  readonly #refused = new Set<string>();

  constructor(client: webApi.WebClient, workspaces: Workspaces, log: Log) {
    this.#client = client;
    this.#workspaces = workspaces;
    this.#log = log;
  }

  call(team: string, method: string, args: Record<string, unknown>): Promise<CallAnswer> {
    const calling = () =>
      this.#withToken(
        team,
        (token) => this.#client.apiCall(method, { ...args, token }) as Promise<CallAnswer>,
      );
    return READING.test(method) ? beforeSending(calling) : calling();
  }

  /** Opens a modal, or pushes it onto the one that is open, and returns the id of its view. */
  async openView(
    team: string,
    trigger: string,
    view: object,
    method: 'views.open' | 'views.push' = 'views.open',
  ): Promise<string> {
    const answer = await this.call(team, method, { trigger_id: trigger, view });
    return v.parse(OpenedView, answer.view).id;
  }

  /** Uploads a file and returns its id. */
  upload(team: string, { name, content, alt, channel }: UploadFile): Promise<string> {
    return this.#withToken(team, async (token) => {
      const answer = await this.#client.filesUploadV2({
        token,
        filename: name,
        file: content,
        ...(alt !== undefined && { alt_text: alt }),
        ...(channel !== undefined && { channel_id: channel }),
      });
      const uploaded = v.safeParse(Uploaded, answer.files);
      if (!uploaded.success) throw new Error('Slack accepted a file and returned no id');
      return uploaded.output[0].files[0].id;
    });
  }

  /** What is wrong with the token of a workspace, if anything is. */
  trouble(): string | undefined {
    return this.#refused.size === 0 ? undefined : REFUSED_TOKEN;
  }

  /** A token that Slack has revoked means that the app was removed from its workspace. */
  async #withToken<Answer>(team: string, act: (token: string) => Promise<Answer>): Promise<Answer> {
    const token = await beforeSending(() => this.#workspaces.token(team));
    try {
      const answer = await act(token);
      if (this.#refused.delete(team))
        this.#log.info({ door: 'slack', team }, 'Slack takes the token of this workspace again');
      return answer;
    } catch (error) {
      const refusal = refusalOf(error) ?? '';
      if (isTokenRefused(error) && !this.#refused.has(team)) {
        this.#refused.add(team);
        this.#log.warn({ door: 'slack', team, refusal }, REFUSED_TOKEN);
      }
      if (REMOVED.has(refusal)) await this.#workspaces.markRemoved(team, token);
      if (refusal === NOT_ADDED) await this.#workspaces.leave(team);
      throw error;
    }
  }
}

/** A response URL takes five answers within thirty minutes. */
const SPENT = new Set(['used_url', 'expired_url', 'invalid_url']);

const Answer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ok: v.optional(v.boolean()), error: v.optional(v.string()) }),
);

export function isSpent(error: unknown): boolean {
  return SPENT.has(refusalOf(error) ?? '');
}

/** Answers at a response URL. Slack refuses either with a status or with an error in the body. */
export async function respond(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const text = await response.text();
  if (response.ok && !text.startsWith('{')) return;
  const parsed = v.safeParse(Answer, text);
  const { ok, error } = parsed.success ? parsed.output : {};
  if (response.ok && ok) return;
  if (response.status === 429) {
    throw new webApi.WebAPIRateLimitedError(secondsToWait(response));
  }
  if (response.status >= 500) throw new webApi.WebAPIHTTPError(response.status, response.statusText, {});
  throw new webApi.WebAPIPlatformError({ ok: false, error: error ?? 'expired_url' });
}

const MAX_ATTEMPTS = 4;
const RETRY: Backoff = { pauses: [500], jitter: 0 };
/** Milliseconds. After a longer pause nobody waits for the answer any more. */
const MAX_PAUSE = 20_000;

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
      const retryAfter = failure.kind === 'limited' ? failure.retryAfter : undefined;
      const pause = pauseAfter({ failures: attempt, random: Math.random, retryAfter }, RETRY);
      if (pause > MAX_PAUSE) throw error;
      await sleep(pause);
    }
  }
}

const MAX_LENGTH = 500;

/** Logged by `bolt.error` of the door, which knows the event's workspace. */
const REFUSED = 'Authorization of incoming event did not succeed';

/**
 * Writes Bolt's messages to our log. Its debug messages are dropped, because they hold whole payloads. Tokens
 * are removed from the others: they could be part of an error.
 */
export function boltLogger(log: Log): Logger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...values: unknown[]) => {
      if (String(values[0]).startsWith(REFUSED)) return;
      log[level]({ door: 'slack' }, `bolt: ${values.map(textOf).join(' ')}`);
    };
  return {
    debug: () => {},
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}

function textOf(value: unknown): string {
  return withoutTokens(value instanceof Error ? value.message : String(value)).slice(0, MAX_LENGTH);
}

/** @example withoutTokens('Bearer xoxb-1-2') // 'Bearer xox…' */
function withoutTokens(text: string): string {
  return text
    .replace(/\b(xox[a-z]|xapp|xoxe)[.-][\w.-]+/g, 'xox…')
    .replace(/(https?:\/\/hooks\.slack(?:-gov)?\.com|\/response)\/[^\s"']+/g, '$1/…');
}
