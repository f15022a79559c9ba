import * as v from 'valibot';
import type { ChannelRef } from '../../core/channel-ref.ts';
import { UserError } from '../../core/errors.ts';
import { clip, listed } from '../../core/text.ts';
import type { Options, Request } from '../../dispatch/contract.ts';
import { givenTwiceError } from '../../dispatch/typed-options.ts';
import { dateSchema } from '../../puzzle/repository.ts';
import { DAILY_SOURCES } from '../../puzzle/types.ts';
import { THREAD_STEPS } from '../../reply/replies/thread-steps.ts';
import type { ReadingStore } from '../../store/store.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import {
  type ClockTime,
  isClockTime,
  isTypedTime,
  isZone,
  minutesOf,
  readClockTime,
  readZone,
} from './local-time.ts';

const FALLBACKS = ['house', 'nothing'] as const;

/** Lines of the opening that can be switched off, in their order. */
export const OPENING_LINES = ['board', 'yesterday', 'week', 'players'] as const;
type OpeningLine = (typeof OPENING_LINES)[number];

const clockTime = v.custom<ClockTime>(isClockTime);
const stepSchema = v.object({ step: v.picklist(THREAD_STEPS), at: clockTime });
export type DailyStep = Readonly<v.InferOutput<typeof stepSchema>>;
/** Unknown steps are left out. */
const stepsSchema = v.pipe(
  v.array(v.fallback(v.nullable(stepSchema), null)),
  v.transform((steps): readonly DailyStep[] => steps.filter((step) => step !== null)),
);

/** What a channel gets every day, and what it gets if it chose nothing. Only `ping` and `managers` may name a person. */
const settingsSchema = v.object({
  /** An IANA name. */
  zone: v.fallback(v.pipe(v.string(), v.check(isZone)), 'America/New_York'),
  opening: v.fallback(clockTime, '08:00'),
  /** Steps in the order of their times; those at the opening's own time follow it at once. */
  steps: v.fallback(stepsSchema, [
    { step: 'start', at: '08:00' },
    { step: 'count', at: '12:00' },
    { step: 'solution', at: '20:00' },
  ]),
  source: v.fallback(v.picklist(DAILY_SOURCES), 'newspaper'),
  /** When the newspaper can't be reached. */
  otherwise: v.fallback(v.picklist(FALLBACKS), 'house'),
  weekends: v.fallback(v.boolean(), true),
  /** The dates on which `weekends` was switched, the earliest first: the new value counts from that date on. */
  weekendsChanged: v.exactOptional(v.fallback(v.array(dateSchema), [])),
  /** Posts without a push notification, where the platform can. */
  quiet: v.fallback(v.boolean(), false),
  /** Shows the thread's hints folded in place, on platforms that have no spoilers. */
  fold: v.fallback(v.boolean(), false),
  /** Whether reviews of days and months name people; otherwise they have numbers only. */
  names: v.fallback(v.boolean(), true),
  /** What the opening says besides the board. */
  lines: v.fallback(v.pipe(v.array(v.picklist(OPENING_LINES)), v.readonly()), OPENING_LINES),
  /** The platform's id of a role or group to mention in the opening. */
  ping: v.fallback(v.nullable(v.string()), null),
  /** The platform's id of a role whose members may manage this channel's settings, too. */
  managers: v.fallback(v.nullable(v.string()), null),
});
export type DailySettings = Readonly<v.InferOutput<typeof settingsSchema>>;

export const DEFAULT_SETTINGS: DailySettings = v.parse(settingsSchema, {});

/** Channels with the same settings share one object, since the store returns one object for one text. */
const parsed = new WeakMap<object, DailySettings>();

/**
 * Reads what the store kept. What is missing or makes no sense, as in settings of another version of the
 * program, becomes the default: one unreadable field must not stop a channel's daily thread.
 */
export function parseStored(stored: unknown): DailySettings {
  if (typeof stored !== 'object' || stored === null) return DEFAULT_SETTINGS;
  const known = parsed.get(stored);
  if (known !== undefined) return known;
  const read = v.parse(settingsSchema, stored);
  const settings = { ...read, steps: sortedSteps(read.steps, read.opening) };
  parsed.set(stored, settings);
  return settings;
}

