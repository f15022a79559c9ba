import { isDeepStrictEqual } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import { type ChannelRef, channelKey, doorOf } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import { type App, type ChannelPermission, type Request, textOf } from '../../dispatch/contract.ts';
import { permittedChannel } from '../../dispatch/dispatcher.ts';
import { threadId } from '../../dispatch/poster.ts';
import { addDays, dateAt, findDate } from '../../puzzle/calendar.ts';
import { buttonsBlock, sentenceReply, textBlock, toAsker, toEveryone } from '../../reply/model/text.ts';
import type { Button, Line, Reply } from '../../reply/model/types.ts';
import { THREAD_STEPS } from '../../reply/replies/thread-steps.ts';
import type { SubscriptionState } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { postKey, stepsTogether } from '../day-thread.ts';
import { answerSteps, type DayReviews, dayPostOf, withNextStep } from '../delivery/messages.ts';
import { postedSteps } from '../plan/todo.ts';
import { zonedAt } from './local-time.ts';
import { applyChange, type ChangeTexts, type DailySettings, parseStored } from './settings.ts';
import { showSettings } from './show.ts';

const MAX_SAVE_ATTEMPTS = 5;

/** Changes of settings also update the message of a day that is on. */
export interface DailyApp extends App {
  readonly makeOpeningExtras: DayReviews['opening'];
}

/**
 * Changes settings. The thread is switched on only if `switchesOn`: somebody who just sets the zone of a channel expects no
 * posts yet.
 */
export async function saveChange(
  request: Request,
  app: DailyApp,
  permission: ChannelPermission,
  texts: ChangeTexts,
  { switchesOn }: { readonly switchesOn: boolean },
): Promise<Reply> {
  const before = await subscriptionOf(app, permission);
  const now = app.clock.now();
  const wasOffOrPaused = before === undefined || before.state === 'off' || before.state === 'paused';
  const isChanged = await save(app, permission, {
    change: (stored) => applyChange(stored, texts),
    zone: request.who.zone,
    // A pause may have ended by itself before.
    since: switchesOn && wasOffOrPaused ? Math.min(before?.until ?? now, now) : undefined,
    stateIfNew: switchesOn ? 'active' : 'off',
    // Whoever switches it on gets its notices, also after a suspension: any command ends that, but its reason stays until a post.
    takesOver: switchesOn && (before?.state !== 'active' || before.reason !== null),
  });
  if (switchesOn && before !== undefined) await setState(app, permission, { state: 'active' });
  if (isChanged) return showChanged(request, app, permission);
  const shown = await showSettings(request, app);
  const line = 'Nothing has changed: it was set like this already.';
  return { ...shown, blocks: [{ kind: 'note', line }, ...shown.blocks] };
}

export async function switchOff(
  request: Request,
  app: DailyApp,
  permission: ChannelPermission,
): Promise<Reply> {
  const subscription = await subscriptionOf(app, permission);
  if (subscription === undefined || subscription.state === 'off')
    return sentenceReply('It’s off already', [
      'To switch it on: ',
      { command: 'daily on', label: 'Switch on' },
    ]);
  await setState(app, permission, { state: 'off' });
  return showChanged(request, app, permission);
}

export async function pause(
  request: Request,
  app: DailyApp,
  permission: ChannelPermission,
  typed: string | undefined,
): Promise<Reply> {
  const subscription = await subscriptionOf(app, permission);
  if (subscription === undefined || subscription.state === 'off')
    throw new UserError(
      'daily.off',
      'The daily thread is not on in this channel. Switch it on with:',
      'daily on',
    );
  const { zone } = parseStored(subscription.settings);
  const until = typed === undefined ? undefined : readUntil(typed, zone, app.clock.now());
  await setState(app, permission, { state: 'paused', until });
  return showChanged(request, app, permission);
}

