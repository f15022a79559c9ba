import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listening } from '../../fakes/loopback.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

export interface FileServer {
  /** Compresses what is not compressed by itself, as most hosts do. */
  readonly compresses?: boolean;
  /** Redirects pages to addresses without `.html`, and answers 404 for 404.html, as Cloudflare and Firebase do. */
  readonly hidesEndings?: boolean;
}

/** A host of plain files, below the path /boards/. It shows its page 404.html at addresses without a file. */
export function serveFiles(
  folder: string,
  { compresses = false, hidesEndings = false }: FileServer = {},
): Promise<Server> {
  const server = createServer(async ({ url = '' }, response) => {
    const path = new URL(url, 'http://site').pathname.replace(/^\/boards\//, '');
    if (hidesEndings && path.endsWith('.html')) {
      const isMissing = path === '404.html';
      const location = `/boards/${path.replace(/\.html$/, '')}`;
      response.writeHead(isMissing ? 404 : 308, isMissing ? {} : { location }).end();
      return;
    }
    const isBare = hidesEndings && path !== '' && extname(path) === '';
    const name = path === '' ? 'index.html' : isBare ? `${path}.html` : path;
    const type = TYPES[extname(name)];
    try {
      const content = await readFile(join(folder, name));
      const isSmaller = compresses && type !== undefined;
      response.writeHead(200, {
        'content-type': type ?? 'application/octet-stream',
        ...(isSmaller && { 'content-encoding': 'gzip' }),
      });
      response.end(isSmaller ? gzipSync(content) : content);
    } catch {
      const isPage = extname(name) === '';
      response.writeHead(404, isPage ? { 'content-type': 'text/html' } : {});
      response.end(isPage ? await readFile(join(folder, '404.html')) : undefined);
    }
  });
  return listening(server);
}
