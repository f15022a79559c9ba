/** Worlds of one made-up board each, and all that may be asked in them. */

import { COMMANDS } from '../../commands/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import { WORD_SORTS } from '../../src/reply/replies/words.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { Store } from '../../src/store/store.ts';
import { madeUp } from '../reply/setting.ts';
import { makeTestApp, NOON } from './app.ts';

/** A world of one board, on a day of its own, in the store that all share. */
export async function worldOf(seed: number, store: Store) {
  const { board, words } = madeUp(seed);
  const official = makeSearch(board, words).solutions('shortest').next().value?.words ?? [];
  const clock = { time: NOON + seed * DAY, now: () => NOON + seed * DAY };
  const world = await makeTestApp({
    store,
    clock,
    words: words.map(({ word, likelihood, tier }) => ({ word, likelihood, tier })),
    house: (date) => ({ date, source: 'house', board, official, par: 5 }),
  });
  return { world, board, official, secrets: words.map(({ word }) => word) };
}

/** What people may ask of a board, and the words they give away themselves by asking. */
export function everyLine(sides: string, typed: string): { line: string; known: string[] }[] {
  const boards = ['', ` sides:${sides.replaceAll(' ', '-')}`, ' date:today'];
  const asked = [
    ...HINT_STEPS.map((step) => `hint ${step}`),
    'hint',
    'reveal',
    'solve',
    'solve all',
    'solve each',
    'solve words:3 everyday page:2',
    'words',
    ...WORD_SORTS.map((sort) => `words sort:${sort} page:2`),
  ];
  const given = [
    `check ${typed}`,
    `next ${typed}`,
    `solve exclude:${typed}`,
    ...HINT_STEPS.map((step) => `hint ${step} words:${typed}`),
  ];
  const typo = typoOf(typed, sides);
  const mistyped = ['check', 'play', 'next', 'hint'].map((command) => `${command} words:${typo}`);
  return boards.flatMap((board) => [
    ...asked.map((line) => ({ line: line + board, known: [] })),
    ...given.map((line) => ({ line: line + board, known: [typed] })),
    ...mistyped.map((line) => ({ line: line + board, known: [typo] })),
  ]);
}

/** A word with another last letter, which the board allows there. */
function typoOf(word: string, sides: string): string {
  const side = sides
    .split(' ')
    .find((letters) => !letters.includes(word.at(-2)!) && !letters.includes(word.at(-1)!));
  return word.slice(0, -1) + side![0]!;
}

/** Every command as it stands, and its examples, one of which types in another board for the day. */
export const EXAMPLES = COMMANDS.flatMap(({ name, examples }) => [name, ...examples]).map((line) => ({
  line,
  known: [],
}));
