import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../commands/index.ts';
import { declare } from '../../../../src/chat/discord/interactions/declare.ts';
import { LIMITS } from '../../../../src/chat/discord/render/limits.ts';
import type { Command } from '../../../../src/dispatch/contract.ts';

describe('the declaration', () => {
  it('stays within Discord’s limits', () => {
    const { options = [] } = declare(COMMANDS);
    expect(options.length).toBeLessThanOrEqual(LIMITS.options);
    for (const { name, description } of options) {
      expect(name).toMatch(/^[a-z-]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(LIMITS.description);
    }
    expect(JSON.stringify(options).length).toBeLessThan(20_000);
    expect(declare(COMMANDS, true)).not.toHaveProperty('contexts');
  });

  it('uses autocomplete for more choices than Discord takes', () => {
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
});
