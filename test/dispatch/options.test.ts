import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY, type PuzzleDate } from '../../src/core/clock.ts';
import { missingOptions, readOptions } from '../../src/dispatch/options.ts';
import { dateOf } from '../../src/dispatch/target.ts';
import type { OptionValue } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON } from '../fakes/app.ts';
import { madeUp } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';

const command = madeUp({
  name: 'try',
  options: [
    { name: 'seed', description: '', kind: 'text' },
    { name: 'words', description: '', kind: 'words', required: true },
    { name: 'sides', description: '', kind: 'sides', required: true },
    { name: 'date', description: '', kind: 'date' },
    { name: 'page', description: '', kind: 'integer', min: 1, max: 9, example: '2' },
    { name: 'all', description: '', kind: 'flag' },
    {
      name: 'sort',
      description: '',
      kind: 'choice',
      choices: ['likely', 'length', 'coverage'],
      phrases: { short: 'length' },
    },
  ],
});

describe('options as they are read', () => {
  test.each<[string, OptionValue, OptionValue | undefined]>([
    ['seed', ' tea ', 'tea'],
    ['seed', '  ', undefined],
    ['words', 'FORUM – mozart, x', 'forum,mozart,x'],
    ['words', '1. *Forum*, 2. (mozart)', 'forum,mozart'],
    ['words', '“FORUM – MOZART” (94%)', 'forum,mozart'],
    ['words', 'it’s 🍕', 'it’s,🍕'],
    ['words', ' , ', undefined],
    ['words', '2.', undefined],
    ['sides', 'https://example.org/?board=ozu-nri-lfa-mbt', 'ozu-nri-lfa-mbt'],
    ['sides', 'ｏｚｕ　ｎｒｉ，ｌｆａ　ｍｂｔ', 'ozu nri,lfa mbt'],
    ['sides', 'Top: ozu, right: nri, bottom: lfa, left: mbt', 'ozu nri lfa mbt'],
    ['page', '3', 3],
    ['page', 3, 3],
    ['page', '+3', 3],
    ['all', true, true],
    ['all', false, false],
    ['all', 'On', true],
    ['all', 'no', false],
    ['sort', 'LENGTH', 'length'],
    ['sort', 'cov', 'coverage'],
    ['sort', 'short', 'length'],
  ])('%s: %j', (name, value, read) => {
    expect(readOptions(command, { [name]: value })).toEqual(read === undefined ? {} : { [name]: read });
  });

  test.each<[string, OptionValue, string]>([
    ['page', '0', '"0" doesn’t work for page. Type a whole number from 1 to 9, like page:2'],
    ['page', '1.5', 'whole number'],
    ['page', '1e1', 'whole number'],
    ['page', Number.NaN, 'whole number'],
    ['all', 'perhaps', '"perhaps" doesn’t work for all. Type yes or no, like all:yes'],
    ['sort', 'lenght', 'Did you mean length?'],
    ['sort', 'constructor', 'Choose likely, length or coverage.'],
    ['sort', 'l', 'Choose likely, length or coverage.'],
    ['seed', 'x'.repeat(1_000_000), 'seed is too long. It takes 2,000 characters at most.'],
    ['words', 'ab,'.repeat(200), 'words has 200 words. It takes 100 at most.'],
    ['srot', 'length', 'try has no option "srot". Did you mean sort?'],
    ['__proto__', 'x', 'try has no option "__proto__". It takes seed, words,'],
    ['toString', 'x', 'try has no option "toString".'],
  ])('%s: what is wrong with %j is said', (name, value, message) => {
    expect(() => readOptions(command, Object.fromEntries([[name, value]]))).toThrow(message);
  });

  test('a date replaces the sides, but not the words', () => {
    const names = (given: Record<string, OptionValue>) =>
      missingOptions(command, given).map(({ name }) => name);
    expect(names({})).toEqual(['words', 'sides']);
    expect(names({ date: 'today' })).toEqual(['words']);
    expect(names({ words: 'forum', sides: 'x' })).toEqual([]);
  });
});

test('a thread is that of its day until the next one is opened', async () => {
  const { app, clock, close } = await makeTestApp();
  onTestFinished(close);
  const channel = { tenant: 'web:local', channel: 'general' };
  const dayOf = (thread: string, named?: string) =>
    dateOf({ where: { ...channel, thread, direct: false } }, app, named);
  const open = (date: PuzzleDate, at: number, thread: string) =>
    sendStep(app.store, { ...channel, date, step: 'opening' }, at, { message: thread, thread });
  await open('2026-11-19', NOON - DAY, 'yesterday');
  expect(await dayOf('yesterday')).toBe('2026-11-19');
  await open('2026-11-20', NOON, 'today');
  expect(await dayOf('yesterday')).toBe('2026-11-20');
  clock.time += DAY;
  expect([await dayOf('yesterday'), await dayOf('today')]).toEqual(['2026-11-21', '2026-11-20']);
  expect(await dayOf('today', 'yesterday')).toBe('2026-11-20');
  expect(await dayOf('today', '2026-11-18')).toBe('2026-11-18');
});
