import { shorten } from '../../core/text.ts';
import { alignedRows, cellText, isPerson, splitPeople } from '../../reply/model/table.ts';
import { piecesOf } from '../../reply/model/text.ts';
import type { Cell, Inline, Line, Table } from '../../reply/model/types.ts';

/** Characters that can begin formatting anywhere: styles, links, quotes, emoji, timestamps, and the address after a label. */
const SPECIAL = /[\\*_~`|<>[\]]|(?<=\])[()]/g;
/** What may precede a character that begins a heading, a list or an item with a number. */
const LINE_START = /(^|\n)([^\S\n]*\d*)(?=[-+.#])/g;
const LINK = /\b(https?):\/\//gi;
/** A zero-width space, which keeps a word from becoming a mention or a link. */
const GAP = '\u200b';
const TIMESTAMP_STYLES = { relative: 'R', date: 'D', time: 't', full: 'f', weekday: 'F' } as const;

/**
 * Escapes a text so that it is displayed as it is, whatever it contains.
 *
 * @example literal('||*a*|| @everyone') // '\\|\\|\\*a\\*\\|\\| @​everyone'
 */
export function literal(text: string): string {
  return text
    .replace(LINK, `$1:${GAP}//`)
    .replace(SPECIAL, '\\$&')
    .replace(LINE_START, '$1$2\\')
    .replaceAll('@', `@${GAP}`);
}

/** Text in a code span, in which nothing can be escaped: what would end it is replaced by similar characters. */
export function codeMarkdown(text: string): string {
  const inner = text.replaceAll('`', 'ˋ').replaceAll('|', 'ǀ').replaceAll('\n', ' ');
  return `\`${inner.trim() === '' ? ' ' : inner}\``;
}

export interface InlineOptions {
  /** Formats a command line such as `hint step:count`. */
  readonly showCommand?: (line: string) => string;
  /** Names by user id. Other people are shown as mentions, which notify nobody here. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Characters of a name on the same line as its numbers, and of a name on its own line. */
const MAX_NAME_LENGTH = { beside: 12, above: 22 };
/** Longest code span that leaves room for a name on the same line of a phone. */
const MAX_CODE_BESIDE_NAME = 14;

export function lineMarkdown(line: Line, inlineOptions?: InlineOptions): string {
  return piecesOf(line)
    .map((piece) => inlineMarkdown(piece, inlineOptions))
    .join('');
}

export function inlineMarkdown(inline: Inline, { showCommand, names }: InlineOptions = {}): string {
  if (typeof inline === 'string') return literal(inline);
  if ('bold' in inline) return inline.bold.trim() === '' ? '' : `**${literal(inline.bold)}**`;
  if ('code' in inline) return codeMarkdown(inline.code);
  if ('moment' in inline) return `<t:${Math.floor(inline.moment / 1000)}:${TIMESTAMP_STYLES[inline.style]}>`;
  if ('command' in inline)
    return showCommand?.(inline.command) ?? codeMarkdown(`/letterboxed ${inline.command}`);
  if ('person' in inline) {
    const name = names?.get(inline.person);
    if (name !== undefined) return literal(name);
    return /^\d{1,20}$/.test(inline.person) ? `<@${inline.person}>` : literal(inline.person);
  }
  if ('channel' in inline)
    return /^\d{1,20}$/.test(inline.channel) ? `<#${inline.channel}>` : literal(`#${inline.channel}`);
  const address = new URL(inline.link).href.replaceAll(')', '%29').replaceAll('|', '%7C');
  return `[${literal(inline.label)}](${address})`;
}

/** A no-break space is as wide as a letter in code, and is not trimmed at the edges. */
const WIDE_SPACE = '\u00a0';

/**
 * Renders a table as code spans with aligned columns. Mentions do not work in code, so a name follows its code span, or is
 * on the line above, with the rank, if a phone is too narrow for both.
 *
 * @example tableMarkdown(table)[1] // '`1    2   2.5` <@123>'
 */
export function tableMarkdown(table: Table, inlineOptions: InlineOptions = {}): string[] {
  const { numbers, people } = splitPeople(table);
  const [head, ...lines] = alignedInCode(numbers);
  const isBeside = people.every(({ length }) => length === 0) || head!.length <= MAX_CODE_BESIDE_NAME;
  const most = MAX_NAME_LENGTH[isBeside ? 'beside' : 'above'];
  const names = people.map((cells) =>
    cells
      .filter((cell) => cell !== '')
      .map((cell) => nameIn(cell, inlineOptions, most))
      .join(', '),
  );
  if (isBeside)
    return [
      codeMarkdown(head!),
      ...lines.map((line, at) => `${codeMarkdown(line)} ${names[at] ?? ''}`.trimEnd()),
    ];
  const [heading = '', ...rows] = alignedInCode({
    ...numbers,
    columns: numbers.columns.slice(1),
    rows: numbers.rows.map((row) => row.slice(1)),
  });
  const ranks = numbers.rows.map(([rank]) => cellText(rank as number));
  return [
    codeMarkdown(heading),
    ...rows.map((row, at) => `**${ranks[at]}\\. ${names[at]}**\n${codeMarkdown(row)}`),
  ];
}

function alignedInCode(table: Table): string[] {
  const columns = table.columns.map((column) => ({ ...column, label: column.short ?? column.label }));
  const text = (cell: Cell) => (isPerson(cell) ? '' : cellText(cell));
  return alignedRows({ ...table, columns }, text, WIDE_SPACE).map((line) => line.replaceAll(' ', WIDE_SPACE));
}

function nameIn(cell: Cell, { names }: InlineOptions, most: number): string {
  if (!isPerson(cell)) return literal(cellText(cell));
  const name = names?.get(cell.person);
  return name === undefined ? inlineMarkdown(cell) : literal(shorten(name, most));
}

/** Discord's documented limits, in characters and counts. Texts that are too long are shortened before they are sent. */
export const LIMITS = {
  /** All text displays of a message together. */
  messageText: 4000,
  components: 40,
  buttonsInRow: 5,
  buttonLabel: 80,
  menuChoices: 25,
  menuText: 100,
  menuPlaceholder: 150,
  altText: 1024,
  files: 10,
  modalTitle: 45,
  modalFields: 5,
  fieldLabel: 45,
  fieldDescription: 100,
  fieldPlaceholder: 100,
  fieldValue: 4000,
  radioChoices: 10,
  choices: 25,
  choice: 100,
  threadName: 100,
  nonce: 25,
} as const;

/**
 * Joins the lines that fit into this many characters, and says how many were left out. Lines are never cut: a spoiler
 * without its closing mark would be readable.
 */
export function fitLines(lines: readonly string[], room: number): string {
  const text = lines.join('\n');
  if (text.length <= room) return text;
  const more = (left: number) => `… and ${left} more`;
  let left = room - more(lines.length).length;
  if (left < 0) return '';
  const kept: string[] = [];
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [...kept, more(lines.length - kept.length)].join('\n');
}
