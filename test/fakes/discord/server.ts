/** The HTTP side: headers, bodies, limits and injected faults, before and after a route does its work. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { BrokenAssumptions } from './broken.ts';
import type { Upload } from './message.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Answer, Route } from './routes.ts';
import { invalid, Refusal } from './rules.ts';

/**
 * What goes wrong. `lose`: done, and the answer never arrives. `reset`: the same, and the library itself retries it.
 * `twice`: the request is acted on twice.
 * `hang`: nothing is done and nothing is answered. `drop`: the line breaks before anything is done.
 * `half`: done, and the line breaks half way through the answer.
 */
export type Wrong =
  | 'lose'
  | 'reset'
  | 'twice'
  | 'hang'
  | 'drop'
  | 'half'
  /** Done, and a proxy answers something else with status 200. */
  | { readonly garbled: string }
  | { readonly code: number }
  | { readonly status: number }
  | { readonly retryAfter: number; readonly global?: boolean };

export interface Fault {
  /** A route's name such as `POST /channels/:channel/messages`, `GET *`, or `*`. */
  readonly on: string;
  readonly what: Wrong;
  /** How many requests it hits; one by default. */
  readonly times?: number;
  /** How many requests it lets pass first. */
  readonly after?: number;
}

/** A request as it came in, and what was answered. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly route: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly uploads: readonly Upload[];
  readonly at: number;
  status?: number;
  /** The JSON error code, when it was refused. */
  code?: number;
  /** What exactly was wrong with a body that got 50035. */
  errors?: object;
  fault?: Wrong;
}

const USER_AGENT = /^DiscordBot \(\S+, \S+\)/;
const BASE = '/api/v10';

export interface HttpSettings {
  readonly token: string;
  /** How many requests to remember; the oldest are forgotten first. */
  readonly memory: number;
  /** Milliseconds before each answer. */
  readonly latency: () => number;
}

interface ActiveFault {
  readonly fault: Fault;
  skip: number;
  left: number;
}

export class Http {
  readonly server: Server;
  readonly requests: Seen[] = [];
  readonly broken = new BrokenAssumptions();
  readonly #routes: readonly Route[];
  readonly #limits: RateLimits | undefined;
  readonly #settings: HttpSettings;
  #faults: ActiveFault[] = [];

  constructor(routes: readonly Route[], limits: RateLimits | undefined, settings: HttpSettings) {
    this.#routes = routes;
    this.#limits = limits;
    this.#settings = settings;
    // Or a request of a busy machine would meet a connection that is just being closed.
    this.server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
      });
    });
  }

  fault(fault: Fault): void {
    this.#faults.push({ fault, skip: fault.after ?? 0, left: fault.times ?? 1 });
  }

  clearFaults(): void {
    this.#faults = [];
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const raw = await readAll(request);
    const found = url.pathname.startsWith(`${BASE}/`)
      ? match(this.#routes, request.method ?? '', url.pathname.slice(BASE.length))
      : undefined;
    const { body, uploads, problem } = await parseBody(request, raw);
    const seen: Seen = {
      method: request.method ?? '',
      path: url.pathname.slice(BASE.length) + url.search,
      route: found?.route.name,
      headers: request.headers,
      body,
      uploads,
      at: performance.now(),
    };
    this.requests.push(seen);
    if (this.requests.length > this.#settings.memory) this.requests.shift();

    const latency = this.#settings.latency();
    if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
    const wrong = found === undefined ? undefined : this.#nextFault(found.route.name);
    if (wrong !== undefined) seen.fault = wrong;
    if (wrong === 'hang') return;
    if (wrong === 'drop') return void request.socket.destroy();

    const { answer, headers } = this.#decide(request, found, { url, body, uploads, problem }, wrong);
    seen.status = answer.status;
    if (answer.status >= 400) {
      const { code, errors } = (answer.body ?? {}) as { code?: number; errors?: object };
      if (code !== undefined) seen.code = code;
      if (errors !== undefined) seen.errors = errors;
      if ([401, 403, 429].includes(answer.status)) this.#limits?.noteInvalid();
    }
    if (wrong === 'lose') return void request.socket.destroy();
    if (wrong === 'reset') return void request.socket.resetAndDestroy();
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
    if (typeof wrong === 'object' && 'garbled' in wrong) {
      const type = wrong.garbled.startsWith('<') ? 'text/html' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      response.end(wrong.garbled);
      return;
    }
    if (wrong === 'half') {
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'content-length': text.length + 1,
      });
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      return;
    }
    response.writeHead(answer.status, {
      ...headers,
      ...(text ? { 'content-type': 'application/json' } : {}),
    });
    response.end(text);
  }

  #nextFault(route: string): Wrong | undefined {
    for (const active of this.#faults) {
      const { on } = active.fault;
      const isHit = on === '*' || on === route || (on === 'GET *' && route.startsWith('GET '));
      if (!isHit || active.left === 0) continue;
      if (active.skip > 0) active.skip -= 1;
      else {
        active.left -= 1;
        return active.fault.what;
      }
    }
    return undefined;
  }

  #decide(
    request: IncomingMessage,
    found: ReturnType<typeof match>,
    call: { url: URL; body: unknown; uploads: readonly Upload[]; problem: Refusal | undefined },
    wrong: Wrong | undefined,
  ): { answer: Answer; headers: Record<string, string> } {
    let headers: Record<string, string> = {};
    try {
      // A ban sits in front of the API: no JSON error code, just a refusal.
      if (this.#limits?.banned) return { answer: { status: 429, body: { message: 'banned' } }, headers };
      if (!USER_AGENT.test(request.headers['user-agent'] ?? '')) throw new Refusal(40333);
      if (!call.url.pathname.startsWith(`${BASE}/`)) throw new Refusal(50041);
      if (found === undefined) throw new Refusal(0);
      const { route, params } = found;
      const { authorization = '' } = request.headers;
      if (!route.open && authorization !== `Bot ${this.#settings.token}`) {
        throw new Refusal(0, undefined, 401);
      }
      const resource = params.channel ?? params.guild ?? params.token ?? '';
      const verdict = this.#limits?.take(route.name, resource, !route.open);
      headers = this.broken.headers(route.name, { ...verdict?.headers });
      if (verdict?.refusal) return limited(headers, verdict.refusal.retryAfter, verdict.refusal.global);
      if (typeof wrong === 'object' && !('garbled' in wrong)) return prepared(wrong, headers);
      if (call.problem) throw call.problem;
      const answer = this.broken.answer(
        route.name,
        route.handle({
          params,
          query: call.url.searchParams,
          body: this.broken.request(route.name, call.body),
          ...{ uploads: call.uploads, authorization },
        }),
      );
      if (wrong === 'twice') {
        const { body, uploads, url } = call;
        again(() => route.handle({ params, query: url.searchParams, body, uploads, authorization }));
      }
      return { answer, headers };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 429) return limited(headers, 1, false, error.code, error.message);
      return { answer: { status: error.status, body: error.body() }, headers };
    }
  }
}

