import { setImmediate } from 'node:timers/promises';
import { webApi } from '@slack/bolt';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Outage } from '../../../src/chat/outage.ts';
import { parseEvent } from '../../../src/chat/slack/events.ts';
import { SlackListener } from '../../../src/chat/slack/listener.ts';
import type { SlackTools } from '../../../src/chat/slack/send.ts';
import { SECOND } from '../../../src/core/clock.ts';
import { changePauses } from '../../fakes/pauses.ts';
import { sample } from '../../fakes/sample.ts';
import type { Person } from '../../fakes/slack/people.ts';
import { messageOf, type OpenedSlack, openSlack, read, viewOf } from './open-slack.ts';

let slack: OpenedSlack;
afterEach(() => slack?.close());

const RETRY = { number: 1, reason: 'http_timeout' };
const answersTo = (person: Person) =>
  slack.workspace.ephemerals.filter(({ only }) => only === person.id).length +
  slack.channel.messages.filter(({ byApp }) => byApp).length;

/** Their way in is tested for both modes in test/abuse/events.test.ts. */
describe.each(sample(['socket', 'http'] as const, ['socket'] as const))('events by %s', (mode) => {
  it('are answered once when Slack sends them again, at once, a day later or as edited', async () => {
    slack = await openSlack({ mode });
    const action = slack.ann.mention(slack.channel, 'hint count');
    await messageOf(action);
    expect((await action.again(RETRY)).problem).toBeUndefined();
    slack.test.clock.time += 24 * 60 * 60_000;
    expect((await action.again({ number: 2, reason: 'http_error' })).problem).toBeUndefined();
    const { event } = slack.fake.delivered.at(-1)!.payload;
    const edit = (ts: string) =>
      slack.fake.sendEvent(slack.workspace, { ...event, text: 'hint', edited: { ts } });
    await edit(event.ts);
    slack.test.clock.time += 4 * 60 * 60_000;
    await edit((Number(event.ts) + 28 * 60 * 60).toFixed(6));
    await slack.door.stop();
    expect(answersTo(slack.ann)).toBe(1);
  });

  it('are answered on a retry when the first delivery was lost', async () => {
    slack = await openSlack({ mode });
    const open = slack.fake.app.requestUrl;
    let lost: ReturnType<Person['mention']>;
    if (mode === 'http') {
      slack.fake.app.requestUrl = 'http://127.0.0.1:9/';
      lost = slack.ann.mention(slack.channel, 'hint count');
      expect((await lost.ack).problem).toBe('dispatch_failed');
      slack.fake.app.requestUrl = open;
    } else {
      slack.fake.sockets.drop('deaf');
      lost = slack.ann.mention(slack.channel, 'hint count');
      slack.fake.sockets.drop('cut');
      expect((await lost.ack).problem).toBe('dispatch_failed');
      await slack.fake.sockets.connected();
    }
    await expect.poll(() => slack.door.trouble()).toBeUndefined();
    expect((await lost.again(RETRY)).problem).toBeUndefined();
    await messageOf(lost);
    expect(answersTo(slack.ann)).toBe(1);
  });

  it('that are malformed are logged without their content, and the next one is answered', async () => {
    slack = await openSlack({ mode });
    const { workspace, fake, channel, ann } = slack;
    for (const event of [
      { type: 'app_mention', user: ann.id, ts: '1.1', channel: channel.id },
      { type: 'app_mention', user: ann.id, ts: '1.2', text: 7, channel: channel.id },
      {
        type: 'message',
        channel_type: 'im',
        user: ann.id,
        ts: '1.3',
        text: { secret: 'ozone' },
        channel: 'D1',
      },
      { type: 'app_home_opened', user: ann.id, tab: 'home' },
    ]) {
      // Slack repeats what is not acknowledged.
      expect(await fake.sendEvent(workspace, event)).toMatchObject({ problem: undefined });
    }
    await messageOf(ann.mention(channel, 'hint count'));
    const ignored = slack.test.logged.filter(({ message }) => message.includes('dropped'));
    // One line stands for all events of a name that come within ten minutes.
    const names = ['app_mention', 'message', 'app_home_opened'];
    expect(ignored.map(({ fields }) => fields.event)).toEqual(names);
    expect(slack.test.logged.filter(({ level }) => level === 'error')).toEqual([]);
    expect(JSON.stringify(ignored)).not.toContain('ozone');
    expect(answersTo(ann)).toBe(1);
  });

  it('of bots are ignored', async () => {
    slack = await openSlack({ mode });
    const { workspace, fake, channel } = slack;
    const { ts } = slack.ann.say(channel, 'help');
    const message = { type: 'message', channel_type: 'im' };
    for (const event of [
      { type: 'app_mention', user: workspace.botUser, text: 'help' },
      { type: 'app_mention', bot_id: 'B1', user: 'U1', text: 'help' },
      { ...message, subtype: 'message_changed' },
      { ...message, bot_id: 'B1', user: 'U1', text: 'help' },
    ])
      await fake.sendEvent(workspace, { ...event, channel: channel.id, ts });
    await slack.door.stop();
    expect(channel.messages.filter(({ byApp }) => byApp)).toEqual([]);
    expect(workspace.ephemerals).toEqual([]);
  });

  it('of replies that are shown in the conversation, too, are answered', async () => {
    slack = await openSlack({ mode });
    const { workspace, fake, ann } = slack;
    const { channel, ts } = await messageOf(ann.write('about'));
    const answered = fake.next(({ message }) => message?.byApp === true);
    const event = {
      type: 'message',
      channel_type: 'im',
      subtype: 'thread_broadcast',
      user: ann.id,
      text: 'about',
    };
    await fake.sendEvent(workspace, { ...event, channel, ts: `${ts}1`, thread_ts: ts });
    expect((await answered).message).toMatchObject({ channel, threadTs: ts });
  });
});

