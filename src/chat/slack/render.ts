import { randomUUID } from 'node:crypto';
import type { types } from '@slack/bolt';
import * as v from 'valibot';
import { tenantKey } from '../../core/channel-ref.ts';
import { DAY } from '../../core/clock.ts';
import { shorten } from '../../core/text.ts';
import type { App } from '../../dispatch/contract.ts';
import { dateSchema } from '../../puzzle/repository.ts';
import { type AskerRef, ownerOf } from '../../reply/model/action.ts';
import { type BoardFacts, FACTS } from '../../reply/model/facts.ts';
import { cellText, isPerson, tableLines } from '../../reply/model/table.ts';
import { factLines, isHidden, isOpen, lineText } from '../../reply/model/text.ts';
import type {
  Action,
  Block,
  Button,
  Cell,
  Form,
  Line,
  OptionValue,
  Picture,
  Reply,
  Table,
} from '../../reply/model/types.ts';
import { drawBoard } from '../../reply/picture/drawing.ts';
import { type Files, metadataOf, type Origin, type Submission, tenantOf } from './events.ts';
import {
  codeMarkup,
  LIMITS,
  lineMarkup,
  literal,
  packLines,
  plainTextObject,
  type Surroundings,
  UNKNOWN_PERSON,
} from './mrkdwn.ts';

type SlackBlock = types.KnownBlock;

export interface RenderServices {
  pack(action: Action): Promise<string>;
  /** See `storeHidden`. */
  store(reply: Reply): Promise<string>;
  /** The id of the picture's file on Slack; undefined if there is none, so that the board is drawn in characters. */
  picture(picture: Picture): Promise<string | undefined>;
}

export interface RenderOptions extends Surroundings {
  readonly surface: 'message' | 'view';
  /** Hidden blocks to show, because only the person who asked for them will see this. */
  readonly open?: ReadonlySet<number>;
  /** Pictures as drawings and tables as lines, which Slack takes everywhere and at once. */
  readonly isPlain?: boolean;
  /** The files of the reply could not be sent on their own. */
  readonly lacksFiles?: boolean;
  /** Hidden blocks are folded in place, for everybody to open. */
  readonly foldsHidden?: boolean | undefined;
  /** Long texts are folded below their headings. */
  readonly foldsTexts?: boolean | undefined;
  /** A user group by its id, or a person, to mention first. */
  readonly ping?: string | null;
}

export interface Rendered {
  /** The text of notifications and screen readers. Never holds anything hidden. */
  readonly text: string;
  readonly blocks: SlackBlock[];
}

export async function renderReply(
  reply: Reply,
  options: RenderOptions,
  services: RenderServices,
): Promise<Rendered> {
  const open = options.open ?? new Set();
  const blocks: SlackBlock[] = [...mention(options.ping), titleBlock(reply.title)];
  /** The hidden blocks that are not shown. Hidden blocks are numbered from 0 in the order of the reply. */
  const closed: number[] = [];
  let hiddenIndex = 0;
  /** What the text says of the blocks: nothing that was opened, since notifications show the text. */
  const spoken: string[] = [];
  /** Where *Show all* belongs: after the last of them. */
  let showAllAt = 0;
  let source: Promise<string> | undefined;
  const revealValue = async (...more: readonly number[]) => {
    source ??= reply.rerun === undefined ? services.store(reply) : services.pack(reply.rerun);
    return makeReveal({ open: new Set([...open, ...more]), source: await source });
  };
  for (const [at, block] of reply.blocks.entries()) {
    const from = blocks.length;
    // These are shown at once: a block with nothing to hide, a spoiler that is just what was asked for, and one to reveal.
    const isShown = !isHidden(block) || isOpen(block, reply) || open.has(hiddenIndex);
    if (isShown) {
      blocks.push(...(await renderBlock(block, at, options, services)));
    } else if (options.foldsHidden) {
      // The title of the folded block is its label, which the content leaves out.
      const hidden: Block = block.kind === 'spoiler' ? { kind: 'text', lines: block.hidden } : block;
      blocks.push(folded(labelOf(block), await renderBlock(hidden, at, options, services)));
    } else {
      blocks.push(closedBlock(block, hiddenIndex, await revealValue(hiddenIndex)));
      closed.push(hiddenIndex);
      showAllAt = blocks.length;
    }
    if (block.kind === 'picture' && !isHidden(block)) spoken.push(literal(block.alt));
    else if (block.kind === 'table')
      spoken.push(...packLines(tableLines(block.table), options, LIMITS.sectionText));
    else if (!isHidden(block) || !isShown) spoken.push(...blocks.slice(from).map(spokenIn));
    if (isHidden(block)) hiddenIndex += 1;
  }
  if (closed.length >= SHOW_ALL_FROM) {
    const button = showButton('all', 'Show all', await revealValue(...closed), 'all');
    blocks.splice(showAllAt, 0, { type: 'actions', elements: [button] });
  }
  const most = options.surface === 'view' ? LIMITS.viewBlocks : LIMITS.messageBlocks;
  const texts = [literal(reply.title), ...spoken].filter((text) => text !== '');
  return { text: shorten(texts.join('\n'), LIMITS.messageText), blocks: fit(blocks, most) };
}

