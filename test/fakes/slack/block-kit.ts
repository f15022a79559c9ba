import * as v from 'valibot';

export type Surface = 'message' | 'modal' | 'home';

/** Slack counts characters, not bytes. */
function text(most: number, least = 1) {
  const fits = (given: string) => [...given].length >= least && [...given].length <= most;
  return v.pipe(v.string(), v.check(fits, `must have ${least} to ${most} characters`));
}

function list<Item extends v.GenericSchema>(item: Item, least: number, most: number) {
  return v.pipe(v.array(item), v.minLength(least), v.maxLength(most));
}

function whole(least: number, most: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
}

/** An object of one `type`; every field that Slack knows is named, and others are refused. */
function typed<Type extends string, Fields extends v.ObjectEntries>(type: Type, fields: Fields) {
  return v.strictObject({ type: v.literal(type), ...fields });
}

const flag = v.optional(v.boolean());
const address = v.pipe(text(3000), v.url());
const plain = (most: number) => typed('plain_text', { text: text(most), emoji: flag });
const markup = (most: number) => typed('mrkdwn', { text: text(most), verbatim: flag });
const look = v.optional(v.picklist(['primary', 'danger']));
const actionId = v.optional(text(255));
const placeholder = v.optional(plain(150));

/** The elements that the bot uses; Slack has more. */
const button = typed('button', {
  action_id: actionId,
  text: plain(75),
  url: v.optional(address),
  value: v.optional(text(2000, 0)),
  style: look,
  accessibility_label: v.optional(text(75)),
});
const option = v.strictObject({ text: plain(75), value: text(150), description: v.optional(plain(75)) });
const select = typed('static_select', {
  action_id: actionId,
  placeholder,
  options: list(option, 1, 100),
});
const textInput = typed('plain_text_input', {
  action_id: actionId,
  initial_value: v.optional(text(3000, 0)),
  multiline: flag,
  max_length: v.optional(whole(1, 3000)),
  placeholder,
});
const fileInput = typed('file_input', {
  action_id: actionId,
  filetypes: v.optional(list(text(10), 1, 50)),
  max_files: v.optional(whole(1, 10)),
});
const FILE = { id: v.pipe(v.string(), v.regex(/^F[A-Z0-9]{8,}$/)) };
/** Whether no two of the ids are the same; some are missing. */
function areUnique(ids: readonly (string | undefined)[]): boolean {
  const known = ids.filter((id) => id !== undefined);
  return new Set(known).size === known.length;
}

const cells = {
  text: typed('raw_text', { text: text(3000) }),
  number: typed('raw_number', { text: text(3000), value: v.number() }),
  rich: typed('rich_text', {
    elements: list(
      typed('rich_text_section', { elements: list(typed('user', { user_id: text(50) }), 1, 10) }),
      1,
      10,
    ),
  }),
};
const rows = v.pipe(
  v.tupleWithRest(
    [list(cells.text, 1, 20)],
    list(v.variant('type', [cells.text, cells.number, cells.rich]), 1, 20),
  ),
  v.minLength(2),
  v.maxLength(101),
  v.check((all) => new Set(all.map(({ length }) => length)).size === 1, 'must have rows of the same length'),
  v.check(
    (all) => all.flat().reduce((sum, cell) => sum + ('text' in cell ? cell.text.length : 0), 0) <= 10_000,
    'must have at most 10000 characters in all cells',
  ),
);

