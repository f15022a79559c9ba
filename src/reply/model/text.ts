import { drawBoard } from '../picture/drawing.ts';
import type { BoardFacts } from './facts.ts';
import { alignedRows, cellText, isPerson } from './table.ts';
import type { Action, Block, Button, Inline, Line, Reply } from './types.ts';

export const bold = (text: string): Inline => ({ bold: text });
export const code = (text: string): Inline => ({ code: text });

/** An item of a list that may be left out, such as `isOpen && closeButton`. */
export type Maybe<Item> = Item | undefined | false;

export function present<Item>(items: readonly Maybe<Item>[]): Item[] {
  return items.filter((item): item is Item => item !== undefined && item !== false);
}

/** A block of lines. Missing lines are left out, and so is a block without any, as in the functions below. */
export function textBlock(lines: readonly Maybe<Line>[]): Block[] {
  const shown = present(lines);
  return shown.length === 0 ? [] : [{ kind: 'text', lines: shown }];
}

/** Lines below a heading, which stay folded until somebody opens them, where a platform folds. */
export function foldedBlock(heading: string, lines: readonly Maybe<Line>[]): Block[] {
  const shown = present(lines);
  return shown.length === 0 ? [] : [{ kind: 'text', lines: [bold(heading), ...shown], mayFold: true }];
}

/** @example factsBlock({ Par: '4 words', 'On until': undefined }) // shows the par alone */
export function factsBlock(facts: Readonly<Record<string, Maybe<Inline>>>): Block[] {
  const shown = Object.entries(facts).flatMap(([label, value]) =>
    value === undefined || value === false ? [] : [{ label, value }],
  );
  return shown.length === 0 ? [] : [{ kind: 'facts', facts: shown }];
}

/** Facts as lines, for platforms that have no better form for them. */
export function factLines({ facts }: Block & { kind: 'facts' }): Line[] {
  return facts.map(({ label, value }) => [bold(label), ': ', value]);
}

export function buttonsBlock(buttons: readonly Maybe<Button>[]): Block[] {
  const shown = present(buttons);
  return shown.length === 0 ? [] : [{ kind: 'buttons', buttons: shown }];
}

/** Small print, a block for each line. */
export function notes(...lines: readonly Maybe<Line>[]): Block[] {
  return present(lines).map((line) => ({ kind: 'note', line }));
}

type Blocks = readonly (Maybe<Block> | readonly Block[])[];
type About = Omit<Reply, 'title' | 'blocks' | 'audience'>;

/** A reply; missing blocks are left out. */
export function replyTo<More extends About = object>(
  audience: Reply['audience'],
  title: string,
  blocks: Blocks,
  about?: More,
): Reply & More {
  return { title, blocks: present(blocks.flat()), audience, ...(about as More) };
}

export const toAsker = <More extends About = object>(title: string, blocks: Blocks, about?: More) =>
  replyTo('asker', title, blocks, about);

export const toEveryone = <More extends About = object>(title: string, blocks: Blocks, about?: More) =>
  replyTo('everyone', title, blocks, about);

/** A private answer of a few sentences. */
export function sentenceReply(title: string, ...lines: readonly Maybe<Line>[]): Reply {
  return toAsker(title, textBlock(lines));
}

/**
 * Words in the order in which they are played.
 *
 * @example chainText(['forum', 'mozart']) // 'FORUM – MOZART'
 */
export function chainText(words: readonly string[]): string {
  return words.join(' – ').toUpperCase();
}

/**
 * Pieces of text with a separator between them.
 *
 * @example joined(['m', 'f'].map(bold), ', ') // [{ bold: 'm' }, ', ', { bold: 'f' }]
 */
export function joined(pieces: readonly Line[], separator: string): Inline[] {
  return pieces.flatMap((piece, index) => [...(index === 0 ? [] : [separator]), ...piecesOf(piece)]);
}

/** Pieces of text as a list: with commas, and "and" before the last. */
export function listedLine(pieces: readonly Line[]): Inline[] {
  const last = pieces.at(-1);
  if (last === undefined || pieces.length === 1) return joined(pieces, '');
  return [...joined(pieces.slice(0, -1), ', '), ' and ', ...piecesOf(last)];
}

