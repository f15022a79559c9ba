import { type Lexicon, loadLexicon } from '../../src/solver/lexicon.ts';

export * from '../../src/solver/index.ts';

/**
 * The word list of this package, about 1 MB: read from the disk in Node, fetched in browsers.
 *
 * @param url where the list is, if a bundler or a server has put it elsewhere than beside this module
 */
export async function loadWords(
  url: URL | string = new URL('./words.bin.gz', import.meta.url),
): Promise<Lexicon> {
  const from = new URL(url, import.meta.url);
  const packed =
    from.protocol === 'file:' ? await (await import('node:fs/promises')).readFile(from) : await fetched(from);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return loadLexicon(new Uint8Array(await new Response(stream).arrayBuffer()));
}

async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The word list can't be fetched: ${url} answers ${response.status}.`);
  return response.arrayBuffer();
}
