import {
  type Asker,
  type Command,
  type Dispatcher,
  type Option,
  offeredOptions,
  type Request,
} from '../../dispatch/contract.ts';
import type { Suggestion } from '../../web/chat/views.ts';

const MAX_VALUES = 12;
/** A longer line gets no suggestions: its options are read again at each key. */
const MAX_LINE_LENGTH = 500;

/** What may come next in a line that is being typed: a command, an option, or a value. */
export async function autocomplete(
  line: string,
  asker: Asker,
  dispatcher: Dispatcher,
): Promise<Suggestion[]> {
  if (line.length > MAX_LINE_LENGTH) return [];
  const typed = line.replace(/^\s*\/?(letterboxed\s+)?/i, '');
  const start = line.slice(0, line.length - typed.length);
  const [name = ''] = typed.split(/\s/, 1);
  if (typed === name) {
    return dispatcher.commands
      .filter((command) => command.name.startsWith(name.toLowerCase()))
      .map((command) => ({
        line: `${start}${command.name} `,
        label: command.name,
        about: command.description,
      }));
  }
  const command = dispatcher.commands.find((one) => one.name === name.toLowerCase());
  if (command === undefined) return [];
  const current = /\S*$/.exec(typed)?.[0] ?? '';
  const before = line.slice(0, line.length - current.length);
  const [option, value] = splitAtColon(current);
  const request: Request = { ...asker, command: command.name, options: {} };
  const named = command.options.find((one) => one.name === option);
  if (named !== undefined && value !== undefined) {
    const values = await dispatcher.complete(named.name, value, request);
    return values.slice(0, MAX_VALUES).map((each) => ({
      line: `${before}${named.name}:${/\s/.test(each) ? `"${each}"` : each} `,
      label: each,
      about: named.about?.[each] ?? named.description,
    }));
  }
  const given = dispatcher.actionOf(typed.slice(0, typed.length - current.length))?.options ?? {};
  const open = openOptions(command, typed, Object.keys(given));
  const found = await Promise.all(
    open.map(async (one) => suggestionsFor(one, before, await valuesOf(one, current, request, dispatcher))),
  );
  return found.flat().filter(({ label }) => label.startsWith(current.toLowerCase()));
}

function splitAtColon(text: string): [name: string, value?: string] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}

/** The options that are not given yet. If the line can't be read, `given` is empty, and only the names in `typed` tell. */
function openOptions(command: Command, typed: string, given: readonly string[]): Option[] {
  const isNamed = (name: string) => new RegExp(`\\s${name}(:|\\s)`, 'i').test(typed);
  return offeredOptions(command).filter(({ name }) => !given.includes(name) && !isNamed(name));
}

/** The values that may be typed without the name of their option. */
async function valuesOf(
  { name, positional, choices, complete }: Option,
  typed: string,
  request: Request,
  dispatcher: Dispatcher,
): Promise<readonly string[]> {
  if (!positional) return [];
  return choices ?? (complete === undefined ? [] : dispatcher.complete(name, typed, request));
}

function suggestionsFor(option: Option, before: string, values: readonly string[]): Suggestion[] {
  const { name, kind, description } = option;
  const named =
    kind === 'flag'
      ? { line: `${before}${name} `, label: name, about: description }
      : { line: `${before}${name}:`, label: `${name}:`, about: description };
  return [
    ...values.map((choice) => ({
      line: `${before}${choice} `,
      label: choice,
      about: option.about?.[choice] ?? description,
    })),
    named,
  ];
}
