import { lineText, typeAction } from '../../reply/model/text.ts';
import type { Block, Cell, Line, Reply, Table } from '../../reply/model/types.ts';

/**
 * A reply as `--json` prints it, for every command that has no data of its own: docs/terminal.md describes it. What is missing
 * is left out.
 *
 * @example dataOf(reply).sides // ['ozu', 'nri', 'lfa', 'mbt']
 */
export function dataOf({ title, blocks, rerun }: Reply): object {
  const of = <Kind extends Block['kind']>(kind: Kind) =>
    blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
  const [picture] = of('picture');
  const sides = picture?.picture.board.sides ?? of('game')[0]?.board.sides;
  const date = picture?.play?.date ?? rerun?.options.date;
  const facts = of('facts').flatMap((block) =>
    block.facts.map(({ label, value }) => [label, textOf([value])]),
  );
  const parts = {
    facts: Object.fromEntries(facts),
    text: of('text').flatMap(({ lines }) => lines.map(textOf)),
    hidden: of('spoiler').map(({ label, hidden }) => ({ label, lines: hidden.map(textOf) })),
    tables: of('table').map(({ table }) => rowsOf(table)),
    notes: of('note').map(({ line }) => textOf(line)),
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

function textOf(line: Line): string {
  return lineText(line, PLAIN);
}

function rowsOf({ columns, rows }: Table): Record<string, string | number>[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ label }, at) => [label, cellOf(row[at]!)])));
}

function cellOf(cell: Cell): string | number {
  return typeof cell === 'object' ? cell.person : cell;
}
