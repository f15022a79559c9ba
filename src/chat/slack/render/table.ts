import type { types } from '@slack/bolt';
import { cellText, isPerson, tableLines } from '../../../reply/model/table.ts';
import type { Cell, Table } from '../../../reply/model/types.ts';
import { LIMITS, shorten } from './limits.ts';
import { packLines, SOMEBODY, type Surroundings } from './mrkdwn.ts';

/** The forms of a table, best first. Not every workspace takes each of them. */
export const TABLE_FORMS = ['data_table', 'table', 'text'] as const;
export type TableForm = (typeof TABLE_FORMS)[number];

type TableCell = types.RawTextElement | types.RawNumberElement | types.RichTextBlock;

/** A block with the table; undefined where it is shown as text, for which `tableTexts` has the lines. */
export function tableBlock(
  table: Table,
  form: TableForm,
  around: Surroundings,
): types.DataTableBlock | types.TableBlock | undefined {
  if (form === 'text') return undefined;
  const rows = [
    table.columns.map(({ label }): TableCell => rawText(label)),
    ...table.rows.slice(0, LIMITS.tableRows - 1).map((row) => row.map((cell) => cellOf(cell, form, around))),
  ];
  if (form === 'data_table')
    return {
      type: 'data_table',
      caption: shorten(table.caption, LIMITS.tableCaption),
      rows,
      page_size: Math.max(1, rows.length - 1),
      row_header_column_index: Math.max(
        0,
        (table.rows[0] ?? []).findIndex((cell) => isPerson(cell)),
      ),
    };
  const settings = table.columns.map(({ isNumber }) => ({
    align: isNumber ? ('right' as const) : ('left' as const),
  }));
  return { type: 'table', rows, column_settings: settings };
}

export function tableTexts(table: Table, around: Surroundings): string[] {
  return packLines(tableLines(table), around, LIMITS.sectionText);
}

function cellOf(cell: Cell, form: TableForm, { people = true }: Surroundings): TableCell {
  if (isPerson(cell)) return people ? personCell(cell.person) : rawText(SOMEBODY);
  const text = cellText(cell);
  return typeof cell === 'number' && form === 'data_table'
    ? { type: 'raw_number', value: cell, text }
    : rawText(text);
}

function rawText(text: string): types.RawTextElement {
  return { type: 'raw_text', text: shorten(text === '' ? '–' : text, LIMITS.tableText) };
}

function personCell(person: string): types.RichTextBlock {
  const user = { type: 'user' as const, user_id: person.replace(/\W/g, '') };
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [user] }] };
}
