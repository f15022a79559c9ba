import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import {
  type BoardFacts,
  type Fact,
  factsAbout,
  HINT_STEPS,
  type HintStep,
  solutionFacts,
  stepsOf,
} from '../model/facts.ts';
import {
  actionOn,
  buttonOn,
  type NamedBoard,
  nameAfter,
  searchOption,
  wordsOption,
} from '../model/named-board.ts';
import { buttonsBlock, notes, present, textBlock, toAsker } from '../model/text.ts';
import { type Action, type Block, type BoardReply, type Button, dataReply } from '../model/types.ts';
import { bestOf, notFoundReason, offends, quickOf } from './chosen-solutions.ts';
import {
  HINTS,
  type Hint,
  hintLabel,
  hintTitle,
  isContinuation,
  type NextHint,
  type PaidHints,
  type PriceRange,
  pointsText,
  pricedLabel,
  priceNote,
  priceOf,
  priceText,
  stuckText,
  tellsCount,
  tierText,
} from './hint-steps.ts';

/** A hint of this weight or more gives away much, and the card says so before it is taken. */
const STRONG_HINT_POINTS = 3;

export interface HintRequest {
  readonly namedBoard: NamedBoard;
  /** A search of the whole board or, for a hint after played words, with these words as `played`. */
  readonly search: Search;
  readonly step: HintStep;
  /** Set if words were played that begin a shortest solution of the board, but don't solve it yet. */
  readonly beginsShortest?: boolean;
}

/** The facts that a step reveals. The last word of a shortest solution reveals a solution. */
function factsOf(request: HintRequest): readonly Fact[] {
  const { step } = request;
  return step === 'first' && isLastWordOfShortest(request) ? ['first', 'solution'] : [step];
}

/** The same, with the words that the step is about: those that it shows, or the solution that it describes. */
function revealedBy(request: HintRequest, { words }: Solution): BoardFacts {
  const { about, wordsShown } = HINTS[request.step];
  const after = request.search.options.played;
  const told = about === 'solution' ? { chains: [words.slice(0, wordsShown)], after } : undefined;
  return { ...factsAbout(request.namedBoard, ...factsOf(request)), told };
}

/** Whether the next word is the last of a shortest solution, or the only one. */
export function isLastWordOfShortest({
  search,
  beginsShortest,
}: Pick<HintRequest, 'search' | 'beginsShortest'>) {
  return search.fewest === 1 && (beginsShortest || !isContinuation(search));
}

/**
 * What the number of words still needed reveals about the words played: whether they begin a shortest solution. If they do,
 * that is worth as much as a first word.
 */
export function playedWordsFacts({
  namedBoard,
  beginsShortest,
}: Pick<HintRequest, 'namedBoard' | 'beginsShortest'>): readonly BoardFacts[] {
  return beginsShortest ? [factsAbout(namedBoard, 'first')] : [];
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
  /** Without it, hints cost nothing. */
  readonly paid?: PaidHints;
  /** What comes next without the last word, if that is a dead end. */
  readonly withoutLast?: NextHint | undefined;
}

/**
 * The hints of one person in one message, the newest last. They are shown openly: the person asked for them.
 *
 * @example hintCard({ namedBoard, search, step: 'hardest', shown: ['count'] }).title // 'Hint 2 of 9 ●●○○○○○○○'
 */
