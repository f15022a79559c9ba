import type { types } from '@slack/bolt';
import { cellText, isOpen, isPerson, tableLines } from '../../reply/model/text.ts';
import type { Action, Block, Button, Cell, Fact, Picture, Reply, Table } from '../../reply/model/types.ts';
import { drawBoard } from '../../reply/picture/drawing.ts';
import { GO_ON } from '../../reply/replies/game.ts';
import {
  codeMarkup,
  escapeText,
  inlineMarkup,
  LIMITS,
  lineMarkup,
  literal,
  packLines,
  plainTextObject,
  SOMEBODY,
  type Surroundings,
  shorten,
} from './mrkdwn.ts';
import { isHidden, makeReveal, type Reveal } from './reveal.ts';

type SlackBlock = types.KnownBlock;

/** What rendering needs besides the reply. */
export interface RenderServices {
  pack(action: Action): Promise<string>;
  /** Stores a reply that no command can give again, for its Reveal buttons. Returns its key. */
  keep(reply: Reply): Promise<string>;
  /** The id of the picture's file on Slack; undefined where there is none, and the board is drawn in characters. */
  picture(picture: Picture, alt: string): Promise<string | undefined>;
}

export interface RenderOptions extends Surroundings {
  readonly surface: 'message' | 'view';
  /** Hidden blocks to show, because only the person who asked for them will see this. */
  readonly open?: ReadonlySet<number>;
  /** Pictures as files or as drawings. */
  readonly pictures?: 'files' | 'drawn';
  /** The form of tables; `text` where none other is known to be taken. */
  readonly table?: TableForm;
  /** Files were sent on their own, or are shown in the message itself. */
  readonly files?: 'sent' | 'inline';
}

export interface Rendered {
  /** For notifications and screen readers. Never holds anything hidden. */
  readonly text: string;
  readonly blocks: SlackBlock[];
}

/** A reply in Block Kit, within Slack's limits. */
export async function renderReply(
  reply: Reply,
  options: RenderOptions,
  services: RenderServices,
): Promise<Rendered> {
  const open = options.open ?? new Set();
  const blocks: SlackBlock[] = [titleBlock(reply.title)];
  let hidden = 0;
  let source: Promise<Reveal['source']> | undefined;
  for (const [at, block] of reply.blocks.entries()) {
    if (!isHidden(block) || isOpen(block, reply) || open.has(hidden)) {
      blocks.push(...(await renderBlock(block, at, options, services)));
    } else {
      source ??= sourceOf(reply, services);
      const value = makeReveal({ open: new Set([...open, hidden]), source: await source });
      blocks.push(closedBlock(block, hidden, value));
    }
    if (isHidden(block)) hidden += 1;
  }
  const most = options.surface === 'view' ? LIMITS.viewBlocks : LIMITS.messageBlocks;
  return { text: shorten(literal(reply.title), LIMITS.messageText), blocks: fit(blocks, most) };
}

async function sourceOf(reply: Reply, services: RenderServices): Promise<Reveal['source']> {
  return reply.again === undefined
    ? { kept: await services.keep(reply) }
    : { packed: await services.pack(reply.again) };
}

/** Escaping makes an ampersand five characters long, and a section may have three thousand. */
const LONGEST_TITLE = 500;

function titleBlock(title: string): SlackBlock {
  return title.length <= LIMITS.headerText
    ? { type: 'header', text: plainTextObject(title, LIMITS.headerText) }
    : section(`*${literal(shorten(title, LONGEST_TITLE))}*`);
}

async function renderBlock(
  block: Block,
  at: number,
  options: RenderOptions,
  services: RenderServices,
): Promise<SlackBlock[]> {
  switch (block.kind) {
    case 'text':
      return packLines(block.lines, options, LIMITS.sectionText).map(section);
    case 'facts':
      return factBlocks(block.facts, options);
    case 'table': {
      const made = tableBlock(block.table, options.table ?? 'text', options);
      return made === undefined ? tableTexts(block.table, options).map(section) : [made];
    }
    case 'picture':
      return [await pictureBlock(block, options, services)];
    case 'game': {
      const { link, solved } = block.card;
      const elsewhere = link === undefined || solved !== undefined ? [] : [{ link, label: GO_ON }];
      const parts = block.plain.map((part, index) => renderBlock(part, 100 * at + index, options, services));
      return [
        ...(await Promise.all(parts)).flat(),
        ...packLines(elsewhere, options, LIMITS.sectionText).map(section),
      ];
    }
    case 'spoiler':
      return packLines([{ bold: block.label }, ...block.hidden], options, LIMITS.sectionText).map(section);
    case 'buttons':
      return buttonBlocks(block.buttons, at, services);
    case 'menu':
      return menuBlocks(block, at, services);
    case 'note':
      return [note(lineMarkup(block.line, options, LIMITS.contextText))];
    case 'file':
      return options.files === 'inline'
        ? inlineFile(block)
        : [note(`${codeMarkup(shorten(block.name, 200))} is in your private messages from this app.`)];
  }
}

