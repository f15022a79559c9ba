import type { Context } from '@slack/bolt';
import * as v from 'valibot';
import { makeTenant } from '../../core/channel-ref.ts';
import type { Asker } from '../../dispatch/contract.ts';

/**
 * The parts of Slack's requests that this program reads, besides those of Bolt's `context`. Bolt's types describe them, but
 * nothing in Bolt checks them. The rest of a request may change; a request without these parts can't be processed.
 */
const Id = v.pipe(v.string(), v.maxLength(100));
const Name = v.pipe(v.string(), v.maxLength(255));
const Text = v.pipe(v.string(), v.maxLength(50_000));
/** Seconds, with a fraction that tells messages of one second apart. */
const Timestamp = v.pipe(v.string(), v.regex(/^\d{1,12}\.\d{1,9}$/));
export const WithId = v.object({ id: Id });

const Command = v.object({
  text: v.optional(Text, ''),
  user_id: Id,
  channel_id: Id,
  trigger_id: Id,
  response_url: Text,
});

/** Who can see the message that a response URL belongs to; a slash command leaves no message. */
const MESSAGE_KINDS = ['no message', 'public message', 'private message'] as const;
type MessageKind = (typeof MESSAGE_KINDS)[number];

const ViewMetadata = v.object({
  team: v.optional(v.string()),
  channel: v.string(),
  thread: v.optional(v.string()),
  direct: v.boolean(),
  /** The response URL for a form's answer, if the form was opened from a command or a message and not from a modal. */
  answerBy: v.optional(
    v.object({ kind: v.literal('url'), url: v.string(), from: v.picklist(MESSAGE_KINDS) }),
  ),
  packed: v.optional(v.string(), ''),
});
const NOWHERE = { channel: '', direct: true, packed: '' };
const VIEW = {
  id: Id,
  /** Other texts count as the metadata of a view that belongs to no channel. */
  private_metadata: v.fallback(v.pipe(Text, v.parseJson(), ViewMetadata), NOWHERE),
};
export const InView = v.object({ view: v.object(VIEW) });
const PRESS = {
  user: WithId,
  trigger_id: Id,
  /** The first counts: people press one thing at a time. */
  actions: v.looseTuple([
    v.object({
      action_id: Name,
      value: v.nullish(Text),
      selected_option: v.nullish(v.object({ value: Text })),
    }),
  ]),
};
const Press = v.union([
  v.object({ ...PRESS, view: v.object({ ...VIEW, type: Id }) }),
  v.object({
    ...PRESS,
    view: v.nullish(v.null()),
    container: v.object({
      channel_id: Id,
      message_ts: Id,
      thread_ts: v.nullish(Id),
      is_ephemeral: v.nullish(v.boolean(), false),
    }),
    response_url: Text,
  }),
]);
export type Press = v.InferOutput<typeof Press>;

/** What is read of a file that somebody uploaded. One from another company comes with its id alone, and `file_access`. */
export const File = v.object({
  id: v.optional(Id, ''),
  file_access: v.optional(Text),
  mimetype: v.optional(Text, ''),
  url_private: v.optional(Text),
});
const Files = v.fallback(v.array(File), []);
export type Files = v.InferOutput<typeof Files>;

const ImageBlock = v.object({ slack_file: v.object({ id: Id }) });
/** The files that blocks show, as those of the bot's own messages, by their ids alone. */
const ShownFiles = v.fallback(
  v.pipe(
    v.array(v.unknown()),
    v.transform((blocks) =>
      blocks
        .filter((block) => v.is(ImageBlock, block))
        .map(({ slack_file: { id } }) => ({ id, file_access: 'check_file_info', mimetype: '' })),
    ),
  ),
  [],
);

export const isPicture = ({ mimetype }: Files[number]) => mimetype.startsWith('image/');

const Submission = v.object({
  user: WithId,
  view: v.object({
    ...VIEW,
    state: v.object({
      values: v.record(v.string(), v.record(v.string(), v.object({ value: v.nullish(Text), files: Files }))),
    }),
  }),
});
export type Submission = v.InferOutput<typeof Submission>;

/** A shortcut that was chosen on a message. Messages of apps may name no user. */
const MessageShortcut = v.object({
  callback_id: Name,
  user: WithId,
  channel: WithId,
  response_url: Text,
  message: v.object({
    ts: Timestamp,
    user: v.nullish(Id),
    text: v.nullish(Text, ''),
    thread_ts: v.nullish(Id),
    edited: v.nullish(v.object({ ts: Timestamp })),
    files: Files,
    blocks: ShownFiles,
  }),
});
export type MessageShortcut = v.InferOutput<typeof MessageShortcut>;

