import { createHash } from 'node:crypto';
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIFileComponent,
  type APIMessageTopLevelComponent,
  type APITextDisplayComponent,
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
import type { Action, Block, Button, Reply } from '../../reply/model/types.ts';
import { drawBoard } from '../../reply/picture/drawing.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { NameCache } from '../conversation.ts';
import type { ShowCommand } from './commands.ts';
import {
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

interface RenderOptions {
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
  const { showCommand } = services;
  const inlineOptions = { showCommand, names: await services.names?.of(tenant, peopleIn(reply.blocks)) };
  const draft = new Draft(services, asker, inlineOptions);
  const mention = ping !== null && /^\d{1,20}$/.test(ping) ? draft.text(`<@&${ping}>`) : [];
  const parts: APIComponentInContainer[] = draft.text(`### ${literal(shorten(reply.title, 400))}`);
  for (const [at, block] of reply.blocks.entries()) {
    const room = draft.charactersLeft - charactersFor(reply.blocks.slice(at + 1));
    parts.push(...(await renderBlock(block, draft, { room, isOpen: isOpen(block, reply) })));
  }
  return {
    body: {
      flags: MessageFlags.IsComponentsV2 | (quiet ? MessageFlags.SuppressNotifications : 0),
      components: [
        ...mention,
        {
          type: ComponentType.Container,
          accent_color: ACCENT_COLOUR,
          components: parts.map((part, at) => ({ ...part, id: mergedIds[at] })),
          id: containerId,
        },
        ...draft.downloads,
      ],
      attachments: draft.attachments,
      allowed_mentions: ping !== null && mention.length > 0 ? { parse: [], roles: [ping] } : { parse: [] },
    },
    files: draft.files,
  };
}

/** A message while it is rendered: what is left of its limits, which all its parts share, and its files. */
class Draft {
  readonly services: RenderServices;
  readonly asker: AskerRef | undefined;
  readonly inlineOptions: InlineOptions;
  charactersLeft: number = LIMITS.messageText;
  /** Without the container. */
  #componentsLeft = LIMITS.components - 1;
  readonly files: RawFile[] = [];
  readonly attachments: RESTAPIAttachment[] = [];
  readonly downloads: APIFileComponent[] = [];
  /** The custom ids used so far: each may be in a message only once. */
  readonly packed = new Set<string>();

  constructor(services: RenderServices, asker: AskerRef | undefined, inlineOptions: InlineOptions) {
    this.services = services;
    this.asker = asker;
    this.inlineOptions = inlineOptions;
  }

  /** Takes this many components, or none if there is no room for all of them. */
  takeComponents(count: number): boolean {
    if (count > this.#componentsLeft) return false;
    this.#componentsLeft -= count;
    return true;
  }

  /** Nothing if there is no room for it. */
  text(content: string): APITextDisplayComponent[] {
    if (content.trim() === '' || !this.takeComponents(1)) return [];
    this.charactersLeft -= content.length;
    return [{ type: ComponentType.TextDisplay, content }];
  }

  /** Adds a file with its component; false if there is no room for it. */
  attach(file: RawFile, { description, is_spoiler }: Omit<RESTAPIAttachment, 'id'> = {}): boolean {
    if (this.files.length >= LIMITS.files || !this.takeComponents(1)) return false;
    this.attachments.push({ id: this.files.length, description, is_spoiler });
    this.files.push(file);
    return true;
  }
}

/** The characters that these blocks need at least. */
function charactersFor(blocks: readonly Block[]): number {
  const spoilers = blocks.filter((block) => block.kind === 'spoiler');
  return spoilers.reduce((sum, { label }) => sum + label.length + 60, RESERVED_CHARACTERS);
}

async function renderBlock(
  block: Block,
  draft: Draft,
  { room, isOpen }: { readonly room: number; readonly isOpen: boolean },
): Promise<APIComponentInContainer[]> {
  const { inlineOptions } = draft;
  switch (block.kind) {
    case 'text': {
      const lines = block.lines.map((line) => lineMarkdown(line, inlineOptions));
      return draft.text(fitLines(lines, room));
    }
    case 'facts': {
      const lines = block.facts.map(
        ({ label, value }) => `**${literal(label)}**: ${inlineMarkdown(value, inlineOptions)}`,
      );
      return draft.text(fitLines(lines, room));
    }
    case 'table':
      return draft.text(fitLines(tableMarkdown(block.table, inlineOptions), room));
    case 'spoiler': {
      const label = `**${literal(shorten(block.label, 200))}**\n`;
      const all = block.hidden.map((line) => lineMarkdown(line, inlineOptions));
      if (isOpen) return draft.text(`${label}${fitLines(all, room - label.length)}`.trim());
      // An empty line would end the spoiler.
      const lines = all.map((line) => line.trim()).filter((line) => line !== '');
      const hidden = fitLines(lines, room - label.length - SPOILER_MARKS_LENGTH);
      return draft.text(hidden === '' ? label.trim() : `${label}||${hidden}||`);
    }
    case 'note':
      return draft.text(fitLines([`-# ${lineMarkdown(block.line, inlineOptions)}`], draft.charactersLeft));
    case 'buttons':
      return buttonRows(block.buttons, draft);
    case 'menu':
      return menuRow(block, draft);
    case 'picture':
      return picture(block, draft, room);
    case 'file':
      return file(block, draft);
    case 'game':
      return [];
  }
}

async function buttonRows(buttons: readonly Button[], draft: Draft): Promise<APIComponentInContainer[]> {
  const { services, asker, packed } = draft;
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
    if (!draft.takeComponents(1 + components.length)) break;
    rows.push({ type: ComponentType.ActionRow, components });
  }
  return rows;
}

async function menuRow(
  { label, choices }: Block & { kind: 'menu' },
  draft: Draft,
): Promise<APIComponentInContainer[]> {
  const { services, asker, packed } = draft;
  const custom_id = `menu:${packed.size}`;
  packed.add(custom_id);
  if (choices.length === 0 || !draft.takeComponents(2)) return [];
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
  draft: Draft,
  room: number,
): Promise<APIComponentInContainer[]> {
  const { services, asker, files } = draft;
  let data: Buffer;
  try {
    data = await services.pictures.png(picture, asker);
  } catch (error) {
    // Drawing is overloaded. Fall back to characters, because somebody is waiting for the reply.
    if (asker === undefined || !(error instanceof UserError)) throw error;
    const drawing = `\`\`\`\n${drawBoard(picture)}\n\`\`\``;
    return spoiler || drawing.length > room ? [] : draft.text(drawing);
  }
  const name = `board-${files.length + 1}.png`;
  const shown = { description: shorten(alt, LIMITS.altText), spoiler: spoiler || undefined };
  const png = { name, data, contentType: 'image/png' };
  if (!draft.attach(png, { description: shown.description, is_spoiler: shown.spoiler })) return [];
  return [
    { type: ComponentType.MediaGallery, items: [{ media: { url: `attachment://${name}` }, ...shown }] },
  ];
}

function file({ name, type, content }: Block & { kind: 'file' }, draft: Draft): [] {
  const safe = name.replace(/[^\w.-]/g, '_');
  if (draft.attach({ name: safe, data: content, contentType: type }))
    draft.downloads.push({ type: ComponentType.File, file: { url: `attachment://${safe}` } });
  return [];
}
