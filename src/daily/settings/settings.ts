import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import { DAILY_SOURCES } from '../../puzzle/types.ts';
import { type ClockTime, type DailySettings, THREAD_STEPS, type ThreadStep } from '../types.ts';
import { isClockTime, readClockTime } from './clock-time.ts';
import { isZone } from './zones.ts';

export type DailyStep = DailySettings['steps'][number];

/** What a place gets that chose nothing. */
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
  ping: null,
  managers: null,
};

/** Settings as the store keeps them. */
export interface StoredSettings extends DailySettings {
  readonly format: 1;
  /** When the place was last switched on: what was due before is not owed. */
  readonly since: number;
}

export function makeStored(settings: DailySettings, since: number): StoredSettings {
  return { ...settings, format: 1, since };
}

/**
 * Reads what the store kept. What is missing or makes no sense, as in settings of another version of the
 * program, becomes the default: a place never loses its day over one field.
 */
export function parseStored(stored: unknown): StoredSettings {
  const from = isRecord(stored) ? stored : {};
  const opening = isClockTime(from.opening) ? from.opening : DEFAULT_SETTINGS.opening;
  return {
    format: 1,
    since: typeof from.since === 'number' && Number.isFinite(from.since) ? from.since : 0,
    zone: typeof from.zone === 'string' && isZone(from.zone) ? from.zone : DEFAULT_SETTINGS.zone,
    opening,
    steps: sortedSteps(parseSteps(from.steps) ?? DEFAULT_SETTINGS.steps, opening),
    source: DAILY_SOURCES.find((source) => source === from.source) ?? DEFAULT_SETTINGS.source,
    otherwise: from.otherwise === 'nothing' ? 'nothing' : 'house',
    weekends: from.weekends !== false,
    ping: typeof from.ping === 'string' ? from.ping : null,
    managers: typeof from.managers === 'string' ? from.managers : null,
  };
}

/** Changes the opening; steps that came right with the old one come right with the new one. */
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

function parseSteps(value: unknown): DailyStep[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const steps = new Map<ThreadStep, ClockTime>();
  for (const entry of value) {
    const step = isRecord(entry) ? THREAD_STEPS.find((known) => known === entry.step) : undefined;
    if (step !== undefined && isRecord(entry) && isClockTime(entry.at)) steps.set(step, entry.at);
  }
  return Array.from(steps, ([step, at]) => ({ step, at }));
}

function unknownStep(typed: string): UserError {
  return new UserError(
    'daily.steps',
    `"${clip(typed)}" is not a step of the day. There is: ${THREAD_STEPS.join(', ')}. Type them with their times: ` +
      'start@08:00 count@12:00 solution@20:00',
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