/** A block in words, since screen readers read no blocks of a message that has a text. */
function spokenIn(block: SlackBlock): string {
  switch (block.type) {
    case 'section':
      return block.text?.text ?? '';
    case 'container':
      return literal(block.title?.text ?? '');
    case 'context':
      return block.elements.map((element) => ('text' in element ? element.text : '')).join(' ');
    default:
      return '';
  }
}

/** A mention as a section: one in a note would notify nobody. */
export function mention(ping: string | null = null): SlackBlock[] {
  if (ping === null) return [];
  return [section(`<${/^[UW]/.test(ping) ? '@' : '!subteam^'}${ping.replace(/\W/g, '')}>`)];
}

/** Escaping makes an ampersand five characters long, and a section may have three thousand. */
const MAX_TITLE_LENGTH = 500;

function titleBlock(title: string): SlackBlock {
  return title.length <= LIMITS.headerText
    ? { type: 'header', text: plainTextObject(title, LIMITS.headerText) }
    : section(`*${literal(shorten(title, MAX_TITLE_LENGTH))}*`);
}

async function renderBlock(
  block: Block,
  at: number,
  options: RenderOptions,
  services: RenderServices,
): Promise<SlackBlock[]> {
  const sections = (lines: readonly Line[]) => packLines(lines, options, LIMITS.sectionText).map(section);
  switch (block.kind) {
    case 'text': {
      if (!block.mayFold || !options.foldsTexts) return sections(block.lines);
      const [heading = '', ...lines] = block.lines;
      return [folded(lineText(heading), sections(lines))];
    }
    case 'facts':
      return sections(factLines(block));
    case 'table':
      // Modals and home pages take no tables.
      return options.isPlain || options.surface === 'view'
        ? sections(tableLines(block.table))
        : [tableBlock(block.table, options)];
    case 'picture':
      return [await pictureBlock(block, options, services)];
    // Its picture and buttons are blocks of their own.
    case 'game':
      return [];
    case 'spoiler':
      return sections([{ bold: block.label }, ...block.hidden]);
    case 'buttons':
      return buttonBlocks(block.buttons, at, services);
    case 'menu':
      return menuBlocks(block, at, services);
    case 'note':
      return [note(lineMarkup(block.line, options, LIMITS.contextText))];
    case 'file': {
      const name = codeMarkup(shorten(block.name, 200));
      const sent = `${name} is in your private messages from this app.`;
      const failed = `I couldn’t send you ${name}. Try again. If it fails again, I may lack the permission files:write.`;
      return [options.lacksFiles ? section(failed) : note(sent)];
    }
  }
}

async function pictureBlock(
  block: Block & { kind: 'picture' },
  options: RenderOptions,
  services: RenderServices,
): Promise<SlackBlock> {
  const file = options.isPlain ? undefined : await services.picture(block.picture);
  if (file !== undefined)
    return { type: 'image', slack_file: { id: file }, alt_text: shorten(block.alt, LIMITS.altText) };
  return drawnBoard(block.picture);
}

