import { listed } from '../src/core/text.ts';
import {
  type App,
  type Command,
  choiceOf,
  flagOf,
  integerOf,
  type Request,
  textOf,
  wordsOf,
} from '../src/dispatch/contract.ts';
import { DATE_OPTION, EVERYDAY_OPTION, plainPhrase, SIDES_OPTION } from '../src/dispatch/options.ts';
import { continuationOf, type Target, targetOf } from '../src/dispatch/target.ts';
import { wordsPlayed } from '../src/play/game.ts';
import { restoreGame } from '../src/play/saved-game.ts';
import { gameKey } from '../src/players/results/own-result.ts';
import { type KnownHints, knownHints, nextHintOf } from '../src/players/results/paid-hints.ts';
import { HINT_STEPS, type HintStep } from '../src/reply/model/facts.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { HINTS, nextStep } from '../src/reply/replies/hint-steps.ts';
import { judgeWords } from '../src/solver/check.ts';
import type { SearchOptions } from '../src/solver/search.ts';
import { named } from './names.ts';

export const hint: Command = {
  ...named('hint'),
  options: [
    {
      name: 'step',
      description: 'Which hint; left out, the next one you haven’t seen',
      kind: 'choice',
      choices: HINT_STEPS,
      phrases: Object.fromEntries(HINT_STEPS.map((step) => [plainPhrase(HINTS[step].name), step])),
      about: Object.fromEntries(HINT_STEPS.map((step) => [step, HINTS[step].label])),
      positional: true,
      example: 'lengths',
    },
    SIDES_OPTION,
    {
      name: 'words',
      description: 'Words you’ve played, to go on from there',
      kind: 'words',
      positional: true,
      example: 'forum',
    },
    DATE_OPTION,
    EVERYDAY_OPTION,
    {
      name: 'number',
      description: 'The number of a hint, such as hint 3',
      kind: 'integer',
      min: 1,
      max: HINT_STEPS.length,
      internal: true,
      positional: true,
      example: '3',
    },
    {
      name: 'game',
      description: 'Set by the button of a game, to go on from its words',
      kind: 'flag',
      internal: true,
    },
    {
      name: 'shown',
      description: 'The hints that the card shows already',
      kind: 'text',
      internal: true,
      inPlace: true,
    },
  ],
  access: 'anyone-writes',
  private: true,
  more: `The hints, from weak to strong, are ${listed(HINT_STEPS)}.`,
  examples: ['hint', 'hint lengths', 'hint forum ozu nri lfa mbt', 'hint count yesterday'],
  run: giveHint,
};

export async function giveHint(request: Request, app: App): Promise<Reply> {
  const target = await targetOf(request, app);
  const { namedBoard, source } = target;
  const continuation = continuationOf(request, await wordsPlayedBefore(request, app, target));
  const pressed = textOf(request, 'shown')?.split(',').filter(isStep);
  // Where nothing counts, as on the site, nothing is stored either.
  const known =
    request.hintRecording === 'off' && pressed
      ? { shownSteps: pressed, ownCardSteps: pressed, inThread: [], paid: undefined }
      : await knownHints(request, app, target);
  const { terminal } = request;
  const shown = terminal?.asData ? [] : shownOn(continuation, known, pressed);
  const chosen = choiceOf(request, 'step', HINT_STEPS) ?? HINT_STEPS[(integerOf(request, 'number') ?? 0) - 1];
  // The hints in the thread, which are of the whole board, cost nobody anything: the next hint is the one after them.
  const step = chosen ?? nextStep(continuation.played ? shown : [...shown, ...known.inThread]);
  const isNext = chosen === undefined;
  // If the last word is a dead end, the answer offers the hint without it.
  const before = continuation.played?.slice(0, -1);
  const withoutLast = before && isNext ? nextHintOf(known, before) : undefined;
  const { paid, shownSteps: taken } = known;
  const input = { namedBoard, source, step, isNext, paid, shown, taken, continuation, terminal, withoutLast };
  const reply = await app.work.run('hint', input, request);
  return request.options.shown === undefined ? reply : { ...reply, replaces: true };
}

/** What people type after `hint` when they want the next one. */
const NEXT_HINT_WORDS = ['again', 'another', 'more', 'next'];

/** The words that the hint goes on from: those typed or, after a game's button, those of the game. */
async function wordsPlayedBefore(request: Request, { store, clock }: App, target: Target): Promise<string[]> {
  const { who, where } = request;
  const { board } = target;
  if (flagOf(request, 'game')) {
    // Read without `openSoloGame`, which can't run on the site, where this command runs as well.
    const stored = await store.allPeople.soloGame(where.tenant, who.id, gameKey(target), clock.now());
    const game = restoreGame(stored?.state, board);
    return game === undefined ? [] : wordsPlayed(game);
  }
  const words = wordsOf(request, 'words');
  const isNext = words.length === 1 && NEXT_HINT_WORDS.includes(words[0]!);
  // Unless the board can spell it, such a word is no word of a game.
  return isNext && judgeWords(board, words, () => true).words[0]?.broken !== undefined ? [] : words;
}

/**
 * The hints that the card repeats before the new one. If a button of a card was pressed, those that the button names, as far as
 * they were really given. On a new card, those of earlier cards about the whole board (`ownCardSteps`) if it is about the
 * whole board, too, and none if it is about what comes after some words, or about everyday words.
 */
function shownOn(
  { played, tier }: SearchOptions,
  { shownSteps, ownCardSteps }: KnownHints,
  pressed: readonly HintStep[] | undefined,
): readonly HintStep[] {
  const isOfWholeBoard = played === undefined && tier === undefined;
  // The record does not say after which words a hint was given, so a card after words may name those of any card.
  const given = isOfWholeBoard ? ownCardSteps : shownSteps;
  return pressed?.filter((step) => given.includes(step)) ?? (isOfWholeBoard ? ownCardSteps : []);
}

function isStep(name: string): name is HintStep {
  return HINT_STEPS.some((step) => step === name);
}
