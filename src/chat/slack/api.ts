import { type Logger, LogLevel, webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { type Backoff, MINUTE, pauseAfter } from '../../core/clock.ts';
import { adviceOnLimits, errorCodes, isNeverConnected, StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { atMost, Turns } from '../../core/turns.ts';
import type { App } from '../../dispatch/contract.ts';
import { type MissingRequirement, type Permit, PostFailure } from '../../dispatch/poster.ts';

/**
 * How a call to Slack failed. `refused`: Slack said no, with its code; `limited`: too many calls; `unsent`: it
 * never reached Slack; `unknown`: it may have been done.
 */
export type Failure =
  | { readonly kind: 'refused'; readonly code: string; readonly details: string }
  | { readonly kind: 'limited'; readonly retryAfter: number }
  | { readonly kind: 'unsent' | 'unknown'; readonly details: string };

/** Slack failed while it handled the call: part of it may have been done. */
const SERVER_ERRORS = new Set(['internal_error', 'fatal_error']);
/** Slack does not accept the content of a message or view. */
const INVALID_CONTENT =
  /^(invalid_blocks.*|invalid_arguments|invalid_attachments|msg_too_long|msg_blocks_too_long|too_many_attachments|no_text|view_too_large|markdown_text_conflict|slack_file.*)$/;

/** Codes after which the token is useless: the app was removed from the workspace. */
const REMOVED_CODES: ReadonlySet<string> = new Set(['account_inactive', 'token_revoked']);

/** Codes of a token that Slack does not take now. It may later, as where the bot's address was not allowed. */
const REFUSED_TOKEN_CODES = new Set([
  'not_authed',
  'invalid_auth',
  'token_expired',
  'not_allowed_token_type',
]);

export function isTokenRefused(error: unknown): boolean {
  return REFUSED_TOKEN_CODES.has(refusalOf(error) ?? '');
}

/** The app is the organization's, and the organization has not added it to this workspace. */
const NOT_ADDED = 'team_access_not_granted';

/** Codes for a trigger that opens no view any more: it was used, or is older than three seconds. */
export const TRIGGER_GONE: ReadonlySet<string> = new Set([
  'expired_trigger_id',
  'exchanged_trigger_id',
  'invalid_trigger_id',
  'trigger_expired',
  'trigger_exchanged',
]);

export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
  readonly team: string;
  constructor(team: string) {
    super(`the app is not installed in workspace ${team}`);
    this.team = team;
  }
}

/** The app is installed, but its stored tokens can't be read. The operator has to repair this. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  constructor(team: string, reason: string) {
    super(`the stored tokens of workspace ${team} ${reason}`);
  }
}

/** Something failed before anything was sent that could change something. */
export class NothingSent extends Error {
  override readonly name = 'NothingSent';
}

/** Marks any failure of `act`, such as of the store or of a read, as one after which nothing was sent. */
export async function beforeSending<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const failure = error instanceof NotInstalled ? undefined : readFailure(error);
    throw failure?.kind === 'unknown' ? new NothingSent(failure.details, { cause: error }) : error;
  }
}

/** @example readFailure(error).kind // 'refused' */
export function readFailure(error: unknown): Failure {
  if (error instanceof NothingSent) return { kind: 'unsent', details: error.message };
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { kind: 'limited', retryAfter: error.retryAfter * 1000 };
  if (error instanceof webApi.WebAPIPlatformError) return readPlatform(error);
  if (error instanceof webApi.WebAPIHTTPError) {
    const details = `status ${error.statusCode}`;
    return { kind: error.statusCode < 500 || wasTurnedAway(error) ? 'unsent' : 'unknown', details };
  }
  // The client wraps the network's error.
  const codes = errorCodes(error).filter((code) => typeof code === 'string');
  const code = codes.find((one) => !one.startsWith('slack_'));
  return {
    kind: isNeverConnected(error) ? 'unsent' : 'unknown',
    details: adviceOnLimits(error) ?? code ?? (error instanceof Error ? error.name : typeof error),
  };
}

