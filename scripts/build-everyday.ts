/**
 * Makes src/wordlists/everyday.txt, the words that nine of ten adults know, by `npm run build:everyday`. It is committed,
 * because the frequencies it is made from are 15 MB: npm gets them into a temporary folder.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERYDAY_FILE } from '../src/wordlists/build.ts';
import { everydayWords } from './everyday/choose.ts';
import { FREQUENCY_PACKAGES, readSources } from './everyday/model.ts';

const folder = mkdtempSync(join(tmpdir(), 'letterboxed-frequencies-'));
try {
  for (const [name, version] of Object.entries(FREQUENCY_PACKAGES)) {
    const packed = execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], {
      cwd: folder,
      encoding: 'utf8',
    });
    mkdirSync(join(folder, name));
    execFileSync('tar', ['xzf', packed.trim(), '-C', name, '--strip-components=1'], { cwd: folder });
  }
  const words = everydayWords(readSources(folder));
  writeFileSync(EVERYDAY_FILE, `${words.join('\n')}\n`);
  console.log(`everyday words: ${words.length}`);
} finally {
  rmSync(folder, { recursive: true });
}