/** Letters, numbers and frames: nothing in a drawing has to be escaped. */
function drawnBoard(picture: Picture): SlackBlock {
  const most = LIMITS.sectionText - '```\n\n```'.length;
  return section(`\`\`\`\n${shorten(drawBoard(picture), most)}\n\`\`\``);
}

/** From this many hidden blocks on there is also a *Show all*, since each *Show* is answered with another message. */
const SHOW_ALL_FROM = 3;

function showButton(id: number | 'all', label: string, value: string, shown: string): types.Button {
  return {
    type: 'button',
    action_id: `reveal:${id}`,
    text: plainTextObject(label, LIMITS.buttonText),
    value,
    accessibility_label: shorten(`Show, only to you: ${shown}`, LIMITS.buttonText),
  };
}

/** The label of a hidden picture. Its alt text is for people who can't see it once it is shown. */
const HIDDEN_PICTURE_LABEL = 'Picture of the solution';

function labelOf(block: Block): string {
  return block.kind === 'spoiler' ? block.label : HIDDEN_PICTURE_LABEL;
}

/** Shown to everybody: a label, and the button that reveals the hidden block to the person who presses it. */
function closedBlock(block: Block, index: number, value: string): SlackBlock {
  const label = labelOf(block);
  return {
    type: 'section',
    text: markup(`*${literal(shorten(label, 1000))}*`),
    accessory: showButton(index, 'Show', value, label),
  };
}

/** Opened in place by whoever presses its title. */
function folded(title: string, content: SlackBlock[]): types.ContainerBlock {
  return {
    type: 'container',
    title: plainTextObject(title, LIMITS.containerTitle),
    child_blocks: fit(content, LIMITS.containerBlocks) as types.ContainerBlock['child_blocks'],
    is_collapsible: true,
    default_collapsed: true,
  };
}

/** Begins the action ids of buttons that open a page. Slack reports their presses, which need no answer. */
export const LINK_ACTION = 'link';

async function buttonBlocks(
  buttons: readonly Button[],
  at: number,
  services: RenderServices,
): Promise<SlackBlock[]> {
  if (buttons.length === 0) return [];
  const elements = await Promise.all(
    buttons.slice(0, LIMITS.actionsButtons).map(
      async ({ label, action, look, url }, index): Promise<types.Button> => ({
        type: 'button',
        action_id: `${url === undefined ? 'do' : LINK_ACTION}:${at}:${index}`,
        text: plainTextObject(label, LIMITS.buttonText),
        ...(url === undefined ? { value: await services.pack(action) } : { url }),
        ...(look !== undefined && look !== 'plain' && { style: look }),
      }),
    ),
  );
  return [{ type: 'actions', elements }];
}

