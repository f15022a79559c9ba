import { UserError } from '../../core/errors.ts';
import { grouped } from '../../core/text.ts';

/** One token of a typed line: a positional word, or `name:value`. */
export type Token = { readonly name?: string; readonly value: string };

/** No command needs more; what is longer is a paste gone wrong. */
const LONGEST = 4000;
/** What opens a quotation, and what closes it: keyboards of phones make their own. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"“”', '“': '"“”', '”': '"“”', '„': '"“”' };
const NAME = /^(?:--|—)?(\p{L}[\p{L}\p{N}_-]{0,31})[:=]/u;
/** Characters that can't be seen: they come with copied text and mean nothing. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

/**
 * Takes a typed line apart: whitespace between tokens, `name:value` (or `name=value`, also with a space
 * after it), quotation marks around values with spaces, in which a backslash takes the next character as it
 * is. A quotation that is never closed goes to the end, and a list goes on after a comma and a space.
 *
 * @example tokenize('hint step:lengths words:"forum mozart"') // [{ value: 'hint' }, { name: 'step', value: 'lengths' }, …]
 */
export function tokenize(line: string): Token[] {
  if (line.length > LONGEST) {
    throw new UserError(
      'line.long',
      `That is too long. A command takes ${grouped(LONGEST)} characters at most.`,
    );
  }
  const tokens: Token[] = [];
  let rest = skipSpace(line);
  while (rest !== '') {
    const name = NAME.exec(rest)?.[1];
    if (name !== undefined) rest = skipSpace(rest.slice(rest.search(/[:=]/) + 1), true);
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

function takeValue(text: string): [value: string, rest: string] {
  const closers = QUOTES[text[0] ?? ''];
  if (closers === undefined) {
    const end = text.search(/[\s\p{Cc}]/u);
    const value = end < 0 ? text : text.slice(0, end);
    return [value.replace(UNSEEN, ''), text.slice(value.length)];
  }
  let value = '';
  for (let at = 1; at < text.length; at++) {
    const character = text[at]!;
    if (closers.includes(character)) return [value, text.slice(at + 1)];
    value += character === '\\' && at + 1 < text.length ? text[++at]! : character;
  }
  return [value, ''];
}

/** After a name, space is skipped only if a value follows: `all: step:lengths` has an empty one. */
function skipSpace(text: string, afterName = false): string {
  const trimmed = text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
  return afterName && NAME.test(trimmed) && trimmed.length < text.length ? ` ${trimmed}` : trimmed;
}
