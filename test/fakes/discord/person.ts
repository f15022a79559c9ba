/** What a person sees of an answer, and what their Discord client would let them send. */
import { ComponentType, ApplicationCommandOptionType as OPTION } from 'discord.js';
import type { Instance } from './activities.ts';
import { type Component, flatten } from './components.ts';
import type { Choice, Interaction, Modal } from './interactions.ts';
import type { Message } from './message.ts';
import { asList, asWire, type Wire } from './rules.ts';

/** An answer as it looks to the person who asked, now: it follows later edits. */
export class Sight {
  readonly interaction: Interaction;
  /** Milliseconds of real time until there was something to see. */
  readonly took: number;

  constructor(interaction: Interaction, took: number) {
    this.interaction = interaction;
    this.took = took;
  }

  /** "The application did not respond." */
  get failed(): boolean {
    const { answeredBy, loading } = this.interaction;
    return answeredBy === undefined || loading;
  }
  get ephemeral(): boolean {
    return this.interaction.ephemeral;
  }
  get message(): Message {
    const { original } = this.interaction;
    if (original === undefined) throw new Error('There is no message to look at.');
    return original;
  }
  get modal(): Modal {
    if (this.interaction.modal === undefined) throw new Error('There is no modal to fill in.');
    return this.interaction.modal;
  }
  /** The Activity that was opened. */
  get instance(): Instance {
    if (this.interaction.instance === undefined) throw new Error('No Activity was opened.');
    return this.interaction.instance;
  }
  get choices(): readonly Choice[] {
    return this.interaction.choices ?? [];
  }
  get followUps(): readonly Message[] {
    return this.interaction.followUps;
  }
  /** All text, as typed: spoilers still between their bars. */
  get text(): string {
    return textOf(this.message);
  }
}

/** What a phone shows that has never met the people: a mention without user data is one of nobody. */
export const textOf = (message: Message): string =>
  [message.content, ...flatten(message.components).map((one) => one.content ?? '')]
    .filter(Boolean)
    .join('\n')
    .replace(/<@!?(\d+)>/g, (mention, id) =>
      message.mentions.some((user) => user.id === id) ? mention : '@invalid-user',
    );

export const buttonsOf = (message: Message): Component[] =>
  flatten(message.components).filter((one) => one.type === ComponentType.Button);

/** A choice of one of the message's menus, by its label. */
export function choiceOf(message: Message, label: string): { menu: string; value: string } | undefined {
  for (const { type, custom_id: menu = '', options } of flatten(message.components)) {
    if (type !== ComponentType.StringSelect) continue;
    const found = asList(options)
      .map(asWire)
      .find((option) => option.label === label);
    if (found !== undefined) return { menu, value: String(found.value) };
  }
  return undefined;
}

export type OptionValues = Readonly<Record<string, string | number | boolean>>;

/** Finds the command and turns values into what is sent, as strictly as a client would. */
export function invocation(
  commands: readonly Wire[],
  asked: {
    name: string;
    subcommand?: string;
    options?: OptionValues;
    focused?: string;
    files?: Readonly<Record<string, string>>;
  },
): Wire {
  const command = commands.find((one) => one.name === asked.name);
  if (command === undefined) throw new Error(`There is no command /${asked.name}.`);
  const base = { id: command.id, name: command.name, type: 1 };
  const entries = entriesOf(asList(command.options).map(asWire));
  const found = find(entries, asked);
  if (asked.subcommand === undefined)
    return { ...base, options: values(asList(command.options).map(asWire), asked) };
  if (found === undefined) throw new Error(`/${asked.name} has no subcommand ${asked.subcommand}.`);
  const { path, subcommand, options: given } = found;
  const name = path.at(-1);
  const options = values(asList(subcommand.options).map(asWire), { ...asked, options: given });
  // Discord leaves the list out where none is given.
  const chosen = { type: OPTION.Subcommand, name, ...(options.length > 0 && { options }) };
  const [group] = path;
  const files = Object.entries(asked.files ?? {}).map(([id, url]) => [id, { id, url, filename: 'x.png' }]);
  return {
    ...base,
    ...(files.length > 0 && { resolved: { attachments: Object.fromEntries(files) } }),
    options:
      path.length === 1 ? [chosen] : [{ type: OPTION.SubcommandGroup, name: group, options: [chosen] }],
  };
}

interface Entry {
  readonly path: readonly string[];
  readonly subcommand: Wire;
}

function entriesOf(options: readonly Wire[], path: readonly string[] = []): Entry[] {
  return options.flatMap((one) => {
    const here = [...path, String(one.name)];
    return one.type === OPTION.SubcommandGroup
      ? entriesOf(asList(one.options).map(asWire), here)
      : [{ path: here, subcommand: one }];
  });
}

