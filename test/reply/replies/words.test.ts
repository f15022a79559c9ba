import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { pickWords, wordsReply } from '../../../src/reply/replies/words.ts';
import { asker, buttons, DAY, facts, hidden } from '../look.ts';
import { WORDS } from '../setting.ts';

describe('playable words', () => {
  test('filters and orders', () => {
    const found = (filter: object) => pickWords(WORDS, filter).map(({ word }) => word);
    expect(found({})[0]).toBe('nbp');
    expect(found({ sort: 'length' })[0]).toBe('mcgkdhlnbp');
    expect(found({ sort: 'coverage' })[0]).toBe('mcgkdhlnbp');
    expect(found({ starts: 'B' })).toEqual(['bfjmcg', 'bfjm']);
    expect(found({ ends: 'p', uses: 'KC' })).toEqual(['mcgkdhlnbp']);
  });

  test('are hidden, counted and paged', () => {
    const filter = { starts: 'b', sort: 'length' } as const;
    const reply = wordsReply({ subject: DAY, words: WORDS, filter, certain: false, audience: asker });
    expect(facts(reply)).toEqual({ 'Playable words': '6', Matching: '2' });
    expect(hidden(reply)).toEqual({ 'Words, longest first': ['6 letters: BFJMCG', '4 letters: BFJM'] });
    expect(reply.blocks.some(({ kind }) => kind === 'buttons')).toBe(false);
    const many = Array.from({ length: 90 }, (_, index) => ({ ...WORDS[index % WORDS.length]! }));
    const second = wordsReply({
      subject: DAY,
      words: many,
      filter: {},
      certain: true,
      page: 2,
      audience: asker,
    });
    expect(plainText(second)).toContain('Words 41 to 80 of 90.');
    expect(buttons(second).map(({ label, action }) => [label, action.options])).toEqual([
      ['Back', { date: '2026-11-20', sort: 'likely', page: 1 }],
      ['More', { date: '2026-11-20', sort: 'likely', page: 3 }],
    ]);
    expect(second.replaces).toBe(true);
    expect(plainText(second, { reveal: true })).not.toContain('%');
  });

  test('says when no word matches', () => {
    const reply = wordsReply({
      subject: DAY,
      words: WORDS,
      filter: { uses: 'z' },
      certain: true,
      audience: asker,
    });
    expect(plainText(reply)).toContain('No playable word');
  });
});
