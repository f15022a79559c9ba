import { counted, listed } from '../../core/text.ts';
import {
  firstWord,
  HINT_STEPS,
  type HintStep,
  hardestLetters,
  joiningLetters,
  maskedWords,
  startLetters,
  wordLengths,
  wordsNeeded,
} from '../../solver/hints.ts';
import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { actionOn, buttonOn, type Subject, searchOption } from '../model/subject.ts';
import { bold, code, joined } from '../model/text.ts';
import type { Block, Button, Line, Reply } from '../model/types.ts';
import { pathOf } from '../picture/path.ts';
import { bestOf, quickOf } from './inoffensive-first.ts';
import { notFoundIn } from './solution-parts.ts';

/** The most letters that one step names. */
const SHOWN = 5;

/** The name of each step on buttons and in titles, and the label of its spoiler. */
export const HINT_NAMES: Readonly<Record<HintStep, { readonly name: string; readonly label: string }>> = {
  start: { name: 'Start letters', label: 'Good letters to start with' },
  count: { name: 'Words needed', label: 'How many words it takes' },
  hardest: { name: 'Hardest letters', label: 'The letters that fewest words use' },
  lengths: { name: 'Word lengths', label: 'How long the words are' },
  joint: { name: 'Joining letter', label: 'Where the words join' },
  masked: { name: 'Masked words', label: 'The words with every second letter hidden' },
  first: { name: 'First word', label: 'The first word' },
};

export interface HintRequest {
  readonly subject: Subject;
  /** Of the whole board, or, for a hint that continues from words, with those words as `played`. */
  readonly search: Search;
  readonly step: HintStep;
  readonly audience: Reply['audience'];
}

/**
 * One hint step, its content hidden. The words already played are those of the search.
 *
 * @example hintReply({ subject, search, step: 'count', audience: 'asker' }).title // 'Hint 2 of 7 for Friday 20 November 2026: words needed'
 */
export function hintReply({ subject, search, step, audience }: HintRequest): Reply {
  const words = search.options.played ?? [];
  const number = HINT_STEPS.indexOf(step) + 1;
  const goingOn = words.length > 0 ? ', going on from your words' : '';
  const blocks = hintBlocks(search, step);
  return {
    title: `Hint ${number} of ${HINT_STEPS.length} for ${subject.name}: ${HINT_NAMES[step].name.toLowerCase()}${goingOn}`,
    blocks: [...blocks, { kind: 'buttons', buttons: buttonsAfter(subject, step, search) }],
    ...notFoundIn(search, blocks),
    audience,
    again: actionOn(subject, 'hint', { step, ...searchOption(search) }),
  };
}

/** The step's content without title and buttons, for messages that merge several steps. */
export function hintBlocks(search: Search, step: HintStep): Block[] {
  const { fewest } = search;
  if (fewest === 0) {
    return [{ kind: 'text', lines: ['Every letter is used already: the board is solved.'] }];
  }
  const best = bestOf(search);
  if (fewest === undefined || best === undefined) {
    const found = search.cut === undefined ? undefined : quickOf(search);
    if (found !== undefined) return unprovenHintBlocks(search, step, found);
    const line =
      search.cut ??
      (search.options.played?.length
        ? 'No words of our list can finish from here. Try a hint without your words.'
        : 'No solution of this board is known to our word list, so there is nothing to hint at.');
    return [{ kind: 'text', lines: [line] }];
  }
  const hidden = LINES[step](search, best);
  const isAboutOne = HINT_STEPS.indexOf(step) >= HINT_STEPS.indexOf('lengths');
  return [
    { kind: 'spoiler', label: HINT_NAMES[step].label, hidden },
    ...(search.cut === undefined ? [] : [{ kind: 'note' as const, line: search.cut }]),
    ...(isAboutOne
      ? [
          {
            kind: 'note' as const,
            line: 'This is about the likeliest of the shortest solutions; there may be others.',
          },
        ]
      : []),
  ];
}

