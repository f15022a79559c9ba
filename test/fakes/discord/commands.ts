/** developers/interactions/application-commands.mdx: what a command may look like. */
import { Refusal } from './refusal.ts';
import {
  all,
  asList,
  asWire,
  type Field,
  flag,
  hold,
  list,
  may,
  must,
  nullable,
  oneOf,
  type Rule,
  type Spot,
  shape,
  text,
  type Wire,
  whole,
} from './rules.ts';
import type { World } from './world.ts';

export const OPTION = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
} as const;

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]+$/u;
const LOCALES = (
  'id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th ' +
  'zh-CN ja zh-TW ko'
).split(' ');

const name: Rule = (value, at) => {
  text(1, 32, NAME)(value, at);
  if (typeof value === 'string' && value !== value.toLowerCase()) {
    at.wrong('APPLICATION_COMMAND_INVALID_NAME', 'Must be lowercase where a lowercase form exists.');
  }
};
const localised =
  (rule: Rule): Rule =>
  (value, at) => {
    if (value === null) return;
    for (const [locale, inner] of Object.entries(asWire(value))) {
      if (!LOCALES.includes(locale)) at.in(locale).wrong('LOCALE_UNKNOWN', 'Not an available locale.');
      rule(inner, at.in(locale));
    }
  };
const words = text(1, 100);

const choice =
  (type: unknown): Rule =>
  (value, at) => {
    const rule: Rule =
      type === OPTION.string
        ? text(0, 100)
        : type === OPTION.integer
          ? whole(-(2 ** 53) + 1, 2 ** 53 - 1)
          : (inner, spot) => {
              if (typeof inner !== 'number') spot.wrong('NUMBER_TYPE_COERCE', 'Not a number.');
            };
    shape({
      name: must(words),
      name_localizations: may(localised(words)),
      value: must(rule),
    })(value, at);
  };

/** The fields each type of option may have beside its name, description and whether it is required. */
function option(value: unknown, at: Spot): void {
  const { type, choices, autocomplete } = asWire(value);
  const numeric = type === OPTION.integer || type === OPTION.number;
  const choosable = numeric || type === OPTION.string;
  const nested = type === OPTION.subcommand || type === OPTION.group;
  const bound: Rule = type === OPTION.integer ? whole(-(2 ** 53) + 1, 2 ** 53 - 1) : () => undefined;
  shape({
    type: must(whole(1, 11)),
    name: must(name),
    name_localizations: may(localised(name)),
    description: must(words),
    description_localizations: may(localised(words)),
    ...(nested ? { options: may(options(type as number)) } : { required: may(flag) }),
    ...(choosable ? { choices: may(list(choice(type), 0, 25)), autocomplete: may(flag) } : {}),
    ...(numeric ? { min_value: may(bound), max_value: may(bound) } : {}),
    ...(type === OPTION.string ? { min_length: may(whole(0, 6000)), max_length: may(whole(1, 6000)) } : {}),
    ...(type === OPTION.channel ? { channel_types: may(list(whole(0, 16), 0, 20)) } : {}),
    ...(type === OPTION.attachment ? { file_types: may(list(text(1, 32), 0, 10)) } : {}),
  })(value, at);
  if (autocomplete === true && asList(choices).length > 0) {
    at.wrong(
      'APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE',
      'Autocomplete and choices exclude each other.',
    );
  }
}

