import type { DoorName } from '../../core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../../core/clock.ts';
import { listed, spokenTime } from '../../core/text.ts';
import type { ReadingApp, Request } from '../../dispatch/contract.ts';
import type { MissingRequirement } from '../../dispatch/poster.ts';
import { addDays, dateAt, spanOf } from '../../puzzle/calendar.ts';
import type { DailySource } from '../../puzzle/types.ts';
import {
  bold,
  buttonsBlock,
  factsBlock,
  type Maybe,
  notes,
  textBlock,
  toAsker,
} from '../../reply/model/text.ts';
import type { Action, Block, Inline, Line, Reply } from '../../reply/model/types.ts';
import { STEP_NAMES } from '../../reply/replies/thread-steps.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { type Forecast, nextPostIn } from '../plan/forecast.ts';
import { type DayStep, scheduleOf } from '../plan/schedule.ts';
import { holdReason } from '../plan/todo.ts';
import { askMissing, causeOf } from '../suspension.ts';
import { type ClockTime, spokenZone } from './local-time.ts';
import {
  applyChange,
  type ChangeTexts,
  type DailySettings,
  type DailyStep,
  DEFAULT_SETTINGS,
  OPENING_LINES,
  readSubscription,
  settingsOf,
} from './settings.ts';

/** The settings of this channel in words, and the next post; managers also see buttons and missing requirements. */
export async function showSettings(request: Request, app: ReadingApp): Promise<Reply> {
  const { tenant, channel } = request.where;
  const stored = await app.store.tenant(tenant).subscriptions.get(channel);
  const { who } = request;
  const mayManage = who.mayManage || ((await who.lookUpAccess?.(channel).catch(() => false)) ?? false);
  const now = app.clock.now();
  if (stored === undefined) {
    const line = mayManage ? SWITCH_IT_ON : ASK_A_MANAGER;
    const missing = mayManage ? await missingHere(request, app) : [];
    return toAsker(NONE_HERE, [textBlock([line, nextBoardLine(app, now)]), missingBlocks(missing)]);
  }
  const subscription = readSubscription(stored);
  const { settings } = subscription;
  const next = await nextPostIn(app.store, [subscription], now, app.log);
  const { is, isOn, lines } = stateOf(subscription, now);
  const missing = subscription.state === 'off' || !mayManage ? [] : await missingHere(request, app);
  const needs = mayManage ? await pingNeeds(request, app, settings.ping) : undefined;
  const { opening, zone } = settings;
  return toAsker(`The daily thread ${is} in this channel`, [
    factsBlock({
      Opens: `${spokenTime(opening)} ${spokenZone(zone)}${releaseNote(settings, dateAt(now))}`,
      Steps: stepsText(settings),
      Board: sourceText(settings, app, mayManage),
      ...(mayManage && otherFacts(settings, request.door)),
      ...(await nextFact(app, next)),
    }),
    notes(mayManage && uselessHints(settings)),
    // What is still missing says why it could not post.
    textBlock(isOn && missing.length > 0 ? [] : lines),
    missingBlocks(missing),
    textBlock([needs && [bold('The mention notifies nobody yet.'), ` I need ${needs.what}. ${needs.how}`]]),
    mayManage ? managerButtons(isOn) : [],
  ]);
}

function managerButtons(isOn: boolean): Block[] {
  return buttonsBlock([
    isOn
      ? { label: 'Switch off', action: { command: 'daily', options: { do: 'off' } } }
      : { label: 'Switch on', action: { command: 'daily', options: { do: 'on' } }, look: 'primary' },
    { label: 'See a whole day (only you)', action: { command: 'daily', options: { do: 'test' } } },
  ]);
}

const NONE_HERE = 'There is no daily thread in this channel';
const SWITCH_ON: Inline = { command: 'daily on', label: 'Switch on' };
const SWITCH_IT_ON: Line = [
  'Switch it on with ',
  SWITCH_ON,
  ', or see what it would post with ',
  { command: 'daily test', label: 'See a whole day (only you)' },
  '.',
];
const ASK_A_MANAGER: Line = [
  'Someone who manages the channel can switch it on. For today’s board: ',
  { command: 'today', label: 'Today’s board' },
];

/** For people who ask when the next puzzle comes. */
function nextBoardLine({ puzzles }: ReadingApp, now: number): Maybe<Line> {
  const moment = spanOf(dateAt(now)).to;
  return (
    puzzles.allowed(DEFAULT_SETTINGS.source) !== 'off' && [
      'The next board comes ',
      { moment, style: 'relative' },
      '.',
    ]
  );
}

