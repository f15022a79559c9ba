import { UserError } from '../src/core/errors.ts';
import { listed } from '../src/core/text.ts';
import type { OpeningContext } from '../src/daily/delivery/messages.ts';
import { testDay } from '../src/daily/delivery/messages.ts';
import { completeZones, isTypedTime, isZoneName } from '../src/daily/settings/local-time.ts';
import {
  type ChangeTexts,
  changeTexts,
  DAILY_ACTIONS,
  isLineList,
  isOff,
  isStepList,
  OPENING_LINES,
  parseStored,
  STEP_OPTIONS,
} from '../src/daily/settings/settings.ts';
import { showSettings, stepsQuestion, typedSteps } from '../src/daily/settings/show.ts';
import { isUntil, moveHere, pause, saveChange, switchOff } from '../src/daily/settings/switch.ts';
import {
  type App,
  type ChannelPermission,
  type Command,
  choiceOf,
  flagOf,
  type Option,
  type Options,
  type ReadingApp,
  type Request,
  textOf,
} from '../src/dispatch/contract.ts';
import { puzzleOf } from '../src/dispatch/target.ts';
import { makeOpeningExtras } from '../src/players/day-post.ts';
import { withStepPrices } from '../src/players/results/paid-hints.ts';
import { DAILY_SOURCES, type DailySource } from '../src/puzzle/types.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { stepSetting, THREAD_STEPS } from '../src/reply/replies/thread-steps.ts';
import { named } from './names.ts';

const STEP_TIME_OPTIONS = STEP_OPTIONS.map(
  (step): Option => ({
    name: step,
    description: step === 'opening' ? 'When the day opens, such as 08:00' : stepSetting(step),
    kind: 'text',
    accepts: (text) => isTypedTime(text) || isOff(text),
    example: step === 'opening' ? '08:00' : 'off',
    ...(step === 'opening' && { alias: ['at', 'time', 'when', 'opens'] }),
  }),
);

/** The choices of `do`, with the options of each. A choice that names a setting, such as `zone`, is followed by its value. */
const ACTIONS: Readonly<
  Record<(typeof DAILY_ACTIONS)[number], { about: string; options?: readonly string[] }>
> = {
  on: {
    about: 'Switch the daily thread on',
    options: ['opening', 'zone', 'steps', 'source', 'ping', 'managers', 'weekends', 'quiet'],
  },
  off: { about: 'Switch it off' },
  show: { about: 'See what is set' },
  pause: { about: 'Pause it, for some days or until you switch it on', options: ['until'] },
  times: { about: 'Change when each step is posted', options: STEP_OPTIONS },
  zone: { about: 'Change the time zone', options: ['zone'] },
  steps: { about: 'Change the steps and their times', options: ['steps'] },
  source: { about: 'Change where the board comes from', options: ['source', 'otherwise'] },
  weekends: { about: 'Choose if there is a thread on weekends', options: ['weekends'] },
  quiet: { about: 'Post without push notifications, or with them', options: ['quiet'] },
  fold: { about: 'On Slack, fold hints in place instead of hiding them behind Show', options: ['fold'] },
  names: { about: 'Name people in reviews, or show only numbers', options: ['names'] },
  lines: { about: 'Choose what the morning’s message says besides the board', options: ['lines'] },
  ping: { about: 'Choose a role to mention', options: ['ping'] },
  managers: { about: 'Choose a role that may change all this', options: ['managers'] },
  here: { about: 'Move the daily thread to this channel' },
  test: { about: 'See a whole day now, only for you', options: ['date'] },
};
const ACTION_ROWS = Object.entries(ACTIONS);

const onOrOff = (
  name: string,
  description: string,
  about: { on: string; off: string },
  example: string,
): Option => ({ name, description, kind: 'choice', choices: ['on', 'off'], about, example });

