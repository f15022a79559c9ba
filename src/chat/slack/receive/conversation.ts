import type { RequestChannel } from '../../../dispatch/contract.ts';
import { tenantOf } from '../install/workspaces.ts';

/** Somebody asked something somewhere, and this is how an answer reaches them. */
export interface Conversation {
  readonly team: string;
  readonly user: string;
  readonly channel: string;
  readonly thread?: string;
  /** The bot's own conversation with them. */
  readonly direct: boolean;
  readonly reach: Reach;
}

export type Reach =
  /** Of a slash command, or of a message whose button was pressed; five answers within half an hour. */
  | { readonly kind: 'url'; readonly url: string; readonly on: 'nothing' | 'public' | 'private' }
  /** A modal that is open. */
  | { readonly kind: 'modal'; readonly view: string }
  /** Home pages have no room for answers: a modal must be opened, with the trigger of the press. */
  | { readonly kind: 'trigger'; readonly trigger: string }
  /**
   * Mentions and private messages are answered by posting. `under`: the message that all can read the answer
   * to; Slack shows private ones only in threads that are there already.
   */
  | { readonly kind: 'post'; readonly under?: string };

export function placeOf({ team, channel, thread, direct }: Conversation): RequestChannel {
  return { tenant: tenantOf(team), channel, ...(thread !== undefined && { thread }), direct };
}

/** What a modal must remember of the conversation it belongs to, as its private metadata. */
export interface Memo {
  readonly channel: string;
  readonly thread?: string;
  readonly direct: boolean;
  readonly url?: string;
  readonly on?: 'nothing' | 'public' | 'private';
  /** Of a form: the action, packed, that its fields complete. */
  readonly packed?: string;
}

export function makeMemo({ channel, thread, direct, reach }: Conversation, packed?: string): string {
  const memo: Memo = {
    channel,
    direct,
    ...(thread !== undefined && { thread }),
    ...(reach.kind === 'url' && { url: reach.url, on: reach.on }),
    ...(packed !== undefined && { packed }),
  };
  return JSON.stringify(memo);
}

export function parseMemo(text: string): Memo {
  try {
    return JSON.parse(text) as Memo;
  } catch {
    return { channel: '', direct: true };
  }
}

/** Slack's own escapes in what people type, and the quotes their phones turn into curly ones. */
export function readTyped(text: string): string {
  return text
    .replace(/<(?:https?:\/\/)?[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .trim();
}

/** @example readMention('<@U7> hint step:count', 'U7') // 'hint step:count' */
export function readMention(text: string, botUser: string): string {
  return readTyped(text.replaceAll(new RegExp(`<@${botUser}(?:\\|[^>]*)?>`, 'g'), ' '));
}