export function hintCard(request: HintCardRequest): BoardReply {
  if (request.deadEnd) return deadEndCard(request);
  const { namedBoard, search, taken = [], paid } = request;
  const subject = subjectOf(search);
  const { step, before, isStepNew } = stepsOfCard(request, subject);
  const isStepWithheld = subject !== undefined && isWithheld(search, step, subject.solution);
  // The hints before one that is withheld stay on the card.
  const steps = isStepWithheld ? before : [...before, step];
  // The next card of this board repeats what a card of the whole board showed, but not hints that hold after some words or for
  // everyday words alone.
  const isWholeBoard = !isContinuation(search) && search.options.tier === undefined;
  const card = isWholeBoard ? 'board' : 'other';
  const isHint = subject !== undefined && steps.length > 0;
  const isNothingNew = isHint && !isStepNew && !isStepWithheld;
  let title = hintTitle([...taken, ...steps]);
  if (isNothingNew) title = 'This hint says nothing new here';
  else if (!isHint) title = search.fewest === 0 ? 'No hint needed' : 'No hint for this board';
  // A hint that says nothing new is text without a spoiler.
  const hints = isNothingNew
    ? textBlock(HINTS[step].lines(search, subject.solution))
    : hintBlocks(request, [...before, step], card);
  // The number may be known already, and these words new. What is known already costs nothing in `priceOf`.
  const alsoRevealed = tellsCount(step) ? playedWordsFacts(request) : [];
  const told = [
    ...(isHint && isStepNew ? factsOf({ ...request, step }) : []),
    ...alsoRevealed.flatMap(({ facts }) => facts),
  ];
  const blocks = [
    notes(nameAfter({ ...namedBoard, name: namedBoard.name + tierText(search) }, search)),
    hints,
    notes(beginsNote(alsoRevealed, priceOf(told, paid))),
    isHint
      ? furtherHints({ ...request, paid: paid && stepsOf([...paid, ...told]) }, steps, subject)
      : buttonsBlock([
          buttonOn(namedBoard, 'Check', 'check', { options: wordsOption(search.options.played) }),
        ]),
  ];
  return toAsker(title, blocks, {
    reveals: alsoRevealed,
    notFound: notFoundReason(search, isHint && !isStepWithheld),
    rerun: hintAction(request, step, before),
  });
}

/** The solution that hints are about. */
interface Subject {
  readonly solution: Solution;
  /** False if the time ran out before the best solution was certain. A shorter one may exist. */
  readonly isCertain: boolean;
}

function subjectOf(search: Search): Subject | undefined {
  if (search.fewest === 0) return undefined;
  const best = bestOf(search);
  if (best !== undefined) return { solution: best, isCertain: true };
  const found = search.cut === undefined ? undefined : quickOf(search);
  return found && { solution: found, isCertain: false };
}

/**
 * The action that adds a step to a card with these steps. It always names them, if need be as `none`: without them, a hint
 * about the whole board begins with all steps that the person's earlier cards have shown.
 */
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
function stepsOfCard({ search, step: asked, shown = [], isNext }: HintCardRequest, subject?: Subject) {
  const later = HINT_STEPS.slice(HINT_STEPS.indexOf(asked));
  const nextNew = later.find(
    (one) => !shown.includes(one) && isNew(search, subject, one, shown) && !tellsUnasked(search, one, shown),
  );
  // A step that nobody chose must not tell more than was asked for: without another new one, the card stays as it is.
  const last = isNext && tellsUnasked(search, asked, shown) ? shown.at(-1) : undefined;
  const step = (isNext && nextNew) || last || asked;
  const before = shown.filter(
    (one, index) => one !== step && isNew(search, subject, one, shown.slice(0, index)),
  );
  return { step, before, isStepNew: isNew(search, subject, step, before) };
}

/** Whether a hint says anything new. Without a solution that is certain, every hint counts as new, unless it is withheld. */
function isNew(
  search: Search,
  subject: Subject | undefined,
  step: HintStep,
  before: readonly HintStep[],
): boolean {
  if (subject !== undefined && isWithheld(search, step, subject.solution)) return false;
  const { isInformative } = HINTS[step];
  return !isInformative || !subject?.isCertain || isInformative(search, subject.solution, before);
}

/** Whether a step would tell whether the words played begin a shortest solution, before the person has asked with `count`. */
function tellsUnasked(search: Search, step: HintStep, shown: readonly HintStep[]): boolean {
  return isContinuation(search) && tellsCount(step) && !shown.includes('count');
}

