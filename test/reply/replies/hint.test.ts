import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { hintReply } from '../../../src/reply/replies/hint.ts';
import { HINT_STEPS, type HintStep } from '../../../src/solver/hints.ts';
import { asker, buttons, DAY, hidden, SIDES } from '../look.ts';
import { searchOf } from '../setting.ts';

describe('hints', () => {
  const shownBy = (step: HintStep, options = {}) =>
    Object.values(
      hidden(hintReply({ subject: DAY, search: searchOf(options), step, audience: asker })),
    ).flat();

  test('each step shows only its own content', () => {
    expect(shownBy('start')[0]).toBe('Best first: B.');
    expect(shownBy('start')[1]).toMatch(/^No shortest solution starts with C, D, .* or P\.$/);
    expect(shownBy('count')).toEqual(['2 words can do it, in 2 ways.']);
    expect(shownBy('hardest')[0]).toBe('C: 2 words can use it');
    expect(shownBy('lengths')).toEqual(['In order: 6, then 8 letters.']);
    expect(shownBy('joint')).toEqual(['The words join on G.']);
    expect(shownBy('masked')).toEqual(['B_J_C_', 'G_D_L_B_']);
    expect(shownBy('first')).toEqual(['Start with BFJMCG.']);
  });

  test('continue from words that were played', () => {
    const played = ['bfjmcg'];
    expect(shownBy('start', { played })).toEqual(['The next word starts with G.']);
    expect(shownBy('count', { played })).toEqual(['1 more word can do it, in 1 way.']);
    expect(shownBy('hardest', { played })).not.toContain('C: 2 words can use it');
    expect(shownBy('lengths', { played })).toEqual(['One word of 8 letters.']);
    expect(shownBy('joint', { played })).toEqual(['Nowhere: one more word does it all.']);
    expect(shownBy('first', { played })).toEqual(['Go on with GKDHLNBP.']);
    const reply = hintReply({ subject: DAY, search: searchOf({ played }), step: 'count', audience: asker });
    expect(reply.again?.options).toEqual({ date: '2026-11-20', step: 'count', words: 'bfjmcg' });
    expect(buttons(reply)[0]?.action.options).toEqual({
      date: '2026-11-20',
      step: 'hardest',
      words: 'bfjmcg',
    });
  });

  test('have a button to the next step, except the last one', () => {
    const next = HINT_STEPS.map(
      (step) =>
        buttons(hintReply({ subject: SIDES, search: searchOf(), step, audience: asker })).find(
          ({ action }) => action.command === 'hint',
        )?.action.options,
    );
    expect(next.map((options) => options?.step)).toEqual([...HINT_STEPS.slice(1), undefined]);
    expect(next[0]?.sides).toBe('bcd-fgh-jkl-mnp');
  });

  test('say so when there is nothing to hint at', () => {
    const text = (options: object) =>
      plainText(hintReply({ subject: DAY, search: searchOf(options), step: 'first', audience: asker }), {
        reveal: true,
      });
    expect(text({ exclude: ['bfjm', 'bfjmcg'] })).toContain('No solution of this board is known');
    expect(text({ played: ['nbp'], exclude: ['bfjm'] })).toContain('can finish from here');
    expect(text({ played: ['bfjmcg', 'gkdhlnbp'] })).toContain('solved');
    expect(text({ stop: () => true, maxWords: 3 })).not.toContain('undefined');
  });
});
