import type { App as BoltApp, Receiver, ReceiverEvent } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import { type HttpContext, limitBody, makeRoutes, type Router, readBody } from '../../../http/router.ts';
import { signatureTrouble } from './signature.ts';

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
  readonly routes: Router;
}

/**
 * Slack's requests over HTTP, on whatever server they come. Bolt's own receivers listen on a port of their
 * own, read a body whole before looking at it, and accept timestamps from the future.
 */
export function makeHttpReceiver({ signingSecrets, clock, log }: HttpOptions): HttpReceiver {
  let app: BoltApp | undefined;
  let isOpen = false;

  async function receive(context: HttpContext): Promise<Response> {
    // Slack sends events again, later or to another process.
    if (!isOpen || app === undefined) return context.body(null, 503);
    const raw = await readBody(context);
    const trouble = signatureTrouble(
      {
        timestamp: context.req.header('x-slack-request-timestamp'),
        signature: context.req.header('x-slack-signature'),
        body: raw,
      },
      signingSecrets,
      clock.now(),
    );
    if (trouble !== undefined) {
      log.warn({ door: 'slack', trouble }, 'a request was not signed by Slack');
      return context.body(null, 401);
    }
    const body = parseBody(raw, context.req.header('content-type') ?? '');
    if (body === undefined) return context.body(null, 400);
    if (body.type === 'url_verification') return context.json({ challenge: body.challenge });
    if (body.ssl_check !== undefined) return context.body(null, 200);
    return handOver(app, body, context);
  }

  /** The answer is Bolt's first acknowledgement; its listeners may go on after it. */
  function handOver(to: BoltApp, body: ReceiverEvent['body'], context: HttpContext): Promise<Response> {
    const answer = Promise.withResolvers<Response>();
    const event: ReceiverEvent = {
      body,
      ...retryOf(context),
      ack: async (content) => answer.resolve(acknowledgement(context, content)),
    };
    to.processEvent(event).then(
      // Nothing listens for it: a command or button of another version of the app.
      () => answer.resolve(context.body(null, 404)),
      (error: unknown) => {
        log.error({ door: 'slack', err: error }, 'a request from Slack failed');
        answer.resolve(context.body(null, 500));
      },
    );
    return answer.promise;
  }

  const routes = makeRoutes();
  routes.post(EVENTS_PATH, limitBody(LARGEST), receive);

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
    routes,
  };
}

function retryOf({ req }: HttpContext): Pick<ReceiverEvent, 'retryNum' | 'retryReason'> {
  const retryNum = Number(req.header('x-slack-retry-num'));
  if (!Number.isInteger(retryNum)) return {};
  return { retryNum, retryReason: req.header('x-slack-retry-reason') ?? '' };
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

function acknowledgement(context: HttpContext, content: unknown): Response {
  if (content === undefined || content === '') return context.body(null, 200);
  return typeof content === 'string' ? context.text(content) : context.json(content);
}
