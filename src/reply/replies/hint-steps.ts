import { capitalized, counted, grouped, listed } from '../../core/text.ts';
import { type HardLetter, hardestLetters, startsThrough, wordsAt } from '../../solver/hints.ts';
import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { readClue } from '../../wordlists/clues.ts';
import { type Fact, HINT_STEPS, type HintStep, stepsOf } from '../model/facts.ts';
import { bold, code, joined } from '../model/text.ts';
import type { Line } from '../model/types.ts';
import { spotsLeft } from '../picture/path.ts';
import { countedWords, everydayOf, goodStarts } from './chosen-solutions.ts';

/** Everything about one step. Steps go from faint to strong; a later one need not tell what an earlier one does. */
export interface Hint {
  /** How much it gives away, in units of the faintest. Results add up these weights. */
  readonly weight: number;
  /** Shown on buttons and in titles. */
  readonly name: string;
  /** The label of the step's spoiler, and of the step in menus. */
  readonly label: string;
  /** The description of the option with the step's name in the settings of the daily thread. */
  readonly setting: string;
  /** Whether the hint is about the whole board, or about the best of the shortest solutions (see `tellsCount`). */
  readonly about: 'board' | 'solution';
  /** The text of the hint, which is hidden until somebody asks for it. */
  readonly lines: (search: Search, best: Solution) => Line[];
  /** Whether the hint says anything beyond the board, the words played and the hints before it; always, if left out. */
  readonly isInformative?: (search: Search, best: Solution, before: readonly HintStep[]) => boolean;
  /** How many words of the solution the hint shows letters of, from the first. */
  readonly wordsShown?: number;
  /** What the hint says, for programs (`--json`). */
  readonly data: (search: Search, best: Solution) => unknown;
  /** What differs when the time ran out, so that the solution may not be a shortest one. */
  readonly unproven?: Pick<Hint, 'about' | 'lines' | 'data'>;
}

const MAX_LETTERS_SHOWN = 5;
/** The most first letters that a reason names: more would narrow nothing down. */
const MAX_STARTS_NAMED = 3;

/** The letters in the fewest well-known words, of those that the words played leave. */
function hardestLeft(search: Search) {
  const { played } = search.options;
  const hardest = hardestLetters(countedWords(search));
  const left = played && spotsLeft(search.board, played);
  return (left ? hardest.filter(({ spot }) => left.includes(spot)) : hardest).slice(0, MAX_LETTERS_SHOWN);
}

