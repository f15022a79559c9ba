import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { StoreError } from '../../src/core/errors.ts';
import { readBody } from '../../src/http/body.ts';
import { legalPage, legalRoutes } from '../../src/http/legal.ts';
import { makeRouter, type Router } from '../../src/http/router.ts';
import { HTTP_LIMITS, HttpServer } from '../../src/http/server.ts';

const logged: string[] = [];
const quiet = {
  debug() {},
  info() {},
  warn() {},
  error: (_: object, message: string) => void logged.push(message),
};
const router = (add: (router: Router) => void = () => {}) => {
  const made = makeRouter(quiet);
  made.get('/page', (context) => context.text('hello'));
  made.post('/echo', async (context) => context.text((await readBody(context, 1000)).toString('hex')));
  add(made);
  return made;
};
let server: HttpServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
  logged.length = 0;
});

async function open(
  add?: (router: Router) => void,
  limits: Partial<typeof HTTP_LIMITS> = {},
): Promise<string> {
  server = new HttpServer({ host: '127.0.0.1', port: 0, router: router(add), limits });
  await server.start();
  return `http://127.0.0.1:${server.port}`;
}

/** Sends bytes as they are and returns the beginning of the answer. */
async function sendRaw(base: string, bytes: string, drip?: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  // Once what has arrived is read: to write where the server has just hung up would lose its answer.
  const write = () => setImmediate(() => socket.write(drip!));
  const dripping = drip === undefined ? undefined : setInterval(write, 20);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  clearInterval(dripping);
  socket.destroy();
  return chunk.toString();
}

