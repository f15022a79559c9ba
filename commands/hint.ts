import {
  askerOf,
  DATE,
  EVERYDAY,
  onwardsOf,
  recordShown,
  SIDES,
  type Topic,
  topicOf,
} from '../src/dispatch/board/topic.ts';
import { type App, type Command, choiceOf, type Request } from '../src/dispatch/contract.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { HINT_STEPS, type HintStep } from '../src/solver/hints.ts';

export const hint: Command = {
  name: 'hint',
  description: 'The next hint you have not seen yet, or the one you name',
  options: [
    {
      name: 'step',
      description: 'Which hint; left out, the next you have not seen',
      kind: 'choice',
      choices: HINT_STEPS,
      positional: true,
      example: 'lengths',
    },
    {
      name: 'words',
      description: 'Words you have played: the hint goes on from them',
      kind: 'words',
      example: 'forum',
    },
    SIDES,
    DATE,
    EVERYDAY,
  ],
  access: 'anyone',
  private: true,
  more: `The hints in order, each telling no more than its own: ${HINT_STEPS.join(', ')}.`,
  examples: ['hint', 'hint lengths', 'hint words:forum sides:"ozu nri lfa mbt"', 'hint count date:yesterday'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const asked = choiceOf(request, 'step', HINT_STEPS);
    const { step, isLast } =
      asked === undefined ? await nextStep(request, app, topic) : { step: asked, isLast: false };
    const { subject, source } = topic;
    const input = { subject, source, step, onwards: onwardsOf(request) };
    const reply = await app.work.run('hint', input, askerOf(request));
    await recordShown(request, app, topic, [step], reply);
    return isLast ? withAllSeenNote(reply) : reply;
  },
};

/** The first step that this person has not seen; when they have seen all, the last one again. */
async function nextStep(
  { who, where }: Request,
  { store }: App,
  { key }: Topic,
): Promise<{ step: HintStep; isLast: boolean }> {
  const seen = new Set(await store.tenant(where.tenant).hints.seen(who.id, key));
  const step = HINT_STEPS.find((one) => !seen.has(one));
  return { step: step ?? HINT_STEPS.at(-1)!, isLast: step === undefined };
}

function withAllSeenNote(reply: Reply): Reply {
  const line = [
    'You have seen every hint of this board. ',
    { command: 'reveal' },
    ' shows the whole solution.',
  ];
  return { ...reply, blocks: [{ kind: 'text', lines: [line] }, ...reply.blocks] };
}
