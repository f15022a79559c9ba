import { signatureHeaders } from './signature.ts';
import type { Slack } from './slack.ts';
import type { Sockets } from './sockets.ts';
import type { Json } from './world.ts';

export type EnvelopeKind = 'slash_commands' | 'interactive' | 'events_api';

/** How the app took a payload. */
export interface Ack {
  /** `operation_timeout` when it did not answer; `dispatch_failed` when it could not be reached or said no. */
  readonly problem: 'operation_timeout' | 'dispatch_failed' | undefined;
  readonly status: number;
  readonly milliseconds: number;
  readonly body: Json | undefined;
  /** The app asked for no more tries. */
  readonly noRetry: boolean;
}

export interface Retry {
  readonly number: number;
  readonly reason: string;
}

/**
 * Slack's own limit is three seconds, which a busy machine may take for its own reasons. That an acknowledgement waits for
 * no answer, tests show by holding the answer back.
 */
export const ACK_MOST = 60_000;

export function deliver(
  slack: Slack,
  sockets: Sockets,
  kind: EnvelopeKind,
  payload: Json,
  retry?: Retry,
): Promise<Ack> {
  return slack.app.usesSocket ? sockets.send(kind, payload, retry) : postToApp(slack, kind, payload, retry);
}

async function postToApp(slack: Slack, kind: EnvelopeKind, payload: Json, retry?: Retry): Promise<Ack> {
  const body = bodyOf(kind, payload);
  const started = performance.now();
  const ack = (rest: Partial<Ack>): Ack => ({
    problem: undefined,
    status: 0,
    body: undefined,
    noRetry: false,
    ...rest,
    milliseconds: performance.now() - started,
  });
  if (slack.app.requestUrl === undefined) return ack({ problem: 'dispatch_failed' });
  try {
    const response = await fetch(slack.app.requestUrl, {
      method: 'POST',
      headers: {
        'content-type': kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        ...signatureHeaders(slack.app.signingSecret, body, slack.world.clock.now()),
        ...(retry && { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason }),
      },
      body,
      signal: AbortSignal.timeout(ACK_MOST),
    });
    const text = await response.text();
    return ack({
      status: response.status,
      problem: response.ok ? undefined : 'dispatch_failed',
      body: answerOf(text, response.headers.get('content-type')),
      noRetry: response.headers.get('x-slack-no-retry') === '1',
    });
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return ack({ problem: isLate ? 'operation_timeout' : 'dispatch_failed' });
  }
}

function bodyOf(kind: EnvelopeKind, payload: Json): string {
  switch (kind) {
    case 'events_api':
      return JSON.stringify(payload);
    case 'interactive':
      return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    case 'slash_commands':
      return new URLSearchParams(payload).toString();
  }
}

function answerOf(text: string, type: string | null): Json | undefined {
  if (text === '') return undefined;
  return type?.startsWith('application/json') ? JSON.parse(text) : { text };
}
