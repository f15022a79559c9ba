import { describe, expect, it } from 'vitest';
import { popcount } from '../../src/solver/bits.ts';
import { parseBoard } from '../../src/solver/board.ts';
import {
  compileLexicon,
  fromByte,
  LETTER_BITS,
  LexiconError,
  loadLexicon,
  makeLexicon,
  nodeSize,
  shareLexicon,
  targetOf,
  toByte,
} from '../../src/solver/lexicon.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import fc from '../fakes/fast-check.ts';

const LETTERS = [...'abcdxyz'];
/** More words than an edge has room to count. */
const MANY = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)));
const words = fc.uniqueArray(fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 3, maxLength: 7 }), {
  maxLength: 80,
});
const entriesOf = (list: readonly string[]) =>
  list.map((word, index) => ({
    word,
    likelihood: fromByte((index * 37) % 256),
    tier: index % 3 === 0 ? ('everyday' as const) : ('wide' as const),
  }));

describe('lexicon', () => {
  it('gives back exactly what was compiled, in order, and finds nothing else', () => {
    fc.assert(
      fc.property(words, fc.string({ maxLength: 9 }), (list, other) => {
        const entries = entriesOf(list);
        const lexicon = loadLexicon(compileLexicon(entries));
        const sorted = [...entries].sort((a, b) => (a.word < b.word ? -1 : 1));
        expect(lexicon.size).toBe(list.length);
        expect([...lexicon.entries()]).toEqual(sorted);
        for (const entry of entries) expect(lexicon.find(entry.word)).toEqual(entry);
        if (!list.includes(other)) expect(lexicon.find(other)).toBeUndefined();
        sorted.forEach(({ word }, number) => {
          expect(lexicon.wordAt(number)).toBe(word);
        });
      }),
      { numRuns: 500, examples: [[MANY, 'abc']] },
    );
  });

  it('compiles the same words to the same bytes, in whatever order they come', () => {
    const entries = entriesOf(['abc', 'abd', 'xyz', 'zyx', 'abcd']);
    expect(compileLexicon([...entries].reverse())).toEqual(compileLexicon(entries));
  });

  it('places the nodes in the order in which a walk comes to them: other orders make it slower', () => {
    const lists = fc.sample(words, { numRuns: 50, seed: 1 }).filter((list) => list.length > 0);
    for (const { root, graph } of lists.map((list) => loadLexicon(compileLexicon(entriesOf(list))))) {
      const sizeOf = (node: number) => nodeSize(graph[node]!);
      expect(root).toBe(0);
      let end = sizeOf(root);
      for (let node = root; node < graph.length; node += sizeOf(node)) {
        const edges = popcount(graph[node]! & LETTER_BITS);
        for (let edge = node + 1; edge <= node + edges; edge++) {
          const target = targetOf(graph[edge]!);
          expect(target).toBeLessThanOrEqual(end);
          if (target === end) end += sizeOf(target);
        }
      }
      expect(end).toBe(graph.length);
    }
  });

  it('refuses other files, other formats and every cut, for programs that have no script to run, too', () => {
    const bytes = compileLexicon(entriesOf(['abc', 'abd', 'abcd', 'xyz', 'yxz', 'zzz']));
    for (let at = 0; at < 8; at++) {
      const other = bytes.slice();
      other[at]! ^= 0x10;
      expect(() => loadLexicon(other), `byte ${at}`).toThrow(LexiconError);
    }
    for (let at = 0; at < bytes.length; at++)
      expect(() => loadLexicon(bytes.slice(0, at)), `cut at ${at}`).toThrow(
        /^The compiled word list is cut short\.$/,
      );
  });

  it('keeps likelihoods near certainty apart, and never makes one 0', () => {
    expect(new Set([0.9, 0.99, 0.995, 0.999, 0.9995, 1].map(toByte)).size).toBe(6);
    expect(fromByte(toByte(0.0000001))).toBeGreaterThan(0);
    expect(fromByte(255)).toBe(1);
    for (let byte = 0; byte < 256; byte++) expect(toByte(fromByte(byte))).toBe(byte);
  });
});

it('a lexicon made from shared parts copies nothing and finds the same words', () => {
  const entries = ['fun', 'form', 'forum', 'moor', 'zoo'].map((word) => ({
    word,
    likelihood: 0.5,
    tier: 'wide' as const,
  }));
  const lexicon = loadLexicon(compileLexicon(entries));
  const parts = shareLexicon(lexicon);
  const other = makeLexicon(structuredClone(parts));
  expect(other.graph.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(shareLexicon(other).graph.buffer).toBe(other.graph.buffer);
  expect([...other.entries()]).toEqual([...lexicon.entries()]);
  const board = parseBoard('ozu nri lfa mbt');
  const spelled = (words: ReturnType<typeof findPlayable>) => words.map(({ word }) => word);
  const words = findPlayable(board, other);
  expect(spelled(words)).toEqual(spelled(findPlayable(board, lexicon)));
  expect(spelled(JSON.parse(JSON.stringify(words)))).toEqual(spelled(words));
});