/** Options inside a command (`parent` undefined), a subcommand or a group. */
function options(parent?: number): Rule {
  return all(list(option, 0, 25), (value, at) => {
    const items = asList(value).map(asWire);
    const nested = items.filter((one) => one.type === OPTION.subcommand || one.type === OPTION.group);
    if (nested.length > 0 && nested.length < items.length) {
      at.wrong(
        'APPLICATION_COMMAND_OPTIONS_TYPE_MIXED',
        'Subcommands and plain options cannot stand together.',
      );
    }
    if (parent === OPTION.subcommand && nested.length > 0) {
      at.wrong('APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'A subcommand holds plain options only.');
    }
    if (parent === OPTION.group && items.some((one) => one.type !== OPTION.subcommand)) {
      at.wrong('APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'A group holds subcommands only.');
    }
    const seen = new Set<unknown>();
    let optional = false;
    for (const [index, one] of items.entries()) {
      if (seen.has(one.name)) {
        at.in(index).in('name').wrong('APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', 'Must be unique.');
      }
      seen.add(one.name);
      if (one.required === true && optional) {
        at.in(index).wrong('APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', 'Required options come first.');
      }
      optional ||= one.required !== true;
    }
  });
}

const permissionSet = text(1, 20, /^\d+$/);

/** "For USER and MESSAGE commands, [the name] may be mixed case and can include spaces", and there is no description. */
const messageCommand = (global: boolean): Rule =>
  shape({
    type: must(oneOf(3)),
    name: must(text(1, 32)),
    name_localizations: may(localised(text(1, 32))),
    default_member_permissions: may(nullable(permissionSet)),
    nsfw: may(flag),
    ...scopeFields(global),
  });

/** "Only for globally-scoped commands", as the documentation has it for both. */
const scopeFields = (global: boolean): Readonly<Record<string, Field>> =>
  global
    ? {
        integration_types: may(list(oneOf(0, 1), 1, 2)),
        contexts: may(nullable(list(oneOf(0, 1, 2), 1, 3))),
      }
    : {};

const command =
  (global: boolean): Rule =>
  (value, at) =>
    (asWire(value).type === 3 ? messageCommand(global) : chatInputCommand(global))(value, at);

const chatInputCommand = (global: boolean): Rule =>
  all(
    shape({
      type: may(oneOf(1)),
      name: must(name),
      name_localizations: may(localised(name)),
      description: must(words),
      description_localizations: may(localised(words)),
      options: may(options()),
      default_member_permissions: may(nullable(permissionSet)),
      nsfw: may(flag),
      ...scopeFields(global),
    }),
    (value, at) => {
      if (size(asWire(value)) > 8000) {
        at.wrong('APPLICATION_COMMAND_TOO_LARGE', 'Names, descriptions and values: at most 8000 characters.');
      }
    },
  );

/** Characters of names, descriptions and choice values; of localisations only the longest counts. */
function size(one: Wire): number {
  const longest = (key: string): number => {
    const all = [one[key], ...Object.values(asWire(one[`${key}_localizations`]))];
    return Math.max(0, ...all.map((value) => (typeof value === 'string' ? value.length : 0)));
  };
  const value = typeof one.value === 'string' ? one.value.length : 0;
  const inner = [...asList(one.options), ...asList(one.choices)].map((item) => size(asWire(item)));
  return longest('name') + longest('description') + value + inner.reduce((sum, each) => sum + each, 0);
}

/** Replaces all commands of a scope ('' is global) and answers them as Discord stores them. */
export function overwriteCommands(world: World, scope: string, body: unknown): Wire[] {
  if (Array.isArray(body) && body.length > 100) throw new Refusal(30032);
  hold(body, list(command(scope === ''), 0, 100));
  const before = world.commands.get(scope) ?? [];
  const names = asList(body).map((one) => asWire(one).name);
  hold(body, (_, at) => {
    for (const [index, each] of names.entries()) {
      if (names.indexOf(each) !== index) {
        at.in(index).in('name').wrong('APPLICATION_COMMANDS_DUPLICATE_NAME', 'Names must be unique.');
      }
    }
  });
  const now = asList(body).map((one) => {
    const wire = asWire(one);
    const old = before.find((each) => each.name === wire.name);
    return {
      id: old?.id ?? world.snowflake(),
      application_id: world.application.id,
      type: 1,
      version: world.snowflake(),
      default_member_permissions: null,
      nsfw: false,
      name_localizations: null,
      // Commands on messages have an empty one.
      description: '',
      description_localizations: null,
      ...(scope === '' ? { integration_types: [0], contexts: null } : { guild_id: scope }),
      ...wire,
    };
  });
  world.commands.set(scope, now);
  return now;
}

const DICTIONARIES = ['name_localizations', 'description_localizations'];

/** The commands of a scope as they are read: without `with_localizations` the dictionaries stay out. */
export function readCommands(world: World, scope: string, query: URLSearchParams): Wire[] {
  const commands = world.commands.get(scope) ?? [];
  return query.get('with_localizations') === 'true' ? commands : (without(commands) as Wire[]);
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !DICTIONARIES.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner)]));
}
