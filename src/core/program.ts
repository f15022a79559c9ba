import { readFileSync } from 'node:fs';
import { flushCompileCache, registerHooks } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * Makes this thread resolve imports such as `./clock.ts` by their address alone. Node otherwise asks the disk, for each
 * import of each file, whether it exists, where its links lead and which package it belongs to; a start has some 2,000 of
 * them, most in Kysely's 255 files and in ours. A missing file is found when it is read.
 */
export function resolveRelativeImports(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL, conditions } = context;
      if (!isRelative(specifier) || !parentURL?.startsWith('file:') || !conditions.includes('import'))
        return next(specifier, context);
      const { href: url } = new URL(specifier, parentURL);
      // Without a format, Node reads the package.json of each file.
      return { url, ...(url.endsWith('.ts') && { format: 'module-typescript' }), shortCircuit: true };
    },
  });
}

const isRelative = (specifier: string) => specifier.startsWith('./') || specifier.startsWith('../');

/**
 * Makes V8 keep its heap small. A bot is idle most of the time, and V8 would keep the garbage of busy seconds for hours:
 * several times the memory in use (measured by `npm run bench -- doors`). Answers take no longer with this flag, but loading
 * does: this is called when all modules are loaded. No worker may be loading meanwhile: the next start would refuse code that
 * was compiled while the flags changed. So workers start after this call, although they load more slowly then.
 */
export function keepHeapSmall(): void {
  // Before the flags change. Compiled code is otherwise saved when the process ends, and not at all if it is killed.
  flushCompileCache();
  setFlagsFromString('--optimize-for-size');
}

/** What the program says about itself: to people, in `about`, and to the newspaper. */
export interface About {
  readonly version: string;
  /** The address of the project's page, if it has one. */
  readonly homepage?: string;
}

/** Reads package.json. It is part of the program, so its shape is known and not checked. */
export function readAbout(): About {
  // Resolved by a name of its `imports`, because compiled files are one folder deeper.
  const file = new URL(import.meta.resolve('#package'));
  const { version, homepage } = JSON.parse(readFileSync(file, 'utf8')) as About;
  return { version, homepage };
}

/** What is typed before a command. In a clone, which runs TypeScript, the program is not on the PATH. */
export const PROGRAM_CALL = callOf(import.meta.url, process.env.npm_command);

export function callOf(file: string, npmCommand: string | undefined): string {
  if (file.endsWith('.ts')) return 'npm run -s letterboxed --';
  return npmCommand === 'exec' ? 'npx letterboxed-bot' : 'letterboxed';
}
