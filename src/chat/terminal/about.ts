import { readFileSync } from 'node:fs';
import type { About } from '../../../commands/types.ts';

const PACKAGE = new URL('../../../package.json', import.meta.url);

/** From the package's own description: the version, and the project's address if it has one. */
export function readAbout(): About {
  const { version, homepage } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
    version: string;
    homepage?: string;
  };
  return { version, ...(homepage !== undefined && { homepage }) };
}