/** A message or another event in the bot's conversation with a person. It may name no user. */
const Message = v.object({
  channel_type: v.literal('im'),
  channel: Id,
  user: v.optional(Id),
  subtype: v.optional(v.unknown()),
  bot_id: v.optional(v.unknown()),
  // A message may be a picture alone.
  text: v.optional(Text, ''),
  files: Files,
  thread_ts: v.optional(Id),
});

/** The envelope of an event. Slack may send an event again, under the same id. */
function callback<Event extends v.GenericSchema>(event: Event) {
  return v.object({ event_id: v.optional(Id), event });
}

const SCHEMAS = {
  command: Command,
  block_actions: Press,
  view_submission: Submission,
  message_action: MessageShortcut,
  app_mention: callback(
    v.object({
      user: v.nullish(Id),
      bot_id: v.optional(v.unknown()),
      channel: Id,
      ts: Id,
      edited: v.fallback(v.nullish(v.object({ ts: Timestamp })), undefined),
      thread_ts: v.nullish(Id),
      text: Text,
    }),
  ),
  message: callback(Message),
  app_home_opened: callback(v.object({ user: Id, channel: Id, tab: v.nullish(Id) })),
  tokens_revoked: callback(v.object({})),
  app_uninstalled: callback(v.object({})),
};

/** Something that Slack sent, by its kind: a request of a person, or an event. */
export type SlackEvent = {
  readonly [Kind in keyof typeof SCHEMAS]: {
    readonly kind: Kind;
    readonly body: v.InferOutput<(typeof SCHEMAS)[Kind]>;
  };
}[keyof typeof SCHEMAS];

/** Undefined if we don't listen to its kind, or if a part that we read is missing. */
export function parseEvent(body: unknown): SlackEvent | undefined {
  const kind = kindOf(body);
  const schemas: Readonly<Record<string, v.GenericSchema>> = SCHEMAS;
  const schema = Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
  const parsed = schema && v.safeParse(schema, body);
  return parsed?.success ? ({ kind, body: parsed.output } as SlackEvent) : undefined;
}

const Named = v.object({
  type: v.fallback(Id, 'command'),
  event: v.fallback(v.optional(v.object({ type: Id })), undefined),
});

/** Slack's type of an event or request; commands have none. */
export function kindOf(body: unknown): string {
  const named = v.safeParse(Named, body);
  return named.success ? (named.output.event?.type ?? named.output.type) : 'nothing';
}

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
type AnswerBy =
  /**
   * The response URL of a slash command (`from: 'no message'`), or of a message whose button was pressed. It takes five answers
   * within half an hour.
   */
  | { readonly kind: 'url'; readonly url: string; readonly from: MessageKind }
  /** A modal that is open. */
  | { readonly kind: 'modal'; readonly view: string }
  /** A modal that is opened with the trigger of the press, because a home page has no room for answers. */
  | { readonly kind: 'trigger'; readonly trigger: string }
  /**
   * A post, for mentions and private messages. `under`: the message under which the answer is posted for everybody.
   * Private answers can't go there: Slack shows them only in existing threads.
   */
  | { readonly kind: 'post'; readonly under?: string };

/**
 * The workspace of a request by its id. The installation of an organization counts as one workspace with all its channels:
 * buttons name no other, and a channel may be in several.
 */
export function teamIn({
  teamId,
  enterpriseId,
  isEnterpriseInstall,
}: Pick<Context, 'teamId' | 'enterpriseId' | 'isEnterpriseInstall'>): string {
  return (isEnterpriseInstall ? undefined : teamId) ?? enterpriseId ?? '';
}

export function tenantOf(team: string): string {
  return makeTenant('slack', team);
}

export function teamOf(tenant: string): string {
  return tenant.replace(/^slack:/, '');
}

/** A person without known rights manages nothing. */
export function askerOf(
  { team, user, channel, thread, direct, answerBy }: Origin,
  permission: Omit<Asker['who'], 'id'> = { mayManage: false },
): Asker {
  const where = { tenant: tenantOf(team), channel, thread, direct };
  // A mention in a channel.
  const isPublicLine = answerBy.kind === 'post' && !direct;
  return { door: 'slack', who: { id: user, ...permission }, where, ...(isPublicLine && { isPublicLine }) };
}

/** The `private_metadata` of a view: where it was opened, and the packed action that the fields of a form complete. */
export function metadataOf({ team, channel, thread, direct, answerBy: by }: Origin, packed?: string): string {
  const answerBy = by.kind === 'url' ? by : undefined;
  return JSON.stringify({ team, channel, direct, thread, answerBy, packed } satisfies v.InferInput<
    typeof ViewMetadata
  >);
}
