import type { PuzzleDate } from '../src/core/clock.ts';
import { UserError } from '../src/core/errors.ts';
import { clip, listed } from '../src/core/text.ts';
import { endsOf } from '../src/daily/day-thread.ts';
import { answerSteps } from '../src/daily/delivery/messages.ts';
import { postedSteps } from '../src/daily/plan/todo.ts';
import { type Command, type ReadingApp, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { areHiddenCharged } from '../src/dispatch/hint-record.ts';
import { DATE_OPTION } from '../src/dispatch/options.ts';
import { puzzleOf } from '../src/dispatch/target.ts';
import { paidHintsOf } from '../src/players/results/paid-hints.ts';
import { isHidden, notes, sentenceReply } from '../src/reply/model/text.ts';
import type { Block, Reply } from '../src/reply/model/types.ts';
import { type PaidHints, priceNote, priceOf, pricesOf } from '../src/reply/replies/hint-steps.ts';
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
    const paid = await paidHintsOf(request, app, { board: puzzle.board, puzzle });
    return { ...reply, blocks: priced(reply.blocks, paid, request) };
  },
};

/** The price of each step on its label or, where they count as they are sent, that of all of them above. */
function priced(blocks: Reply['blocks'], paid: PaidHints, request: Request): Block[] {
  const isCharged = areHiddenCharged(request);
  const { opens = isCharged ? 'all' : [] } = request;
  const hidden = blocks.filter(isHidden);
  const factsOf = (block: Block) => ('reveals' in block ? (block.reveals?.facts ?? []) : []);
  const open = hidden.filter((_, at) => opens === 'all' || opens.includes(at)).flatMap(factsOf);
  const shown = blocks.map((block): Block => {
    if (block.kind !== 'spoiler') return block;
    const { priceLabel } = pricesOf({ paid, hiddenCharged: false }, { open, hidden: factsOf(block) });
    return { ...block, label: block.label + priceLabel };
  });
  return [...notes(isCharged && priceNote(priceOf(open, paid))), ...shown];
}

async function stepsSoFar(
  { where }: Request,
  { store }: ReadingApp,
  date: PuzzleDate,
): Promise<ThreadStep[]> {
  const row = await store.tenant(where.tenant).deliveries.day(where.channel, date);
  return postedSteps({ ends: endsOf(row) });
}

function readStep(text: string): ThreadStep {
  const step = THREAD_STEPS.find((known) => known === text);
  if (step !== undefined) return step;
  throw new UserError(
    'thread.step',
    `"${clip(text)}" isn’t a step. Choose from ${listed(THREAD_STEPS, 'or')}.`,
  );
}
