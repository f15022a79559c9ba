/** Sentences are never read as boards, and boards are, however they are typed. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { UserError } from '../../src/core/errors.ts';
import { Random } from '../../src/core/random.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { formatBoard, parseBoard } from '../../src/solver/board.ts';
import { readLexicon } from '../../src/wordlists/load.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;

/** The sides that a line is read as, if they are a board, and otherwise as they were read. */
function sidesIn(line: string): string | undefined {
  const { options } = readLine(line, COMMANDS, isWord);
  const sides = options instanceof UserError ? undefined : options.sides;
  if (sides === undefined) return undefined;
  try {
    return formatBoard(parseBoard(String(sides)));
  } catch {
    return String(sides);
  }
}

describe('a sentence', () => {
  const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');

  test('is never read as a board, of hundreds that are typed in chats', () => {
    expect(new Set(sentences).size).toBeGreaterThan(500);
    expect(sentences.filter((line) => sidesIn(line) !== undefined)).toEqual([]);
    const shouted = sentences.filter((line) => sidesIn(line.toUpperCase()) !== undefined);
    expect(shouted).toEqual([]);
  });
});

/** Numbers of letters on each side: of the newspaper's boards, and of all boards here, which mostly have that shape. */
const USUAL = [3, 3, 3, 3];
const SHAPES = [
  ...Array.from({ length: 14 }, () => USUAL),
  ...[
    [4, 4, 4, 4],
    [3, 3, 3],
    [4, 4, 4],
    [2, 2, 2, 2, 2, 2],
    [3, 3, 3, 3, 3],
    [4, 3, 3, 3],
    [4, 2, 3, 3],
  ],
];
const VOWELS = 'aeiou';
const CONSONANTS = 'bcdfghjklmnpqrstvwxyz';

/** A board without repeats, of which about a third are vowels. */
function randomSides(shape: readonly number[], random: Random): string[] {
  const size = shape.reduce((sum, length) => sum + length);
  const vowels = Math.min(VOWELS.length, Math.round(size / 3));
  const letters = shuffled(
    [
      ...shuffled([...VOWELS], random).slice(0, vowels),
      ...shuffled([...CONSONANTS], random).slice(0, size - vowels),
    ],
    random,
  );
  return shape.map((length) => letters.splice(0, length).join(''));
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random.below(items.length)]!;
}

function shuffled(items: readonly string[], random: Random): string[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}

/** How people type a board. */
const FORMS: readonly ((sides: readonly string[]) => string)[] = [
  (sides) => sides.join(' '),
  (sides) => sides.join(',').toUpperCase(),
  (sides) => sides.join(', '),
  (sides) => sides.join('-'),
  (sides) => sides.join(' - ').toUpperCase(),
  (sides) => sides.join('/'),
  (sides) => sides.join(' / ').toUpperCase(),
  (sides) => sides.join(' | '),
  (sides) => sides.join('; '),
  (sides) => sides.join('.'),
  (sides) => sides.join('\n'),
  (sides) => `${sides.join('\n').toUpperCase()}\n`,
  (sides) => sides.map((side) => side[0]!.toUpperCase() + side.slice(1)).join(' '),
  (sides) => `[${sides.map((side) => `[${side}]`).join(',')}]`,
  (sides) => JSON.stringify(sides),
  (sides) => `(${sides.join(' ')})`,
  (sides) => (isUsualShape(sides) ? sides.join('') : sides.join('  ')),
  (sides) => (isUsualShape(sides) ? sides.join('').toUpperCase() : sides.join(' ')),
  (sides) => (isUsualShape(sides) ? [...sides.join('')].join(' ') : sides.join(' ')),
];

function isUsualShape(sides: readonly string[]): boolean {
  return sides.length === 4 && sides.every((side) => side.length === 3);
}

/** What people type around a board. */
const AROUND: readonly ((board: string) => string)[] = [
  (board) => board,
  (board) => board,
  (board) => `solve ${board}`,
  (board) => `Solve ${board}`,
  (board) => `solve: ${board}`,
  (board) => `solve this: ${board}`,
  (board) => `Solve this board: ${board}`,
  (board) => `can you solve ${board}?`,
  (board) => `please solve ${board}`,
  (board) => `@letterboxed ${board}`,
  (board) => `/letterboxed solve ${board}`,
  (board) => `sides: ${board}`,
  (board) => `sides:"${board.replaceAll('"', '')}"`,
  (board) => `solve sides:"${board.replaceAll('"', '')}"`,
  (board) => `Today’s letters are ${board}`,
  (board) => `the board is: ${board}`,
  (board) => `hint ${board}`,
  (board) => `words ${board}`,
  (board) => `play ${board}`,
  (board) => `reveal ${board}`,
];

/** Lines with these boards that are not read as them. */
function misreadOf(
  number: number,
  random: Random,
  makeSides: (random: Random) => readonly string[],
): string[] {
  const lines = Array.from({ length: number }, () => {
    const sides = makeSides(random);
    const line = pick(AROUND, random)(pick(FORMS, random)(sides));
    return { line, sides: sides.join(' ') };
  });
  return lines.filter(({ line, sides }) => sidesIn(line) !== sides).map(({ line }) => line);
}

describe('a board', () => {
  test('is read as it is, in all the ways in which people type boards', () => {
    expect(
      misreadOf(500, new Random('boards'), (random) => randomSides(pick(SHAPES, random), random)),
    ).toEqual([]);
  });

  test.each(['aves; iy; gul; kjx', 'imkr.nwo.gcp.leu', 'sides:"cwol, kzv, puh, ait"'])(
    'is read as it is, though sides of it are words: %s',
    (line) => expect(sidesIn(line)?.split(' ')).toHaveLength(4),
  );

  test('of the newspaper’s shape is never read as anything else', () => {
    expect(misreadOf(2000, new Random('usual'), (random) => randomSides(USUAL, random))).toEqual([]);
  });
});
