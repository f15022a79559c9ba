// Plain JavaScript, because it runs before anything else.
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return [join(installation, 'node_modules', '.cache', 'letterboxed-bot'), join(caches, 'letterboxed-bot')];
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