/** The card for a dead end, where no word comes next: it offers the hint without the last word. */
function deadEndCard({ namedBoard, search, step, isNext, withoutLast, paid }: HintCardRequest): BoardReply {
  const { played = [] } = search.options;
  const last = played.at(-1) ?? '';
  const without = { ...(!isNext && { step }), ...wordsOption(played.slice(0, -1)) };
  const hint = isNext ? withoutLast : { step, points: priceOf([step], paid) };
  const blocks = [
    notes(nameAfter(namedBoard, search)),
    textBlock([deadEndText(last)]),
    buttonsBlock([
      buttonOn(namedBoard, hintLabel(`Hint without ${last.toUpperCase()}`, hint), 'hint', {
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

/**
 * Some steps without title and buttons, each in a spoiler, with notes that hold for all of them.
 *
 * @param card set on a person's hint card, where they are open
 */
export function hintBlocks(
  request: Omit<HintRequest, 'step'>,
  steps: readonly HintStep[],
  card?: BoardFacts['card'],
): Block[] {
  const { search } = request;
  const subject = subjectOf(search);
  if (subject === undefined) return textBlock([noHintText(search)]);
  const { solution, isCertain } = subject;
  const quick = 'For a solution found quickly. A shorter one may exist.';
  const about = isCertain ? aboutText(search, solution) : quick;
  const lastAbout = steps.findLast((step) => hintFor(step, subject).about === 'solution');
  const hints = steps.flatMap((step): Block[] => {
    if (isWithheld(search, step, solution)) return textBlock([WITHHELD_NOTE]);
    const { label, lines } = hintFor(step, subject);
    const hint: Block = {
      kind: 'spoiler',
      label,
      hidden: lines(search, solution),
      reveals: { ...revealedBy({ ...request, step }, solution), card },
      open: card !== undefined,
    };
    // A note at the end would seem to be about the last step, so this one follows the last step that is about a solution.
    return step === lastAbout && step !== steps.at(-1) ? [hint, ...notes(about)] : [hint];
  });
  return [...hints, ...notes(search.cut, lastAbout !== undefined && lastAbout === steps.at(-1) && about)];
}

/** A step, with what differs about a solution that is not certain. */
function hintFor(step: HintStep, { isCertain }: Subject): Hint {
  const hint = HINTS[step];
  return isCertain ? hint : { ...hint, ...hint.unproven };
}

/** Why there is no hint at all. */
function noHintText(search: Search): string {
  const { fewest, cut, options } = search;
  if (fewest === 0) return SOLVED_TEXT;
  if (cut !== undefined) return cut;
  if (isContinuation(search)) return stuckText(search, 'Try a hint without your words.');
  return options.tier === 'everyday'
    ? 'Well-known words alone don’t solve this board, so there is no hint with them.'
    : 'The word list has no solution for this board, so there is no hint.';
}

export const SOLVED_TEXT = 'Every letter is used: the board is solved.';

/** One step for programs, with the whole solution too if `withSolution`. */
export function hintData(request: HintRequest, withSolution = false): BoardReply {
  const { namedBoard, search, step } = request;
  const { sides } = search.board;
  if (search.fewest === 0) return dataReply({ sides, solved: true }, []);
  const subject = subjectOf(search);
  if (subject === undefined)
    return search.cut === undefined
      ? dataReply({ sides, solvable: false }, [], { notFound: 'none' })
      : dataReply({ sides, solvable: null, cut: search.cut }, [], { notFound: 'unknown' });
  const { solution, isCertain } = subject;
  const data = {
    sides,
    [step]: isWithheld(search, step, solution) ? null : hintFor(step, subject).data(search, solution),
    solution: withSolution ? solution.words : undefined,
    unproven: isCertain ? undefined : true,
    cut: search.cut,
  };
  const revealed = [
    revealedBy(request, solution),
    withSolution && solutionFacts(namedBoard, [solution.words], search.options.played),
    ...(tellsCount(step) ? playedWordsFacts(request) : []),
  ];
  return dataReply(data, present(revealed));
}

/**
 * Says which solution a hint is about: a longer one if all shortest solutions have an offensive word. Everybody reads it in a
 * thread, so it does not say how much longer.
 */
function aboutText({ fewest, options: { preferred, played } }: Search, { words }: Solution): string {
  if (words.length !== fewest) return 'For a longer solution: every shortest one has a word that may offend.';
  const whole = [...(played ?? []), ...words].join(' ');
  return whole === preferred?.join(' ')
    ? 'About the board’s own solution.'
    : 'About my pick of the shortest solutions.';
}

/** If every solution has an offensive word, hints show none. */
function isWithheld(search: Search, step: HintStep, solution: Solution): boolean {
  const { wordsShown } = HINTS[step];
  return wordsShown !== undefined && offends(search, solution.words.slice(0, wordsShown));
}

const WITHHELD_NOTE = 'I found no solution without a word that may offend. “reveal” shows it.';

/** Says that more was revealed about the words played, and its price, unless it was known: then it costs nothing. */
export function beginsNote(begins: readonly BoardFacts[], points: number): string | false {
  return points > 0 && begins.length > 0 && `Your words begin a shortest solution. ${priceNote(points)}`;
}

/** A button for the next hint, a menu of the others, and the solution. */
function furtherHints(request: HintCardRequest, steps: readonly HintStep[], subject: Subject): Block[] {
  const { namedBoard, search, paid } = request;
  const left = HINT_STEPS.filter((step) => !steps.includes(step) && isNew(search, subject, step, steps));
  const offered = left.filter((step) => step === 'count' || !tellsUnasked(search, step, steps));
  const next =
    offered.find((step) => HINT_STEPS.indexOf(step) > HINT_STEPS.indexOf(steps.at(-1)!)) ?? offered[0];
  const solution = solutionButton(namedBoard, priceOf(['solution'], paid));
  if (next === undefined) return buttonsBlock([solution]);
  const prices = pricesOfStep(request, next, steps);
  const price = priceText(prices);
  const isStrong = HINTS[next].weight >= STRONG_HINT_POINTS && price !== '';
  // To somebody who has played words, the number of words still needed tells whether these begin a shortest solution.
  const askedAs = (step: HintStep) =>
    step === 'count' && isContinuation(search) ? 'Am I on the way?' : undefined;
  const choices = left.map((step) => {
    const worth = priceText(pricesOfStep(request, step, steps));
    return {
      label: askedAs(step) ?? HINTS[step].name,
      description: `${HINTS[step].label}.${worth === '' ? '' : ` Worth ${worth}.`}`,
      action: hintAction(request, step, steps),
    };
  });
  return present([
    ...notes(isStrong && `The next hint is a strong one, worth ${price}.`),
    ...buttonsBlock([
      {
        label: pricedLabel(askedAs(next) ?? `Next hint: ${HINTS[next].name.toLowerCase()}`, prices),
        action: hintAction(request, next, steps),
        look: 'primary',
      },
      buttonOn(namedBoard, 'Check', 'check'),
      solution,
    ]),
    left.length > 1 && { kind: 'menu' as const, label: 'Another hint', choices },
  ]);
}

/**
 * The price of a step. After played words a range, which reveals neither whether they begin a shortest solution nor whether
 * the next word ends one.
 */
function pricesOfStep(request: HintCardRequest, step: HintStep, shown: readonly HintStep[]): PriceRange {
  const { search, paid } = request;
  if (!isContinuation(search)) {
    const points = priceOf(factsOf({ ...request, step }), paid);
    return { least: points, most: points };
  }
  const isCounted = shown.some(tellsCount);
  const told: readonly Fact[] = isCounted || !tellsCount(step) ? [step] : [step, 'first'];
  return { least: priceOf([step], paid), most: priceOf(step === 'first' ? ['solution'] : told, paid) };
}

function solutionButton(namedBoard: NamedBoard, points: number): Button {
  // A board without a date may still be a day's board, or one that somebody made for the channel: `reveal` finds out, and asks
  // before it costs.
  if (namedBoard.date === undefined) return buttonOn(namedBoard, 'Show the solution', 'reveal');
  // The label says the price, so `reveal` need not ask.
  const label = points > 0 ? `Solution: ${pointsText(points)}` : 'Show the solution';
  return buttonOn(namedBoard, label, 'reveal', { options: { open: true } });
}
