/**
 * The message model: the answer of a command or a daily step, independent of the platform. A door only renders it in its
 * platform's best form; text is structured, so that a door can escape every string.
 */
import type { Board, Solution } from '../../solver/types.ts';
import type { BoardFacts } from './facts.ts';

/** A piece of running text. A plain string is shown as it is, including characters with a meaning in markup. */
export type Inline =
  | string
  | { readonly bold: string }
  | { readonly code: string }
  /**
   * A moment in milliseconds since 1970, shown in the reader's own time zone where the platform can: its day may differ
   * there, so no text beside the moment names the day. `weekday` also shows the day of the week.
   */
  | { readonly moment: number; readonly style: 'relative' | 'date' | 'time' | 'full' | 'weekday' }
  | { readonly link: string; readonly label: string }
  /**
   * A command, shown as people type it at the door, such as `/letterboxed hint`. A private answer gets a button for each in its
   * text, with this label or the command itself; with `false` none, for an example that nobody wants to run.
   */
  | { readonly command: string; readonly label?: string | false }
  /** Somebody, by the platform's id: shown as the platform shows people, and never a ping. */
  | { readonly person: string }
  /** A channel, by the platform's id: for a private message about it. */
  | { readonly channel: string };

/** One paragraph, or a list item. */
export type Line = Inline | readonly Inline[];

/** A path over a board: the words played so far, each as the spots it touches in order. */
export type DrawnPath = readonly (readonly number[])[];

export interface Picture {
  readonly board: Board;
  readonly path?: DrawnPath;
  /** `false` draws the path without letters, for sharing a result that gives nothing away. */
  readonly letters?: boolean;
  /** Spots of letters that may be others, which get a question mark. */
  readonly unsure?: readonly number[];
  /** Writes the words of the path below the board: only in pictures that are hidden. */
  readonly captioned?: boolean;
  /** Uses light lines, for a page that is known to be dark. */
  readonly dark?: boolean;
  /** Draws the board on a card that is wider than the board: it then takes less height on a phone's screen. */
  readonly wide?: boolean;
  /** Draws the lines one after the other where an SVG picture can move; elsewhere they are all visible. */
  readonly moving?: boolean;
  /** Of a solved board: the rank and the points above it, and the days up to today below it. */
  readonly ending?: PictureEnding | undefined;
  /** Further pictures, drawn from left to right beside this one, to compare their paths. */
  readonly beside?: readonly Pick<Picture, 'board' | 'path'>[];
}

export interface PictureEnding {
  readonly title: string;
  readonly points?: number | undefined;
  readonly week?: readonly WeekDay[] | undefined;
}

export interface WeekDay {
  readonly name: string;
  readonly is: 'solved' | 'late' | 'begun' | 'none';
}

/**
 * What a button does: a command with its options, as if typed. Others may read the value of a button, so an action never
 * holds a secret, only dates, steps, pages, and boards and words that a person typed.
 */
export interface Action {
  readonly command: string;
  readonly options: Readonly<Record<string, OptionValue>>;
}
export type OptionValue = string | number | boolean;

export interface Button {
  readonly label: string;
  readonly action: Action;
  readonly look?: 'primary' | 'plain' | 'danger';
  /** A page that opens instead, at doors with links. It may be the asker's personal page, so only replies to them have one. */
  readonly url?: string;
}

export type Block =
  | {
      readonly kind: 'text';
      readonly lines: readonly Line[];
      /** Set where a platform that folds may show only the first line, until somebody opens the others. */
      readonly mayFold?: true;
    }
  | { readonly kind: 'facts'; readonly facts: readonly LabelledValue[] }
  | { readonly kind: 'table'; readonly table: Table }
  | {
      readonly kind: 'picture';
      readonly picture: Picture;
      readonly alt: string;
      readonly spoiler?: boolean;
      /** The facts that a hidden picture reveals. */
      readonly reveals?: BoardFacts;
      /** The options that select the board in a command; set when doors may show a playable board in place of the picture. */
      readonly play?: Action['options'];
    }
  /**
   * The asker's own game, in a reply to them alone, followed by the same game as other blocks. A door that has a playable
   * board shows this block and none of the others; every other door shows nothing for this one.
   *
   * `options` select the board in a command.
   */
  | { readonly kind: 'game'; readonly board: Board; readonly options: Action['options'] }
  | Spoiler
  | { readonly kind: 'buttons'; readonly buttons: readonly Button[] }
  /** A list to choose from, which opens on a press. Platforms without menus leave it out. */
  | { readonly kind: 'menu'; readonly label: string; readonly choices: readonly MenuChoice[] }
  /** Small print: sources, cut-off results, page numbers. */
  | { readonly kind: 'note'; readonly line: Line }
  /** A file for the asker, such as an export of their data. */
  | { readonly kind: 'file'; readonly name: string; readonly type: string; readonly content: string };

