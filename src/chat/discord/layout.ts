import {
  type Command,
  type Dispatcher,
  type Option,
  type Options,
  offeredOptions,
} from '../../dispatch/contract.ts';
import type { Action } from '../../reply/model/types.ts';
import { codeMarkdown } from './markdown.ts';

/** The list that people see when they type a slash, in its order: what they look for first, and groups. A phone shows twelve. */
const LIST: readonly string[] = [
  ...['today', 'play', 'hint', 'check', 'share', 'leaderboard'],
  ...['relay', 'board', 'me', 'tools', 'daily', 'help'],
];
/** Groups of commands. A command that is in none and not on top is a tool. */
export const GROUPS: Readonly<Record<string, string>> = {
  me: 'Your results, reminders and data',
  tools: 'Solve any board, and everything else',
};
const GROUP_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['stats', 'missing', 'remind', 'holiday', 'record', 'privacy'].map((name) => [name, 'me']),
  ),
  set: 'daily',
};

const NOTHING: Options = {};
/** The choices that commands make by default. */
const SHOWS: readonly string[] = ['show', 'list'];

/** One subcommand of `/letterboxed`. */
export interface Entry {
  /** Its name, after the name of its group if it is in one. */
  readonly path: readonly string[];
  readonly command: Command;
  readonly description: string;
  readonly options: readonly Option[];
  /** The choice that it stands for, and the options that it has to set for it: none where an option says as much. */
  readonly chosen: Options;
  readonly sets: Options;
}

/** Each command once, or once for each of its choices if those offer options of their own. */
export function entriesOf(commands: readonly Command[]): Entry[] {
  const entries = commands.flatMap((command): Entry[] => {
    const { name, description } = command;
    const options = offeredOptions(command);
    const choice = options.find(({ offers }) => offers !== undefined);
    if (choice === undefined) {
      const group = LIST.includes(name) ? [] : [GROUP_OF[name] ?? 'tools'];
      return [{ path: [...group, name], command, description, options, chosen: NOTHING, sets: NOTHING }];
    }
    return Object.entries(choice.offers!).map(([chosen, names]) => ({
      path: [name, chosen],
      command,
      description: choice.about?.[chosen] ?? choice.description,
      options: options.filter((option) => names.includes(option.name)),
      chosen: { [choice.name]: chosen },
      sets: names.includes(chosen) ? NOTHING : { [choice.name]: chosen },
    }));
  });
  return entries.toSorted((a, b) => LIST.indexOf(a.path[0]!) - LIST.indexOf(b.path[0]!));
}

/** The request behind an interaction's path; help for an unknown path, such as of an earlier declaration. */
export function readPath(path: readonly string[], options: Options, entries: readonly Entry[]): Action {
  const entry = entries.find((one) => one.path.join() === path.join());
  return entry === undefined
    ? { command: 'help', options: {} }
    : { command: entry.command.name, options: { ...entry.sets, ...options } };
}

/** A typed line as people can use it on Discord. */
export type ShowCommand = (line: string) => string;

/**
 * A command as a mention that puts it into the message field, and what to choose there.
 *
 * @param idOf the id of the registered command; undefined while it is not known
 * @example showCommand('missing join') // '</letterboxed me missing:123> with `do:join`'
 */
export function makeShowCommand(
  { commands, actionOf }: Pick<Dispatcher, 'commands' | 'actionOf'>,
  idOf: () => string | undefined,
): ShowCommand {
  const entries = entriesOf(commands);
  return (line) => {
    const asked = actionOf(line);
    const place = asked && placeOf(asked.command, asked.options, entries);
    if (place === undefined) return codeMarkdown(`/letterboxed ${line}`);
    const id = idOf();
    const path = `/letterboxed ${place.path.join(' ')}`;
    // People type `remind at 19:00`, whose time is chosen as `at:19:00`.
    const chosen = Object.entries(place.options).map(([name, value]) =>
      codeMarkdown(`${name}:${String(value).replace(`${name} `, '')}`),
    );
    const shown = id === undefined ? codeMarkdown(path) : `<${path}:${id}>`;
    return chosen.length === 0 ? shown : `${shown} with ${chosen.join(' ')}`;
  };
}

/** Where somebody finds a command with its options in the list, and which are left to choose there. */
export function placeOf(
  command: string,
  given: Options,
  entries: readonly Entry[],
): { readonly path: readonly string[]; readonly options: Options } | undefined {
  if (Object.keys(given).length === 0) {
    const its = entries.filter((entry) => entry.command.name === command);
    const asks = its.find(({ sets, options }) => sets === NOTHING && options.some((one) => one.required));
    const bare = its.length === 1 ? its[0] : (asks ?? its.find(({ path }) => SHOWS.includes(path.at(-1)!)));
    return bare && { path: bare.path, options: {} };
  }
  const isChosen = ({ chosen }: Entry) =>
    Object.entries(chosen).some(([name, value]) => given[name] === value);
  const ordered = [...entries.filter(isChosen), ...entries.filter((entry) => !isChosen(entry))];
  for (const { path, command: its, options, chosen, sets } of ordered) {
    const others = Object.entries(given).filter(([name, value]) => chosen[name] !== value);
    const isOffered = others.every(([name]) => options.some((option) => option.name === name));
    const isSet = Object.entries(sets).every(([name, value]) => given[name] === value);
    // A bare word after the choice is its only option.
    const isValue = chosen.do === given.do && others.length === 1 && options.length === 1;
    if (its.name !== command || !isSet || !(isOffered || isValue)) continue;
    return { path, options: isOffered ? Object.fromEntries(others) : { [options[0]!.name]: others[0]![1] } };
  }
  return undefined;
}