/** The steps in their order, from the faintest hint to the first word. */
export const HINTS: Readonly<Record<HintStep, Hint>> = {
  count: {
    weight: 1,
    name: 'Words needed',
    label: 'How many words it takes',
    setting: 'When the number of words comes, or off',
    about: 'board',
    lines: (search) => {
      const { fewest, solutions, everyday } = wordsNeeded(search);
      const more = isContinuation(search) ? ' more' : '';
      const ways =
        solutions === undefined
          ? '.'
          : `. There ${solutions === 1 ? 'is' : 'are'} ${counted(solutions, 'way')}.`;
      const line = ['It takes ', bold(`${fewest}${more} word${fewest === 1 ? '' : 's'}`), ways];
      return solutions === undefined || everyday === undefined
        ? [line]
        : [line, wellKnownText(solutions, everyday)];
    },
    data: wordsNeeded,
    unproven: {
      about: 'solution',
      lines: (_, { words }) => [['It takes ', bold(`${counted(words.length, 'word')} at most`), '.']],
      data: (_, { words }) => ({ most: words.length }),
    },
  },
  hardest: {
    weight: 1,
    name: 'Hardest letters',
    label: 'Letters in the fewest words',
    setting: 'When the hardest letters come, or off',
    about: 'board',
    lines: (search) => {
      const hardest = hardestLeft(search);
      const [first] = hardest;
      const named = hardest.map(
        ({ letter, words }, index): Line => [
          bold(letter.toUpperCase()),
          ` in ${index === 0 ? counted(words, countedWords(search).name) : grouped(words)}`,
        ],
      );
      const why = first && whyHardest(search, first);
      return [[...joined(named, ', '), '.'], ...(why === undefined ? [] : [why])];
    },
    data: hardestLeft,
  },
  lengths: {
    weight: 2,
    name: 'Word lengths',
    label: 'How long the words are',
    setting: 'When the lengths of the words come, or off',
    about: 'solution',
    lines: (_, best) => {
      const lengths = best.words.map(({ length }) => length);
      if (lengths.length === 1) return [['One word of ', bold(counted(lengths[0]!, 'letter')), '.']];
      const parts = lengths.map((length) => bold(String(length)));
      return [['In order: ', ...joined(parts, ', then '), ' letters.']];
    },
    data: (_, best) => best.words.map(({ length }) => length),
  },
  start: {
    weight: 2,
    name: 'Start letters',
    label: 'Best first letters',
    setting: 'When the best start letters come, or off',
    about: 'board',
    // Counts of solutions are left out: they would add up to what `count` tells.
    lines: (search) => {
      const good = goodStarts(search).map(({ letter }) => letter.toUpperCase());
      const [best] = good;
      if (best === undefined) return ['There was not enough time to compare the letters.'];
      if (isContinuation(search)) return [['The next word starts with ', bold(best), '.']];
      const letters = new Set(search.board.letters.toUpperCase());
      const rest = [...letters].filter((letter) => !good.includes(letter));
      let others = rest.length === 0 ? '.' : `. Not ${listed(rest, 'or')}.`;
      if (good.length <= MAX_LETTERS_SHOWN) others = '. No other letter starts a shortest solution.';
      return [
        [...joined(good.slice(0, MAX_LETTERS_SHOWN).map(bold), ', '), others],
        `${wordsThat('start', best, search)}.`,
      ];
    },
    // The words played settle the first letter already.
    isInformative: (search) => !isContinuation(search),
    // Null where there was no time to compare them.
    data: (search) => {
      const letters = goodStarts(search).map(({ letter, familiarity }) => ({ letter, familiarity }));
      return { letters: letters.length === 0 ? null : letters };
    },
    unproven: {
      about: 'solution',
      lines: (search, found) => [
        [
          `A ${isContinuation(search) ? 'way on' : 'solution'} starts with `,
          bold(found.words[0]![0]!.toUpperCase()),
          '.',
        ],
      ],
      data: (_, found) => ({ letters: [{ letter: found.words[0]?.[0] }] }),
    },
  },
  joint: {
    weight: 2,
    name: 'Joining letter',
    label: 'Where the words join',
    setting: 'When the joining letter comes, or off',
    about: 'solution',
    lines: (search, best) => {
      const letters = jointsOf(best).map((letter) => bold(letter.toUpperCase()));
      return letters.length === 0
        ? [`Nowhere: one ${isContinuation(search) ? 'more ' : ''}word is enough.`]
        : [['The words join on ', ...joined(letters, ', then on '), '.'], whyJoint(search, best)];
    },
    // Saying that one word is enough reveals as much as how many it takes.
    isInformative: (_, { words }, before) =>
      words.length > 1 || !before.some((step) => step === 'count' || step === 'lengths'),
    data: (_, best) => jointsOf(best),
  },
  meaning: {
    weight: 3,
    name: 'Meanings',
    label: 'What the words mean',
    setting: 'When the meanings of the words come, or off',
    about: 'solution',
    lines: (_, { words }) =>
      clues(words).map((clue, index) => [
        words.length === 1 ? '' : `Word ${index + 1}: `,
        clue ?? 'no short definition for this one',
        '.',
      ]),
    data: (_, { words }) => clues(words).map((clue) => clue ?? null),
  },
  letters: {
    weight: 3,
    name: 'First and last letters',
    label: 'How the words begin and end',
    setting: 'When the first and last letters come, or off',
    about: 'solution',
    lines: (_, best) => [
      [
        ...joined(
          endsOf(best).map(({ first, last }) => bold(`${first}…${last}`.toUpperCase())),
          ', then ',
        ),
        '.',
      ],
    ],
    data: (_, best) => endsOf(best),
  },
  masked: {
    weight: 4,
    name: 'Masked words',
    label: 'Every second letter',
    setting: 'When the masked words come, or off',
    about: 'solution',
    lines: (_, best) => maskedWords(best).map(code),
    wordsShown: Number.POSITIVE_INFINITY,
    data: (_, best) => maskedWords(best),
  },
  first: {
    weight: 5,
    name: 'First word',
    label: 'The first word',
    setting: 'When the first word comes, or off',
    about: 'solution',
    lines: (search, best) => [
      [
        isContinuation(search) ? 'Go on with ' : 'Start with ',
        bold((best.words[0] ?? '').toUpperCase()),
        '.',
      ],
    ],
    wordsShown: 1,
    data: (_, best) => best.words[0] ?? '',
  },
};

