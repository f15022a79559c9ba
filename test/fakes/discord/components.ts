/** developers/components/reference.mdx: what may be in a message or a modal, as far as the bot uses it. */
import { ButtonStyle, ComponentType, TextInputStyle } from 'discord.js';
import * as v from 'valibot';
import { asList, asWire, flag, list, text, whole } from './rules.ts';

/** A component as far as the fake looks into it; the rules below have checked it before. */
export interface Component {
  type: number;
  id?: number;
  custom_id?: string;
  label?: string;
  content?: string;
  style?: number;
  url?: string;
  disabled?: boolean;
  components?: Component[];
  component?: Component;
  file?: { url: string };
  items?: { media: { url: string }; description?: string; spoiler?: boolean }[];
  required?: boolean;
  min_length?: number;
  max_length?: number;
  options?: { value: string; label: string; default?: boolean }[];
  default_values?: { id: string }[];
}

const customId = text(1, 100);
const part = <const Type extends ComponentType, Fields extends v.ObjectEntries>(type: Type, fields: Fields) =>
  v.strictObject({ type: v.literal(type), id: v.optional(whole(0, 2 ** 31 - 1)), ...fields });

/** An emoji would do in place of the label; the bot uses none. */
const face = { label: text(1, 80), disabled: flag };
const { Link, Primary, Secondary, Success, Danger } = ButtonStyle;
const button = v.variant('style', [
  part(ComponentType.Button, {
    style: v.picklist([Primary, Secondary, Success, Danger]),
    custom_id: customId,
    ...face,
  }),
  part(ComponentType.Button, { style: v.literal(Link), url: text(1, 512), ...face }),
]);
const select = part(ComponentType.StringSelect, {
  custom_id: customId,
  placeholder: v.optional(text(0, 150)),
  options: v.pipe(
    list(
      v.strictObject({ label: text(1, 100), value: text(1, 100), description: v.optional(text(1, 100)) }),
      1,
      25,
    ),
    v.check((all) => isUnique(all.map(({ value }) => value)), 'A value twice.'),
  ),
});
const row = part(ComponentType.ActionRow, {
  components: v.pipe(
    list(v.variant('type', [select, button]), 1, 5),
    v.check(
      (all) => all.length === 1 || all.every(({ type }) => type === ComponentType.Button),
      'A select has an action row to itself.',
    ),
  ),
});
const textDisplay = part(ComponentType.TextDisplay, { content: text(1, 4000) });
const picture = v.strictObject({
  media: v.strictObject({ url: text(1, 2048) }),
  description: v.optional(text(0, 1024)),
  spoiler: flag,
});
const file = v.strictObject({ url: text(1, 2048, /^attachment:\/\/./) });
const inContainer = [
  row,
  textDisplay,
  part(ComponentType.MediaGallery, { items: list(picture, 1, 10) }),
  part(ComponentType.File, { file, spoiler: flag }),
  part(ComponentType.Separator, { divider: flag, spacing: v.optional(whole(1, 2)) }),
] as const;
const container = part(ComponentType.Container, {
  components: list(v.variant('type', inContainer), 1, 40),
  accent_color: v.optional(whole(0, 0xffffff)),
  spoiler: flag,
});

const isUnique = (values: readonly unknown[]) => {
  const given = values.filter((value) => value !== undefined && value !== 0);
  return new Set(given).size === given.length;
};
const charactersOf = (parts: readonly Component[]) =>
  parts.reduce((sum, { content = '' }) => sum + content.length, 0);
/** What holds for all components of a message or modal together. */
const together = <Items extends v.GenericSchema<unknown[]>>(items: Items) =>
  v.pipe(
    items,
    v.check((all) => allIn(all).length <= 40, 'A message has at most 40 components.'),
    v.check((all) => charactersOf(allIn(all)) <= 4000, 'All text together is at most 4000 characters.'),
    v.check((all) => isUnique(allIn(all).map((one) => one.custom_id)), 'A custom id cannot be duplicated.'),
    v.check((all) => isUnique(allIn(all).map((one) => one.id)), 'A component id must be unique.'),
  );