/** A line as a list, even if it is one piece of text. */
export function piecesOf(line: Line): readonly Inline[] {
  // `Array.isArray` alone does not separate a readonly array from the rest of a union.
  return (Array.isArray(line) ? line : [line]) as readonly Inline[];
}

/** Options that say how a button's answer is shown. The commands declare them as internal. */
export const BUTTON_OPTIONS: readonly string[] = ['private', 'shown'];

/**
 * An action as a person would type it, without the leading `/letterboxed`, to show it in a text. It leaves out options that
 * only buttons have, and the first page.
 *
 * @example typeAction({ command: 'hint', options: { step: 'lengths', shown: 'start' } }) // 'hint step:lengths'
 */
export function typeAction({ command, options }: Action): string {
  const typed = Object.entries(options)
    .filter(([name, value]) => value !== false && !BUTTON_OPTIONS.includes(name))
    .filter(([name, value]) => name !== 'page' || value !== 1)
    .map(([name, value]) => (value === true ? name : typeOption(name, String(value))));
  return [command, ...typed].join(' ');
}

/**
 * An option as a person types it. Values that are empty, have spaces, quotation marks or invisible characters, or end with a
 * comma, which would count as one between options, are quoted. „ needs no backslash, since it never ends a quotation.
 *
 * @example typeOption('seed', 'a quiet evening') // 'seed:"a quiet evening"'
 */
