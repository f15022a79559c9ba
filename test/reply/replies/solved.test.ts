import { describe, expect, test } from 'vitest';
import { subjectOfBoard } from '../../../src/reply/model/subject.ts';
import { plainText } from '../../../src/reply/model/text.ts';
import { solvedReply } from '../../../src/reply/replies/solutions.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { findPlayable } from '../../../src/solver/playable.ts';
import { makeSearch } from '../../../src/solver/search.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import { asker, buttons, facts, hidden, SIDES } from '../look.ts';
import { searchOf, WORDS } from '../setting.ts';

describe('a solved board', () => {
  const solve = (more: object = {}, options = {}) =>
    solvedReply({ subject: SIDES, search: searchOf(options), certain: false, audience: asker, ...more });

  test('shows counts openly and hides solutions', () => {
    const reply = solve();
    expect(reply.title).toBe('Solutions: BCD FGH JKL MNP');
    expect(facts(reply)).toEqual({
      'Playable words': '6',
      'Fewest words': '2',
      'Solutions with 2 words': '2',
      'Solutions with 3 words': '1',
    });
    expect(hidden(reply).Shortest?.[0]).toBe('BFJMCG – GKDHLNBP (38%)');
    expect(hidden(reply)['Safest (may be longer)']?.[0]).toBe('BFJMCG – GKDHLN – NBP (86%)');
    expect(reply.replaces).toBe(false);
    expect(reply.again?.options).toEqual({ sides: 'bcd-fgh-jkl-mnp', page: 1 });
  });

  test('lists solutions with exactly so many words, or all with the fewest', () => {
    expect(hidden(solve({ exactly: 3 }))).toEqual({ 'With 3 words': ['BFJMCG – GKDHLN – NBP (86%)'] });
    expect(facts(solve({ exactly: 4 }))['Solutions with 4 words']).toBe('0');
    expect(plainText(solve({ exactly: 4 }))).toContain('No solution has exactly 4 words.');
    expect(Object.values(hidden(solve({ all: true })))).toEqual([
      ['BFJMCG – GKDHLNBP (38%)', 'BFJM – MCGKDHLNBP (24%)'],
    ]);
  });

  test('lists one solution for each first word', () => {
    expect(hidden(solve({ each: true }))).toEqual({
      'One for each first word': ['BFJMCG – GKDHLNBP (38%)', 'BFJM – MCGKDHLNBP (24%)'],
    });
    expect(hidden(solve({ each: true, exactly: 3 }))).toEqual({
      'With 3 words': ['BFJMCG – GKDHLN – NBP (86%)'],
    });
  });

  test('a further page replaces the message, keeps the options, and may be empty', () => {
    const reply = solve({ page: 2, options: { exclude: 'nbp' } });
    expect(reply.replaces).toBe(true);
    expect(plainText(reply)).toContain('There are no more solutions.');
    expect(buttons(reply).map(({ label, action }) => [label, action.options])).toEqual([
      ['Back', { sides: 'bcd-fgh-jkl-mnp', exclude: 'nbp', page: 1 }],
    ]);
  });

  test('shows an unproven solution when the time ran out', () => {
    const board = parseBoard('aeto rnsi lcdu mphg bykf vwxj');
    const search = makeSearch(board, findPlayable(board, readLexicon()), { stop: () => true });
    const subject = subjectOfBoard(board);
    const reply = solvedReply({ subject, search, certain: false, audience: asker });
    const [line = ''] = hidden(reply)['A solution, maybe not the shortest'] ?? [];
    const words = line
      .replace(/\s\(.*/, '')
      .toLowerCase()
      .split(' – ');
    expect(words.length).toBeGreaterThan(1);
    expect(new Set(words.join(''))).toEqual(new Set(board.letters));
    expect(reply.title).toMatch(/^Solutions: /);
    const exactly = solvedReply({ subject, search, certain: false, audience: asker, exactly: 2 });
    expect(plainText(exactly)).toContain('No solution was found in the time there was.');
  });

  test('says when there is no solution, or when the time ran out', () => {
    const none = solve({}, { exclude: ['bfjm', 'bfjmcg'] });
    expect(none.title).toMatch(/^No solution found/);
    expect(plainText(none)).toContain(
      'The word list has no solution in 8 words or fewer with these options.',
    );
    expect(none.notFound).toBe('none');
    const unplayable = solve({}, { exclude: WORDS.map(({ word }) => word) });
    expect(plainText(unplayable)).toContain('No word in the word list');
    expect(buttons(unplayable)).toEqual([]);
  });
});
