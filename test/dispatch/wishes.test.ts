/** People's own words are understood, and nothing that costs or changes something for others is done by a guess. */
import { expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { UserError } from '../../src/core/errors.ts';
import { Random } from '../../src/core/random.ts';
import { splitWords } from '../../src/core/text.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { oddsOf, wishRows } from '../../src/dispatch/wish-words.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { readMeant, understood } from './wishes.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;

/** A long run reads all lines, and else each eighth of the many. */
const EACH = process.env.LONG === '1' ? 1 : 8;

test.each([
  // The lines that were asked for by name.
  ['wishes.txt', 1, 0.99],
  // What the model has learned from, and the table was written for.
  ['spoken.txt', EACH, 0.92],
  // Lines of people whose others are in neither: so many are understood by people who come new. No line of it may be learned.
  ['unseen.txt', 1, 0.9],
] as const)('most lines of %s are understood, and none is a wrong deed', (file, each, least) => {
  const lines = readMeant(new URL(file, import.meta.url)).filter((_, at) => at % each === 0);
  const read = lines.map(understood);
  const failed = read.filter(({ outcome }) => outcome !== 'right' && outcome !== 'offered');
  const share = 1 - failed.length / read.length;
  console.log(
    `${file}: ${read.length - failed.length} of ${read.length} lines understood (${(100 * share).toFixed(1)} %)`,
  );
  if (file !== 'unseen.txt')
    console.log(failed.map(({ line, outcome, read }) => `${outcome}: ${line} (${read})`).join('\n'));
  expect(share).toBeGreaterThanOrEqual(least);
  expect(read.filter(({ outcome }) => outcome === 'wrong deed')).toEqual([]);
});

test('the model knows the rows of the table, and that a line may wish for nothing', () => {
  expect([...oddsOf([]).keys()].sort()).toEqual(['', ...wishRows.keys()].sort());
});

test('every row of the table is an action that its command can read, with a label', () => {
  expect(wishRows.size).toBeGreaterThan(60);
  for (const { label, action } of wishRows.values()) {
    expect(label).not.toBe('');
    const command = COMMANDS.find(({ name }) => name === action?.command);
    expect([label, action === undefined || command !== undefined]).toEqual([label, true]);
    const names = command?.options.map(({ name }) => name) ?? [];
    expect([label, Object.keys(action?.options ?? {}).filter((name) => !names.includes(name))]).toEqual([
      label,
      [],
    ]);
  }
});

/** Looks up no more words than a line has, whatever its length. */
test.each([
  ['a line of 300 characters', 'please give me zax '.repeat(15)],
  ['a line of 4,000 characters', 'zax '.repeat(1000)],
  ['a list', '1. zax\n'.repeat(500)],
  ['a quotation', `"${'what about zax and '.repeat(200)}"`],
])('reads %s in a number of steps that grows with its length', (_, line) => {
  let steps = 0;
  const isWord = () => ++steps < 0;
  readLine(line.slice(0, 4000), COMMANDS, isWord);
  expect(steps).toBeLessThanOrEqual(4 * line.length);
});

test('words to play are no wishes, and wishes no words, for 2,000 lines', () => {
  const random = new Random('played lines');
  const words = [...lexicon.entries()].flatMap(({ word, tier }) => (tier === 'everyday' ? [word] : []));
  const byLetter = Map.groupBy(words, (word) => word[0]!);
  const misread = Array.from({ length: 2000 }, () => {
    const first = words[random.below(words.length)]!;
    const after = byLetter.get(first.at(-1)!)!;
    const second = after[random.below(after.length)]!;
    const line = random.below(2) === 0 ? first : [first, second].join([' ', ', ', ' - '][random.below(3)]);
    const typed = random.below(2) === 0 ? line.toUpperCase() : line;
    const { command, options: read, alsoWords } = readLine(typed, COMMANDS, isWord);
    const isPlayed = command === 'play' && !(read instanceof UserError) && read.typed === 'yes';
    return isPlayed || alsoWords?.join() === splitWords(line).join() ? undefined : typed;
  }).filter((line) => line !== undefined);
  console.log(`${misread.length} of 2000 played lines misread: ${misread.join('; ')}`);
  expect(misread.length).toBeLessThanOrEqual(4);
});
