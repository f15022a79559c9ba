/** Boards that a schedule may choose from: pairs of words as the newspaper's, by its shares, each arranged on four sides. */
import { Random } from '../../src/core/random.ts';
import { lettersIn, popcount } from '../../src/solver/bits.ts';
import { makeBoard, NEWSPAPER_LETTERS } from '../../src/solver/board.ts';
import { arrange } from '../../src/solver/candidates.ts';
import { everydayWords, expectedWords } from '../../src/solver/difficulty.ts';
import { joinTwo } from '../../src/solver/edges.ts';
import type { Lexicon } from '../../src/solver/lexicon.ts';
import { walkDistinct } from '../../src/solver/playable.ts';
import type { Board } from '../../src/solver/types.ts';
import { spellsCrude } from '../../src/wordlists/offensive-words.ts';
import { type Answer, TABLES } from './tables.ts';
import type { ScheduleWord } from './words.ts';

export interface PoolBoard extends Answer {
  readonly board: Board;
  /** Numbers of the words and of their families. */
  readonly numbers: readonly [number, number];
  /** The words that a player is expected to need. */
  readonly expected: number;
  readonly beauty: number;
}

const SHAPE = { sides: 4, sideLength: 3 };
/** Pairs that are weighed for each joint, and the boards that are made of the whole. */
const PAIRS_PER_JOINT = 40_000;
const ROUNDS = 25;

interface Pair {
  readonly numbers: readonly [number, number];
  readonly cells: readonly number[];
  weight: number;
}

export function makePool(
  lexicon: Lexicon,
  words: readonly ScheduleWord[],
  boards: number,
  seed: string,
): PoolBoard[] {
  const random = new Random(seed);
  const pairs = pairsOf(words, random);
  console.log(`pairs: ${pairs.length}`);
  rake(pairs);
  const pool: PoolBoard[] = [];
  for (const pair of drawn(pairs, boards, random)) {
    const made = arranged(lexicon, words, pair.numbers, random);
    if (made !== undefined) pool.push(made);
  }
  return pool;
}

/** Two words of twelve letters together, some of each joint. */
function pairsOf(words: readonly ScheduleWord[], random: Random): Pair[] {
  const masks = words.map(({ word }) => lettersIn(word));
  const value = words.map(worthOf);
  const cellsOf = cellNumbers();
  const pairs: Pair[] = [];
  for (const joint of TABLES[0]!.cells) {
    const firsts = words.flatMap(({ word }, at) => (word.endsWith(joint) ? [at] : []));
    const seconds = words.flatMap(({ word }, at) => (word.startsWith(joint) ? [at] : []));
    const found: [number, number][] = [];
    for (const first of firsts)
      for (const second of seconds)
        if (
          popcount(masks[first]! | masks[second]!) === NEWSPAPER_LETTERS &&
          words[first]!.family !== words[second]!.family
        )
          found.push([first, second]);
    const kept = found.length <= PAIRS_PER_JOINT ? found : random.shuffle(found).slice(0, PAIRS_PER_JOINT);
    for (const numbers of kept) {
      const texts = [words[numbers[0]]!.word, words[numbers[1]]!.word] as const;
      const cells = cellsOf({ words: texts, solutions: 0 });
      if (cells === undefined) continue;
      pairs.push({
        numbers,
        cells,
        weight: (value[numbers[0]]! * value[numbers[1]]! * found.length) / kept.length,
      });
    }
  }
  return pairs;
}

/** Better-known words are taken more often. */
function worthOf({ count, vivid }: ScheduleWord): number {
  return Math.min(count, 1_000) ** 0.3 * (vivid ? 1.6 : 1);
}

/** Numbers of the cells of an answer through all tables but the last; undefined if a cell is not the newspaper's. */
function cellNumbers() {
  const tables = TABLES.slice(0, -1);
  const numbers = tables.map(({ cells }) => new Map(cells.map((cell, at) => [cell, at])));
  const bases = tables.map((_, table) =>
    tables.slice(0, table).reduce((sum, { cells }) => sum + cells.length, 0),
  );
  return (answer: Answer): number[] | undefined => {
    const cells = tables.flatMap(({ cellsOf }, table) =>
      cellsOf(answer).map((cell) => {
        const number = numbers[table]!.get(cell);
        return number === undefined ? -1 : bases[table]! + number;
      }),
    );
    return cells.includes(-1) ? undefined : cells;
  };
}

