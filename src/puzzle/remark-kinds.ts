import { Random } from '../core/random.ts';
import { listed, spelled } from '../core/text.ts';
import { stuckAt } from '../solver/board.ts';
import { houseDaysBefore } from './house.ts';
import { CAGED, SIDE_WORDS } from './remark-words.ts';
import type { DayBoard } from './types.ts';

/** What is said about a board's letters and sides, if it is true of them. */
export type Kind = (board: Letters) => string | false;

/** The letters of a board, in capitals. */
export class Letters {
  readonly sides: readonly string[];
  readonly all: string;
  readonly #day: DayBoard;

  constructor(day: DayBoard) {
    this.#day = day;
    this.sides = day.board.sides.map((side) => side.toUpperCase());
    this.all = [...new Set(this.sides.join(''))].sort().join('');
  }

  /** The letters of the house's earlier boards, the latest first; none if this is not the house's board of its day. */
  get earlierBoards(): IteratorObject<Letters> {
    return houseDaysBefore(this.#day).map((day) => new Letters(day));
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
    return this.has(pair) && stuckAt(this.#day.board, [...pair.toLowerCase()]) !== undefined;
  }

  canPlay(word: string): boolean {
    return stuckAt(this.#day.board, [...word.toLowerCase()]) === undefined;
  }

  /** Whether all letters of a word are on the board, but the word can't be played: a playable word would be a hint. */
  isCaged(word: string): boolean {
    return [...word].every((letter) => this.all.includes(letter)) && !this.canPlay(word);
  }

  /** The longest run of letters in a row in the alphabet. */
  get run(): string {
    const runs = ALPHABET.split(new RegExp(`[^${this.all}]`));
    return runs.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  }

  get vowels(): readonly number[] {
    return this.sides.map((side) => [...side].filter((letter) => VOWELS.includes(letter)).length);
  }

  /** What the letters are worth as tiles in a word game. */
  get tiles(): number {
    return [...this.all].reduce((sum, letter) => sum + TILES[ALPHABET.indexOf(letter)]!, 0);
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const VOWELS = 'AEIOU';
const TILES = [1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10];

const sorted = (text: string) => [...text].sort().join('');
const BY_LETTERS = new Map(SIDE_WORDS.map((word) => [sorted(word), word]));

/** A remark about letters that are missing, if the letters `beside`, which it also names, are there. */
const without =
  (letters: string, text: string, beside = ''): Kind =>
  (board) =>
    board.of(letters).length === 0 && board.has(beside) && text;
const withAll =
  (letters: string, text: string): Kind =>
  (board) =>
    board.has(letters) && text;
/** A remark about two letters of one side. @param text the second half of the sentence */
const split =
  (pair: string, text: string): Kind =>
  (board) =>
    board.isSplit(pair) && `${listed([...pair])} share a side: ${text}`;
/** A remark about the letters of a group, if at least this many are on the board. */
const many =
  (group: string, least: number, text: (letters: string[]) => string): Kind =>
  (board) => {
    const letters = board.of(group);
    return letters.length >= least && text(letters);
  };
const counting = (group: string, least: number, text: string): Kind =>
  many(group, least, ({ length }) => `${spelled(length)} ${text}`);

const WEEK = 7;
/** Days without a rare letter that make it news, and the most days that are searched for it. */
const NEWS_DAYS = 2 * WEEK;
const MAX_NEWS_DAYS = 8 * WEEK;

/** Among this bot's own boards, since a channel may have had others. */
function firstForWeeks(board: Letters): string | false {
  const rare = board.of('JQXZ');
  if (rare.length === 0) return false;
  const earlier = board.earlierBoards.take(MAX_NEWS_DAYS).toArray();
  for (const letter of rare) {
    const days = earlier.findIndex((one) => one.all.includes(letter));
    if (days >= NEWS_DAYS) return `My first ${letter} for ${spelled(Math.floor(days / WEEK))} weeks.`;
  }
  return false;
}

/** Among this bot's own boards, too, and only of a board that is expensive at all. */
function dearestOfYear({ tiles, earlierBoards }: Letters): string | false {
  if (tiles < 32) return false;
  const year = earlierBoards.take(364).toArray();
  const isDearest = year.length > 0 && year.every((one) => one.tiles <= tiles);
  return isDearest && `Letter tiles worth ${tiles}: none of mine was dearer in a year.`;
}

/**
 * For each kind of `CAGED`, one of the words that a board holds but nobody can play: on another board another one. Words of
 * five letters or more come first, and otherwise the order is random.
 */
export function cagedOn(board: Letters): { readonly kind: string; readonly text: string }[] {
  const random = new Random(board.sides.join(' '));
  const found = CAGES.flatMap(({ kind, text, words }) => {
    const all = words.filter((word) => board.isCaged(word));
    const long = all.filter(({ length }) => length >= 5);
    const fitting = long.length > 0 ? long : all;
    if (fitting.length === 0) return [];
    const word = fitting[random.below(fitting.length)]!;
    return { kind, isLong: long.length > 0, order: random.next(), text: withWord(text, word) };
  });
  return found
    .sort((a, b) => Number(b.isLong) - Number(a.isLong) || b.order - a.order)
    .map(({ kind, text }) => ({ kind, text }));
}

const CAGES = Object.entries(CAGED).map(([kind, [text, words]]) => ({
  kind,
  text,
  words: words.toUpperCase().split(/\s+/),
}));

/** @example withWord('There is a … in the box.', 'OTTER') // 'There is an OTTER in the box.' */
function withWord(text: string, word: string): string {
  const article = /^[AIO]|^E[^U]|^U[^NK]/.test(word) ? '$1n …' : '$1 …';
  return text.replace(/\b([Aa]) …/, article).replace('…', word);
}

/** What is said about the letters, from what is true of the fewest house boards to what is true of most. */
export const LETTER_KINDS: Readonly<Record<string, Kind>> = {
  'dearest of a year': dearestOfYear,
  'first for weeks': firstForWeeks,
  'q alone': (board) => board.has('Q') && !board.has('U') && 'Q came without its U.',
  DJ: split('DJ', 'no DJ tonight.'),
  cheap: ({ tiles }) => tiles <= 18 && `Letter tiles worth ${tiles} in all: a cheap board.`,
  grades: withAll('ABCDF', 'A, B, C, D and F: a whole report card.'),
  sizes: withAll('SMLX', 'S, M, L and an X for XL: it comes in all sizes.'),
  'one side for all vowels': ({ vowels }) =>
    vowels.filter((number) => number > 0).length === 1 && 'All the vowels are on one side.',
  'early end': ({ all }) =>
    all.at(-1)! <= 'S' && `The alphabet leaves early: nothing comes after ${all.at(-1)}.`,
  EX: split('EX', 'no EX to worry about.'),
  straight: counting('AEFHIKLMNTVWXYZ', 10, 'letters without a curve: good for carving in stone.'),
  respect: (board) => board.isCaged('RESPECT') && 'RESPECT is in the box. Find out what it means.',
  print: withAll('CMYK', 'C, M, Y and K: ready to print.'),
  answer: withAll('RSVP', 'R, S, V and P: an answer is requested.'),
  VIP: (board) => board.isCaged('VIP') && 'V, I and P: a very important board.',
  dear: ({ tiles }) => tiles >= 36 && `Letter tiles worth ${tiles}: an expensive board.`,
  'musical notes': many('ABCDEFG', 6, (letters) => `Enough notes for a tune: ${listed(letters)}.`),
  TV: split('TV', 'no TV tonight.'),
  'left hand': counting(
    'QWERTASDFGZXCVB',
    9,
    'of the letters are typed with the left hand: coffee goes right.',
  ),
  CH: split('CH', 'no CHEESE and no CHOCOLATE.'),
  'no R, S or T': without('RST', 'Neither R nor S nor T: half of the usual suspects are missing.'),
  holes: counting('ABDOPQR', 6, 'of the letters have a hole in them.'),
  TH: split('TH', 'no THE, no THIS and no THAT.'),
  SH: split('SH', 'nobody can say SHH.'),
  'two vowels': (board) => board.of(VOWELS).length === 2 && 'Two vowels have to do all the work today.',
  ST: split('ST', 'nothing will STOP, and nothing START.'),
  compass: withAll('NESW', 'N, E, S and W: don’t get lost.'),
  ING: (board) =>
    board.has('ING') &&
    (board.isSplit('IN') || board.isSplit('NG')) &&
    'I, N and G are here, but nothing is going on: no -ING.',
  LY: split('LY', 'sadly, there is no -LY.'),
  ED: split('ED', 'the past in -ED is over.'),
  IF: split('IF', 'no IFS and no buts.'),
  'long run': ({ run }) =>
    run.length >= 6 && `${spelled(run.length)} letters of the alphabet in a row: ${run}.`,
  mirror: counting('AHIMOTUVWXY', 8, 'of the letters look the same in a mirror.'),
  UP: split('UP', 'nothing goes UP.'),
  OF: split('OF', 'nothing is OFF today.'),
  solfa: withAll('DOREMI', 'Do, re and mi: the first three notes are all here.'),
  'late start': ({ all }) => all.at(0)! >= 'D' && `The alphabet sleeps in: it begins at ${all.at(0)} today.`,
  'right hand': counting('YUIOPHJKLNM', 8, 'of the letters are typed with the right hand: coffee goes left.'),
  WE: split('WE', 'there is no WE in this one.'),
  'vowel side': ({ sides, vowels }) => {
    const side = sides.find((one, at) => one.length > 1 && vowels[at] === one.length);
    return side !== undefined && `One side is all vowels: ${listed([...side])}.`;
  },
  history: withAll('ABCD', 'A, B, C and D: all of history, before and after.'),
  arms: withAll('YMCA', 'Y, M, C and A: put your arms up.'),
  US: split('US', 'it’s not about US.'),
  DNA: (board) => board.isCaged('DNA') && 'D, N and A: it’s all in the genes.',
  'two rare letters': many('JQXZ', 2, (letters) => `${listed(letters)} on one board. Dare you?`),
  cards: many('AKQJ', 3, (letters) => `${listed(letters)}: not a bad hand of cards.`),
  copper: withAll('CUSN', 'Cu and Sn: a chemist makes bronze of this board.'),
  DO: split('DO', 'nothing to DO.'),
  GO: split('GO', 'no GO. Wait.'),
  OK: split('OK', 'that is not OK.'),
  genes: withAll('ACGT', 'A, C, G and T: life is written in these four.'),
  PA: split('PA', 'no PASTA and no PARTY.'),
  PI: split('PI', 'no PIE and no PIZZA.'),
  AM: split('AM', 'I think, but I can’t say that I AM.'),
  BE: split('BE', 'to BE or not to BE, so not.'),
  OH: split('OH', 'nobody says OH.'),
  AD: split('AD', 'no ADS here.'),
  web: withAll('HTML', 'H, T, M and L: enough for a web page.'),
  ME: split('ME', 'it’s not about ME.'),
  speed: withAll('MPH', 'M, P and H: mind your speed.'),
  ER: split('ER', 'nothing gets BETTER.'),
  IN: split('IN', 'there is no way IN.'),
  screen: withAll('RGB', 'R, G and B: enough for every color on a screen.'),
  HA: split('HA', 'nobody goes HAHAHA.'),
  HI: split('HI', 'nobody says HI.'),
  coasts: withAll('NYLA', 'N and Y, L and A: from coast to coast.'),
  'Roman numerals': many('CDILMVX', 5, (letters) => `${listed(letters)}: Romans count with these.`),
  'commonest letters': withAll('AEINOT', 'The six commonest letters of English are all here.'),
  dots: withAll('EISH', 'E, I, S and H: one, two, three and four dots in Morse code.'),
  ends: withAll('AZ', 'Everything from A to Z, with a few gaps.'),
  'M and W': withAll('MW', 'M and W: turn one over and you get the other.'),
  hurry: withAll('ASP', 'A, S and P: as soon as possible, please.'),
  clever: withAll('IQ', 'I and Q: a clever board.'),
  vitamins: many('ABCDEK', 5, (letters) => `${listed(letters)}: a board full of vitamins.`),
  kisses: withAll('XO', 'X and O: kisses and hugs.'),
  NO: split('NO', 'you can’t say NO.'),
  degrees: withAll('CF', 'C and F: degrees for both sides of the ocean.'),
  'no I': (board) => !board.all.includes('I') && !board.canPlay('TEAM') && 'No I here, and none in TEAM.',
  Z: withAll('Z', 'Somebody is snoring: there is a Z.'),
  'q and u': withAll('QU', 'Q is here, and it brought its U.'),
  J: withAll('J', 'J is here, the youngest letter of the alphabet.'),
  'five vowels': withAll(VOWELS, 'A, E, I, O and U: today the vowels hold a meeting.'),
  run: ({ run }) => run.length === 5 && `${run.at(0)} to ${run.at(-1)} are all here, without a gap.`,
  postscript: withAll('PS', 'P and S: oh, and one more thing.'),
  rust: withAll('FEO', 'Fe and O: a chemist sees rust.'),
  'side in order': ({ sides }) => {
    const side = sides.find((one) => SIDE_WORDS.includes(one));
    return side !== undefined && `One side spells ${side}. It doesn’t count.`;
  },
  salt: withAll('NACL', 'Na and Cl: a chemist finds this board salty.'),
  gold: withAll('AUG', 'Au and Ag: gold and silver, to a chemist.'),
  hours: withAll('APM', 'A, P and M: a board for before and after noon.'),
  'no O': without('O', 'E, I, E, I and no O: Old MacDonald is not at home.', 'EI'),
  'no U': without('U', 'No U, but there is a me.', 'ME'),
  'upside down': many('HINOSXZ', 5, (letters) => `Read it upside down: ${listed(letters)} stay the same.`),
  X: withAll('X', 'X marks the spot.'),
  ABC: withAll('ABC', 'A, B and C: easy as one, two, three.'),
  'no A': without('A', 'No A here, and none in the numbers from one to 999.'),
  'no R': without('R', 'No R: as in the months without oysters.'),
  dashes: withAll('TMO', 'T, M and O: one, two and three dashes in Morse code.'),
  blood: withAll('ABO', 'A, B and O: all blood types are welcome.'),
  'no E': without('E', 'No E: a whole novel was once written without it.'),
  boss: withAll('CEO', 'C, E and O: the boss is in.'),
  'no T': without('T', 'No T today. Coffee, then.'),
  'no L': without('L', 'No L: sing it, and it is Christmas.'),
  'no N': without('N', 'No N, so nobody can say no.'),
  'no C': without('C', 'No C for miles around.'),
  headphones: withAll('LR', 'L and R: headphones on.'),
  'no B': without('B', 'There is no plan B, only an A.', 'A'),
  'side in some order': ({ sides }) => {
    const word = sides.map((side) => BY_LETTERS.get(sorted(side))).find((one) => one && !sides.includes(one));
    return word !== undefined && `Shuffle one side and you get ${word}. It doesn’t count.`;
  },
  'no S': without('S', 'No S: one of everything has to do.'),
  'no P': without('P', 'No P in this pod.'),
  'no Y': without('Y', 'Don’t ask Y. There is none.'),
};