/** A subscription with its settings as `parseStored` reads them. */
export type ReadSubscription = Subscription & { readonly settings: DailySettings };

export function readSubscription(subscription: Subscription): ReadSubscription {
  return { ...subscription, settings: parseStored(subscription.settings) };
}

/**
 * The settings of a channel, with or without a daily thread.
 *
 * @param zone for a channel that has none
 */
export async function settingsOf(
  store: ReadingStore,
  { tenant, channel }: Pick<ChannelRef, 'tenant' | 'channel'>,
  zone?: string,
): Promise<DailySettings> {
  const stored = await store.tenant(tenant).subscriptions.get(channel);
  return parseStored(stored?.settings ?? (zone && { zone }));
}

/**
 * Reads all steps of a day as typed: `start@08:00 count@12:00, solution at 8 pm`. A step without a time keeps its time, or
 * comes with the opening; `none` leaves only the opening.
 *
 * @example readSteps('start count@13:00', DEFAULT_SETTINGS) // [{ step: 'start', at: '08:00' }, { step: 'count', at: '13:00' }]
 */
export function readSteps(text: string, settings: DailySettings): DailyStep[] {
  const typed = stepParts(text);
  if (typed.length === 1 && typed[0] === 'none') return [];
  if (typed.length === 0) throw unknownStepError(text);
  const steps = typed.map((part): DailyStep => {
    const [name = '', time] = nameAndTime(part);
    const step = THREAD_STEPS.find((known) => known === name);
    if (step === undefined) throw unknownStepError(name);
    const kept = settings.steps.find((other) => other.step === step)?.at ?? settings.opening;
    return { step, at: time === undefined ? kept : readClockTime(time, step) };
  });
  const twice = steps.find(({ step }, index) => steps.findIndex((other) => other.step === step) < index);
  if (twice !== undefined) {
    throw new UserError('daily.steps', `The step "${twice.step}" is there twice. Give each step one time.`);
  }
  return sortedSteps(steps, settings.opening);
}

/** Whether typed words are steps or `none`, with or without times. */
export function isStepList(text: string): boolean {
  return stepParts(text).every((part) => {
    const [name, time] = nameAndTime(part);
    const isStep = name === 'none' || THREAD_STEPS.some((known) => known === name);
    return isStep && (time === undefined || isTypedTime(time));
  });
}

/** Splits a step as typed at its first @ or colon. */
const nameAndTime = (part: string) => part.split(/[@:](.*)/s);

/** Each step as typed, such as `start@8am`. */
function stepParts(text: string): string[] {
  return (
    text
      .toLowerCase()
      // With single blanks, the patterns below take linear time.
      .replace(/\s+/g, ' ')
      // "8 am" becomes "8am".
      .replace(/(?<=\d) (?=[ap]m\b)/g, '')
      // "start at 8", "start = 8" and "start 8" become "start@8".
      .replace(/ ?(@|=|\bat\b) ?|(?<=[a-z]) (?=\d)/g, '@')
      .split(/[\s,;]+/)
      .filter((part) => part !== '')
  );
}

/** A day begins at its opening: a step with an earlier clock time comes the next morning. */
function sortedSteps(steps: readonly DailyStep[], opening: ClockTime): DailyStep[] {
  const minutes = ({ at }: DailyStep) => minutesOf(at) + (at < opening ? 24 * 60 : 0);
  const place = ({ step }: DailyStep) => THREAD_STEPS.indexOf(step);
  return steps.toSorted((a, b) => minutes(a) - minutes(b) || place(a) - place(b));
}

function unknownStepError(typed: string): UserError {
  return new UserError(
    'daily.steps',
    `"${clip(typed)}" isn’t a step. Choose from ${listed(THREAD_STEPS, 'or')}, each with its time: ` +
      'start@08:00 count@12:00 solution@20:00',
  );
}

export const STEP_OPTIONS = ['opening', ...THREAD_STEPS] as const;

