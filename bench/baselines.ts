import type { Board } from '../src/solver/types.ts';

/**
 * Two solvers as they are usually written, with letters and strings and without tables, for comparison. Each
 * answers only a part of what ours does: the playable words and all two-word solutions, or one shortest chain.
 */
export function filterAndJoin(board: Board, words: readonly string[]): [string, string][] {
  const letters = new Set(board.letters);
  const sideOf = new Map(
    board.sides.flatMap((side, index) => [...side].map((letter) => [letter, index] as const)),
  );
  const playable = words.filter((word) => {
    for (const letter of word) if (!letters.has(letter)) return false;
    for (let at = 1; at < word.length; at++) {
      if (sideOf.get(word[at]!) === sideOf.get(word[at - 1]!)) return false;
    }
    return true;
  });
  const found: [string, string][] = [];
  for (const first of playable) {
    for (const second of playable) {
      if (first.at(-1) !== second[0]) continue;
      if (new Set(first + second).size === letters.size) found.push([first, second]);
    }
  }
  return found;
}

/** A* over (last letter, covered letters): the heuristic is letters left over the most a word covers. */
export function aStar(board: Board, words: readonly string[]): string[] | undefined {
  const letters = new Set(board.letters);
  const sideOf = new Map(
    board.sides.flatMap((side, index) => [...side].map((letter) => [letter, index] as const)),
  );
  const playable = words.filter(
    (word) =>
      [...word].every((letter) => letters.has(letter)) &&
      [...word].every((letter, at) => at === 0 || sideOf.get(letter) !== sideOf.get(word[at - 1]!)),
  );
  const most = Math.max(1, ...playable.map((word) => new Set(word).size));
  const byStart = Map.groupBy(playable, (word) => word[0]!);
  type Node = { chain: string[]; covered: Set<string>; estimate: number };
  const estimate = (chain: string[], covered: Set<string>) =>
    chain.length + Math.ceil((letters.size - covered.size) / most);
  const open: Node[] = [{ chain: [], covered: new Set(), estimate: 0 }];
  const seen = new Set<string>();
  while (open.length > 0) {
    let best = 0;
    for (let at = 1; at < open.length; at++) if (open[at]!.estimate < open[best]!.estimate) best = at;
    const [node] = open.splice(best, 1) as [Node];
    if (node.covered.size === letters.size) return node.chain;
    const last = node.chain.at(-1)?.at(-1);
    for (const word of last === undefined ? playable : (byStart.get(last) ?? [])) {
      const covered = new Set([...node.covered, ...word]);
      const key = `${word.at(-1)} ${[...covered].sort().join('')}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const chain = [...node.chain, word];
      open.push({ chain, covered, estimate: estimate(chain, covered) });
    }
  }
  return undefined;
}
