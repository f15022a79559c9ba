import { type Command, choiceOf } from '../src/dispatch/contract.ts';
import { readHintRecord } from '../src/dispatch/hint-record.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { targetOf } from '../src/dispatch/target.ts';
import { huntOf } from '../src/players/hunt.ts';
import { mayImprove } from '../src/players/results/paid-hints.ts';
import { isCalm } from '../src/players/results/stats.ts';
import { HUNT_HINTS, huntReply, nothingFoundReply } from '../src/reply/replies/hunt.ts';
import { named } from './names.ts';

export const hunt: Command = {
  ...named('hunt'),
  options: [
    {
      name: 'hint',
      description: 'A hint at one that you have not found',
      kind: 'choice',
      choices: HUNT_HINTS,
      about: { letter: 'another first letter', word: 'the first word of one' },
    },
    DATE_OPTION,
    SIDES_OPTION,
  ],
  access: 'anyone-writes',
  searches: true,
  private: true,
  more: 'After your first solution of a board, each other one counts: 15 of them make it complete. A hint costs as much as one about the start letters or the first word, in case your result gets better; so does seeing with which letters the solutions left begin.',
  examples: ['hunt', 'hunt hint:letter', 'hunt yesterday'],
  async run(request, app) {
    const target = await targetOf(request, app);
    const { namedBoard } = target;
    const hunted = await huntOf(request, app, target);
    const { who, where } = request;
    const finds = await app.store.allPeople.findsOf(where.tenant, who.id, hunted.board);
    // The list shows first letters of solutions, which cost hint points before the board is solved.
    if (finds.length === 0) return nothingFoundReply(namedBoard, hunted.solutions.length);
    const hint = choiceOf(request, 'hint', HUNT_HINTS);
    const { countedSteps: seen } = await readHintRecord(request, app, namedBoard);
    return huntReply({
      ...hunted,
      finds,
      namedBoard,
      seen,
      mayImprove: await mayImprove(request, app, target),
      hint,
      isCalm: await isCalm(request, app),
    });
  },
};