describe('the router', () => {
  it('answers its routes, and 404 or 405 for everything else', async () => {
    const routes = router();
    expect(await (await routes.request('/page?x=1')).text()).toBe('hello');
    expect((await routes.request('/page', { method: 'HEAD' })).status).toBe(200);
    expect((await routes.request('/other')).status).toBe(404);
    expect((await routes.request('/toString')).status).toBe(404);
    const posted = await routes.request('/page', { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('says what is wrong as a page to a browser, and as a line of text to a program', async () => {
    const routes = router();
    expect(await (await routes.request('/other')).text()).toBe('There is nothing here.\n');
    const page = await routes.request('/other', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.status).toBe(404);
    expect(await page.text()).toMatch(
      /<html lang="en">.*<title>Letter Boxed<\/title>.*There is nothing here\./s,
    );
  });

  it('locks every response down, errors included, unless a route sends a policy of its own', async () => {
    const routes = router((made) => {
      made.get('/own', (context) => context.text('x', 200, { 'content-security-policy': 'own' }));
    });
    for (const path of ['/page', '/other']) {
      const { headers } = await routes.request(path);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.has('strict-transport-security')).toBe(false);
    }
    expect((await routes.request('/own')).headers.get('content-security-policy')).toBe('own');
  });

  it('answers 500 without the message of an error, and logs it', async () => {
    const routes = router((made) => {
      made.get('/bad', () => {
        throw new Error('s3cret');
      });
      made.get('/outage', () => {
        throw new StoreError('store.full', 'No room left.');
      });
    });
    const response = await routes.request('/bad');
    expect([response.status, await response.text()]).toEqual([500, 'That failed here.\n']);
    expect(logged).toEqual(['a request over HTTP failed']);
    // An outage of the store has a line of its own.
    expect((await routes.request('/outage')).status).toBe(500);
    expect(logged).toHaveLength(1);
    expect((await routes.request('/page')).status).toBe(200);
  });

  it('hands a body on byte by byte, up to the most that is taken', async () => {
    const base = await open();
    const body = Buffer.concat([Buffer.from([0, 255, 10, 13, 128]), Buffer.alloc(995)]);
    expect(await (await fetch(`${base}/echo`, { method: 'POST', body })).text()).toBe(body.toString('hex'));
  });
});

describe('the server', () => {
  it.each([
    ['announced as too large, before any of it is read', 'Content-Length: 99999999\r\n\r\n'],
    [
      'of unannounced length, as soon as it is too long',
      `Transfer-Encoding: chunked\r\n\r\n7d0\r\n${'x'.repeat(2000)}\r\n`,
    ],
  ])('refuses a body %s', async (_, body) => {
    expect(await sendRaw(await open(), `POST /echo HTTP/1.1\r\nHost: x\r\n${body}`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
  });

  it('reads a body that is sent in chunks, whole or empty', async () => {
    const base = await open();
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await sendRaw(base, `${head}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 200 .*\r\n616263$/s,
    );
    expect(await sendRaw(base, `${head}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each(['Transfer-Encoding: chunked\r\n\r\n5\r\nab', 'Content-Length: 5\r\n\r\nab'])(
    'logs no fault when a body is cut: %s',
    async (cut) => {
      const [asked, read] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
      const base = await open((made) => {
        made.post('/cut', async (context) => {
          asked.resolve();
          await readBody(context, 1000).then(read.resolve, read.reject);
          return context.text('read');
        });
      });
      const socket = connect(Number(new URL(base).port), '127.0.0.1');
      socket.write(`POST /cut HTTP/1.1\r\nHost: x\r\n${cut}`);
      await asked.promise;
      socket.destroy();
      await expect(read.promise).rejects.toThrow();
      await server!.stop();
      server = undefined;
      expect(logged).toEqual([]);
    },
  );

  it('answers a probe over HTTP/1.0 without a Host header', async () => {
    expect(await sendRaw(await open(), 'GET /page HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    ['headers', 'GET /page HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n'],
    ['a body', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n', 'x'],
  ])('closes a connection that sends %s too slowly', async (_, beginning, drip) => {
    expect(HTTP_LIMITS.headersTimeout).toBeLessThanOrEqual(HTTP_LIMITS.requestTimeout);
    const base = await open(undefined, {
      headersTimeout: 100,
      requestTimeout: 200,
      connectionsCheckingInterval: 20,
    });
    expect(await sendRaw(base, beginning, drip)).toMatch(/^HTTP\/1.1 408 /);
    expect(logged).toEqual([]);
  });

  it('stops as soon as open requests are answered, although their clients keep the connection', async () => {
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    // Long, so that nothing but the stop ends the connection.
    const limits = { stopTimeout: 600_000, keepAliveTimeout: 600_000 };
    const base = await open((router) => {
      router.get('/slow', async (context) => {
        asked.resolve();
        await answer.promise;
        return context.text('done');
      });
    }, limits);
    const response = fetch(`${base}/slow`);
    await asked.promise;
    const stopped = server!.stop();
    answer.resolve();
    expect(await (await response).text()).toBe('done');
    await stopped;
    server = undefined;
    await expect(fetch(base)).rejects.toThrow();
  });

  it.each([
    // Long, so that nothing but the stop ends it.
    ['a connection on which nothing was sent', '', 600_000],
    [
      'a request that is never sent to its end',
      'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1',
      50,
    ],
  ])('stops in spite of %s', async (_, bytes, stopTimeout) => {
    // Only the stop itself looks for what is slow.
    const long = 600_000;
    const limits = { stopTimeout, requestTimeout: long, headersTimeout: long, connectionsCheckingInterval: long }; // biome-ignore format: one line reads better
    const base = await open(undefined, limits);
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    expect(await (await fetch(`${base}/page`)).text()).toBe('hello');
    await server!.stop();
    server = undefined;
    if (!socket.closed) await once(socket, 'close');
  });

  it.each([
    ['in spite of an answer that its client does not read', 50],
    ['when an answer is read to its end', 600_000],
  ])('stops %s', async (_, stopTimeout) => {
    const large = 'x'.repeat(32e6);
    const base = await open((router) => router.get('/large', (context) => context.text(large)), {
      stopTimeout,
    });
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'readable');
    const stopped = server!.stop();
    const reads = stopTimeout > 50;
    if (reads) socket.resume();
    await stopped;
    server = undefined;
    if (reads && !socket.closed) await once(socket, 'close');
    expect(socket.bytesRead > large.length).toBe(reads);
    socket.destroy();
  });

  it('names the settings when its port is taken', async () => {
    const base = await open();
    const port = Number(new URL(base).port);
    const second = new HttpServer({ host: '127.0.0.1', port, router: router() });
    await expect(second.start()).rejects.toThrow(
      `HOST 127.0.0.1 and PORT ${port} can't be opened: another program`,
    );
  });
});

const OPERATOR = { name: 'Ada <Lovelace>', contact: 'ada@example.org' };

describe('the pages /privacy and /terms', () => {
  it.each(['privacy', 'terms'])('/%s shows the whole text of docs', async (name) => {
    const answer = await legalRoutes(OPERATOR).request(`/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await answer.text();
    const shown = html
      .slice(html.indexOf('</h1>'))
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&quot;', '"');
    const words = (text: string) => text.match(/[\w'/-]+/g)!.filter((word) => word !== '-');
    const written = words(readFileSync(`docs/${name}.md`, 'utf8').replace(/^# .*\n/, ''));
    expect(words(shown).slice(0, written.length)).toEqual(written);
    // Nothing of Markdown is left, so it has no form that the page does not know.
    expect(shown).not.toMatch(/[#*`]|\]\(/);
  });

  it('name the operator of the settings, as text', async () => {
    const html = legalPage('# Privacy\n\nText.', OPERATOR);
    expect(html).toContain('This installation is run by Ada &lt;Lovelace&gt;.');
    expect(html).toContain('<a href="mailto:ada@example.org">ada@example.org</a>');
    expect(legalPage('# Privacy', { contact: 'https://example.org/?a="b"' })).toContain(
      'href="https://example.org/?a=&quot;b&quot;"',
    );
  });

  it('say whom to ask where no operator is set', () => {
    expect(legalPage('# Terms', readConfig({}).operator)).toContain('Ask the person who added the bot');
  });
});