/** Waits until so many connections were opened in all, or on a very busy machine more, and at least two of them are open. */
async function bothUp(least: number): Promise<void> {
  const { sockets } = slack.fake;
  await expect.poll(() => sockets.opened >= least && sockets.count >= 2).toBe(true);
}

describe('sockets', () => {
  it.each([{ id: ['T0', 'ozone'] }, { id: 'ozone'.repeat(100) }])(
    'neither remember nor log what stands in place of a workspace: $id',
    async ({ id }) => {
      slack = await openSlack();
      const { workspace, fake, ann, channel } = slack;
      const event = { type: 'app_mention', user: ann.id, ts: '1.1', text: 'hint', channel: channel.id };
      const payload = {
        ...{ type: 'event_callback', event_id: 'Ev1', event_time: 1, api_app_id: fake.app.id, event },
        ...{
          team_id: workspace.id,
          authorizations: [{ team_id: id, user_id: workspace.botUser, is_bot: true }],
        },
      };
      fake.sockets.sendRaw(JSON.stringify({ envelope_id: 'e1', type: 'events_api', payload }));
      const dropped = () => slack.test.logged.filter(({ message }) => message.includes('was dropped'));
      await expect
        .poll(dropped)
        .toMatchObject([{ fields: { event: 'the app is not installed in workspace ' } }]);
    },
  );

  it('reconnect after a renewal, or after being cut during an answer', async () => {
    // Every connection is young when it breaks, on a slow machine, too.
    using _now = vi.spyOn(performance, 'now').mockReturnValue(0);
    slack = await openSlack();
    const { ann, channel, fake } = slack;
    await bothUp(2);
    const action = ann.slash(channel, '/letterboxed solve ozu nri lfa mbt');
    await action.ack;
    fake.sockets.drop('cut');
    expect(read(await messageOf(action))).toContain('OZU NRI LFA MBT');
    await bothUp(4);
    const lines = slack.test.logged.filter(({ level }) => level !== 'debug');
    // Connections that break soon after they were opened are not opened again at once.
    const closed = { level: 'info', message: 'socket closed, connecting again', fields: { pause: 500 } };
    expect(lines.filter(({ message }) => message.includes('socket'))).toMatchObject([closed, closed]);
    expect(lines.map(({ level }) => level)).not.toContain('error');
    expect(JSON.stringify(lines)).not.toContain('bolt:');
    fake.sockets.drop('refresh');
    await bothUp(6);
    const renewed = slack.test.logged.filter(({ message }) => message === closed.message);
    expect(renewed.at(-1)?.fields).toMatchObject({ pause: 0 });
    expect(read(await messageOf(ann.slash(channel, '/letterboxed about')))).not.toBe('');
  });

  it('are not opened again at once when Slack has too many of them', async () => {
    slack = await openSlack();
    await bothUp(2);
    const { sockets } = slack.fake;
    for (const _ of [1, 2]) sockets.sendRaw('{"type":"disconnect","reason":"too_many_websockets"}');
    await bothUp(4);
    const told = slack.test.logged.filter(({ message }) => message.startsWith('socket closed'));
    const fields = { cause: 'too_many_websockets', pause: 500 };
    expect(told).toMatchObject([{ fields }, { fields }]);
  });

  it('take what comes behind the announcement that they are closed, while the next ones open', async () => {
    slack = await openSlack();
    const { ann, channel, fake } = slack;
    await bothUp(2);
    for (let times = 0; times < sample(4, 2); times++) {
      const { opened } = fake.sockets;
      fake.sockets.drop('refresh');
      const asked = [ann, ann].map((person) => person.slash(channel, '/letterboxed about'));
      for (const { ack } of asked) expect((await ack).problem).toBeUndefined();
      for (const action of asked) expect(read(await messageOf(action))).not.toBe('');
      await expect.poll(() => fake.sockets.opened).toBeGreaterThanOrEqual(opened + 2);
    }
  });

  it('are closed soon after the next ones have taken their place', async () => {
    changePauses((delay) => (delay === 10 * SECOND ? 0 : delay));
    const outage = vi.spyOn(Outage.prototype, 'begin');
    slack = await openSlack();
    await bothUp(2);
    slack.fake.faults.inject({ kind: 'status', status: 500, method: 'apps.connections.open' });
    slack.fake.sockets.drop('refresh');
    await bothUp(4);
    await expect.poll(() => slack.fake.sockets.count).toBe(2);
    // The end of the old ones is no outage, and neither is one that can’t be opened beside another.
    expect(slack.door.trouble()).toBeUndefined();
    expect(outage).not.toHaveBeenCalled();
    outage.mockRestore();
  });

  it('answer a command once that comes again in its envelope, also to a process started since', async () => {
    slack = await openSlack();
    const { ann, channel, fake, workspace } = slack;
    await bothUp(2);
    await messageOf(ann.slash(channel, '/letterboxed about'));
    for (const restart of [async () => {}, slack.restart]) {
      await restart();
      expect(await fake.sockets.repeat()).toMatchObject({ problem: undefined, status: 200 });
    }
    await messageOf(ann.slash(channel, '/letterboxed help'));
    await slack.door.stop();
    expect(workspace.ephemerals).toHaveLength(2);
  });

  it('take a form again at a process started since, for its answer may be lost', async () => {
    slack = await openSlack();
    const { ann, channel, fake, workspace } = slack;
    await bothUp(2);
    await viewOf(ann.slash(channel, '/letterboxed solve'));
    await ann.submit({ Sides: 'ozu nri lfa mbt' }).ack;
    await expect.poll(() => workspace.ephemerals).toHaveLength(1);
    await slack.restart();
    await fake.sockets.repeat();
    await expect.poll(() => workspace.ephemerals).toHaveLength(2);
  });

  it('retry the connection, however Slack fails', async () => {
    slack = await openSlack();
    const { fake } = slack;
    await bothUp(2);
    const faults = [
      { kind: 'status', status: 500 },
      { kind: 'ratelimited', retryAfter: 2 },
      { kind: 'lose' },
    ] as const;
    // Each makes the pause before the next attempt twice as long.
    for (const fault of faults.slice(0, sample(3, 2)))
      fake.faults.inject({ ...fault, method: 'apps.connections.open' });
    fake.sockets.drop('cut');
    await expect.poll(() => slack.door.trouble()).toMatch(/no connection/);
    await fake.sockets.connected();
    await expect.poll(() => slack.door.trouble()).toBeUndefined();
    const limited = { failure: { kind: 'limited', retryAfter: 2000 }, pause: 2000 };
    const lines = slack.test.logged.map(({ fields }) => fields);
    expect(lines).toContainEqual(expect.objectContaining(limited));
    // After the connection that was cut, this is the second failure, of which the outage is the line.
    expect(lines).toContainEqual({ door: 'slack', failure: expect.anything(), pause: 1_000 });
    expect(slack.test.logged.map(({ level }) => level)).not.toContain('warn');
  });

  it('finish running answers when the door stops, and stay closed', async () => {
    slack = await openSlack();
    await bothUp(2);
    const actions = Array.from({ length: 5 }, () =>
      slack.fake.addPerson(slack.workspace).slash(slack.channel, '/letterboxed hint'),
    );
    await Promise.all(actions.map(({ ack }) => ack));
    const { sockets } = slack.fake;
    const { upgrade } = sockets;
    const opening: (() => void)[] = [];
    sockets.upgrade = (...given) => void opening.push(() => upgrade(...given));
    sockets.drop('cut');
    await expect.poll(() => opening).toHaveLength(2);
    const cancelled = vi.spyOn(Outage.prototype, 'cancel');
    const stopped = slack.door.stop();
    expect(cancelled, 'its report').toHaveBeenCalledOnce();
    cancelled.mockRestore();
    for (const open of opening) open();
    await stopped;
    expect(await Promise.all(actions.map(messageOf))).toHaveLength(5);
    await expect.poll(() => sockets.opened - sockets.count).toBe(4);
  });

  it('answer an event that is acknowledged, but not yet looked up in the store, when the door stops', async () => {
    slack = await openSlack();
    const gate = Promise.withResolvers<void>();
    vi.spyOn(slack.test.store.events, 'mark').mockImplementationOnce(async () => {
      await gate.promise;
      return true;
    });
    await slack.ann.mention(slack.channel, 'hint count').ack;
    const stopped = slack.door.stop();
    await expect.poll(() => slack.fake.sockets.count).toBe(0);
    gate.resolve();
    await stopped;
    expect(answersTo(slack.ann)).toBe(1);
  });
});

