import { listed } from '../core/text.ts';
import { stuckAt } from '../solver/board.ts';
import type { Board } from '../solver/types.ts';

/** A remark about a board that follows from its letters and sides alone, so that it says nothing about solutions. */
export interface Remark {
  readonly kind: string;
  readonly text: string;
}

type Kind = (board: Letters) => string | false;

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

const without =
  (letter: string, text: string): Kind =>
  ({ all }) =>
    !all.includes(letter) && text;
const withLetter =
  (letter: string, text: string): Kind =>
  ({ all }) =>
    all.includes(letter) && text;
const split =
  (pair: string, ending = ''): Kind =>
  (board) =>
    board.isSplit(pair) &&
    `${listed([...pair])} share a side, so there is no ${ending === '' ? pair : `word in -${ending}`}.`;
/** A remark about the letters of a group, if at least this many are on the board. */
const many =
  (group: string, least: number, text: (letters: string[]) => string): Kind =>
  (board) => {
    const letters = board.of(group);
    return letters.length >= least && text(letters);
  };

/** Every kind of remark, from the one that fits the fewest house boards to the commonest. */
const KINDS: Readonly<Record<string, Kind>> = {
  'q alone': (board) => board.has('Q') && !board.has('U') && 'Q without U today.',
  'one side for all vowels': ({ vowels }) =>
    vowels.filter((number) => number > 0).length === 1 && 'All the vowels are on one side.',
  'musical notes': many('ABCDEFG', 6, (letters) => `Enough notes for a tune: ${listed(letters)}.`),
  CH: split('CH'),
  'no R, S or T': (board) => board.of('RST').length === 0 && 'Neither R nor S nor T today.',
  TH: split('TH'),
  'two vowels': (board) => board.of(VOWELS).length === 2 && 'Two vowels have to do all the work today.',
  SH: split('SH'),
  ST: split('ST'),
  'first half': many(
    'ABCDEFGHIJKLM',
    9,
    ({ length }) => `${numberOf(length)} letters from the first half of the alphabet.`,
  ),
  ING: (board) =>
    board.has('ING') &&
    (board.isSplit('IN') || board.isSplit('NG')) &&
    'I, N and G are here, but -ING won’t go.',
  LY: split('LY', 'LY'),
  ED: split('ED', 'ED'),
  'second half': many(
    'NOPQRSTUVWXYZ',
    8,
    ({ length }) => `${numberOf(length)} letters from the second half of the alphabet.`,
  ),
  'long run': ({ run }) =>
    run.length >= 6 && `${numberOf(run.length)} letters of the alphabet in a row: ${run}.`,
  mirror: many(
    'AHIMOTUVWXY',
    8,
    ({ length }) => `${numberOf(length)} of the letters look the same in a mirror.`,
  ),
  'early end': ({ all }) => all.at(-1)! <= 'T' && `Nothing comes after ${all.at(-1)} today.`,
  'vowel side': ({ sides, vowels }) => {
    const side = sides.find((one, at) => one.length > 1 && vowels[at] === one.length);
    return side !== undefined && `One side is all vowels: ${listed([...side])}.`;
  },
  'two rare letters': many('JQXZ', 2, (letters) => `${listed(letters)} on one board.`),
  'middle row': many(
    'ASDFGHJKL',
    6,
    ({ length }) => `${numberOf(length)} letters from the middle row of the keyboard.`,
  ),
  ER: split('ER', 'ER'),
  'Roman numerals': many(
    'CDILMVX',
    5,
    (letters) => `${numberOf(letters.length)} letters are Roman numerals: ${listed(letters)}.`,
  ),
  'commonest letters': (board) => board.has('AEINOT') && 'The six commonest letters of English are all here.',
  'late start': ({ all }) => all.at(0)! >= 'C' && `The alphabet begins at ${all.at(0)} today.`,
  Z: withLetter('Z', 'Z made it onto the board.'),
  'q and u': (board) => board.has('QU') && 'Q is here, and it brought its U.',
  J: withLetter('J', 'J is on the board today.'),
  'five vowels': (board) => board.has(VOWELS) && 'All five vowels came today.',
  'vowels and y': (board) =>
    board.of(VOWELS).length === 3 && board.has('Y') && 'Three vowels, and Y to help them.',
  'no I': without('I', 'There is no I in this one.'),
  'no bottom row': (board) =>
    board.of('ZXCVBNM').length <= 1 && 'Hardly a letter from the bottom row of the keyboard.',
  'three vowels': (board) =>
    board.of(VOWELS).length === 3 && !board.has('Y') && 'Three vowels, and no Y to help.',
  'side in order': ({ sides }) => {
    const side = sides.find((one) => SIDE_WORDS.includes(one));
    return side !== undefined && `One side spells ${side}. It doesn’t count.`;
  },
  'two sides without a vowel': ({ vowels, sides }) =>
    vowels.filter((number) => number === 0).length === 2 &&
    sides.length === 4 &&
    'Two of the four sides have no vowel.',
  X: withLetter('X', 'There is an X on this one.'),
  'no A': without('A', 'Not a single A today.'),
  'ING goes': (board) =>
    board.has('ING') &&
    !board.isSplit('IN') &&
    !board.isSplit('NG') &&
    'The sides leave room for -ING today.',
  'top row': many(
    'QWERTYUIOP',
    7,
    ({ length }) => `${numberOf(length)} letters from the top row of the keyboard.`,
  ),
  'no O': without('O', 'No O anywhere today.'),
  V: withLetter('V', 'V is in the box today.'),
  'no R': without('R', 'R has the day off.'),
  'no E': without('E', 'The commonest letter of all is missing: no E today.'),
  W: withLetter('W', 'W came along today.'),
  'no T': without('T', 'A board without a T.'),
  K: withLetter('K', 'K turned up today.'),
  'no N': without('N', 'No N, so no -ING and no UN-.'),
  spread: (board) => {
    const word = SAMPLE_WORDS.find((one) => board.isSpread(one));
    return word !== undefined && `The letters of ${word} are all here, on the wrong sides.`;
  },
  run: ({ run }) => run.length >= 4 && `${run.at(0)} to ${run.at(-1)} are all here, without a gap.`,
  'vowel on every side': ({ vowels }) =>
    vowels.every((number) => number > 0) && 'There is a vowel on every side.',
  'side in some order': ({ sides }) => {
    const word = sides.map((side) => BY_LETTERS.get(sorted(side))).find((one) => one && !sides.includes(one));
    return word !== undefined && `Shuffle one side and you get ${word}. It doesn’t count.`;
  },
  'no S': without('S', 'No S, so no easy plurals.'),
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

/**
 * The remarks that fit a board, the most unusual first.
 *
 * @example remarksOn(makeBoard(['qrs', 'aei', 'tnl', 'hdo'])).next().value?.text // 'Q without U today.'
 */
export function* remarksOn(board: Board): Generator<Remark, undefined> {
  const letters = new Letters(board);
  for (const [kind, text] of Object.entries(KINDS)) {
    const said = text(letters);
    if (said !== false) yield { kind, text: said.charAt(0).toUpperCase() + said.slice(1) };
  }
}

/** Days before a channel gets the same kind again, or one that sounds like it. */
export const REMARK_REPEAT_DAYS = 10;

/** The most unusual remark that was not made on the days before; undefined if there is none. */
export function remarkOn(board: Board, before: readonly string[] = []): Remark | undefined {
  const heard = before.map(soundOf);
  return remarksOn(board).find(({ kind }) => !heard.includes(soundOf(kind)));
}

/** The remark of one kind, if it fits the board. */
export function remarkText(board: Board, kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : remarksOn(board).find((one) => one.kind === kind)?.text;
}

export const REMARK_KINDS = Object.keys(KINDS);
