import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { parseEvent } from '../../../src/chat/slack/events.ts';
import { SlackListener } from '../../../src/chat/slack/listener.ts';
import type { SlackTools } from '../../../src/chat/slack/send.ts';

it('acknowledges all commands that arrive together before it processes the first', async () => {
  const order: string[] = [];
  const tools = {
    app: { clock: { now: () => 0 } },
    seen: { isRepeat: async () => order.push('processed') === 0 },
    conversation: { line: async () => {} },
    directChannels: { has: async () => false },
  } as unknown as SlackTools;
  const listener = new SlackListener(tools);
  const command = parseEvent({
    command: '/letterboxed',
    text: 'hint',
    trigger_id: 'trigger',
    team_id: 'T1',
    user_id: 'U1',
    channel_id: 'C1',
    response_url: 'https://hooks.slack.com/1',
  });
  const listen = (at: number) => {
    // Each acknowledgement takes longer than the one before.
    const ack = async () => {
      for (let steps = 0; steps < 10 * at; steps++) await undefined;
      order.push('acknowledged');
    };
    return listener.listen(command!, ack, { requestId: `${at}`, isEnterpriseInstall: false });
  };
  await Promise.all([1, 2, 3].map(listen));
  expect(order).toEqual([...Array(3).fill('acknowledged'), ...Array(3).fill('processed')]);
});

it('has stored that each workspace left the organization when it is done', async () => {
  const left: string[] = [];
  const leave = async (team: string) => {
    await setImmediate();
    left.push(team);
  };
  const tools = {
    app: { clock: { now: () => 0 } },
    seen: { isRepeat: async () => false },
    workspaces: { leave },
  } as unknown as SlackTools;
  const event = { type: 'team_access_revoked', team_ids: ['T2', 'T3'] };
  const revoked = parseEvent({ type: 'event_callback', event_id: 'Ev1', team_id: 'T1', event });
  const context = { requestId: '1', isEnterpriseInstall: true };
  await new SlackListener(tools).listen(revoked!, async () => {}, context);
  expect(left).toEqual(['T2', 'T3']);
});
