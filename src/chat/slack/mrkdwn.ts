import type { types } from '@slack/bolt';
import { shorten } from '../../core/text.ts';
import { piecesOf } from '../../reply/model/text.ts';
import type { Inline, Line } from '../../reply/model/types.ts';

export const SLASH_COMMAND = '/letterboxed';
/** People type this in threads, where Slack has no slash commands. */
const MENTION = '@letterboxed';

/** Where the text will be shown, for markup that depends on it. */
export interface Surroundings {
  readonly inThread: boolean;
  /** Whether it is the bot's own conversation with a person, where commands are typed alone. */
  readonly direct?: boolean;
  /** The names of people, by their ids; the others are mentioned. */
  readonly names?: ReadonlyMap<string, string>;
  /** False in a new message, where a mention would notify the person. An edit adds mentions that notify nobody. */
  readonly mayMention?: boolean;
}

/** A space of no width. For Slack it ends a word or the name of an emoji. */
const ZERO_WIDTH_SPACE = '\u200b';
/** Slack's markup can't be escaped, so its signs at the edge of a word are replaced by look-alikes. */
const MARKUP_SIGNS = /(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu;
const LOOKALIKES: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' };
const EMOJI_START = /:(?=[\w+'-]+:)/g;
const QUOTE = /^&gt;/gm;

/** Escapes Slack's three special characters, without which there can be no mention and no link. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Text that Slack shows as it is, whatever it holds.
 *
 * @example literal('a_b *c* <@U1>') // 'a_b ∗c∗ &lt;@U1&gt;'
 */
export function literal(text: string): string {
  return escapeText(text)
    .replace(MARKUP_SIGNS, (sign) => LOOKALIKES[sign]!)
    .replace(EMOJI_START, `:${ZERO_WIDTH_SPACE}`)
    .replace(QUOTE, `${ZERO_WIDTH_SPACE}&gt;`);
}

/** A line as Slack's markup, cut to a number of characters. */
export function lineMarkup(line: Line, around: Surroundings, most: number): string {
  const pieces = piecesOf(line);
  let made = '';
  for (const [index, piece] of pieces.entries()) {
    // Every piece but the last leaves room for the `…`.
    const room = most - made.length - (index < pieces.length - 1 ? 1 : 0);
    const next = separated(made, inlineMarkup(piece, around));
    if (next.length <= room) made += next;
    // Besides the `…`, there may be a space of no width before what is cut.
    else return `${made}${separated(made, cut(piece, Math.max(0, most - made.length - 2)))}…`;
  }
  return made;
}

/** Joins lines into as few texts as their length allows. */
export function packLines(lines: readonly Line[], around: Surroundings, most: number): string[] {
  const packed: string[] = [];
  for (const line of lines) {
    const text = lineMarkup(line, around, most);
    const last = packed.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= most)
      packed[packed.length - 1] = `${last}\n${text}`;
    else packed.push(text);
  }
  return packed.filter((text) => text.trim() !== '');
}

export function inlineMarkup(
  piece: Inline,
  { inThread, direct = false, names, mayMention = true }: Surroundings,
): string {
  if (typeof piece === 'string') return literal(piece);
  if ('bold' in piece) return boldMarkup(piece.bold);
  if ('code' in piece) return codeMarkup(piece.code);
  if ('moment' in piece) return momentMarkup(piece.moment, piece.style);
  if ('link' in piece)
    return `<${escapeText(new URL(piece.link).href).replaceAll('|', '%7C')}|${literal(piece.label)}>`;
  if ('person' in piece) {
    const name = names?.get(piece.person);
    if (name !== undefined) return literal(name);
    return mayMention ? `<@${piece.person.replace(/\W/g, '')}>` : UNKNOWN_PERSON;
  }
  if ('channel' in piece) return `<#${piece.channel.replace(/\W/g, '')}>`;
  if (direct) return codeMarkup(piece.command);
  return codeMarkup(`${inThread ? MENTION : SLASH_COMMAND} ${piece.command}`);
}

/** Slack ends bold text only beside spaces and punctuation, never starts it with a space, and ends it with its line. */
function boldMarkup(text: string): string {
  const inner = literal(text.trim());
  return inner === '' ? '' : `*${inner.replaceAll('\n', '*\n*')}*`;
}

/** A backtick, which ends the code, is the only markup within code. */
export function codeMarkup(text: string): string {
  const inner = escapeText(text.replaceAll('`', 'ˋ').replaceAll('\n', ' ')).trim();
  return inner === '' ? '' : `\`${inner}\``;
}

const DATE_FORMATS = {
  // Slack's own {ago} is only for the past; "tomorrow at 9:00" reads well for past and future.
  relative: '{date_short_pretty} at {time}',
  date: '{date_short_pretty}',
  time: '{time}',
  full: '{date_short_pretty} {time}',
  weekday: '{date_long_pretty} at {time}',
} as const;

/** A moment in the reader's own time zone, and in UTC for programs that can't show that. */
function momentMarkup(moment: number, style: keyof typeof DATE_FORMATS): string {
  const fallback = `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${Math.floor(moment / 1000)}^${DATE_FORMATS[style]}|${fallback}>`;
}

/** Separates markup from letters right before or after it, which would disable it. */
function separated(before: string, next: string): string {
  const touches = /[\p{L}\p{N}]$/u.test(before) && /^[*`]/.test(next);
  const touched = /[*`]$/.test(before) && /^[\p{L}\p{N}]/u.test(next);
  return touches || touched ? ZERO_WIDTH_SPACE + next : next;
}

/** The start of a text, whole characters and escapes only. Other pieces are left out. */
function cut(piece: Inline, most: number): string {
  const text = typeof piece === 'string' ? piece : 'bold' in piece ? piece.bold : '';
  return literal(text)
    .slice(0, most)
    .replace(/(?:&\w*|[\ud800-\udbff])$/, '');
}

/** Replaces a person whose name is not known where they may not be mentioned. */
export const UNKNOWN_PERSON = 'someone';

/** Slack's limits in characters and counts, from its reference. A text that is too long is shortened, never rejected. */
export const LIMITS = {
  messageBlocks: 50,
  viewBlocks: 100,
  sectionText: 3000,
  headerText: 150,
  contextText: 3000,
  containerBlocks: 10,
  containerTitle: 150,
  actionsButtons: 25,
  buttonText: 75,
  menuChoices: 100,
  menuText: 75,
  menuPlaceholder: 150,
  altText: 2000,
  modalTitle: 24,
  modalButton: 24,
  inputLabel: 2000,
  inputHint: 2000,
  inputPlaceholder: 150,
  /** Not documented; 300 characters are still legible below a field. */
  inputError: 300,
  inputValue: 3000,
  /** Rows including the heading. A data table takes 101. */
  tableRows: 100,
  tableCaption: 150,
  tableText: 200,
  /** The text besides the blocks, which notifications show. This is the limit of `chat.update`. */
  messageText: 4000,
} as const;

/** A plain text object, which must hold at least one character. */
export function plainTextObject(text: string, most: number): types.PlainTextElement {
  return { type: 'plain_text', text: shorten(text.trim() === '' ? '–' : text, most), emoji: false };
}

/**
 * A link, a channel or a person with a label, as Slack writes them. No part of it matches a `<`, or a text full of them
 * would take quadratic time.
 */
const LABELLED = /<[^<|>]*\|([^<>]*)>/g;

/** A user group keeps its id: its label can't be resolved to an id later. */
const GROUP = /<(!subteam\^\w+)\|[^<>]*>/g;
/** So does a person in the options `ping` and `with`; elsewhere, the label takes the place of a person. */
const PERSON_OPTION = /(\b(?:ping|with)[:=\s]\s*["“”„]?)<(@\w+)\|[^<>]*>/gi;
/** A link without a label. */
const LINK = /<(https?:\/\/[^<>|]*)>/g;

/** Code, and words that are bold, slanted or struck: the bot prints its commands as code, and people copy them. */
const CODE = /`/g;
const STYLED = /(?<!\S)([*_~])([^\s*_~](?:[^*_~]*[^\s*_~])?)\1(?!\S)/g;

/** Undoes Slack's escapes and formatting in what people type, and the curly quotes of their phones. */
export function readTyped(text: string): string {
  return readMessageText(text).replace(CODE, ' ').replace(STYLED, '$2').trim();
}

/** Undoes Slack's escapes in a message to others. Its styles stay: code marks a result, and what is struck out is none. */
export function readMessageText(text: string): string {
  return text
    .replace(PERSON_OPTION, '$1<$2>')
    .replace(GROUP, '<$1>')
    .replace(LABELLED, '$1')
    .replace(LINK, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'");
}

/** @example readMention('<@U7> hint step:count', 'U7') // 'hint step:count' */
export function readMention(text: string, botUser: string): string {
  return readTyped(text.replaceAll(new RegExp(`<@${botUser}(?:\\|[^<>]*)?>`, 'g'), ' '));
}
