/** Makes src/wordlists/clues.bin from WordNet. It is committed, because WordNet is 35 MB: run by `npm run build:clues`. */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { CLUES_FILE, clueBlocks, joinClues } from '../src/wordlists/clues.ts';
import { makeClues } from './clues/choose.ts';

const clues = makeClues();
const file = joinClues(
  clueBlocks(clues).map(({ first, text }) => ({ first, bytes: brotliCompressSync(text) })),
);
writeFileSync(CLUES_FILE, file);
console.log(`clues built: ${clues.size} words, ${file.length} bytes`);
