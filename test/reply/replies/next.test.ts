import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { nextReply } from '../../../src/reply/replies/played.ts';
import { asker, DAY, facts, hidden } from '../look.ts';
import { searchOf } from '../setting.ts';

describe('the next word', () => {
  const next = (played: string[], certain = false) =>
    nextReply({ subject: DAY, search: searchOf({ played }), certain, audience: asker });

  test('shows how many more words it takes, and hides the word and the solutions', () => {
    expect(facts(next([]))).toEqual({ 'Words still needed': '2' });
    expect(hidden(next([]))).toEqual({
      'Best next word': ['BFJMCG'],
      'The rest of the solution': ['BFJMCG – GKDHLNBP (38%)', 'BFJM – MCGKDHLNBP (24%)'],
    });
    expect(hidden(next(['bfjm'], true))).toEqual({ 'Best next word': ['MCGKDHLNBP'] });
    expect(next(['bfjm']).again?.options).toEqual({ date: '2026-11-20', words: 'bfjm' });
  });

  test('says when no letter is left, or no word can follow', () => {
    expect(plainText(next(['bfjm', 'mcgkdhlnbp']))).toContain('the board is solved');
    expect(plainText(next(['nbp']))).toContain('Take back the last word');
  });
});
