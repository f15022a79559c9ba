import { lowest, popcount } from './bits.ts';
import { hasRepeats } from './board.ts';
import { fromByte, type Lexicon, tierOf, WORD_END } from './lexicon.ts';
import type { Board, PlayableWord, Tier, Walk } from './types.ts';

/** A playable word of a lexicon. Its spelling is looked up when asked for: most words never are. */
class LexiconWord implements PlayableWord {
  readonly #lexicon: Lexicon;
  readonly #number: number;
  #word: string | undefined;
  readonly likelihood: number;
  readonly tier: Tier;
  readonly length: number;
  readonly walks: Walk[];

  constructor(lexicon: Lexicon, number: number, length: number, walk: Walk) {
    this.#lexicon = lexicon;
    this.#number = number;
    this.likelihood = fromByte(lexicon.likelihoods[number]!);
    this.tier = tierOf(lexicon.tiers[number]!);
    this.length = length;
    this.walks = [walk];
  }

  get word(): string {
    this.#word ??= this.#lexicon.wordAt(this.#number);
    return this.#word;
  }
}

/** Every word of the lexicon that can be walked on the board, in one walk of the graph. */
export function findPlayable(board: Board, lexicon: Lexicon): PlayableWord[] {
  return hasRepeats(board) ? walkWithRepeats(board, lexicon) : walkOnce(board, lexicon);
}

function walkOnce(board: Board, lexicon: Lexicon): PlayableWord[] {
  const { letters, first, target, before } = lexicon;
  const spotOf = new Uint8Array(26);
  const others = new Uint32Array(26);
  let all = 0;
  for (let spot = 0; spot < board.letters.length; spot++) {
    const letter = letterAt(board, spot);
    spotOf[letter] = spot;
    all |= 1 << letter;
  }
  for (let spot = 0; spot < board.letters.length; spot++)
    others[letterAt(board, spot)] = all & ~sideLetters(board, spot);

  const found: PlayableWord[] = [];
  const visit = (
    node: number,
    number: number,
    depth: number,
    start: number,
    last: number,
    mask: number,
  ): void => {
    const bits = letters[node]!;
    if (bits & WORD_END)
      found.push(new LexiconWord(lexicon, number, depth, { start, end: spotOf[last]!, mask }));
    let open = bits & others[last]!;
    while (open !== 0) {
      const bit = open & -open;
      open ^= bit;
      const edge = first[node]! + popcount(bits & (bit - 1));
      const letter = lowest(bit);
      visit(target[edge]!, number + before[edge]!, depth + 1, start, letter, mask | (1 << spotOf[letter]!));
    }
  };
  const rootBits = letters[lexicon.root]!;
  for (let open = rootBits & all; open !== 0; open &= open - 1) {
    const bit = open & -open;
    const edge = first[lexicon.root]! + popcount(rootBits & (bit - 1));
    const letter = lowest(bit);
    visit(target[edge]!, before[edge]!, 1, spotOf[letter]!, letter, 1 << spotOf[letter]!);
  }
  return found;
}

function walkWithRepeats(board: Board, lexicon: Lexicon): PlayableWord[] {
  const { letters, first, target, before } = lexicon;
  const found = new Map<number, LexiconWord>();
  const visit = (
    node: number,
    number: number,
    depth: number,
    start: number,
    last: number,
    mask: number,
  ): void => {
    const bits = letters[node]!;
    if (bits & WORD_END) {
      const known = found.get(number);
      const walk = { start, end: last, mask };
      if (known === undefined) found.set(number, new LexiconWord(lexicon, number, depth, walk));
      else if (!known.walks.some((other) => isSameWalk(other, walk))) known.walks.push(walk);
    }
    for (let spot = 0; spot < board.letters.length; spot++) {
      const bit = 1 << letterAt(board, spot);
      if (!(bits & bit) || (last >= 0 && board.sideOf[spot] === board.sideOf[last])) continue;
      const edge = first[node]! + popcount(bits & (bit - 1));
      visit(
        target[edge]!,
        number + before[edge]!,
        depth + 1,
        last < 0 ? spot : start,
        spot,
        mask | (1 << spot),
      );
    }
  };
  visit(lexicon.root, 0, 0, -1, -1, 0);
  return [...found.entries()].sort(([a], [b]) => a - b).map(([, word]) => word);
}

/** All distinct walks of a word over the board; none if it can't be played. */
export function walkWord(board: Board, word: string): Walk[] {
  let walks: Walk[] = [];
  for (let index = 0; index < word.length; index++) {
    const next: Walk[] = [];
    for (let spot = 0; spot < board.letters.length; spot++) {
      if (board.letters[spot] !== word[index]) continue;
      const bit = 1 << spot;
      if (index === 0) next.push({ start: spot, end: spot, mask: bit });
      for (const { start, end, mask } of walks) {
        const walk = { start, end: spot, mask: mask | bit };
        if (board.sideOf[end] !== board.sideOf[spot] && !next.some((other) => isSameWalk(other, walk)))
          next.push(walk);
      }
    }
    walks = next;
  }
  return walks;
}

function isSameWalk(a: Walk, b: Walk): boolean {
  return a.start === b.start && a.end === b.end && a.mask === b.mask;
}

function letterAt(board: Board, spot: number): number {
  return board.letters.charCodeAt(spot) - 97;
}

function sideLetters(board: Board, spot: number): number {
  let mask = 0;
  for (const letter of board.sides[board.sideOf[spot]!]!) mask |= 1 << (letter.charCodeAt(0) - 97);
  return mask;
}