describe('the listener', () => {
  /** Gives a listener with these tools what Slack sends. */
  function listenWith(tools: object) {
    const listener = new SlackListener({
      app: { clock: { now: () => 0 }, log: { info() {} } },
      seen: { isRepeat: async () => false },
      directChannels: { has: async () => false },
      ...tools,
    } as unknown as SlackTools);
    return (body: object, context: object = {}, ack = async () => {}) =>
      listener.listen(parseEvent(body)!, ack, { requestId: '1', isEnterpriseInstall: false, ...context });
  }

  it.each([
    ['in a modal', { view: { id: 'V1', type: 'modal', private_metadata: '' } }],
    [
      'on a private message',
      {
        container: { channel_id: 'C1', message_ts: '1.1', is_ephemeral: true },
        response_url: 'https://hooks.slack.com/1',
      },
    ],
  ])('answers presses %s in their order, for the answers may replace each other', async (_, on) => {
    const answered: string[] = [];
    const press = async (_context: unknown, value: string) => {
      for (let turns = value === 'slow' ? 10 : 0; turns > 0; turns--) await setImmediate();
      answered.push(value);
    };
    const listen = listenWith({ conversation: { press } });
    const pressed = { type: 'block_actions', user: { id: 'U1' }, trigger_id: 'T', ...on };
    const values = ['slow', 'quick'];
    await Promise.all(
      values.map((value) => listen({ ...pressed, actions: [{ action_id: 'do:0:0', value }] })),
    );
    expect(answered).toEqual(['slow', 'quick']);
  });

  it('acknowledges all commands that arrive together before it processes the first', async () => {
    const order: string[] = [];
    const isRepeat = async () => order.push('processed') === 0;
    const listen = listenWith({ seen: { isRepeat }, conversation: { line: async () => {} } });
    const command = {
      command: '/letterboxed',
      text: 'hint',
      trigger_id: 'trigger',
      team_id: 'T1',
      user_id: 'U1',
      channel_id: 'C1',
      response_url: 'https://hooks.slack.com/1',
    };
    // Each acknowledgement takes longer than the one before.
    const ack = async (at: number) => {
      for (let steps = 0; steps < 10 * at; steps++) await undefined;
      order.push('acknowledged');
    };
    await Promise.all([1, 2, 3].map((at) => listen(command, {}, () => ack(at))));
    expect(order).toEqual([...Array(3).fill('acknowledged'), ...Array(3).fill('processed')]);
  });

  it('counts the time for a form from its arrival, not from the answer of the store', async () => {
    const order: string[] = [];
    const submitTimeout = 1_234;
    changePauses((delay) => {
      if (delay === submitTimeout) order.push('began');
      return delay;
    });
    const isRepeat = async () => order.push('asked the store') > 0;
    const view = { id: 'V1', private_metadata: '', state: { values: {} } };
    const submitted = { type: 'view_submission', user: { id: 'U1' }, view };
    const ack = async () => void order.push('acknowledged');
    await listenWith({ seen: { isRepeat }, submitTimeout })(submitted, {}, ack);
    expect(order).toEqual(['began', 'asked the store', 'acknowledged']);
  });

  it('records the removal of an organization’s app with the token from before Slack was asked', async () => {
    let token = 'before';
    const call = async () => {
      token = 'installed again';
      throw new webApi.WebAPIPlatformError({ ok: false, error: 'account_inactive' });
    };
    const markRemoved = vi.fn();
    const listen = listenWith({ api: { call }, workspaces: { token: async () => token, markRemoved } });
    const removed = { type: 'event_callback', event_id: 'Ev1', event: { type: 'app_uninstalled' } };
    await listen(removed, { isEnterpriseInstall: true, enterpriseId: 'E1', teamId: 'T1' });
    expect(markRemoved).toHaveBeenCalledExactlyOnceWith('E1', 'before');
  });
});
