import { UserError } from '../core/errors.ts';
import { capitalized, clip, grouped, listed, nearest, splitWords } from '../core/text.ts';
import { addDays, dateAt } from '../puzzle/calendar.ts';
import type { Form, OptionValue } from '../reply/model/types.ts';
import {
  type App,
  type Command,
  type Option,
  type Options,
  offeredOptions,
  type Request,
} from './contract.ts';
import { withoutBoardLinks, withoutSideLabels } from './typed-board.ts';

/** Options that several commands share. */
export const SIDES_OPTION: Option = {
  name: 'sides',
  description: 'Any board, or today’s',
  kind: 'sides',
  positional: true,
  example: 'ozu nri lfa mbt',
};
export const DATE_OPTION: Option = {
  name: 'date',
  description: 'Yesterday, or a date',
  kind: 'date',
  positional: true,
  example: 'yesterday',
};

export const EVERYDAY_OPTION: Option = {
  name: 'everyday',
  description: 'Only well-known words',
  kind: 'flag',
};
export const PAGE_OPTION: Option = {
  name: 'page',
  description: 'Page of a long list',
  kind: 'integer',
  min: 1,
  max: 10_000,
  example: '2',
  inPlace: true,
};

/** Characters of one option: more than anybody types by hand. */
const MAX_OPTION_LENGTH = 2000;
const MAX_WORDS = 100;
/** The newspaper's game takes no longer word. */
const MAX_WORD_LENGTH = 40;
/** Characters that can't be seen: they come with copied text and mean nothing. */
export const INVISIBLE_CHARACTERS = /\p{C}/gu;
/** Letters, digits and marks as East Asian keyboards write them. */
const FULL_WIDTH = /[！-～]/g;
const YES = ['yes', 'true', 'on', '1', 'y'];
const NO = ['no', 'false', 'off', '0', 'n'];

/**
 * The options as a handler gets them: each in its own type, choices and words in one spelling, empty ones left out. Options
 * from forms and buttons are read the same way as typed ones.
 *
 * @example readOptions(hint, { step: 'Lengths', words: 'FORUM mozart' }) // { step: 'lengths', words: 'forum,mozart' }
 */
export function readOptions(command: Command, given: Options): Options {
  const read: [string, OptionValue][] = [];
  for (const [name, value] of Object.entries(given)) {
    const option = command.options.find((one) => one.name === name);
    if (option === undefined) throw unknownOptionError(command, name);
    const understood = readOption(option, value);
    if (understood !== undefined) read.push([name, understood]);
  }
  return Object.fromEntries(read);
}

/** Required options that were not given. A date replaces the sides: both name a board. */
export function missingOptions(command: Command, options: Options): Option[] {
  return command.options.filter(
    ({ name, kind, required, requiredWith, unless }) =>
      (required || (requiredWith && options[requiredWith.option] === requiredWith.choice)) &&
      options[name] === undefined &&
      !(unless !== undefined && options[unless] === true) &&
      !(kind === 'sides' && options.date !== undefined),
  );
}

/** A form for the missing options and those asked together with them; its action keeps the options given already. */
export function formFor(command: Command, missing: readonly Option[], options: Options): Form {
  const choice = missing.find(({ requiredWith }) => requiredWith !== undefined)?.requiredWith?.choice;
  const optional = command.options.filter((option) => option.inForm && options[option.name] === undefined);
  return {
    title: `Letter Boxed: ${command.name}`,
    fields: [...missing, ...optional].map(({ inForm, startsAs = '', ...option }) => ({
      name: option.name,
      label: capitalized(option.name),
      hint: option.description,
      required: !inForm,
      // Words get no example: they fit one board only. `optionsOfChoice` excludes the relay's word: its example is an action.
      ...(option.kind === 'words'
        ? { long: true }
        : option.optionsOfChoice === undefined && { placeholder: option.example }),
      ...(options[startsAs] !== undefined && { value: String(options[startsAs]) }),
      ...(option.isRole && { isRole: true }),
      ...(option.choices &&
        option.optionsOfChoice === undefined && {
          choices: option.choices.map((value) => ({ value, label: option.about?.[value] ?? value })),
        }),
    })),
    action: { command: command.name, options },
    submit: capitalized(choice ?? command.name),
  };
}

/** The form for settings, each with its value now. A field left empty changes nothing, except that it takes a role away. */
export function settingsForm(
  command: Command,
  names: readonly string[],
  options: Options,
  now: Options = {},
): Form {
  const asked = names.map((name) => command.options.find((option) => option.name === name)!);
  const form = formFor(command, asked, options);
  return {
    ...form,
    fields: form.fields.map((field) => ({
      ...field,
      // Until it is known which role is set, a field that nobody touched would take that role away.
      required: field.isRole === true && now[field.name] === undefined,
      ...(now[field.name] !== undefined && { value: String(now[field.name]) }),
    })),
  };
}

export function withoutFullWidth(text: string): string {
  return text.replace(FULL_WIDTH, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));
}

