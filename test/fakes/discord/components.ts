/** developers/components/reference.mdx: what may stand in a message. */
import {
  all,
  asList,
  asWire,
  type Field,
  flag,
  list,
  may,
  must,
  nullable,
  oneOf,
  type Rule,
  type Spot,
  shape,
  snowflake,
  text,
  type Wire,
  whole,
} from './rules.ts';

export const COMPONENT = {
  row: 1,
  button: 2,
  select: 3,
  input: 4,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  text: 10,
  thumbnail: 11,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
} as const;

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
  accessory?: Component;
  items?: { media: { url: string }; description?: string; spoiler?: boolean }[];
  file?: { url: string };
  media?: { url: string };
  spoiler?: boolean;
  required?: boolean;
  min_length?: number;
  max_length?: number;
  options?: { value: string; label: string }[];
}

const id = may(whole(0, 2 ** 31 - 1));
export const customId = text(1, 100);
export const component = (type: number, fields: Readonly<Record<string, Field>>): Rule =>
  shape({ type: must(oneOf(type)), id, ...fields });

const emoji = shape({ id: may(nullable(snowflake)), name: may(nullable(text(1, 32))), animated: may(flag) });
const media = shape({ url: must(text(1, 2048)) });
const attached = shape({ url: must(text(1, 2048, /^attachment:\/\/./)) });

const buttonFields = component(COMPONENT.button, {
  style: must(whole(1, 6)),
  label: may(text(1, 80)),
  emoji: may(emoji),
  custom_id: may(customId),
  sku_id: may(snowflake),
  url: may(text(1, 512)),
  disabled: may(flag),
});

const button = all(buttonFields, (value, at) => {
  const { style, custom_id, url, sku_id, label, emoji: face } = asWire(value);
  const premium = style === 6;
  const link = style === 5;
  const needs = premium ? 'sku_id' : link ? 'url' : 'custom_id';
  const present: Wire = { custom_id, url, sku_id };
  for (const [name, content] of Object.entries(present)) {
    if (name === needs && content === undefined) {
      at.in(name).wrong('BASE_TYPE_REQUIRED', 'This field is required');
    }
    if (name !== needs && content !== undefined) {
      at.in(name).wrong('BUTTON_FIELD_NOT_ALLOWED', `A button of style ${String(style)} cannot have this.`);
    }
  }
  if (premium && (label !== undefined || face !== undefined)) {
    at.wrong('BUTTON_FIELD_NOT_ALLOWED', 'A premium button has no label and no emoji.');
  }
  if (!premium && label === undefined && face === undefined) {
    at.wrong('BUTTON_COMPONENT_MISSING_LABEL', 'A button must have a label or an emoji.');
  }
});

const option = shape({
  label: must(text(1, 100)),
  value: must(text(1, 100)),
  description: may(text(1, 100)),
  emoji: may(emoji),
  default: may(flag),
});
const chooser = {
  custom_id: must(customId),
  placeholder: may(text(0, 150)),
  min_values: may(whole(0, 25)),
  max_values: may(whole(1, 25)),
};
export const selects = (extra: Readonly<Record<string, Field>>): Readonly<Record<number, Rule>> => ({
  [COMPONENT.select]: component(COMPONENT.select, {
    ...chooser,
    ...extra,
    options: must(list(option, 1, 25)),
  }),
  [COMPONENT.userSelect]: component(COMPONENT.userSelect, { ...chooser, ...extra }),
  [COMPONENT.roleSelect]: component(COMPONENT.roleSelect, { ...chooser, ...extra }),
  [COMPONENT.mentionableSelect]: component(COMPONENT.mentionableSelect, { ...chooser, ...extra }),
  [COMPONENT.channelSelect]: component(COMPONENT.channelSelect, {
    ...chooser,
    ...extra,
    channel_types: may(list(whole(0, 16), 1, 25)),
  }),
});

/** One of several components, distinguished by their type. */
export const anyOf =
  (rules: Readonly<Record<number, Rule>>, where: string): Rule =>
  (value, at) => {
    const { type } = asWire(value);
    const rule = typeof type === 'number' ? rules[type] : undefined;
    if (rule === undefined) {
      at.in('type').wrong('UNION_TYPE_CHOICES', `Component type ${String(type)} has no place ${where}.`);
    } else rule(value, at);
  };