/** Reasons of Slack's Envoy for a connection that it lost before it passed the request on. */
const NEVER_PASSED_ON = /connection failure|connection timeout|overflow/;

/** Status 503 means that nothing was done. Only Envoy also sends it after losing a request that it had passed on. */
function wasTurnedAway({ statusCode, body }: webApi.WebAPIHTTPError): boolean {
  const [, reset] = /reset reason: (.*)/.exec(String(body)) ?? [];
  return statusCode === 503 && (reset === undefined || NEVER_PASSED_ON.test(reset));
}

/** The code that Slack refused with, if it did. */
export function refusalOf(error: unknown): string | undefined {
  const failure = readFailure(error);
  return failure.kind === 'refused' ? failure.code : undefined;
}

/** Whether Slack refused the content of a message: another form of the same message may be accepted. */
export function isInvalidContent(error: unknown): boolean {
  return INVALID_CONTENT.test(refusalOf(error) ?? '');
}

function readPlatform({ data }: webApi.WebAPIPlatformError): Failure {
  const code = data.error;
  // The client reports an answer that is not JSON as an error whose text is not a code.
  if (!/^[a-z0-9_]{1,80}$/.test(code)) return { kind: 'unknown', details: 'an answer that is not JSON' };
  if (SERVER_ERRORS.has(code)) return { kind: 'unknown', details: code };
  if (code === 'ratelimited' || code === 'rate_limited')
    return { kind: 'limited', retryAfter: (data.response_metadata?.retryAfter ?? 30) * 1000 };
  return { kind: 'refused', code, details: (data.response_metadata?.messages ?? []).join(' ').slice(0, 300) };
}

/** Longer than Slack takes for any answer. */
const REQUEST_TIMEOUT_MS = 10_000;

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
 * Options of every client of Slack's. None retries by itself: the library's own ten retries would post twice when only the
 * answer was lost.
 */
export function clientOptions(log: Log, apiUrl: string | undefined) {
  return {
    logger: boltLogger(log),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: REQUEST_TIMEOUT_MS,
    fetch: fetchWithWait,
    slackApiUrl: apiUrl,
  };
}

export function makeClient(log: Log, apiUrl: string | undefined): webApi.WebClient {
  return new webApi.WebClient(undefined, clientOptions(log, apiUrl));
}

/** Seconds to wait when a refusal names no time, such as a proxy's. */
const DEFAULT_RETRY_SECONDS = 5;

function secondsToWait({ headers }: Response): number {
  const told = Number(headers.get('retry-after'));
  return told > 0 ? told : DEFAULT_RETRY_SECONDS;
}

/** The client would report a rate limit without a retry time as a request that may have been done. */
async function fetchWithWait(...given: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...given);
  if (response.status !== 429) return response;
  await response.body?.cancel();
  return new Response(null, { status: 429, headers: { 'retry-after': String(secondsToWait(response)) } });
}

/** Methods that change nothing: opening a conversation that is open already gives the same one. */
const READ_METHODS = /^(auth\.test|conversations\.(history|info|members|open|replies)|users\.info)$/;

export interface Tokens {
  /** A token that is valid for at least one more hour. Throws `NotInstalled`. */
  token(team: string): Promise<string>;
  /**
   * Records that the app was removed from the workspace, or that its token was revoked. Does nothing when the
   * given token has been replaced since, because the app was then installed again.
   */
  markRemoved(team: string, token: string | undefined): Promise<void>;
  /** Records that an organization took the app from one of its workspaces. */
  leave(team: string): Promise<void>;
}

/** Milliseconds until Slack is asked again whether a scope that was missing has been given. */
const MISSING_SCOPE_MS = MINUTE;
const MAX_CACHED_WORKSPACES = 2_000;

const REFUSED_TOKEN =
  'Slack does not take the token of this workspace: what is due there is tried again until it does. If it was replaced, give the bot the new one';