interface Setting<Value> {
  readonly example: string;
  readonly read: (text: string, settings: DailySettings) => Value;
}

const choice = <Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Setting<Choice> => ({
  example: `${name}:${choices[0]} or ${name}:${choices[1]}`,
  read: (text) => oneOf(name, text, choices),
});
const onOrOff = (name: string): Setting<boolean> => ({
  example: `${name}:on or ${name}:off`,
  read: (text) => oneOf(name, text, ['on', 'off']) === 'on',
});
const role = (name: string): Setting<string | null> => ({
  example: `${name}:@role or ${name}:off`,
  read: (text) => readRole(name, text),
});
type SettingName = Exclude<keyof DailySettings, 'opening' | 'weekendsChanged'>;
/** Changes of these settings are applied in this order, after the opening's and before those of single steps. */
const SETTINGS: { readonly [Name in SettingName]: Setting<DailySettings[Name]> } = {
  zone: { example: 'zone:Europe/Berlin', read: readZone },
  steps: { example: 'steps start@08:00 count@12:00 solution@20:00', read: readSteps },
  source: choice('source', DAILY_SOURCES),
  otherwise: choice('otherwise', FALLBACKS),
  weekends: onOrOff('weekends'),
  quiet: onOrOff('quiet'),
  fold: onOrOff('fold'),
  names: onOrOff('names'),
  lines: { example: `lines ${OPENING_LINES.join(' ')}, or lines:off`, read: readLines },
  ping: role('ping'),
  managers: role('managers'),
};
const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The first word of a typed line. The name of a setting is followed by its value. */
export const DAILY_ACTIONS = [
  ...(['on', 'off', 'show', 'pause', 'times'] as const),
  // `otherwise` goes with `source`.
  ...SETTING_NAMES.filter((name) => name !== 'otherwise'),
  ...(['here', 'test'] as const),
];

type ChangeOption = (typeof STEP_OPTIONS)[number] | SettingName;

/** Settings to change, as typed. */
export type ChangeTexts = Partial<Record<ChangeOption, string>>;

/** A time, with or without a zone after it: `08:00`, `at 8:30 pm`, `8pm Berlin`. */
const TIME_AND_ZONE = /^(?:at )?(\d\d?:\d\d(?: ?[ap]m)?|\d\d? ?[ap]m)(?: (.+))?$/i;
/** A bare hour is a time only after `at`: `at 8`, `at 8 Berlin`. */
const HOUR_AND_ZONE = /^at (\d\d?)(?: (.+))?$/i;

/**
 * The settings that a typed line changes: those that it names, as in `zone:Berlin`, and what its action and the value after
 * that say, as in `daily zone Berlin` and `daily on 08:00 Berlin`.
 */
export function changeTexts(
  { options }: Pick<Request, 'options'>,
  action: string | undefined,
  value: string | undefined,
): ChangeTexts {
  const named: Partial<Record<ChangeOption, string>> = {};
  for (const name of [...STEP_OPTIONS, ...SETTING_NAMES]) {
    if (options[name] !== undefined) named[name] = String(options[name]);
  }
  const setting = SETTING_NAMES.find((name) => name === action);
  if (setting !== undefined) {
    if (value !== undefined) refuseTwice(options, [setting]);
    const text = value ?? named[setting];
    if (text !== undefined) return { ...named, [setting]: text };
    throw new UserError('daily.value', `Which ${setting}? Try: daily ${SETTINGS[setting].example}`);
  }
  if (action === 'times' && (value !== undefined || Object.keys(named).length === 0)) {
    const line = 'Which times? Try: daily times opening:08:00 count:12:00 solution:20:00';
    throw new UserError('daily.times', line);
  }
  if (value === undefined) return named;
  const mayOpen = action === undefined || action === 'on';
  // The value of `pause` is its end, which is no setting.
  const texts = action === 'pause' ? {} : openingTexts(value, mayOpen);
  refuseTwice(options, action === 'pause' ? ['until'] : Object.keys(texts));
  return { ...texts, ...named };
}