/**
 * Whether somebody who saw a step counts as knowing how many words are needed, as after the first word of a solution; after some
 * words, also whether they begin a shortest one.
 */
export function tellsCount(step: HintStep): boolean {
  return step === 'count' || HINTS[step].about === 'solution';
}

/** How many words it takes, in how many ways, and in how many of these with well-known words alone. */
function wordsNeeded(search: Search) {
  const { fewest = 0 } = search;
  const solutions = search.count(fewest);
  if (solutions === undefined || fewest === 0 || search.options.tier === 'everyday')
    return { fewest, solutions };
  // Required words may be rarer ones.
  if (search.options.require?.length) return { fewest, solutions };
  return { fewest, solutions, everyday: everydayOf(search).count(fewest) };
}

/** @example wellKnownText(22, 5) // '5 of them use only well-known words.' */
function wellKnownText(solutions: number | bigint, everyday: number | bigint): string {
  if (everyday === solutions)
    return solutions === 1 ? 'Its words are well known.' : 'All use only well-known words.';
  if (everyday === 0) return `${solutions === 1 ? 'It has' : 'All of them have'} a rare word.`;
  return `${grouped(everyday)} of them ${everyday === 1 ? 'uses' : 'use'} only well-known words.`;
}

/** Where the words with the hardest letter start, unless that is nearly everywhere. */
function whyHardest(search: Search, { spot, words }: HardLetter): string | undefined {
  const starts = startsThrough(countedWords(search), spot).map((letter) => letter.toUpperCase());
  if (starts.length === 0 || starts.length > MAX_STARTS_NAMED) return undefined;
  return `${words === 1 ? 'It starts' : 'They start'} with ${listed(starts, 'or')}.`;
}

/** A reason from the word list for the joint: the letter at which the fewest words end, or from which the fewest continue. */
function whyJoint(search: Search, best: Solution): string {
  const places = jointsOf(best).flatMap((letter) => {
    const { starting, ending } = wordsAt(countedWords(search), letter);
    return [
      { words: ending, line: `${wordsThat('end', letter, search)}.` },
      { words: starting, line: `${wordsThat('start', letter, search)}.` },
    ];
  });
  return places.reduce((few, place) => (place.words < few.words ? place : few)).line;
}

/** @example wordsThat('start', 'm', search) // '1 well-known word starts with M' */
function wordsThat(verb: 'start' | 'end', letter: string, search: Search): string {
  const known = countedWords(search);
  const { starting, ending } = wordsAt(known, letter.toLowerCase());
  const words = verb === 'start' ? starting : ending;
  const many = words === 0 ? `no ${known.name}` : counted(words, known.name);
  const where = `${verb === 'start' ? 'with' : 'in'} ${letter.toUpperCase()}`;
  return `${capitalized(many)} ${verb}${words < 2 ? 's' : ''} ${where}`;
}

function jointsOf({ words }: Solution): string[] {
  return words.slice(0, -1).map((word) => word.at(-1)!);
}

function endsOf({ words }: Solution) {
  return words.map((word) => ({ first: word[0]!, last: word.at(-1)! }));
}

/** Every second letter of each word: M_B_L_Z_T_O_. */
function maskedWords({ words }: Solution): string[] {
  return words.map((word) => word.toUpperCase().replace(/(.)./g, '$1_'));
}

/** The points of all hints, which are also those of a solution: nothing is left to find after that. */
export const ALL_HINT_POINTS = hintPoints(HINT_STEPS);

export function hintPoints(steps: readonly HintStep[]): number {
  return steps.reduce((sum, step) => sum + HINTS[step].weight, 0);
}

/** The hints that count for somebody already; undefined where no hint costs points. */
export type PaidHints = readonly HintStep[] | undefined;

/** The hint points that these facts cost, beside what is paid. All prices that are shown come from here. */
export function priceOf(facts: Iterable<Fact>, paid: PaidHints): number {
  return paid === undefined ? 0 : hintPoints(stepsOf([...paid, ...facts])) - hintPoints(paid);
}

