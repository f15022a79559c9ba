import { type Lexicon, loadLexicon } from '../solver/lexicon.ts';

/** The lexicon as workers get it: compiled bytes in memory that all threads share. */
export interface SharedLexicon {
  readonly bytes: SharedArrayBuffer;
}

const HEADER_BYTES = 32;

/** Copies a lexicon's bytes into shared memory, once for all workers. */
export function shareLexicon({ graph, tiers }: Lexicon): SharedLexicon {
  // The graph, the likelihoods and the tiers are views over one buffer, in this order after the header.
  const begin = graph.byteOffset - HEADER_BYTES;
  const length = tiers.byteOffset + tiers.byteLength - begin;
  const bytes = new SharedArrayBuffer(4 * Math.ceil(length / 4));
  new Uint8Array(bytes).set(new Uint8Array(graph.buffer, begin, length));
  return { bytes };
}

/** Views over the shared bytes; copies nothing. */
export function openLexicon({ bytes }: SharedLexicon): Lexicon {
  return loadLexicon(new Uint8Array(bytes));
}