export const daily: Command = {
  ...named('daily'),
  options: [
    {
      name: 'do',
      description: 'What to do; left out, the settings are changed as given, or shown',
      kind: 'choice',
      choices: DAILY_ACTIONS,
      about: Object.fromEntries(ACTION_ROWS.map(([name, { about }]) => [name, about])),
      // Discord makes subcommands of these choices. It hides hints behind spoilers, and has nothing to fold.
      optionsOfChoice: Object.fromEntries(
        ACTION_ROWS.filter(([name]) => name !== 'fold').map(([name, { options = [] }]) => [name, options]),
      ),
      positional: true,
      example: 'on',
    },
    {
      name: 'value',
      description: 'For steps, zone and the like: what to set it to',
      kind: 'text',
      positional: true,
      example: 'Europe/Berlin',
    },
    ...STEP_TIME_OPTIONS,
    {
      name: 'zone',
      description: 'A city, or a name like Europe/Berlin',
      kind: 'text',
      accepts: isZoneName,
      complete: async (typed) => completeZones(typed),
      example: 'Europe/Berlin',
    },
    {
      name: 'steps',
      description: 'Hints and their times: start@08:00 solution@20:00',
      kind: 'text',
      accepts: isStepList,
      example: 'start@08:00 solution@20:00',
    },
    {
      name: 'source',
      description: 'The newspaper’s board, or the house’s own',
      kind: 'choice',
      choices: DAILY_SOURCES,
      about: {
        newspaper: 'The newspaper’s board',
        house: 'A new board each day, made by this bot',
        off: 'Only boards typed by hand',
      } satisfies Readonly<Record<DailySource, string>>,
      example: 'house',
    },
    {
      name: 'otherwise',
      description: 'Without the newspaper: the house board, or nothing',
      kind: 'choice',
      choices: ['house', 'nothing'],
      about: { house: 'A board made by this bot', nothing: 'No board that day' },
      example: 'house',
    },
    onOrOff(
      'weekends',
      'A thread on Saturdays and Sundays, too',
      { on: 'Also on Saturdays and Sundays', off: 'Only from Monday to Friday' },
      'off',
    ),
    onOrOff(
      'names',
      'Whether reviews of days and months name people',
      { on: 'The best are named', off: 'Only numbers' },
      'off',
    ),
    {
      name: 'lines',
      description: `What the morning’s message says: ${OPENING_LINES.join(', ')}, or off`,
      kind: 'text',
      accepts: isLineList,
      example: 'off',
    },
    onOrOff(
      'quiet',
      'No push notifications, as always on Slack',
      { on: 'No push notifications', off: 'As people have set it' },
      'on',
    ),
    onOrOff(
      'fold',
      'On Slack, hints open in place, also while the bot is down',
      { on: 'Hints are folded; search and exports show them', off: 'Hints are behind Show' },
      'on',
    ),
    {
      name: 'ping',
      description: 'A role to mention at the opening, or off',
      kind: 'text',
      isRole: true,
      example: 'off',
    },
    {
      name: 'managers',
      description: 'A role that may change all this, or off',
      kind: 'text',
      isRole: true,
      example: 'off',
    },
    {
      name: 'until',
      description: 'For pause: its end, such as monday or 3 days',
      kind: 'text',
      accepts: isUntil,
      example: '3 days',
    },
    { name: 'date', description: 'For test: the board of another day', kind: 'date', example: 'yesterday' },
    {
      name: 'from',
      description: 'Set by the buttons that answer which thread moves here',
      kind: 'text',
      internal: true,
    },
    {
      name: 'sure',
      description: 'Set by the buttons that answer which steps to keep',
      kind: 'flag',
      internal: true,
      inPlace: true,
    },
  ],
  actions: {
    show: { access: 'anyone-reads', run: show },
    change: { access: 'manager', run: change },
  },
  // Any setting typed after `show` makes it a change.
  actionOf: ({ do: action = 'show', ...others }) =>
    action === 'show' && Object.keys(others).length === 0 ? 'show' : 'change',
  private: true,
  settingsIn: ({ do: action, ...others }) =>
    Object.keys(others).length > 0 ? undefined : FORM_OPTIONS[String(action)],
  settingsNow: formValues,
  more:
    'Each day’s board gets one thread. It opens at the time you set, but not before the board is out, at 3:00 AM New York ' +
    `time. Steps are ${listed(THREAD_STEPS)}. Times are in this channel’s time zone.`,
  examples: [
    'daily on',
    'daily show',
    'daily times opening:08:00 count:12:00 solution:20:00',
    'daily zone:Europe/Berlin',
    'daily steps start@08:00 count@12:00 lengths@16:00 solution@20:00',
    'daily source:house',
    'daily weekends off',
    'daily on quiet:on',
    'daily pause until:"3 days"',
    'daily here',
    'daily test',
    'daily off',
  ],
};