async function menuBlocks(
  { label, choices }: Block & { kind: 'menu' },
  at: number,
  services: RenderServices,
): Promise<SlackBlock[]> {
  const options = await Promise.all(
    choices.slice(0, LIMITS.menuChoices).map(async ({ label: text, description, action }) => ({
      text: plainTextObject(text, LIMITS.menuText),
      description: plainTextObject(description, LIMITS.menuText),
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

/** Cuts off blocks beyond Slack's limit, but keeps the last row of buttons, which people need to go on. */
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

type TableCell = types.RawTextElement | types.RawNumberElement | types.RichTextBlock;

function tableBlock({ caption, columns, rows }: Table, around: Surroundings): types.DataTableBlock {
  const shown = rows.slice(0, LIMITS.tableRows - 1);
  return {
    type: 'data_table',
    caption: shorten(caption, LIMITS.tableCaption),
    rows: [
      columns.map(({ label }): TableCell => rawText(label)),
      ...shown.map((row) => row.map((cell) => cellOf(cell, around))),
    ],
    page_size: Math.max(1, shown.length),
    row_header_column_index: Math.max(0, (rows[0] ?? []).findIndex(isPerson)),
  };
}

function cellOf(cell: Cell, { names, mayMention = true }: Surroundings): TableCell {
  if (isPerson(cell)) {
    const name = names?.get(cell.person);
    if (name !== undefined || !mayMention) return rawText(name ?? UNKNOWN_PERSON);
    const user = { type: 'user' as const, user_id: cell.person.replace(/\W/g, '') };
    return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [user] }] };
  }
  return typeof cell === 'number'
    ? { type: 'raw_number', value: cell, text: cellText(cell) }
    : rawText(cellText(cell));
}

function rawText(text: string): types.RawTextElement {
  return { type: 'raw_text', text: shorten(text === '' ? '–' : text, LIMITS.tableText) };
}

/** The request of a Reveal button. */
export interface Reveal {
  /** The hidden blocks to show, numbered from 0. */
  readonly open: ReadonlySet<number>;
  /** Where the reply comes from: an action packed by the dispatcher, or its stored blocks. */
  readonly source: string;
}

/** Begins the source of stored blocks, before the id of the team that they belong to. */
export const STORED_REPLY = 'slack-reply:';

/**
 * The value of a Reveal button. Other people can read it, so it holds no text of the reply.
 *
 * @example makeReveal({ open: new Set([0]), source: '1|hint|step=count' }) // '0;1|hint|step=count'
 */
export function makeReveal({ open, source }: Reveal): string {
  return `${[...open].sort((a, b) => a - b).join(',')};${source}`;
}

export function parseReveal(value: string): Reveal | undefined {
  const [, numbers = '', source] = /^(\d{1,3}(?:,\d{1,3})*);(.+)$/su.exec(value) ?? [];
  return source === undefined ? undefined : { open: new Set(numbers.split(',').map(Number)), source };
}

/**
 * A reply of the title and the hidden blocks asked for, which are numbered anew from 0. If the reply no longer has any of those
 * blocks, it is the whole reply, with all of them closed.
 */
export function onlyRevealed(
  reply: Reply,
  open: ReadonlySet<number>,
): { reply: Reply; open: ReadonlySet<number> } {
  const hidden = reply.blocks.filter(isHidden);
  const revealed = hidden.filter((_, index) => open.has(index));
  const blocks = revealed.length === 0 ? reply.blocks : revealed;
  return { reply: { ...reply, blocks, audience: 'asker' }, open: new Set(revealed.keys()) };
}

/** Reveal buttons that depend on stored blocks work for this long. */
const BUTTON_VALID_MS = 30 * DAY;

const BoardFactsSchema: v.GenericSchema<BoardFacts> = v.object({
  board: v.object({ sides: v.array(v.string()) }),
  date: v.exactOptional(dateSchema),
  facts: v.array(v.picklist(FACTS)),
  card: v.exactOptional(v.picklist(['board', 'other'])),
  told: v.optional(
    v.object({ chains: v.array(v.array(v.string())), after: v.optional(v.array(v.string())) }),
  ),
});

const HiddenBlock = v.looseObject({
  kind: v.picklist(['spoiler', 'picture']),
  reveals: v.optional(BoardFactsSchema),
});
const StoredReply = v.object({
  title: v.string(),
  blocks: v.array(v.custom<Block>((block) => v.is(HiddenBlock, block))),
});

/** Stores the hidden blocks of a reply that no command can make again, for its Reveal buttons. Returns their source. */
export async function storeHidden(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  team: string,
  { title, blocks }: Reply,
  asker: AskerRef | undefined,
): Promise<string> {
  const source = `${STORED_REPLY}${team}:${randomUUID()}`;
  const stored = JSON.stringify({ title, blocks: blocks.filter(isHidden) });
  await store.actions.put(storedKey(source), stored, clock.now() + BUTTON_VALID_MS, await ownerOf(asker));
  return source;
}

/** Stored replies are erased with their workspace, so their key names it. */
function storedKey(source: string): string {
  const [, team = '', id = ''] = source.split(':');
  return tenantKey(tenantOf(team), `reply ${id}`);
}

/** The stored blocks, as a reply to whoever reveals them. Undefined when they have expired. */
export async function storedReply(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  source: string,
): Promise<Reply | undefined> {
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), StoredReply),
    await store.actions.get(storedKey(source), clock.now()),
  );
  return parsed.success ? { ...parsed.output, audience: 'asker' } : undefined;
}

