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
import { factLines, isOpen, peopleIn } from '../../reply/model/text.ts';
import type { Action, Block, Button, Line, Reply } from '../../reply/model/types.ts';
import { drawBoard } from '../../reply/picture/drawing.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { NameCache } from '../conversation.ts';
import type { ShowCommand } from './commands.ts';
import { fitLines, type InlineOptions, LIMITS, lineMarkdown, literal, tableMarkdown } from './markdown.ts';

const ACCENT_COLOUR = 0xa8324a;
/** Characters left free after a long text, for notes and for the titles of later blocks. */
const RESERVED_CHARACTERS = 300;
/** Characters that each spoiler gets, with its marks, however long the blocks before it are. */
const MIN_HIDDEN_CHARACTERS = 60;
const BUTTON_STYLES = {
  primary: ButtonStyle.Primary,
  plain: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const;

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
  const people = peopleIn(reply.blocks);
  const names = people.size > 0 ? await services.names?.of(tenant, people) : undefined;
  const draft = new Draft(services, asker, { showCommand: services.showCommand, names });
  const mention = ping !== null && /^\d{1,20}$/.test(ping) ? draft.text(`<@&${ping}>`) : [];
  const parts: APIComponentInContainer[] = draft.text(`### ${literal(shorten(reply.title, 400))}`);
  /** The characters that a block must leave for the blocks after it. */
  let reserved = RESERVED_CHARACTERS;
  for (const block of reply.blocks) reserved += leastLength(block);
  for (const block of reply.blocks) {
    reserved -= leastLength(block);
    parts.push(...(await draft.render(block, isOpen(block, reply), draft.charactersLeft - reserved)));
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

/** The characters that earlier blocks leave for a block: for a spoiler, its label and the beginning of what it hides. */
function leastLength(block: Block): number {
  return block.kind === 'spoiler' ? block.label.length + MIN_HIDDEN_CHARACTERS : 0;
}

/** A message while it is rendered: what is left of its limits, which all its parts share, and its files. */
class Draft {
  readonly #services: RenderServices;
  readonly #asker: AskerRef | undefined;
  readonly #inlineOptions: InlineOptions;
  charactersLeft: number = LIMITS.messageText;
  /** The container itself is one component. */
  #componentsLeft = LIMITS.components - 1;
  readonly files: RawFile[] = [];
  readonly attachments: RESTAPIAttachment[] = [];
  readonly downloads: APIFileComponent[] = [];
  /** The custom ids used so far: each may be in a message only once. */
  readonly #customIds = new Set<string>();

  constructor(services: RenderServices, asker: AskerRef | undefined, inlineOptions: InlineOptions) {
    this.#services = services;
    this.#asker = asker;
    this.#inlineOptions = inlineOptions;
  }

  /** Takes this many components, or none if there is no room for all of them. */
  #takeComponents(count: number): boolean {
    if (count > this.#componentsLeft) return false;
    this.#componentsLeft -= count;
    return true;
  }

  /** A text as a component; none if there is no room for it. */
  text(content: string): APITextDisplayComponent[] {
    if (content.trim() === '' || !this.#takeComponents(1)) return [];
    this.charactersLeft -= content.length;
    return [{ type: ComponentType.TextDisplay, content }];
  }

  /** @param room the characters that the block may take */
  async render(block: Block, isOpen: boolean, room: number): Promise<APIComponentInContainer[]> {
    const inlineOptions = this.#inlineOptions;
    const linesOf = (lines: readonly Line[]) => lines.map((line) => lineMarkdown(line, inlineOptions));
    switch (block.kind) {
      case 'text':
        return this.text(fitLines(linesOf(block.lines), room));
      case 'facts':
        return this.text(fitLines(linesOf(factLines(block)), room));
      case 'table':
        return this.text(fitLines(tableMarkdown(block.table, inlineOptions), room));
      case 'spoiler': {
        const label = `**${literal(shorten(block.label, 200))}**\n`;
        const all = linesOf(block.hidden);
        if (isOpen) return this.text(`${label}${fitLines(all, room - label.length)}`.trim());
        // An empty line would end the spoiler.
        const lines = all.map((line) => line.trim()).filter((line) => line !== '');
        const hidden = fitLines(lines, room - label.length - '||||'.length);
        return this.text(hidden === '' ? label.trim() : `${label}||${hidden}||`);
      }
      case 'note':
        return this.text(fitLines([`-# ${lineMarkdown(block.line, inlineOptions)}`], this.charactersLeft));
      case 'buttons':
        return this.#buttons(block.buttons);
      case 'menu':
        return this.#menu(block);
      case 'picture':
        return this.#picture(block, room);
      case 'file':
        return this.#file(block);
      case 'game':
        return [];
    }
  }

  async #buttons(buttons: readonly Button[]): Promise<APIComponentInContainer[]> {
    const made: APIButtonComponent[] = [];
    for (const { label, action, look = 'plain', url } of buttons) {
      const button = { type: ComponentType.Button, label: shorten(label, LIMITS.buttonLabel) } as const;
      if (url !== undefined) {
        made.push({ ...button, style: ButtonStyle.Link, url });
        continue;
      }
      const custom_id = await this.#services.pack(action, this.#asker);
      if (this.#customIds.has(custom_id)) continue;
      this.#customIds.add(custom_id);
      made.push({ ...button, style: BUTTON_STYLES[look], custom_id });
    }
    const rows: APIActionRowComponent<APIButtonComponent>[] = [];
    for (let at = 0; at < made.length; at += LIMITS.buttonsInRow) {
      const components = made.slice(at, at + LIMITS.buttonsInRow);
      if (!this.#takeComponents(1 + components.length)) break;
      rows.push({ type: ComponentType.ActionRow, components });
    }
    return rows;
  }

  async #menu({ label, choices }: Block & { kind: 'menu' }): Promise<APIComponentInContainer[]> {
    const custom_id = `menu:${this.#customIds.size}`;
    this.#customIds.add(custom_id);
    if (!this.#takeComponents(2)) return [];
    const options = await Promise.all(
      choices.slice(0, LIMITS.menuChoices).map(async (choice) => ({
        label: shorten(choice.label, LIMITS.menuText),
        description: shorten(choice.description, LIMITS.menuText),
        value: await this.#services.pack(choice.action, this.#asker),
      })),
    );
    const placeholder = shorten(label, LIMITS.menuPlaceholder);
    const menu = { type: ComponentType.StringSelect, custom_id, placeholder, options } as const;
    return [{ type: ComponentType.ActionRow, components: [menu] }];
  }

  async #picture(
    { picture, alt, spoiler = false }: Block & { kind: 'picture' },
    room: number,
  ): Promise<APIComponentInContainer[]> {
    let data: Buffer;
    try {
      data = await this.#services.pictures.png(picture, this.#asker);
    } catch (error) {
      // Drawing is overloaded. Fall back to characters, because somebody is waiting for the reply.
      if (this.#asker === undefined || !(error instanceof UserError)) throw error;
      const drawing = `\`\`\`\n${drawBoard(picture)}\n\`\`\``;
      return spoiler || drawing.length > room ? [] : this.text(drawing);
    }
    const name = `board-${this.files.length + 1}.png`;
    const description = shorten(alt, LIMITS.altText);
    const png = { name, data, contentType: 'image/png' };
    if (!this.#attach(png, { description, is_spoiler: spoiler || undefined })) return [];
    const item = { media: { url: `attachment://${name}` }, description, spoiler: spoiler || undefined };
    return [{ type: ComponentType.MediaGallery, items: [item] }];
  }

  #file({ name, type, content }: Block & { kind: 'file' }): [] {
    const safe = name.replace(/[^\w.-]/g, '_');
    if (this.#attach({ name: safe, data: content, contentType: type }))
      this.downloads.push({ type: ComponentType.File, file: { url: `attachment://${safe}` } });
    return [];
  }

  /** Adds a file for a component; false if there is no room for it. */
  #attach(file: RawFile, attachment: Omit<RESTAPIAttachment, 'id'> = {}): boolean {
    if (this.files.length >= LIMITS.files || !this.#takeComponents(1)) return false;
    this.attachments.push({ id: this.files.length, ...attachment });
    this.files.push(file);
    return true;
  }
}
