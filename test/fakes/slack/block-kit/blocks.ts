import type { Json } from '../world.ts';
import {
  type Checker,
  checkObject,
  type FieldRule,
  flag,
  list,
  makeChecker,
  type ObjectRules,
  oneOf,
  type Surface,
  text,
  whole,
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

const mention: FieldRule = (value, pointer, checker) => {
  checkObject(value, pointer, checker, { type: oneOf('user'), user_id: text(50) }, ['type', 'user_id']);
};
const richTextSection: FieldRule = (value, pointer, checker) => {
  const rules = { type: oneOf('rich_text_section'), elements: list(1, 10, mention) };
  checkObject(value, pointer, checker, rules, ['type', 'elements']);
};
const CELLS: Readonly<Record<string, ObjectRules>> = {
  raw_text: { text: text(3000) },
  raw_number: {
    text: text(3000),
    value: (value, pointer, { wrong }) => typeof value !== 'number' && wrong(pointer, 'must be a number'),
  },
  rich_text: { elements: list(1, 10, richTextSection) },
};
/** A cell of a table. The first row has the headings, which may be no rich text. */
function cell(...kinds: readonly string[]): FieldRule {
  return (value, pointer, checker) => {
    const type = String((value as { type?: unknown } | null)?.type);
    const rules = kinds.includes(type) ? CELLS[type] : undefined;
    if (rules === undefined || (type === 'rich_text' && /\/rows\/0\/\d+$/.test(pointer)))
      return checker.wrong(pointer, `unsupported type: ${type}`);
    checkObject(value, pointer, checker, { type: text(100), ...rules }, ['type', ...Object.keys(rules)]);
  };
}
const columnSetting: FieldRule = (value, pointer, checker) => {
  checkObject(value, pointer, checker, { align: oneOf('left', 'center', 'right'), is_wrapped: flag }, []);
};
function sameLengths(value: Json, pointer: string, checker: Checker): void {
  const lengths = new Set((value.rows as unknown[][]).map((row) => row.length));
  if (lengths.size > 1) checker.wrong(`${pointer}/rows`, 'must have rows of the same length');
}

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
  data_table: {
    on: ['message'],
    rules: {
      caption: text(3000),
      rows: list(2, 201, list(1, 20, cell('raw_text', 'raw_number', 'rich_text'))),
      page_size: whole(1, 100),
      row_header_column_index: whole(0, 19),
    },
    required: ['rows', 'caption'],
    also: sameLengths,
  },
  table: {
    on: ['message'],
    rules: {
      rows: list(1, 100, list(1, 20, cell('raw_text', 'rich_text'))),
      column_settings: list(0, 20, columnSetting),
    },
    required: ['rows'],
    also: sameLengths,
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
