import { afterEach, expect, it } from 'vitest';
import { Random } from '../../src/solver/random.ts';
import { type OpenedSlack, openSlack } from '../chat/slack/open-slack.ts';
import { sample } from '../fakes/sample.ts';
import { signatureHeaders } from '../fakes/slack/signature.ts';
import { expectNoFaults } from './faults.ts';
import { mutate, pick } from './mutate.ts';

/** Requests for each of Slack's two ways. */
const COUNT = sample(5_000, 150);
const BATCH = 50;

let slack: OpenedSlack;
expectNoFaults();
afterEach(() => slack.close());

it('mutated requests that Slack signed are answered with a status below 500', async () => {
  slack = await openSlack({ mode: 'http' });
  allowFailedAnswers();
  const random = new Random('slack over HTTP');
  const requests = realistic();
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < COUNT; sent += BATCH) {
    const batch = Array.from({ length: BATCH }, async () => {
      const body = JSON.stringify(mutate(pick(requests, random).payload, random).event) ?? '';
      const headers = signatureHeaders(slack.fake.app.signingSecret, body, slack.test.clock.now());
      const { status } = await fetch(`${slack.url}/slack/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    await Promise.all(batch);
    forget();
  }
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(COUNT / 20);
  expect(await isAnswering()).toBe(true);
  console.log(`${COUNT} mutated requests over HTTP, answers by status:`, Object.fromEntries(statuses));
});

it('mutated messages of Socket Mode throw nowhere, and the bot goes on answering', async () => {
  slack = await openSlack({ mode: 'socket' });
  allowFailedAnswers();
  const random = new Random('slack by socket');
  const requests = realistic();
  for (let sent = 0; sent < COUNT; sent++) {
    const { kind, payload } = pick(requests, random);
    const frame = { envelope_id: `envelope-${sent}`, type: kind, payload, accepts_response_payload: true };
    slack.fake.sockets.sendRaw(JSON.stringify(mutate(frame, random).event) ?? '');
    if (sent % BATCH < BATCH - 1) continue;
    await slack.fake.sockets.connected();
    // On each of the two connections, after all that was sent before on it.
    expect([await isAnswering(), await isAnswering()]).toEqual([true, true]);
    forget();
  }
});

/** What a mutation leaves well-formed may still name a channel or a view that there is not. */
function allowFailedAnswers(): void {
  slack.test.allowErrors('a listener failed', 'a request failed', 'an answer failed');
}

async function isAnswering(): Promise<boolean> {
  const { ann, channel } = slack;
  return (await ann.slash(channel, '/letterboxed about').ack).problem === undefined;
}

/** Keeps the errors, which a test fails for; the rest would fill the memory. */
function forget(): void {
  const { logged } = slack.test;
  logged.splice(0, logged.length, ...logged.filter(({ level }) => level === 'error'));
}

/** One request of each kind that the door listens to. */
function realistic(): { readonly kind: string; readonly payload: object }[] {
  const { fake, workspace, ann, channel, test } = slack;
  const url = new URL('/response/none', fake.apiUrl).href;
  const base = {
    team: { id: workspace.id, domain: workspace.domain },
    user: { id: ann.id, team_id: workspace.id },
    api_app_id: fake.app.id,
    trigger_id: '1.2.a',
  };
  const metadata = { channel: channel.id, direct: false, packed: '1|play|sides=bcd-fgh-jkl-mnp' };
  const view = {
    id: 'V1',
    type: 'modal',
    hash: '1.hash',
    callback_id: 'form',
    private_metadata: JSON.stringify(metadata),
    state: { values: { words: { words: { type: 'plain_text_input', value: 'forum' } } } },
  };
  const container = { type: 'message', message_ts: '1.2', channel_id: channel.id, is_ephemeral: false };
  const button = { type: 'button', block_id: 'b', action_id: 'do:0:0', value: 'x', action_ts: '1.3' };
  const press = {
    ...base,
    type: 'block_actions',
    container,
    channel: { id: channel.id },
    response_url: url,
    actions: [button],
    state: { values: {} },
  };
  const inGame = (action: object) => ({
    ...base,
    type: 'block_actions',
    container: { type: 'view', view_id: view.id },
    view: { ...view, callback_id: 'game' },
    actions: [{ ...button, ...action }],
  });
  const submission = (callback: string) => ({
    ...base,
    type: 'view_submission',
    view: { ...view, callback_id: callback },
    response_urls: [],
  });
  const event = (of: object) => ({
    kind: 'events_api',
    payload: {
      type: 'event_callback',
      team_id: workspace.id,
      api_app_id: fake.app.id,
      event_id: 'Ev1',
      event_time: Math.floor(test.clock.now() / 1000),
      authorizations: [{ team_id: workspace.id, user_id: workspace.botUser, is_bot: true }],
      event: of,
    },
  });
  const command = {
    command: '/letterboxed',
    text: 'about',
    team_id: workspace.id,
    user_id: ann.id,
    channel_id: channel.id,
    trigger_id: '1.2.b',
    response_url: url,
  };
  const mention = { user: ann.id, channel: channel.id, text: `<@${workspace.botUser}> about` };
  return [
    { kind: 'slash_commands', payload: command },
    ...[
      press,
      { ...press, actions: [{ ...button, action_id: 'reveal:0' }] },
      inGame({ action_id: 'moves:0', value: 'A' }),
      inGame({ action_id: 'ask:hint', value: 'hint' }),
      submission('form'),
      submission('game'),
    ].map((payload) => ({ kind: 'interactive', payload })),
    event({ type: 'app_mention', ...mention, ts: '1.4' }),
    event({ type: 'message', channel_type: 'im', user: ann.id, channel: 'D1', ts: '1.5', text: 'about' }),
    event({ type: 'app_home_opened', user: ann.id, channel: 'D1', tab: 'home' }),
    event({ type: 'tokens_revoked', tokens: { bot: [] } }),
  ];
}
