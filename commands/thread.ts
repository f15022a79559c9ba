import type { PuzzleDate } from '../src/core/clock.ts';
import { UserError } from '../src/core/errors.ts';
import { clip, listed } from '../src/core/text.ts';
import { endsOfDay } from '../src/daily/day-thread.ts';
import { answerSteps } from '../src/daily/delivery/messages.ts';
import { postedSteps } from '../src/daily/plan/todo.ts';
import { type Command, type ReadingApp, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION } from '../src/dispatch/options.ts';
import { puzzleOf } from '../src/dispatch/target.ts';
import { withStepPrices } from '../src/players/results/paid-hints.ts';
import { sentenceReply } from '../src/reply/model/text.ts';
import { THREAD_STEPS, type ThreadStep } from '../src/reply/replies/thread-steps.ts';
import { named } from './names.ts';

export const thread: Command = {
  ...named('thread'),
  options: [
    {
      name: 'steps',
      description: 'Steps to show; left out, those posted here so far',
      kind: 'words',
      positional: true,
      example: 'start,count',
    },
    DATE_OPTION,
  ],
  access: 'anyone-reads',
  private: true,
  more: `The steps are ${listed(THREAD_STEPS)}. Each stays hidden until you open it. They count as hints, unlike in the thread itself.`,
  examples: ['thread', 'thread start,count', 'thread steps:start,count date:yesterday'],
  async run(request, app) {
    const puzzle = await puzzleOf(request, app);
    const asked = wordsOf(request, 'steps').map(readStep);
    const steps = asked.length > 0 ? asked : await stepsSoFar(request, app, puzzle.date);
    if (steps.length === 0)
      return sentenceReply('No hints posted here yet', [
        'For one of your own, only for you: ',
        { command: 'hint' },
      ]);
    // The reply's audience is the asker alone; the thread's own messages are for everyone.
    const reply = await answerSteps(app, request)(puzzle, steps, 'asker');
    return withStepPrices(request, app, puzzle, reply);
  },
};

async function stepsSoFar(
  { where }: Request,
  { store }: ReadingApp,
  date: PuzzleDate,
): Promise<ThreadStep[]> {
  return postedSteps({ ends: await endsOfDay(store, where, date) });
}

function readStep(text: string): ThreadStep {
  const step = THREAD_STEPS.find((known) => known === text);
  if (step !== undefined) return step;
  throw new UserError(
    'thread.step',
    `"${clip(text)}" isn’t a step. Choose from ${listed(THREAD_STEPS, 'or')}.`,
  );
}
