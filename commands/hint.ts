import { peopleScope } from '../src/core/channel-ref.ts';
import { listed } from '../src/core/text.ts';
import {
  type App,
  type Command,
  choiceOf,
  type Request,
  textOf,
  wholeOf,
  wordsOf,
} from '../src/dispatch/contract.ts';
import {
  DATE,
  EVERYDAY,
  jobAskerOf,
  onwardsOf,
  recordShown,
  SIDES,
  type Topic,
  topicOf,
} from '../src/dispatch/topic.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { HINT_STEPS, HINTS, type HintStep } from '../src/reply/replies/hint.ts';
import { judgeWords } from '../src/solver/check.ts';

export const hint: Command = {
  name: 'hint',
  description: 'Your next hint, or one you choose',
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
    SIDES,
    {
      name: 'words',
      description: 'Words you’ve played, to go on from there',
      kind: 'words',
      positional: true,
      example: 'forum',
    },
    DATE,
    EVERYDAY,
    {
      name: 'number',
      description: 'The number of a hint, such as hint 3',
      kind: 'whole',
      min: 1,
      max: HINT_STEPS.length,
      internal: true,
      positional: true,
      example: '3',
    },
    {
      name: 'shown',
      description: 'The hints that the card shows already',
      kind: 'text',
      internal: true,
      inPlace: true,
    },
  ],
  access: 'anyone',
  private: true,
  more: `The hints, from weak to strong, are ${listed(HINT_STEPS)}.`,
  examples: ['hint', 'hint lengths', 'hint forum ozu nri lfa mbt', 'hint count yesterday'],
  run: giveHint,
};

export async function giveHint(typed: Request, app: App): Promise<Reply> {
  const topic = await topicOf(typed, app);
  const request = withoutNext(typed, topic);
  const onwards = onwardsOf(request);
  const { terminal } = request;
  const shown = terminal?.asData ? [] : await shownTo(request, app, topic);
  const chosen = choiceOf(request, 'step', HINT_STEPS) ?? HINT_STEPS[(wholeOf(request, 'number') ?? 0) - 1];
  const asked = chosen ?? HINT_STEPS.find((step) => !shown.includes(step));
  const step = asked ?? HINT_STEPS.at(-1)!;
  const { subject, source } = topic;
  const isFree = await hasNoPrice(request, app, topic);
  const input = { subject, source, step, isNext: chosen === undefined, isFree, shown, onwards, terminal };
  const reply = await app.work.run('hint', input, jobAskerOf(request));
  await recordShown(request, app, topic, { reply, steps: [stepOn(reply) ?? step] });
  return request.options.shown === undefined ? reply : { ...reply, replaces: true };
}

/** Whether nothing is counted, or the asker has a result of the day's board from anywhere at this door. */
async function hasNoPrice(
  { who, where, recordsHints = true }: Request,
  { store }: App,
  { puzzle }: Topic,
): Promise<boolean> {
  if (puzzle === undefined || !recordsHints) return !recordsHints;
  const results = await store.allPeople.resultsOf(peopleScope(where.tenant), who.id, puzzle.date);
  return results.length > 0;
}

/** What people type after `hint` when they want the next one. */
const NEXT = ['again', 'another', 'more', 'next'];

/** Takes such a word for a word they played only where the board has it. */
function withoutNext(request: Request, { board }: Topic): Request {
  const { words: _, ...options } = request.options;
  const words = wordsOf(request, 'words');
  if (words.length !== 1 || !NEXT.includes(words[0]!.toLowerCase())) return request;
  const [judged] = judgeWords(board, words, () => true).words;
  return judged?.broken === undefined ? request : { ...request, options };
}

/** The hints on the card whose button was pressed; for a new card the hints that this person has seen of the board. */
async function shownTo(request: Request, { store }: App, { key }: Topic): Promise<readonly HintStep[]> {
  const { who, where } = request;
  const onCard = textOf(request, 'shown')?.split(',');
  if (onCard !== undefined) return onCard.filter(isStep);
  // A hint that continues from words is about those words, so earlier ones say nothing about it.
  if (wordsOf(request, 'words').length > 0) return [];
  const seen = await store.tenant(where.tenant).hints.seen(who.id, key);
  return HINT_STEPS.filter((step) => seen.includes(step));
}

/** The hint that a card gave. */
function stepOn({ again }: Reply): HintStep | undefined {
  return HINT_STEPS.find((step) => step === again?.options.step);
}

function isStep(name: string): name is HintStep {
  return HINT_STEPS.some((step) => step === name);
}