/** Calls of Slack's methods as the bot of a workspace. */
export class SlackApi {
  readonly #client: webApi.WebClient;
  readonly #tokens: Tokens;
  readonly #app: Pick<App, 'log' | 'clock'>;
  /** Workspaces whose token Slack does not take now. */
  readonly #refused = new Set<string>();
  readonly #asking = new Turns();
  /** The scopes of each workspace's token, as its last answer named them, and when. */
  readonly #scopes = new LRUCache<string, { readonly named?: readonly string[]; readonly at: number }>(
    atMost(MAX_CACHED_WORKSPACES),
  );

  constructor(client: webApi.WebClient, tokens: Tokens, app: Pick<App, 'log' | 'clock'>) {
    this.#client = client;
    this.#tokens = tokens;
    this.#app = app;
  }

  /**
   * Whether the app may use a scope in a workspace. Scopes change while the bot runs, when the app is installed again. True
   * if Slack doesn't say, such as behind a proxy that drops the header: the call itself will show it.
   */
  async may(team: string, scope: string): Promise<boolean> {
    const known = this.#scopes.get(team);
    if (known?.named?.includes(scope)) return true;
    const now = this.#app.clock.now();
    if (known === undefined || now - known.at >= MISSING_SCOPE_MS) {
      await this.#asking.join(team, () => this.call(team, 'auth.test', {})).catch(() => undefined);
      if (this.#scopes.get(team) === known) this.#scopes.set(team, { ...known, at: now });
    }
    return this.#scopes.get(team)?.named?.includes(scope) ?? true;
  }

  learnScopes(team: string, { response_metadata: { scopes: named } = {} }: webApi.WebAPICallResult): void {
    if (named !== undefined) this.#scopes.set(team, { named, at: this.#app.clock.now() });
  }

  call(team: string, method: string, args: Record<string, unknown>): Promise<CallAnswer> {
    const calling = () =>
      this.#withToken(
        team,
        (token) => this.#client.apiCall(method, { ...args, token }) as Promise<CallAnswer>,
      );
    return READ_METHODS.test(method) ? beforeSending(calling) : calling();
  }

  /** Posts a message of the daily thread or a game. The permit is asked for last, after everything that takes time. */
  post(team: string, args: Record<string, unknown>, permit: Permit): Promise<CallAnswer> {
    return this.#withToken(team, async (token) => {
      await permit();
      return this.#client.apiCall('chat.postMessage', { ...args, token }) as Promise<CallAnswer>;
    });
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

  async upload(team: string, { name, content, alt, channel }: UploadFile): Promise<string> {
    const file = { filename: name, file: content, alt_text: alt, channel_id: channel };
    const answer = await this.#withToken(team, (token) => this.#client.filesUploadV2({ token, ...file }));
    const uploaded = v.safeParse(Uploaded, answer.files);
    if (!uploaded.success) throw new Error('Slack accepted a file and returned no id');
    return uploaded.output[0].files[0].id;
  }

  trouble(): string | undefined {
    return this.#refused.size === 0 ? undefined : REFUSED_TOKEN;
  }

  /** A token that Slack has revoked means that the app was removed from its workspace. */
  async #withToken<Answer extends webApi.WebAPICallResult>(
    team: string,
    act: (token: string) => Promise<Answer>,
  ): Promise<Answer> {
    const token = await beforeSending(() => this.#tokens.token(team));
    try {
      const answer = await act(token);
      this.learnScopes(team, answer);
      if (this.#refused.delete(team))
        this.#app.log.info({ door: 'slack', team }, 'Slack takes the token of this workspace again');
      return answer;
    } catch (error) {
      if (error instanceof webApi.WebAPIPlatformError) this.learnScopes(team, error.data);
      const refusal = refusalOf(error) ?? '';
      if (isTokenRefused(error) && !this.#refused.has(team)) {
        this.#refused.add(team);
        this.#app.log.warn({ door: 'slack', team, refusal }, REFUSED_TOKEN);
      }
      if (REMOVED_CODES.has(refusal)) await this.#tokens.markRemoved(team, token);
      if (refusal === NOT_ADDED) await this.#tokens.leave(team);
      throw error;
    }
  }
}

/** A response URL takes five answers within thirty minutes. */
const SPENT_URL_CODES = new Set(['used_url', 'expired_url', 'invalid_url']);

const Answer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ok: v.optional(v.boolean()), error: v.optional(v.string()) }),
);

