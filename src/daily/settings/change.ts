import { THREAD_STEPS } from '../../answers/thread-steps.ts';
import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import { DAILY_SOURCES } from '../../puzzle/types.ts';
import type { Action, Reply } from '../../reply/model/types.ts';
import type { DailySettings } from '../types.ts';
import { readClockTime } from './clock-time.ts';
import {
  type DailyStep,
  DEFAULT_SETTINGS,
  parseStored,
  readSteps,
  withOpening,
  withStep,
} from './settings.ts';
import { stepsText } from './show.ts';
import { readZone } from './zones.ts';

export const STEP_OPTIONS = ['opening', ...THREAD_STEPS] as const;
const OTHER_OPTIONS = [
  'zone',
  'steps',
  'source',
  'otherwise',
  'weekends',
  'quiet',
  'names',
  'ping',
  'managers',
] as const;
type ChangeOption = (typeof STEP_OPTIONS)[number] | (typeof OTHER_OPTIONS)[number];

/** Settings to change, as typed. */
export type ChangeTexts = Partial<Record<ChangeOption, string>>;

/** A time as people type it, and what stands behind it. A bare hour is one only behind `at`. */
const TIME_AND_ZONE = /^(?:at )?(\d\d?:\d\d(?: ?[ap]m)?|\d\d? ?[ap]m|(?<=at )\d\d?)(?: (.+))?$/i;

/** `daily zone:Berlin` and `daily zone Berlin` are one, and so are `daily on opening:08:00` and `daily on 08:00`. */
export function changeTexts(
  { options }: Pick<Request, 'options'>,
  action: string | undefined,
  value: string | undefined,
): ChangeTexts {
  const texts: Partial<Record<ChangeOption, string>> = {};
  for (const name of [...STEP_OPTIONS, ...OTHER_OPTIONS]) {
    if (options[name] !== undefined) texts[name] = String(options[name]);
  }
  const named = OTHER_OPTIONS.find((name) => name === action);
  if (named !== undefined) {
    if (value !== undefined) texts[named] = value;
    if (texts[named] === undefined) throw needsValue(named);
  } else if (action === 'times') {
    if (value !== undefined || Object.keys(texts).length === 0) throw needsTimes();
  } else if (value !== undefined && action !== 'pause') {
    const isOn = action === undefined || action === 'on';
    const [, opening, zone] = (isOn && TIME_AND_ZONE.exec(value)) || [];
    if (opening !== undefined) return { opening, ...(zone !== undefined && { zone }), ...texts };
    if (isOn && /^\d\d?$/.test(value))
      throw new UserError('daily.hour', `Is ${value} a time? Then type: daily on ${value}:00`);
    throw new UserError(
      'daily.action',
      `daily can’t do "${clip(value)}". Choose from on, off, show, pause, times, zone, steps, ` +
        'source, weekends, quiet, names, ping, managers, here, test.',
    );
  }
  return texts;
}

/** Settings with what was typed put in. Throws UserError, and then nothing is changed at all. */
export function applyChange(before: DailySettings, texts: ChangeTexts): DailySettings {
  let settings = before;
  if (texts.zone !== undefined) settings = { ...settings, zone: readZone(texts.zone) };
  if (texts.opening !== undefined)
    settings = withOpening(settings, readClockTime(texts.opening, 'the opening'));
  if (texts.steps !== undefined) settings = { ...settings, steps: readSteps(texts.steps, settings) };
  for (const step of THREAD_STEPS) {
    const text = texts[step];
    if (text !== undefined)
      settings = withStep(settings, step, isOff(text) ? null : readClockTime(text, step));
  }
  const { source, otherwise, weekends, quiet, names, ping, managers } = texts;
  if (source !== undefined) settings = { ...settings, source: oneOf('source', source, DAILY_SOURCES) };
  if (otherwise !== undefined)
    settings = { ...settings, otherwise: oneOf('otherwise', otherwise, ['house', 'nothing']) };
  if (weekends !== undefined)
    settings = { ...settings, weekends: oneOf('weekends', weekends, ['on', 'off']) === 'on' };
  if (quiet !== undefined) settings = { ...settings, quiet: oneOf('quiet', quiet, ['on', 'off']) === 'on' };
  if (names !== undefined) settings = { ...settings, names: oneOf('names', names, ['on', 'off']) === 'on' };
  if (ping !== undefined) settings = { ...settings, ping: readRole('ping', ping) };
  if (managers !== undefined) settings = { ...settings, managers: readRole('managers', managers) };
  return settings;
}

