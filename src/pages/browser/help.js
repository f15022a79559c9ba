/**
 * Asks for help with a board, and says which hints of these words are shown already.
 *
 * @template {string} What
 * @param {(what: 'help', fields: Record<string, unknown>) => Promise<any>} ask
 * @returns {(what: What) => import('./board.js').Ask}
 */
export function helper(ask) {
  let shown = { words: '', hints: '' };
  return (what) => async (words) => {
    const hints = shown.words === words.join() ? shown.hints : '';
    const answer = await ask('help', { ask: what, words, ...(hints !== '' && { shown: hints }) });
    if (what === 'hint') shown = { words: words.join(), hints: answer.shown ?? '' };
    return answer;
  };
}