const allIn = (components: unknown) => flatten(components as Component[]);

/** Components of a message with the flag IS_COMPONENTS_V2, which may refer to files of these names. */
export const messageComponents = (filenames: ReadonlySet<string>) =>
  v.pipe(
    together(v.pipe(v.array(v.variant('type', [...inContainer, container])), v.minLength(1))),
    v.check(
      (all) =>
        allIn(all)
          .flatMap((one) => [asWire(one).file, ...asList(one.items).map((item) => asWire(item).media)])
          .map((media) => String(asWire(media).url ?? ''))
          .every(
            (url) => !url.startsWith('attachment://') || filenames.has(url.slice('attachment://'.length)),
          ),
      'A picture or file was not sent along.',
    ),
  );

const input = v.pipe(
  part(ComponentType.TextInput, {
    custom_id: customId,
    style: v.enum(TextInputStyle),
    min_length: v.optional(whole(0, 4000)),
    max_length: v.optional(whole(1, 4000)),
    required: flag,
    value: v.optional(text(0, 4000)),
    placeholder: v.optional(text(0, 100)),
  }),
  v.check(({ value = '', max_length = 4000 }) => value.length <= max_length, 'The value is too long.'),
);
const choice = { custom_id: customId, required: flag };
/** Two radio options or more, of which one may be chosen at first. */
const radios = v.pipe(
  part(ComponentType.RadioGroup, {
    ...choice,
    options: list(
      v.strictObject({
        value: text(1, 100),
        label: text(1, 100),
        description: v.optional(text(1, 100)),
        default: flag,
      }),
      2,
      10,
    ),
  }),
  v.check(
    ({ options }) => options.filter((one) => one.default).length <= 1,
    'Two defaults of a radio group.',
  ),
  v.check(
    ({ options }) => new Set(options.map(({ value }) => value)).size === options.length,
    'A value twice.',
  ),
);
/** In a modal a select can't be disabled, and none may be wanted of one that is required. */
const roles = v.pipe(
  part(ComponentType.RoleSelect, {
    ...choice,
    placeholder: v.optional(text(0, 150)),
    min_values: v.optional(whole(0, 25)),
    max_values: v.optional(whole(1, 25)),
    default_values: v.optional(
      list(v.strictObject({ id: text(1, 20, /^\d+$/), type: v.literal('role') }), 0, 25),
    ),
  }),
  v.check(
    ({ required = true, min_values = 1 }) => !(required && min_values === 0),
    'A required select wants none.',
  ),
  v.check(
    ({ max_values = 1, default_values = [] }) => default_values.length <= max_values,
    'Too many default roles.',
  ),
);
/** A text input in an action row still works there, but is deprecated: the fake wants the label. */
const label = part(ComponentType.Label, {
  label: text(1, 45),
  description: v.optional(text(0, 100)),
  component: v.variant('type', [input, radios, roles]),
});
export const modal = v.strictObject({
  custom_id: customId,
  title: text(1, 45),
  components: together(list(v.variant('type', [label, textDisplay]), 1, 5)),
});

/** Every component of a checked message, in reading order. */
export function flatten(components: readonly Component[]): Component[] {
  return components.flatMap((one) => [
    one,
    ...flatten(one.components ?? []),
    ...(one.component ? flatten([one.component]) : []),
  ]);
}

/** Gives each component an id of its own where it has none, as Discord does. */
export function number(components: readonly Component[]): void {
  const every = flatten(components);
  const taken = new Set(every.map((one) => one.id).filter(Boolean));
  let next = 1;
  for (const one of every) {
    if (one.id) continue;
    while (taken.has(next)) next += 1;
    one.id = next++;
  }
}