/** Moves the thread of another channel of this server here, with its settings, if the asker manages that channel too. */
export async function moveHere(
  request: Request,
  app: DailyApp,
  permission: ChannelPermission,
  texts: ChangeTexts,
): Promise<Reply> {
  const { tenant, channel } = permittedChannel(permission);
  const others = (await app.store.tenant(tenant).subscriptions.list())
    .filter((subscription) => subscription.channel !== channel && subscription.state !== 'off')
    .sort((a, b) => b.setAt - a.setAt);
  if (others.length === 0) return saveChange(request, app, permission, texts, { switchesOn: true });
  const movable: { readonly from: Subscription; readonly there: ChannelPermission }[] = [];
  for (const from of others) {
    if (movable.length > MAX_CHOICES) break;
    const there = await permission.forOther(from.channel, from.setBy);
    if (there !== undefined) movable.push({ from, there });
  }
  if (movable.length === 0)
    throw new UserError(
      'daily.elsewhere',
      'The daily thread is in a channel that you don’t manage. Ask someone who manages it to type there: daily off. ' +
        'Then switch it on here with: daily on',
    );
  const chosen = textOf(request, 'from');
  const [moved, another] = movable.filter(({ from }) => chosen === undefined || from.channel === chosen);
  if (moved === undefined || another !== undefined)
    return whichMovesReply(
      request,
      movable.map(({ from }) => from.channel),
    );
  const { from, there } = moved;
  const change = () => applyChange(parseStored(from.settings), texts);
  await save(app, permission, { change, since: app.clock.now() });
  await setState(app, permission, { state: 'active' });
  await setState(app, there, { state: 'off' });
  await updatePosts(request, app, there);
  // This channel may have a thread of the day, too, from before it was switched off here.
  const shown = await showChanged(request, app, permission);
  const left: Line = [
    'Moved here from ',
    { channel: from.channel },
    '. A thread that is open there gets no more steps.',
  ];
  return { ...shown, blocks: [{ kind: 'note', line: left }, ...shown.blocks] };
}

/** With the button for a new thread, as many as fit in a row. One more is looked for, to say that there are others. */
const MAX_CHOICES = 4;

/** Asks which of several daily threads moves to this channel. */
function whichMovesReply({ options }: Request, channels: readonly string[]): Reply {
  const shown = channels.slice(0, MAX_CHOICES);
  const lines = shown.map((channel, index): Line => [`${index + 1}. `, { channel }]);
  return toAsker('Which daily thread moves here?', [
    textBlock([
      ...lines,
      channels.length > shown.length && 'And others: type daily off there, and daily on here.',
    ]),
    buttonsBlock([
      ...shown.map((channel, index) => ({
        label: `Move number ${index + 1}`,
        action: { command: 'daily', options: { ...options, from: channel } },
      })),
      { label: 'A new one here', action: { command: 'daily', options: { do: 'on' } } },
    ]),
  ]);
}

function setState(
  { store }: App,
  permission: ChannelPermission,
  change: { state: SubscriptionState; until?: number },
): Promise<boolean> {
  const { tenant, channel } = permittedChannel(permission);
  return store.tenant(tenant).subscriptions.setState(channel, change);
}

interface Saving {
  readonly change: (stored: DailySettings) => DailySettings;
  /** The asker's own, for a channel that has no settings yet. */
  readonly zone?: string | undefined;
  /** When it goes on, if this switches it on or ends its pause. */
  readonly since?: number;
  readonly stateIfNew?: SubscriptionState;
  /** Whether the asker becomes the person who set it, even if the settings stay as they are. */
  readonly takesOver?: boolean;
}

/**
 * If somebody else saves at the same moment, this change is applied on top of theirs. False if the settings stay as they
 * are, so that nothing was saved.
 */
