import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { HttpContext } from '../http/router.ts';

/**
 * What a page with a board loads. The files of all pages have the addresses that they have below `src/`, so
 * that the imports between them are the same for the browser and for the compiler.
 */
export const BOARD_FILES = ['theme.css', 'board.css', 'board.js', 'element.js', 'game.js', 'unsent.js'].map(
  (name) => `pages/browser/${name}`,
);

const SOURCE = new URL('../', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

/** @param file its path below `src/`; never one that a request has named. */
export async function sendFile(context: HttpContext, file: string): Promise<Response> {
  const type = `${TYPES[extname(file)]}; charset=utf-8`;
  return context.body(await readFile(new URL(file, SOURCE)), 200, { 'content-type': type });
}
