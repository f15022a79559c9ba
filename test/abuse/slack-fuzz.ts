/** Mutated requests and messages of Slack, sent to the real door over loopback. */
import { parseEvent } from '../../src/chat/slack/events.ts';
import type { Random } from '../../src/core/random.ts';
import type { OpenedSlack } from '../chat/slack/open-slack.ts';
import { signatureHeaders } from '../fakes/slack/sockets.ts';
import { forget, type Tallies, tally } from './event-fuzz.ts';
import { mutate, pick } from './mutate.ts';

const BATCH = 50;

/** Requests that Slack has signed. An answer from 500 up is a fault. */
export async function fuzzSlackOverHttp(slack: OpenedSlack, count: number, random: Random): Promise<Tallies> {
  allowFailedAnswers(slack);
  const requests = realistic(slack);
  const tallies: Tallies = new Map();
  for (let sent = 0; sent < count; sent += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - sent) }, async () => {
      const { event, how } = mutate(pick(requests, random).payload, random);
      const body = JSON.stringify(event) ?? '';
      const headers = signatureHeaders(slack.fake.app.signingSecret, body, slack.test.clock.now());
      const { status } = await fetch(`${slack.url}/slack/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      if (status >= 500) throw new Error(`answered ${status} to ${body.slice(0, 500)}`);
      tally(tallies, how, status >= 400);
    });
    await Promise.all(batch);
    forget(slack.test.logged);
  }
  await demandAnswer(slack);
  return tallies;
}

/** Whole messages of Socket Mode, with the envelope. */
export async function fuzzSlackSocket(slack: OpenedSlack, count: number, random: Random): Promise<Tallies> {
  allowFailedAnswers(slack);
  const requests = realistic(slack);
  const tallies: Tallies = new Map();
  for (let sent = 0; sent < count; sent++) {
    const { kind, payload } = pick(requests, random);
    const frame = { envelope_id: `envelope-${sent}`, type: kind, payload, accepts_response_payload: true };
    const { event, how } = mutate(frame, random);
    const text = JSON.stringify(event) ?? '';
    slack.fake.sockets.sendRaw(text);
    tally(tallies, how, parseEvent((event as typeof frame | undefined)?.payload) === undefined);
    if (sent % BATCH < BATCH - 1) continue;
    await slack.fake.sockets.connected();
    // On each of the two connections, after all that was sent before on it.
    for (let connection = 0; connection < 2; connection++) await demandAnswer(slack);
    forget(slack.test.logged);
  }
  return tallies;
}

/** What a mutation leaves well-formed may still name a channel or a view that there is not. */
function allowFailedAnswers({ test }: OpenedSlack): void {
  test.allowErrors('a listener failed', 'a request failed', 'an answer failed');
}

async function demandAnswer({ ann, channel }: OpenedSlack): Promise<void> {
  const { problem } = await ann.slash(channel, '/letterboxed about').ack;
  if (problem !== undefined) throw new Error(`the command after a batch was not answered: ${problem}`);
}

interface Realistic {
  readonly kind: string;
  readonly payload: object;
}

/** One request of each kind that the door listens to. */
function realistic({ fake, workspace, ann, channel, test }: OpenedSlack): Realistic[] {
  const url = new URL('/response/none', fake.apiUrl).href;
  const base = {
    team: { id: workspace.id, domain: workspace.domain },
    user: { id: ann.id, team_id: workspace.id },
    api_app_id: fake.app.id,
    trigger_id: '1.2.a',
  };
  const metadata = { channel: channel.id, direct: false, packed: '2|play|sides=bcd-fgh-jkl-mnp' };
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
  const inView = (action: object) => ({
    ...base,
    type: 'block_actions',
    container: { type: 'view', view_id: view.id },
    view,
    actions: [{ ...button, ...action }],
  });
  const submission = { ...base, type: 'view_submission', view, response_urls: [] };
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
      inView({ action_id: 'do:0:0', value: '2|play|moves=A' }),
      inView({ action_id: 'link:0:0', value: undefined }),
      submission,
    ].map((payload) => ({ kind: 'interactive', payload })),
    event({ type: 'app_mention', ...mention, ts: '1.4' }),
    event({ type: 'message', channel_type: 'im', user: ann.id, channel: 'D1', ts: '1.5', text: 'about' }),
    event({ type: 'app_home_opened', user: ann.id, channel: 'D1', tab: 'home' }),
    event({ type: 'tokens_revoked', tokens: { bot: [] } }),
  ];
}
