import { expect, test } from 'vitest';
import { readArguments } from '../../../src/chat/terminal/contract.ts';
import { callOf } from '../../../src/chat/terminal/screen.ts';

const days = (typed: string) => readArguments('daily', ['days'], ['--days', typed]).integer('days', 1, 366);

test('a whole number may be the least and the most that an option takes, and nothing beyond', () => {
  expect([days('1'), days('366')]).toEqual([1, 366]);
  for (const typed of ['0', '367', '1.5', 'all']) expect(() => days(typed)).toThrow('from 1 to 366');
});

test('commands are shown as they are typed: in a clone, installed, and by npx', () => {
  expect(callOf('file:///home/ada/letterboxed/src/a.ts', 'exec')).toBe('npm run -s letterboxed --');
  const installed = 'file:///usr/lib/node_modules/letterboxed-bot/dist/src/a.js';
  expect([callOf(installed, undefined), callOf(installed, 'exec')]).toEqual([
    'letterboxed',
    'npx letterboxed-bot',
  ]);
});