function readOption(option: Option, value: OptionValue): OptionValue | undefined {
  const given = String(value);
  if (given.length > MAX_OPTION_LENGTH) {
    throw new UserError(
      'options.long',
      `${option.name} is too long. It takes ${grouped(MAX_OPTION_LENGTH)} characters at most.`,
    );
  }
  // A field of Discord keeps the quotation marks that a typed line needs.
  const text = withoutFullWidth(given)
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE_CHARACTERS, '')
    .trim()
    .replace(/^["“”]([^"“”]*)["“”]$/u, '$1')
    .trim();
  if (text === '') return undefined;
  switch (option.kind) {
    case 'sides':
      return withoutBoardLinks(withoutSideLabels(text));
    case 'text':
    case 'date':
      return text;
    case 'words':
      return readWords(option, text);
    case 'integer':
      return readInteger(option, text);
    case 'flag':
      return readFlag(option, text);
    case 'choice':
      return readChoice(option, text);
  }
}

function readWords({ name }: Option, text: string): string | undefined {
  const words = splitWords(text);
  if (words.length > MAX_WORDS) {
    throw new UserError(
      'options.words',
      `${name} has ${grouped(words.length)} words. It takes ${MAX_WORDS} at most.`,
    );
  }
  const long = words.find((word) => word.length > MAX_WORD_LENGTH);
  if (long !== undefined) {
    throw new UserError(
      'options.word-long',
      `"${clip(long)}" is too long for a word. Separate words with commas: ${name}:forum,mozart`,
    );
  }
  return words.join(',') || undefined;
}

function readInteger({ name, min, max, example }: Option, text: string): number {
  const number = /^[#+-]?\d{1,9}$/.test(text) ? Number(text.replace('#', '')) : Number.NaN;
  if (number >= (min ?? number) && number <= (max ?? number)) return number;
  const to = max === undefined ? 'up' : `to ${grouped(max)}`;
  const range = min === undefined ? '' : ` from ${grouped(min)} ${to}`;
  throw new UserError(
    'options.whole',
    `"${clip(text)}" doesn’t work for ${name}. Type a whole number${range}, like ${name}:${example ?? min ?? 1}`,
  );
}

function readFlag({ name }: Option, text: string): boolean {
  const word = text.toLowerCase();
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  throw new UserError(
    'options.flag',
    `"${clip(text)}" doesn’t work for ${name}. Type yes or no, like ${name}:yes`,
  );
}

/** A phrase as options declare it: "start letter" stands for "Starting letters", too. */
export const plainPhrase = (text: string) => text.toLowerCase().replace(/(?:ing|s)\b/g, '');

function readChoice({ name, choices = [], phrases = {} }: Option, text: string): string {
  const typed = text.toLowerCase();
  const phrase = plainPhrase(text);
  const word = (Object.hasOwn(phrases, phrase) && phrases[phrase]) || typed;
  const begun = choices.filter((choice) => choice.startsWith(word));
  if (choices.includes(word)) return word;
  if (begun.length === 1) return begun[0]!;
  const meant = nearest(word, choices);
  throw new UserError(
    'options.choice',
    `"${clip(text)}" doesn’t work for ${name}. ${meant === undefined ? `Choose ${listed(choices, 'or')}.` : `Did you mean ${meant}?`}`,
  );
}

function unknownOptionError(command: Command, name: string): UserError {
  const names = offeredOptions(command).map((option) => option.name);
  const meant = command.options.find(({ alias = [] }) => alias.includes(name))?.name ?? nearest(name, names);
  const known = names.length === 0 ? 'It takes none.' : `It takes ${listed(names)}.`;
  return new UserError(
    'options.unknown',
    `${command.name} has no option "${clip(name)}". ${meant === undefined ? known : `Did you mean ${meant}?`}`,
  );
}

/** Discord's limits: suggestions, and characters of each. */
const MAX_SUGGESTIONS = 25;
const MAX_SUGGESTION_LENGTH = 100;
/** Days suggested by date, after today and yesterday. */
const SUGGESTED_DAYS = 14;

/** Suggestions for one option while it is typed. A failure gives none, so that the person can keep typing. */
export async function completions(
  command: Command | undefined,
  { name, typed }: { readonly name: string; readonly typed: string },
  request: Request,
  app: App,
): Promise<readonly string[]> {
  const option = command?.options.find((one) => one.name === name);
  if (option === undefined) return [];
  const text = typed.slice(0, MAX_SUGGESTION_LENGTH).toLowerCase();
  try {
    const found =
      option.complete !== undefined
        ? await option.complete(typed.slice(0, MAX_SUGGESTION_LENGTH), request, app)
        : (option.choices ?? (option.kind === 'date' ? recentDays(app) : [])).filter((choice) =>
            choice.includes(text),
          );
    return found.filter((suggestion) => suggestion.length <= MAX_SUGGESTION_LENGTH).slice(0, MAX_SUGGESTIONS);
  } catch (error) {
    app.log.warn({ err: error, command: command?.name, option: name }, 'no suggestions');
    return [];
  }
}

function recentDays({ clock }: App): string[] {
  const today = dateAt(clock.now());
  const dates = Array.from({ length: SUGGESTED_DAYS }, (_, days) => addDays(today, -(days + 2)));
  return ['today', 'yesterday', ...dates];
}
