import { expect, test } from 'vitest';
import { channelKey } from '../../src/core/channel-ref.ts';

test('channelKey differs whenever tenant, channel or any further part differs', () => {
  const channel = { tenant: 'discord:1', channel: '2' };
  const keys = [
    channelKey(channel),
    channelKey({ ...channel, tenant: 'discord:12' }),
    channelKey({ ...channel, channel: '3' }),
    channelKey(channel, '2026-11-20'),
    channelKey(channel, '2026-11-20', 'opening'),
    channelKey(channel, '2026-11-20 opening'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(channelKey({ ...channel }, '2026-11-20')).toBe(keys[3]);
});
