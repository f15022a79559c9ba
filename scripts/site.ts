/** `npm run site -- FOLDER`: writes the site, static files that play boards without a server. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { publicAddress } from '../src/config/config.ts';
import { list, origin } from '../src/config/settings.ts';
import { licenceFilesOf, titled } from '../src/core/licences.ts';
import { readSchedule } from '../src/puzzle/house-schedule.ts';
import { renderPng } from '../src/reply/picture/pictures.ts';
import { FONT, makeSvg } from '../src/reply/picture/svg.ts';
import { parseBoard } from '../src/solver/board.ts';
import { STYLES } from '../src/web/pages/html.ts';
import { belowAnyFolder, CARD, DOCUMENTS, MANIFEST, SITE_STYLE } from '../src/web/site/documents.ts';
import { DAYS_PER_FILE } from '../src/web/site/download.ts';
import { buildLexicon, SOURCE_PACKAGES } from '../src/wordlists/build.ts';
import { readClues } from '../src/wordlists/clues.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { packClues, packLexicon } from '../src/wordlists/packed.ts';

const NOTICE = new URL('../NOTICE', import.meta.url);
const LICENCE = new URL('../LICENSE', import.meta.url);
const FONT_LICENCE = new URL('../node_modules/@expo-google-fonts/nunito/LICENSE_FONT', import.meta.url);
const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));
/** The folder from which the bot serves it. */
const OWN_FOLDER = dirname(fileURLToPath(import.meta.resolve('#site')));
/** Below `web/site/`. */
const SCRIPTS = ['board-page', 'archive-page', 'form-page', 'plain-page', 'worker'];
/** Level 9 takes five times as long, for 0.3 % fewer bytes. */
const PACKED = { level: 7 };
const USAGE = `npm run site -- [FOLDER] [--embed ORIGINS] [--address ADDRESS]

Writes the site into the folder, or to where the bot serves it from.
Pages of these origins, such as https://blog.example.org, may show a board in a frame.
With the site's own address, such as https://you.github.io/letterboxed, links to it are shown with a picture, and the page for unknown addresses, 404.html, loads its files from any folder.`;

