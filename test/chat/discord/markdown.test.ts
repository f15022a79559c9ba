import { describe, expect, it } from 'vitest';
import { inlineMarkdown, literal, tableMarkdown } from '../../../src/chat/discord/markdown.ts';
import { renderReply } from '../../../src/chat/discord/render.ts';
import { UserError } from '../../../src/core/errors.ts';
import { pictureOf } from '../../../src/reply/model/named-board.ts';
import type { Line } from '../../../src/reply/model/types.ts';
import { pathOf } from '../../../src/reply/picture/path.ts';
import { standingsReply } from '../../../src/reply/replies/standings.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { someone } from '../../fakes/app.ts';
import fc from '../../fakes/fast-check.ts';
import { pictures } from '../../fakes/pictures.ts';

describe('markdown', () => {
  it.each([
    ['||x||', '\\|\\|x\\|\\|'],
    ['*a* _b_ ~c~ `d`', '\\*a\\* \\_b\\_ \\~c\\~ \\`d\\`'],
    ['# no heading', '\\# no heading'],
    ['- no item', '\\- no item'],
    ['1. no list', '1\\. no list'],
    ['in-between 1.5', 'in-between 1.5'],
    ['> no quote', '\\> no quote'],
    ['https://a\n- no item', 'https:\u200b//a\n\\- no item'],
    ['[a](b)', '\\[a\\]\\(b)'],
  ])('displays %s as it is', (text, escaped) => {
    expect(literal(text)).toBe(escaped);
  });

  const spoiler = async (hidden: readonly Line[]) => {
    const blocks = [{ kind: 'spoiler', label: 'Hidden', hidden, reveals: undefined }] as const;
    const reply = { title: 'Hint', blocks, audience: 'asker' } as const;
    const { body } = await renderReply(reply, { pack: async () => '', pictures });
    const container = body.components[0] as { components: { content: string }[] };
    return container.components[1]!.content.replace('**Hidden**', '').replace('\n', '');
  };

  it('lets nothing that is typed end a spoiler', async () => {
    const tricky = fc.string({
      unit: fc.constantFrom('|', '\\', '`', '*', '_', '\n', 'a', ' ', '~', '<', '>'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            tricky,
            tricky.map((bold) => ({ bold })),
            tricky.map((code) => ({ code })),
          ),
        ),
        async (line) => {
          const shown = await spoiler([line, line]);
          expect(shown).toMatch(/^(\|\|.+\|\|)?$/s);
          const inner = shown.replace(/^\|\|/, '').replace(/\|\|$/, '');
          expect(inner.replace(/\\./gs, '')).not.toContain('||');
          expect(inner).not.toMatch(/^\s*$/m.test(shown) ? /^\s+$/ : /\n\s*\n/);
        },
      ),
    );
  });

  it('shares the characters of a message among its blocks, so that each spoiler keeps its label and its beginning', async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `Line ${at} of a long text`);
    const hidden = { kind: 'spoiler', hidden: lines, reveals: undefined } as const;
    const labels = [1, 2, 3, 4, 5].map((part) => `Part ${part} ${'x'.repeat(150)}`);
    const blocks = [
      { kind: 'text', lines } as const,
      ...labels.map((label) => ({ ...hidden, label })),
      { kind: 'note', line: 'The end' } as const,
    ];
    const reply = { title: 'Long', blocks, audience: 'asker' } as const;
    const { body } = await renderReply(reply, { pack: async () => '', pictures });
    const container = body.components[0] as { components: { content: string }[] };
    const texts = container.components.map(({ content }) => content);
    expect(texts.join('').length).toBeLessThanOrEqual(4_000);
    expect(texts.map((text) => text.split('\n')[0])).toEqual([
      '### Long',
      'Line 0 of a long text',
      ...labels.map((label) => `**${label}**`),
      '-# The end',
    ]);
    for (const text of texts.slice(2, -1)) expect(text).toMatch(/\n\|\|Line 0 .*\|\|$/s);
  });

  it.each([
    ['https://x.org/a%20b?c=%25', 'https://x.org/a%20b?c=%25'],
    ['https://x.org/a b?c=(d)|ä', 'https://x.org/a%20b?c=(d%29%7C%C3%A4'],
  ])('encodes the address %s once, and so that it ends neither the link nor a spoiler', (link, address) => {
    expect(inlineMarkdown({ label: 'Play', link })).toBe(`[Play](${address})`);
  });

  it('formats timestamps, commands and people', () => {
    expect(inlineMarkdown({ moment: 1_795_248_000_500, style: 'relative' })).toBe('<t:1795248000:R>');
    expect(inlineMarkdown({ moment: 1_795_248_000_500, style: 'weekday' })).toBe('<t:1795248000:F>');
    expect(inlineMarkdown({ command: 'hint' })).toBe('`/letterboxed hint`');
    expect(inlineMarkdown({ person: '123' })).toBe('<@123>');
    expect(inlineMarkdown({ person: '@everyone' })).not.toContain('@everyone');
  });
});

