import { type Command, wordsOf } from '../src/dispatch/contract.ts';
import { DATE, jobAskerOf, SIDES, topicOf } from '../src/dispatch/topic.ts';
import { isCertain } from '../src/puzzle/judge.ts';
import { checkedData, checkedReply } from '../src/reply/replies/played.ts';
import { NAMES } from './names.ts';

export const check: Command = {
  name: 'check',
  ...NAMES.check,
  options: [
    {
      name: 'words',
      description: 'Your words in order, separated by commas',
      kind: 'words',
      required: true,
      positional: true,
      example: 'forum,mozart',
    },
    SIDES,
    DATE,
  ],
  access: 'read',
  readsStore: 'for-days',
  private: true,
  examples: [
    'check forum,mozart ozu nri lfa mbt',
    'check words:"forum mozart" sides:ozu-nri-lfa-mbt',
    'check forum mozart date:yesterday',
  ],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { board, subject, source } = topic;
    const words = wordsOf(request, 'words');
    const result = await app.work.run('check', { board, source, words }, jobAskerOf(request));
    if (request.terminal?.asData) return checkedData(board, result);
    return checkedReply({ subject, result, certain: isCertain(source) });
  },
};
