import { type Command, wordsOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { targetOf } from '../src/dispatch/target.ts';
import { loadPrices } from '../src/players/results/prices.ts';
import { hasExactList } from '../src/puzzle/types.ts';
import { checkedData, checkedReply, wordsToGoOnFrom } from '../src/reply/replies/check.ts';
import { named } from './names.ts';

export const check: Command = {
  ...named('check'),
  options: [
    {
      name: 'words',
      description: 'Your words in order, separated by commas',
      kind: 'words',
      required: true,
      positional: true,
      example: 'forum,mozart',
    },
    SIDES_OPTION,
    DATE_OPTION,
  ],
  access: 'anyone-reads',
  storeUse: 'dated-boards',
  private: true,
  examples: [
    'check forum,mozart ozu nri lfa mbt',
    'check words:"forum mozart" sides:ozu-nri-lfa-mbt',
    'check forum mozart date:yesterday',
  ],
  formBoard: targetOf,
  async run(request, app) {
    const target = await targetOf(request, app);
    const { board, namedBoard, source } = target;
    const words = wordsOf(request, 'words');
    const result = await app.work.run('check', { board, source, words }, request);
    if (request.terminal?.asData) return checkedData(board, result);
    const prices = result.solved ? undefined : await loadPrices(request);
    const known = await prices?.knownHints(request, app, target);
    return checkedReply({
      namedBoard,
      result,
      isListExact: hasExactList(source),
      paid: known?.paid,
      nextHint: known && prices?.nextHintOf(known, wordsToGoOnFrom(result)),
    });
  },
};
