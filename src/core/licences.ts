import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|copyright|notice)/i;

/** The texts of a package that have to go with every copy of it. */
export function licenceFilesOf(folder: URL): string[] {
  return readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8').trim());
}

/** The licences of the program and its word lists (in LICENSE and NOTICE), and of every installed package that it runs on. */
export function* licenceTexts(): Generator<string> {
  const root = new URL('./', import.meta.resolve('#package'));
  yield* licenceFilesOf(root);
  const packages = new Map<string, string>();
  addPackages(root, packages);
  for (const [heading, text] of [...packages].toSorted()) yield titled(heading, text);
}

export function titled(heading: string, text: string): string {
  return `${heading}\n${'-'.repeat(heading.length)}\n${text}`;
}

function addPackages(folder: URL, found: Map<string, string>): void {
  const { dependencies, optionalDependencies, peerDependencies } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const inside = folderOf(name, folder);
    // Optional peers may not be installed.
    if (inside === undefined) continue;
    const { version, license = 'no licence named' } = manifestOf(inside);
    const heading = `${name} ${version} (${license})`;
    if (found.has(heading)) continue;
    found.set(heading, licenceFilesOf(inside).join('\n\n'));
    addPackages(inside, found);
  }
}

function manifestOf(folder: URL): Manifest {
  return JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as Manifest;
}

function folderOf(name: string, from: URL): URL | undefined {
  for (let at = from; ; at = new URL('../', at)) {
    const folder = new URL(`node_modules/${name}/`, at);
    if (existsSync(folder)) return folder;
    if (at.pathname === new URL('../', at).pathname) return undefined;
  }
}