/** One module with all that it imports, as a browser loads it. @param file its path below `src/` */
export async function bundle(file: string) {
  const bundled = await rolldown({
    input: join(SOURCE, file),
    external: /^node:/,
    platform: 'browser',
    // That is for the check of types, and the image does not have it.
    tsconfig: false,
    // Ours do nothing but define what others import, so that what nobody uses is left out.
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundled.generate({ minify: true, codeSplitting: false });
  await bundled.close();
  return output[0];
}

interface WriteOptions {
  /** Whose pages may show a board in a frame. */
  readonly embedOrigins?: readonly string[];
  /** Where the site will be, for the picture of links to it, and the page that hosts show at unknown addresses. */
  readonly address?: string | undefined;
}

/** @returns bytes of all files, compressed as servers send them */
export async function writeSite(
  folder: string,
  { embedOrigins = [], address }: WriteOptions = {},
): Promise<number> {
  mkdirSync(folder, { recursive: true });
  buildLexicon();
  const lexicon = readLexicon();
  const files = new Map<string, string | Uint8Array>(Object.entries(DOCUMENTS));
  if (address !== undefined) {
    const { href, pathname } = publicAddress(address);
    const pages = { ...DOCUMENTS, '404.html': belowAnyFolder(DOCUMENTS['404.html']!, pathname) };
    // Who shows previews takes no relative address of a picture.
    for (const [name, page] of Object.entries(pages))
      files.set(name, page.replace(`content="${CARD.name}"`, `content="${href}${CARD.name}"`));
  }
  files.set('manifest.webmanifest', JSON.stringify(MANIFEST));
  for (const { src, sizes, purpose } of MANIFEST.icons)
    files.set(src, await renderPng(iconOf(purpose), Number.parseInt(sizes, 10)));
  files.set(CARD.name, await renderPng(card(), CARD.width));
  for (const style of [...STYLES, SITE_STYLE]) files.set(style, readFileSync(join(SOURCE, style)));
  const modules = new Set<string>();
  for (const file of SCRIPTS) {
    const { code, moduleIds } = await bundle(`web/site/${file}.ts`);
    files.set(`${file}.js`, `/*! Licences: licences.txt */\n${code}`);
    for (const id of moduleIds) modules.add(id);
  }
  const schedule = readSchedule();
  const parts = Map.groupBy(schedule.keys(), (day) => `days-${Math.floor(day / DAYS_PER_FILE)}`);
  const data = new Map<string, Uint8Array | string>(Object.entries(packLexicon(lexicon)));
  data.set('clues', packClues(readClues()));
  for (const [name, days] of parts) data.set(name, days.map((day) => schedule[day]).join('\n'));
  for (const [name, bytes] of data) files.set(`${name}.bin`, gzipSync(bytes, PACKED));
  const version = createHash('sha256');
  for (const [name, content] of files) version.update(name).update(content);
  const site = {
    version: version.digest('hex').slice(0, 16),
    // Browsers ask for the folder, not for its page. Some hosts send 404.html with that status, which no cache takes.
    files: [...files.keys()]
      .filter((name) => name !== '404.html')
      .map((name) => (name === 'index.html' ? './' : name)),
  };
  files.set('licences.txt', licencesOf(modules));
  // Not kept by browsers, or a page that is allowed later would be refused.
  files.set('embed.json', JSON.stringify(embedOrigins));
  const keeper = readFileSync(join(SOURCE, 'web/site/sw.js'), 'utf8');
  files.set('sw.js', `globalThis.SITE = ${JSON.stringify(site)};\n${keeper}`);
  for (const [name, content] of files) {
    mkdirSync(resolve(folder, dirname(name)), { recursive: true });
    writeFileSync(resolve(folder, name), content);
  }
  const sent = [...files].map(([name, content]) => (name.endsWith('.bin') ? content : gzipSync(content)));
  return sent.reduce((sum, { length }) => sum + length, 0);
}

/** The licences of the word lists and the definitions, and of bundled packages. */
function licencesOf(modules: ReadonlySet<string>): string {
  const folders = new Map<string, string>();
  for (const id of modules) {
    const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
    if (folder !== undefined && name !== undefined) folders.set(name, folder);
  }
  for (const name of SOURCE_PACKAGES)
    folders.set(name, fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url)));
  const texts = [...folders].toSorted().map(([name, folder]) => {
    const files = licenceFilesOf(pathToFileURL(`${folder}/`));
    if (files.length === 0) throw new Error(`${name} has no file with its licence`);
    return `${titled(name, files.join('\n\n'))}\n`;
  });
  return [...[NOTICE, LICENCE, FONT_LICENCE].map((file) => readFileSync(file, 'utf8')), ...texts].join('\n');
}

/** Two words on a board. */
const ICON = {
  board: parseBoard('abc def ghi jkl'),
  letters: false,
  path: [
    [1, 7, 3, 10],
    [10, 4, 6],
  ],
};

/** The icon beside the name of the game. */
function card(): string {
  const { width, height } = CARD;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1200 630">
    <rect width="1200" height="630" fill="${MANIFEST.background_color}"/>
    <g transform="translate(60 65) scale(0.625)">${makeSvg(ICON)}</g>
    <g font-family="${FONT}" font-weight="800" fill="#23262d"><text x="620" y="300" font-size="84">${MANIFEST.name}</text>
    <text x="623" y="365" font-size="37">All the letters, in few words.</text></g></svg>`;
}

/** A square. What is left of a maskable icon is at least the circle that is four fifths as wide. */
function iconOf(purpose: 'any' | 'maskable'): string {
  const side = 800;
  const scale = purpose === 'any' ? 1 : 0.66;
  const margin = (side * (1 - scale)) / 2;
  const background = `<rect width="${side}" height="${side}" fill="${MANIFEST.background_color}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">
    ${purpose === 'any' ? '' : background}<g transform="translate(${margin} ${margin}) scale(${scale})">${makeSvg(ICON)}</g></svg>`;
}

if (import.meta.main) {
  const { folder, ...options } = readArguments();
  try {
    const bytes = await writeSite(folder, options);
    console.log(`written to ${folder}: ${bytes} bytes compressed`);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    console.error(`The site can’t be written into ${folder}: ${error.message}`);
    process.exit(1);
  }
}

function readArguments() {
  const text = { type: 'string' } as const;
  const options = { embed: text, address: text };
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const [folder = OWN_FOLDER] = positionals;
    const embedOrigins = values.embed === undefined ? [] : list(origin).read(values.embed);
    const { address } = values;
    const isPlace = address === undefined || URL.canParse(address);
    if (embedOrigins !== undefined && isPlace) return { folder, embedOrigins, address };
  } catch {
    // An unknown option.
  }
  console.error(USAGE);
  process.exit(2);
}
