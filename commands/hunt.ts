import { type Command, choiceOf } from '../src/dispatch/contract.ts';
import { toldTo } from '../src/dispatch/told.ts';
import { DATE, SIDES, topicOf } from '../src/dispatch/topic.ts';
import { findsOf, huntOf } from '../src/players/hunt.ts';
import { HUNT_HINTS, huntReply, nothingFoundReply } from '../src/reply/replies/hunt.ts';
import { NAMES } from './names.ts';

export const hunt: Command = {
  name: 'hunt',
  ...NAMES.hunt,
  options: [
    {
      name: 'hint',
      description: 'A hint at one that you have not found',
      kind: 'choice',
      choices: HUNT_HINTS,
      about: { letter: 'another first letter', word: 'the first word of one' },
    },
    DATE,
    SIDES,
  ],
  access: 'anyone',
  searches: true,
  private: true,
  more: 'After your first solution of a board, each other one counts: 15 of them make it complete. A hint costs as much as one about the start letters or the first word, in case your result gets better; so do letters at which solutions are left.',
  examples: ['hunt', 'hunt hint:letter', 'hunt yesterday'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { subject } = topic;
    const hunted = await huntOf(request, app, topic);
    const finds = await findsOf(request, app, hunted);
    // People who have not solved the board would learn what hints cost.
    if (finds.length === 0) return nothingFoundReply(subject, hunted.toFind.length);
    const hint = choiceOf(request, 'hint', HUNT_HINTS);
    const { charged: seen } = await toldTo(request, app, subject);
    return huntReply({ ...hunted, finds, subject, seen, hint });
  },
};
