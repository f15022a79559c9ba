/** What a key does in a game. */
export type Key =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: (typeof CONTROLS)[number] };

const CONTROLS = ['enter', 'back', 'clear', 'restart', 'hint', 'help', 'close', 'quit', 'other'] as const;

/** Control characters as keyboards send them. Ctrl-C arrives as a character, because the terminal is in raw mode. */
const CHARACTERS: Readonly<Record<string, (typeof CONTROLS)[number]>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'back',
  '\b': 'back',
  '\t': 'hint',
  '\u0015': 'clear',
  '\u0012': 'restart',
  '?': 'help',
  '\u001b': 'close',
  '\u0003': 'quit',
  '\u0004': 'quit',
};
/** An escape sequence, such as of an arrow, counts as one key. A pasted line may end with two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keyboards send them.
const KEY = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\u001b])|\r\n|./gsu;

/** For the line at the bottom, and for help. */
export const KEY_NAMES = [
  ['Enter', 'word'],
  ['Backspace', 'undo'],
  ['Tab', 'hint'],
  ['^U', 'clear'],
  ['^R', 'restart'],
  ['?', 'help'],
  ['^C', 'quit'],
] as const;

/**
 * Takes apart what a terminal has sent.
 *
 * @example keysOf('fun\r').map(({ kind }) => kind) // ['letter', 'letter', 'letter', 'enter']
 */
export function keysOf(text: string): Key[] {
  return Array.from(text.matchAll(KEY), ([typed]) => {
    const letter = typed.toLowerCase();
    if (/^[a-z]$/.test(letter)) return { kind: 'letter', letter };
    return { kind: CHARACTERS[typed === '\r\n' ? '\r' : typed] ?? 'other' };
  });
}