function isOff(text: string): boolean {
  return ['off', 'none', 'no', 'never'].includes(text.trim().toLowerCase());
}

function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const typed = text.trim().toLowerCase();
  const found = choices.find((choice) => choice === typed);
  if (found !== undefined) return found;
  throw new UserError('daily.choice', `${name} "${clip(text)}" should be one of: ${choices.join(', ')}.`);
}

/** A role as platforms write it in a message, or its plain id. */
function readRole(name: string, text: string): string | null {
  if (isOff(text)) return null;
  const trimmed = text.trim();
  const [, id] =
    /^<(?:@&|!subteam\^)([A-Za-z0-9]{2,32})(?:\|[^>]*)?>$/.exec(trimmed) ??
    /^@?([A-Z0-9]{8,32})$/.exec(trimmed) ??
    [];
  if (id !== undefined) return id;
  throw new UserError(
    'daily.role',
    `"${clip(text)}" isn’t a role I can use. Pick one with @, give its id, or type ${name}:off. I can’t mention everyone or here.`,
  );
}

function needsValue(name: string): UserError {
  return new UserError('daily.value', `Which ${name}? Try: daily ${EXAMPLES[name] ?? name}`);
}

function needsTimes(): UserError {
  return new UserError(
    'daily.times',
    'Which times? Try: daily times opening:08:00 count:12:00 solution:20:00',
  );
}

const EXAMPLES: Readonly<Record<string, string>> = {
  zone: 'zone:Europe/Berlin',
  steps: 'steps start@08:00 count@12:00 solution@20:00',
  source: 'source:newspaper or source:house',
  weekends: 'weekends:on or weekends:off',
  quiet: 'quiet:on or quiet:off',
  names: 'names:on or names:off',
  ping: 'ping:@role or ping:off',
  managers: 'managers:@role or managers:off',
};

/**
 * What to ask before a typed list of steps takes others away; undefined where it takes none. `steps:none` says itself
 * that it takes all of them, and so does `count:off`.
 */
export async function stepsQuestion(
  { where, options }: Request,
  { store }: App,
  texts: ChangeTexts,
): Promise<Reply | undefined> {
  if (texts.steps === undefined || texts.steps.trim().toLowerCase() === 'none') return undefined;
  const subscription = await store.tenant(where.tenant).subscriptions.get(where.channel);
  const before = subscription === undefined ? DEFAULT_SETTINGS : parseStored(subscription.settings);
  const changed = applyChange(before, texts);
  const { steps } = changed;
  const dropped = before.steps.filter(
    ({ step }) => texts[step] === undefined && steps.every((other) => other.step !== step),
  );
  if (dropped.length === 0) return undefined;
  const all = applyChange(before, { ...texts, steps: typed([...steps, ...dropped]) });
  const action = (wanted: readonly DailyStep[]): Action => ({
    command: 'daily',
    options: { do: options.do === 'on' ? 'on' : 'steps', ...texts, steps: typed(wanted), sure: true },
  });
  return {
    title: 'Which steps should the day have?',
    blocks: [
      {
        kind: 'facts',
        facts: [
          { label: 'Now', value: stepsText(before) },
          { label: 'Only yours', value: stepsText(changed) },
          { label: 'All of them', value: stepsText(all) },
        ],
      },
      { kind: 'note', line: 'Nothing has changed yet.' },
      {
        kind: 'buttons',
        buttons: [
          { label: 'Only yours', action: action(steps) },
          { label: 'All of them', action: action(all.steps) },
        ],
      },
    ],
    audience: 'asker',
  };
}

/** As `steps` is typed. */
function typed(steps: readonly DailyStep[]): string {
  return THREAD_STEPS.flatMap((name) => steps.filter(({ step }) => step === name))
    .map(({ step, at }) => `${step}@${at}`)
    .join(' ');
}
