import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { tokenize } from '../../src/dispatch/line.ts';
import fc from '../fakes/fast-check.ts';

describe('a typed line, taken apart', () => {
  test.each([
    ['', []],
    ['  hint  ', [{ value: 'hint' }]],
    ['hint step:lengths', [{ value: 'hint' }, { name: 'step', value: 'lengths' }]],
    ['hint Step=lengths', [{ value: 'hint' }, { name: 'step', value: 'lengths' }]],
    ['hint step: lengths', [{ value: 'hint' }, { name: 'step', value: 'lengths' }]],
    [
      'step: date:today',
      [
        { name: 'step', value: '' },
        { name: 'date', value: 'today' },
      ],
    ],
    ['step:', [{ name: 'step', value: '' }]],
    ['words:"forum mozart" x', [{ name: 'words', value: 'forum mozart' }, { value: 'x' }]],
    ['words:“forum mozart”', [{ name: 'words', value: 'forum mozart' }]],
    ['words:"forum mozart', [{ name: 'words', value: 'forum mozart' }]],
    ['seed:"a \\"b\\" \\\\c"', [{ name: 'seed', value: 'a "b" \\c' }]],
    ['exclude:forum, mozart all', [{ name: 'exclude', value: 'forum,mozart' }, { value: 'all' }]],
    [
      'exclude:forum, step:x',
      [
        { name: 'exclude', value: 'forum,' },
        { name: 'step', value: 'x' },
      ],
    ],
    ['zone:Europe/Berlin', [{ name: 'zone', value: 'Europe/Berlin' }]],
    ['opening:08:00', [{ name: 'opening', value: '08:00' }]],
    ['08:00', [{ value: '08:00' }]],
    ['hi\u200bnt \u2060step:len\u00adgths', [{ value: 'hint' }, { name: 'step', value: 'lengths' }]],
    ['hint\u0000step\n\tlengths', [{ value: 'hint' }, { value: 'step' }, { value: 'lengths' }]],
  ])('%j', (line, tokens) => {
    expect(tokenize(line)).toEqual(tokens);
  });

  test('what is far too long is not read at all', () => {
    expect(() => tokenize('x'.repeat(1_000_000))).toThrow(
      new UserError('line.long', 'That is too long. A command takes 4,000 characters at most.'),
    );
  });

  test('any line is taken apart', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (line) => {
        for (const { value, name } of tokenize(line)) {
          expect(typeof value).toBe('string');
          if (name === undefined) expect(value).not.toBe('');
        }
      }),
    );
  });
});
