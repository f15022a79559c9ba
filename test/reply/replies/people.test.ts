/** Replies about people, as far as conversations don't reach them. */
import { expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { missingReply } from '../../../src/reply/replies/missing.ts';
import { reminderReply } from '../../../src/reply/replies/reminder.ts';

test.each([
  [4, false],
  [5, true],
])('reminder %i of 5 says that it is the last: %s', (number, isLast) => {
  const reply = reminderReply({ date: '2026-11-20', until: 0, at: '19:00', number, maxIgnored: 5 });
  expect(plainText(reply).includes('It’s the last')).toBe(isLast);
});

test.each([
  [false, 'Still to solve it: @ann, @ben.'],
  [true, 'Still to solve it: @ann, @ben, and more.'],
])('who is missing says that there are more: %s', (hasMore, sentence) => {
  const people = ['ann', 'ben'];
  const reply = missingReply({ date: '2026-11-20', people, hasRegulars: true, hasMore, solved: 3, days: 7 });
  expect(plainText(reply)).toContain(sentence);
});