it('a table has its columns aligned in code, and people after it', () => {
  const table = {
    caption: 'Places',
    columns: [{ label: '#', isNumber: true }, { label: 'Player' }, { label: 'Days', isNumber: true }],
    rows: [
      [1, { person: '123' }, 12],
      [10, { person: '456' }, 2.25],
    ],
  };
  expect(tableMarkdown(table).map((line) => line.replaceAll('\u00a0', '_'))).toEqual([
    '`_#_Days`',
    '`_1___12` <@123>',
    '`10__2.3` <@456>',
  ]);
});

it('a title stands beside its person, outside of the code', () => {
  const sums = { days: 1, reported: 0, afterSolution: 0, counted: 1, words: 2, letters: 14, hints: 0 };
  const standings = [
    { ...sums, rank: 1, person: '123' },
    { ...sums, rank: 2, person: '456' },
    { ...sums, rank: 2, person: '789' },
  ];
  const period = { name: 'day', from: '2026-11-01' } as const;
  const [block] = standingsReply({ period, standings, titles: new Map([['123', 'Legend']]) }).blocks;
  const lines = block?.kind === 'table' ? tableMarkdown(block.table) : [];
  expect(lines.map((line) => line.split('\n')[0])).toEqual([
    expect.stringContaining('Words'),
    '**1\\. <@123>, Legend**',
    '**2\\. <@456>**',
    '**2\\. <@789>**',
  ]);
});

it('a leaderboard with all its columns is as wide as a phone, with the names above their rows', () => {
  const row = {
    days: 30,
    reported: 12,
    afterSolution: 12,
    counted: 18,
    words: 105,
    letters: 418,
    hints: 371,
  };
  const standings = Array.from({ length: 12 }, (_, index) => ({ ...row, rank: index + 1, person: '123' }));
  const period = { name: 'month', from: '2026-11-01' } as const;
  const [block] = standingsReply({ period, standings, page: 2 }).blocks;
  const lines = block?.kind === 'table' ? tableMarkdown(block.table) : [];
  expect(lines).toHaveLength(3);
  // Of 360 points, a message in a container has 242, and a letter of code takes 8.4.
  const rows = lines.map((line) => line.replace(/^\*\*\d+\\\. <@123>, [^\n]*\*\*\n/, '').replaceAll('`', ''));
  expect(rows.map((row) => row.includes('<@'))).toEqual([false, false, false]);
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(28);
});

it('a board that can’t be drawn now is of characters for who waits for it, and a post waits', async () => {
  const png = () => Promise.reject(new UserError('work.queue', 'Too much to draw'));
  const services = { pack: async () => '', pictures: { png } };
  const board = parseBoard('ozu nri lfa mbt');
  const hidden = {
    kind: 'picture',
    picture: { board, path: pathOf(board, ['forum']) },
    alt: 'A path',
  } as const;
  const blocks = [pictureOf(board), { ...hidden, spoiler: true }];
  const reply = { title: 'Board', blocks, audience: 'asker' } as const;
  const { body } = await renderReply(reply, services, { asker: someone() });
  expect(JSON.stringify(body.components)).toContain('```');
  expect(JSON.stringify(body.components)).not.toContain('FORUM');
  await expect(renderReply(reply, services)).rejects.toThrow('Too much to draw');
  const drawn = { ...services, pictures: { png: async () => Buffer.from('') } };
  const { attachments } = (await renderReply(reply, drawn)).body;
  expect(attachments).toMatchObject([{ is_spoiler: undefined }, { is_spoiler: true }]);
});
