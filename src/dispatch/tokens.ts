import { INVISIBLE_CHARACTERS } from './options.ts';

/** One token of a typed line: a positional word, or `name:value`. */
export type Token = { readonly name?: string; readonly value: string };

/** More than any command needs; a longer line is a paste gone wrong. */
export const MAX_LINE_LENGTH = 4000;
/** Phone keyboards insert their own quotation marks. */
const OPENING_QUOTE = /^["“”„]/;
const CLOSING_QUOTES = '"“”';
/** A link as Slack writes it, such as `<https://example.org|a label>`, whose label may have spaces. */
const LABELED_LINK = /^<https?:[^<>]{0,600}>/;
/** `name:`, `name=` or, as on a command line, `--name=`, of which keyboards may make `—name=`. */
const NAME = /^(?:--|—)?(\p{L}[\p{L}\p{N}_-]{0,31})[:=]/u;

/**
 * Splits a typed line into tokens at whitespace. `name:value`, `name=value` and `name: value` are one token. A value in quotation
 * marks may have spaces, a backslash in it escapes the next character, and an unclosed quotation goes to the end of the line. A
 * list with a name goes on after a comma and a space.
 *
 * @example tokenize('hint step:lengths words:"forum mozart"') // [{ value: 'hint' }, { name: 'step', value: 'lengths' }, …]
 */
export function tokenize(line: string): Token[] {
  const tokens: Token[] = [];
  let rest = skipSpace(line);
  while (rest !== '') {
    const name = NAME.exec(rest)?.[1];
    if (name !== undefined) rest = skipSpaceAfterName(rest.slice(rest.search(/[:=]/) + 1));
    let [value, after] = takeValue(rest);
    rest = skipSpace(after);
    if (name === undefined) {
      if (value !== '') tokens.push({ value });
      continue;
    }
    while (value.endsWith(',') && rest !== '' && !NAME.test(rest)) {
      const [more, later] = takeValue(rest);
      value += more;
      rest = skipSpace(later);
    }
    tokens.push({ name: name.toLowerCase(), value });
  }
  return tokens;
}

/** The first value of a text, without its quotation marks, and the text after it. */
function takeValue(text: string): [value: string, rest: string] {
  const link = LABELED_LINK.exec(text)?.[0];
  if (link !== undefined) return [link, text.slice(link.length)];
  if (!OPENING_QUOTE.test(text)) {
    const end = text.search(/[\s\p{Cc}]/u);
    const value = end < 0 ? text : text.slice(0, end);
    return [value.replace(INVISIBLE_CHARACTERS, ''), text.slice(value.length)];
  }
  let value = '';
  for (let at = 1; at < text.length; at++) {
    const character = text[at]!;
    if (CLOSING_QUOTES.includes(character)) return [value, text.slice(at + 1)];
    value += character === '\\' && at + 1 < text.length ? text[++at]! : character;
  }
  return [value, ''];
}

function skipSpace(text: string): string {
  return text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
}

/** Skips the space before a value. Before another name, as in `all: step:lengths`, one blank stays: the value is empty. */
function skipSpaceAfterName(text: string): string {
  const trimmed = skipSpace(text);
  return NAME.test(trimmed) && trimmed.length < text.length ? ` ${trimmed}` : trimmed;
}
