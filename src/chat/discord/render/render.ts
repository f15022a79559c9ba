import type { RawFile } from 'discord.js';
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIMessageTopLevelComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  type RESTAPIAttachment,
} from 'discord.js';
import type { Action, Block, Button, Reply } from '../../../reply/model/types.ts';
import type { Pictures } from '../../../reply/picture/pictures.ts';
import { Budget, fitLines, LIMITS, shorten } from './limits.ts';
import { inlineMarkdown, lineMarkdown, literal, spoilerMarkdown } from './markdown.ts';

const ACCENT = 0xa8324a;
/** Kept free for what comes after a long text: its notes and titles of what follows. */
const RESERVE = 300;

/** What rendering needs from the world. */
export interface PictureSource {
  pack(action: Action): Promise<string>;
  readonly pictures: Pictures;
}

/** A message as Discord takes it: Components V2, with files beside it. */
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
  /** A number that finds the message again: the id of its container. */
  readonly mark?: number;
  /** A role to mention above everything else. */
  readonly ping?: string | null;
}

/** A reply as one container, within Discord's limits. */
export async function renderReply(
  reply: Reply,
  pictureSource: PictureSource,
  { mark, ping = null }: RenderOptions = {},
): Promise<Rendered> {
  const budget = new Budget();
  budget.takeComponents(2);
  const mention = mentionOf(ping, budget);
  const files: Attached[] = [];
  const packed = new Set<string>();
  const title = `### ${literal(shorten(reply.title, 400))}`;
  budget.takeText(title.length);
  const parts: APIComponentInContainer[] = [{ type: ComponentType.TextDisplay, content: title }];
  const room = planRoom(reply.blocks);
  for (const [at, block] of reply.blocks.entries())
    parts.push(...(await renderBlock(block, { pictureSource, budget, files, packed, reserve: room[at]! })));
  return {
    body: {
      flags: MessageFlags.IsComponentsV2,
      components: [
        ...mention,
        {
          type: ComponentType.Container,
          accent_color: ACCENT,
          components: parts,
          ...(mark !== undefined && { id: mark }),
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
        ...(alt !== undefined && { description: alt }),
        ...(isSpoiler && { is_spoiler: true }),
      })),
      allowed_mentions: ping !== null && mention.length > 0 ? { parse: [], roles: [ping] } : { parse: [] },
    },
    files: files.map(({ file }) => file),
  };
}

function mentionOf(role: string | null, budget: Budget): APIMessageTopLevelComponent[] {
  if (role === null || !/^\d{1,20}$/.test(role) || !budget.takeComponents(1)) return [];
  const content = `<@&${role}>`;
  budget.takeText(content.length);
  return [{ type: ComponentType.TextDisplay, content }];
}

interface Attached {
  readonly file: RawFile & { readonly name: string };
  readonly alt?: string;
  readonly isSpoiler: boolean;
  /** In a gallery rather than as a file to download. */
  readonly isShown: boolean;
}

interface Making {
  readonly pictureSource: PictureSource;
  readonly budget: Budget;
  readonly files: Attached[];
  /** Custom ids so far: a message may hold each only once. */
  readonly packed: Set<string>;
  readonly reserve: number;
}

/** How many characters the blocks after each one want at least. */
function planRoom(blocks: readonly Block[]): number[] {
  const wanted = blocks.map((block) => (block.kind === 'spoiler' ? block.label.length + 60 : 0));
  return wanted.map((_, at) => RESERVE + wanted.slice(at + 1).reduce((sum, each) => sum + each, 0));
}

async function renderBlock(block: Block, making: Making): Promise<APIComponentInContainer[]> {
  const { budget, reserve } = making;
  switch (block.kind) {
    case 'text':
      return textDisplay(
        fitLines(
          block.lines.map((line) => lineMarkdown(line)),
          budget,
          reserve,
        ),
        budget,
      );
    case 'facts': {
      const facts = block.facts.map(({ label, value }) => `**${literal(label)}**: ${inlineMarkdown(value)}`);
      return textDisplay(fitLines(facts, budget, reserve), budget);
    }
    case 'spoiler': {
      const label = `**${literal(shorten(block.label, 200))}**`;
      budget.takeText(label.length + 1);
      const hidden = spoilerMarkdown(block.hidden).split('\n');
      return textDisplay(`${label}\n${fitLines(hidden, budget, reserve)}`.trim(), budget);
    }
    case 'note':
      return textDisplay(fitLines([`-# ${lineMarkdown(block.line)}`], budget, 0), budget);
    case 'buttons':
      return buttonRows(block.buttons, making);
    case 'picture':
      return picture(block, making);
    case 'file':
      return file(block, making);
  }
}

function textDisplay(content: string, budget: Budget): APIComponentInContainer[] {
  if (content.trim() === '' || !budget.takeComponents(1)) return [];
  return [{ type: ComponentType.TextDisplay, content }];
}

async function buttonRows(
  buttons: readonly Button[],
  { pictureSource, budget, packed }: Making,
): Promise<APIComponentInContainer[]> {
  const made: APIButtonComponent[] = [];
  for (const { label, action, look } of buttons) {
    const custom_id = await pictureSource.pack(action);
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

const STYLES = {
  primary: ButtonStyle.Primary,
  plain: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const;

async function picture(
  { picture, alt, spoiler = false }: Block & { kind: 'picture' },
  { pictureSource, budget, files }: Making,
): Promise<APIComponentInContainer[]> {
  const description = shorten(alt, LIMITS.altText);
  if (files.length >= LIMITS.files || !budget.takeComponents(1)) return [];
  const name = `board-${files.length + 1}.png`;
  const data = await pictureSource.pictures.png(picture);
  files.push({
    file: { name, data, contentType: 'image/png' },
    alt: description,
    isSpoiler: spoiler,
    isShown: true,
  });
  return [
    {
      type: ComponentType.MediaGallery,
      items: [{ media: { url: `attachment://${name}` }, description, ...(spoiler && { spoiler: true }) }],
    },
  ];
}

function file(
  { name, type, content }: Block & { kind: 'file' },
  { budget, files }: Making,
): APIComponentInContainer[] {
  if (files.length >= LIMITS.files || !budget.takeComponents(1)) return [];
  const safe = name.replace(/[^\w.-]/g, '_');
  files.push({ file: { name: safe, data: content, contentType: type }, isSpoiler: false, isShown: false });
  return [];
}
