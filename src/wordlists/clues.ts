import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Resolved by a name in package.json's `imports`, like the word list. `npm run build:clues` makes it. */
export const cluesFile = () => fileURLToPath(import.meta.resolve('#clues'));

/** Characters of a block before it is compressed: small enough to be read in a millisecond. */
const BLOCK_LENGTH = 64 * 1024;
/** The header is one number of 32 bits: the length of the index in bytes. */
const HEADER_BYTES = 4;

/**
 * What a word means, in a line that doesn't give it away; undefined for words without a clue. It reads from the file each
 * time (about 1 ms): few hints need it, and none of the 3 MB stay in memory.
 *
 * @example readClue('forum') // 'a Roman market square, or a place to chat online'
 */
export function readClue(word: string, file: string = cluesFile()): string | undefined {
  const handle = openSync(file, 'r');
  try {
    const indexBytes = readAt(handle, 0, HEADER_BYTES).readUInt32LE();
    const index = readAt(handle, HEADER_BYTES, indexBytes).toString('latin1');
    let offset = HEADER_BYTES + indexBytes;
    let found = { offset, length: 0 };
    for (const line of index.split('\n')) {
      const [first = '', bytes] = line.split(' ');
      if (first > word) break;
      found = { offset, length: Number(bytes) };
      offset += found.length;
    }
    if (found.length === 0) return;
    const block = decompress(readAt(handle, found.offset, found.length));
    const start = block.indexOf(`\n${word}\t`);
    if (start === -1) return;
    return block.slice(start + word.length + 2, block.indexOf('\n', start + 1));
  } finally {
    closeSync(handle);
  }
}

/** The clues of all words, for the site's own file of them. */
export function readClues(file: string = cluesFile()): Map<string, string> {
  const bytes = readFileSync(file);
  let offset = HEADER_BYTES + bytes.readUInt32LE();
  const clues = new Map<string, string>();
  for (const line of bytes.toString('latin1', HEADER_BYTES, offset).split('\n')) {
    const length = Number(line.split(' ')[1]);
    const block = decompress(bytes.subarray(offset, offset + length));
    for (const entry of block.trim().split('\n')) {
      const [word = '', clue = ''] = entry.split('\t');
      clues.set(word, clue);
    }
    offset += length;
  }
  return clues;
}

/**
 * The blocks of a file of clues, to be compressed one by one: lines of a word and its clue, in order.
 *
 * @example clueBlocks([['forum', 'a public meeting']]) // [{ first: 'forum', text: '\nforum\ta public meeting\n' }]
 */
export function clueBlocks(
  clues: Iterable<readonly [word: string, clue: string]>,
): { readonly first: string; readonly text: string }[] {
  const blocks: { first: string; text: string }[] = [];
  for (const [word, clue] of clues) {
    const last = blocks.at(-1);
    const line = `${word}\t${clue}\n`;
    if (last === undefined || last.text.length + line.length > BLOCK_LENGTH)
      blocks.push({ first: word, text: `\n${line}` });
    else last.text += line;
  }
  return blocks;
}

/** The file of blocks: the bytes of the index, the index (the first word and the bytes of each block), the blocks. */
export function joinClues(blocks: readonly { readonly first: string; readonly bytes: Uint8Array }[]): Buffer {
  const index = Buffer.from(
    blocks.map(({ first, bytes }) => `${first} ${bytes.length}`).join('\n'),
    'latin1',
  );
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(index.length);
  return Buffer.concat([header, index, ...blocks.map(({ bytes }) => bytes)]);
}

/** Loads zlib with the first clue: most commands in a terminal show none. */
function decompress(block: Uint8Array): string {
  return process.getBuiltinModule('node:zlib').brotliDecompressSync(block).toString();
}

function readAt(handle: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(handle, bytes, 0, length, position);
  return bytes;
}