async function save(
  { store, clock }: App,
  permission: ChannelPermission,
  { change, zone, since, stateIfNew, takesOver = false }: Saving,
): Promise<boolean> {
  const { tenant, channel } = permittedChannel(permission);
  const { subscriptions } = store.tenant(tenant);
  for (let tries = 0; tries < MAX_SAVE_ATTEMPTS; tries++) {
    const subscription = await subscriptions.get(channel);
    const now = clock.now();
    const before = parseStored(subscription?.settings ?? { zone });
    // `moveHere` brings another channel's settings, but not its past.
    const { weekendsChanged: _, ...changed } = change(before);
    const { weekends, weekendsChanged } = before;
    const dates = changed.weekends === weekends ? weekendsChanged : withChange(weekendsChanged, dateAt(now));
    const settings =
      subscription === undefined || dates === undefined ? changed : { ...changed, weekendsChanged: dates };
    const isSame = since === undefined && isDeepStrictEqual(settings, subscription?.settings);
    if (!takesOver && isSame) return false;
    const saved = { version: subscription?.version ?? 0, by: permission.person, at: now, since, stateIfNew };
    if ((await subscriptions.save(channel, settings, saved)) !== undefined) return true;
  }
  throw new Error('the settings of a channel kept changing while they were saved');
}

/** A second change on the same day undoes the first. */
function withChange(dates: readonly PuzzleDate[] = [], today: PuzzleDate): PuzzleDate[] {
  return dates.at(-1) === today ? dates.slice(0, -1) : [...dates, today];
}

async function showChanged(request: Request, app: DailyApp, permission: ChannelPermission): Promise<Reply> {
  await updatePosts(request, app, permission);
  return showSettings(request, app);
}

function subscriptionOf(
  { store }: App,
  { channel: where }: ChannelPermission,
): Promise<Subscription | undefined> {
  return store.tenant(where.tenant).subscriptions.get(where.channel);
}

/** Somebody who wants a longer pause switches the thread off. */
const MAX_PAUSE_DAYS = 400;

/**
 * Reads when a pause ends: a date to come (from its first minute in the channel's zone), or a
 * duration such as `3 days`, `a week` or `6 hours`.
 *
 * @example readUntil('2026-12-27', 'Europe/Berlin', now)
 */
function readUntil(text: string, zone: string, now: number): number {
  const typed = withoutFillers(text);
  const here = zonedAt(now, zone);
  const until = readDuration(typed, here) ?? readDay(typed, here.toPlainDate())?.toZonedDateTime(zone);
  if (until === undefined) {
    throw new UserError(
      'daily.until',
      `A pause can’t end at "${clip(text)}". Type a date like ${here.toPlainDate().add({ days: 7 })}, a weekday, or 3 days.`,
    );
  }
  const moment = until.epochMilliseconds;
  if (moment <= now) throw new UserError('daily.until', `${clip(text)} is in the past. Type a later date.`);
  if (moment > here.add({ days: MAX_PAUSE_DAYS }).epochMilliseconds) {
    throw new UserError(
      'daily.until',
      'That is more than a year away. Type daily off instead, and daily on when you want it back.',
    );
  }
  return moment;
}

/** Whether `readUntil` can read it. No text is a date on one day and none on another, so any date can stand in for today. */
export function isUntil(text: string): boolean {
  const typed = withoutFillers(text);
  return DURATION.test(typed) || readDay(typed, Temporal.PlainDate.from('2000-01-01')) !== undefined;
}

function withoutFillers(text: string): string {
  return (
    text
      .trim()
      .toLowerCase()
      .replace(/^(?:until|till|for) /, '')
      .replace(/^(?:an?|one) /, '1 ')
      // Without a month, `findDate` reads a day of one digit only after "on".
      .replace(/^(?:the )?(?=\d{1,2}(?:st|nd|rd|th)$)/, 'on the ')
  );
}

const DURATION = /^(\d{1,4})\s*(hour|day|week|month|h|d|w)s?$/;

function readDuration(typed: string, here: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const [, count, unit] = DURATION.exec(typed) ?? [];
  if (count === undefined) return undefined;
  const name = { h: 'hours', d: 'days', w: 'weeks', m: 'months' }[unit![0]!]!;
  return here.add({ [name]: Number(count) });
}

function readDay(typed: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const date = findDate(typed, today.toString() as PuzzleDate, { isToCome: true });
  return date && Temporal.PlainDate.from(date);
}

/**
 * Updates the messages that announce steps: when a person has changed the times, or ended or paused the thread, the message
 * in the channel and the last one in the thread are edited. Best effort.
 */
