/**
 * Makes src/wordlists/everyday.txt, the words that nine of ten adults know, by `npm run build:everyday`. It is committed,
 * because the frequencies it is made from are 15 MB: npm gets them into a temporary folder. `--sample SEED` prints 300 of the
 * words, and the 300 nearest to the boundary that are not among them, to be judged by hand.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../src/core/random.ts';
import { EVERYDAY_FILE } from '../src/wordlists/build.ts';
import { isSuitable } from '../src/wordlists/offensive-words.ts';
import { everydayWords, nearestOthers } from './everyday/choose.ts';
import { FREQUENCY_PACKAGES, readSources } from './everyday/model.ts';

const SAMPLE = 300;
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
  const sources = readSources(folder);
  const words = everydayWords(sources);
  writeFileSync(EVERYDAY_FILE, `${words.join('\n')}\n`);
  console.log(`everyday words: ${words.length}`);
  const [option, seed] = process.argv.slice(2);
  if (option === '--sample') {
    const shown = new Random(String(seed)).shuffle(words.filter(isSuitable)).slice(0, SAMPLE);
    console.log(`\n${shown.sort().join(' ')}\n\n${nearestOthers(sources, SAMPLE).join(' ')}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