function factBlocks(facts: readonly Fact[], options: Surroundings): SlackBlock[] {
  const fields = facts.map(({ label, value }) => {
    const text = `*${literal(shorten(label, 300))}*\n${inlineMarkup(value, options)}`;
    return markup(
      text.length <= LIMITS.fieldText
        ? text
        : lineMarkup([{ bold: shorten(label, 300) }, '\n', value], options, LIMITS.fieldText),
    );
  });
  return chunks(fields, LIMITS.fields).map((some) => ({ type: 'section', fields: some }));
}

async function pictureBlock(
  block: Block & { kind: 'picture' },
  options: RenderOptions,
  services: RenderServices,
): Promise<SlackBlock> {
  const file = options.pictures === 'drawn' ? undefined : await services.picture(block.picture, block.alt);
  if (file !== undefined)
    return { type: 'image', slack_file: { id: file }, alt_text: shorten(block.alt, LIMITS.altText) };
  return section(fenced(drawBoard(block.picture), LIMITS.sectionText));
}

/** The label of a hidden picture. Its alt text is for people who can't see it once it is shown. */
const PICTURE = 'Picture of the solution';

/** Shown to everybody: a label, and the button that reveals the hidden block to the person who presses it. */
function closedBlock(block: Block, index: number, value: string): SlackBlock {
  const label = block.kind === 'spoiler' ? block.label : PICTURE;
  return {
    type: 'section',
    text: markup(`*${literal(shorten(label, 1000))}*`),
    accessory: {
      type: 'button',
      action_id: `reveal:${index}`,
      text: plainTextObject('Show', LIMITS.buttonText),
      value,
      accessibility_label: shorten(`Show, only to you: ${label}`, LIMITS.buttonText),
    },
  };
}

async function buttonBlocks(
  buttons: readonly Button[],
  at: number,
  services: RenderServices,
): Promise<SlackBlock[]> {
  const elements = await Promise.all(
    buttons.map(
      async ({ label, action, look }, index): Promise<types.Button> => ({
        type: 'button',
        action_id: `do:${at}:${index}`,
        text: plainTextObject(label, LIMITS.buttonText),
        value: await services.pack(action),
        ...(look !== undefined && look !== 'plain' && { style: look }),
      }),
    ),
  );
  return chunks(elements, LIMITS.actionsButtons).map((some) => ({ type: 'actions', elements: some }));
}

async function menuBlocks(
  { label, choices }: Block & { kind: 'menu' },
  at: number,
  services: RenderServices,
): Promise<SlackBlock[]> {
  if (choices.length === 0) return [];
  const options = await Promise.all(
    choices.slice(0, LIMITS.menuChoices).map(async ({ label: text, description, action }) => ({
      text: plainTextObject(text, LIMITS.menuText),
      description: description === undefined ? undefined : plainTextObject(description, LIMITS.menuText),
      value: await services.pack(action),
    })),
  );
  const placeholder = plainTextObject(label, LIMITS.menuPlaceholder);
  return [
    {
      type: 'actions',
      elements: [{ type: 'static_select', action_id: `choose:${at}`, placeholder, options }],
    },
  ];
}

/** Where files can't be sent: as much of the file as a message can show. */
function inlineFile({ name, content }: Block & { kind: 'file' }): SlackBlock[] {
  const SHOWN = 10;
  const size = LIMITS.sectionText / 2;
  const parts = chunks([...content], size).map((part) => part.join(''));
  const left = [...content].length - SHOWN * size;
  return [
    section(codeMarkup(shorten(name, 200))),
    ...parts.slice(0, SHOWN).map((part) => section(fenced(part, LIMITS.sectionText))),
    ...(left > 0
      ? [
          note(
            `and ${left.toLocaleString('en-US')} more characters. The person who runs this bot can give you the whole file.`,
          ),
        ]
      : []),
  ];
}

export function fenced(text: string, most: number): string {
  const inner = escapeText(text.replaceAll('```', 'ˋˋˋ'));
  return inner.length <= most - 8
    ? `\`\`\`\n${inner}\n\`\`\``
    : `\`\`\`\n${escapeText(shorten(text.replaceAll('```', 'ˋˋˋ'), Math.floor((most - 8) / 5)))}\n\`\`\``;
}

/** Cuts off what is over Slack's limit, but keeps the last row of buttons, which people need to go on. */
function fit(blocks: SlackBlock[], most: number): SlackBlock[] {
  if (blocks.length <= most) return blocks;
  const last = blocks.at(-1)!;
  const tail = last.type === 'actions' ? [last] : [];
  const kept = blocks.slice(0, most - 1 - tail.length);
  const left = blocks.length - kept.length - tail.length;
  return [...kept, note(`and ${left} more parts that Slack has no room for.`), ...tail];
}

export function section(text: string): SlackBlock {
  return { type: 'section', text: markup(text) };
}

export function note(text: string): SlackBlock {
  return { type: 'context', elements: [markup(text.trim() === '' ? '–' : text)] };
}

/** `verbatim`: Slack adds no links or mentions of its own. */
function markup(text: string): types.MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

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
