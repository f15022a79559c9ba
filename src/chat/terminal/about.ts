import { readFileSync } from 'node:fs';
import type { About } from '../../../commands/types.ts';

const PACKAGE = new URL('../../../package.json', import.meta.url);

/** Version and address, from the package's own description. */
export function readAbout(): About {
  const { version, homepage } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
    version: string;
    homepage?: string;
  };
  return { version, homepage: homepage ?? 'https://letterboxed-bot.example' };
}