/** At most 20 columns and 50 rows, with people in one column: every platform takes that. A table holds no secret. */
export interface Table {
  /** A description for people who can't see the table. */
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  /** Each row has as many cells as there are columns. */
  readonly rows: readonly (readonly Cell[])[];
}

interface TableColumn {
  readonly label: string;
  /** The label where columns are aligned with spaces: a phone shows about 32 characters of one width. */
  readonly short?: string;
  readonly isNumber?: boolean;
}

export type Cell = string | number | { readonly person: string };

/** The label is shown to all who see the reply; `hidden` only to the people who open it. */
interface Spoiler {
  readonly kind: 'spoiler';
  readonly label: string;
  readonly hidden: readonly Line[];
  /** Undefined if nothing in it costs hint points. */
  readonly reveals: BoardFacts | undefined;
  /** Shown at once, because the asker asked for exactly this. In a reply to everyone a spoiler stays hidden anyway. */
  readonly open?: boolean;
}

interface MenuChoice {
  readonly label: string;
  readonly description: string;
  readonly action: Action;
}

interface LabelledValue {
  readonly label: string;
  readonly value: Inline;
}

export interface Reply {
  /** Spoiler-free; also the notification and fallback text. */
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Who may see it. A door never widens this. */
  readonly audience: 'asker' | 'everyone';
  /**
   * The request that makes this same reply again, with date, step, seed and page filled in. A door without native spoilers
   * runs the request to show one spoiler to one person.
   */
  readonly rerun?: Action;
  /** True when a button press should change the message it sits on (paging) rather than send a new answer. */
  readonly replaces?: boolean;
  /** Set when a checked word is wrong. */
  readonly isWrong?: boolean;
  /**
   * Set when the asker made a mistake: a door that showed a form leaves it open, with what was typed. With `in-title`, the
   * title is the first sentence of the answer, and the text goes on after it.
   */
  readonly isMistake?: true | 'in-title';
  /** Set when nothing was found: `none` exists, or it is `unknown` because the time ran out. */
  readonly notFound?: 'none' | 'unknown';
  /** The answer for programs, instead of the title and blocks, if the request asked for it. */
  readonly data?: unknown;
  /** The facts that are revealed openly: in title, texts, facts and alt texts, or in `data`. Spoilers declare their own. */
  readonly reveals?: readonly BoardFacts[];
}

/** A reply about the words of a board: it has to declare what it reveals. */
export interface BoardReply extends Reply {
  readonly reveals: readonly BoardFacts[];
}

/** Requests that only the terminal can make. */
export interface TerminalFlags {
  /** The answer as data, instead of a message. */
  readonly asData?: boolean;
  /** How many items a page of a list has. */
  readonly limit?: number;
  /** Words that solutions continue from. */
  readonly played?: readonly string[];
  /** Adds a whole solution to the answer. */
  readonly solution?: boolean;
  /** Set with two word lists: everyday words are those of the first, and solutions of all words are shown beside. */
  readonly beside?: boolean;
  /** Prints solutions as they are found: the answer has none then. */
  readonly print?: (solutions: readonly Solution[]) => Promise<void>;
}

/** A reply for programs, which consists of `data` alone. */
export function dataReply(
  data: unknown,
  reveals: readonly BoardFacts[],
  about: Pick<Reply, 'notFound' | 'isWrong'> = {},
): BoardReply {
  return { title: '', blocks: [], audience: 'asker', ...about, data, reveals };
}

/** A form, shown when a required option is missing. Submitting it sends the action with the fields filled in. */
export interface Form {
  readonly title: string;
  readonly board?: FormBoard;
  readonly fields: readonly FormField[];
  readonly action: Action;
  readonly submit: string;
}

export interface FormBoard {
  readonly board: Board;
  /** Where a game on it stands. */
  readonly note?: string;
}

export interface FormField {
  /** The option it fills. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  /** What stands in it at first. */
  readonly value?: string;
  readonly required: boolean;
  readonly long?: boolean;
  /** Where forms have more than text: one of these, or with `isRole` a role, whose value is `off` if none is chosen. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly isRole?: boolean;
}
