/** What the page of the local chat gets from its server. */
import type { Block, FormField, Line } from '../../reply/model/types.ts';
import type { BoardView, GameView } from '../board/view.ts';

/** A message as the page gets it: without hidden content, which the page asks for when it is opened. */
export interface MessageView {
  readonly id: string;
  readonly at: number;
  readonly thread?: string;
  readonly title: string;
  readonly blocks: readonly BlockView[];
  readonly private: boolean;
  /** Who asked for it, and what they typed or would have typed. */
  readonly asker?: { readonly name: string; readonly asked: string };
}

export type BlockView =
  | Extract<Block, { kind: 'text' | 'facts' | 'table' | 'note' }>
  | {
      readonly kind: 'picture';
      readonly source: string;
      readonly alt: string;
      readonly spoiler: boolean;
      /** Whether it shows a solved board with its rank. */
      readonly isEnding: boolean;
    }
  | {
      readonly kind: 'board';
      readonly block: number;
      readonly board: BoardView;
      readonly controls: readonly ButtonView[];
    }
  | { readonly kind: 'spoiler'; readonly label: string; readonly block: number }
  | { readonly kind: 'opened'; readonly label: string; readonly lines: readonly Line[] }
  | { readonly kind: 'menu'; readonly label: string; readonly choices: readonly ChoiceView[] }
  | { readonly kind: 'buttons'; readonly buttons: readonly ButtonView[] }
  | { readonly kind: 'file'; readonly name: string; readonly source: string };

export interface ButtonView {
  readonly label: string;
  readonly value: string;
  readonly look: string;
}

interface ChoiceView {
  readonly label: string;
  readonly description: string;
  readonly value: string;
}

export interface Thread {
  readonly id: string;
  readonly title: string;
  /** The message in the channel that it was started from. */
  readonly openingMessage: string;
  readonly closed: boolean;
}

/** A form; the page sends `value` back with what was filled in. */
export interface FormView {
  readonly title: string;
  readonly submit: string;
  readonly fields: readonly FormField[];
  readonly value: string;
}

export interface Suggestion {
  /** The whole line once this suggestion is accepted. */
  readonly line: string;
  readonly label: string;
  readonly about: string;
}

/** What the routes in src/chat/web/routes.ts answer, each with some of this. */
export interface Answer {
  readonly form?: FormView;
  readonly trouble?: string;
  readonly suggestions?: Suggestion[];
  readonly lines?: Line[];
  readonly game?: GameView;
  readonly now?: number;
  readonly moved?: boolean;
  /** The message that was posted last. */
  readonly posted?: string;
}

export interface ComposerOptions {
  readonly label: string;
  readonly thread: () => string | undefined;
  /** Resolves with whether the line could be sent. */
  readonly say: (line: string) => Promise<boolean>;
  readonly choosePicture: () => void;
}
