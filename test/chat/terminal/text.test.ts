import { expect, test } from 'vitest';
import { mistakeText, replyText } from '../../../src/chat/terminal/screen.ts';
import type { Reply } from '../../../src/reply/model/types.ts';

const reply: Reply = {
  title: 'A \u001b[31mred\u0007 title\u202e',
  blocks: [
    { kind: 'text', lines: ['Typed: \u200b||x||', ['Try ', { command: 'hint step:count' }]] },
    { kind: 'spoiler', label: 'The first', hidden: ['FORUM'], reveals: undefined, open: true },
    { kind: 'buttons', buttons: [{ label: 'More', action: { command: 'solve', options: { page: 2 } } }] },
  ],
  audience: 'asker',
};

test('a reply, with nothing in it that a terminal would obey', () => {
  expect(replyText(reply, { reveal: false })).toBe(
    [
      'A \uFFFD[31mred\uFFFD title\uFFFD',
      'Typed: \uFFFD||x||\nTry npm run -s letterboxed -- hint step:count',
      'The first: (hidden)',
      '→ More: npm run -s letterboxed -- solve page:2',
      'Leave out --spoilers hide to see what is hidden.',
    ].join('\n\n'),
  );
});

test('revealed on demand', () => {
  expect(replyText(reply, { reveal: true })).toContain('The first:\n  FORUM');
  expect(replyText(reply, { reveal: true })).not.toContain('--spoilers');
});

test('a mistake is one line', () => {
  const blocks: Reply['blocks'] = [
    { kind: 'text', lines: ['No such\u0000 step.'] },
    { kind: 'note', line: ['More: ', { command: 'help' }] },
  ];
  expect(mistakeText({ title: 'That didn’t work', blocks, audience: 'asker' })).toBe('No such\uFFFD step.');
  expect(mistakeText({ title: 'One moment, please.', blocks: [], audience: 'asker' })).toBe(
    'One moment, please.',
  );
});
