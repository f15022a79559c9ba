import { describe, expect, test } from 'vitest';
import { lineText, plainText } from '../../../src/reply/model/text.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { hintCard, hintPost } from '../../../src/reply/replies/hint.ts';
import { clues } from '../../../src/reply/replies/hint-lines.ts';
import { HINT_STEPS, HINT_WEIGHTS, type HintStep } from '../../../src/solver/hints.ts';
import { buttons, DAY, hidden, SIDES } from '../look.ts';
import { searchOf } from '../setting.ts';

const card = (step: HintStep, shown: readonly HintStep[] = [], options = {}) =>
  hintCard({ subject: SIDES, search: searchOf(options), step, shown });

const choices = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'menu' ? block.choices : []));

describe('a hint', () => {
  const shownBy = (step: HintStep, options = {}) =>
    Object.values(hidden(hintPost({ subject: DAY, search: searchOf(options), step }))).flat();

  test('shows only its own content', () => {
    expect(shownBy('start')[0]).toBe('Best first: B.');
    expect(shownBy('start')[1]).toMatch(/^No shortest solution starts with C, D, .* or P\.$/);
    expect(shownBy('count')).toEqual(['2 words can do it, in 2 ways.']);
    expect(shownBy('hardest')[0]).toBe('C: 2 words can use it');
    expect(shownBy('lengths')).toEqual(['In order: 6, then 8 letters.']);
    expect(shownBy('joint')).toEqual(['The words join on G.']);
    expect(shownBy('meaning')).toEqual([
      'Word 1: no short definition for this one.',
      'Word 2: no short definition for this one.',
    ]);
    expect(shownBy('masked')).toEqual(['B_J_C_', 'G_D_L_B_']);
    expect(shownBy('first')).toEqual(['Start with BFJMCG.']);
  });

  test('continues from words that were played', () => {
    const played = ['bfjmcg'];
    expect(shownBy('start', { played })).toEqual(['The next word starts with G.']);
    expect(shownBy('count', { played })).toEqual(['1 more word can do it, in 1 way.']);
    expect(shownBy('hardest', { played })).not.toContain('C: 2 words can use it');
    expect(shownBy('lengths', { played })).toEqual(['One word of 8 letters.']);
    expect(shownBy('joint', { played })).toEqual(['Nowhere: one more word is enough.']);
    expect(shownBy('first', { played })).toEqual(['Go on with GKDHLNBP.']);
  });

  test('in the thread is hidden, has a short title and no buttons', () => {
    const post = hintPost({ subject: DAY, search: searchOf(), step: 'joint' });
    expect(post.title).toBe('Hint 5 of 8: joining letter');
    expect(post.blocks.map(({ kind }) => kind)).toEqual(['spoiler', 'note']);
    expect(plainText(post)).toContain('(hidden)');
  });

  test('says so when there is nothing to hint at', () => {
    const text = (options: object) => plainText(card('first', [], options));
    expect(text({ exclude: ['bfjm', 'bfjmcg'] })).toContain('The word list has no solution for this board');
    expect(text({ played: ['nbp'], exclude: ['bfjm'] })).toContain('finishes from here');
    expect(text({ played: ['bfjmcg', 'gkdhlnbp'] })).toContain('solved');
    expect(text({ stop: () => true, maxWords: 3 })).not.toContain('undefined');
  });
});

describe('the meanings', () => {
  test('are one clue for each word, in their order', () => {
    const [forum, made] = clues(['forum', 'mbtzz']);
    expect(forum).toMatch(/^a public meeting/);
    expect(made).toBeUndefined();
  });

  test('leave out a clue that names another word of the solution', () => {
    const [clue = ''] = clues(['forum']);
    const named = clue.match(/[a-z]{5,}/)?.[0] ?? '';
    expect(clues(['forum', named])[0]).toBeUndefined();
  });
});

describe('the hint card', () => {
  test('shows the hints openly, the new one last, with a dot for each', () => {
    const reply = card('lengths', ['start', 'count']);
    expect(reply.title).toBe('Hint 4 of 8 ●●○●○○○○');
    const labels = reply.blocks.flatMap((block) => (block.kind === 'spoiler' ? block.label : []));
    expect(labels).toEqual([
      'Good letters to start with',
      'How many words it takes',
      'How long the words are',
    ]);
    expect(plainText(reply)).toContain('In order: 6, then 8 letters.');
    expect(reply.audience).toBe('asker');
  });

  test('stays closed should it ever be shown to everyone', () => {
    expect(plainText({ ...card('first'), audience: 'everyone' })).not.toContain('BFJMCG');
  });

  test('goes on with the next hint, which its button names, and keeps what it shows', () => {
    const [more, , solution] = buttons(card('count', ['start'], { played: ['bfjmcg'] }));
    expect(solution).toMatchObject({
      label: 'Show the solution',
      action: { command: 'reveal', options: { open: true } },
    });
    expect(more?.label).toBe('A little more: hardest letters');
    expect(more?.action.options).toEqual({
      sides: 'bcd-fgh-jkl-mnp',
      step: 'hardest',
      shown: 'start,count',
      words: 'bfjmcg',
    });
  });

  test('goes back to hints that were skipped, and ends with the solution', () => {
    expect(buttons(card('first', ['count']))[0]?.action.options.step).toBe('start');
    const last = card('first', HINT_STEPS.slice(0, -1));
    expect(buttons(last).map(({ action }) => action.command)).toEqual(['reveal']);
    expect(choices(last)).toEqual([]);
  });

  test('lists the other hints by name with what each counts', () => {
    const menu = choices(card('start'));
    expect(menu.map(({ label }) => label)).toEqual([
      'Words needed',
      'Hardest letters',
      'Word lengths',
      'Joining letter',
      'Meanings',
      'Masked words',
      'First word',
    ]);
    expect(menu[5]?.description).toContain(`Worth ${HINT_WEIGHTS.masked} hint points.`);
  });

  test('warns before a strong hint, and only then', () => {
    const notes = (step: HintStep) =>
      card(step)
        .blocks.flatMap((block) => (block.kind === 'note' ? [lineText(block.line)] : []))
        .join(' ');
    expect(notes('joint')).toContain('is a strong one, worth 3 hint points.');
    expect(notes('start')).not.toContain('strong');
  });

  test('says once that its hints are about one solution', () => {
    expect(plainText(card('first', ['lengths', 'joint'])).match(/For our best shortest/g)).toHaveLength(1);
  });
});