/** What a channel's thread is or has done, and what follows from that. */
function stateOf(
  { state, reason, until }: Subscription,
  now: number,
): { readonly is: string; readonly isOn: boolean; readonly lines: readonly Line[] } {
  if (state === 'off') return { is: 'is off', isOn: false, lines: [] };
  switch (holdReason({ state, until }, now)) {
    case undefined:
      // A command, perhaps this one, has ended a suspension (`reactivateOnRequest`). Its reason stays until something is posted.
      return {
        is: 'is on',
        isOn: true,
        lines: reason === null ? [] : [`I couldn’t post here: ${causeOf(reason, 'I needed')}. I try again.`],
      };
    case 'paused': {
      const ends: Inline[] =
        until === null ? ['until you switch it on'] : ['until ', { moment: until, style: 'full' }];
      return {
        is: 'is paused',
        isOn: false,
        lines: [['Paused ', ...ends, '. To end the pause: ', SWITCH_ON]],
      };
    }
    case 'suspended': {
      const cause = causeOf(reason ?? { code: 'refused', message: 'I’m not allowed to' });
      const retried = until === null ? '' : 'I try again with the next day’s thread. ';
      return {
        is: 'has stopped',
        isOn: false,
        lines: [`I couldn’t post here: ${cause}.`, [retried, 'Once that has changed, type ', SWITCH_ON, '.']],
      };
    }
  }
}

function otherFacts({ weekends, quiet, fold, names, lines, ping, managers }: DailySettings, door: DoorName) {
  return {
    Weekends: weekends ? 'on' : 'off',
    // Only Discord has posts without a notification.
    Quiet:
      quiet &&
      (door === 'discord'
        ? 'on, posts send no notifications'
        : 'on; here, posts notify only people who are mentioned anyway'),
    Fold:
      fold && (door === 'slack' ? FOLDED_ON_SLACK : 'on; only Slack folds, hints here are behind spoilers'),
    Names: !names && 'off, reviews show numbers only',
    Lines:
      lines.length < OPENING_LINES.length && (lines.length === 0 ? 'off, the board alone' : listed(lines)),
    Mentions: ping === null ? 'nobody' : `the ${SLACK_PERSON_ID.test(ping) ? 'person' : 'role'} you chose`,
    'Managed by': managers !== null && 'the role you chose, and managers',
  };
}

/** A person's id on Slack; ids of Slack's groups begin with S, and ids of Discord's roles are numbers. */
const SLACK_PERSON_ID = /^[UW]/;

const FOLDED_ON_SLACK =
  'on, hints open in place for everyone. Their text is in the message: search and exports show it, and a notification may';

/** @example stepsText(DEFAULT_SETTINGS) // 'start letters with the opening, words needed at 12:00 PM and the solution at 8:00 PM' */
function stepsText({ opening, steps }: Pick<DailySettings, 'opening' | 'steps'>): string {
  if (steps.length === 0) return 'none';
  const when = (at: ClockTime) => {
    // Where the board is not out at the opening's time, both come when it is.
    if (at === opening) return 'with the opening';
    return `at ${spokenTime(at)}${at < opening ? ' the next day' : ''}`;
  };
  return listed(steps.map(({ step, at }) => `${STEP_NAMES[step]} ${when(at)}`));
}

/** Hints that are scheduled after the solution. */
function uselessHints({ steps }: DailySettings): Maybe<Line> {
  const solution = steps.findIndex(({ step }) => step === 'solution');
  const [first, ...others] = solution < 0 ? [] : steps.slice(solution + 1).map(({ step }) => step);
  if (first === undefined) return undefined;
  const names = listed([first, ...others].map((one) => STEP_NAMES[one]));
  const command = `daily ${first}:off`;
  return [`At these times, the solution comes before ${names}. To leave a hint out: `, { command }];
}

/** A note for channels whose opening time is before the puzzle is out. */
function releaseNote(settings: DailySettings, today: PuzzleDate): string {
  const { opensAt, span } = scheduleOf(settings, addDays(today, 1));
  if (opensAt !== span.from) return '';
  const clock = clockIn(settings.zone, opensAt);
  return clock === settings.opening
    ? ''
    : `; for now ${spokenTime(clock)}, because the board isn’t out earlier`;
}

function clockIn(zone: string, moment: number): ClockTime {
  const format = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(moment) as ClockTime;
}