const rowChild = anyOf(
  { ...selects({ disabled: may(flag) }), [COMPONENT.button]: button },
  'in an action row',
);
const row = all(component(COMPONENT.row, { components: must(list(rowChild, 1, 5)) }), (value, at) => {
  const children = asList(asWire(value).components).map((child) => asWire(child).type);
  if (children.length > 1 && children.some((type) => type !== COMPONENT.button)) {
    at.in('components').wrong('COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'A select has an action row to itself.');
  }
});
export const textDisplay = component(COMPONENT.text, { content: must(text(1, 4000)) });
const picture = {
  media: must(media),
  description: may(nullable(text(0, 1024))),
  spoiler: may(flag),
};
const section = component(COMPONENT.section, {
  components: must(list(anyOf({ [COMPONENT.text]: textDisplay }, 'in a section'), 1, 3)),
  accessory: must(
    anyOf(
      { [COMPONENT.button]: button, [COMPONENT.thumbnail]: component(COMPONENT.thumbnail, picture) },
      "as a section's accessory",
    ),
  ),
});
const inContainer: Readonly<Record<number, Rule>> = {
  [COMPONENT.row]: row,
  [COMPONENT.text]: textDisplay,
  [COMPONENT.section]: section,
  [COMPONENT.gallery]: component(COMPONENT.gallery, { items: must(list(shape(picture), 1, 10)) }),
  [COMPONENT.separator]: component(COMPONENT.separator, { divider: may(flag), spacing: may(whole(1, 2)) }),
  [COMPONENT.file]: component(COMPONENT.file, { file: must(attached), spoiler: may(flag) }),
};
const container = component(COMPONENT.container, {
  components: must(list(anyOf(inContainer, 'in a container'), 1, 40)),
  accent_color: may(nullable(whole(0, 0xffffff))),
  spoiler: may(flag),
});
const topLevel = anyOf({ ...inContainer, [COMPONENT.container]: container }, 'at the top of a message');

/** Components of a message with the flag IS_COMPONENTS_V2. */
export function messageComponents(filenames: ReadonlySet<string>): Rule {
  return all(list(topLevel, 1, 40), together, (value, at) => {
    walk(value, at, (one, spot) => {
      const urls = [one.file, one.media, ...asList(one.items).map((item) => asWire(item).media)];
      for (const { url } of urls.map(asWire)) {
        if (typeof url !== 'string' || !url.startsWith('attachment://')) continue;
        if (!filenames.has(url.slice('attachment://'.length))) {
          spot.wrong('UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND', `No attachment for ${url}.`);
        }
      }
    });
  });
}

/** Components of a message without that flag: rows of buttons and selects under its content. */
export const legacyComponents: Rule = all(
  list(anyOf({ [COMPONENT.row]: row }, 'in a message without IS_COMPONENTS_V2'), 0, 5),
  together,
);

/** What holds for a message's components as a whole. */
export function together(value: unknown, at: Spot): void {
  let count = 0;
  let characters = 0;
  const names = new Set<unknown>();
  const ids = new Set<unknown>();
  walk(value, at, (one, spot) => {
    count += 1;
    if (one.type === COMPONENT.text && typeof one.content === 'string') characters += [...one.content].length;
    if (one.custom_id !== undefined) {
      if (names.has(one.custom_id)) {
        spot
          .in('custom_id')
          .wrong('COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated');
      }
      names.add(one.custom_id);
    }
    if (one.id !== undefined && one.id !== 0) {
      if (ids.has(one.id)) spot.in('id').wrong('COMPONENT_ID_DUPLICATED', 'Component id must be unique');
      ids.add(one.id);
    }
  });
  if (count > 40) at.wrong('COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', 'A message has at most 40 components.');
  if (characters > 4000) {
    at.wrong('COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', 'All text together is at most 4000 characters.');
  }
}

function walk(value: unknown, at: Spot, visit: (one: Wire, at: Spot) => void): void {
  for (const [index, item] of asList(value).entries()) {
    const one = asWire(item);
    const spot = at.in(index);
    visit(one, spot);
    walk(one.components, spot.in('components'), visit);
    for (const key of ['accessory', 'component']) {
      if (one[key] !== undefined) walk([one[key]], spot.in(key), visit);
    }
  }
}

/** Every component of a checked message, in reading order. */
export function flatten(components: readonly Component[]): Component[] {
  return components.flatMap((one) => [
    one,
    ...flatten(one.components ?? []),
    ...(one.accessory ? flatten([one.accessory]) : []),
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
