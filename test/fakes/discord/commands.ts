/** developers/interactions/application-commands.mdx: what a command may look like. */
import { Locale, ApplicationCommandOptionType as OPTION } from 'discord.js';
import * as v from 'valibot';
import { type Component, flatten } from './components.ts';
import { asList, asWire, flag, hold, invalid, list, Refusal, text, type Wire, whole } from './rules.ts';
import type { World } from './world.ts';

const NAME = v.pipe(
  text(1, 32, /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]+$/u),
  v.check((name) => name === name.toLowerCase(), 'Must be lowercase where a lowercase form exists.'),
);
const WORDS = text(1, 100);
const localised = (words: v.GenericSchema<string>) => v.nullish(v.record(v.enum(Locale), words));
const NAMED = {
  name: NAME,
  name_localizations: localised(NAME),
  description: WORDS,
  description_localizations: localised(WORDS),
};

/** Options inside a command, a subcommand or a group. */
const options = <One extends v.GenericSchema>(option: One) =>
  v.optional(
    v.pipe(
      list(option, 0, 25),
      v.check((all) => new Set(namesOf(all)).size === all.length, 'Names must be unique.'),
      v.check((all) => all.filter((one) => asWire(one).type === 3).length <= 15, 'At most 15 on messages.'),
      v.check((all) => {
        const required = all.map((one) => asWire(one).required === true);
        return !required.includes(true, required.indexOf(false) < 0 ? all.length : required.indexOf(false));
      }, 'Required options come first.'),
    ),
  );
const choices = (value: v.GenericSchema) =>
  v.optional(list(v.strictObject({ name: WORDS, name_localizations: localised(WORDS), value }), 0, 25));
const plain = <const Type extends OPTION, Fields extends v.ObjectEntries>(type: Type, fields: Fields) =>
  v.strictObject({ type: v.literal(type), ...NAMED, required: flag, ...fields });
const LARGEST = 2 ** 53 - 1;
const PLAIN = [
  v.pipe(
    plain(OPTION.String, {
      choices: choices(text(0, 100)),
      autocomplete: flag,
      min_length: v.optional(whole(0, 6000)),
      max_length: v.optional(whole(1, 6000)),
    }),
    v.check(
      (one) => !one.autocomplete || !one.choices?.length,
      'Autocomplete and choices exclude each other.',
    ),
  ),
  plain(OPTION.Integer, {
    choices: choices(whole(-LARGEST, LARGEST)),
    min_value: v.optional(whole(-LARGEST, LARGEST)),
    max_value: v.optional(whole(-LARGEST, LARGEST)),
  }),
  plain(OPTION.Boolean, {}),
  plain(OPTION.Attachment, {}),
  plain(OPTION.Role, {}),
  plain(OPTION.User, {}),
] as const;
const nested = <const Type extends OPTION, Inner extends v.GenericSchema>(type: Type, inner: Inner) =>
  v.strictObject({ type: v.literal(type), ...NAMED, options: options(inner) });
const SUBCOMMAND = nested(OPTION.Subcommand, v.variant('type', PLAIN));
const GROUP = nested(OPTION.SubcommandGroup, SUBCOMMAND);
const NESTED: readonly unknown[] = [OPTION.Subcommand, OPTION.SubcommandGroup];

const WHO_AND_WHERE = {
  default_member_permissions: v.nullish(text(1, 20, /^\d+$/)),
  nsfw: flag,
  integration_types: v.optional(list(v.picklist([0, 1]), 1, 2)),
  contexts: v.nullish(list(v.picklist([0, 1, 2]), 1, 3)),
};

/** "For USER and MESSAGE commands, [the name] may be mixed case and can include spaces", and there is no description. */
const messageCommand = v.strictObject({
  type: v.literal(3),
  name: text(1, 32),
  name_localizations: localised(text(1, 32)),
  ...WHO_AND_WHERE,
});
/** "PRIMARY_ENTRY_POINT: A UI-based command that represents the primary way to invoke an app's Activity". */
const ENTRY_POINT = 4;
const entryPoint = v.strictObject({
  type: v.literal(ENTRY_POINT),
  ...NAMED,
  description: v.optional(WORDS),
  handler: v.picklist([1, 2]),
  ...WHO_AND_WHERE,
});
const chatCommand = v.pipe(
  v.strictObject({
    type: v.optional(v.literal(1)),
    ...NAMED,
    options: v.pipe(
      options(v.variant('type', [...PLAIN, SUBCOMMAND, GROUP])),
      v.check((all) => {
        const kinds = new Set(asList(all).map((one) => NESTED.includes(asWire(one).type)));
        return kinds.size < 2;
      }, 'Subcommands and plain options cannot stand together.'),
    ),
    ...WHO_AND_WHERE,
  }),
  v.check((one) => sizeOf(one) <= 8000, 'Names, descriptions and values: at most 8000 characters.'),
);

