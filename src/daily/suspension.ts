import { type ChannelRef, doorOf } from '../core/channel-ref.ts';
import { HOUR, type PuzzleDate } from '../core/clock.ts';
import { type Log, logFault } from '../core/log.ts';
import { listed, longDate } from '../core/text.ts';
import type { App, Asker } from '../dispatch/contract.ts';
import { type MissingRequirement, type Poster, PostFailure } from '../dispatch/poster.ts';
import { dateAt, spanOf } from '../puzzle/calendar.ts';
import type { PuzzleService } from '../puzzle/service.ts';
import { textBlock, toAsker } from '../reply/model/text.ts';
import type { Line, Reply } from '../reply/model/types.ts';
import type { Reason } from '../store/schema.ts';
import type { Subscription } from '../store/tables/subscriptions.ts';
import type { Attempt, DatedHandler, DeliveryHandler, Ending, PostTools } from './delivery/deliver.ts';
import { goesOnAt } from './plan/todo.ts';
import { type DailySettings, parseStored } from './settings/settings.ts';

/**
 * A reason as half a sentence, for people who manage a channel and for operators.
 *
 * @example describeReason({ code: 'missing-requirements', requirements: ['Send Messages'] }) // 'it lacks Send Messages'
 */
export function describeReason(reason: Reason): string {
  if ('message' in reason) return reason.message;
  switch (reason.code) {
    case 'missing-requirements':
      return `it lacks ${listed(reason.requirements)}`;
    case 'puzzle-over':
      return reason.last === undefined ? PUZZLE_OVER : `${PUZZLE_OVER}: ${describeReason(reason.last)}`;
    case 'other':
      return reason.text;
    default:
      return REASON_TEXTS[reason.code];
  }
}

const PUZZLE_OVER = 'its puzzle was over before it could be posted';
const REASON_TEXTS = {
  'board-gone': 'the board was removed',
  'game-over': 'the game had ended already',
  paused: 'the place was paused',
  suspended: 'the place could not be posted to',
  'switched-off': 'the daily thread was switched off here',
  'settings-changed': 'the settings were changed after its time',
  'solution-told': 'the solution was out before it',
  'thread-too-old': 'the thread is long over',
  'skipped-by-operator': 'the operator skipped it',
  'newspaper-late': 'the newspaper has no board yet',
  unexpected: 'something unexpected went wrong',
  'outcome-unknown': 'the outcome of the last attempt is not known',
  solved: 'the person has solved the board',
  ignored: 'the person did not play after the reminders before',
  undeliverable: 'the person takes no messages of the bot',
} as const;

/** The notice to the manager of a channel that refuses the bot's messages. */
export function suspensionNotice(
  { channel }: Pick<ChannelRef, 'channel'>,
  reason: Reason,
  missing: readonly MissingRequirement[],
): Reply {
  const lines: Line[] = [
    ...(missing.length === 0
      ? [['I couldn’t post in ', { channel }, `: ${causeOf(reason)}.`]]
      : [
          ['I can’t post in ', { channel }, ' yet. I still need:'],
          ...missing.map(({ what, how }): Line => [{ bold: what }, `: ${how}`]),
        ]),
    [
      missing.length === 0
        ? 'I try again with the next day’s thread. Once that has changed, type '
        : 'I post nothing there until that changes. Once it has, type ',
      { command: 'daily on' },
      ' there, and I post today’s thread if its puzzle is still on.',
    ],
  ];
  return toAsker('The daily Letter Boxed thread has stopped in a channel you manage', textBlock(lines));
}

/** The reason as the bot itself tells it, without a period at its end, since doors give it with or without one. */
export function causeOf(reason: Reason, need = 'I still need'): string {
  return reason.code === 'missing-requirements'
    ? `${need} ${listed(reason.requirements)}`
    : describeReason(reason).replace(/\.+$/, '');
}

/** What switches on the house's boards in a channel that lacks a board; undefined if the operator allows only typed boards. */
export function houseCommand(
  { source }: Pick<DailySettings, 'source'>,
  puzzles: Pick<PuzzleService, 'allowed'>,
): string | undefined {
  if (puzzles.allowed(source) === 'newspaper') return 'daily otherwise:house';
  return puzzles.allowed('house') === 'house' ? 'daily source:house' : undefined;
}

/** The notice to the manager of a channel whose settings don't allow another board instead of the newspaper's. */
export function noBoardNotice(
  { channel }: Pick<ChannelRef, 'channel'>,
  date: PuzzleDate,
  reason: string,
  house: string | undefined,
): Reply {
  const lines: Line[] = [
    ['This is about ', { channel }, `. ${reason}`],
    ['To type the board yourself, type there: ', { command: 'set ozu nri lfa mbt' }],
    ...(house === undefined
      ? []
      : [['To get the house board on such days, type there: ', { command: house }]]),
  ];
  return toAsker(`No Letter Boxed thread yet for ${longDate(date)}`, textBlock(lines));
}

/** Milliseconds until the next look at a channel that is held back until somebody does something. */
const HELD_RECHECK_MS = HOUR;

/**
 * A channel's settings for an addition to its day, such as a hunt's card. While its thread is paused or off, such additions are
 * neither posted nor changed: then the ending that looks again later.
 */
