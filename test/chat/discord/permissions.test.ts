import { PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { permissionsIn } from '../../../src/chat/discord/rights.ts';

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

  it('are those of all roles, changed by the channel’s rules for everyone, for roles, and for the member', () => {
    expect(permissionsIn(guild(SendMessages), [])).toBe(ViewChannel | SendMessages);
    expect(permissionsIn(guild(SendMessages), [overwrite('1', 0, 0n, SendMessages)])).toBe(ViewChannel);
    const back = [overwrite('2', 0, SendMessages, 0n), overwrite('1', 0, 0n, SendMessages | ViewChannel)];
    expect(permissionsIn(guild(0n), back)).toBe(SendMessages);
    const taken = [overwrite('9', 1, 0n, SendMessages), overwrite('2', 0, SendMessages, 0n)];
    expect(permissionsIn(guild(0n), taken)).toBe(ViewChannel);
    expect(permissionsIn(guild(Administrator), taken) & SendMessages).toBe(SendMessages);
  });
});
