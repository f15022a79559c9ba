import type { Picture } from '../model/types.ts';

/** A word of a caption, with the middle of its row. */
export interface CaptionWord {
  readonly text: string;
  /** Which word of the path it is, from 0. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

export interface Caption {
  readonly words: readonly CaptionWord[];
  readonly fontSize: number;
  /** How much higher it makes the picture. */
  readonly height: number;
}

const LARGEST = 44;
const SMALLEST = 22;
/** The width of a capital letter of the font at its widest on average, as a share of its size. */
const LETTER = 0.74;
/** Between two words, in letters. */
const GAP = 1.5;
const ROW = 1.35;
const MARGIN = 44;
/** Rows of the largest font that still look like a caption. */
const FEW_ROWS = 2;

/**
 * The words of a path as lines of text below the board, numbered as on their lines. Nothing where the picture has no
 * caption, no path or no letters.
 */
export function captionOf(
  { board, path, letters = true, captioned = false }: Picture,
  words: number,
  width: number,
): Caption | undefined {
  if (!captioned || !letters || path === undefined || words === 0) return undefined;
  const texts = path.words
    .slice(0, words)
    .map((spots, index) =>
      `${index + 1} ${spots.map((spot) => board.letters[spot]!).join('')}`.toUpperCase(),
    );
  const room = width - 2 * MARGIN;
  const longest = Math.max(...texts.map((text) => text.length));
  let fontSize = Math.min(LARGEST, room / (longest * LETTER));
  while (fontSize > SMALLEST && rowsOf(texts, room / (fontSize * LETTER)).length > FEW_ROWS) fontSize -= 2;
  const rows = rowsOf(texts, room / (fontSize * LETTER));
  return {
    fontSize,
    height: rows.length * fontSize * ROW + fontSize / 2,
    words: rows.flatMap((row, number) => {
      const letters = lengthOf(row.map(({ text }) => text));
      let at = width / 2 - (letters * fontSize * LETTER) / 2;
      return row.map(({ text, index }) => {
        const own = text.length * fontSize * LETTER;
        const x = at + own / 2;
        at += own + GAP * fontSize * LETTER;
        return { text, index, x, y: (number + 0.5) * fontSize * ROW };
      });
    }),
  };
}

interface RowWord {
  readonly text: string;
  readonly index: number;
}

/** As many words in each row as fit. */
function rowsOf(texts: readonly string[], letters: number): RowWord[][] {
  const rows: RowWord[][] = [];
  for (const [index, text] of texts.entries()) {
    const row = rows.at(-1);
    if (row !== undefined && lengthOf([...row.map((word) => word.text), text]) <= letters)
      row.push({ text, index });
    else rows.push([{ text, index }]);
  }
  return rows;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0) + GAP * (texts.length - 1);
}
