import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { makeAction, parseAction } from '../../../src/reply/model/action.ts';
import { typeAction } from '../../../src/reply/model/text.ts';
import type { Action } from '../../../src/reply/model/types.ts';
import fc from '../../fakes/fast-check.ts';

const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.integer(),
);
const actions: fc.Arbitrary<Action> = fc.record({
  command: fc.string({ unit: 'binary', minLength: 1 }),
  options: fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), values),
});

describe('actions as text', () => {
  test('any action survives writing and parsing', () => {
    fc.assert(
      fc.property(actions, (action) => {
        const { command, options } = parseAction(makeAction(action));
        expect(command).toBe(action.command);
        expect({ ...options }).toEqual({ ...action.options });
      }),
    );
  });

  test('still reads version 1, which buttons of old messages use', () => {
    const action = {
      command: 'hint',
      options: { step: 'lengths', date: '2026-11-20', page: 2, everyday: true, all: false, words: 'a|b=c%' },
    };
    const text = '1|hint|all!0|date=2026-11-20|everyday!1|page#2|step=lengths|words=a%7Cb%3Dc%25';
    expect(makeAction(action)).toBe(text);
    expect(parseAction(text)).toEqual(action);
    expect(makeAction({ command: 'help', options: {} })).toBe('1|help');
  });

  test('writes the same text for any order of options', () => {
    expect(makeAction({ command: 'a', options: { x: 1, b: 2 } })).toBe(
      makeAction({ command: 'a', options: { b: 2, x: 1 } }),
    );
  });

  test('treats __proto__ as an ordinary option name', () => {
    const { options } = parseAction('1|hint|__proto__=x');
    expect(Object.keys(options)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
  });

  test.each([
    '',
    '2|hint',
    '1',
    '1|',
    '1|hint|',
    '1|hint|date',
    '1|hint|=x',
    '1|hint|page#',
    '1|hint|page#two',
    '1|hint|page#1e999',
    '1|hint|all!2',
    '1|hint|a=1|a=2',
    '1|hint|a=%',
    '1|hint|a=%7c',
    '1|hint|a=%2%415',
    `1|hint|a=${'x'.repeat(9000)}`,
  ])('%j is a mistake, never a fault', (text) => {
    expect(() => parseAction(text)).toThrow(UserError);
  });

  test('parses any text or throws a UserError', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const tried of [text, `1|hint|${text}`]) {
          try {
            parseAction(tried);
          } catch (error) {
            expect(error).toBeInstanceOf(UserError);
          }
        }
      }),
    );
  });

  test('rejects values that can’t be written', () => {
    expect(() => makeAction({ command: 'a', options: { n: Number.NaN } })).toThrow(RangeError);
    expect(() => makeAction({ command: 'a', options: { '': 1 } })).toThrow(RangeError);
  });

  test('types flags without a value and quotes spaces', () => {
    const options = { step: 'lengths', all: true, everyday: false, sides: 'ozu nri lfa mbt', page: 2 };
    expect(typeAction({ command: 'hint', options })).toBe(
      'hint step:lengths all sides:"ozu nri lfa mbt" page:2',
    );
  });

  test('leaves out what only buttons say, and the first page', () => {
    const options = { private: true, period: 'week', page: 1 };
    expect(typeAction({ command: 'leaderboard', options })).toBe('leaderboard period:week');
    expect(typeAction({ command: 'reveal', options: { open: true } })).toBe('reveal open');
    expect(typeAction({ command: 'hint', options: { step: 'count', shown: 'start' } })).toBe(
      'hint step:count',
    );
  });
});
