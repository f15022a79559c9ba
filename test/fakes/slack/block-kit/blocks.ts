import type { Json } from '../world.ts';
import {
  type Checker,
  checkObject,
  type FieldRule,
  flag,
  list,
  makeChecker,
  type ObjectRules,
  type Surface,
  text,
} from './checker.ts';
import { checkImageSource, element, IMAGE_SOURCES, IN_ACTIONS, IN_INPUT, IN_SECTION } from './elements.ts';
import { anyText, plainText } from './texts.ts';

interface BlockRule {
  readonly on: readonly Surface[];
  readonly rules: ObjectRules;
  readonly required: readonly string[];
  readonly also?: (value: Json, pointer: string, checker: Checker) => void;
}

const EVERYWHERE: readonly Surface[] = ['message', 'modal', 'home'];
const contextElement: FieldRule = (value, pointer, checker) => {
  const isImage = (value as { type?: unknown } | null)?.type === 'image';
  (isImage ? element(['image']) : anyText(3000))(value, pointer, checker);
};

/** The ones this fake knows; Slack has more, which the bot does not use. */
const BLOCKS: Readonly<Record<string, BlockRule>> = {
  section: {
    on: EVERYWHERE,
    rules: {
      text: anyText(3000),
      fields: list(1, 10, anyText(2000)),
      accessory: element(IN_SECTION),
      expand: flag,
    },
    required: [],
    also(value, pointer, checker) {
      if (value.text === undefined && value.fields === undefined)
        checker.wrong(pointer, 'missing required field: text');
    },
  },
  divider: { on: EVERYWHERE, rules: {}, required: [] },
  header: { on: EVERYWHERE, rules: { text: plainText(150) }, required: ['text'] },
  context: {
    on: EVERYWHERE,
    rules: { elements: list(1, 10, contextElement) },
    required: ['elements'],
  },
  actions: {
    on: EVERYWHERE,
    rules: { elements: list(1, 25, element(IN_ACTIONS)) },
    required: ['elements'],
    also(value, pointer, checker) {
      if (!Array.isArray(value.elements)) return;
      const ids = value.elements
        .map((item: Json) => item?.action_id)
        .filter((id: unknown) => id !== undefined);
      if (new Set(ids).size < ids.length) checker.wrong(pointer, 'action_id must be unique in its block');
    },
  },
  image: {
    on: EVERYWHERE,
    rules: { alt_text: text(2000), title: plainText(2000), ...IMAGE_SOURCES },
    required: ['alt_text'],
    also: checkImageSource,
  },
  input: {
    on: EVERYWHERE,
    rules: {
      label: plainText(2000),
      hint: plainText(2000),
      optional: flag,
      dispatch_action: flag,
      element: element(IN_INPUT),
    },
    required: ['label', 'element'],
  },
  markdown: { on: ['message'], rules: { text: text(12_000) }, required: ['text'] },
};

const MOST: Record<Surface, number> = { message: 50, modal: 100, home: 100 };

/** Everything wrong with the blocks of a message, a modal or a home page; nothing when all is well. */
export function blockProblems(
  blocks: unknown,
  surface: Surface,
  canShow: (file: string) => boolean = () => false,
  root = '/blocks',
): string[] {
  const checker = makeChecker(surface, canShow);
  list(0, MOST[surface], checkBlock)(blocks, root, checker);
  return checker.problems;
}

const checkBlock: FieldRule = (value, pointer, checker) => {
  const type = (value as { type?: unknown } | null)?.type;
  const rule = typeof type === 'string' ? BLOCKS[type] : undefined;
  if (rule === undefined || !rule.on.includes(checker.surface)) {
    checker.wrong(pointer, `unsupported type: ${String(type)}`);
    return;
  }
  const rules = { type: text(100), block_id: text(255), ...rule.rules };
  if (!checkObject(value, pointer, checker, rules, ['type', ...rule.required])) return;
  rule.also?.(value, pointer, checker);
  const id = value.block_id;
  if (id === undefined) return;
  if (checker.blockIds.has(id)) checker.wrong(`${pointer}/block_id`, `\`${id}\` already exists`);
  checker.blockIds.add(id);
};
