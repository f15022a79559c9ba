import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** From the package's own description: the version, and the project's address if it has one. */
export function readAbout(): About {
  const { version, homepage } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
    version: string;
    homepage?: string;
  };
  return { version, ...(homepage !== undefined && { homepage }) };
}
export interface About {
  readonly version: string;
  /** The project's page, where it has one. */
  readonly homepage?: string;
}
