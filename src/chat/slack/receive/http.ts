import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App as BoltApp, Receiver, ReceiverEvent } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import { onlyHeader, signatureTrouble } from './signature.ts';

export const EVENTS_PATH = '/slack/events';

/** Slack's largest payloads are views, some tens of kilobytes. */
const LARGEST = 100 * 1024;

export interface HttpOptions {
  /** All that are good at the moment: two while they are changed. */
  readonly signingSecrets: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface HttpReceiver extends Receiver {
  take(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/**
 * Slack's requests over HTTP, on whatever server they come. Bolt's own receivers listen on a port of their
 * own, read a body whole before looking at it, and accept timestamps from the future.
 */
export function makeHttpReceiver({ signingSecrets, clock, log }: HttpOptions): HttpReceiver {
  let app: BoltApp | undefined;
  let isOpen = false;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return end(response, 405);
    // Slack sends events again, later or to another process.
    if (!isOpen || app === undefined) return end(response, 503);
    const raw = await readBody(request);
    if (raw === undefined) return end(response.setHeader('connection', 'close'), 413);
    const trouble = signatureTrouble(
      {
        timestamp: onlyHeader(request, 'x-slack-request-timestamp'),
        signature: onlyHeader(request, 'x-slack-signature'),
        body: raw,
      },
      signingSecrets,
      clock.now(),
    );
    if (trouble !== undefined) {
      log.warn({ door: 'slack', trouble }, 'a request was not signed by Slack');
      return end(response, 401);
    }
    const body = parseBody(raw, request.headers['content-type'] ?? '');
    if (body === undefined) return end(response, 400);
    if (body.type === 'url_verification') return end(response, 200, { challenge: body.challenge });
    if (body.ssl_check !== undefined) return end(response, 200);
    await handOver(app, body, request, response);
  }

  async function handOver(
    to: BoltApp,
    body: ReceiverEvent['body'],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const event: ReceiverEvent = {
      body,
      ...retryOf(request),
      async ack(answer) {
        if (response.headersSent) return;
        end(response, 200, answer);
      },
    };
    try {
      await to.processEvent(event);
    } catch (error) {
      log.error({ door: 'slack', err: error }, 'a request from Slack failed');
      if (!response.headersSent) end(response, 500);
    }
    // Nothing listens for it: a command or button of another version of the app.
    if (!response.headersSent) end(response, 404);
  }

  return {
    init(bolt) {
      app = bolt;
    },
    async start() {
      isOpen = true;
    },
    async stop() {
      isOpen = false;
    },
    take,
  };
}

function retryOf({ headers }: IncomingMessage): Pick<ReceiverEvent, 'retryNum' | 'retryReason'> {
  const retryNum = Number(headers['x-slack-retry-num']);
  if (!Number.isInteger(retryNum)) return {};
  return { retryNum, retryReason: String(headers['x-slack-retry-reason'] ?? '') };
}

/** Undefined as soon as it is known to be too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > LARGEST) {
      request.pause();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseBody(raw: Buffer, type: string): ReceiverEvent['body'] | undefined {
  try {
    if (type.startsWith('application/json')) return asObject(JSON.parse(raw.toString()));
    const form = Object.fromEntries(new URLSearchParams(raw.toString()));
    return typeof form.payload === 'string' ? asObject(JSON.parse(form.payload)) : form;
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): ReceiverEvent['body'] | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function end(response: ServerResponse, status: number, body?: unknown): void {
  const isText = typeof body === 'string';
  const text = body === undefined || body === '' ? '' : isText ? body : JSON.stringify(body);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, text === '' ? {} : { 'content-type': type });
  response.end(text);
}
