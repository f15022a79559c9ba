// Plain JavaScript, because it has to run on versions of Node that are too old for the rest, and before anything else.
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Says in one line what is needed and ends the process, unless this Node can run TypeScript directly. */
export function requireNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  console.error(
    `letterboxed-bot needs Node 24 or newer; this is ${process.versions.node}. ` +
      // The package has a file of src, too.
      (existsSync(new URL('main.ts', SOURCE))
        ? 'Run "npm ci" here, without --omit=dev: it brings a Node 24 for npm scripts and npx. Or install it from nodejs.org.'
        : 'Install it from nodejs.org.'),
  );
  process.exit(2);
}

const SOURCE = new URL('../src/', import.meta.url);
const COMPILED = new URL('../dist/src/', import.meta.url);

/**
 * A module of src. A clone runs its TypeScript as it is; the published package has it compiled, because Node runs
 * no TypeScript below node_modules.
 *
 * @param {string} name
 */
export async function importProgram(name) {
  const { resolveRelativeImports } = await importModule('core/program');
  resolveRelativeImports();
  return importModule(name);
}

function importModule(name) {
  const source = new URL(`${name}.ts`, SOURCE);
  return import(existsSync(source) ? source : new URL(`${name}.js`, COMPILED));
}

const GROUP_AND_OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Keeps the compiled code, so that only the first start compiles it, in a folder where nobody else can put code that would
 * be run: this installation's, or otherwise this user's. Without such a folder nothing is kept. Node's own default is a
 * folder that all users of the machine share. `NODE_COMPILE_CACHE` names another one.
 */
export function keepCompiledCode() {
  const folder = process.env.NODE_COMPILE_CACHE === undefined ? privateFolder(candidates()) : undefined;
  if (folder !== undefined) module.enableCompileCache(folder);
}

/** The first of these folders that is, or can be made, this user's alone. */
export function privateFolder(folders) {
  return folders.find((folder) => {
    try {
      return isPrivate(folder);
    } catch {
      // It can't be made or looked at, such as on a disk that is read-only.
      return false;
    }
  });
}

function candidates() {
  const installation = fileURLToPath(new URL('..', import.meta.url));
  const own = join(installation, 'node_modules', '.cache', 'letterboxed-bot');
  try {
    return [own, join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'letterboxed-bot')];
  } catch {
    // A user whom the system does not know has no home, such as the users of some containers.
    return [own];
  }
}

/** Makes the folder if its parents are safe. On Windows, folders of a user are closed to the others by default. */
function isPrivate(folder) {
  if (process.getuid === undefined) {
    mkdirSync(folder, { recursive: true });
    return true;
  }
  if (!areParentsSafe(realpathSync(firstExisting(folder)))) return false;
  makeFolder(folder);
  const { uid, mode } = lstatSync(folder);
  return (
    uid === process.getuid() && (mode & GROUP_AND_OTHERS_WRITE) === 0 && areParentsSafe(realpathSync(folder))
  );
}

/** One folder after the other: Node's own recursive way never ends where none can be made, such as in /proc. */
function makeFolder(folder) {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function firstExisting(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found === undefined ? firstExisting(dirname(folder)) : folder;
}

/** Whether only this user and root could replace one of the folders on the way to it. */
function areParentsSafe(path) {
  const { uid, mode } = lstatSync(path);
  if (uid !== process.getuid() && uid !== 0) return false;
  // In a folder such as /tmp, everybody can make folders, but not replace the folders of others.
  if ((mode & GROUP_AND_OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) return false;
  const parent = dirname(path);
  return parent === path || areParentsSafe(parent);
}
