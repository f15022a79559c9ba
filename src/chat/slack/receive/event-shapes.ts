import * as v from 'valibot';

/**
 * The parts of Slack's requests that this program and Bolt read without looking. Whatever else they hold may
 * change; without these parts they can't be processed.
 */
const Id = v.pipe(v.string(), v.maxLength(100));
const Text = v.pipe(v.string(), v.maxLength(50_000));
const Person = v.object({ id: Id });
const TEAM = { team: v.nullish(v.object({ id: Id })), is_enterprise_install: v.nullish(v.unknown()) };

const Command = v.object({
  command: Id,
  text: v.optional(Text),
  team_id: Id,
  user_id: Id,
  channel_id: Id,
  trigger_id: Id,
  response_url: Text,
});
const Container = v.looseObject({
  channel_id: v.nullish(Id),
  message_ts: v.nullish(Id),
  thread_ts: v.nullish(Id),
  is_ephemeral: v.nullish(v.boolean()),
});
const View = v.object({ id: Id, type: v.optional(Id), private_metadata: Text });
const Press = v.object({
  ...TEAM,
  user: Person,
  trigger_id: Id,
  container: Container,
  channel: v.nullish(Person),
  view: v.nullish(View),
  response_url: v.nullish(Text),
  response_urls: v.nullish(v.array(v.object({ response_url: Text }))),
  actions: v.pipe(
    v.array(v.object({ type: Id, action_id: Id, block_id: v.optional(Id), value: v.optional(v.unknown()) })),
    v.minLength(1),
    v.maxLength(25),
  ),
});
const Submission = v.object({
  ...TEAM,
  user: Person,
  response_urls: v.nullish(v.array(v.object({ response_url: Text }))),
  view: v.object({
    id: Id,
    callback_id: v.pipe(v.string(), v.maxLength(255)),
    private_metadata: Text,
    state: v.object({ values: v.record(v.string(), v.record(v.string(), v.looseObject({}))) }),
  }),
});

const Mention = v.object({
  user: v.nullish(Id),
  channel: Id,
  ts: Id,
  thread_ts: v.nullish(Id),
  text: Text,
});
const Message = v.variant('channel_type', [
  v.object({
    channel_type: v.literal('im'),
    channel: Id,
    user: v.optional(Id),
    text: v.optional(Text),
    thread_ts: v.optional(Id),
    ts: v.optional(Id),
  }),
  v.object({ channel_type: v.picklist(['channel', 'group', 'mpim', 'app_home']) }),
]);
const HomeOpened = v.object({ user: Id, channel: Id, tab: v.nullish(Id) });
const Revoked = v.object({ tokens: v.object({ bot: v.nullish(v.array(v.unknown())) }) });

const EVENTS: ReadonlyMap<unknown, v.GenericSchema> = new Map<unknown, v.GenericSchema>([
  ['app_mention', Mention],
  ['message', Message],
  ['app_home_opened', HomeOpened],
  ['tokens_revoked', Revoked],
  ['app_uninstalled', v.looseObject({})],
]);
const Callback = v.pipe(
  v.object({ team_id: Id, event_id: v.optional(Id), event: v.looseObject({ type: Id }) }),
  v.check(({ event }) => v.is(EVENTS.get(event.type) ?? v.never(), event)),
);

const BODIES: ReadonlyMap<unknown, v.GenericSchema> = new Map<unknown, v.GenericSchema>([
  ['event_callback', Callback],
  ['block_actions', Press],
  ['view_submission', Submission],
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
