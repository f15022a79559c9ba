import type { Command, Dispatcher, Option, Request } from '../../dispatch/contract.ts';
import { readLine } from '../../dispatch/parse/line.ts';

export interface Suggestion {
  /** What the typed line becomes when this one is taken. */
  readonly line: string;
  readonly label: string;
  readonly about: string;
}

type Asker = Omit<Request, 'command' | 'options'>;
const MOST = 12;

/** What may come next in a line that is being typed: a command, an option, or a value. */
export async function suggest(line: string, asker: Asker, dispatcher: Dispatcher): Promise<Suggestion[]> {
  const typed = line.slice(0, 500).replace(/^\s*\/?(letterboxed\s+)?/i, '');
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
  const command = dispatcher.commands.find((command) => command.name === name.toLowerCase());
  if (command === undefined) return [];
  const current = /\S*$/.exec(typed)?.[0] ?? '';
  const before = line.slice(0, line.length - current.length);
  const [option, value] = splitAtColon(current);
  const found = command.options.find(({ name }) => name === option);
  if (found !== undefined && value !== undefined) {
    const request: Request = { ...asker, command: command.name, options: {} };
    const values = await dispatcher.complete(found.name, value, request);
    return values.slice(0, MOST).map((each) => ({
      line: `${before}${found.name}:${/\s/.test(each) ? `"${each}"` : each} `,
      label: each,
      about: found.description,
    }));
  }
  return openOptions(command, typed, namesGiven(typed.slice(0, typed.length - current.length), dispatcher))
    .flatMap((option) => suggestionsFor(option, before))
    .filter(({ label }) => label.startsWith(current.toLowerCase()))
    .slice(0, MOST);
}

function splitAtColon(text: string): [name: string, value?: string] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}

/** Those not named yet, nor given without their names. */
function openOptions(command: Command, typed: string, given: readonly string[]): Option[] {
  const isNamed = (name: string) => new RegExp(`\\s${name}(:|\\s)`, 'i').test(typed);
  return command.options.filter(({ name }) => !given.includes(name) && !isNamed(name));
}

/** None of a line that can't be read yet. */
function namesGiven(line: string, { commands }: Dispatcher): string[] {
  try {
    return Object.keys(readLine(line, commands).options());
  } catch {
    return [];
  }
}

function suggestionsFor(option: Option, before: string): Suggestion[] {
  const { name, kind, description, choices = [] } = option;
  const named =
    kind === 'flag'
      ? { line: `${before}${name} `, label: name, about: description }
      : { line: `${before}${name}:`, label: `${name}:`, about: description };
  const bare = option.positional ? choices : [];
  return [
    ...bare.map((choice) => ({ line: `${before}${choice} `, label: choice, about: description })),
    named,
  ];
}
