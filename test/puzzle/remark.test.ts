import { expect, test } from 'vitest';
import { addDays } from '../../src/puzzle/calendar.ts';
import { housePuzzle } from '../../src/puzzle/house.ts';
import { REMARK_REPEAT_DAYS, type Remark, remarkOn, remarksOn, remarkText } from '../../src/puzzle/remark.ts';
import { LETTER_KINDS } from '../../src/puzzle/remark-kinds.ts';
import { CAGED } from '../../src/puzzle/remark-words.ts';
import type { DayBoard } from '../../src/puzzle/types.ts';
import { makeBoard, stuckAt } from '../../src/solver/board.ts';
import { isSuitable } from '../../src/wordlists/offensive-words.ts';
import { random } from '../solver/random-boards.ts';

const dayOf = (sides: string): DayBoard => ({ date: '2026-11-20', board: makeBoard(sides.split(' ')) });

/** The words in capitals that a text says. */
const wordsIn = (text: string) => [...text.matchAll(/\b[A-Z]{3,}\b/g)].map(([word]) => word);

/** What a remark says of a board tells no hint: no word in capitals can be played, nor is any of its letters elsewhere. */
function expectNoHint({ board }: DayBoard, { kind, text }: Remark) {
  expect(text).toMatch(/^[A-Z][^!]{10,69}[.?]$/);
  if (kind === 'long run') return;
  for (const word of wordsIn(text).filter((one) => one !== 'ING'))
    expect(stuckAt(board, [...word.toLowerCase()]), `${word} on ${board.sides.join(' ')}`).toBeDefined();
}

test('a year of mornings has 200 different remarks and more, none of a kind twice within 20 days, none with a hint', () => {
  const said: Remark[] = [];
  for (let day = 0; day < 365; day++) {
    const puzzle = housePuzzle(addDays('2027-01-01', day));
    const before = said.slice(-REMARK_REPEAT_DAYS).map(({ kind }) => kind);
    const remark = remarkOn(puzzle, before.toReversed())!;
    expect(before, puzzle.date).not.toContain(remark.kind);
    expect(remarkText(puzzle, remark.kind)).toBe(remark.text);
    expectNoHint(puzzle, remark);
    said.push(remark);
  }
  expect(REMARK_REPEAT_DAYS).toBeGreaterThanOrEqual(20);
  expect(new Set(said.map(({ text }) => text)).size).toBeGreaterThanOrEqual(200);
  const caged = said.filter(({ kind }) => Object.hasOwn(CAGED, kind));
  expect(caged.length).toBeGreaterThan(150);
  expect(new Set(caged.map(({ kind }) => kind)).size).toBeGreaterThan(40);
});

test('says of the house’s boards what it said, each kind once', async () => {
  const said = new Map<string, string>();
  for (let day = 0; day < 300; day++) {
    const puzzle = housePuzzle(addDays('2028-04-01', day));
    for (const { kind, text } of remarksOn(puzzle))
      if (!said.has(kind)) said.set(kind, `${puzzle.date} ${kind}: ${text}`);
  }
  await expect(`${[...said.values()].join('\n')}\n`).toMatchFileSnapshot('expected/remarks.txt');
});

test('is about letters and sides only, and names no word that can be played', () => {
  const next = random(7);
  let words = 0;
  for (let index = 0; index < 300; index++) {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
      .map((letter) => ({ letter, at: next() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, 12)
      .map(({ letter }) => letter);
    const day = dayOf([0, 3, 6, 9].map((at) => letters.slice(at, at + 3).join('')).join(' '));
    for (const remark of remarksOn(day)) {
      expectNoHint(day, remark);
      words += wordsIn(remark.text).length;
    }
  }
  expect(words).toBeGreaterThan(300);
});

test('says nothing of a word that can be played', () => {
  expect(remarkText(dayOf('tga ien rol sdh'), 'animal') ?? '').not.toContain('TIGER');
  expect(stuckAt(dayOf('tne asd mio hrl').board, [...'team'])).toBeDefined();
  // TEAM can be played here.
  expect(remarkText(dayOf('tms eon adh rlc'), 'no I')).toBeUndefined();
});

test('names suitable words only', () => {
  for (const [, words] of Object.values(CAGED))
    for (const word of words.split(/\s+/)) expect(isSuitable(word), word).toBe(true);
});

test('leaves out what was said before, down to nothing, and rests what sounds like it', () => {
  const day = dayOf('qrs aei tnl hdo');
  const all = [...remarksOn(day)].map(({ kind }) => kind);
  expect(remarkOn(day)?.kind).toBe('q alone');
  expect(remarkOn(day, all)).toBeUndefined();
  expect(Object.hasOwn(CAGED, remarkOn(day, ['q alone'])!.kind)).toBe(true);
  const split = dayOf('thc aei sob ndr');
  expect(remarkText(split, 'TH')).toBeDefined();
  expect(remarkOn(split, ['CH'])?.text).not.toContain('share a side');
});

test('is also true of boards of other shapes', () => {
  expect(remarkText(dayOf('th ht ae oi'), 'TH')).toBeUndefined();
  expect(remarkText(dayOf('bcd fgh jkl mnp'), 'two vowels')).toBeUndefined();
  expect(Object.keys(LETTER_KINDS).filter((kind) => Object.hasOwn(CAGED, kind))).toEqual([]);
});
