/** A key of a game on the full screen, by what it does. */
export type Key = { readonly kind: 'letter'; readonly letter: string } | { readonly kind: ControlKind };
type ControlKind = (typeof CONTROLS)[number]['kind'] | 'other';

/**
 * The characters that keyboards send, and how the keys are shown: their names, one word for the line at the bottom, and an
 * explanation for help. Ctrl-C arrives as a character, because the terminal is in raw mode.
 */
const CONTROLS = [
  { kind: 'enter', sent: '\r\n', name: 'Enter', short: 'word', about: 'enter the word', isForUnsolved: true },
  { kind: 'back', sent: '\u007f\b', name: 'Backspace', short: 'undo', about: 'take back a letter or word' },
  {
    kind: 'hint',
    sent: '\t',
    name: 'Tab',
    short: 'hint',
    about: 'a little more of the hints',
    isForUnsolved: true,
  },
  {
    kind: 'clear',
    sent: '\u0015',
    name: '^U',
    short: 'clear',
    about: 'take back this word',
    isForUnsolved: true,
  },
  { kind: 'restart', sent: '\u0012', name: '^R', short: 'restart', about: 'start over (press twice)' },
  { kind: 'help', sent: '?', name: '?', short: 'help', about: 'show or close this' },
  { kind: 'quit', sent: '\u0003\u0004', name: '^C', short: 'quit', about: 'leave; your game is kept' },
  { kind: 'close', sent: '\u001b' },
] as const;

interface ShownKey {
  readonly name: string;
  readonly short: string;
  readonly about: string;
  /** It does nothing on a solved board. */
  readonly isForUnsolved?: true;
}

/** The keys to list on the screen. */
export const SHOWN_KEYS: readonly ShownKey[] = CONTROLS.filter((control) => 'name' in control);

/** An escape sequence, such as of an arrow, counts as one key. A pasted line may end with two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keyboards send them.
const KEY = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\u001b])|\r\n|./gsu;

/**
 * Takes apart what a terminal has sent.
 *
 * @example keysOf('fun\r').map(({ kind }) => kind) // ['letter', 'letter', 'letter', 'enter']
 */
export function keysOf(text: string): Key[] {
  return Array.from(text.matchAll(KEY), ([typed]) => {
    const letter = typed.toLowerCase();
    if (/^[a-z]$/.test(letter)) return { kind: 'letter', letter };
    return { kind: CONTROLS.find(({ sent }) => sent.includes(typed))?.kind ?? 'other' };
  });
}
