import { createHash } from 'node:crypto';
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIMessageTopLevelComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  type RawFile,
  type RESTAPIAttachment,
} from 'discord.js';
import { UserError } from '../../core/errors.ts';
import { shorten } from '../../core/text.ts';
import type { AskerRef } from '../../reply/model/action.ts';
import { isOpen, peopleIn } from '../../reply/model/text.ts';
import type { Action, Block, Button, Picture, Reply } from '../../reply/model/types.ts';
import { drawBoard } from '../../reply/picture/drawing.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { NameCache } from '../conversation.ts';
import type { ShowCommand } from './commands.ts';
import {
  Budget,
  fitLines,
  type InlineOptions,
  inlineMarkdown,
  LIMITS,
  lineMarkdown,
  literal,
  tableMarkdown,
} from './markdown.ts';

const ACCENT_COLOUR = 0xa8324a;
/** Characters left free after a long text, for notes and for the titles of later blocks. */
const RESERVED_CHARACTERS = 300;
/** The characters around a spoiler. */
const SPOILER_MARKS_LENGTH = '||||'.length;

/** Draws the pictures of replies, and packs the actions of their buttons. */
export interface RenderServices {
  pack(action: Action, asker?: AskerRef): Promise<string>;
  readonly pictures: Pictures;
  /** Formats a command; without it, the command is shown as text in code. */
  readonly showCommand?: ShowCommand;
  /** Looks up names; without it, people are shown as mentions. */
  readonly names?: Pick<NameCache, 'of'>;
}

/** A message in Discord's format: Components V2, and the files it refers to. */
export interface Rendered {
  readonly body: {
    readonly flags: number;
    readonly components: APIMessageTopLevelComponent[];
    readonly attachments: RESTAPIAttachment[];
    readonly allowed_mentions: { readonly parse: never[]; readonly roles?: string[] };
  };
  readonly files: RawFile[];
}

export interface RenderOptions {
  /** Where the reply is shown, for the names of people there. */
  readonly tenant?: string;
  /** The person who waits for the reply; undefined for posts of the bot itself. */
  readonly asker?: AskerRef | undefined;
  /** The keys of the deliveries in this message, by which it can be found again. */
  readonly keys?: readonly string[] | undefined;
  /** Posts without a notification, which Discord accepts only when a message is created. */
  readonly quiet?: boolean | undefined;
  /** A role to mention at the top. */
  readonly ping?: string | null;
}

/**
 * The id that a delivery's message gives its container component, or one of its parts, made from the delivery's key. Discord
 * stores the id and shows it to nobody, so the message can be found by it later. A nonce can't be read back.
 */
export function containerIdOf(key: string): number {
  // The id has 31 bits and is never 0, for which Discord would choose another one.
  return (createHash('sha256').update(key).digest().readUInt32BE(0) & 0x7fffffff) | 1;
}

export async function renderReply(
  reply: Reply,
  services: RenderServices,
  { tenant = '', asker, keys = [], quiet = false, ping = null }: RenderOptions = {},
): Promise<Rendered> {
  const [containerId, ...mergedIds] = keys.map(containerIdOf);
  const budget = new Budget();
  // The container and its title.
  budget.components -= 2;
  const mention = ping === null ? [] : mentionOf(ping, budget);
  const files: Attached[] = [];
  const packed = new Set<string>();
  const title = `### ${literal(shorten(reply.title, 400))}`;
  budget.text -= title.length;
  const parts: APIComponentInContainer[] = [{ type: ComponentType.TextDisplay, content: title }];
  const room = planRoom(reply.blocks);
  const { showCommand } = services;
  const inlineOptions = { showCommand, names: await services.names?.of(tenant, peopleIn(reply.blocks)) };
  for (const [at, block] of reply.blocks.entries())
    parts.push(
      ...(await renderBlock(block, {
        services,
        asker,
        budget,
        files,
        packed,
        inlineOptions,
        reserve: room[at]!,
        isOpen: isOpen(block, reply),
      })),
    );
  return {
    body: {
      flags: MessageFlags.IsComponentsV2 | (quiet ? MessageFlags.SuppressNotifications : 0),
      components: [
        ...mention,
        {
          type: ComponentType.Container,
          accent_color: ACCENT_COLOUR,
          components: parts.map((part, at) => ({
            ...part,
            id: mergedIds[at],
          })),
          id: containerId,
        },
        ...files
          .filter(({ isShown }) => !isShown)
          .map(({ file }) => ({
            type: ComponentType.File as const,
            file: { url: `attachment://${file.name}` },
          })),
      ],
      attachments: files.map(({ alt, isSpoiler }, id) => ({
        id,
        description: alt,
        is_spoiler: isSpoiler || undefined,
      })),
      allowed_mentions: ping !== null && mention.length > 0 ? { parse: [], roles: [ping] } : { parse: [] },
    },
    files: files.map(({ file }) => file),
  };
}

