import { drawBoard } from '../picture/drawing.ts';
import { typeAction } from './action.ts';
import type { Block, Button, Inline, Line, Reply } from './types.ts';

export const bold = (text: string): Inline => ({ bold: text });
export const code = (text: string): Inline => ({ code: text });

/**
 * Pieces of text with a separator between them.
 *
 * @example joined(['m', 'f'].map(bold), ', ') // [{ bold: 'm' }, ', ', { bold: 'f' }]
 */
export function joined(pieces: readonly Inline[], separator: string): Inline[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}

export interface PlainOptions {
  /** Show what is hidden. Without it only labels of spoilers appear, and alt texts of hidden pictures. */
  readonly reveal?: boolean;
  /** How a command is typed here. */
  readonly command?: (typed: string) => string;
  readonly moment?: (moment: number) => string;
  /** How a person is named here; by their id unless given. */
  readonly person?: (id: string) => string;
  /** How a button is shown; an empty text leaves it out. */
  readonly button?: (button: Button, typed: string) => string;
  /** Pictures as drawings in characters, or only as their alt text. */
  readonly pictures?: 'drawn' | 'alt';
}

const DEFAULTS: Required<PlainOptions> = {
  reveal: false,
  command: (typed) => `/letterboxed ${typed}`,
  moment: (moment) => `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  person: (id) => `@${id}`,
  button: ({ label }) => `[${label}]`,
  pictures: 'drawn',
};

/** Whether everyone who sees the reply may read this block's hidden content at once. */
export function isOpen(block: Block, { audience }: Pick<Reply, 'audience'>): boolean {
  return block.kind === 'spoiler' && block.open === true && audience === 'asker';
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
  return [reply.title, ...blocks].join('\n\n');
}

/** One line as plain text. */
export function lineText(line: Line, options: PlainOptions = {}): string {
  const shown = { ...DEFAULTS, ...options };
  return (isPieces(line) ? line : [line]).map((piece) => inlineText(piece, shown)).join('');
}

function blockText(block: Block, options: Required<PlainOptions>): string {
  switch (block.kind) {
    case 'text':
      return block.lines.map((line) => lineText(line, options)).join('\n');
    case 'facts':
      return block.facts.map(({ label, value }) => `${label}: ${inlineText(value, options)}`).join('\n');
    case 'picture':
      return (block.spoiler && !options.reveal) || options.pictures === 'alt'
        ? `[${block.alt}]`
        : drawBoard(block.picture);
    case 'spoiler':
      return options.reveal
        ? [`${block.label}:`, ...block.hidden.map((line) => `  ${lineText(line, options)}`)].join('\n')
        : `${block.label}: (hidden)`;
    case 'game':
      return block.plain.map((part) => blockText(part, options)).join('\n\n');
    case 'buttons':
      return block.buttons
        .map((button) => options.button(button, options.command(typeAction(button.action))))
        .filter((text) => text !== '')
        .join('\n');
    case 'menu':
      return '';
    case 'note':
      return lineText(block.line, options);
    case 'file':
      return `${block.name}:\n${block.content}`;
  }
}

function inlineText(piece: Inline, options: Required<PlainOptions>): string {
  if (typeof piece === 'string') return piece;
  if ('bold' in piece) return piece.bold;
  if ('code' in piece) return piece.code;
  if ('moment' in piece) return options.moment(piece.moment);
  if ('link' in piece) return `${piece.label} (${piece.link})`;
  if ('person' in piece) return options.person(piece.person);
  return options.command(piece.command);
}

function isPieces(line: Line): line is readonly Inline[] {
  return Array.isArray(line);
}
