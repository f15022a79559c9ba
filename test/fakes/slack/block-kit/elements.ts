import type { Json } from '../world.ts';
import {
  type Checker,
  checkObject,
  type FieldRule,
  flag,
  list,
  type ObjectRules,
  oneOf,
  text,
  webAddress,
  whole,
} from './checker.ts';
import { anyText, plainText } from './texts.ts';

const confirm: FieldRule = (value, pointer, checker) => {
  checkObject(
    value,
    pointer,
    checker,
    {
      title: plainText(100),
      text: plainText(300),
      confirm: plainText(30),
      deny: plainText(30),
      style: oneOf('primary', 'danger'),
    },
    ['title', 'text', 'confirm', 'deny'],
  );
};

function option(label: FieldRule, more: ObjectRules = {}): FieldRule {
  return (value, pointer, checker) => {
    const rules = { text: label, value: text(150), description: plainText(75), ...more };
    checkObject(value, pointer, checker, rules, ['text', 'value']);
  };
}

const plainOption = option(plainText(75));
const anyOption = option(anyText(75));

const conversationFilter: FieldRule = (value, pointer, checker) => {
  checkObject(
    value,
    pointer,
    checker,
    {
      include: list(1, 4, oneOf('im', 'mpim', 'private', 'public')),
      exclude_external_shared_channels: flag,
      exclude_bot_users: flag,
    },
    [],
  );
};

interface ElementRule {
  readonly rules: ObjectRules;
  readonly required: readonly string[];
  readonly also?: (value: Json, pointer: string, checker: Checker) => void;
}

const COMMON: ObjectRules = { type: text(100), action_id: text(255), confirm, focus_on_load: flag };

const ELEMENTS: Readonly<Record<string, ElementRule>> = {
  button: {
    rules: {
      type: text(100),
      action_id: text(255),
      text: plainText(75),
      url: webAddress,
      value: text(2000, 0),
      style: oneOf('primary', 'danger'),
      confirm,
      accessibility_label: text(75),
    },
    required: ['text'],
  },
  static_select: {
    rules: {
      ...COMMON,
      placeholder: plainText(150),
      options: list(1, 100, plainOption),
      initial_option: plainOption,
    },
    required: ['options'],
    also: initialOptionIsOffered,
  },
  overflow: {
    rules: { ...COMMON, options: list(1, 5, option(plainText(75), { url: webAddress })) },
    required: ['options'],
  },
  radio_buttons: {
    rules: { ...COMMON, options: list(1, 10, anyOption), initial_option: anyOption },
    required: ['options'],
    also: initialOptionIsOffered,
  },
  checkboxes: {
    rules: { ...COMMON, options: list(1, 10, anyOption), initial_options: list(1, 10, anyOption) },
    required: ['options'],
  },
  conversations_select: {
    rules: {
      ...COMMON,
      placeholder: plainText(150),
      initial_conversation: text(255),
      default_to_current_conversation: flag,
      response_url_enabled: flag,
      filter: conversationFilter,
    },
    required: [],
  },
  channels_select: {
    rules: {
      ...COMMON,
      placeholder: plainText(150),
      initial_channel: text(255),
      response_url_enabled: flag,
    },
    required: [],
  },
  plain_text_input: {
    rules: {
      type: text(100),
      action_id: text(255),
      initial_value: text(3000, 0),
      multiline: flag,
      min_length: whole(0, 3000),
      max_length: whole(1, 3000),
      placeholder: plainText(150),
      focus_on_load: flag,
      dispatch_action_config: (value, pointer, checker) => {
        const rules = {
          trigger_actions_on: list(1, 2, oneOf('on_enter_pressed', 'on_character_entered')),
        };
        checkObject(value, pointer, checker, rules, []);
      },
    },
    required: [],
  },
};

function initialOptionIsOffered(value: Json, pointer: string, checker: Checker): void {
  if (value.initial_option === undefined || !Array.isArray(value.options)) return;
  const chosen = JSON.stringify(value.initial_option);
  if (!value.options.some((offered: unknown) => JSON.stringify(offered) === chosen))
    checker.wrong(`${pointer}/initial_option`, 'must be one of the options');
}

/** The ones this fake knows; Slack has more, which the bot does not use. */
export const IN_ACTIONS = [
  'button',
  'static_select',
  'overflow',
  'radio_buttons',
  'checkboxes',
  'conversations_select',
  'channels_select',
];
export const IN_SECTION = [...IN_ACTIONS, 'image'];
export const IN_INPUT = [
  'plain_text_input',
  'static_select',
  'radio_buttons',
  'checkboxes',
  'conversations_select',
  'channels_select',
];

/** An interactive element, or an image, of one of the given types. */
export function element(allowed: readonly string[]): FieldRule {
  return (value, pointer, checker) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type !== 'string' || !allowed.includes(type)) {
      checker.wrong(pointer, `unsupported type: ${String(type)}`);
      return;
    }
    if (type === 'image') return imageElement(value, pointer, checker);
    const rule = ELEMENTS[type]!;
    if (checkObject(value, pointer, checker, rule.rules, ['type', ...rule.required])) {
      rule.also?.(value, pointer, checker);
    }
  };
}

/** Where an image comes from: one address, or one file that is on Slack, has arrived and is an image. */
export const IMAGE_SOURCES: ObjectRules = {
  image_url: webAddress,
  slack_file: (value, pointer, checker) => {
    const isObject = checkObject(value, pointer, checker, { id: text(255), url: webAddress }, []);
    if (!isObject) return;
    const { id, url } = value;
    if ((id === undefined) === (url === undefined)) checker.wrong(pointer, 'needs either id or url');
    else if (id !== undefined && !/^F[A-Z0-9]{8,}$/.test(id))
      checker.wrong(`${pointer}/id`, 'input must match regex pattern: ^[F][A-Z0-9]{8,}$');
    else if (!checker.canShow(id ?? url)) checker.wrong(pointer, 'invalid slack file');
  },
};

export function checkImageSource(value: Json, pointer: string, checker: Checker): void {
  if ((value.image_url === undefined) === (value.slack_file === undefined))
    checker.wrong(pointer, 'needs either image_url or slack_file');
}

const imageElement: FieldRule = (value, pointer, checker) => {
  const rules = { type: oneOf('image'), alt_text: text(2000), ...IMAGE_SOURCES };
  if (checkObject(value, pointer, checker, rules, ['alt_text'])) checkImageSource(value, pointer, checker);
};