/** When the time ran out: the step for a solution that may not be the shortest. */
function unprovenHintBlocks(search: Search, step: HintStep, found: Solution): Block[] {
  const hidden: Line[] =
    step === 'start'
      ? [
          [
            `A ${search.options.played?.length ? 'way on' : 'solution'} starts with `,
            bold(firstWord(found)[0]!.toUpperCase()),
            '.',
          ],
        ]
      : step === 'count'
        ? [[bold(counted(found.words.length, 'word')), ' can do it, perhaps fewer.']]
        : LINES[step](search, found);
  const about =
    step === 'hardest' ? [] : ['This is about a solution found in a hurry, perhaps not the shortest.'];
  return [
    { kind: 'spoiler', label: HINT_NAMES[step].label, hidden },
    ...[search.cut ?? '', ...about].map((line) => ({ kind: 'note' as const, line })),
  ];
}

/** Buttons for all steps, first to last. */
export function hintButtons(subject: Subject, steps: readonly HintStep[] = HINT_STEPS): Button[] {
  return steps.map((step) => buttonOn(subject, HINT_NAMES[step].name, 'hint', { step }));
}

function buttonsAfter(subject: Subject, step: HintStep, search: Search): Button[] {
  const next = HINT_STEPS[HINT_STEPS.indexOf(step) + 1];
  return [
    ...(next === undefined
      ? []
      : [
          buttonOn(
            subject,
            `Next: ${HINT_NAMES[next].name.toLowerCase()}`,
            'hint',
            { step: next, ...searchOption(search) },
            'primary',
          ),
        ]),
    buttonOn(subject, 'Check my words', 'check'),
    buttonOn(subject, 'Reveal', 'reveal'),
  ];
}

type HintLines = (search: Search, best: Solution) => Line[];

const LINES: Readonly<Record<HintStep, HintLines>> = {
  /** Without counts, which would add up to those of the next step. */
  start: (search) => {
    const good = startLetters(search).map(({ letter }) => letter.toUpperCase());
    if (search.options.played?.length) return [['The next word starts with ', bold(good[0] ?? ''), '.']];
    if (good.length === 0) return ['There was not enough time to tell good letters from bad ones.'];
    const rest = [...new Set(search.board.letters.toUpperCase())].filter((letter) => !good.includes(letter));
    return [
      ['Best first: ', ...joined(good.slice(0, SHOWN).map(bold), ', '), '.'],
      ...(rest.length === 0 ? [] : [`No shortest solution starts with ${listed(rest, 'or')}.`]),
    ];
  },
  count: (search) => {
    const { fewest = 0, solutions } = wordsNeeded(search) ?? {};
    const more = search.options.played?.length ? ' more' : '';
    const ways = solutions === undefined ? '.' : `, in ${counted(solutions, 'way')}.`;
    return [[bold(`${fewest}${more} word${fewest === 1 ? '' : 's'}`), ` can do it${ways}`]];
  },
  hardest: (search) => {
    const covered = new Set(pathOf(search.board, search.options.played ?? []).words.flat());
    return hardestLetters(search)
      .filter(({ spot }) => !covered.has(spot))
      .slice(0, SHOWN)
      .map(({ letter, words }) => [bold(letter.toUpperCase()), `: ${counted(words, 'word')} can use it`]);
  },
  lengths: (_, best) => {
    const lengths = wordLengths(best);
    return lengths.length === 1
      ? [['One word of ', bold(counted(lengths[0]!, 'letter')), '.']]
      : [
          [
            'In order: ',
            ...joined(
              lengths.map((length) => bold(String(length))),
              ', then ',
            ),
            ' letters.',
          ],
        ];
  },
  joint: (search, best) => {
    const letters = joiningLetters(best).map((letter) => bold(letter.toUpperCase()));
    return letters.length === 0
      ? [`Nowhere: one ${search.options.played?.length ? 'more ' : ''}word does it all.`]
      : [['The words join on ', ...joined(letters, ', then on '), '.']];
  },
  masked: (_, best) => maskedWords(best).map(code),
  first: (search, best) => [
    [search.options.played?.length ? 'Go on with ' : 'Start with ', bold(firstWord(best).toUpperCase()), '.'],
  ],
};
