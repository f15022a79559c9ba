/** `npm run site -- FOLDER`: writes the site, static files that play boards without a server. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { DOCUMENTS } from '../src/site/documents.ts';
import { buildLexicon } from '../src/wordlists/build.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { packClues, packLexicon } from '../src/wordlists/packed.ts';
import { makeClues } from './clues/make.ts';

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));
const STYLES = ['theme', 'board', 'page'].map((name) => `pages/browser/${name}.css`);

/** One module with all that it imports, as a browser loads it. @param file its path below `src/` */
export async function bundle(file: string) {
  const bundled = await rolldown({ input: join(SOURCE, file), external: /^node:/, platform: 'browser' });
  const { output } = await bundled.generate({ minify: true, codeSplitting: false });
  await bundled.close();
  return output[0];
}

/** @returns bytes of all files, compressed as servers send them */
export async function writeSite(folder: string): Promise<number> {
  buildLexicon();
  const files = new Map<string, string | Uint8Array>(Object.entries(DOCUMENTS));
  for (const style of STYLES) files.set(style, readFileSync(join(SOURCE, style)));
  for (const name of ['board-page', 'archive-page'])
    files.set(`${name}.js`, (await bundle(`site/browser/${name}.js`)).code);
  files.set('worker.js', (await bundle('site/worker.ts')).code);
  files.set('words.bin', gzipSync(packLexicon(readLexicon()), { level: 9 }));
  files.set('clues.bin', gzipSync(packClues(makeClues()), { level: 9 }));
  const version = createHash('sha256');
  for (const [name, content] of files) version.update(name).update(content);
  const site = {
    version: version.digest('hex').slice(0, 16),
    // Browsers ask for the folder, not for its page.
    files: [...files.keys()].map((name) => (name === 'index.html' ? './' : name)),
  };
  const keeper = readFileSync(join(SOURCE, 'site/browser/sw.js'), 'utf8');
  files.set('sw.js', `globalThis.SITE = ${JSON.stringify(site)};\n${keeper}`);
  for (const [name, content] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return [...files].reduce(
    (sum, [name, content]) => sum + (name.endsWith('.bin') ? content : gzipSync(content)).length,
    0,
  );
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('Name the folder that the site is written into: npm run site -- FOLDER');
    process.exit(2);
  }
  console.log(`written to ${folder}: ${await writeSite(folder)} bytes compressed`);
}