const INPUT = 'value';

/** Shown until the answer is there. */
export const WORKING_MESSAGE: Pick<Rendered, 'blocks'> = { blocks: [section('One moment …')] };

export function answerModal(origin: Origin, { blocks }: Pick<Rendered, 'blocks'>) {
  return {
    type: 'modal' as const,
    title: plainTextObject('Letter Boxed', LIMITS.modalTitle),
    close: plainTextObject('Close', LIMITS.modalButton),
    private_metadata: metadataOf(origin),
    blocks,
  };
}

/** The block with the file of a form. */
const PICTURE = 'picture';

const PICTURE_INPUT: types.InputBlock = {
  type: 'input',
  block_id: PICTURE,
  label: plainTextObject('Or a picture of it', LIMITS.inputLabel),
  optional: true,
  hint: plainTextObject('A screenshot: a PNG, JPEG or GIF file of up to 8 MB', LIMITS.inputHint),
  element: { type: 'file_input', action_id: INPUT, filetypes: ['png', 'jpg', 'jpeg', 'gif'], max_files: 1 },
};

export function filesIn({ state }: Submission['view']): Files {
  return state.values[PICTURE]?.[INPUT]?.files ?? [];
}

/**
 * A form as a modal. Its metadata holds the action that its fields complete, and where it was opened.
 *
 * @param options.takesPicture whether a file may stand for the board: then no field is required
 */
export function formModal(form: Form, origin: Origin, packed: string, { takesPicture = false } = {}) {
  return {
    type: 'modal' as const,
    private_metadata: metadataOf(origin, packed),
    title: plainTextObject(form.title, LIMITS.modalTitle),
    submit: plainTextObject(form.submit, LIMITS.modalButton),
    close: plainTextObject('Cancel', LIMITS.modalButton),
    blocks: [
      ...boardAbove(form),
      ...form.fields.map(
        ({ name, label, hint, placeholder, value, required, long }): types.InputBlock => ({
          type: 'input',
          block_id: name,
          label: plainTextObject(label, LIMITS.inputLabel),
          optional: takesPicture || !required,
          hint: plainTextObject(hint, LIMITS.inputHint),
          element: {
            type: 'plain_text_input',
            action_id: INPUT,
            multiline: long === true,
            max_length: LIMITS.inputValue,
            initial_value: value,
            placeholder:
              placeholder === undefined ? undefined : plainTextObject(placeholder, LIMITS.inputPlaceholder),
          },
        }),
      ),
      ...(takesPicture ? [PICTURE_INPUT] : []),
    ],
  };
}

function boardAbove({ board }: Form): SlackBlock[] {
  if (board === undefined) return [];
  return [drawnBoard(board), ...(board.note === undefined ? [] : [note(literal(board.note))])];
}

/** What was typed into the fields of a form. */
export function filledIn({ state }: Submission['view']): Record<string, OptionValue> {
  const typed = Object.entries(state.values).map(([name, inputs]) => [name, inputs[INPUT]?.value?.trim()]);
  return Object.fromEntries(typed.filter(([, value]) => value));
}

/** The field at which a form says why it was refused: the one whose text the sentence quotes, else the first. */
export function refusedField(refusal: string, view: Submission['view']): Record<string, string> {
  const isQuoted = (value: OptionValue) => refusal.toLowerCase().includes(String(value).toLowerCase());
  const [quoted] = Object.entries(filledIn(view)).find(([, value]) => isQuoted(value)) ?? [];
  const first = filesIn(view).length > 0 ? PICTURE : Object.keys(view.state.values)[0]!;
  return { [quoted ?? first]: shorten(refusal, LIMITS.inputError) };
}
