import { splitWords } from '../core/text.ts';
import { lineText } from '../reply/model/text.ts';
import type { Action, Block, Line, Picture, Reply } from '../reply/model/types.ts';
import { makeSvg } from '../reply/picture/svg.ts';
import { isOffensive } from '../wordlists/offensive-words.ts';

/** A reply as a page of the site shows it. */
export interface AnswerView {
  readonly title: string;
  readonly parts: readonly AnswerPart[];
}

export type AnswerPart =
  | { readonly kind: 'text' | 'note'; readonly lines: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [label: string, value: string])[] }
  /** Open if the visitor has asked for exactly this, and it offends nobody. */
  | { readonly kind: 'spoiler'; readonly label: string; readonly lines: readonly string[]; readonly isOpen: boolean } // biome-ignore format: one line reads better
  | { readonly kind: 'picture'; readonly alt: string; readonly light: string; readonly dark: string }
  /** A board to play, whose address may be given to others. */
  | { readonly kind: 'link'; readonly address: string }
  | { readonly kind: 'buttons'; readonly label?: string; readonly buttons: readonly ActionButton[] };

interface ActionButton {
  readonly label: string;
  readonly action: Action;
}

/** @param addressOf the page that plays a board */
export function answerView(
  { title, blocks }: Reply,
  addressOf: (board: Action['options']) => string,
): AnswerView {
  return { title, parts: blocks.flatMap((block) => partsOf(block, addressOf)) };
}

function partsOf(block: Block, addressOf: (board: Action['options']) => string): AnswerPart[] {
  switch (block.kind) {
    case 'text':
      return [{ kind: 'text', lines: block.lines.map(textOf) }];
    case 'note':
      return [{ kind: 'note', lines: [textOf(block.line)] }];
    case 'facts':
      return [{ kind: 'facts', facts: block.facts.map(({ label, value }) => [label, textOf(value)]) }];
    case 'spoiler': {
      const lines = block.hidden.map(textOf);
      const isOpen = !lines.flatMap(splitWords).some(isOffensive);
      return [{ kind: 'spoiler', label: block.label, lines, isOpen }];
    }
    case 'picture': {
      const { picture, alt, play } = block;
      const shown: AnswerPart = { kind: 'picture', alt, light: drawn(picture), dark: drawn({ ...picture, dark: true }) }; // biome-ignore format: one line reads better
      return [shown, ...(play === undefined ? [] : [{ kind: 'link', address: addressOf(play) } as const])];
    }
    case 'buttons':
      return [{ kind: 'buttons', buttons: block.buttons }];
    case 'menu':
      return [{ kind: 'buttons', label: block.label, buttons: block.choices }];
    default:
      return [];
  }
}

function textOf(line: Line): string {
  return lineText(line, { command: (typed) => typed });
}

function drawn(picture: Picture): string {
  return `data:image/svg+xml,${encodeURIComponent(makeSvg(picture))}`;
}
