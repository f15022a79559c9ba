import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
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
      return { url: new URL(specifier, parentURL).href, shortCircuit: true };
    },
  });
}

const isRelative = (specifier: string) => specifier.startsWith('./') || specifier.startsWith('../');

/** Lets V8 optimize code and use more memory, which bin/letterboxed.js forbids at first; for work that takes longer. */
export function optimizeCode(): void {
  for (const flag of ['--opt', '--maglev', '--semi-space-growth-factor=2']) setFlagsFromString(flag);
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