export function typeOption(name: string, value: string): string {
  const isPlain = value !== '' && !/[\s\p{C}"“”„]|,$/u.test(value);
  return isPlain ? `${name}:${value}` : `${name}:"${value.replace(/["“”\\]/g, '\\$&')}"`;
}

export interface PlainOptions {
  /** Shows what is hidden. Otherwise, spoilers show only their labels, and hidden pictures their alt texts. */
  readonly reveal?: boolean;
  /** The form in which a command is typed here. */
  readonly command?: (typed: string) => string;
  readonly moment?: (moment: number) => string;
  /** How a person is named here; by default, their id. */
  readonly person?: (id: string) => string;
  /** How a button is shown; an empty text leaves it out. */
  readonly button?: (button: Button, typed: string) => string;
  /** Pictures as drawings in characters, or only as their alt text. */
  readonly pictures?: 'drawn' | 'alt';
  /** How a piece of text is shown, such as in bold or without control characters. */
  readonly style?: (text: string, as: PlainStyle) => string;
}

/** The kind of a piece of text, for places that can show it. */
export type PlainStyle = 'plain' | 'title' | 'bold' | 'code' | 'label' | 'note' | 'command' | 'picture';

const DEFAULTS: Required<PlainOptions> = {
  reveal: false,
  command: (typed) => `/letterboxed ${typed}`,
  moment: (moment) => `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  person: (id) => `@${id}`,
  button: ({ label }) => `[${label}]`,
  pictures: 'drawn',
  style: (text) => text,
};

/** Whether everyone who sees the reply may read this block's hidden content at once. */
export function isOpen(block: Block, { audience }: Pick<Reply, 'audience'>): boolean {
  return block.kind === 'spoiler' && block.open === true && audience === 'asker';
}

/** Whether a block has something to open. Doors number these blocks of a reply from 0. */
export function isHidden(block: Block): boolean {
  return block.kind === 'spoiler' || (block.kind === 'picture' && block.spoiler === true);
}

/** The facts that a reply reveals openly, and those that each hidden block reveals once it is opened. */
export function factsRevealedBy(reply: Pick<Reply, 'blocks' | 'audience' | 'reveals'>) {
  const open = [...(reply.reveals ?? [])];
  const hidden: (BoardFacts | undefined)[] = [];
  for (const block of reply.blocks) {
    const reveals = 'reveals' in block ? block.reveals : undefined;
    if (isHidden(block)) hidden.push(reveals);
    if (reveals !== undefined && isOpen(block, reply)) open.push(reveals);
  }
  return { open, hidden };
}

/**
 * A reply as plain text, for the terminal, for tests, and where nothing better can be shown. Hidden
 * content stays hidden unless `reveal` is set.
 */
export function plainText(
  reply: Pick<Reply, 'title' | 'blocks'> & Partial<Pick<Reply, 'audience'>>,
  options: PlainOptions = {},
): string {
  const shown = { ...DEFAULTS, ...options };
  const { audience = 'everyone' } = reply;
  const blocks = reply.blocks
    .map((block) => blockText(block, isOpen(block, { audience }) ? { ...shown, reveal: true } : shown))
    .filter((text) => text !== '');
  return [shown.style(reply.title, 'title'), ...blocks].join('\n\n');
}

export function lineText(line: Line, options: PlainOptions = {}): string {
  const shown = { ...DEFAULTS, ...options };
  return piecesOf(line)
    .map((piece) => inlineText(piece, shown))
    .join('');
}

function blockText(block: Block, options: Required<PlainOptions>): string {
  const { style } = options;
  switch (block.kind) {
    case 'text':
      return block.lines.map((line) => lineText(line, options)).join('\n');
    case 'facts':
      return block.facts
        .map(({ label, value }) => `${style(`${label}:`, 'label')} ${inlineText(value, options)}`)
        .join('\n');
    case 'table':
      return alignedRows(block.table, (cell) =>
        isPerson(cell) ? options.person(cell.person) : cellText(cell),
      )
        .map((row, index) => style(row, index === 0 ? 'label' : 'plain'))
        .join('\n');
    case 'picture':
      return (block.spoiler && !options.reveal) || options.pictures === 'alt'
        ? style(`[${block.alt}]`, 'plain')
        : style(drawBoard(block.picture), 'picture');
    case 'spoiler': {
      const label = style(`${block.label}:`, 'label');
      return options.reveal
        ? [label, ...block.hidden.map((line) => `  ${lineText(line, options)}`)].join('\n')
        : `${label} (hidden)`;
    }
    case 'game':
    case 'menu':
      return '';
    case 'buttons':
      return block.buttons
        .map((button) => options.button(button, commandText(typeAction(button.action), options)))
        .filter((text) => text !== '')
        .join('\n');
    case 'note':
      return lineText(block.line, {
        ...options,
        style: (text, as) => style(text, as === 'plain' ? 'note' : as),
      });
    case 'file':
      return `${style(block.name, 'label')}:\n${style(block.content, 'plain')}`;
  }
}

function inlineText(piece: Inline, options: Required<PlainOptions>): string {
  const { style } = options;
  if (typeof piece === 'string') return style(piece, 'plain');
  if ('bold' in piece) return style(piece.bold, 'bold');
  if ('code' in piece) return style(piece.code, 'code');
  if ('moment' in piece) return style(options.moment(piece.moment), 'plain');
  if ('link' in piece) return style(`${piece.label} (${piece.link})`, 'plain');
  if ('person' in piece) return style(options.person(piece.person), 'plain');
  if ('channel' in piece) return style(`#${piece.channel}`, 'plain');
  return commandText(piece.command, options);
}

function commandText(typed: string, { command, style }: Required<PlainOptions>): string {
  return style(command(typed), 'command');
}

/** A reply as sentences, as below a form's input: its text, or its title if it has none. Some mistakes begin in the title. */
export function bodyText({ title, blocks, isMistake }: Reply, options: PlainOptions = {}): string {
  const said = blocks.filter(({ kind }) => kind === 'text');
  const body = plainText({ title: '', blocks: said }, options).trim();
  if (isMistake === 'in-title') return `${/[?!]$/.test(title) ? title : `${title}.`} ${body}`.trim();
  return said.length === 0 ? title : body;
}

/** The ids of all people named in some blocks, each once: in lines, cells of tables and values of facts. */
export function peopleIn(part: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return found;
  if ('person' in part && typeof part.person === 'string') found.add(part.person);
  else for (const [name, value] of Object.entries(part)) if (name !== 'picture') peopleIn(value, found);
  return found;
}
