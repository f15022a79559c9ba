/** Commands that are made to take long, as somebody might type them who wants to stop the bot. */

import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import type { OptionValue } from '../../src/reply/model/types.ts';
import { MAX_SPOTS_WITH_REPEATS } from '../../src/solver/board.ts';
import { random } from '../solver/random-boards.ts';

export interface HostileCommand {
  readonly name: string;
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** Discord's limit of an option's text, which is also ours. */
const LONGEST = 2_000;
const ES = 'es es es es es es es es';
const SIDES_OF_TEN = 'aeist aeist aeist';

/** Each of these once stopped the bot for seconds, or for good. */
export const NAMED: readonly HostileCommand[] = [
  { name: 'solve', options: { sides: ES } },
  { name: 'check', options: { words: 'sesses', sides: ES } },
  { name: 'words', options: { sides: 'aeinst aeinst aein' } },
  { name: 'next', options: { words: 'seats', sides: SIDES_OF_TEN } },
  { name: 'solve', options: { sides: 'aer ist lno dcu aei' } },
  { name: 'solve', options: { sides: 'ae ae ae ae ae ae st st' } },
  { name: 'solve', options: { sides: 'abcdef ghijkl mnopqr stuvwx' } },
  { name: 'check', options: { words: longList(40), sides: SIDES_OF_TEN } },
  { name: 'reveal', options: { sides: 'eeee eeee eeee eeee' } },
];

/** The letters that a board's sides are drawn from: one, two that repeat without end, many words, or all. */
const ALPHABETS = [
  'e',
  'es',
  'ae',
  'aeinst',
  'aeist',
  'aeinrstlodcu',
  'abcdefghijklmnopqrstuvwxyz',
  'zqxjkv',
] as const;

/** @example hostileCommands(200).map(({ name }) => name) // ['solve', 'check', …], always the same */
export function hostileCommands(count: number): HostileCommand[] {
  return Array.from({ length: count }, (_, index) => hostileCommand(random(10_000 + index)));
}

function hostileCommand(next: () => number): HostileCommand {
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const sides = boardFrom(next);
  const words = wordsOn(sides, next);
  const everyday = next() < 0.3 ? { everyday: true } : {};
  const kinds: readonly (() => HostileCommand)[] = [
    () => ({ name: 'solve', options: { sides, ...everyday } }),
    () => ({ name: 'solve', options: { sides, all: true, page: 1 + below(10_000), ...everyday } }),
    () => ({ name: 'solve', options: { sides, words: 1 + below(6), each: true, ...everyday } }),
    () => ({ name: 'solve', options: { sides, exclude: words } }),
    () => ({ name: 'solve', options: { sides, require: words.split(',').slice(0, 3).join(',') } }),
    () => ({ name: 'check', options: { words, sides } }),
    () => ({ name: 'next', options: { words, sides, ...everyday } }),
    () => ({ name: 'hint', options: { step: pick(HINT_STEPS), sides, ...everyday } }),
    () => ({ name: 'hint', options: { step: pick(HINT_STEPS), words, sides } }),
    () => ({ name: 'reveal', options: { sides } }),
    () => ({
      name: 'words',
      options: { sides, sort: pick(['likely', 'coverage', 'length']), page: 1 + below(500) },
    }),
    () => ({ name: 'words', options: { sides, uses: sides.replaceAll(' ', '').slice(0, 26), ...everyday } }),
    () => ({
      name: 'generate',
      options: {
        sides: 3 + below(6),
        letters: 1 + below(6),
        difficulty: pick(['easy', 'medium', 'hard']),
        seed: `hostile ${below(1_000_000)}`,
      },
    }),
  ];
  return pick(kinds)();
}

function boardFrom(next: () => number): string {
  const below = (limit: number) => Math.floor(next() * limit);
  const alphabet = ALPHABETS[below(ALPHABETS.length)]!;
  const sides = 3 + below(6);
  const isAll = alphabet.length === 26;
  const size = Math.max(2, Math.min(6, Math.floor((isAll ? 26 : MAX_SPOTS_WITH_REPEATS) / sides)));
  // Without repeats where there are letters enough, as on the largest boards that people play.
  const rest = alphabet.length >= sides * size ? alphabet.split('') : undefined;
  const draw = () =>
    Array.from({ length: size }, () =>
      rest === undefined ? alphabet[below(alphabet.length)]! : rest.splice(below(rest.length), 1)[0]!,
    ).join('');
  // A third has the same side all around, which makes most ways to walk a word.
  const same = rest === undefined && next() < 1 / 3 ? draw() : undefined;
  return Array.from({ length: sides }, () => same ?? draw()).join(' ');
}

/** A list of words that can be walked on a board, whether or not they are words: few, or as many as can be typed. */
function wordsOn(board: string, next: () => number): string {
  const below = (limit: number) => Math.floor(next() * limit);
  const sides = board.split(' ');
  const length = next() < 0.5 ? 3 + below(5) : 40;
  const count = next() < 0.5 ? 1 + below(3) : 100;
  const words: string[] = [];
  let side = below(sides.length);
  for (let word = ''; words.length < count; word = words.at(-1)!.at(-1)!) {
    while (word.length < length) {
      side = (side + 1 + below(sides.length - 1)) % sides.length;
      word += sides[side]![below(sides[side]!.length)];
    }
    words.push(word);
  }
  return words
    .join(',')
    .slice(0, LONGEST)
    .replace(/,[^,]*$/, '');
}

function longList(length: number): string {
  const word = `s${'eat'.repeat(length)}`.slice(0, length - 1).concat('s');
  return Array.from({ length: Math.floor(LONGEST / (length + 1)) }, () => word).join(',');
}
