import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { accepts } from 'hono/accepts';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { getMimeType } from 'hono/utils/mime';
import { type HttpContext, makeRoutes, type Router } from './router.ts';

/** Types that are compressed already. */
const COMPRESSED_TYPES = ['.bin', '.png'];
/** Bytes of a file that are written to a connection at a time. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Headers that a 304 (Not Modified) keeps. Browsers apply them to the copy that they have: without the file's own policy, the
 * router would send its default one.
 */
export const retainedHeaders = [...RETAINED_304_HEADERS, 'content-security-policy'];

/** The names of all files below a folder. */
export function filesIn(folder: URL): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(new URL(name, folder)).isFile());
}

/** Serves files below a folder, each under its name, and `index.html` at `/`. A request can reach no other file. */
export function fileRoutes(folder: URL, names: readonly string[], contentSecurityPolicy?: string): Router {
  const routes = makeRoutes();
  for (const name of names) {
    const send = fileSender(new URL(name, folder), contentSecurityPolicy);
    for (const path of name === 'index.html' ? ['/', '/index.html'] : [`/${name}`])
      routes.get(path, etag({ retainedHeaders }), send);
  }
  return routes;
}

/** Reads a file once, and compresses it when somebody first asks for it. */
export function fileSender(file: URL, contentSecurityPolicy?: string) {
  const content = contentOf(file);
  const headers = {
    'content-type': getMimeType(file.pathname) ?? 'application/octet-stream',
    // The name stays the same when the content changes.
    'cache-control': 'no-cache',
    etag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    ...(contentSecurityPolicy !== undefined && { 'content-security-policy': contentSecurityPolicy }),
  };
  let compressed: Promise<Buffer<ArrayBuffer>> | undefined;
  return async (context: HttpContext) => {
    const send = (bytes: Buffer<ArrayBuffer>, more: Readonly<Record<string, string>> = {}) =>
      context.body(piecesOf(bytes), 200, { ...headers, ...more, 'content-length': String(bytes.length) });
    if (COMPRESSED_TYPES.includes(extname(file.pathname))) return send(content);
    const header = 'Accept-Encoding';
    const encoding = accepts(context, { header, supports: ['gzip', 'identity'], default: 'identity' });
    if (encoding === 'identity') return send(content, { vary: header });
    compressed ??= promisify(gzip)(content, { level: 9 });
    return send(await compressed, { vary: header, 'content-encoding': encoding });
  };
}

/** Comments of a style sheet are not sent, so that none has to be short for the sake of its page's size. */
function contentOf(file: URL): Buffer<ArrayBuffer> {
  const content = readFileSync(file);
  if (extname(file.pathname) !== '.css') return content;
  return Buffer.from(content.toString().replace(/\/\*.*?\*\//gs, ''));
}

/** A stream, since a Response would copy a Buffer. It hands out the next piece when the client reads. */
function piecesOf(content: Buffer<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(content.subarray(sent, sent + CHUNK_BYTES));
        sent += CHUNK_BYTES;
        if (sent >= content.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