/** The options that a form asks for when somebody gives one of these choices and nothing else. */
const FORM_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  on: ['zone', 'opening', 'steps', 'weekends', 'source'],
  ping: ['ping'],
  managers: ['managers'],
};

/** What the form shows as set. Undefined for a paused or suspended thread, which `on` resumes without a form. */
async function formValues(request: Request, { store }: ReadingApp): Promise<Options | undefined> {
  requireChannel(request);
  const { tenant, channel } = request.where;
  const stored = await store.tenant(tenant).subscriptions.get(channel);
  if (request.options.do === 'on' && (stored?.state === 'paused' || stored?.state === 'suspended'))
    return undefined;
  const { zone, opening, steps, weekends, source, ping, managers } = parseStored(
    stored?.settings ?? { zone: request.who.zone },
  );
  return {
    zone,
    opening,
    steps: typedSteps(steps, opening),
    weekends: weekends ? 'on' : 'off',
    source,
    ping: ping ?? '',
    managers: managers ?? '',
  };
}

async function show(request: Request, app: ReadingApp): Promise<Reply> {
  requireChannel(request);
  return showSettings(request, app);
}

async function change(request: Request, app: App, permission: ChannelPermission): Promise<Reply> {
  requireChannel(request);
  const action = choiceOf(request, 'do', DAILY_ACTIONS);
  const texts = changeTexts(request, action, textOf(request, 'value'));
  requireRoles(request, texts);
  const isChange = Object.keys(texts).length > 0;
  if (isChange && action !== undefined && WITHOUT_SETTINGS.includes(action))
    throw takesNoSettingsError(action, Object.keys(texts));
  if (action !== 'pause' && textOf(request, 'until') !== undefined)
    throw new UserError('daily.until', 'until is when a pause ends. Type:', 'daily pause until:friday');
  // The question is about the steps of this channel, and "here" brings those of another one.
  const question =
    flagOf(request, 'sure') || action === 'here' ? undefined : await stepsQuestion(request, app, texts);
  if (question !== undefined) return question;
  // The extras come from `players`, which the daily thread's own files can't import.
  const makeExtras = (day: OpeningContext) => makeOpeningExtras(app, day);
  const dailyApp = { ...app, makeOpeningExtras: makeExtras };
  switch (action) {
    case 'test':
      return withStepPrices(
        request,
        app,
        await puzzleOf(request, app),
        await testDay(request, app, makeExtras),
      );
    case 'off':
      return switchOff(request, dailyApp, permission);
    case 'pause':
      return pause(request, dailyApp, permission, textOf(request, 'until') ?? textOf(request, 'value'));
    case 'on':
      return saveChange(request, dailyApp, permission, texts, { switchesOn: true });
    case 'here':
      return moveHere(request, dailyApp, permission, texts);
    default:
      return isChange
        ? saveChange(request, dailyApp, permission, texts, { switchesOn: false })
        : showSettings(request, app);
  }
}

const WITHOUT_SETTINGS: readonly (typeof DAILY_ACTIONS)[number][] = ['show', 'off', 'pause', 'test'];

function takesNoSettingsError(action: string, given: readonly string[]): UserError {
  const line = `daily ${action} changes no settings. To change ${listed(given)}, type another line.`;
  return new UserError('daily.settings', line);
}

function requireChannel({ where, door }: Request): void {
  if (!where.direct && door !== 'terminal') return;
  throw new UserError(
    'daily.where',
    'The daily thread needs a channel of a server or workspace that I’m in. Type this command there.',
  );
}

function requireRoles({ door, where }: Request, { ping, managers }: ChangeTexts): void {
  // On Discord, the role of everyone has the id of the server, and can be picked like any other role.
  if ([ping, managers].some((role) => where.tenant === `discord:${role}`))
    throw new UserError('daily.role', 'I can’t use the role of everyone. Pick another one.');
  // Slack does not say with a command which groups a person is in.
  if (door !== 'slack' || managers === undefined || isOff(managers)) return;
  throw new UserError(
    'daily.managers',
    'I can’t choose who manages by a group on Slack. Admins and owners of the workspace do, if I may look people up (the permission users:read), or else everyone in the channel.',
  );
}
