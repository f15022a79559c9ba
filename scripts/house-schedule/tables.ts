/** The tables by which a schedule is compared with the newspaper's answers: a cell for each letter, ending, length and so on. */
import { readFileSync } from 'node:fs';

type Shares = Readonly<Record<string, number>>;

/** Facts counted over two years of the newspaper's answers. */
const SHARES: Readonly<Record<string, Shares>> & { readonly days: number } = JSON.parse(
  readFileSync(new URL('./shares.json', import.meta.url), 'utf8'),
);

/** What the tables look at. */
export interface Answer {
  readonly words: readonly [string, string];
  /** Two-word solutions with all words. */
  readonly solutions: number;
}

interface Table {
  readonly name: string;
  readonly cells: readonly string[];
  /** Of each cell, its expected number on a day. */
  readonly expected: readonly number[];
  /** Cells of which each day or word has exactly one, so that chi-square has a degree less than there are cells. */
  readonly isPartition: boolean;
  readonly cellsOf: (answer: Answer) => readonly string[];
}

const ENDINGS = ['ing', 'ion', 'ed', 'er', 'ly', 'al', 'le', 'ic', 'd', 'e', 'l', 'n', 'r', 's', 't', 'y'];
const BEGINNINGS = Object.keys(SHARES['beginning, share of words']!);
const OTHER = 'other';
const VOWELS = 'aeiou';

/** The newspaper's shares count a word in -ed among those in -d, too. */
function endingShares(): Shares {
  const shares = { ...SHARES['ending, share of words'] };
  for (const [longer, shorter] of Object.entries({ ed: 'd', er: 'r', ly: 'y', al: 'l', le: 'e', ion: 'n' }))
    shares[shorter]! -= shares[longer]!;
  return shares;
}

/** The quartiles and the 90th percentile of the newspaper's two-word solutions. */
const SOLUTIONS: Shares = { '1–2': 0.25, '3–13': 0.25, '14–51': 0.25, '52–174': 0.15, more: 0.1 };

export const TABLES: readonly Table[] = [
  partition('joint letter', SHARES['joint letter, share of days']!, 1, ({ words }) => [words[1][0]!]),
  {
    name: 'letter on the board',
    ...cells(SHARES['letter on the board, share of days']!, 1),
    isPartition: false,
    cellsOf: ({ words }) => lettersOf(words),
  },
  partition('first letter of a word', SHARES['first letter, share of words']!, 2, ({ words }) =>
    words.map((word) => word[0]!),
  ),
  partition('beginning of a word', SHARES['beginning, share of words']!, 2, ({ words }) =>
    words.map((word) => BEGINNINGS.find((one) => word.startsWith(one)) ?? OTHER),
  ),
  partition('ending of a word', endingShares(), 2, ({ words }) =>
    words.map((word) => ENDINGS.find((one) => word.endsWith(one)) ?? OTHER),
  ),
  partition('length of a word', SHARES['length of a word, share of words']!, 2, ({ words }) =>
    words.map(({ length }) => String(length)),
  ),
  partition('letters of an answer', SHARES['letters of an answer, share of days']!, 1, ({ words }) => [
    String(words.join('').length),
  ]),
  partition('vowels on the board', SHARES['vowels on the board, share of days']!, 1, ({ words }) => [
    String(lettersOf(words).filter((letter) => VOWELS.includes(letter)).length),
  ]),
  partition('two-word solutions', SOLUTIONS, 1, ({ solutions }) => [
    solutions <= 2
      ? '1–2'
      : solutions <= 13
        ? '3–13'
        : solutions <= 51
          ? '14–51'
          : solutions <= 174
            ? '52–174'
            : 'more',
  ]),
];

function lettersOf(words: readonly string[]): string[] {
  return [...new Set(words.join(''))];
}

function cells(shares: Shares, perDay: number) {
  const known = Object.keys(shares);
  return { cells: known, expected: known.map((cell) => perDay * shares[cell]!) };
}

/** Shares are rounded, so that what is missing to 1 is a cell of its own, or is made up for by all. */
function partition(name: string, shares: Shares, perDay: number, cellsOf: Table['cellsOf']): Table {
  const sum = Object.values(shares).reduce((a, b) => a + b, 0);
  const whole: Shares =
    sum > 0.98
      ? Object.fromEntries(Object.entries(shares).map(([cell, share]) => [cell, share / sum]))
      : { ...shares, [OTHER]: 1 - sum };
  return { name, ...cells(whole, perDay), isPartition: true, cellsOf };
}

/** How many days or words of a schedule are in each cell, and whether it differs from the newspaper by more than chance. */
export function compare(table: Table, answers: readonly Answer[]) {
  const counts = new Map<string, number>(table.cells.map((cell) => [cell, 0]));
  let outside = 0;
  for (const answer of answers)
    for (const cell of table.cellsOf(answer))
      counts.has(cell) ? counts.set(cell, counts.get(cell)! + 1) : outside++;
  const days = answers.length;
  const rows = table.cells.map((cell, at) => {
    const expected = table.expected[at]! * days;
    const count = counts.get(cell)!;
    // A letter is on a board or not: the cells of one letter are a table of their own.
    const spread = table.isPartition ? expected : expected * (1 - table.expected[at]!);
    return { cell, count, expected, chi: (count - expected) ** 2 / spread };
  });
  const chiSquare = rows.reduce((sum, { chi }) => sum + chi, 0);
  const freedom = rows.length - (table.isPartition ? 1 : 0);
  return { name: table.name, rows, outside, chiSquare, freedom, p: upperTail(chiSquare, freedom) };
}

/** The probability of a larger chi-square (Wilson and Hilferty's approximation). */
function upperTail(chiSquare: number, freedom: number): number {
  const z = ((chiSquare / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / Math.sqrt(2 / (9 * freedom));
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const tail =
    density *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z >= 0 ? tail : 1 - tail;
}
