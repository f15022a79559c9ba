import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { checkedReply } from '../../../src/reply/replies/played.ts';
import { checkWords } from '../../../src/solver/check.ts';
import { asker, buttons, DAY, facts, labels } from '../look.ts';
import { BOARD, searchOf, WORDS } from '../setting.ts';

const check = (words: string[]) =>
  checkWords(BOARD, words, searchOf(), (word) => WORDS.some((other) => other.word === word));

describe('checked words', () => {
  const reply = (words: string[], certain = false) =>
    checkedReply({ subject: DAY, result: check(words), certain, audience: asker });

  test('shows right words, the letters left, and how to continue', () => {
    const right = reply(['bfjmcg']);
    expect(right.title).toBe('BFJMCG fits. 6 letters left: D H K L N P');
    expect(facts(right)).toEqual({ 'Words still needed': '1 or more' });
    expect(labels(right)).toEqual(['Hint from here', 'Best next word', 'Check again']);
    expect(buttons(right)[0]?.action.options).toEqual({ date: '2026-11-20', words: 'bfjmcg' });
    const picture = right.blocks.find((block) => block.kind === 'picture');
    expect(picture?.kind === 'picture' && picture.picture.path?.words).toEqual([[0, 3, 6, 9, 1, 4]]);
  });

  test('shows wrong words with the rule they break', () => {
    const wrong = reply(['bfjmcg', 'gkk', 'xyz']);
    expect(wrong.title).toMatch('1 of 3 words works');
    const text = plainText(wrong);
    expect(text).toContain('✓ BFJMCG');
    expect(text).toContain('✗ GKK needs K twice in a row');
    expect(text).toContain('✗ XYZ has X');
    expect(reply(['xyz']).title).toMatch(/^XYZ doesn’t work$/);
    expect(labels(reply(['xyz']))).toEqual(['Hint', 'Check again']);
  });

  test('distinguishes a solved board from an unsolved one', () => {
    const solved = reply(['bfjmcg', 'gkdhlnbp']);
    expect(solved.title).toMatch(/^Solved in 2 words/);
    expect(facts(solved)).toEqual({});
    expect(plainText(reply(['nbp', 'pbp']))).not.toContain('Solved');
    expect(facts(reply(['nbp']))['Words still needed']).toBe('no word in the word list finishes from here');
  });

  test('warns about rare words only when the list is not the game’s own', () => {
    expect(plainText(reply(['nbp']))).toContain('may judge rare words differently');
    expect(plainText(reply(['nbp'], true))).not.toContain('may judge');
  });
});
