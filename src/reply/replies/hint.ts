import { counted } from '../../core/text.ts';
import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { type BoardFacts, type Fact, factsAbout, HINT_STEPS, type HintStep } from '../model/facts.ts';
import {
  actionOn,
  buttonOn,
  type NamedBoard,
  nameAfter,
  searchOption,
  wordsOption,
} from '../model/named-board.ts';
import { buttonsBlock, notes, textBlock, toAsker, toEveryone } from '../model/text.ts';
import {
  type Block,
  type BoardReply,
  type Button,
  dataReply,
  type Line,
  type OptionValue,
  type Reply,
} from '../model/types.ts';
import { bestOf, notFoundField, offends, quickOf } from './chosen-solutions.ts';
import { ALL_HINT_POINTS, HINTS, type Hint, hintNumber, hintTitle, isContinuation } from './hint-steps.ts';

/** A hint of this weight or more gives away much, and the card says so before it is taken. */
const STRONG_HINT_POINTS = 3;

export interface HintRequest {
  readonly namedBoard: NamedBoard;
  /** A search of the whole board or, for a hint after played words, with these words as `played`. */
  readonly search: Search;
  readonly step: HintStep;
  /** Whether the words played begin a shortest solution of the board. Without words, they don't. */
  readonly beginsShortest?: boolean;
}

/** The facts that a step reveals. Revealing the last word of a shortest solution reveals a solution. */
function factsOf({ step, search, beginsShortest }: HintRequest): readonly Fact[] {
  return step === 'first' && beginsShortest && search.fewest === 1 ? ['first', 'solution'] : [step];
}

/**
 * Steps that reveal, after some words, how many more it takes. All hints about a solution do: lengths, joints, meanings and
 * masked words show how many words it has, and the first word, as the last step, reveals no less than the steps before it.
 */
const COUNTING_STEPS = HINT_STEPS.filter((step) => step === 'count' || HINTS[step].about === 'solution');

/**
 * The facts about the words played that the number of words still needed reveals: as much as a first word, if they begin a
 * shortest solution.
 */
