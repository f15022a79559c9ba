/** Prints how like the newspaper's answers the house's schedule is, how often its words come, and how hard its weekdays are. */
import { Random } from '../../src/core/random.ts';
import { addDays, weekdayOf } from '../../src/puzzle/calendar.ts';
import { housePuzzle, SCHEDULE_DAYS, SCHEDULE_START } from '../../src/puzzle/house.ts';
import { popcount } from '../../src/solver/bits.ts';
import { everydayWords, expectedWords } from '../../src/solver/difficulty.ts';
import { countTwoWords } from '../../src/solver/generate.ts';
import { walkDistinct } from '../../src/solver/playable.ts';
import { type Board, type BoardWords, GRADES } from '../../src/solver/types.ts';
import { readListings } from '../../src/wordlists/build.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { compare, TABLES } from './tables.ts';

/** Games of each player on a board. */
const GAMES = 21;
/** Words after which a simulated player gives up: it counts as one more. */
const MOST_WORDS = 12;
/** Words that come to the careful player's mind at a time. */
const FEW = 8;
/** What each word played adds to how long a player looks for the next one. */
const EFFORT = 0.5;

const lexicon = readLexicon();
const listings = readListings();
const random = new Random('players');
const puzzles = Array.from({ length: SCHEDULE_DAYS }, (_, day) => housePuzzle(addDays(SCHEDULE_START, day)));
const rows = puzzles.map(({ date, board, par = 0, official = [] }) => {
  const all = walkDistinct(board, lexicon);
  const words = { ...all, ...everydayWords(all, lexicon) };
  const recall = Float64Array.from(words.wordOf, (word) => recallOf(lexicon.wordAt(all.spelling[word]!)));
  const known: Known = { board, words, recall };
  const games = (play: typeof greedyPlayer) =>
    Array.from({ length: GAMES }, () => play(known, random)).sort((a, b) => a - b);
  return {
    step: weekdayOf(date) - 1,
    par,
    words: [official[0]!, official[1]!] as const,
    solutions: countTwoWords(board, lexicon).solutions,
    expected: expectedWords(words),
    greedy: games(greedyPlayer),
    careful: games(carefulPlayer),
  };
});

for (const table of TABLES) {
  const { name, rows: cells, outside, chiSquare, freedom, p } = compare(table, rows);
  const missed = cells
    .filter(({ chi }) => chi > 3.84)
    .map(({ cell, count, expected }) => `${cell} ${count} (${expected.toFixed(0)})`);
  console.log(
    `${name}: chi-square ${chiSquare.toFixed(1)}, ${freedom} degrees, p ${p.toFixed(3)}, outside ${outside}${missed.length > 0 ? `; ${missed.join(', ')}` : ''}`,
  );
}
printRepeats();
for (const [step, name] of GRADES.entries()) {
  const own = rows.filter((row) => row.step === step);
  const of = (pick: (row: (typeof rows)[number]) => number) => {
    const values = own.map(pick);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    return `${mean.toFixed(2)} ± ${spread.toFixed(2)}`;
  };
  const mean = (games: readonly number[]) => games.reduce((a, b) => a + b, 0) / games.length;
  const met = (player: 'greedy' | 'careful') =>
    own.reduce((sum, row) => sum + row[player].filter((words) => words <= row.par).length / GAMES, 0) /
    own.length;
  console.log(
    `${name}: expected ${of(({ expected }) => expected)}, greedy ${of(({ greedy }) => mean(greedy))}, careful ${of(({ careful }) => mean(careful))}, par ${of(({ par }) => par)}, met by ${met('greedy').toFixed(2)} and ${met('careful').toFixed(2)}, ${((met('greedy') + met('careful')) / 2).toFixed(2)} of all`,
  );
}
for (const player of ['greedy', 'careful'] as const) {
  const means = rows.map((row) => row[player].reduce((a, b) => a + b, 0) / GAMES);
  console.log(
    `${player}: r = ${correlation(
      rows.map(({ expected }) => expected),
      means,
    ).toFixed(2)}`,
  );
}

