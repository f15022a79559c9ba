import type { Command } from '../src/dispatch/contract.ts';
import { DATE_OPTION, EVERYDAY_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { continuationOf, targetOf } from '../src/dispatch/target.ts';
import { loadPrices } from '../src/players/results/prices.ts';
import { hintPoints } from '../src/reply/replies/hint-steps.ts';
import { named } from './names.ts';

export const next: Command = {
  ...named('next'),
  options: [
    {
      name: 'words',
      description: 'Your words so far, in order, separated by commas',
      kind: 'words',
      required: true,
      positional: true,
      example: 'forum',
    },
    SIDES_OPTION,
    DATE_OPTION,
    EVERYDAY_OPTION,
  ],
  access: 'anyone-reads',
  storeUse: 'dated-boards',
  searches: true,
  private: true,
  more: `On a daily board it counts as two hints, words needed and first word: ${hintPoints(['count', 'first'])} hint points. A word that ends a shortest solution counts as all hints.`,
  examples: ['next forum ozu nri lfa mbt', 'next words:forum sides:ozu-nri-lfa-mbt'],
  formBoard: targetOf,
  async run(request, app) {
    const target = await targetOf(request, app);
    const { namedBoard, source } = target;
    // Undefined where hints cost nothing, so that the terminal loads nothing for them.
    const prices = await loadPrices(request);
    const input = {
      namedBoard,
      source,
      prices: await prices?.pricesFor(request, app, target),
      continuation: continuationOf(request),
      terminal: request.terminal,
    };
    return app.work.run('next', input, request);
  },
};