const blockId = v.optional(text(255));
const EVERYWHERE = [
  typed('section', {
    block_id: blockId,
    text: v.variant('type', [plain(3000), markup(3000)]),
    accessory: v.optional(button),
  }),
  typed('header', { block_id: blockId, text: plain(150) }),
  typed('context', { block_id: blockId, elements: list(markup(3000), 1, 10) }),
  typed('actions', {
    block_id: blockId,
    elements: v.pipe(
      list(v.variant('type', [button, select]), 1, 25),
      v.check((all) => areUnique(all.map(({ action_id }) => action_id)), 'action_id must be unique'),
    ),
  }),
  typed('image', { block_id: blockId, alt_text: text(2000), slack_file: v.strictObject(FILE) }),
] as const;
/** What may be in a container, of the blocks that the bot sends. Slack names no surfaces for it: here, messages alone take it. */
const container = v.pipe(
  typed('container', {
    block_id: blockId,
    title: plain(150),
    child_blocks: list(v.variant('type', [...EVERYWHERE]), 1, 10),
    is_collapsible: flag,
    default_collapsed: flag,
  }),
  v.check(
    ({ is_collapsible, default_collapsed }) => is_collapsible === true || default_collapsed !== true,
    'default_collapsed requires is_collapsible',
  ),
);
const table = typed('data_table', {
  block_id: blockId,
  caption: text(3000),
  rows,
  page_size: v.optional(whole(1, 100)),
  row_header_column_index: v.optional(whole(0, 19)),
});
const input = typed('input', {
  block_id: blockId,
  label: plain(2000),
  hint: v.optional(plain(2000)),
  optional: flag,
  element: v.variant('type', [textInput, fileInput]),
});

const IN_MESSAGES = v.pipe(
  list(v.variant('type', [...EVERYWHERE, table, container]), 0, 50),
  v.check((all) => areUnique(all.map(({ block_id }) => block_id)), 'block_id must be unique'),
);
const IN_VIEWS = v.pipe(
  list(v.variant('type', [...EVERYWHERE, input]), 0, 100),
  v.check((all) => areUnique(all.map(({ block_id }) => block_id)), 'block_id must be unique'),
);
const VIEW = {
  blocks: IN_VIEWS,
  private_metadata: v.optional(text(3000, 0)),
  callback_id: v.optional(text(255)),
};
const VIEWS = {
  home: typed('home', VIEW),
  modal: v.pipe(
    typed('modal', {
      ...VIEW,
      title: plain(24),
      submit: v.optional(plain(24)),
      close: v.optional(plain(24)),
    }),
    v.check(
      ({ blocks, submit }) => submit !== undefined || !blocks.some(({ type }) => type === 'input'),
      'missing required field: submit',
    ),
  ),
};

/** What is wrong, each with the JSON pointer to it, as Slack reports it. */
function problemsOf(
  schema: v.GenericSchema,
  given: unknown,
  root: string,
  canShow: (file: string) => boolean,
) {
  const { issues = [] } = v.safeParse(schema, given);
  const problems = issues.map(
    ({ message, path = [] }) =>
      `${message} [json-pointer:${[root, ...path.map(({ key }) => String(key))].join('/')}]`,
  );
  for (const [, file] of JSON.stringify(given ?? null).matchAll(/"slack_file":\{"id":"([^"]*)"/g))
    if (!canShow(file!)) problems.push(`invalid slack file ${file}`);
  return problems;
}

/** Everything wrong with the blocks of a message, a modal or a home page; nothing when all is well. */
export function blockProblems(
  blocks: unknown,
  surface: Surface,
  canShow: (file: string) => boolean = () => false,
): string[] {
  return problemsOf(surface === 'message' ? IN_MESSAGES : IN_VIEWS, blocks, '/blocks', canShow);
}

/** Bytes of JSON a view may have. */
const LARGEST = 250 * 1024;

/** Everything wrong with a view; `isTooLarge` is separate, because Slack has its own error for it. */
export function viewProblems(
  view: unknown,
  surface: Exclude<Surface, 'message'>,
  canShow: (file: string) => boolean,
): { problems: string[]; isTooLarge: boolean } {
  const isTooLarge = Buffer.byteLength(JSON.stringify(view ?? null)) > LARGEST;
  return { problems: problemsOf(VIEWS[surface], view, '/view', canShow), isTooLarge };
}
