import { lineText, typeAction } from '../../reply/model/text.ts';
import type { Block, Cell, Inline, Reply, Table } from '../../reply/model/types.ts';

/** An answer as `--json` prints it, for every command that has no data of its own. What is missing is left out. */
export interface ReplyData {
  readonly title: string;
  readonly sides?: readonly string[];
  /** The day of that board. */
  readonly date?: string;
  /** Values by their labels. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly text?: readonly string[];
  /** What doors of chats keep hidden until it is opened, such as solutions. */
  readonly hidden?: readonly { readonly label: string; readonly lines: readonly string[] }[];
  /** A row is an object of its columns. */
  readonly tables?: readonly (readonly Readonly<Record<string, string | number>>[])[];
  readonly notes?: readonly string[];
  readonly files?: readonly { readonly name: string; readonly content: string }[];
  /** What can be typed next. */
  readonly next?: readonly { readonly label: string; readonly typed: string }[];
}

/**
 * The data of a reply.
 *
 * @example dataOf(reply).sides // ['ozu', 'nri', 'lfa', 'mbt']
 */
export function dataOf({ title, blocks, rerun }: Pick<Reply, 'title' | 'blocks' | 'rerun'>): ReplyData {
  const of = <Kind extends Block['kind']>(kind: Kind) =>
    blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
  const [picture] = of('picture');
  const sides = picture?.picture.board.sides ?? of('game')[0]?.board.sides;
  const date = picture?.play?.date ?? rerun?.options.date;
  const facts = of('facts').flatMap((block) => block.facts.map(({ label, value }) => [label, textOf(value)]));
  const parts: Omit<ReplyData, 'title' | 'sides' | 'date'> = {
    facts: Object.fromEntries(facts),
    text: of('text').flatMap(({ lines }) => lines.map((line) => lineText(line, PLAIN))),
    hidden: of('spoiler').map(({ label, hidden }) => ({
      label,
      lines: hidden.map((line) => lineText(line, PLAIN)),
    })),
    tables: of('table').map(({ table }) => rowsOf(table)),
    notes: of('note').map(({ line }) => lineText(line, PLAIN)),
    files: of('file').map(({ name, content }) => ({ name, content })),
    next: of('buttons').flatMap(({ buttons }) =>
      buttons.map(({ label, action }) => ({ label, typed: typeAction(action) })),
    ),
  };
  const filled = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return {
    title,
    ...(sides !== undefined && { sides }),
    ...(typeof date === 'string' && { date }),
    ...Object.fromEntries(filled),
  };
}

/** Moments as programs read them. */
const PLAIN = {
  command: (typed: string) => typed,
  moment: (milliseconds: number) => new Date(milliseconds).toISOString(),
};

function textOf(value: Inline): string {
  return lineText([value], PLAIN);
}

function rowsOf({ columns, rows }: Table): Record<string, string | number>[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ label }, at) => [label, cellOf(row[at]!)])));
}

function cellOf(cell: Cell): string | number {
  return typeof cell === 'object' ? cell.person : cell;
}