/** Refuses options that the value of an action stands for, too. */
function refuseTwice(options: Options, names: readonly string[]): void {
  const twice = names.find((name) => options[name] !== undefined);
  if (twice !== undefined) throw givenTwiceError(twice);
}

/** The opening, and perhaps the zone, of `daily on 08:00 Berlin`. Throws UserError for anything else. */
function openingTexts(value: string, mayOpen: boolean): ChangeTexts {
  if (mayOpen) {
    const [, opening, zone] = TIME_AND_ZONE.exec(value) ?? HOUR_AND_ZONE.exec(value) ?? [];
    if (opening !== undefined) return zone === undefined ? { opening } : { opening, zone };
    if (/^\d\d?$/.test(value))
      throw new UserError('daily.hour', `Is ${value} a time? Then type:`, `daily on ${value}:00`);
  }
  throw new UserError(
    'daily.action',
    `daily can’t do "${clip(value)}". Choose from ${listed(DAILY_ACTIONS, 'or')}.`,
  );
}

/** Applies typed changes to settings. Throws UserError, and then changes nothing at all. */
export function applyChange(before: DailySettings, texts: ChangeTexts): DailySettings {
  let settings = before;
  if (texts.opening !== undefined) {
    const opening = readClockTime(texts.opening, 'the opening');
    // Steps that were posted together with the opening stay together with it.
    const steps = settings.steps.map(({ step, at }) => ({
      step,
      at: at === settings.opening ? opening : at,
    }));
    settings = { ...settings, opening, steps: sortedSteps(steps, opening) };
  }
  for (const name of SETTING_NAMES) {
    const text = texts[name];
    if (text !== undefined) settings = { ...settings, [name]: SETTINGS[name].read(text, settings) };
  }
  for (const step of THREAD_STEPS) {
    const text = texts[step];
    if (text === undefined) continue;
    const steps = settings.steps.filter((other) => other.step !== step);
    if (!isOff(text)) steps.push({ step, at: readClockTime(text, step) });
    settings = { ...settings, steps: sortedSteps(steps, settings.opening) };
  }
  return settings;
}

export function isOff(text: string): boolean {
  return ['off', 'none', 'no', 'never'].includes(text.trim().toLowerCase());
}

function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const typed = text.trim().toLowerCase();
  const found = choices.find((choice) => choice === typed);
  if (found !== undefined) return found;
  throw new UserError(
    'daily.choice',
    `"${clip(text)}" doesn’t work for ${name}. Choose ${listed(choices, 'or')}.`,
  );
}

const lineNames = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .split(/[\s,;]+/);

/** Whether typed words are names of lines and nothing else. */
export function isLineList(text: string): boolean {
  return (
    isOff(text) || lineNames(text).every((name) => [...OPENING_LINES, 'on', 'all', 'off'].includes(name))
  );
}

/** `on` for all of them, `off` for none, or their names. */
function readLines(text: string): OpeningLine[] {
  if (isOff(text)) return [];
  const names = lineNames(text);
  if (names.length === 1 && (names[0] === 'on' || names[0] === 'all')) return [...OPENING_LINES];
  // If `off` stands beside other names, it is the mistake, so the answer does not offer it.
  const choices = names.includes('off') ? OPENING_LINES : [...OPENING_LINES, 'off'];
  for (const name of names) oneOf('lines', name, choices);
  return OPENING_LINES.filter((line) => names.includes(line));
}

/** A role, or a person on Slack, as platforms write it in a message, or its plain id, which has a digit. */
function readRole(name: string, text: string): string | null {
  if (isOff(text)) return null;
  const trimmed = text.trim();
  const [, id] =
    /^<(?:@&|!subteam\^|@(?=[UW]))([A-Za-z0-9]{2,32})(?:\|[^>]*)?>$/.exec(trimmed) ??
    /^@?((?=.*\d)[A-Z0-9]{8,32})$/.exec(trimmed) ??
    [];
  if (id !== undefined) return id;
  throw new UserError(
    'daily.role',
    `"${clip(text)}" isn’t a role I can use. Pick one with @, give its id, or type ${name}:off. I can’t mention everyone or here.`,
  );
}