export function isSpent(error: unknown): boolean {
  return SPENT_URL_CODES.has(refusalOf(error) ?? '');
}

/** Answers at a response URL. Slack refuses either with a status or with an error in the body. */
export async function respond(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.ok && !text.startsWith('{')) return;
  const parsed = v.safeParse(Answer, text);
  const { ok, error } = parsed.success ? parsed.output : {};
  if (response.ok && ok) return;
  if (response.status === 429) {
    throw new webApi.WebAPIRateLimitedError(secondsToWait(response));
  }
  if (response.status >= 500)
    throw new webApi.WebAPIHTTPError(response.status, response.statusText, {}, text);
  throw new webApi.WebAPIPlatformError({ ok: false, error: error ?? 'expired_url' });
}

const MAX_ATTEMPTS = 4;
const RETRY_BACKOFF: Backoff = { pauses: [500], jitter: 0 };
/** After a longer pause nobody waits for the answer any more. */
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
      const retryAfter = failure.kind === 'limited' ? failure.retryAfter : undefined;
      const pause = pauseAfter({ failures: attempt, random: Math.random, retryAfter }, RETRY_BACKOFF);
      if (pause > MAX_PAUSE_MS) throw error;
      await sleep(pause);
    }
  }
}

const MAX_ERROR_LENGTH = 500;

/**
 * Writes the libraries' messages to our log at its level `debug`, since each of their errors reaches us, too. Their own debug
 * messages are dropped, because they hold whole payloads. Tokens are removed: they could be part of an error.
 */