/** How likely somebody is to think of a word: as more often it is heard in films. */
function recallOf(word: string): number {
  const { count } = listings.get(word)!;
  return 0.4 * (0.1 + 0.9 / (1 + Math.exp(-1.6 * (Math.log10(1 + count) - 2))));
}

function printRepeats(): void {
  const at = Map.groupBy(
    rows.flatMap(({ words }, day) => words.map((word) => ({ word, day }))),
    ({ word }) => word,
  );
  const times = [...at.values()].map(({ length }) => length);
  const gaps = [...at.values()].flatMap((uses) =>
    uses.map(({ day }, index) => {
      const next = uses[(index + 1) % uses.length]!.day;
      return uses.length === 1 ? Number.POSITIVE_INFINITY : (next - day + SCHEDULE_DAYS) % SCHEDULE_DAYS;
    }),
  );
  console.log(
    `words: ${at.size}, none more than ${Math.max(...times)} times, none again within ${Math.min(...gaps) - 1} days`,
  );
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((x, y) => x + y, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const sum = (of: (at: number) => number) => a.reduce((total, _, at) => total + of(at), 0);
  return (
    sum((at) => (a[at]! - ma) * (b[at]! - mb)) /
    Math.sqrt(sum((at) => (a[at]! - ma) ** 2) * sum((at) => (b[at]! - mb) ** 2))
  );
}

/** A board's everyday words, as the simulated players see them. */
interface Known {
  readonly board: Board;
  readonly words: BoardWords;
  /** By edge, how likely somebody is to think of the word when it would fit, from 0 to 1. */
  readonly recall: Float64Array;
}

/** How a player chooses among the words that come to mind: the highest value. */
type Taste = (edge: number, left: number, known: Known) => number;

/**
 * Takes, of the words that come to mind, one that has the most new letters.
 *
 * @returns words until every letter is touched
 */
function greedyPlayer(known: Known, random: Random): number {
  return play(known, random, (edge, left, { words }) => popcount(words.masks[edge]! & left));
}

/**
 * Another kind of player: of only a few words that come to mind, one that has the letters which stand in few words, and from
 * whose end many words go on.
 */
function carefulPlayer(known: Known, random: Random): number {
  const { words, board } = known;
  const worth = Float64Array.from(board.letters, (_, spot) => {
    let through = 0;
    for (const mask of words.masks) through += (mask >>> spot) & 1;
    return 1 + 3 / Math.sqrt(1 + through);
  });
  return play(
    known,
    random,
    (edge, left) => {
      let value = 0;
      const fresh = words.masks[edge]! & left;
      for (let spot = 0; spot < worth.length; spot++) if ((fresh >>> spot) & 1) value += worth[spot]!;
      const end = words.ends[edge]!;
      return value + 0.25 * Math.log1p(words.from[end + 1]! - words.from[end]!);
    },
    FEW,
  );
}

function play(known: Known, random: Random, taste: Taste, most = Number.POSITIVE_INFINITY): number {
  const { board, words, recall } = known;
  let left = board.full;
  let spot = -1;
  for (let played = 1; played <= MOST_WORDS; played++) {
    const from = spot < 0 ? 0 : words.from[spot]!;
    const to = spot < 0 ? words.masks.length : words.from[spot + 1]!;
    let best = -1;
    let value = Number.NEGATIVE_INFINITY;
    let seen = 0;
    // The longer a game takes, the longer they look for a word.
    const effort = 1 + (played - 1) * EFFORT;
    const offset = random.below(Math.max(1, to - from));
    for (let index = 0; index < to - from && seen < most; index++) {
      const edge = from + ((index + offset) % (to - from));
      if (random.next() / 2 ** 32 < (1 - recall[edge]!) ** effort) continue;
      seen++;
      const worth = taste(edge, left, known);
      if (worth <= value) continue;
      best = edge;
      value = worth;
    }
    // Nothing comes to mind: the turn is lost, as by a filler word.
    if (best < 0) continue;
    left &= ~words.masks[best]!;
    spot = words.ends[best]!;
    if (left === 0) return played;
  }
  return MOST_WORDS + 1;
}