/**
 * Where a person finds a command in the lists: by its path (`daily on`), by its name in whatever group it is, or, for a
 * command whose choices are a group, by the choice that they want.
 */
function find(
  entries: readonly Entry[],
  { subcommand = '', options = {} }: { subcommand?: string; options?: OptionValues },
): (Entry & { options: OptionValues }) | undefined {
  const exact = entries.find(({ path }) => path.join(' ') === subcommand);
  if (exact !== undefined) return { ...exact, options };
  const group = entries.filter(({ path: [first] }) => first === subcommand);
  const [inGroup] = entries.filter(({ path }) => path.at(-1) === subcommand);
  if (group.length === 0) return inGroup && { ...inGroup, options };
  for (const name of ['do', 'word']) {
    const { [name]: choice, ...others } = options;
    const chosen = group.find(({ path }) => path.at(-1) === choice);
    if (chosen !== undefined) return { ...chosen, options: others };
  }
  const takes = ({ subcommand: { options: offered } }: Entry) =>
    Object.keys(options).every((name) => asList(offered).some((one) => asWire(one).name === name));
  const shows = group.find(({ path }) => ['show', 'list'].includes(path.at(-1)!));
  const [name] = Object.keys(options);
  const own = group.find(({ path }) => path.at(-1) === name);
  const fitting = name === undefined ? shows : (own ?? group.find(takes));
  return fitting && { ...fitting, options };
}

function values(declared: readonly Wire[], asked: { options?: OptionValues; focused?: string }): Wire[] {
  const given = asked.options ?? {};
  for (const { name, required } of declared) {
    if (required === true && !(String(name) in given) && asked.focused === undefined) {
      throw new Error(`The client asks for ${String(name)} before it sends.`);
    }
  }
  return Object.entries(given).map(([name, value]) => {
    const option = declared.find((one) => one.name === name);
    if (option === undefined) throw new Error(`There is no option ${name}.`);
    const focused = asked.focused === name;
    if (!focused) fits(option, name, value);
    if (focused && option.autocomplete !== true) throw new Error(`${name} has no autocomplete.`);
    return { type: option.type, name, value, ...(focused ? { focused } : {}) };
  });
}

const KINDS: Readonly<Record<number, string>> = { [OPTION.Boolean]: 'boolean', [OPTION.Integer]: 'number' };

function fits(option: Wire, name: string, value: string | number | boolean): void {
  if (typeof value !== (KINDS[Number(option.type)] ?? 'string'))
    throw new Error(`${name} is of another type.`);
  if ([OPTION.Role, OPTION.User].includes(Number(option.type)) && !/^\d+$/.test(String(value)))
    throw new Error(`${name} takes an id.`);
  if (typeof value === 'number' && !Number.isInteger(value)) throw new Error(`${name} takes a whole number.`);
  const { min_value: min = -Infinity, max_value: max = Infinity, max_length: longest = 6000 } = option;
  const isFit =
    typeof value === 'number'
      ? value >= Number(min) && value <= Number(max)
      : String(value).length <= Number(longest);
  if (!isFit) throw new Error(`${name} is out of its range.`);
  const choices = asList(option.choices).map((one) => asWire(one).value);
  if (choices.length > 0 && !choices.includes(value)) throw new Error(`${name} is not one of its choices.`);
}

/** The components of a modal as they come back, with what a person typed under each custom id. */
export function filledIn(modal: Modal, typed: Readonly<Record<string, string>>): Wire[] {
  const known = new Set<string>();
  const components = modal.components.map((top) => {
    const field = top.component;
    if (field === undefined) return { type: top.type, id: top.id ?? 0 };
    const name = field.custom_id ?? '';
    known.add(name);
    const starts = field.options?.find((one) => one.default)?.value ?? field.default_values?.[0]?.id;
    const value = typed[name] ?? starts ?? (field as { value?: string }).value ?? '';
    if (field.required !== false && value === '')
      throw new Error(`The client asks for ${name} before it sends.`);
    if (value.length > (field.max_length ?? 4000)) throw new Error(`${name} takes no more characters.`);
    if (value !== '' && value.length < (field.min_length ?? 0)) throw new Error(`${name} is too short.`);
    if (
      field.type === ComponentType.RadioGroup &&
      value !== '' &&
      !field.options?.some((one) => one.value === value)
    )
      throw new Error(`${name} has no choice ${value}.`);
    const given =
      field.type === ComponentType.RoleSelect
        ? { values: value === '' ? [] : [value] }
        : { value: field.type === ComponentType.RadioGroup && value === '' ? null : value };
    return { type: top.type, id: 0, component: { type: field.type, id: 0, custom_id: name, ...given } };
  });
  for (const name of Object.keys(typed))
    if (!known.has(name)) throw new Error(`The modal has no field ${name}.`);
  return components;
}