export function playedWordsFacts({
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
  const { namedBoard, search, taken = [] } = request;
  const { step, before, isStepNew } = stepsOfCard(request);
  const steps = [...before, step];
  // A step that is not new reveals nothing, so it is shown as text without a spoiler.
  if (!isStepNew)
    return cardOf(request, steps, {
      title: 'This hint says nothing new here',
      content: textBlock(HINTS[step].lines(search, bestOf(search)!)),
      controls: furtherHints(request, steps),
    });
  const onCard = { open: true, card: isWholeBoard(search) ? 'board' : 'other' } as const;
  const newest = hintBlocks({ ...request, step }, onCard);
  const isHint = newest.some(({ kind }) => kind === 'spoiler');
  if (!isHint)
    return cardOf(request, steps, {
      title: search.fewest === 0 ? 'No hint needed' : 'No hint for this board',
      content: newest,
      controls: buttonsBlock([
        buttonOn(namedBoard, 'Check', 'check', { options: wordsOption(search.options.played) }),
      ]),
      ...notFoundField(search, newest),
    });
  const older = before.flatMap((one) => hintBlocks({ ...request, step: one }, onCard));
  return cardOf(request, steps, {
    title: hintTitle([...taken, ...steps]),
    content: [...older, ...newest],
    controls: furtherHints(request, steps),
  });
}

interface CardParts extends Pick<Reply, 'title' | 'notFound'> {
  readonly content: readonly Block[];
  readonly controls: readonly Block[];
}

/** A card about these steps, the newest last, with what every card has: the board's name, and the price of what it reveals. */
function cardOf(
  request: HintCardRequest,
  steps: readonly HintStep[],
  { title, content, controls, ...notFound }: CardParts,
): BoardReply {
  const { namedBoard, search, isFree } = request;
  const step = steps.at(-1)!;
  const alsoRevealed = COUNTING_STEPS.includes(step) ? playedWordsFacts(request) : [];
  const blocks = [
    notes(nameAfter(namedBoard, search)),
    distinctNotes(content),
    isFree ? [] : playedWordsNote(namedBoard, alsoRevealed),
    controls,
  ];
  return toAsker(title, blocks, {
    reveals: alsoRevealed,
    ...notFound,
    rerun: actionOn(namedBoard, 'hint', {
      step,
      ...shownOption(steps.slice(0, -1)),
      ...searchOption(search),
    }),
  });
}

/** The step that a card adds, the earlier steps that stay on it, and whether the added one says anything new. */
function stepsOfCard({ search, step: asked, shown = [], isNext }: HintCardRequest) {
  const later = HINT_STEPS.slice(HINT_STEPS.indexOf(asked));
  const nextNew = isNext && later.find((one) => !shown.includes(one) && isNew(search, one, shown));
  const step = nextNew || asked;
  const before = shown.filter((one, index) => one !== step && isNew(search, one, shown.slice(0, index)));
  return { step, before, isStepNew: isNew(search, step, before) };
}

/** Whether a search is of the board itself, rather than after some words or of everyday words alone. */
function isWholeBoard(search: Search): boolean {
  return !isContinuation(search) && search.options.tier === undefined;
}

/** Whether a hint says anything new. Without a proven shortest solution, or with none needed, every hint counts as new. */
function isNew(search: Search, step: HintStep, before: readonly HintStep[]): boolean {
  const { isInformative }: Hint = HINTS[step];
  const best = bestOf(search);
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

/** One hint for everyone, hidden, as the day's thread posts it. */
export function hintPost({ namedBoard, search, step }: HintRequest): BoardReply {
  const blocks = hintBlocks({ namedBoard, search, step });
  return toEveryone(`${hintNumber(step)}: ${HINTS[step].name.toLowerCase()}`, blocks, {
    reveals: [],
    ...notFoundField(search, blocks),
    rerun: actionOn(namedBoard, 'thread', { steps: step }),
  });
}

interface HintShown {
  readonly open?: boolean;
  readonly card?: BoardFacts['card'];
}

/** The step's content without title and buttons, for messages that merge several steps. */
export function hintBlocks(request: HintRequest, shown: HintShown = {}): Block[] {
  const { search, step } = request;
  const { fewest } = search;
  if (fewest === 0) return textBlock(['Every letter is used: the board is solved.']);
  const best = bestOf(search);
  if (fewest === undefined || best === undefined) {
    const found = search.cut === undefined ? undefined : quickOf(search);
    if (found !== undefined) return unprovenHintBlocks(request, found, shown);
    const line =
      search.cut ??
      (search.options.played?.length
        ? 'No word in the word list finishes from here. Try a hint without your words.'
        : 'The word list has no solution for this board, so there is no hint.');
    return textBlock([line]);
  }
  return [
    ...hintSpoiler(request, best, HINTS[step].lines, shown),
    ...notes(search.cut, HINTS[step].about === 'solution' && aboutText(search, best)),
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
    [step]: isWithheld(request, found) ? null : dataOf(search, found),
    solution: withSolution ? found.words : undefined,
    unproven: best === undefined ? true : undefined,
    cut: search.cut,
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
const ABOUT_OFFICIAL = 'For the board’s own solution.';

/** If every solution has an offensive word, hints show none. */
function isWithheld({ search, step }: HintRequest, found: Solution): boolean {
  const { wordsShown }: Hint = HINTS[step];
  return wordsShown !== undefined && offends(search, wordsShown(found));
}

const WITHHELD_NOTE = 'I found no solution without a word that may offend. “reveal” shows it.';

const PLAYED_WORDS_NOTE = `Your words begin a shortest solution. Reading that counts as the first word: ${HINTS.first.weight} hint points.`;

/** Says that more was revealed about the words played, on a day's board. */
export function playedWordsNote({ date }: NamedBoard, facts: readonly BoardFacts[]): Block[] {
  return notes(facts.length > 0 && date !== undefined && PLAYED_WORDS_NOTE);
}

function hintSpoiler(
  request: HintRequest,
  found: Solution,
  linesOf: Hint['lines'],
  { open, card }: HintShown,
): Block[] {
  const { namedBoard, search, step } = request;
  if (isWithheld(request, found)) return textBlock([WITHHELD_NOTE]);
  return [
    {
      kind: 'spoiler',
      label: HINTS[step].label,
      hidden: linesOf(search, found),
      reveals: { ...factsAbout(namedBoard, ...factsOf(request)), ...(card !== undefined && { card }) },
      open: open || undefined,
    },
  ];
}

/** Each note once, below the hints, as several hints may have the same source. */
function distinctNotes(blocks: readonly Block[]): Block[] {
  const notes = new Map<Line, Block>();
  for (const block of blocks) if (block.kind === 'note') notes.set(block.line, block);
  return [...blocks.filter(({ kind }) => kind !== 'note'), ...notes.values()];
}

/** The step for a solution that may not be the shortest, since the time ran out. */
function unprovenHintBlocks(request: HintRequest, found: Solution, shown: HintShown): Block[] {
  const { search, step } = request;
  const { about, lines, unproven } = HINTS[step];
  const isAboutFound = about === 'solution' || unproven !== undefined;
  return [
    ...hintSpoiler(request, found, unproven?.lines ?? lines, shown),
    ...notes(search.cut, isAboutFound && 'For a solution found quickly. A shorter one may exist.'),
  ];
}

/** A button for the next hint, a menu of the others, and the solution. */
function furtherHints({ namedBoard, search, isFree }: HintCardRequest, steps: readonly HintStep[]): Block[] {
  const worth = (step: HintStep) => priceText(step, search);
  const left = HINT_STEPS.filter((step) => !steps.includes(step) && isNew(search, step, steps));
  const next = left.find((step) => HINT_STEPS.indexOf(step) > HINT_STEPS.indexOf(steps.at(-1)!)) ?? left[0];
  const optionsFor = (step: HintStep): Record<string, OptionValue> => ({
    step,
    ...shownOption(steps),
    ...searchOption(search),
  });
  const hasPrice = !isFree && steps.length < HINT_STEPS.length;
  const solution = solutionButton(namedBoard, hasPrice);
  if (next === undefined) return buttonsBlock([solution]);
  const more = `Next hint: ${HINTS[next].name.toLowerCase()}`;
  const isStrong = HINTS[next].weight >= STRONG_HINT_POINTS && !isFree;
  return [
    ...notes(isStrong && `The next hint is a strong one, worth ${worth(next)}.`),
    ...buttonsBlock([
      buttonOn(namedBoard, more, 'hint', { options: optionsFor(next), look: 'primary' }),
      buttonOn(namedBoard, 'Check', 'check'),
      solution,
    ]),
    ...(left.length === 1 ? [] : [menuOf(namedBoard, left, optionsFor, worth)]),
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
  // A board without a date may be a day's board or a challenge all the same: `reveal` finds out, and asks before it costs.
  if (namedBoard.date === undefined) return buttonOn(namedBoard, 'Show the solution', 'reveal');
  // The label says the price, so `reveal` need not ask.
  const label = hasPrice ? 'Solution: costs all hints' : 'Show the solution';
  return buttonOn(namedBoard, label, 'reveal', { options: { open: true } });
}

function menuOf(
  namedBoard: NamedBoard,
  left: readonly HintStep[],
  optionsFor: (step: HintStep) => Record<string, OptionValue>,
  worth: (step: HintStep) => string,
): Block {
  return {
    kind: 'menu',
    label: 'Another hint',
    choices: left.map((step) => ({
      label: HINTS[step].name,
      description: `${HINTS[step].label}. Worth ${worth(step)}.`,
      action: actionOn(namedBoard, 'hint', optionsFor(step)),
    })),
  };
}

/** `shown` is always set, so that a card grows by one hint even if the person has seen hints on other cards since. */
function shownOption(steps: readonly HintStep[]): Record<string, string> {
  return { shown: steps.length === 0 ? 'none' : steps.join(',') };
}
