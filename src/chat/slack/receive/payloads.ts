import * as v from 'valibot';

/**
 * What this program and Bolt read of Slack's requests. Bolt's types describe them, but nothing in it checks them.
 * The rest of a request may change; a request without these parts can't be processed.
 */
const Id = v.pipe(v.string(), v.maxLength(100));
const Text = v.pipe(v.string(), v.maxLength(50_000));
/** Seconds, with a fraction that tells messages of one second apart. */
const Timestamp = v.pipe(v.string(), v.regex(/^\d{1,12}\.\d{1,9}$/));
const Person = v.object({ id: Id });
const TEAM = { team: v.nullish(v.object({ id: Id })), is_enterprise_install: v.nullish(v.unknown()) };

export const Command = v.object({
  command: Id,
  text: v.optional(Text, ''),
  team_id: Id,
  user_id: Id,
  channel_id: Id,
  trigger_id: Id,
  response_url: Text,
});

const VIEW = { id: Id, private_metadata: Text, hash: v.optional(Id) };
/** What is read of a view, whatever came from it. */
export type View = {
  readonly id: string;
  readonly private_metadata: string;
  readonly hash?: string | undefined;
};
const PRESS = {
  ...TEAM,
  user: Person,
  trigger_id: Id,
  channel: v.nullish(Person),
  /** Bolt reads the first: people press one thing at a time. */
  actions: v.pipe(
    v.array(
      v.object({
        type: Id,
        action_id: v.pipe(v.string(), v.maxLength(255)),
        block_id: v.optional(v.pipe(v.string(), v.maxLength(255))),
        action_ts: v.optional(Id),
        value: v.nullish(Text),
        selected_option: v.nullish(v.object({ value: Text })),
      }),
    ),
    v.minLength(1),
    v.maxLength(25),
  ),
};
/** The press of a button in a modal, on a home page, or on a message. */
export const Press = v.union([
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

export const Submission = v.object({
  ...TEAM,
  user: Person,
  response_urls: v.nullish(v.array(v.object({ response_url: Text }))),
  view: v.object({
    ...VIEW,
    callback_id: v.pipe(v.string(), v.maxLength(255)),
    state: v.object({
      values: v.record(v.string(), v.record(v.string(), v.object({ value: v.nullish(Text) }))),
    }),
  }),
});
export type Submission = v.InferOutput<typeof Submission>;

/** A shortcut that was chosen on a message. Messages of apps may name no user. */
export const MessageShortcut = v.object({
  ...TEAM,
  type: v.literal('message_action'),
  callback_id: v.pipe(v.string(), v.maxLength(255)),
  user: Person,
  channel: Person,
  trigger_id: Id,
  response_url: Text,
  message: v.object({
    ts: Timestamp,
    user: v.nullish(Id),
    text: v.nullish(Text, ''),
    thread_ts: v.nullish(Id),
    edited: v.nullish(v.object({ ts: Timestamp })),
  }),
});

export const Mention = v.object({
  user: v.nullish(Id),
  channel: Id,
  ts: Id,
  thread_ts: v.nullish(Id),
  text: Text,
});
/** What a person writes to the bot, and what else happens in that conversation, where no user may be named. */
export const Message = v.variant('channel_type', [
  v.object({
    channel_type: v.literal('im'),
    channel: Id,
    user: v.optional(Id),
    subtype: v.optional(v.unknown()),
    bot_id: v.optional(v.unknown()),
    // A message may be a picture alone.
    text: v.optional(Text, ''),
    thread_ts: v.optional(Id),
  }),
  v.object({ channel_type: v.picklist(['channel', 'group', 'mpim', 'app_home']) }),
]);
export const HomeOpened = v.object({ user: Id, channel: Id, tab: v.nullish(Id) });
export const TokensRevoked = v.object({ tokens: v.object({ bot: v.nullish(v.array(v.unknown()), []) }) });
/** An organization took the app from some of its workspaces. */
export const TeamAccessRevoked = v.object({ team_ids: v.pipe(v.array(Id), v.maxLength(1_000)) });

const EVENTS: ReadonlyMap<unknown, v.GenericSchema> = new Map<unknown, v.GenericSchema>([
  ['app_mention', Mention],
  ['message', Message],
  ['app_home_opened', HomeOpened],
  ['tokens_revoked', TokensRevoked],
  ['app_uninstalled', v.looseObject({})],
  ['team_access_revoked', TeamAccessRevoked],
]);
const Callback = v.pipe(
  v.object({ team_id: Id, event_id: v.optional(Id), event: v.looseObject({ type: Id }) }),
  v.check(({ event }) => v.is(EVENTS.get(event.type) ?? v.never(), event)),
);

const BODIES: ReadonlyMap<unknown, v.GenericSchema> = new Map<unknown, v.GenericSchema>([
  ['event_callback', Callback],
  ['block_actions', Press],
  ['view_submission', Submission],
  ['message_action', MessageShortcut],
]);

/** Whether a request is of a kind that is listened to, and has what is read of it. */
export function isWellFormed(body: unknown): boolean {
  if (!v.is(v.looseObject({}), body)) return false;
  if ('command' in body && body.type === undefined) return v.is(Command, body);
  return v.is(BODIES.get(body.type) ?? v.never(), body);
}

/** The kind of a request, for the log. */
export function kindOf(body: unknown): string {
  const named = v.safeParse(v.object({ type: v.fallback(Id, 'command') }), body);
  return named.success ? named.output.type : 'nothing';
}
