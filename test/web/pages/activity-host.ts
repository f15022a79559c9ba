/**
 * What is around an Activity: Discord's client, which frames it, and Discord's proxy, through which it is loaded. Both are
 * hosts of one server with TLS, to which a browser is sent for whatever name it asks for: the rules for frames, cookies and
 * origins are the browser's own. By developers/activities and the source of @discord/embedded-app-sdk 2.5.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer as createProxy, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { closeServer, listening, originOf, portOf } from '../../fakes/loopback.ts';
import { needs } from '../../fakes/needs.ts';

export const certificateNeeded = needs('openssl, for a certificate', existsSync('/usr/bin/openssl'));

export interface ActivityHostOptions {
  readonly application: string;
  /** The port of the bot, and the path of `PUBLIC_URL`. */
  readonly port: () => number;
  readonly path: string;
  /** A code for the person who looks at the page, or why they do not consent. */
  readonly authorize: (person: string) => { readonly code: string } | { readonly message: string };
}

export interface ActivityHost {
  /** The client of a person, as a page, with the Activity in a frame. */
  readonly clientUrl: (person: string, instance: string, link?: string) => string;
  /** The Activity without a frame, as on phones. */
  readonly ownUrl: (instance: string) => string;
  /** Of a context of the browser that is to find these hosts. */
  readonly proxy: { readonly server: string };
  /** Whether the proxy reaches the bot. */
  isLost: boolean;
  close(): void;
}

export async function openActivityHost(options: ActivityHostOptions): Promise<ActivityHost> {
  const { application, authorize, path } = options;
  const proxyHost = `${application}.discordsays.com`;
  const host = { isLost: false };

  const serveClient = async (incoming: IncomingMessage, answer: ServerResponse, url: URL) => {
    if (url.pathname === '/consent') {
      const { person, args } = JSON.parse(await textOf(incoming)) as { person: string; args: object };
      const wanted = { client_id: application, response_type: 'code', state: '', prompt: 'none' };
      const isRight = [['identify'], ['identify', 'rpc.activities.write']].some(
        (scope) => JSON.stringify(args) === JSON.stringify({ ...wanted, scope }),
      );
      return void answer.end(JSON.stringify(isRight ? authorize(person) : { message: 'Invalid args' }));
    }
    const { instance, person, link } = Object.fromEntries(url.searchParams);
    const query = frameQuery(instance!);
    if (link) query.set('custom_id', link);
    const source = `https://${proxyHost}/?${query}`;
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    answer.end(clientPage(source, application, person!));
  };

  /** The mapping of `/` to `PUBLIC_URL/activity`. */
  const serveProxy = (incoming: IncomingMessage, answer: ServerResponse, url: URL) => {
    if (host.isLost) return answer.writeHead(502).end('<html>Bad gateway</html>');
    const { method, headers } = incoming;
    const to = {
      port: options.port(),
      method,
      path: `${path}/activity${url.pathname}${url.search}`,
      headers,
    };
    const inner = request(to, (given) => {
      const { 'cache-control': caching, ...known } = given.headers;
      const isPage = known['content-type']?.startsWith('text/html');
      const kept = isPage || caching === undefined ? {} : { 'cache-control': caching };
      answer.writeHead(given.statusCode ?? 502, { ...known, ...kept, 'content-security-policy': POLICY });
      given.pipe(answer);
    });
    inner.on('error', () => answer.writeHead(502).end('<html>Bad gateway</html>'));
    return incoming.pipe(inner);
  };

  const server = createServer(makeCertificate(), (incoming, answer) => {
    const url = new URL(incoming.url ?? '/', `https://${incoming.headers.host}`);
    if (url.hostname === 'discord.com') return void serveClient(incoming, answer, url);
    return void serveProxy(incoming, answer, url);
  });
  const proxy = createProxy().on('connect', (_, socket: Socket) => {
    const there = connect(portOf(server), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(there).pipe(socket);
    });
    for (const one of [socket, there]) one.on('error', () => [socket, there].map((end) => end.destroy()));
  });
  await Promise.all([listening(server), listening(proxy)]);
  return Object.assign(host, {
    clientUrl: (person: string, instance: string, link = '') => {
      const query = new URLSearchParams({ person, instance, link });
      return `https://discord.com/channels/1/2?${query}`;
    },
    ownUrl: (instance: string) => `https://${proxyHost}/?${frameQuery(instance)}`,
    proxy: { server: originOf(proxy) },
    close() {
      for (const one of [proxy, server]) void closeServer(one);
    },
  });
}

