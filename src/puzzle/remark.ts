import { listed } from '../core/text.ts';
import { stuckAt } from '../solver/board.ts';
import type { Board } from '../solver/types.ts';

/** A remark about a board that follows from its letters and sides alone, so that it says nothing about solutions. */
export interface Remark {
  readonly kind: string;
  readonly text: string;
}

interface Kind {
  /** How many of 1,000 house boards it fits, as counted by `scripts/board-figures.ts remarks`. */
  readonly share: number;
  readonly text: (board: Letters) => string | false;
}

/** The letters of a board, in capitals. */
class Letters {
  readonly sides: readonly string[];
  readonly all: string;
  readonly #board: Board;

  constructor(board: Board) {
    this.#board = board;
    this.sides = board.sides.map((side) => side.toUpperCase());
    this.all = [...new Set(this.sides.join(''))].sort().join('');
  }

  has(letters: string): boolean {
    return this.of(letters).length === letters.length;
  }

  /** Those of the given letters that are on the board. */
  of(letters: string): string[] {
    return [...letters].filter((letter) => this.all.includes(letter));
  }

  /** Whether both letters are on the board and on the same side, so that no word has them in a row. */
  isSplit(pair: string): boolean {
    return this.has(pair) && stuckAt(this.#board, [...pair.toLowerCase()]) !== undefined;
  }

  /** Whether all letters of a word are on the board, but the word can't be played: a playable word would be a hint. */
  isSpread(word: string): boolean {
    return (
      [...word].every((letter) => this.all.includes(letter)) &&
      stuckAt(this.#board, [...word.toLowerCase()]) !== undefined
    );
  }

  /** The longest run of letters in a row in the alphabet. */
  get run(): string {
    const runs = [...ALPHABET].map((_, from) => {
      const rest = [...ALPHABET.slice(from)];
      const end = rest.findIndex((letter) => !this.all.includes(letter));
      return rest.slice(0, end < 0 ? rest.length : end).join('');
    });
    return runs.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  }

  get vowels(): readonly number[] {
    return this.sides.map((side) => [...side].filter((letter) => VOWELS.includes(letter)).length);
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const VOWELS = 'AEIOU';
const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberOf = (number: number) => NUMBERS[number] ?? String(number);

/** Well-known words, to find boards that have their letters but don't let anybody play them. */
const SAMPLE_WORDS =
  `midnight holiday birthday children mountain daughter distance hospital champion dinosaur elephant breakfast
  candlelight carnival universe paradise umbrella sandwich chocolate lavender starlight moonlight daylight
  sunlight thousand friendly neighbor original platinum romantic fountain discovery adventure orchestra telescope
  astronaut harmony yesterday calendar november saturday thursday dolphin hamster buttercup marigold sunflower
  blackbird nightingale goldfish cathedral chandelier trampoline playground newspaper dictionary alphabet
  handwriting scribble pencils luncheon dumpling lemonade sardines jackpot quickly journey flamingo crocodile
  monkeys leopard panther antelope glacier thunder rainbow blizzard hurricane`
    .toUpperCase()
    .split(/\s+/);
/** Words that a whole side can spell. No solution contains them, since their letters share a side. */
const SIDE_WORDS =
  `ace act age ago aid aim air ale ant ape apt arc are arm art ash ask ate bad bag ban bar bat
  bay bed beg bet bid big bin bit bow box boy bud bug bun bus but buy cab can cap car cat cop cow cry cub cup
  cut dab day den dew did dig dim dip doe dog dot dry due dug ear eat elf elk elm end era fan far fat fax fed
  few fig fin fit fix fly fog for fox fry fun fur gap gas gel gem get gin got gum gut guy gym had ham has hat
  hay hem hen her hid him hip his hit hog hop hot how hub hug hum hut ice ink ion ivy jam jar jaw jet job jog
  joy jug keg key kid kin kit lab lap law lay led leg let lid lie lip lit log lot low mad man map mat may men
  met mix mob mop mud mug nap net new nod nor not now nut oak oar oat odd off oil old one orb our out owl own
  pad pal pan paw pay pea peg pen pet pie pig pin pit pod pot pro pub pug put ram ran rap rat raw ray red rib
  rid rig rim rob rod rot row rub rug rum run rye sad sap sat saw say sea set sew she shy sip sir sit six ski
  sky sly son sow soy spa spy sun tab tag tan tap tar tax tea ten the tie tin tip toe ton top toy try tub tug
  two use van vat vet vow war was wax way web wet who why wig win wit wok won yak yam yes yet you zip zoo`
    .toUpperCase()
    .split(/\s+/);

const sorted = (text: string) => [...text].sort().join('');
const BY_LETTERS = new Map(SIDE_WORDS.map((word) => [sorted(word), word]));

const without = (letter: string, text: string, share: number): Kind => ({
  share,
  text: ({ all }) => !all.includes(letter) && text,
});
const withLetter = (letter: string, text: string, share: number): Kind => ({
  share,
  text: ({ all }) => all.includes(letter) && text,
});
const split = (pair: string, share: number, ending = ''): Kind => ({
  share,
  text: (board) =>
    board.isSplit(pair) &&
    `${listed([...pair])} share a side, so there is no ${ending === '' ? pair : `word in -${ending}`}.`,
});
/** A remark about the letters of a group, if at least this many are on the board. */
const many = (group: string, least: number, share: number, text: (letters: string[]) => string): Kind => ({
  share,
  text: (board) => {
    const letters = board.of(group);
    return letters.length >= least && text(letters);
  },
});

/** Every kind of remark, with its share of boards. */
const KINDS: Readonly<Record<string, Kind>> = {
  'two vowels': {
    share: 0,
    text: (board) => board.of(VOWELS).length === 2 && 'Two vowels have to do all the work today.',
  },
  'vowels and y': {
    share: 207,
    text: (board) => board.of(VOWELS).length === 3 && board.has('Y') && 'Three vowels, and Y to help them.',
  },
  'three vowels': {
    share: 128,
    text: (board) => board.of(VOWELS).length === 3 && !board.has('Y') && 'Three vowels, and no Y to help.',
  },
  'five vowels': { share: 138, text: (board) => board.has(VOWELS) && 'All five vowels came today.' },
  'vowel side': {
    share: 98,
    text: ({ sides, vowels }) => {
      const side = sides.find((one, at) => one.length > 1 && vowels[at] === one.length);
      return side !== undefined && `One side is all vowels: ${listed([...side])}.`;
    },
  },
  'vowel on every side': {
    share: 129,
    text: ({ vowels }) => vowels.every((number) => number > 0) && 'There is a vowel on every side.',
  },
  'two sides without a vowel': {
    share: 304,
    text: ({ vowels, sides }) =>
      vowels.filter((number) => number === 0).length === 2 &&
      sides.length === 4 &&
      'Two of the four sides have no vowel.',
  },
  'one side for all vowels': {
    share: 15,
    text: ({ vowels }) =>
      vowels.filter((number) => number > 0).length === 1 && 'All the vowels are on one side.',
  },
  'no A': without('A', 'Not a single A today.', 280),
  'no E': without('E', 'The commonest letter of all is missing: no E today.', 148),
  'no I': without('I', 'There is no I in this one.', 202),
  'no O': without('O', 'No O anywhere today.', 283),
  'no N': without('N', 'No N, so no -ING and no UN-.', 328),
  'no R': without('R', 'R has the day off.', 361),
  'no S': without('S', 'No S, so no easy plurals.', 609),
  'no T': without('T', 'A board without a T.', 310),
  'no R, S or T': {
    share: 44,
    text: (board) => board.of('RST').length === 0 && 'Neither R nor S nor T today.',
  },
  'q alone': { share: 0, text: (board) => board.has('Q') && !board.has('U') && 'Q without U today.' },
  'q and u': { share: 171, text: (board) => board.has('QU') && 'Q is here, and it brought its U.' },
  J: withLetter('J', 'J is on the board today.', 146),
  X: withLetter('X', 'There is an X on this one.', 211),
  Z: withLetter('Z', 'Z made it onto the board.', 74),
  K: withLetter('K', 'K turned up today.', 352),
  V: withLetter('V', 'V is in the box today.', 201),
  W: withLetter('W', 'W came along today.', 287),
  'two rare letters': many('JQXZ', 2, 92, (letters) => `${listed(letters)} on one board.`),
  run: {
    share: 458,
    text: ({ run }) => run.length >= 4 && `${run.at(0)} to ${run.at(-1)} are all here, without a gap.`,
  },
  'long run': {
    share: 49,
    text: ({ run }) => run.length >= 6 && `${numberOf(run.length)} letters of the alphabet in a row: ${run}.`,
  },
  'first half': many(
    'ABCDEFGHIJKLM',
    9,
    38,
    ({ length }) => `${numberOf(length)} letters from the first half of the alphabet.`,
  ),
  'second half': many(
    'NOPQRSTUVWXYZ',
    8,
    57,
    ({ length }) => `${numberOf(length)} letters from the second half of the alphabet.`,
  ),
  'top row': many(
    'QWERTYUIOP',
    7,
    257,
    ({ length }) => `${numberOf(length)} letters from the top row of the keyboard.`,
  ),
  'middle row': many(
    'ASDFGHJKL',
    6,
    77,
    ({ length }) => `${numberOf(length)} letters from the middle row of the keyboard.`,
  ),
  'no bottom row': {
    share: 171,
    text: (board) =>
      board.of('ZXCVBNM').length <= 1 && 'Hardly a letter from the bottom row of the keyboard.',
  },
  'musical notes': many('ABCDEFG', 6, 27, (letters) => `Enough notes for a tune: ${listed(letters)}.`),
  'Roman numerals': many(
    'CDILMVX',
    5,
    97,
    (letters) => `${numberOf(letters.length)} letters are Roman numerals: ${listed(letters)}.`,
  ),
  mirror: many(
    'AHIMOTUVWXY',
    8,
    32,
    ({ length }) => `${numberOf(length)} of the letters look the same in a mirror.`,
  ),
  'commonest letters': {
    share: 89,
    text: (board) => board.has('AEINOT') && 'The six commonest letters of English are all here.',
  },
  'late start': {
    share: 162,
    text: ({ all }) => all.at(0)! >= 'C' && `The alphabet begins at ${all.at(0)} today.`,
  },
  'early end': {
    share: 19,
    text: ({ all }) => all.at(-1)! <= 'T' && `Nothing comes after ${all.at(-1)} today.`,
  },
  'side in order': {
    share: 118,
    text: ({ sides }) => {
      const side = sides.find((one) => SIDE_WORDS.includes(one));
      return side !== undefined && `One side spells ${side}. It doesn’t count.`;
    },
  },
  'side in some order': {
    share: 478,
    text: ({ sides }) => {
      const word = sides
        .map((side) => BY_LETTERS.get(sorted(side)))
        .find((one) => one && !sides.includes(one));
      return word !== undefined && `Shuffle one side and you get ${word}. It doesn’t count.`;
    },
  },
  spread: {
    share: 305,
    text: (board) => {
      const word = SAMPLE_WORDS.find((one) => board.isSpread(one));
      return word !== undefined && `The letters of ${word} are all here, on the wrong sides.`;
    },
  },
  TH: split('TH', 33),
  CH: split('CH', 41),
  SH: split('SH', 22),
  ST: split('ST', 35),
  ED: split('ED', 29, 'ED'),
  ER: split('ER', 70, 'ER'),
  LY: split('LY', 48, 'LY'),
  ING: {
    share: 44,
    text: (board) =>
      board.has('ING') &&
      (board.isSplit('IN') || board.isSplit('NG')) &&
      'I, N and G are here, but -ING won’t go.',
  },
  'ING goes': {
    share: 189,
    text: (board) =>
      board.has('ING') &&
      !board.isSplit('IN') &&
      !board.isSplit('NG') &&
      'The sides leave room for -ING today.',
  },
};

/** Groups of kinds that sound alike: a channel gets one of a group at a time. */
const SIMILAR_KINDS: readonly (readonly string[])[] = [
  ['TH', 'CH', 'SH', 'ST', 'ED', 'ER', 'LY'],
  ['first half', 'second half', 'top row', 'middle row'],
  ['run', 'long run'],
  ['vowels and y', 'three vowels'],
  ['vowel side', 'one side for all vowels'],
  ['side in order', 'side in some order'],
];
const soundOf = (kind: string) => SIMILAR_KINDS.find((kinds) => kinds.includes(kind))?.[0] ?? kind;

const RAREST_FIRST = Object.entries(KINDS).sort(([, a], [, b]) => a.share - b.share);

/**
 * The remarks that fit a board, the most unusual first.
 *
 * @example remarksOn(makeBoard(['qrs', 'aei', 'tnl', 'hdo']))[0]?.text // 'Q without U today.'
 */
export function remarksOn(board: Board): Remark[] {
  return [...fitting(board)];
}

function* fitting(board: Board): Generator<Remark, undefined> {
  const letters = new Letters(board);
  for (const [kind, { text }] of RAREST_FIRST) {
    const said = text(letters);
    if (said !== false) yield { kind, text: said.charAt(0).toUpperCase() + said.slice(1) };
  }
}

/** Days before a channel gets the same kind again, or one that sounds like it. */
export const REMARK_REPEAT_DAYS = 10;

/** The most unusual remark that was not made on the days before; undefined if there is none. */
export function remarkOn(board: Board, before: readonly string[] = []): Remark | undefined {
  const heard = before.map(soundOf);
  return fitting(board).find(({ kind }) => !heard.includes(soundOf(kind)));
}

/** The remark of one kind, if it fits the board. */
export function remarkText(board: Board, kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : fitting(board).find((one) => one.kind === kind)?.text;
}

export const REMARK_KINDS = Object.keys(KINDS);
/** The share of each kind: how many of 1,000 boards it fits. */
export const REMARK_SHARES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { share }]) => [kind, share]),
);