/** The second time an echoed request arrives; its own answer goes nowhere. */
function again(handle: () => Answer): void {
  try {
    handle();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function prepared(
  wrong: Exclude<Wrong, string | { garbled: string }>,
  headers: Record<string, string>,
): { answer: Answer; headers: Record<string, string> } {
  if ('code' in wrong) throw new Refusal(wrong.code);
  if ('status' in wrong)
    return { answer: { status: wrong.status, body: { message: 'Error', code: 0 } }, headers };
  return limited(headers, wrong.retryAfter, wrong.global === true);
}

function limited(
  headers: Record<string, string>,
  retryAfter: number,
  global: boolean,
  code?: number,
  message = 'You are being rate limited.',
): { answer: Answer; headers: Record<string, string> } {
  return {
    answer: {
      status: 429,
      body: { message, retry_after: retryAfter, global, ...(code === undefined ? {} : { code }) },
    },
    headers: {
      ...headers,
      'Retry-After': String(Math.max(retryAfter, 0.001)),
      'X-RateLimit-Scope': global ? 'global' : (headers['X-RateLimit-Scope'] ?? 'user'),
      ...(global ? { 'X-RateLimit-Global': 'true' } : {}),
    },
  };
}

function match(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  const parts = path.split('/').map(decodeURIComponent);
  for (const route of routes) {
    if (route.method !== method || route.parts.length !== parts.length) continue;
    const fits = route.parts.every((part, index) => part.startsWith(':') || part === parts[index]);
    if (!fits) continue;
    const params: Record<string, string> = {};
    for (const [index, part] of route.parts.entries()) {
      if (part.startsWith(':')) params[part.slice(1)] = parts[index] as string;
    }
    return { route, params };
  }
  return undefined;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The JSON body, or `payload_json` and `files[n]` of a multipart one. */
async function parseBody(
  request: IncomingMessage,
  raw: Buffer,
): Promise<{ body: unknown; uploads: Upload[]; problem: Refusal | undefined }> {
  const nothing = { body: undefined, uploads: [], problem: undefined };
  if (raw.length === 0) return nothing;
  const type = request.headers['content-type'] ?? '';
  try {
    if (type.startsWith('application/json')) return { ...nothing, body: JSON.parse(raw.toString('utf8')) };
    if (type.startsWith('application/x-www-form-urlencoded'))
      return { ...nothing, body: Object.fromEntries(new URLSearchParams(raw.toString('utf8'))) };
    if (type.startsWith('multipart/form-data'))
      return { ...(await multipart(type, raw)), problem: undefined };
    return { ...nothing, problem: new Refusal(50035) };
  } catch (error) {
    return { ...nothing, problem: error instanceof Refusal ? error : new Refusal(50109) };
  }
}

async function multipart(type: string, raw: Buffer): Promise<{ body: unknown; uploads: Upload[] }> {
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData();
  let body: unknown = {};
  const uploads: Upload[] = [];
  for (const [name, value] of form) {
    const index = /^files\[(\d+)\]$/.exec(name)?.[1];
    if (name === 'payload_json' && typeof value === 'string') body = JSON.parse(value);
    else if (index !== undefined && typeof value !== 'string' && value.name !== '') {
      const content = Buffer.from(await value.arrayBuffer());
      uploads.push({ index: Number(index), filename: value.name, type: value.type, content });
    } else throw invalid(['Not a known part.', [name]]);
  }
  return { body, uploads };
}