function mentionOf(role: string, budget: Budget): APIMessageTopLevelComponent[] {
  if (!/^\d{1,20}$/.test(role) || !budget.takeComponents(1)) return [];
  const content = `<@&${role}>`;
  budget.text -= content.length;
  return [{ type: ComponentType.TextDisplay, content }];
}

interface Attached {
  readonly file: RawFile & { readonly name: string };
  readonly alt?: string;
  readonly isSpoiler: boolean;
  /** Displayed in a gallery rather than offered as a download. */
  readonly isShown: boolean;
}

interface Rendering {
  readonly services: RenderServices;
  readonly asker: AskerRef | undefined;
  readonly budget: Budget;
  readonly files: Attached[];
  readonly inlineOptions: InlineOptions;
  /** The custom ids used so far: each may be in a message only once. */
  readonly packed: Set<string>;
  readonly reserve: number;
  /** Whether this block's hidden content is shown at once. */
  readonly isOpen: boolean;
}

/** How many characters the blocks after each block need at least. */
function planRoom(blocks: readonly Block[]): number[] {
  const wanted = blocks.map((block) => (block.kind === 'spoiler' ? block.label.length + 60 : 0));
  return wanted.map(
    (_, at) => RESERVED_CHARACTERS + wanted.slice(at + 1).reduce((sum, each) => sum + each, 0),
  );
}

async function renderBlock(block: Block, rendering: Rendering): Promise<APIComponentInContainer[]> {
  const { budget, reserve, inlineOptions } = rendering;
  const shown = (lines: readonly string[]) => textDisplay(fitLines(lines, budget, reserve), budget);
  switch (block.kind) {
    case 'text':
      return shown(block.lines.map((line) => lineMarkdown(line, inlineOptions)));
    case 'facts':
      return shown(
        block.facts.map(
          ({ label, value }) => `**${literal(label)}**: ${inlineMarkdown(value, inlineOptions)}`,
        ),
      );
    case 'table':
      return shown(tableMarkdown(block.table, inlineOptions));
    case 'spoiler': {
      const label = `**${literal(shorten(block.label, 200))}**`;
      budget.text -= label.length + 1;
      const all = block.hidden.map((line) => lineMarkdown(line, inlineOptions));
      if (rendering.isOpen) return textDisplay(`${label}\n${fitLines(all, budget, reserve)}`.trim(), budget);
      // An empty line would end the spoiler.
      const lines = all.map((line) => line.trim()).filter((line) => line !== '');
      const hidden = fitLines(lines, budget, reserve + SPOILER_MARKS_LENGTH);
      budget.text -= SPOILER_MARKS_LENGTH;
      return textDisplay(hidden === '' ? label : `${label}\n||${hidden}||`, budget);
    }
    case 'note':
      return textDisplay(fitLines([`-# ${lineMarkdown(block.line, inlineOptions)}`], budget, 0), budget);
    case 'buttons':
      return buttonRows(block.buttons, rendering);
    case 'menu':
      return menuRow(block, rendering);
    case 'picture':
      return picture(block, rendering);
    case 'file':
      return file(block, rendering);
    case 'game':
      return [];
  }
}

