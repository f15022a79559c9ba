import * as v from 'valibot';
import { THREAD_STEPS, type ThreadStep } from '../../answers/thread-steps.ts';
import { UserError } from '../../core/errors.ts';
import { clip, listed } from '../../core/text.ts';
import { DAILY_SOURCES } from '../../puzzle/types.ts';
import type { ClockTime, DailySettings } from '../types.ts';
import { isClockTime, readClockTime } from './clock-time.ts';
import { isZone } from './zones.ts';

export type DailyStep = DailySettings['steps'][number];

/** What a channel gets that chose nothing. */
export const DEFAULT_SETTINGS: DailySettings = {
  zone: 'America/New_York',
  opening: '08:00',
  steps: [
    { step: 'start', at: '08:00' },
    { step: 'count', at: '12:00' },
    { step: 'solution', at: '20:00' },
  ],
  source: 'newspaper',
  otherwise: 'house',
  weekends: true,
  quiet: false,
  names: true,
  ping: null,
  managers: null,
};

/** Settings as the store keeps them. */
export interface StoredSettings extends DailySettings {
  readonly format: 1;
  /** When the daily thread was last switched on: what was due before that is not posted. */
  readonly since: number;
}

export function makeStored(settings: DailySettings, since: number): StoredSettings {
  return { ...settings, format: 1, since };
}

const { zone, opening, source, otherwise, weekends, quiet, names, ping, managers } = DEFAULT_SETTINGS;
const clockTime = v.custom<ClockTime>(isClockTime);
const storedStep = v.object({ step: v.picklist(THREAD_STEPS), at: clockTime });
/** Steps that there are no longer are left out; of a step that is there twice, the later time counts. */
const storedSteps = v.pipe(
  v.array(v.fallback(v.nullable(storedStep), null)),
  v.transform((steps): DailyStep[] => {
    const times = new Map(steps.filter((step) => step !== null).map(({ step, at }) => [step, at]));
    return Array.from(times, ([step, at]) => ({ step, at }));
  }),
);
const storedSettings = v.object({
  since: v.fallback(v.pipe(v.number(), v.finite()), 0),
  zone: v.fallback(v.pipe(v.string(), v.check(isZone)), zone),
  opening: v.fallback(clockTime, opening),
  steps: v.fallback(storedSteps, [...DEFAULT_SETTINGS.steps]),
  source: v.fallback(v.picklist(DAILY_SOURCES), source),
  otherwise: v.fallback(v.picklist(['house', 'nothing']), otherwise),
  weekends: v.fallback(v.boolean(), weekends),
  quiet: v.fallback(v.boolean(), quiet),
  names: v.fallback(v.boolean(), names),
  ping: v.fallback(v.nullable(v.string()), ping),
  managers: v.fallback(v.nullable(v.string()), managers),
});

/**
 * Reads what the store kept. What is missing or makes no sense, as in settings of another version of the
 * program, becomes the default: one unreadable field must not stop a channel's daily thread.
 */
export function parseStored(stored: unknown): StoredSettings {
  const result = v.safeParse(storedSettings, stored);
  const settings = result.success ? result.output : v.parse(storedSettings, {});
  return { ...settings, format: 1, steps: sortedSteps(settings.steps, settings.opening) };
}

/** Whether there is anything to read, for the check of a database. */
export function isReadableSettings(stored: unknown): boolean {
  return v.is(storedSettings, stored);
}

/** Changes the opening; steps that were posted together with it stay together with it. */
export function withOpening(settings: DailySettings, opening: ClockTime): DailySettings {
  const steps = settings.steps.map(({ step, at }) => ({ step, at: at === settings.opening ? opening : at }));
  return { ...settings, opening, steps: sortedSteps(steps, opening) };
}

/** Gives one step another time, or takes it away. */
export function withStep(settings: DailySettings, step: ThreadStep, at: ClockTime | null): DailySettings {
  const others = settings.steps.filter((other) => other.step !== step);
  const steps = at === null ? others : [...others, { step, at }];
  return { ...settings, steps: sortedSteps(steps, settings.opening) };
}

/**
 * Reads all steps of a day as typed: `start@08:00 count@12:00, solution at 20:00`. A step without a time
 * keeps the one it has, or comes with the opening; `none` leaves only the opening.
 *
 * @example readSteps('start count@13:00', DEFAULT_SETTINGS) // [{ step: 'start', at: '08:00' }, { step: 'count', at: '13:00' }]
 */
export function readSteps(text: string, settings: DailySettings): DailyStep[] {
  const typed = text
    .toLowerCase()
    .replace(/\s*(@|=|\bat\b)\s*/g, '@')
    .split(/[\s,;]+/)
    .filter((part) => part !== '');
  if (typed.length === 1 && typed[0] === 'none') return [];
  if (typed.length === 0) throw unknownStep(text);
  const steps = typed.map((part): DailyStep => {
    const [name = '', time] = part.split(/[@:](.*)/s);
    const step = THREAD_STEPS.find((known) => known === name);
    if (step === undefined) throw unknownStep(name);
    const kept = settings.steps.find((other) => other.step === step)?.at ?? settings.opening;
    return { step, at: time === undefined ? kept : readClockTime(time, step) };
  });
  const twice = steps.find(({ step }, index) => steps.findIndex((other) => other.step === step) < index);
  if (twice !== undefined) {
    throw new UserError('daily.steps', `The step "${twice.step}" is there twice. Give each step one time.`);
  }
  return sortedSteps(steps, settings.opening);
}

/** A day begins at its opening: a step with an earlier time on the clock is the next morning's. */
function sortedSteps(steps: readonly DailyStep[], opening: ClockTime): DailyStep[] {
  const rank = ({ at }: DailyStep) => (at < opening ? 1 : 0);
  return [...steps].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.at < b.at ? -1 : a.at > b.at ? 1 : THREAD_STEPS.indexOf(a.step) - THREAD_STEPS.indexOf(b.step)),
  );
}

function unknownStep(typed: string): UserError {
  return new UserError(
    'daily.steps',
    `"${clip(typed)}" isn’t a step. Choose from ${listed(THREAD_STEPS)}, each with its time: ` +
      'start@08:00 count@12:00 solution@20:00',
  );
}