/** Weighs the pairs so that each cell has its share: iterative proportional fitting. */
function rake(pairs: readonly Pair[]): void {
  const expected = TABLES.slice(0, -1).flatMap((table) => table.expected);
  for (let round = 0; round < ROUNDS; round++) {
    const sums = new Float64Array(expected.length);
    let total = 0;
    for (const { cells, weight } of pairs) {
      total += weight;
      for (const cell of cells) sums[cell]! += weight;
    }
    const factor = expected.map((share, cell) =>
      sums[cell]! === 0 ? 1 : ((share * total) / sums[cell]!) ** 0.5,
    );
    for (const pair of pairs) for (const cell of pair.cells) pair.weight *= factor[cell]!;
  }
}

function drawn(pairs: readonly Pair[], count: number, random: Random): Pair[] {
  // The keys of Efraimidis and Spirakis: a draw by weight, without repeating any.
  return pairs
    .map((pair) => ({ pair, key: -Math.log((random.next() + 1) / 2 ** 32) / pair.weight }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ pair }) => pair);
}

/** A board of two words on sides that are drawn; undefined if it has none, or none that anybody wants to read. */
export function arranged(
  lexicon: Lexicon,
  words: readonly ScheduleWord[],
  numbers: readonly [number, number],
  random: Random,
): PoolBoard | undefined {
  const texts = numbers.map((number) => words[number]!.word);
  const sides = arrange(texts, { shape: SHAPE, random, spreadVowels: random.below(3) > 0 });
  if (sides === undefined || spellsUnwelcome(sides)) return;
  return measured(lexicon, words, numbers, makeBoard(sides));
}

/** A board with all that a schedule looks at; undefined if one word solves it. */
export function measured(
  lexicon: Lexicon,
  words: readonly ScheduleWord[],
  numbers: readonly [number, number],
  board: Board,
): PoolBoard | undefined {
  const all = walkDistinct(board, lexicon);
  if (all.masks.includes(board.full)) return;
  const { size } = joinTwo({ ...all, bits: NEWSPAPER_LETTERS, full: board.full });
  const [first, second] = [words[numbers[0]]!, words[numbers[1]]!];
  return {
    board,
    words: [first.word, second.word],
    numbers,
    solutions: size,
    expected: expectedWords(everydayWords(all, lexicon)),
    beauty: beautyOf(first, second),
  };
}

const FORMS = /(?:ly|ing|ed|s|er|ers|ness|ation|ment|able|ity|ive|al)$/;

/** How well known both words are, how vivid, and how different from each other. */
function beautyOf(first: ScheduleWord, second: ScheduleWord): number {
  const known = (word: ScheduleWord) => Math.min(3, Math.log10(word.count));
  const form = (word: string) => FORMS.exec(word)?.[0];
  const [a, b] = [form(first.word), form(second.word)];
  const shared = popcount(lettersIn(first.word) & lettersIn(second.word));
  return (
    Math.min(known(first), known(second)) / 2 +
    (known(first) + known(second)) / 4 +
    0.6 * (Number(first.vivid) + Number(second.vivid)) -
    0.3 * (Number(a !== undefined) + Number(b !== undefined)) -
    (a !== undefined && a === b ? 1 : 0) -
    0.1 * Math.max(0, shared - 2)
  );
}

/** What a side may not spell, from either end: abbreviations of illness, drugs, insults, parties and police. */
const UNWELCOME = new Set(
  `wtf hiv lsd std pcp thc ghb cia fbi kgb nsa irs nra kkk ira plo isis sob pos pms stfu mdma ied emp wmd dui dwi owi
  lol omg ffs fml smh afk nsf nsfw tnt kia mia dob dna rip ptsd ocd adhd add tb ms als ibs utd uti hpv hsv nda jfk
  die ded sin sex gun war cum tit fat gay lez fag hoe ho pee poo wee pus rat gut gag rot rib sob hag nag mob mug bum
  ass fuc fuk fck fuq sht shi pis pim dic dik cok cun cnt kok vag jiz jap wop kik nig nga spi chi gyp mic abo coo
  kys rap rpe pdo ped hel dam dmn god jew nun pot kil ill ail dna bra bod anu anl sux suk kkk ss ku naz btc usa ussr
  gop dem maga bnp ukip ndp nzi dyk lsb hmo aid hit hot oap bj dp tna dtf mlf cok nob git twt tw bon cia`.split(
    /\s+/,
  ),
);

/** Whether people who read a side, or around the box, find a word there that nobody wants to read. */
function spellsUnwelcome(sides: readonly string[]): boolean {
  return (
    spellsCrude(sides.join('')) ||
    sides.some((side) => UNWELCOME.has(side) || UNWELCOME.has([...side].reverse().join('')))
  );
}
