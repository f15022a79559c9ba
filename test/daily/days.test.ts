/**
 * What is posted in a channel when, where and how often, whatever goes wrong meanwhile: the scripts of days.txt.
 * `DAYS=write npx vitest run test/daily/days.test.ts` writes what is posted now: read the diff.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TestAppOptions } from '../fakes/app.ts';
import { play } from './script.ts';

const FILE = new URL('days.txt', import.meta.url);
const written = readFileSync(FILE, 'utf8');
/** A title, and the lines below it, which are indented. */
const SCRIPTS = [...written.matchAll(/^(\S.*)\n((?: {2}.*\n)+)/gm)].map(
  ([, title = '', lines = '']) => [title, lines] as const,
);
const OPTIONS: Readonly<Record<string, TestAppOptions>> = {
  '  with newspaper\n': { source: 'newspaper' },
};

test.each(SCRIPTS)('%s', async (_, lines) => {
  const [options = ''] = /^ {2}with .*\n/.exec(lines) ?? [];
  const script = lines.slice(options.length);
  const played = await play(script, OPTIONS[options]);
  if (process.env.DAYS !== 'write') expect(played).toBe(script);
  else
    writeFileSync(
      FILE,
      readFileSync(FILE, 'utf8').replace(lines, () => options + played),
    );
});
