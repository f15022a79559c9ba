import { readFileSync } from 'node:fs';

/** What the program says about itself: to people, in `about`, and to the newspaper. */
export interface About {
  readonly version: string;
  /** The address of the project's page, if it has one. */
  readonly homepage?: string;
}

/** By a name of package.json's `imports`, because compiled files are one folder deeper. */
const PACKAGE = new URL(import.meta.resolve('#package'));

/** Reads package.json. It is part of the program, so its shape is known and not checked. */
export function readAbout(): About {
  const { version, homepage } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
    version: string;
    homepage?: string;
  };
  return { version, homepage };
}
