import { describe, expect, it } from 'vitest';
import { makeManifest } from '../../../src/chat/slack/manifest.ts';
import {
  makeReveal,
  onlyRevealed,
  parseReveal,
  type RenderOptions,
  type RenderServices,
  renderReply,
} from '../../../src/chat/slack/render.ts';
import { makeAction } from '../../../src/reply/model/action.ts';
import { isHidden } from '../../../src/reply/model/text.ts';
import type { Block, Inline, Line, Reply, Table } from '../../../src/reply/model/types.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import fc, { anyGrapheme } from '../../fakes/fast-check.ts';
import { sample } from '../../fakes/sample.ts';
import { blockProblems } from '../../fakes/slack/block-kit.ts';
import { shownText } from '../../fakes/slack/shown.ts';

const OPTIONS: RenderOptions = { surface: 'message', inThread: false };
const FILE = 'F012345678';
const services: RenderServices = {
  pack: async (action) => (makeAction(action).length > 100 ? `@${'k'.repeat(43)}` : makeAction(action)),
  store: async () => 'slack-reply:1',
  picture: async () => FILE,
};
const problemsOf = (blocks: unknown, surface: 'message' | 'home' = 'message') =>
  blockProblems(blocks, surface, () => true);

const board = parseBoard('ozu nri lfa mbt');
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: anyGrapheme, maxLength: 30 }),
  fc.string({ minLength: 2900, maxLength: 3300, unit: fc.constantFrom('<', 'a', '&', ' ', '*') }),
);
const someText = anyText.map((text) => text || 'x');
/** `fc.webUrl` takes a second of processor time before its first address. */
const path = fc.string({
  unit: fc.constantFrom(...'aZ1-._~!$&()*+,;=:@/?#', '%3E', '%7C', "'"),
  maxLength: 60,
});
const inline: fc.Arbitrary<Inline> = fc.oneof(
  anyText,
  fc.record({ bold: anyText }),
  fc.record({ code: anyText }),
  fc.record({
    moment: fc.integer({ min: 0, max: 4e12 }),
    style: fc.constantFrom('relative', 'date', 'time', 'full', 'weekday'),
  }),
  fc.record({ link: path.map((rest) => `https://example.com/${rest}`), label: someText }),
  fc.record({ command: someText }),
  fc.record({ person: fc.constant('U012345678') }),
);
const line: fc.Arbitrary<Line> = fc.oneof(inline, fc.array(inline, { maxLength: 6 }));
const lines = fc.array(line, { maxLength: 8 });
const action = fc.record({
  command: fc.constantFrom('hint', 'today'),
  options: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(someText, fc.integer(), fc.boolean()), {
    maxKeys: 3,
  }),
});
const SECRET = 'QXZSECRET';
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), lines }),
  fc.record({
    kind: fc.constant('facts' as const),
    facts: fc.array(fc.record({ label: someText, value: inline }), { maxLength: 25 }),
  }),
  fc.record({
    kind: fc.constant('picture' as const),
    picture: fc.constant({ board }),
    alt: someText,
    spoiler: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('spoiler' as const),
    label: someText,
    hidden: lines.map((some) => [SECRET, ...some]),
    reveals: fc.constant(undefined),
  }),
  fc.record({
    kind: fc.constant('buttons' as const),
    buttons: fc.array(
      fc.record({
        label: anyText,
        action,
        look: fc.constantFrom('primary' as const, 'plain' as const, 'danger' as const),
      }),
      { maxLength: 30 },
    ),
  }),
  fc.record({ kind: fc.constant('note' as const), line }),
  fc.record({
    kind: fc.constant('file' as const),
    name: someText,
    type: fc.constant('text/plain'),
    content: anyText,
  }),
);
const anyReply: fc.Arbitrary<Reply> = fc
  .record({
    title: anyText,
    blocks: fc.array(block, { maxLength: 70 }),
    rerun: fc.option(action, { nil: undefined }),
  })
  .map(({ rerun, ...rest }) => ({ ...rest, audience: 'everyone' as const, ...(rerun && { rerun }) }));

describe('any reply in Block Kit', () => {
  it('keeps every limit of Slack, in messages and views, with pictures and without', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.boolean(), fc.boolean(), async (reply, isPlain, lacksFiles) => {
        const message = await renderReply(reply, { ...OPTIONS, isPlain, lacksFiles }, services);
        expect(problemsOf(message.blocks)).toEqual([]);
        expect(message.text.length).toBeLessThanOrEqual(4000);
        const page = await renderReply(reply, { ...OPTIONS, surface: 'view', isPlain, lacksFiles }, services);
        expect(problemsOf(page.blocks, 'home')).toEqual([]);
      }),
      { numRuns: sample(150, 10) },
    );
  });

  it.each(['&', '<', '*', '> '])('keeps the limits with a title of nothing but %j', async (sign) => {
    const reply: Reply = { title: sign.repeat(3000), blocks: [], audience: 'everyone' };
    expect(problemsOf((await renderReply(reply, OPTIONS, services)).blocks)).toEqual([]);
  });

  it('holds nothing hidden, anywhere in the payload, until it is revealed', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.boolean(), async (reply, isPlain) => {
        const { text, blocks } = await renderReply(reply, { ...OPTIONS, isPlain }, services);
        expect(JSON.stringify({ text, blocks })).not.toContain(SECRET);
      }),
      { numRuns: sample(100, 10) },
    );
  });
});

