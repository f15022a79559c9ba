import type { Inline, Line } from '../../../reply/model/types.ts';

/** All that Discord reads as more than text: marks, links, quotes, headings, lists, mentions, emoji, moments. */
const MARKS = /[\\*_~`|<>[\]()#@:+\-.]/g;
const LINK = /\b(https?):\/\//gi;
/** Takes no room. Keeps a word from being taken for a mention. */
const GAP = '\u200b';
const STYLES = { relative: 'R', date: 'D', time: 't', full: 'f' } as const;

/**
 * Text shown as it is, whatever it holds.
 *
 * @example literal('||*a*|| @everyone') // '\\|\\|\\*a\\*\\|\\| @​everyone'
 */
export function literal(text: string): string {
  return text
    .replace(LINK, `$1:${GAP}//`)
    .replace(MARKS, (mark, at: number) => (needsEscape(mark, text, at) ? `\\${mark}` : mark))
    .replace(/@/g, `@${GAP}`);
}

/** Hyphens, dots, pluses and round brackets mean something only where a line begins or after a square bracket. */
function needsEscape(mark: string, text: string, at: number): boolean {
  if ('@:'.includes(mark)) return false;
  if ('()'.includes(mark)) return text[at - 1] === ']';
  if ('-+.#'.includes(mark)) return /^\s*\d*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
  return true;
}

/** Text in a code span, which knows no escapes: what would end it is replaced by what looks alike. */
export function codeMarkdown(text: string): string {
  const inner = text.replaceAll('`', 'ˋ').replaceAll('|', 'ǀ').replaceAll('\n', ' ');
  return `\`${inner.trim() === '' ? ' ' : inner}\``;
}

export function lineMarkdown(line: Line): string {
  const pieces: readonly Inline[] = isPieces(line) ? line : [line];
  return pieces.map(inlineMarkdown).join('');
}

function isPieces(line: Line): line is readonly Inline[] {
  return Array.isArray(line);
}

export function inlineMarkdown(inline: Inline): string {
  if (typeof inline === 'string') return literal(inline);
  if ('bold' in inline) return inline.bold.trim() === '' ? '' : `**${literal(inline.bold)}**`;
  if ('code' in inline) return codeMarkdown(inline.code);
  if ('moment' in inline) return `<t:${Math.floor(inline.moment / 1000)}:${STYLES[inline.style]}>`;
  if ('command' in inline) return codeMarkdown(`/letterboxed ${inline.command}`);
  if ('person' in inline)
    return /^\d{1,20}$/.test(inline.person) ? `<@${inline.person}>` : literal(inline.person);
  return `[${literal(inline.label)}](${encodeURI(inline.link).replaceAll(')', '%29')})`;
}

/** Hidden until it is pressed. Line by line, so that a list can't break out, and never empty. */
export function spoilerMarkdown(lines: readonly Line[]): string {
  return lines
    .map((line) => lineMarkdown(line).trim())
    .filter((line) => line !== '')
    .map((line) => `||${line}||`)
    .join('\n');
}
