/**
 * Words as people type them: commas, spaces, dashes or arrows between them, in any case.
 *
 * @example splitWords('Forum – MOZART') // ['forum', 'mozart']
 */
export function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;>/|→+\u2010-\u2015-]+/u)
    .filter((word) => word !== '');
}