/** @example pointsText(1) // '1 hint point' */
export function pointsText(points: number): string {
  return counted(points, 'hint point');
}

/** What a press may cost: a range where the exact price would tell something about the words played. */
export interface PriceRange {
  readonly least: number;
  readonly most: number;
}

/** @example priceText({ least: 1, most: 6 }) // 'up to 6 hint points' */
export function priceText({ least, most }: PriceRange, unit = 'hint point'): string {
  if (most === 0) return '';
  return least === most ? counted(most, unit) : `up to ${counted(most, unit)}`;
}

/** @example pricedLabel('Hint', { least: 1, most: 6 }) // 'Hint (up to 6 points)' */
export function pricedLabel(label: string, range: PriceRange): string {
  const price = priceText(range, 'point');
  return price === '' ? label : `${label} (${price})`;
}

/** The label of a button that shows a hint. If the hint costs something, the label names it and its price. */
export function hintLabel(label: string, next: NextHint | undefined): string {
  if (next === undefined || next.points === 0) return label;
  const named = `${label}: ${HINTS[next.step].name.toLowerCase()}`;
  return pricedLabel(named, { least: next.points, most: next.points });
}

/** The hint that `hint` shows next. */
export interface NextHint {
  readonly step: HintStep;
  readonly points: number;
}

/** The hint that `hint` shows if no step is named, to somebody who has seen the hints in `shown` and played these words. */
export function nextStep(shown: readonly HintStep[], played: readonly string[] = []): HintStep {
  // `count` would tell unasked whether these begin a shortest solution. If `hardest` is nothing new, `hintCard` goes further.
  if (played.length > 0) return 'hardest';
  return HINT_STEPS.find((one) => !shown.includes(one)) ?? HINT_STEPS.at(-1)!;
}

/** What the prices in a reply depend on. */
export interface Prices {
  readonly paid: PaidHints;
  /** Whether hidden parts count when the reply is sent: its door can't tell when they are opened, or the request opens some. */
  readonly hiddenCharged: boolean;
}

export const NO_PRICES: Prices = { paid: undefined, hiddenCharged: true };

/** @returns what a reply costs when it is sent, a label with what opening its hidden parts costs after that, and what is paid then */
export function pricesOf(
  { paid, hiddenCharged }: Prices,
  { open, hidden }: { readonly open: readonly Fact[]; readonly hidden: readonly Fact[] },
): { readonly points: number; readonly priceLabel: string; readonly paidThen: PaidHints } {
  const charged = hiddenCharged ? [...open, ...hidden] : open;
  const paidThen = paid && stepsOf([...paid, ...charged]);
  const more = priceOf(hidden, paidThen);
  return {
    points: priceOf(charged, paid),
    priceLabel: more > 0 ? ` (${pointsText(more)})` : '',
    paidThen,
  };
}

export function priceNote(points: number): string | false {
  return points > 0 && `This counts as ${pointsText(points)}.`;
}

/**
 * The title of a card: how many hints its person has taken, with a filled dot for each of them.
 *
 * @example hintTitle(['count', 'joint']) // 'Hint 2 of 9 ●○○○●○○○○'
 */
export function hintTitle(taken: readonly HintStep[]): string {
  const dots = HINT_STEPS.map((step) => (taken.includes(step) ? '●' : '○')).join('');
  return `Hint ${new Set(taken).size} of ${HINT_STEPS.length} ${dots}`;
}

/** What each word means; undefined for a word without a clue, or whose clue names another word of the solution. */
export function clues(words: readonly string[]): (string | undefined)[] {
  return words.map((word) => {
    const clue = readClue(word);
    const tokens = new Set(clue?.toLowerCase().match(/[a-z]+/g));
    return words.some((one) => tokens.has(one)) ? undefined : clue;
  });
}

export function isContinuation({ options }: Search): boolean {
  return Boolean(options.played?.length);
}

/** Ends the title or the board's name above what holds for well-known words alone. */
export function tierText({ options }: Pick<Search, 'options'>): string {
  return options.tier === 'everyday' ? ', with well-known words' : '';
}

/** @param advice what to do instead */
export function stuckText({ options }: Pick<Search, 'options'>, advice: string): string {
  const known = options.tier === 'everyday' ? 'well-known ' : '';
  return `That’s a dead end: no ${known}words from here solve the board. ${advice}`;
}