export function boltLogger(log: Log): Logger {
  const write = (...values: unknown[]) =>
    log.debug({ door: 'slack' }, `bolt: ${values.map(textOf).join(' ')}`);
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

function textOf(value: unknown): string {
  return withoutTokens(value instanceof Error ? value.message : String(value)).slice(0, MAX_ERROR_LENGTH);
}

/** @example withoutTokens('Bearer xoxb-1-2') // 'Bearer xox…' */
function withoutTokens(text: string): string {
  return text
    .replace(/\b(xox[a-z]|xapp|xoxe)[.-][\w.-]+/g, 'xox…')
    .replace(/(https?:\/\/hooks\.slack(?:-gov)?\.com|\/response)\/[^\s"']+/g, '$1/…');
}

/** Codes of a token that can't be used at the start: calling again does not help. */
export const TOKEN_REFUSED: ReadonlySet<string> = new Set([
  ...REFUSED_TOKEN_CODES,
  ...REMOVED_CODES,
  'missing_scope',
]);

const WHERE_TO_FIND = {
  SLACK_BOT_TOKEN:
    'Copy the bot token (xoxb-…) from the page "OAuth & Permissions" of your app at api.slack.com/apps; if the app is no longer installed in the workspace, install it there again.',
  SLACK_APP_TOKEN:
    'Copy the app-level token (xapp-…) from the page "Basic Information" of your app at api.slack.com/apps, or make a new one there with the scope connections:write.',
} as const;

/** Which setting has a token that Slack refuses, and what to do about it; other errors pass as they are. */
export function explainToken(name: keyof typeof WHERE_TO_FIND, error: unknown): unknown {
  const code = refusalOf(error);
  if (code === undefined || !TOKEN_REFUSED.has(code)) return error;
  return new StartError(
    `Slack does not accept ${name} (${code}). ${WHERE_TO_FIND[name]} Set ${name} to it and restart the bot.`,
    { cause: error },
  );
}

export const REQUIREMENTS = {
  membership: {
    what: 'to be a member of the channel',
    how: 'Type `/invite @letterboxed` there. I never join by myself.',
  },
  archived: { what: 'a channel that is not archived', how: 'Bring the channel back, or choose another one.' },
  channel: {
    what: 'a channel that is there and that I can see',
    how: 'If it is private, type `/invite @letterboxed` there; if it is gone, choose another one.',
  },
  kind: { what: 'a channel of a kind that takes messages', how: 'Choose another channel.' },
  posting: {
    what: 'the right to post in the channel',
    how: 'Its settings let only some people post: let this app be one of them, or choose another channel.',
  },
  installation: { what: 'to be installed in this workspace', how: 'Install the app in it.' },
  scope: { what: 'the permission chat:write', how: 'Install the app in this workspace once more.' },
} as const satisfies Record<string, MissingRequirement>;

/** The missing requirement behind each code. Another attempt does not help until somebody adds it. */
const REQUIREMENT_OF: Readonly<Record<string, MissingRequirement>> = {
  not_in_channel: REQUIREMENTS.membership,
  user_not_in_channel: REQUIREMENTS.membership,
  is_archived: REQUIREMENTS.archived,
  is_inactive: REQUIREMENTS.archived,
  channel_not_found: REQUIREMENTS.channel,
  method_not_supported_for_channel_type: REQUIREMENTS.kind,
  messages_tab_disabled: REQUIREMENTS.kind,
  restricted_action: REQUIREMENTS.posting,
  restricted_action_read_only_channel: REQUIREMENTS.posting,
  restricted_action_thread_only_channel: REQUIREMENTS.posting,
  restricted_action_non_threadable_channel: REQUIREMENTS.posting,
  channel_is_limited_access: REQUIREMENTS.posting,
  no_permission: REQUIREMENTS.posting,
  missing_scope: REQUIREMENTS.scope,
  access_denied: REQUIREMENTS.posting,
  ekm_access_denied: REQUIREMENTS.posting,
};

/** Codes of a thread or message that takes no more; the channel can have the next day's. */
const CLOSED_THREAD_CODES = new Set([
  'restricted_action_thread_locked',
  'cannot_reply_to_message',
  'thread_not_found',
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** The failure of a call in the terms of the daily thread. */
export function postFailure(error: unknown): PostFailure {
  if (error instanceof PostFailure) return error;
  const cause = error;
  if (error instanceof NotInstalled) return new PostFailure('removed', error.message, { cause });
  const failure = readFailure(error);
  if (failure.kind === 'limited')
    return new PostFailure('later', 'Slack asked to wait', { retryAfter: failure.retryAfter, cause });
  const { details } = failure;
  if (failure.kind !== 'refused')
    return failure.kind === 'unsent'
      ? new PostFailure('later', `nothing was sent to Slack (${details})`, { cause })
      : new PostFailure('unknown', `no answer from Slack (${details})`, { cause });
  const { code } = failure;
  const said = `Slack said ${code}`;
  const requirement = REQUIREMENT_OF[code];
  if (REMOVED_CODES.has(code)) return new PostFailure('removed', `the app was removed (${code})`, { cause });
  if (requirement !== undefined)
    return new PostFailure('refused', said, { missingRequirements: [requirement], cause });
  if (isInvalidContent(error) || CLOSED_THREAD_CODES.has(code))
    return new PostFailure('invalid', `${said} ${details}`.trim(), { cause });
  // Nothing was posted: Slack does not accept the token now, or gave a reason that we don't know.
  return new PostFailure('later', said, { cause });
}

/** Codes of people who are gone, or who take no messages of the app. */
const UNREACHABLE: ReadonlySet<string | undefined> = new Set([
  'cannot_dm_bot',
  'channel_not_found',
  'is_archived',
  'messages_tab_disabled',
  'user_disabled',
  'user_not_found',
  'user_not_visible',
  'users_not_found',
]);

/** The same for a message to one person: other refusals by Slack may end by themselves. */
export function privateFailure(error: unknown): PostFailure {
  const failure = postFailure(error);
  if (UNREACHABLE.has(refusalOf(error))) return new PostFailure('refused', failure.message, { cause: error });
  return failure.kind === 'refused' ? new PostFailure('later', failure.message, { cause: error }) : failure;
}