/** @param meanwhile what comes when the source can't be reached */
const SOURCE_TEXTS: Readonly<Record<DailySource, (meanwhile: string) => string>> = {
  newspaper: (meanwhile) => `the newspaper’s; when it can’t be reached, ${meanwhile}`,
  house: () => 'a new board by this bot each day',
  off: () => 'only boards typed by hand',
};

/** Which board the channel will get, which is not always what its settings ask for. */
function sourceText(
  { source: wanted, otherwise }: DailySettings,
  { puzzles }: ReadingApp,
  mayManage: boolean,
): string {
  const meanwhile = otherwise === 'house' ? 'the house board' : mayManage ? 'none, and I tell you' : 'none';
  return SOURCE_TEXTS[puzzles.allowed(wanted)](meanwhile);
}

async function nextFact(app: ReadingApp, next: Forecast | undefined): Promise<Record<string, Inline>> {
  if (next === undefined) return {};
  const { tenant, channel, date, steps, at } = next;
  const step = steps[0]!;
  const now = app.clock.now();
  const label = `Next, ${dayStepName(step)}`;
  if (at > now) return { [label]: { moment: at, style: 'full' } };
  const day = await app.store.tenant(tenant).deliveries.day(channel, date);
  if (day?.reason?.code === 'no-puzzle' || day?.reason?.code === 'newspaper-late')
    return { [label]: 'as soon as there is a board' };
  // After failures, it is tried again after a longer and longer pause.
  const retryAt = day?.state === 'due' ? day.nextAt : now;
  return { [label]: retryAt > now + MINUTE ? { moment: retryAt, style: 'full' } : 'within a minute' };
}

/** What is posted, in a sentence. */
export function dayStepName(step: DayStep): string {
  if (step === 'opening') return 'the opening';
  return step === 'closing' ? 'the review of the day' : STEP_NAMES[step];
}

function missingBlocks(missing: readonly MissingRequirement[]): Block[] {
  return textBlock([
    missing.length > 0 && [bold('I can’t post here yet.'), ' I still need:'],
    ...missing.map(({ what, how }): Line => [bold(what), `: ${how}`]),
  ]);
}

async function pingNeeds(
  { where: { tenant, channel }, door }: Request,
  app: ReadingApp,
  mentioned: string | null,
): Promise<MissingRequirement | undefined> {
  if (mentioned === null) return undefined;
  try {
    return await app.posterOf(door)?.mentionNeeds?.({ tenant, channel }, mentioned);
  } catch (error) {
    app.log.warn({ door, error: String(error) }, 'it could not be read whom a role notifies');
    return undefined;
  }
}

/** The missing requirements. If they can't be looked up, those that are known from the request. */
async function missingHere(
  { where, door }: Request,
  app: ReadingApp,
): Promise<readonly MissingRequirement[]> {
  const { tenant, channel, missingByRequest } = where;
  return askMissing(app.log, app.posterOf(door), { tenant, channel }, missingByRequest);
}

/**
 * The question before a typed list of steps removes others; undefined if it removes none. `steps:none` says itself that it
 * removes all of them, and `count:off` that it removes that step.
 */
export async function stepsQuestion(
  { where, options }: Request,
  { store }: ReadingApp,
  texts: ChangeTexts,
): Promise<Reply | undefined> {
  if (texts.steps === undefined || texts.steps.trim().toLowerCase() === 'none') return undefined;
  const before = await settingsOf(store, where);
  const changed = applyChange(before, texts);
  const { steps } = changed;
  const dropped = before.steps.filter(
    ({ step }) => texts[step] === undefined && steps.every((other) => other.step !== step),
  );
  if (dropped.length === 0) return undefined;
  const all = applyChange(before, { ...texts, steps: typedSteps([...steps, ...dropped]) });
  const action = (wanted: readonly DailyStep[]): Action => ({
    command: 'daily',
    options: { do: options.do === 'on' ? 'on' : 'steps', ...texts, steps: typedSteps(wanted), sure: true },
  });
  return toAsker('Which steps should the day have?', [
    factsBlock({
      Now: stepsText(before),
      'Only yours': stepsText(changed),
      'All of them': stepsText(all),
    }),
    notes('Nothing has changed yet.'),
    buttonsBlock([
      { label: 'Only yours', action: action(steps) },
      { label: 'All of them', action: action(all.steps) },
    ]),
  ]);
}

/** The value of `steps` as people type it. @param opening its steps are written without a time, so that they move with it */
export function typedSteps(steps: readonly DailyStep[], opening?: ClockTime): string {
  if (steps.length === 0) return 'none';
  return steps.map(({ step, at }) => (at === opening ? step : `${step}@${at}`)).join(' ');
}