export async function settingsUnlessHeld(
  { tools }: Attempt,
  { tenant, channel }: ChannelRef,
): Promise<DailySettings | Extract<Ending, { end: 'moved' }>> {
  const now = tools.now();
  const subscription = await tools.store.tenant(tenant).subscriptions.get(channel);
  const until = subscription === undefined ? Number.POSITIVE_INFINITY : goesOnAt(subscription, now);
  if (until > now) return { end: 'moved', to: Math.min(until, now + HELD_RECHECK_MS) };
  return parseStored(subscription?.settings);
}

export function unlessHeld({ post }: DatedHandler): DeliveryHandler {
  return async (attempt) => {
    const settings = await settingsUnlessHeld(attempt, attempt.claimed.lease);
    return 'end' in settings ? settings : post(attempt, settings);
  };
}

/** What is missing to post in a channel. If that can't be looked up, it is what `otherwise` says. */
export async function askMissing(
  log: Log,
  poster: Pick<Poster, 'missingRequirements'> | undefined,
  channel: ChannelRef,
  otherwise: () => readonly MissingRequirement[] = () => [],
): Promise<readonly MissingRequirement[]> {
  try {
    return (await poster?.missingRequirements(channel)) ?? [];
  } catch (error) {
    const fields = { ...channel, error: String(error) };
    log.warn(fields, 'the missing requirements of a channel could not be read');
    return otherwise();
  }
}

/** A channel that refused a post. */
interface Refusing {
  readonly tools: Pick<PostTools, 'store' | 'log' | 'now'>;
  readonly poster: Poster;
  readonly channel: ChannelRef;
  /** As it was read before the post. */
  readonly subscription: Pick<Subscription, 'state' | 'until'>;
}

/**
 * Stops posting in a channel; where no requirement is known to be missing, only until the next puzzle. Its manager is notified
 * again only for another reason or after a post. Does nothing if people have switched it off or paused it since it was read.
 *
 * @param message the refusal, for where no requirement is known to be missing
 * @returns why nothing can be posted there
 */
export async function suspend(
  { tools, poster, channel, subscription: read }: Refusing,
  missing: readonly MissingRequirement[],
  message = '',
): Promise<Reason> {
  const reason: Reason =
    missing.length > 0
      ? { code: 'missing-requirements', requirements: missing.map(({ what }) => what) }
      : { code: 'refused', message };
  const { subscriptions } = tools.store.tenant(channel.tenant);
  const until = missing.length > 0 ? undefined : spanOf(dateAt(tools.now())).to;
  const change = { state: 'suspended', reason, until } as const;
  if (!(await subscriptions.setState(channel.channel, change, read))) return reason;
  tools.log.warn(
    { ...channel, reason: describeReason(reason) },
    until === undefined
      ? 'the channel refuses posts: it is suspended until that changes'
      : 'the channel refuses posts, although nothing is missing: it is suspended until the next puzzle',
  );
  if (!(await subscriptions.claimNotice(channel.channel, tools.now()))) return reason;
  const person = (await subscriptions.get(channel.channel))?.setBy ?? null;
  const notice = suspensionNotice(channel, reason, missing);
  if (person !== null) await notifyQuietly(tools.log, poster, channel, person, notice);
  return reason;
}

/** Notifies a person about a channel. Best effort: a failed private message must not fail what goes on there. */
export async function notifyQuietly(
  log: Log,
  poster: Poster | undefined,
  channel: ChannelRef,
  person: string,
  notice: Reply,
): Promise<void> {
  try {
    await poster?.notify(channel, person, notice);
  } catch (error) {
    const failed = 'a person could not be notified about a channel';
    if (error instanceof PostFailure) log.info({ ...channel, reason: error.message }, failed);
    else logFault(log, error, { ...channel }, failed);
  }
}

/** Reactivates a suspended channel when someone runs a command there; called by the dispatcher's `onRequest`. */
export function reactivateOnRequest({
  store,
  log,
}: Pick<App, 'store' | 'log'>): (asker: Asker) => Promise<void> {
  return async ({ where: { tenant, channel, direct } }) => {
    if (direct) return;
    try {
      if (!(await store.tenant(tenant).subscriptions.reactivate(channel))) return;
      log.info({ tenant, channel }, 'someone ran a command in a suspended channel: it is reactivated');
    } catch (error) {
      log.warn({ tenant, channel, err: error }, 'a suspended channel could not be reactivated');
    }
  };
}

/** Reactivates a suspended channel if it has all requirements again, or if its suspension is over. */
export async function reactivateIfReady(
  { store, log, now }: Pick<PostTools, 'store' | 'log' | 'now'>,
  posters: ReadonlyMap<string, Poster>,
  { tenant, channel, reason, until }: Subscription,
): Promise<void> {
  const poster = posters.get(doorOf(tenant));
  if (poster === undefined) return;
  const ref = { tenant, channel };
  const { subscriptions } = store.tenant(tenant);
  if (until !== null && until <= now() && (await subscriptions.reactivate(channel)))
    log.info(ref, 'a suspended channel is tried again and is reactivated');
  if (reason?.code !== 'missing-requirements') return;
  const missing = await poster.missingRequirements(ref, reason.requirements).catch(() => undefined);
  if (missing?.length === 0 && (await subscriptions.reactivate(channel)))
    log.info(ref, 'a suspended channel has all requirements again and is reactivated');
}
