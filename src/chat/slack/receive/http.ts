import { createHmac, timingSafeEqual } from 'node:crypto';
import type { App as BoltApp, Receiver, ReceiverEvent } from '@slack/bolt';
import * as v from 'valibot';
import type { Clock } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import { type HttpContext, makeRoutes, type Router, readBody } from '../../../http/router.ts';
import { isWellFormed, kindOf } from './payloads.ts';
import type { SeenOnce } from './seen-once.ts';
import type { Drop } from './socket.ts';

export const EVENTS_PATH = '/slack/events';

/** Slack's largest payloads are views, of some tens of kilobytes. */
const MAX_BODY = 100 * 1024;

export interface HttpOptions {
  /** All secrets that are valid at the moment: two while they are changed. */
  readonly signingSecrets: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly seen: SeenOnce;
  readonly drop: Drop;
}

type Body = ReceiverEvent['body'];
const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.custom<Body>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
);

/**
 * Receives Slack's requests over HTTP as a route of the program's own server. Bolt's receivers listen on a port
 * of their own, and its signature check takes one secret and accepts timestamps from the future.
 */
export class HttpReceiver implements Receiver {
  readonly routes: Router = makeRoutes();
  readonly #options: HttpOptions;
  #bolt: BoltApp | undefined;
  #isOpen = false;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.routes.post(EVENTS_PATH, (context) => this.#receive(context));
  }

  init(bolt: BoltApp): void {
    this.#bolt = bolt;
  }

  async start(): Promise<void> {
    this.#isOpen = true;
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
  }

  async #receive(context: HttpContext): Promise<Response> {
    const { signingSecrets, clock, drop } = this.#options;
    // Slack sends the event again, later or to another process.
    if (!this.#isOpen || this.#bolt === undefined) return context.body(null, 503);
    const raw = await readBody(context, MAX_BODY);
    const timestamp = context.req.header('x-slack-request-timestamp');
    const signature = context.req.header('x-slack-signature');
    const problem = signatureProblem({ timestamp, signature, body: raw }, signingSecrets, clock.now());
    if (problem !== undefined) {
      // Anybody may send such requests, and as many as they like.
      drop(`request that Slack did not sign (${problem})`);
      return context.body(null, 401);
    }
    const body = parseBody(raw.toString(), context.req.header('content-type') ?? '');
    if (body === undefined) return context.body(null, 400);
    if (body.type === 'url_verification') return context.json({ challenge: body.challenge });
    if (body.ssl_check !== undefined) return context.body(null, 200);
    if (!isWellFormed(body)) {
      drop(kindOf(body));
      // Slack would send an event again and again, and in the end no more events at all.
      return context.body(null, body.type === 'event_callback' ? 200 : 400);
    }
    if (await this.#isReplayed(body, Number(timestamp), signature)) return context.body(null, 200);
    return this.#process(this.#bolt, body, context);
  }

  /**
   * Whether this is a copy of a request that was processed: its signature is valid for five minutes. Events are
   * recognized by their ids, because Slack itself repeats them.
   */
  async #isReplayed(body: Body, timestamp: number, signature = ''): Promise<boolean> {
    if (body.type === 'event_callback' && typeof body.event_id === 'string') return false;
    const { seen, log } = this.#options;
    if (!(await seen.isRepeat(signature, (timestamp + FIVE_MINUTES + 1) * 1000))) return false;
    log.warn({ door: 'slack' }, 'a request came a second time; it was not processed again');
    return true;
  }

  /** The response is Bolt's first acknowledgement; its listeners may go on after it. */
  #process(bolt: BoltApp, body: Body, context: HttpContext): Promise<Response> {
    const response = Promise.withResolvers<Response>();
    const event: ReceiverEvent = {
      body,
      ...retryOf(context),
      ack: async (content) => response.resolve(acknowledgement(context, content)),
    };
    bolt.processEvent(event).then(
      // There is no listener for it: it is a command or button of another version of the app.
      () => response.resolve(context.body(null, 404)),
      // Listeners' errors are caught before: it is Bolt that can't read the request.
      (error: unknown) => {
        this.#options.drop(kindOf(body), error);
        response.resolve(context.body(null, 400));
      },
    );
    return response.promise;
  }
}

function retryOf({ req }: HttpContext): Pick<ReceiverEvent, 'retryNum' | 'retryReason'> {
  const retryNum = Number(req.header('x-slack-retry-num'));
  if (!Number.isInteger(retryNum)) return {};
  return { retryNum, retryReason: req.header('x-slack-retry-reason') ?? '' };
}

function parseBody(raw: string, type: string): Body | undefined {
  if (type.startsWith('application/json')) return parseObject(raw);
  const form = Object.fromEntries(new URLSearchParams(raw));
  return typeof form.payload === 'string' ? parseObject(form.payload) : form;
}

/** What the object holds is checked by Bolt, which knows Slack's payloads. */
function parseObject(text: string): Body | undefined {
  const parsed = v.safeParse(Body, text);
  return parsed.success ? parsed.output : undefined;
}

function acknowledgement(context: HttpContext, content: unknown): Response {
  if (content === undefined || content === '') return context.body(null, 200);
  return typeof content === 'string' ? context.text(content) : context.json(content);
}

/** Seconds that a signature is valid, before and after its timestamp. */
const FIVE_MINUTES = 5 * 60;

/** What is wrong with a request that should come from Slack. For logs, not for its sender. */
type SignatureProblem = 'headers' | 'timestamp' | 'signature';

interface SignedRequest {
  /** A header that was sent twice is joined with a comma, and refused. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** As it was received: a body that is parsed and written again has another signature. */
  readonly body: Buffer;
}

/**
 * Checks a request against every secret that is valid at the moment; there are two while they are changed.
 * Unlike Bolt's own check, it refuses timestamps from the future as well as old ones.
 *
 * @param now milliseconds since 1970
 * @returns undefined when Slack signed the request
 */
export function signatureProblem(
  { timestamp, signature, body }: SignedRequest,
  secrets: readonly string[],
  now: number,
): SignatureProblem | undefined {
  if (timestamp === undefined || signature === undefined) return 'headers';
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return 'headers';
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > FIVE_MINUTES) return 'timestamp';
  const given = Buffer.from(signature.slice(3), 'hex');
  // Every secret is tried, so that the time taken does not show which of them matches.
  const matches = secrets.map((secret) => {
    const hash = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
    return timingSafeEqual(given, hash);
  });
  return matches.includes(true) ? undefined : 'signature';
}
