import * as v from 'valibot';
import { makeTenant } from '../../core/channel-ref.ts';
import type { Asker, RequestChannel } from '../../dispatch/contract.ts';
import type { ActionAsker } from '../../reply/model/action.ts';

/** The person who asked something, where they asked, and how an answer reaches them. */
export interface Origin {
  readonly team: string;
  readonly user: string;
  readonly channel: string;
  readonly thread?: string | undefined;
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
type MessageKind = (typeof MESSAGE_KINDS)[number];

export function tenantOf(team: string): string {
  return makeTenant('slack', team);
}

export function teamOf(tenant: string): string {
  return tenant.replace(/^slack:/, '');
}

export function channelOf({ team, channel, thread, direct }: Origin): RequestChannel {
  return { tenant: tenantOf(team), channel, thread, direct };
}

/** A person without known rights manages nothing. */
const NO_PERMISSION = { mayManage: false, announce: false };

export function askerOf(origin: Origin, { mayManage, announce } = NO_PERMISSION): Asker {
  const who = { id: origin.user, mayManage, managesOnlyHere: announce };
  return { door: 'slack', who, where: channelOf(origin) };
}

export function actionAskerIn({ team, channel, user }: Origin): ActionAsker {
  return { door: 'slack', person: user, channel: { tenant: tenantOf(team), channel } };
}

/** The origin of a modal or a home page, which it keeps as its `private_metadata`. */
const ViewMetadata = v.object({
  channel: v.string(),
  thread: v.optional(v.string()),
  direct: v.boolean(),
  url: v.optional(v.string()),
  on: v.optional(v.picklist(MESSAGE_KINDS)),
  /** In a form: the action, packed, that its fields complete. In a game: the action that opens it. */
  packed: v.optional(v.string()),
  /** In a game: the number of its input. */
  input: v.optional(v.number()),
});
export type ViewMetadata = v.InferOutput<typeof ViewMetadata>;

export function metadataOf(
  { channel, thread, direct, answerBy }: Omit<Origin, 'team' | 'user'>,
  packed?: string,
): ViewMetadata {
  const { url, on } = answerBy.kind === 'url' ? answerBy : {};
  return { channel, direct, thread, url, on, packed };
}

/** Text of another form counts as that of a view which belongs to no channel. */
export function parseMetadata(text: string): ViewMetadata {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ViewMetadata), text);
  return parsed.success ? parsed.output : { channel: '', direct: true };
}
