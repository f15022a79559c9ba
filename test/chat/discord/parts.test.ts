import { PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { readShards } from '../../../src/chat/discord/gateway/client.ts';
import { declare } from '../../../src/chat/discord/interactions/declare.ts';
import { isSame } from '../../../src/chat/discord/interactions/register.ts';
import { InvalidRequestGuard } from '../../../src/chat/discord/posting/invalid-request-guard.ts';
import { permissionsIn } from '../../../src/chat/discord/posting/permissions.ts';
import { markOf } from '../../../src/chat/discord/posting/search.ts';
import { LIMITS, shorten } from '../../../src/chat/discord/render/limits.ts';
import { inlineMarkdown, literal, spoilerMarkdown } from '../../../src/chat/discord/render/markdown.ts';
import type { Command } from '../../../src/dispatch/contract.ts';

describe('markdown', () => {
  it.each([
    ['||x||', '\\|\\|x\\|\\|'],
    ['*a* _b_ ~c~ `d`', '\\*a\\* \\_b\\_ \\~c\\~ \\`d\\`'],
    ['# no heading', '\\# no heading'],
    ['- no item', '\\- no item'],
    ['1. no list', '1\\. no list'],
    ['in-between 1.5', 'in-between 1.5'],
    ['> no quote', '\\> no quote'],
    ['[a](b)', '\\[a\\]\\(b)'],
  ])('%s stands as it is', (text, escaped) => {
    expect(literal(text)).toBe(escaped);
  });

  it('nothing that is typed can leave a spoiler', () => {
    const tricky = fc.string({
      unit: fc.constantFrom('|', '\\', '`', '*', '_', '\n', 'a', ' ', '~', '<', '>'),
    });
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            tricky,
            tricky.map((bold) => ({ bold })),
            tricky.map((code) => ({ code })),
          ),
        ),
        (line) => {
          for (const shown of spoilerMarkdown([line]).split('||\n||')) {
            const inner = shown.replace(/^\|\|/, '').replace(/\|\|$/, '');
            expect(inner.replace(/\\./gs, '')).not.toContain('||');
          }
        },
      ),
    );
  });

  it('moments, commands and people', () => {
    expect(inlineMarkdown({ moment: 1_795_248_000_500, style: 'relative' })).toBe('<t:1795248000:R>');
    expect(inlineMarkdown({ command: 'hint' })).toBe('`/letterboxed hint`');
    expect(inlineMarkdown({ person: '123' })).toBe('<@123>');
    expect(inlineMarkdown({ person: '@everyone' })).not.toContain('@everyone');
  });

  it('cuts between characters', () => {
    expect(shorten('ab😀cd', 5)).toBe('ab😀…');
    expect(shorten('ab😀cd', 4)).toBe('ab…');
    expect(shorten('abcd', 4)).toBe('abcd');
  });
});

