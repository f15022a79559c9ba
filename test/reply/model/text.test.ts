import { describe, expect, test } from 'vitest';
import { counted, grouped, listed } from '../../../src/core/text.ts';
import { factsAbout } from '../../../src/reply/model/facts.ts';
import { pictureOf } from '../../../src/reply/model/named-board.ts';
import { bold, code, joined, lineText, plainText } from '../../../src/reply/model/text.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { BOARD } from '../setting.ts';

const REPLY: Reply = {
  title: 'A title',
  audience: 'asker',
  blocks: [
    { kind: 'text', lines: ['one', ['two ', bold('three'), ' ', code('four')]] },
    { kind: 'facts', facts: [{ label: 'Par', value: '5 words' }] },
    { kind: 'spoiler', label: 'The answer', hidden: ['forty-two', ['or ', bold('so')]], reveals: undefined },
    pictureOf(BOARD, { words: ['bfjm'], spoiler: factsAbout({ board: BOARD }, 'solution') }),
    {
      kind: 'buttons',
      buttons: [{ label: 'Next', action: { command: 'hint', options: { step: 'count' } } }],
    },
    { kind: 'note', line: ['see ', { command: 'help' }, ' or ', { link: 'https://a.test', label: 'here' }] },
    { kind: 'file', name: 'a.json', type: 'application/json', content: '{}' },
  ],
};

describe('a reply as plain text', () => {
  test('hides spoilers', () => {
    expect(plainText(REPLY)).toBe(
      [
        'A title',
        'one\ntwo three four',
        'Par: 5 words',
        'The answer: (hidden)',
        '[Letter Boxed board. Top: B C D; right: F G H; bottom: J K L; left: M N P. Words are drawn across it.]',
        '[Next]',
        'see /letterboxed help or here (https://a.test)',
        'a.json:\n{}',
      ].join('\n\n'),
    );
  });

  test('shows spoilers when asked', () => {
    const text = plainText(REPLY, { reveal: true });
    expect(text).toContain('The answer:\n  forty-two\n  or so');
    expect(text).toContain('1  BFJM');
  });

  test('renders pictures, buttons, commands and moments as the caller wants', () => {
    const text = plainText(
      { ...REPLY, blocks: [...REPLY.blocks, { kind: 'text', lines: [{ moment: 0, style: 'full' }] }] },
      {
        reveal: true,
        pictures: 'alt',
        command: (typed) => `lb ${typed}`,
        button: ({ label }, typed) => `${label}: ${typed}`,
        moment: (moment) => `at ${moment}`,
      },
    );
    expect(text).not.toContain('1  BFJM');
    expect(text).toContain('Next: lb hint step:count');
    expect(text).toContain('lb help');
    expect(text).toContain('at 0');
    expect(lineText([{ person: '42' }, ' leads'])).toBe('@42 leads');
    expect(lineText({ person: '42' }, { person: (id) => `<${id}>` })).toBe('<42>');
    expect(lineText([{ moment: Date.UTC(2026, 10, 20, 8), style: 'full' }])).toBe('2026-11-20 08:00 UTC');
  });
});

test('counted, grouped and listed', () => {
  expect(joined(['a', bold('b')], ', ')).toEqual(['a', ', ', { bold: 'b' }]);
  expect(joined([], ', ')).toEqual([]);
  expect([counted(1, 'word'), counted(1n, 'word'), counted(0, 'word'), counted(1234, 'word')]).toEqual([
    '1 word',
    '1 word',
    '0 words',
    '1,234 words',
  ]);
  expect(grouped(2n ** 64n)).toBe('18,446,744,073,709,551,616');
  expect([listed([]), listed(['a']), listed(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
});
