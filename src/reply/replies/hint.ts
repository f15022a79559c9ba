import { counted, grouped } from '../../core/text.ts';
import type { Judge } from '../../puzzle/types.ts';
import type { Listing, Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { type BoardFacts, type Fact, factsAbout, HINT_STEPS, type HintStep } from '../model/facts.ts';
import {
  actionOn,
  buttonOn,
  type NamedBoard,
  nameAfter,
  pictureOf,
  searchOption,
  wordsOption,
} from '../model/named-board.ts';
import { buttonsBlock, chainText, factsBlock, notes, textBlock, toAsker } from '../model/text.ts';
import { type Action, type Block, type BoardReply, type Button, dataReply } from '../model/types.ts';
import { spotsLeft } from '../picture/path.ts';
import {
  bestOf,
  listedBlocks,
  notFoundIn,
  notFoundReason,
  offends,
  quickOf,
  shortestOf,
  unprovenBlocks,
} from './chosen-solutions.ts';
import { ALL_HINT_POINTS, HINTS, type Hint, hintTitle, isContinuation } from './hint-steps.ts';

/** A hint of this weight or more gives away much, and the card says so before it is taken. */
const STRONG_HINT_POINTS = 3;

export interface HintRequest {
  readonly namedBoard: NamedBoard;
  /** A search of the whole board or, for a hint after played words, with these words as `played`. */
  readonly search: Search;
  readonly step: HintStep;
  /** After played words: whether they begin a shortest solution of the board. */
  readonly beginsShortest?: boolean;
}

/** The facts that a step reveals. The last word of a shortest solution, which may be the only one, reveals a solution. */
function factsOf(request: HintRequest): readonly Fact[] {
  const { step } = request;
  return step === 'first' && isLastWordOfShortest(request) ? ['first', 'solution'] : [step];
}

function isLastWordOfShortest({ search, beginsShortest }: Pick<HintRequest, 'search' | 'beginsShortest'>) {
  return search.fewest === 1 && (beginsShortest || !isContinuation(search));
}

/**
 * Steps that reveal, after some words, how many more it takes. All hints about a solution do: lengths, joints, meanings and
 * masked words show how many words it has, and the first word, as the last step, reveals no less than the steps before it.
 */
const COUNTING_STEPS = HINT_STEPS.filter((step) => step === 'count' || HINTS[step].about === 'solution');

/**
 * What the number of words still needed reveals about the words played: whether they begin a shortest solution. If they do,
 * that is worth as much as a first word.
 */
function playedWordsFacts({
  namedBoard,
  search,
  beginsShortest,
}: Omit<HintRequest, 'step'>): readonly BoardFacts[] {
  return isContinuation(search) && search.fewest && beginsShortest ? [factsAbout(namedBoard, 'first')] : [];
}

export interface HintCardRequest extends HintRequest {
  /** The hints that the card shows already, in their order on it. */
  readonly shown?: readonly HintStep[];
  /** All hints of this board that cards have shown to the person; those of this card, unless given. */
  readonly taken?: readonly HintStep[];
  /** Whether no word goes on from the last one that was played. */
  readonly deadEnd?: boolean;
  /** Set if nobody chose the step: if the step says nothing new, the card shows the next step that does. */
  readonly isNext?: boolean;
  /** Whether hints cost nothing any more, because the person has solved the board. */
  readonly isFree?: boolean;
}

/**
 * The hints of one person in one message, the newest last. They are shown openly: the person asked for them.
 *
 * @example hintCard({ namedBoard, search, step: 'count', shown: ['start'] }).title // 'Hint 2 of 8 ●●○○○○○○'
 */
export function hintCard(request: HintCardRequest): BoardReply {
  if (request.deadEnd) return deadEndCard(request);
  const { namedBoard, search, taken = [], isFree } = request;
  const best = bestOf(search);
  const { step, before, isStepNew } = stepsOfCard(request, best);
  const steps = [...before, step];
  // The board's next card shows the facts about the whole board again.
  const isWholeBoard = !isContinuation(search) && search.options.tier === undefined;
  const look = { open: true, card: isWholeBoard ? 'board' : 'other' } as const;
  const newest = hintBlocks(request, [step], look);
  // Without one, `newest` says why: the board is solved, has no solution, or only solutions that may offend.
  const isHint = newest.some(({ kind }) => kind === 'spoiler');
  let title = search.fewest === 0 ? 'No hint needed' : 'No hint for this board';
  let hints = newest;
  if (isHint && isStepNew) {
    title = hintTitle([...taken, ...steps]);
    hints = hintBlocks(request, steps, look);
  } else if (isHint) {
    title = 'This hint says nothing new here';
    // It reveals nothing, so it is text without a spoiler. Only beside a solution that is known can a step be nothing new.
    hints = textBlock(HINTS[step].lines(search, best!));
  }
  const alsoRevealed = COUNTING_STEPS.includes(step) ? playedWordsFacts(request) : [];
  const blocks = [
    notes(nameAfter(namedBoard, search)),
    hints,
    isFree ? [] : playedWordsNote(namedBoard, alsoRevealed),
    isHint
      ? furtherHints(request, steps, best)
      : buttonsBlock([
          buttonOn(namedBoard, 'Check', 'check', { options: wordsOption(search.options.played) }),
        ]),
  ];
  return toAsker(title, blocks, {
    reveals: alsoRevealed,
    notFound: notFoundIn(newest, search),
    rerun: hintAction(request, step, before),
  });
}

/** The action that adds a step to a card with these steps; it names them even if the person has seen others on other cards. */
function hintAction(
  { namedBoard, search }: Pick<HintRequest, 'namedBoard' | 'search'>,
  step: HintStep,
  shown: readonly HintStep[],
): Action {
  return actionOn(namedBoard, 'hint', {
    step,
    shown: shown.length === 0 ? 'none' : shown.join(','),
    ...searchOption(search),
  });
}

/** The step that a card adds, the earlier steps that stay on it, and whether the added one says anything new. */
function stepsOfCard({ search, step: asked, shown = [], isNext }: HintCardRequest, best?: Solution) {
  const later = HINT_STEPS.slice(HINT_STEPS.indexOf(asked));
  const nextNew = isNext && later.find((one) => !shown.includes(one) && isNew(search, best, one, shown));
  const step = nextNew || asked;
  const before = shown.filter(
    (one, index) => one !== step && isNew(search, best, one, shown.slice(0, index)),
  );
  return { step, before, isStepNew: isNew(search, best, step, before) };
}

/** Whether a hint says anything new. Without a proven shortest solution, or with none needed, every hint counts as new. */
function isNew(
  search: Search,
  best: Solution | undefined,
  step: HintStep,
  before: readonly HintStep[],
): boolean {
  const { isInformative }: Hint = HINTS[step];
  return (
    isInformative === undefined || !best || best.words.length === 0 || isInformative(search, best, before)
  );
}

/** The card for a dead end, where no word comes next: it offers the hint without the last word. */
function deadEndCard({ namedBoard, search, step }: HintCardRequest): BoardReply {
  const { played = [] } = search.options;
  const last = played.at(-1) ?? '';
  const without = { step, ...wordsOption(played.slice(0, -1)) };
  const blocks = [
    notes(nameAfter(namedBoard, search)),
    textBlock([deadEndText(last)]),
    buttonsBlock([
      buttonOn(namedBoard, `Hint without ${last.toUpperCase()}`, 'hint', {
        options: without,
        look: 'primary',
      }),
    ]),
  ];
  return toAsker('No word goes on from here', blocks, { reveals: [] });
}

/** A sentence for a dead end. @example deadEndText('vex') // 'Nothing starts with X. Take VEX back?' */
export function deadEndText(word: string): string {
  return `${nothingStartsWith(word)} Take ${word.toUpperCase()} back?`;
}

/** @param word the word whose last letter begins no word */
export function nothingStartsWith(word: string): string {
  return `Nothing starts with ${word.at(-1)?.toUpperCase()}.`;
}

interface HintShown {
  readonly open?: boolean;
  readonly card?: BoardFacts['card'];
}

/** Some steps without title and buttons, each in a spoiler, with notes that hold for all of them. */
export function hintBlocks(
  request: Omit<HintRequest, 'step'>,
  steps: readonly HintStep[],
  { open, card }: HintShown = {},
): Block[] {
  const { namedBoard, search } = request;
  const { fewest, cut, options } = search;
  if (fewest === 0) return textBlock(['Every letter is used: the board is solved.']);
  const best = fewest === undefined ? undefined : bestOf(search);
  // If the time ran out: a solution that may not be the shortest.
  const found = best ?? (cut === undefined ? undefined : quickOf(search));
  if (found === undefined) {
    const none = options.played?.length
      ? 'No word in the word list finishes from here. Try a hint without your words.'
      : 'The word list has no solution for this board, so there is no hint.';
    return textBlock([cut ?? none]);
  }
  const isAboutFound = ({ about, unproven }: Hint) => about === 'solution' || (!best && unproven);
  return [
    ...steps.flatMap((step): Block[] => {
      if (isWithheld(search, step, found)) return textBlock([WITHHELD_NOTE]);
      const { label, lines, unproven }: Hint = HINTS[step];
      const linesOf = best ? lines : (unproven?.lines ?? lines);
      const facts = factsAbout(namedBoard, ...factsOf({ ...request, step }));
      const reveals = { ...facts, ...(card !== undefined && { card }) };
      return [{ kind: 'spoiler', label, hidden: linesOf(search, found), reveals, open: open || undefined }];
    }),
    ...notes(
      cut,
      steps.some((step) => isAboutFound(HINTS[step])) && (best ? aboutText(search, best) : ABOUT_QUICK),
    ),
  ];
}

/** One step for programs, with the whole solution too if `withSolution`. */
export function hintData(request: HintRequest, withSolution = false): BoardReply {
  const { namedBoard, search, step } = request;
  const { fewest, cut } = search;
  const { sides } = search.board;
  if (fewest === 0) return dataReply({ sides, solved: true }, []);
  const { data: ofStep, unproven } = HINTS[step];
  const best = bestOf(search);
  if (best === undefined && cut === undefined)
    return dataReply({ sides, solvable: false }, [], { notFound: 'none' });
  // The time ran out: a hint about a correct solution that may not be the shortest.
  const found = best ?? quickOf(search);
  if (found === undefined) return dataReply({ sides, solvable: null, cut }, [], { notFound: 'unknown' });
  const dataOf = best === undefined ? (unproven?.data ?? ofStep) : ofStep;
  const data = {
    sides,
    [step]: isWithheld(search, step, found) ? null : dataOf(search, found),
    solution: withSolution ? found.words : undefined,
    unproven: best === undefined ? true : undefined,
    cut,
  };
  return dataReply(data, [
    factsAbout(namedBoard, ...factsOf(request), ...(withSolution ? (['solution'] as const) : [])),
    ...(COUNTING_STEPS.includes(step) ? playedWordsFacts(request) : []),
  ]);
}

/** Says which solution a hint is about: a longer one if all shortest solutions have an offensive word. */
function aboutText({ fewest, options: { preferred, played } }: Search, { words }: Solution): string {
  if (words.length !== fewest) return `For a solution of ${counted(words.length, 'word')}.`;
  const whole = [...(played ?? []), ...words].join(' ');
  return whole === preferred?.join(' ') ? ABOUT_OFFICIAL : ABOUT_ONE;
}

const ABOUT_ONE = 'For our best shortest solution.';
const ABOUT_QUICK = 'For a solution found quickly. A shorter one may exist.';
const ABOUT_OFFICIAL = 'For the board’s own solution.';

/** If every solution has an offensive word, hints show none. */
function isWithheld(search: Search, step: HintStep, found: Solution): boolean {
  const { wordsShown }: Hint = HINTS[step];
  return wordsShown !== undefined && offends(search, wordsShown(found));
}

const WITHHELD_NOTE = 'I found no solution without a word that may offend. “reveal” shows it.';

const PLAYED_WORDS_NOTE = `Your words begin a shortest solution. Reading that counts as the first word: ${HINTS.first.weight} hint points.`;

/** Says that more was revealed about the words played, on a day's board. */
function playedWordsNote({ date }: NamedBoard, facts: readonly BoardFacts[]): Block[] {
  return notes(facts.length > 0 && date !== undefined && PLAYED_WORDS_NOTE);
}

/** A button for the next hint, a menu of the others, and the solution. */
function furtherHints(request: HintCardRequest, steps: readonly HintStep[], best?: Solution): Block[] {
  const { namedBoard, search, isFree } = request;
  const left = HINT_STEPS.filter((step) => !steps.includes(step) && isNew(search, best, step, steps));
  const next = left.find((step) => HINT_STEPS.indexOf(step) > HINT_STEPS.indexOf(steps.at(-1)!)) ?? left[0];
  const solution = solutionButton(namedBoard, !isFree && steps.length < HINT_STEPS.length);
  if (next === undefined) return buttonsBlock([solution]);
  const { name, weight } = HINTS[next];
  const isStrong = weight >= STRONG_HINT_POINTS && !isFree;
  return [
    ...notes(isStrong && `The next hint is a strong one, worth ${priceText(next, search)}.`),
    ...buttonsBlock([
      {
        label: `Next hint: ${name.toLowerCase()}`,
        action: hintAction(request, next, steps),
        look: 'primary',
      },
      buttonOn(namedBoard, 'Check', 'check'),
      solution,
    ]),
    ...(left.length === 1
      ? []
      : [
          {
            kind: 'menu' as const,
            label: 'Another hint',
            choices: left.map((step) => ({
              label: HINTS[step].name,
              description: `${HINTS[step].label}. Worth ${priceText(step, search)}.`,
              action: hintAction(request, step, steps),
            })),
          },
        ]),
  ];
}

/** The price of a step. After played words, it must not reveal whether the next word ends a shortest solution. */
function priceText(step: HintStep, search: Search): string {
  const points = counted(HINTS[step].weight, 'hint point');
  return step === 'first' && isContinuation(search)
    ? `${points}, or ${ALL_HINT_POINTS} if it ends a shortest solution`
    : points;
}

function solutionButton(namedBoard: NamedBoard, hasPrice: boolean): Button {
  // A board without a date may still be a day's board, or one that somebody made for the channel: `reveal` finds out, and asks
  // before it costs.
  if (namedBoard.date === undefined) return buttonOn(namedBoard, 'Show the solution', 'reveal');
  // The label says the price, so `reveal` need not ask.
  const label = hasPrice ? 'Solution: costs all hints' : 'Show the solution';
  return buttonOn(namedBoard, label, 'reveal', { options: { open: true } });
}

const WORDS_SHOWN = 3;

type NextWordRequest = Omit<HintRequest, 'step'> & Pick<Judge, 'isListExact'>;

/** How to continue from the words played: how many more it takes, and the best next words. */
export function nextReply(request: NextWordRequest): BoardReply {
  const { namedBoard, search } = request;
  const played = search.options.played ?? [];
  const typed = searchOption(search);
  const blocks = continuationBlocks(request);
  const begins = playedWordsFacts(request);
  const shown = [
    ...blocks,
    played.length > 0 && pictureOf(namedBoard.board, { words: played }),
    playedWordsNote(namedBoard, begins),
    buttonsBlock([
      search.fewest !== 0 && buttonOn(namedBoard, 'A hint instead', 'hint', { options: typed }),
      buttonOn(namedBoard, 'Check', 'check'),
    ]),
  ];
  return toAsker(`After ${chainText(played)}`, shown, {
    reveals:
      search.fewest === undefined || search.fewest === 0 ? [] : [factsAbout(namedBoard, 'count'), ...begins],
    notFound: notFoundIn(blocks, search),
    rerun: actionOn(namedBoard, 'next', typed),
  });
}

/** Continuations for a program that asks for no other number. */
const DEFAULT_DATA_LIMIT = 5;

/** The same answer as data for programs. */
export function nextData({ namedBoard, search }: NextWordRequest, limit = DEFAULT_DATA_LIMIT): BoardReply {
  const { board, options, fewest, cut } = search;
  const ways = fewest === 0 ? [] : [...waysOn(search, { oneEach: true }).take(limit)];
  // If certainty took too long, a correct continuation that may not be the shortest is better than none.
  const unproven = notFoundReason(search, ways.length > 0) === 'unknown' ? quickOf(search) : undefined;
  const { sides } = board;
  return dataReply(
    { sides, played: options.played ?? [], fewestMore: fewest ?? null, ways, cut, unproven },
    ways.length > 0 || unproven !== undefined ? [factsAbout(namedBoard, 'solution')] : [],
    { notFound: notFoundReason(search, ways.length > 0 || unproven !== undefined) },
  );
}

/** Solutions that continue from here, without offensive ones unless there are no others. */
function waysOn(search: Search, listing: Listing): IteratorObject<Solution> {
  const isOffensive = offends(search, bestOf(search)?.words ?? []);
  return shortestOf(search, listing).filter(({ words }) => isOffensive || !offends(search, words));
}

function continuationBlocks(request: NextWordRequest): Block[] {
  const { search } = request;
  const { fewest } = search;
  if (fewest === 0) return textBlock(['Every letter is used: the board is solved.']);
  const listing = { oneEach: true, exactly: fewest };
  const solutions = waysOn(search, listing).take(WORDS_SHOWN).toArray();
  const [best] = solutions;
  if (fewest === undefined || best === undefined) {
    const stuck = 'No word in the word list finishes from here. Take back the last word and try another.';
    return [...textBlock([search.cut ?? stuck]), ...unprovenBlocks(request)];
  }
  const words = solutions.map(({ words: [word = ''] }) => ({
    words: [word],
    likelihood: search.words.find((known) => known.word === word)?.likelihood ?? 0,
    leaves: spotsLeft(search.board, [...(search.options.played ?? []), word]).map(
      (spot) => search.board.letters[spot]!,
    ),
  }));
  const label = words.length === 1 ? 'Best next word' : 'Best next words';
  // Only a chain of the fewest words counts as the board's solution.
  const fact = isLastWordOfShortest(request) ? 'solution' : 'first';
  return [
    ...factsBlock({ 'Words still needed': grouped(fewest) }),
    ...listedBlocks({ ...request, fact }, [{ label, solutions: words }]),
    ...notes(search.cut),
  ];
}
