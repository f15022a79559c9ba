import { identityScope } from '../src/core/channel-ref.ts';
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
import { readHintRecord } from '../src/dispatch/hint-record.ts';
import { DATE_OPTION, EVERYDAY_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { continuationOf, jobAskerOf, type Target, targetOf } from '../src/dispatch/target.ts';
import { wordsPlayed } from '../src/play/game.ts';
import { restoreGame } from '../src/play/saved-game.ts';
import { gameKey, ownResult } from '../src/players/results/own-result.ts';
import { HINT_STEPS, type HintStep } from '../src/reply/model/facts.ts';
import { wordsOption } from '../src/reply/model/named-board.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { HINTS } from '../src/reply/replies/hint-steps.ts';
import { judgeWords } from '../src/solver/check.ts';
import { COMMAND_NAMES } from './names.ts';

export const hint: Command = {
  name: 'hint',
  ...COMMAND_NAMES.hint,
  options: [
    {
      name: 'step',
      description: 'Which hint; left out, the next one you haven’t seen',
      kind: 'choice',
      choices: HINT_STEPS,
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

export async function giveHint(typed: Request, app: App): Promise<Reply> {
  const target = await targetOf(typed, app);
  const request = withoutNext(await withWordsOfGame(typed, app, target), target);
  const continuation = continuationOf(request);
  const { terminal } = request;
  const { shown, taken } = terminal?.asData ? { shown: [], taken: [] } : await shownTo(request, app, target);
  const chosen = choiceOf(request, 'step', HINT_STEPS) ?? HINT_STEPS[(integerOf(request, 'number') ?? 0) - 1];
  const asked = chosen ?? HINT_STEPS.find((step) => !shown.includes(step));
  const step = asked ?? HINT_STEPS.at(-1)!;
  const { namedBoard, source } = target;
  const isFree = await hasNoPrice(request, app, target);
  const input = {
    namedBoard,
    source,
    step,
    isNext: chosen === undefined,
    isFree,
    shown,
    taken,
    continuation,
    terminal,
  };
  const reply = await app.work.run('hint', input, jobAskerOf(request));
  return request.options.shown === undefined ? reply : { ...reply, replaces: true };
}

/** Reads the stored game without `SoloGames`, which can't run on the site, where this command runs as well. */
async function withWordsOfGame(request: Request, { store, clock }: App, target: Target): Promise<Request> {
  const { game: isAsked, ...options } = request.options;
  if (!isAsked) return request;
  const { who, where } = request;
  const scope = identityScope(where.tenant);
  const stored = await store.allPeople.soloGame(scope, who.id, gameKey(target), clock.now());
  const game = restoreGame(stored?.state, target.board);
  return { ...request, options: { ...options, ...wordsOption(game && wordsPlayed(game)) } };
}

/** Whether a hint costs nothing: nothing is counted, or the asker has a result of the day's board already. */
async function hasNoPrice(request: Request, app: App, { puzzle }: Target): Promise<boolean> {
  if (puzzle === undefined || request.hintRecording === 'off') return request.hintRecording === 'off';
  return (await ownResult(request, app, puzzle)) !== undefined;
}

/** What people type after `hint` when they want the next one. */
const NEXT_HINT_WORDS = ['again', 'another', 'more', 'next'];

/** Removes such a word from the words played, unless the board can spell it. */
function withoutNext(request: Request, { board }: Target): Request {
  const { words: _, ...options } = request.options;
  const words = wordsOf(request, 'words');
  if (words.length !== 1 || !NEXT_HINT_WORDS.includes(words[0]!.toLowerCase())) return request;
  const [judged] = judgeWords(board, words, () => true).words;
  return judged?.broken === undefined ? request : { ...request, options };
}

/**
 * The hints that the card shows already, and all hints that this person has seen on cards. A card whose button was pressed
 * names what it shows, of which only hints that were really given count; a new card starts from the board's own card.
 */
async function shownTo(
  request: Request,
  app: App,
  { namedBoard }: Target,
): Promise<{ readonly shown: readonly HintStep[]; readonly taken: readonly HintStep[] }> {
  const pressed = textOf(request, 'shown')?.split(',').filter(isStep);
  // Where nothing counts, as on the site, nothing is stored either.
  if (request.hintRecording === 'off' && pressed !== undefined) return { shown: pressed, taken: pressed };
  const { countedSteps, shownSteps, ownCardSteps } = await readHintRecord(request, app, namedBoard);
  // A hint limited to everyday words, or after words played, is a different hint: nothing of it was shown before.
  const isOwn = wordsOf(request, 'words').length === 0 && !flagOf(request, 'everyday');
  const known = isOwn ? ownCardSteps : countedSteps;
  const shown = pressed?.filter((step) => known.includes(step)) ?? (isOwn ? ownCardSteps : []);
  return { shown, taken: shownSteps };
}

function isStep(name: string): name is HintStep {
  return HINT_STEPS.some((step) => step === name);
}