describe('the declaration', () => {
  it('keeps to what Discord takes', () => {
    const { options = [] } = declare(COMMANDS);
    expect(options.length).toBeLessThanOrEqual(LIMITS.options);
    for (const { name, description } of options) {
      expect(name).toMatch(/^[a-z-]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(LIMITS.description);
    }
    expect(JSON.stringify(options).length).toBeLessThan(20_000);
    expect(declare(COMMANDS, true)).not.toHaveProperty('contexts');
  });

  it('offers typing help for more choices than Discord shows', () => {
    const command: Command = {
      ...COMMANDS[0]!,
      options: [
        {
          name: 'one',
          description: 'x',
          kind: 'choice',
          choices: Array.from({ length: 26 }, (_, n) => `c${n}`),
        },
      ],
    };
    expect(declare([command]).options?.[0]).toMatchObject({ options: [{ autocomplete: true }] });
    expect(() => declare(Array.from({ length: 26 }, () => command))).toThrow('25');
  });

  it('is compared with what Discord gives back, whatever it adds', () => {
    const wanted = { name: 'a', contexts: [0, 1], options: [{ name: 'x', options: [] }] };
    const known = {
      id: '1',
      version: '2',
      name: 'a',
      contexts: [1, 0],
      nsfw: false,
      options: [{ name: 'x', required: false }],
    };
    expect(isSame(wanted, known)).toBe(true);
    expect(isSame(wanted, { ...known, contexts: [1, 2] })).toBe(false);
    expect(isSame(wanted, { ...known, options: [{ name: 'x', choices: [{ name: 'y' }] }] })).toBe(false);
    expect(isSame({ ...wanted, description: 'new' }, known)).toBe(false);
  });
});

describe('permissions', () => {
  const { ViewChannel, SendMessages, Administrator } = PermissionFlagsBits;
  const guild = (permissions: bigint) => ({
    id: '1',
    roles: [
      { id: '1', permissions: String(ViewChannel) },
      { id: '2', permissions: String(permissions) },
      { id: '3', permissions: String(Administrator) },
    ],
    me: { id: '9', roles: ['2'] },
  });
  const overwrite = (id: string, type: number, allow: bigint, deny: bigint) => ({
    id,
    type,
    allow: String(allow),
    deny: String(deny),
  });

  it('are those of everyone and one’s roles, changed by the channel: everyone, roles, then the member', () => {
    expect(permissionsIn(guild(SendMessages), [])).toBe(ViewChannel | SendMessages);
    expect(permissionsIn(guild(SendMessages), [overwrite('1', 0, 0n, SendMessages)])).toBe(ViewChannel);
    const back = [overwrite('2', 0, SendMessages, 0n), overwrite('1', 0, 0n, SendMessages | ViewChannel)];
    expect(permissionsIn(guild(0n), back)).toBe(SendMessages);
    const taken = [overwrite('9', 1, 0n, SendMessages), overwrite('2', 0, SendMessages, 0n)];
    expect(permissionsIn(guild(0n), taken)).toBe(ViewChannel);
    expect(permissionsIn(guild(Administrator), taken) & SendMessages).toBe(SendMessages);
  });
});

describe('shards', () => {
  it('are all, or a slice', () => {
    expect(readShards('auto')).toEqual({ shards: 'auto' });
    expect(readShards('0-3/16')).toEqual({ shards: [0, 1, 2, 3], shardCount: 16 });
    expect(readShards('5/16')).toEqual({ shards: [5], shardCount: 16 });
    for (const wrong of ['', '3', '4-2/16', '0-16/16', 'a-b/c'])
      expect(() => readShards(wrong)).toThrow('0-3/16');
  });
});

describe('a storm of refusals', () => {
  it('stops what can wait, once, and for a while', () => {
    let now = 0;
    let stops = 0;
    const guard = new InvalidRequestGuard(
      () => now,
      () => stops++,
    );
    for (let seen = 0; seen < 499; seen++) guard.count(403);
    guard.count(200);
    guard.count(429);
    expect(() => guard.checkPosting()).not.toThrow();
    guard.count(404);
    expect(() => guard.checkPosting()).toThrow('too many requests');
    expect(stops).toBe(1);
    now += 10 * 60_000;
    expect(() => guard.checkPosting()).not.toThrow();
  });

  it('does not come of refusals far apart', () => {
    let now = 0;
    const guard = new InvalidRequestGuard(
      () => now,
      () => expect.unreachable(),
    );
    for (let seen = 0; seen < 2_000; seen++) {
      guard.count(404);
      now += 2_000;
    }
    expect(() => guard.checkPosting()).not.toThrow();
  });
});

describe('marks', () => {
  it('are numbers that Discord takes for ids, and differ', () => {
    const marks = Array.from({ length: 5_000 }, (_, at) => markOf(`key ${at}`));
    expect(marks.every((mark) => Number.isInteger(mark) && mark > 0 && mark < 2 ** 31)).toBe(true);
    expect(new Set(marks).size).toBeGreaterThan(4_990);
  });
});
