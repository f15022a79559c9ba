import { describe, expect, test } from 'vitest';
import { longDate } from '../../../src/puzzle/date-text.ts';
import { makeAction, parseAction } from '../../../src/reply/model/action.ts';
import { lineText, plainText } from '../../../src/reply/model/text.ts';
import { generatedReply, openingReply, sourceLabel } from '../../../src/reply/replies/board.ts';
import { asker, buttons, facts, labels } from '../look.ts';
import { BOARD, PUZZLE } from '../setting.ts';

describe("the day's board", () => {
  test('has a picture, its par, until when it is on, its source, and all buttons', () => {
    const reply = openingReply({ puzzle: { ...PUZZLE, par: 4 }, until: 1000, audience: 'everyone' });
    expect(reply.title).toBe('Letter Boxed for Friday, November 20, 2026');
    expect(reply.audience).toBe('everyone');
    expect(facts(reply)).toEqual({ Par: '4 words', 'On until': { moment: 1000, style: 'full' } });
    expect(plainText(reply)).toContain('House board, made by this bot.');
    expect(labels(reply)).toEqual(['Play', 'Hint', 'Check']);
    for (const { action } of buttons(reply)) {
      expect(action.options.date).toBe('2026-11-20');
      expect(parseAction(makeAction(action))).toEqual(action);
    }
    expect(reply.again).toEqual({ command: 'today', options: { date: '2026-11-20' } });
  });

  test('of a past day offers the solution first, and says that its day is over', () => {
    const reply = openingReply({ puzzle: PUZZLE, audience: 'everyone' });
    expect(buttons(reply).map(({ label, look }) => [label, look])).toEqual([
      ['Solution', 'primary'],
      ['Play', undefined],
      ['Hint', undefined],
    ]);
    expect(plainText(reply)).toContain('The day of this board is over.');
  });

  test('leaves out unknown facts', () => {
    expect(facts(openingReply({ puzzle: PUZZLE, audience: asker }))).toEqual({});
  });

  test.each([
    [{ source: 'newspaper', editor: 'A. Editor' } as const, /New York Times’ board, edited by A\. Editor\.$/],
    [{ source: 'house' } as const, /^House board, made by this bot\.$/],
    [{ source: 'hand', typedAt: 0 } as const, /^Typed by hand for .*, 1970-01-01 00:00 UTC\. Not checked/],
    [{ source: 'hand' } as const, /^Typed by hand for Friday, November 20, 2026\. Not checked/],
  ])('says where the board comes from: %o', (puzzle, label) => {
    expect(lineText(sourceLabel({ date: '2026-11-20', ...puzzle }))).toMatch(label);
  });

  test('writes dates in full', () => {
    expect(longDate('2027-01-03')).toBe('Sunday, January 3, 2027');
    expect(longDate('2024-02-29')).toBe('Thursday, February 29, 2024');
  });
});

test('a generated board says when it is not as hard as asked for', () => {
  const solution = { words: ['bfjm'], likelihood: 1 };
  const generated = { board: BOARD, seed: 'x y', difficulty: 'medium', solution, par: 5 } as const;
  const notes = (wanted?: 'hard') => {
    const made = { ...generated, ...(wanted && { wanted }) };
    const { blocks } = generatedReply({ generated: made, options: {}, audience: asker });
    return blocks.flatMap((block) => (block.kind === 'note' ? [lineText(block.line)] : []));
  };
  expect(notes('hard')[0]).toBe('I found no hard board for this seed. Here is another one.');
  expect(notes().join()).not.toContain('I found no');
});

test('a generated board has buttons to play it, for hints, to check words and for another board, and repeats with its seed', () => {
  const reply = generatedReply({
    generated: {
      board: BOARD,
      seed: 'x y',
      difficulty: 'hard',
      solution: { words: ['bfjm'], likelihood: 1 },
      par: 5,
    },
    options: { difficulty: 'hard' },
    audience: asker,
  });
  expect(reply.title).toBe('New hard board: BCD FGH JKL MNP');
  expect(reply.again).toEqual({ command: 'generate', options: { difficulty: 'hard', seed: 'x y' } });
  expect(buttons(reply).at(-1)?.action).toEqual({ command: 'generate', options: { difficulty: 'hard' } });
  expect(labels(reply)).toEqual(['Play', 'Hint', 'Check', 'Another board']);
});