function textDisplay(content: string, budget: Budget): APIComponentInContainer[] {
  if (content.trim() === '' || !budget.takeComponents(1)) return [];
  return [{ type: ComponentType.TextDisplay, content }];
}

async function buttonRows(
  buttons: readonly Button[],
  { services, asker, budget, packed }: Rendering,
): Promise<APIComponentInContainer[]> {
  const made: APIButtonComponent[] = [];
  for (const { label, action, look, url } of buttons) {
    if (url !== undefined) {
      made.push({ type: ComponentType.Button, style: ButtonStyle.Link, label, url });
      continue;
    }
    const custom_id = await services.pack(action, asker);
    if (packed.has(custom_id)) continue;
    packed.add(custom_id);
    const style = STYLES[look ?? 'plain'];
    made.push({ type: ComponentType.Button, style, label: shorten(label, LIMITS.buttonLabel), custom_id });
  }
  const rows: APIActionRowComponent<APIButtonComponent>[] = [];
  for (let at = 0; at < made.length; at += LIMITS.buttonsInRow) {
    const components = made.slice(at, at + LIMITS.buttonsInRow);
    if (!budget.takeComponents(1 + components.length)) break;
    rows.push({ type: ComponentType.ActionRow, components });
  }
  return rows;
}

async function menuRow(
  { label, choices }: Block & { kind: 'menu' },
  { services, asker, budget, packed }: Rendering,
): Promise<APIComponentInContainer[]> {
  const custom_id = `menu:${packed.size}`;
  packed.add(custom_id);
  if (choices.length === 0 || !budget.takeComponents(2)) return [];
  const options = await Promise.all(
    choices.slice(0, LIMITS.menuChoices).map(async (choice) => ({
      label: shorten(choice.label, LIMITS.menuText),
      description: choice.description && shorten(choice.description, LIMITS.menuText),
      value: await services.pack(choice.action, asker),
    })),
  );
  const placeholder = shorten(label, LIMITS.menuPlaceholder);
  return [
    {
      type: ComponentType.ActionRow,
      components: [{ type: ComponentType.StringSelect, custom_id, placeholder, options }],
    },
  ];
}

const STYLES = {
  primary: ButtonStyle.Primary,
  plain: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const;

async function picture(
  { picture, alt, spoiler = false }: Block & { kind: 'picture' },
  { services: { pictures }, asker, budget, files, reserve }: Rendering,
): Promise<APIComponentInContainer[]> {
  const description = shorten(alt, LIMITS.altText);
  if (files.length >= LIMITS.files) return [];
  let data: Buffer;
  try {
    data = await pictures.png(picture, asker);
  } catch (error) {
    // Drawing is overloaded. Fall back to characters, because somebody is waiting for the reply.
    if (asker === undefined || !(error instanceof UserError)) throw error;
    return spoiler ? [] : drawnInCharacters(picture, budget, reserve);
  }
  if (!budget.takeComponents(1)) return [];
  const name = `board-${files.length + 1}.png`;
  files.push({
    file: { name, data, contentType: 'image/png' },
    alt: description,
    isSpoiler: spoiler,
    isShown: true,
  });
  return [
    {
      type: ComponentType.MediaGallery,
      items: [{ media: { url: `attachment://${name}` }, description, spoiler: spoiler || undefined }],
    },
  ];
}

/** Nothing if not all of it fits. */
function drawnInCharacters(picture: Picture, budget: Budget, reserve: number): APIComponentInContainer[] {
  const drawing = `\`\`\`\n${drawBoard(picture)}\n\`\`\``;
  if (drawing.length > budget.text - reserve) return [];
  budget.text -= drawing.length;
  return textDisplay(drawing, budget);
}

function file(
  { name, type, content }: Block & { kind: 'file' },
  { budget, files }: Rendering,
): APIComponentInContainer[] {
  if (files.length >= LIMITS.files || !budget.takeComponents(1)) return [];
  const safe = name.replace(/[^\w.-]/g, '_');
  files.push({ file: { name: safe, data: content, contentType: type }, isSpoiler: false, isShown: false });
  return [];
}
