import {
  edgeLetters,
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
import { findPlayable } from '../../solver/playable.ts';
import { makeSearch, type Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { boardFor, lexiconFor } from './board.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

const SHOWN = 5;

export const hint: Subcommand = {
  usage: 'hint [options] <sides>',
  about: 'Hints for a board, from the faintest on; each step tells only its own secret',
  options: ['step', 'reveal', 'everyday', 'played'],
  async run(typed) {
    const step = typed.choice('step', HINT_STEPS);
    const board = await boardFor(typed.bare.join(' '));
    const search = makeSearch(board, findPlayable(board, lexiconFor(typed)), {
      played: typed.list('played'),
      ...(typed.flag('everyday') && { tier: 'everyday' as const }),
    });
    const best = search.solutions('shortest').next().value ?? undefined;
    if (best === undefined) {
      const json = { sides: board.sides, solvable: false };
      return {
        exit: EXIT.noSolution,
        json: () => json,
        lines: () => ['This board has no solution in our word list.'],
      };
    }
    const steps = step === undefined ? (['start'] as const) : [step];
    return {
      exit: EXIT.answered,
      json: () => ({
        sides: board.sides,
        ...Object.fromEntries(steps.map((name) => [name, STEPS[name].data(search, best)])),
        ...(typed.flag('reveal') && { solution: best.words }),
      }),
      *lines() {
        for (const name of steps) yield STEPS[name].text(search, best);
        const after = HINT_STEPS[HINT_STEPS.indexOf(steps[0]!) + 1];
        if (after !== undefined && !typed.flag('reveal')) yield `Next hint: --step ${after}`;
        if (typed.flag('reveal')) yield `Solution: ${best.words.join(' ')}`;
      },
    };
  },
};

interface Step {
  data(search: Search, best: Solution): unknown;
  text(search: Search, best: Solution): string;
}

const STEPS: Readonly<Record<HintStep, Step>> = {
  start: {
    data: (search) => ({ letters: startLetters(search), edges: edgesOf(search) }),
    text: (search) => {
      const letters = startLetters(search).slice(0, SHOWN);
      return `Good letters to start with: ${letters.map(({ letter, solutions }) => `${letter} (${solutions})`).join(', ')}`;
    },
  },
  count: {
    data: (search) => wordsNeeded(search),
    text: (search) => {
      const needed = wordsNeeded(search);
      return `Words needed: ${needed?.fewest} (${needed?.solutions} such solutions)`;
    },
  },
  hardest: {
    data: (search) => hardestLetters(search),
    text: (search) => {
      const letters = hardestLetters(search).slice(0, SHOWN);
      return `Hardest letters: ${letters.map(({ letter, words }) => `${letter} (${words} words)`).join(', ')}`;
    },
  },
  lengths: {
    data: (_, best) => wordLengths(best),
    text: (_, best) => `Lengths of the words: ${wordLengths(best).join(', ')}`,
  },
  joint: {
    data: (_, best) => joiningLetters(best),
    text: (_, best) => `The words join on: ${joiningLetters(best).join(', ') || 'nothing, one word does it'}`,
  },
  masked: {
    data: (_, best) => maskedWords(best),
    text: (_, best) => `Masked: ${maskedWords(best).join(' ')}`,
  },
  first: { data: (_, best) => firstWord(best), text: (_, best) => `First word: ${firstWord(best)}` },
};

/** Good and bad letters at either end; what was played settles the first one already. */
function edgesOf(search: Search): unknown {
  return search.options.played?.length ? undefined : edgeLetters(search);
}
