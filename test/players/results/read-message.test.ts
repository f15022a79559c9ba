import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  dateIn,
  MAX_MESSAGE_LENGTH,
  type MessageReading,
  readMessage,
} from '../../../src/players/results/read-message.ts';
import { ALL_HINT_POINTS } from '../../../src/reply/replies/hint-steps.ts';
import { resultLine, squaresOf } from '../../../src/reply/replies/result-line.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import fc, { anyCharacter, anyGrapheme } from '../../fakes/fast-check.ts';

const board = makeBoard(['ozu', 'nri', 'lfa', 'mbt']);
const file = new URL('fixtures/messages.txt', import.meta.url);
/** A message may have several lines: it ends with what is understood. */
const MESSAGES = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('# '))
  .join('\n')
  .split(/ => (.*)\n/)
  .slice(0, -1);
const table = MESSAGES.flatMap((message, index) =>
  index % 2 === 0 ? [[message, MESSAGES[index + 1]!] as const] : [],
);

function written(read: MessageReading): string {
  switch (read.kind) {
    case 'words':
    case 'attempt':
      return [read.kind.toUpperCase(), ...read.words].join(' ');
    case 'report':
      return `REPORT ${read.words} ${read.letters || '-'} ${read.hints === ALL_HINT_POINTS ? 'all' : read.hints}`;
    case 'misfit':
    case 'nothing':
      return 'NOTHING';
  }
}

describe('a message', () => {
  test.each(table)('%j is read as %s', (message, understood) => {
    expect(written(readMessage(message, board))).toBe(understood);
  });

  test.each([
    ['S - H(9), H - T(5)', 'S is not on this board.'],
    ['F - M(5), M - F(2)', 'No word has 2 letters.'],
    ['F - M(5), Z - T(6)', 'Word 1 ends with M, but word 2 starts with Z.'],
    ['F - M(5), M - T(6)', 'These words are too short to use all 12 letters.'],
  ])('%j does not fit the board, and says why', (message, reason) => {
    expect(readMessage(message, board)).toEqual({ kind: 'misfit', reason });
    expect(readMessage(`${message}\nin 2 words`, board)).toMatchObject({ kind: 'report', words: 2 });
  });

  test('with words in any order of marks, separators and emoji is read as its words', () => {
    const gap = fc.constantFrom(' ', ', ', ' - ', ' – ', ' → ', '|| ||', '` `', ' 🎉 ', '\n', '/', ' + ');
    const around = fc.constantFrom(['', ''], ['||', '||'], ['`', '`'], ['🎉', '🎉'], ['**', '**']);
    fc.assert(
      fc.property(gap, around, fc.boolean(), (between, [before, after], isUpper) => {
        const words = ['unform', 'mobilization'].map((word) => (isUpper ? word.toUpperCase() : word));
        const text = `${before}${words.join(between)}${after}`;
        expect(readMessage(text, board)).toEqual({ kind: 'words', words: ['unform', 'mobilization'] });
      }),
    );
  });

  test('with the line that is shared is read as what was shared', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
        fc.nat({ max: ALL_HINT_POINTS }),
        (words, par, hints) => {
          const text = `${resultLine({ date: '2026-11-20', name: 'Friday' }, { words, hints })}\n${squaresOf({ words, par })}`;
          expect(readMessage(text, board)).toEqual({ kind: 'report', words, letters: 0, hints });
          expect(dateIn(text)).toBe('november 20');
        },
      ),
    );
  });

  test('of any text is read without an error, and only as far as it may be long', () => {
    const text = fc.oneof(
      fc.string({ unit: anyGrapheme, maxLength: 300 }),
      fc.string({ unit: anyCharacter }),
    );
    fc.assert(fc.property(text, (any) => void readMessage(any, board)));
    const far = `${'x'.repeat(MAX_MESSAGE_LENGTH)}\nin 2 words`;
    expect(readMessage(far, board)).toEqual({ kind: 'nothing' });
  });
});
