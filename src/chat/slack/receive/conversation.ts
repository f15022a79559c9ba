import * as v from 'valibot';
import type { Asker, RequestChannel } from '../../../dispatch/contract.ts';
import type { ActionAsker } from '../../../reply/model/action.ts';
import type { Permission } from '../answer/managers.ts';
import { tenantOf } from '../install/workspaces.ts';

/** Who asked something, where, and how an answer reaches them. */
export interface Conversation {
  readonly team: string;
  readonly user: string;
  readonly channel: string;
  readonly thread?: string;
  /** The bot's own conversation with this person. */
  readonly direct: boolean;
  readonly answerBy: AnswerBy;
}

/** How an answer reaches the person who asked. */
export type AnswerBy =
  /**
   * By the response URL of a slash command (`on: 'nothing'`), or of a message whose button was pressed and that
   * everybody or only one person can see. It takes five answers within half an hour.
   */
  | { readonly kind: 'url'; readonly url: string; readonly on: MessageKind }
  /** In a modal that is open. */
  | { readonly kind: 'modal'; readonly view: string }
  /**
   * In a modal that is opened with the trigger of the press, because a home page has no room for answers; or on top
   * of the modal that is open.
   */
  | { readonly kind: 'trigger'; readonly trigger: string; readonly isOnTop?: boolean }
  /**
   * By posting, for mentions and private messages. `under`: the message under which everybody can read the
   * answer. Private answers can't go there: Slack shows them only in threads that exist already.
   */
  | { readonly kind: 'post'; readonly under?: string };

/** Who can see the message that a response URL belongs to; `nothing` after a slash command, which leaves no message. */
const MESSAGE_KINDS = ['nothing', 'public', 'private'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export function channelOf({ team, channel, thread, direct }: Conversation): RequestChannel {
  return { tenant: tenantOf(team), channel, ...(thread !== undefined && { thread }), direct };
}

/** Somebody of whom no right is known manages nothing. */
const NO_PERMISSION: Permission = { mayManage: false, announce: false };

export function askerOf(conversation: Conversation, permission = NO_PERMISSION): Asker {
  const { mayManage, announce } = permission;
  const who = { id: conversation.user, mayManage, managesOnlyHere: announce };
  return { door: 'slack', who, where: channelOf(conversation) };
}

export function actionAskerIn(conversation: Conversation): ActionAsker {
  const { tenant, channel } = channelOf(conversation);
  return { door: 'slack', person: conversation.user, channel: { tenant, channel } };
}

/**
 * A link, a channel or a person, as Slack writes them: with a label after the `|`. No part of it takes a `<`: one
 * that did would be tried again from each `<` of a text that is full of them, up to its end.
 */
const LABELLED = /<[^<|>]*\|([^<>]*)>/g;

/** Undoes Slack's escapes in what people type, and the curly quotes of their phones. */
export function readTyped(text: string): string {
  return text
    .replace(LABELLED, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .trim();
}

/** @example readMention('<@U7> hint step:count', 'U7') // 'hint step:count' */
export function readMention(text: string, botUser: string): string {
  return readTyped(text.replaceAll(new RegExp(`<@${botUser}(?:\\|[^<>]*)?>`, 'g'), ' '));
}

/** What a modal or a home page must remember of its conversation, as its `private_metadata`. */
const ViewMetadata = v.object({
  channel: v.string(),
  thread: v.exactOptional(v.string()),
  direct: v.boolean(),
  url: v.exactOptional(v.string()),
  on: v.exactOptional(v.picklist(MESSAGE_KINDS)),
  /** In a form: the action, packed, that its fields complete. In a game: the action that opens it. */
  packed: v.exactOptional(v.string()),
  /** In a game: the number of its input. */
  input: v.exactOptional(v.number()),
});
export type ViewMetadata = v.InferOutput<typeof ViewMetadata>;

export function makeMetadata(conversation: Omit<Conversation, 'team' | 'user'>, packed?: string): string {
  return formatMetadata(metadataOf(conversation, packed));
}

export function metadataOf(
  { channel, thread, direct, answerBy }: Omit<Conversation, 'team' | 'user'>,
  packed?: string,
): ViewMetadata {
  return {
    channel,
    direct,
    ...(thread !== undefined && { thread }),
    ...(answerBy.kind === 'url' && { url: answerBy.url, on: answerBy.on }),
    ...(packed !== undefined && { packed }),
  };
}

export function formatMetadata(metadata: ViewMetadata): string {
  return JSON.stringify(metadata);
}

/** Text of another form counts as that of a view which belongs to no channel. */
export function parseMetadata(text: string): ViewMetadata {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ViewMetadata), text);
  return parsed.success ? parsed.output : { channel: '', direct: true };
}