/** What the client adds to the address of the page. */
function frameQuery(instance: string): URLSearchParams {
  return new URLSearchParams({
    ...{ frame_id: 'frame-1', instance_id: instance, platform: 'desktop' },
    // None of these may be believed.
    ...{ guild_id: '1', channel_id: '2', location_id: 'gc-1-2' },
  });
}

/** Stricter than Discord's is likely to be: an Activity that works under it needs nothing but its own host. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src data:; connect-src 'self'; frame-ancestors https://discord.com";

/** The part of Discord's client that speaks with an Activity. What comes before it is ready, or is not known, is refused. */
function clientPage(source: string, application: string, person: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Discord</title>
<style>html, body { height: 100%; margin: 0; background: #313338 } iframe { display: block; border: 0; width: 100%; height: 100% }</style>
<iframe allow="clipboard-write"></iframe>
<script>
const frame = document.querySelector('iframe');
const seen = window.seen = [];
let isReady = false;
const participants = { participants: [{ id: '1', username: 'ada', discriminator: '0', flags: 0, bot: false }] };
const send = (payload) => frame.contentWindow.postMessage([1, payload], '*');
window.changeParticipants = () =>
  send({ cmd: 'DISPATCH', evt: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', nonce: null, data: participants });
const answers = {
  async AUTHORIZE({ args }) {
    const body = JSON.stringify({ person: ${JSON.stringify(person)}, args });
    return (await fetch('/consent', { method: 'POST', body })).json();
  },
  SUBSCRIBE: ({ evt }) => ({ evt }),
  // As in the schema of the SDK.
  SHARE_LINK: ({ args: { custom_id, message, ...others } }) =>
    custom_id.length <= 64 && message.length <= 1000 && Object.keys(others).length === 0
      ? { success: true, didCopyLink: false, didSendMessage: true }
      : { message: 'Invalid args' },
  AUTHENTICATE: ({ args: { access_token } }) => ({ access_token }),
  // Rich presence has no update before the scope was granted.
  SET_ACTIVITY: ({ args }) =>
    seen.some((one) => JSON.parse(one)[1].cmd === 'AUTHENTICATE') ? args.activity : { message: 'Not authenticated' },
};
addEventListener('message', async ({ data, origin, source }) => {
  if (source !== frame.contentWindow || origin !== new URL(frame.src).origin) return;
  seen.push(JSON.stringify(data));
  const [opcode, payload] = data;
  if (opcode === 0) {
    const { v, encoding, client_id, frame_id } = payload;
    if (v !== 1 || encoding !== 'json' || client_id !== '${application}' || frame_id !== 'frame-1')
      return frame.contentWindow.postMessage([2, { code: 4000, message: 'Invalid handshake' }], '*');
    isReady = true;
    const config = { cdn_host: 'cdn.discordapp.com', api_endpoint: '//discord.com/api', environment: 'production' };
    return send({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data: { v: 1, config } });
  }
  if (opcode !== 1 || !isReady) return;
  const { cmd, nonce } = payload;
  const answered = answers[cmd] ? await answers[cmd](payload) : { message: 'Invalid command' };
  const isError = answered?.message !== undefined;
  send({ cmd, nonce, evt: isError ? 'ERROR' : null, data: isError ? { code: 4002, ...answered } : answered });
});
frame.src = ${JSON.stringify(source)};
</script>`;
}

function makeCertificate(): { key: string; cert: string } {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

  const pem = execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', '-', '-subj', '/CN=discord.com'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { key: pem, cert: pem };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}