const HINTS: Reply = {
  title: 'Two hints',
  blocks: [
    { kind: 'spoiler', label: 'First', hidden: ['one'], reveals: undefined },
    { kind: 'picture', picture: { board }, alt: 'A path', spoiler: true },
    { kind: 'spoiler', label: 'Last', hidden: ['three'], reveals: undefined },
    { kind: 'buttons', buttons: [{ label: 'More', action: { command: 'hint', options: {} } }] },
  ],
  audience: 'everyone',
  rerun: { command: 'hint', options: { date: '2026-11-20' } },
};
const valuesOf = (blocks: readonly object[]) => JSON.stringify(blocks).match(/"value":"[^"]*"/g);

describe('spoilers', () => {
  it.each(['asker', 'everyone'] as const)(
    'that are open for their asker are shown to nobody else: %s',
    async (audience) => {
      const blocks: Block[] = [
        { kind: 'spoiler', label: 'Hint', hidden: [SECRET], open: true, reveals: undefined },
      ];
      const rendered = await renderReply({ title: 'Hint', blocks, audience }, OPTIONS, services);
      expect(JSON.stringify(rendered).includes(SECRET)).toBe(audience === 'asker');
    },
  );

  it('are buttons whose value says where the reply comes from and which block to show', async () => {
    const { blocks } = await renderReply(HINTS, OPTIONS, services);
    expect(shownText(blocks)).toBe(
      'Two hints\n*First*\n[Show]\n*Picture of the solution*\n[Show]\n*Last*\n[Show]\n[Show all]\n[More]',
    );
    const { long_description } = makeManifest({ commands: [] }).display_information;
    expect(long_description).toContain('each behind a Show button');
    expect(valuesOf(blocks)?.slice(0, 4)).toEqual(
      ['0', '1', '2', '0,1,2'].map((numbers) => `"value":"${numbers};2|hint|date=2026-11-20"`),
    );
  });

  it('are revealed one by one, and stay revealed', async () => {
    const { blocks, text } = await renderReply(HINTS, { ...OPTIONS, open: new Set([0, 1]) }, services);
    expect(text).toBe('Two hints\n*Last*');
    expect(shownText(blocks)).toBe('Two hints\n*First*\none\n[picture: A path]\n*Last*\n[Show]\n[More]');
    expect(valuesOf(blocks)?.[0]).toBe('"value":"0,1,2;2|hint|date=2026-11-20"');
  });

  it('of a reply that no command gives again are stored under a key', async () => {
    const { rerun: _, ...lone } = HINTS;
    const { blocks } = await renderReply(lone, OPTIONS, services);
    expect(valuesOf(blocks)?.[0]).toBe('"value":"0;slack-reply:1"');
  });

  it('are shown to one person without the rest of the reply', () => {
    const { reply, open } = onlyRevealed(HINTS, new Set([2]));
    expect(reply).toMatchObject({ audience: 'asker', blocks: [{ label: 'Last' }] });
    expect([...open]).toEqual([0]);
    const changed = onlyRevealed(HINTS, new Set([9]));
    expect(changed.reply.blocks.filter(isHidden)).toHaveLength(3);
    expect(changed.open.size).toBe(0);
  });

  it('have values that are parsed as they were made', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(300), { minLength: 1 }), someText, (numbers, source) => {
        expect(parseReveal(makeReveal({ open: new Set(numbers), source }))).toEqual({
          open: new Set(numbers),
          source,
        });
      }),
    );
    for (const nonsense of ['', ';', '0;', 'a;x', '0', '1,;x']) expect(parseReveal(nonsense)).toBeUndefined();
  });
});

describe('a reply that does not fit', () => {
  it('is cut, but keeps the last buttons', async () => {
    const many: Reply = {
      title: 'Many',
      blocks: [...Array.from({ length: 80 }, (): Block => ({ kind: 'note', line: 'x' })), HINTS.blocks[3]!],
      audience: 'asker',
    };
    const { blocks } = await renderReply(many, OPTIONS, services);
    expect(blocks).toHaveLength(50);
    expect(blocks.at(-1)?.type).toBe('actions');
    expect(shownText(blocks)).toContain('and 33 more parts');
  });
});

it('a table is a data table, with numbers to sort by, or lines', async () => {
  const table: Table = {
    caption: 'Places',
    columns: [{ label: '#', isNumber: true }, { label: 'Player' }, { label: 'Words', isNumber: true }],
    rows: [
      [1, { person: 'U0123' }, 2.25],
      [2, { person: 'U0456' }, '–'],
    ],
  };
  const reply: Reply = { title: 'T', blocks: [{ kind: 'table', table }], audience: 'everyone' };
  const { text, blocks } = await renderReply(reply, OPTIONS, services);
  expect(text).toBe('T\n1 · <@U0123> · Words 2.3\n2 · <@U0456> · Words –');
  expect(shownText(blocks)).toContain('# | Player | Words\n1 | <@U0123> | 2.3\n2 | <@U0456> | –');
  expect(blocks[1]).toMatchObject({
    ...{ type: 'data_table', caption: 'Places', row_header_column_index: 1, page_size: 2 },
    rows: [{}, [{ type: 'raw_number', value: 1, text: '1' }, {}, {}], {}],
  });
  const names = new Map([['U0123', 'Ann']]);
  const named = await renderReply(reply, { ...OPTIONS, names }, services);
  expect(shownText(named.blocks)).toContain('1 | Ann | 2.3\n2 | <@U0456> | –');
  const plain = await renderReply(reply, { ...OPTIONS, isPlain: true }, services);
  expect(shownText(plain.blocks)).toContain('1 · <@U0123> · Words 2.3\n2 · <@U0456> · Words –');
});