const namesOf = (commands: readonly unknown[]) => commands.map((one) => asWire(one).name);
const declaration = v.lazy((one) => {
  const { type } = asWire(one);
  if (type === ENTRY_POINT) return entryPoint;
  return type === 3 ? messageCommand : chatCommand;
});
const commands = v.pipe(
  v.array(declaration),
  v.check((all) => new Set(namesOf(all)).size === all.length, 'Names must be unique.'),
  v.check((all) => all.filter((one) => asWire(one).type === 3).length <= 15, 'At most 15 on messages.'),
);

/** Characters of names, descriptions and choice values; of localisations only the longest counts. */
export function sizeOf(one: Wire): number {
  const longest = (key: string): number => {
    const all = [one[key], ...Object.values(asWire(one[`${key}_localizations`]))];
    return Math.max(0, ...all.map((value) => (typeof value === 'string' ? value.length : 0)));
  };
  const value = typeof one.value === 'string' ? one.value.length : 0;
  const inner = [...asList(one.options), ...asList(one.choices)].map((item) => sizeOf(asWire(item)));
  return longest('name') + longest('description') + value + inner.reduce((sum, each) => sum + each, 0);
}

/**
 * What a message says of commands and nobody can use: "</NAME SUBCOMMAND_GROUP SUBCOMMAND:ID>" of one that is not registered,
 * and a registered one as text, for what is typed after a subcommand is not sent as its option.
 */
export function unusableCommands(world: World, body: unknown): string[] {
  const registered = world.commands;
  const known = new Set(registered.flatMap((one) => pathsOf(one).map((path) => `</${path}:${one.id}>`)));
  const texts = flatten(asList(asWire(body).components) as Component[]).map(({ content = '' }) => content);
  return texts.flatMap((text) => [
    ...[...text.matchAll(/<\/[^:>]+:\d+>/g)].map(([mention]) => mention).filter((one) => !known.has(one)),
    ...registered.flatMap(({ name }) => text.match(new RegExp(`\`/${name} [^\`]*\``, 'g')) ?? []),
  ]);
}

function pathsOf({ name, options }: Wire): string[] {
  const inner = asList(options)
    .map(asWire)
    .filter(({ type }) => type === 1 || type === 2);
  return inner.length === 0
    ? [`${name}`]
    : inner.flatMap((one) => pathsOf(one).map((path) => `${name} ${path}`));
}

/** Replaces all commands and answers them as Discord stores them. */
export function overwriteCommands(world: World, body: unknown): Wire[] {
  if (asList(body).length > 100) throw new Refusal(30032);
  hold(body, commands);
  checkInstallations(world, body);
  const before = world.commands;
  const isKept = ({ type, name }: Wire) =>
    type !== ENTRY_POINT ||
    asList(body).some((one) => asWire(one).name === name && asWire(one).type === type);
  // "You cannot remove this app's Entry Point command in a bulk update operation."
  if (!before.every(isKept)) throw new Refusal(50240);
  world.commands = asList(body).map((one) => {
    const wire = asWire(one);
    return {
      id: before.find((each) => each.name === wire.name)?.id ?? world.snowflake(),
      application_id: world.application.id,
      type: 1,
      version: world.snowflake(),
      default_member_permissions: null,
      nsfw: false,
      name_localizations: null,
      // Commands on messages have an empty one.
      description: '',
      description_localizations: null,
      integration_types: [0],
      contexts: null,
      ...wire,
    };
  });
  return world.commands;
}

/**
 * "integration_types: Installation contexts where the command is available", of which the application must support each
 * (`integration_types_config`), and "PRIVATE_CHANNEL" is for commands of applications that people install.
 */
function checkInstallations(world: World, body: unknown): void {
  const supported = asWire(world.application.integration_types_config);
  for (const [index, one] of asList(body).map(asWire).entries()) {
    const types = asList(one.integration_types);
    if (types.some((type) => !(String(type) in supported)))
      throw invalid(['The application does not support this installation.', [index, 'integration_types']]);
    if (asList(one.contexts).includes(2) && !types.includes(1))
      throw invalid(['Private channels need the installation by people.', [index, 'contexts']]);
  }
}

/** The commands as they are read: without `with_localizations` the dictionaries stay out. */
export function readCommands({ commands }: World, query: URLSearchParams): Wire[] {
  if (query.get('with_localizations') === 'true') return commands;
  return JSON.parse(
    JSON.stringify(commands, (name, value) => (name.endsWith('_localizations') ? undefined : value)),
  );
}