async function updatePosts(request: Request, app: DailyApp, permission: ChannelPermission): Promise<void> {
  const ref = permittedChannel(permission);
  const poster = app.posterOf(doorOf(ref.tenant));
  if (poster === undefined) return;
  const now = app.clock.now();
  const today = dateAt(now);
  const postOf = (date: PuzzleDate) => dayPostOf(app, { ...ref, date, now }, app.makeOpeningExtras);
  async function quietly(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const fields = { channel: channelKey(ref), error: String(error) };
      app.log.info(fields, 'posts of a day could not be changed to its new times');
    }
  }
  const update = async () => {
    // A thread stays open until that of the next puzzle is opened, which may be on the day after.
    const post = (await postOf(today)) ?? (await postOf(addDays(today, -1)));
    if (post === undefined) return;
    // Platforms may refuse to change the older one of the two.
    await quietly(() => poster.edit(ref, post.posted, post.reply, post.given));
    const { ends, date } = post.day;
    const last = postedSteps(post.day)
      .toSorted((one, other) => ends[one]!.at - ends[other]!.at)
      .at(-1);
    const message = last && ends[last]!.message;
    if (message === undefined) return;
    const steps = THREAD_STEPS.filter((step) => stepsTogether(ends, last!).includes(step));
    const reply = await answerSteps(app, request)(post.puzzle, steps);
    const keys = steps.map((step) => postKey({ ...ref, date, step }));
    const inThread = { message, thread: threadId(post.posted) };
    await poster.edit(ref, inThread, withNextStep(reply, post.puzzle, post.thread, now), {
      ...post.given,
      ping: null,
      keys,
    });
  };
  // If somebody else changes the settings meanwhile, the older edit of the two may come last.
  let shown: string | undefined;
  for (let tries = 0; tries < MAX_SAVE_ATTEMPTS; tries++) {
    const { settings } = await stateOf(app.store, ref);
    if (settings === shown) return;
    shown = settings;
    await quietly(update);
  }
}

/**
 * Runs a command where everybody in a channel may change its settings. Returns the reply, and what must be announced there.
 */
export async function runAnnouncing(
  store: Pick<Store, 'tenant'>,
  channel: ChannelRef,
  person: string,
  run: () => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly announcement: Reply | undefined }> {
  const before = await stateOf(store, channel);
  const reply = await run();
  const after = await stateOf(store, channel);
  const typed = after.board === before.board ? undefined : boardAnnouncement(person);
  return {
    reply,
    announcement:
      after.settings === before.settings ? typed : threadAnnouncement(person, before.state, after.state),
  };
}

/** What everybody in a channel may change, as texts that are compared before and after a command. */
async function stateOf(store: Pick<Store, 'tenant'>, { tenant, channel }: ChannelRef) {
  const { subscriptions, boards } = store.tenant(tenant);
  const { version, state = 'off', until } = (await subscriptions.get(channel)) ?? {};
  const { boards: count, lastTypedAt } = await boards.state(channel);
  return { settings: `${version} ${state} ${until}`, state, board: `${count} ${lastTypedAt}` };
}

/** The announcement of a board that was typed in, with how to undo it. */
function boardAnnouncement(person: string): Reply {
  return announcement('A board of the day was typed in or taken back for this channel', person, [
    { label: 'Today’s board', action: { command: 'today', options: {} } },
    { label: 'Take the typed board back', action: { command: 'set', options: { undo: true } } },
  ]);
}

const CHANGE_DESCRIPTIONS: Readonly<Record<SubscriptionState, string>> = {
  active: 'switched on',
  paused: 'paused',
  off: 'switched off',
  suspended: 'stopped',
};

function threadAnnouncement(person: string, before: SubscriptionState, after: SubscriptionState): Reply {
  const change = before === after ? 'changed' : CHANGE_DESCRIPTIONS[after];
  return announcement(`The daily Letter Boxed thread of this channel was ${change}`, person, [
    { label: 'Settings', action: { command: 'daily', options: { do: 'show' } } },
  ]);
}

function announcement(title: string, person: string, buttons: readonly Button[]): Reply {
  return toEveryone(title, [{ kind: 'note', line: ['By ', { person }, '.'] }, buttonsBlock(buttons)]);
}
