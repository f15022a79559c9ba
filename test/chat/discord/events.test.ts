import { afterEach, expect, it } from 'vitest';
import { askerOf } from '../../../src/chat/discord/exchange.ts';
import { readEvent } from '../../../src/chat/discord/gateway.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type Started, startDiscord } from './start.ts';

let started: Started;
afterEach(() => started.close());

it.each([
  ['where Discord leaves out its object', undefined],
  ['in a thread of it', { id: '55', type: 11, parent_id: '44' }],
])('takes the channel of an interaction from its id %s', async (_, channel) => {
  started = await startDiscord({ app: { words: WORDS, house } });
  const event = {
    ...{ id: '1', application_id: '2', token: 'token', type: 2, data: { options: [] } },
    ...{ guild_id: '3', channel_id: channel?.id ?? '44', channel, member: { user: { id: '77' } } },
    authorizing_integration_owners: { 0: '3' },
  };
  const read = readEvent('INTERACTION_CREATE', event);
  if (typeof read === 'string' || read.name !== 'INTERACTION_CREATE') return expect.unreachable();
  const { where } = askerOf(read.data, started.store);
  expect(where).toMatchObject({ tenant: 'discord:3', channel: '44', direct: false });
  expect(where.thread).toBe(channel?.id);
});
