import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { isPadded } from '../../../src/reply/replies/chosen-solutions.ts';
import { percent, solutionReply, solvedReply } from '../../../src/reply/replies/solutions.ts';
import { asker, DAY, hidden } from '../look.ts';
import { BOARD, searchOf, WORDS } from '../setting.ts';

describe('the solution', () => {
  const reply = solutionReply({
    subject: DAY,
    search: searchOf(),
    certain: false,
    official: { words: ['bfjm', 'mcgkdhlnbp'], source: 'newspaper' },
    audience: asker,
    source: 'where from',
  });

  test("shows the newspaper's own, the shortest and the safest, all hidden, and a picture", () => {
    expect(hidden(reply)).toEqual({
      'The newspaper’s solution': ['BFJM – MCGKDHLNBP'],
      Shortest: ['BFJMCG – GKDHLNBP (38%)', 'BFJM – MCGKDHLNBP (24%)'],
      'Safest (may be longer)': [
        'BFJMCG – GKDHLN – NBP (86%)',
        'BFJMCG – GKDHLNBP (38%)',
        'BFJM – MCGKDHLNBP (24%)',
      ],
    });
    const picture = reply.blocks.find((block) => block.kind === 'picture');
    expect(picture).toMatchObject({ spoiler: true });
    expect(picture?.kind === 'picture' && picture.picture.path?.words).toHaveLength(2);
    expect(plainText(reply)).toContain('where from');
  });

  test('shows the shortest once if they are the safest', () => {
    const search = searchOf({ exclude: ['nbp'] });
    const uncertain = solutionReply({ subject: DAY, search, certain: false, audience: asker });
    expect(Object.keys(hidden(uncertain))).toEqual(['Shortest and safest']);
    const solved = solvedReply({ subject: DAY, search, certain: true, audience: asker });
    expect(Object.keys(hidden(solved))).toEqual(['Shortest and best known']);
  });

  test('shows no percentages when the words are certain', () => {
    const certain = solutionReply({ subject: DAY, search: searchOf(), certain: true, audience: asker });
    expect(plainText(certain, { reveal: true })).not.toContain('%');
  });

  test('shows the official solution when our list has none', () => {
    const search = searchOf({ tier: 'everyday', exclude: WORDS.map(({ word }) => word) });
    const own = solutionReply({
      subject: DAY,
      search,
      certain: false,
      official: { words: ['bfjm', 'mcgkdhlnbp'], source: 'house' },
      audience: asker,
    });
    expect(hidden(own)).toEqual({ 'The solution this board was made from': ['BFJM – MCGKDHLNBP'] });
    expect(plainText(own)).toContain('No solution found');
  });

  test('a solution with an unnecessary word is padded', () => {
    expect(isPadded(BOARD, ['bfjmcg', 'gkdhlnbp'])).toBe(false);
    expect(isPadded(BOARD, ['bfjmcg', 'gkdhlnbp', 'pbp'])).toBe(true);
    expect(isPadded(BOARD, ['pkb', 'bfjmcg', 'gkdhlnbp'])).toBe(true);
    expect(isPadded(BOARD, ['bfjmcg', 'gmg', 'gkdhlnbp'])).toBe(true);
  });

  test('percentages never say 0% or 100% for what is not certain', () => {
    expect([0.001, 0.04, 0.5, 0.9999, 1].map(percent)).toEqual(['1%', '4%', '50%', '99%', '100%']);
  });
});
