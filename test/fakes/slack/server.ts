import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listening, originOf } from '../loopback.ts';
import { Refusal, TooFast } from './access.ts';
import type { FaultKind } from './faults.ts';
import { answer, callMethod } from './methods.ts';
import type { Sockets } from './sockets.ts';
import type { Json, Slack } from './world.ts';

/** What goes back over the wire. */
interface Outcome {
  readonly status: number;
  readonly body: Json | string | Buffer;
  readonly headers?: Record<string, string>;
}

/** Slack's addresses on loopback: the Web API, uploads, response URLs, and the door to Socket Mode. */
export async function listen(slack: Slack, sockets: Sockets): Promise<Server> {
  // Or a request of a busy machine would meet a connection that is just being closed.
  const server = createServer(
    { keepAliveTimeout: 65_000 },
    (request, response) => void serve(slack, request, response),
  );
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  slack.base = originOf(await listening(server));
  return server;
}

async function serve(slack: Slack, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, area = '', ...rest] = (request.url ?? '').split('/');
  const name = area === 'api' ? rest.join('/') : area;
  const fault = slack.faults.take(name);
  if (fault?.kind === 'drop') return void request.socket.destroy();
  let bytes: Buffer;
  try {
    bytes = await readBody(request);
  } catch {
    return;
  }
  const act = (): Outcome => {
    switch (area) {
      case 'api':
        return callOutcome(slack, name, request, bytes);
      case 'upload':
        return upload(slack, rest, bytes);
      case 'files-pri':
        return download(slack, rest, request);
      case 'response':
        return respond(slack, rest.join('/'), bytes);
      default:
        return { status: 404, body: 'not found' };
    }
  };
  if (fault === undefined) return send(response, act());
  await misbehave(fault, act, request, response);
}

async function misbehave(
  fault: Exclude<FaultKind, { kind: 'drop' }>,
  act: () => Outcome,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if ('acted' in fault && fault.acted) act();
  switch (fault.kind) {
    case 'lose':
      act();
      request.socket.destroy();
      break;
    case 'half': {
      const text = JSON.stringify(act().body);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      break;
    }
    case 'hang':
      break;
    case 'status':
      send(response, {
        status: fault.status,
        body: fault.body ?? 'no healthy upstream',
        headers: fault.retryAfter ? { 'retry-after': fault.retryAfter } : {},
      });
      break;
    case 'error':
      send(response, { status: 200, body: { ok: false, error: fault.error } });
      break;
    case 'ratelimited':
      send(response, tooFast(fault.retryAfter));
      break;
  }
}

function callOutcome(slack: Slack, name: string, request: IncomingMessage, bytes: Buffer): Outcome {
  const { token: inBody, ...given } = readArguments(request, bytes);
  const inHeader = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const token = inHeader ?? inBody;
  const held = slack.tokens.scopesOf(token);
  const headers: Record<string, string> =
    held === undefined ? {} : { 'x-oauth-scopes': slack.broken.scopes(name, held).join(',') };
  try {
    const body = callMethod(slack, name, token, slack.broken.request(name, given));
    return { status: 200, body: slack.broken.answer(name, body), headers };
  } catch (error) {
    if (error instanceof TooFast) return tooFast(error.retryAfter);
    if (!(error instanceof Refusal)) return { status: 500, body: `fake slack is broken: ${String(error)}` };
    return { status: 200, body: { ok: false, error: error.code, ...error.fields }, headers };
  }
}

function readArguments(request: IncomingMessage, bytes: Buffer): Json {
  if (request.headers['content-type']?.startsWith('application/json')) return JSON.parse(bytes.toString());
  return Object.fromEntries(new URLSearchParams(bytes.toString()));
}

function upload(slack: Slack, [workspace = '', id = '']: readonly string[], bytes: Buffer): Outcome {
  const file = slack.world.workspaces.get(workspace)?.files.get(id);
  if (file === undefined || file.bytes !== undefined) return { status: 404, body: 'no such upload' };
  if (bytes.length !== file.length) return { status: 400, body: 'not the length that was announced' };
  file.bytes = bytes;
  return { status: 200, body: `OK - ${file.length}` };
}

/** "View files shared in channels and conversations that [the app] has been added to"; others are led to sign in. */
function download(slack: Slack, [team = '', id = '']: readonly string[], request: IncomingMessage): Outcome {
  const workspace = slack.world.workspaces.get(team);
  const file = workspace?.files.get(id);
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const isHeld = slack.tokens.ofWorkspace(team).some((grant) => grant.token === token);
  const isShared = [...(workspace?.channels.values() ?? [])].some(
    ({ members, messages }) =>
      members.has(workspace!.botUser) && messages.some(({ files }) => files.includes(id)),
  );
  if (!isHeld || !(isShared || file?.isReadable) || !slack.tokens.scopesOf(token)?.includes('files:read'))
    return { status: 302, body: '', headers: { location: `${slack.base}/?redir=files-pri` } };
  return { status: 200, body: file!.bytes! };
}

function respond(slack: Slack, key: string, bytes: Buffer): Outcome {
  try {
    answer(slack, key, JSON.parse(bytes.toString()));
    return { status: 200, body: 'ok' };
  } catch (error) {
    if (!(error instanceof Refusal)) return { status: 500, body: `fake slack is broken: ${String(error)}` };
    const isGone = ['invalid_url', 'expired_url', 'used_url'].includes(error.code);
    return { status: isGone ? 404 : 200, body: { ok: false, error: error.code, ...error.fields } };
  }
}

function tooFast(retryAfter: number): Outcome {
  return {
    status: 429,
    body: { ok: false, error: 'ratelimited' },
    headers: { 'retry-after': String(retryAfter) },
  };
}

function send(response: ServerResponse, { status, body, headers = {} }: Outcome): void {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  const isFile = Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': isFile ? 'application/octet-stream' : type, ...headers });
  response.end(typeof body === 'string' || isFile ? body : JSON.stringify(body));
}

/** The body; of a form with a file in it, that file. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return bytes;
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((value) => value instanceof Blob);
  return file === undefined ? bytes : Buffer.from(await file.arrayBuffer());
}
