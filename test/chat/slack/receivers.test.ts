import { type OutgoingHttpHeaders, request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpReceiver, headersProblem, isSignedBy } from '../../../src/chat/slack/receivers.ts';
import { MINUTE } from '../../../src/core/clock.ts';
import { signatureHeaders } from '../../fakes/slack/sockets.ts';
import { type OpenedSlack, openSlack } from './open-slack.ts';

let slack: OpenedSlack;
beforeAll(async () => {
  slack = await openSlack({
    mode: 'http',
    door: { mode: { kind: 'http', signingSecrets: ['next', '8f742231b10e8888abcd99yyyzzz85a5'] } },
  });
});
afterAll(() => slack.close());

interface Sent {
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
  readonly method?: string;
  readonly path?: string;
}

/** Over node:http, for fetch would join doubled headers itself. */
function ask({
  headers = {},
  body = '',
  method = 'POST',
  path = '/slack/events',
}: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = send(`${slack.url}${path}`, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The status of an answer that comes before the end of the body, whose rest is never sent. */
function statusOf(headers: OutgoingHttpHeaders): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = send(`${slack.url}/slack/events`, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on('error', reject);
    request.flushHeaders();
  });
}

const VERIFICATION = JSON.stringify({ type: 'url_verification', challenge: 'c4a11e46e', token: 'x' });
const JSON_TYPE = { 'content-type': 'application/json' };
const sign = (body: string, secret = slack.fake.app.signingSecret) =>
  signatureHeaders(secret, body, slack.test.clock.now());

describe('requests over HTTP', () => {
  it("answers Slack's check of the address", async () => {
    const answer = await ask({ headers: { ...JSON_TYPE, ...sign(VERIFICATION) }, body: VERIFICATION });
    expect(answer).toEqual({ status: 200, text: '{"challenge":"c4a11e46e"}' });
    // A proxy may send the body on in chunks.
    const chunked = { ...JSON_TYPE, ...sign(VERIFICATION), 'transfer-encoding': 'chunked' };
    expect(await ask({ headers: chunked, body: VERIFICATION })).toEqual(answer);
    const check = 'ssl_check=1&token=x';
    expect(await ask({ headers: sign(check), body: check })).toEqual({ status: 200, text: '' });
  });

  it('are refused with 503 before it starts and after it stops, so that Slack sends them again', async () => {
    const receiver = new HttpReceiver({
      signingSecrets: ['secret'],
      clock: slack.test.clock,
      drop: () => undefined,
    });
    const status = async () => (await receiver.routes.request('/slack/events', { method: 'POST' })).status;
    const statuses = [await status()];
    receiver.init({} as never);
    statuses.push(await status());
    await receiver.start();
    statuses.push(await status());
    await receiver.stop();
    expect([...statuses, await status()]).toEqual([503, 503, 401, 503]);
  });

  it('accepts both signing secrets while they are changed', async () => {
    const old = slack.fake.app.signingSecret;
    slack.fake.app.signingSecret = 'next';
    expect((await slack.ann.slash(slack.channel, '/letterboxed about').ack).status).toBe(200);
    slack.fake.app.signingSecret = 'a third';
    expect(await slack.ann.slash(slack.channel, '/letterboxed about').ack).toMatchObject({
      status: 401,
      problem: 'dispatch_failed',
    });
    const events = slack.test.logged.map(({ fields }) => fields.event);
    expect(events).toContain('a request does not fit SLACK_SIGNING_SECRET');
    slack.fake.app.signingSecret = old;
    expect((await slack.ann.slash(slack.channel, '/letterboxed about').ack).status).toBe(200);
  });

  it('logs requests that anybody may send only now and then', async () => {
    for (let sent = 0; sent < 50; sent++) await ask({ headers: JSON_TYPE, body: VERIFICATION });
    const lines = slack.test.logged.filter(({ fields }) => String(fields.event).endsWith('sign (headers)'));
    expect(lines).toHaveLength(1);
  });

  it('judges the headers of a signature before it reads any of the body', async () => {
    const old = signatureHeaders('any', '', slack.test.clock.now() - 6 * MINUTE);
    // The body never comes.
    expect(await statusOf({ 'content-length': 99 * 1024 })).toBe(401);
    expect(await statusOf({ 'content-length': 99 * 1024, ...old })).toBe(401);
  });

  it('takes a shortcut on the longest message, in any script', async () => {
    const message = slack.ann.say(slack.channel, '字'.repeat(40_000));
    const action = slack.ann.choose(message, 'Add to my results');
    expect((await action.ack).problem).toBeUndefined();
    await action.shown;
  });

  it('refuses a body over 1 MB before reading it, by its announced length', async () => {
    expect(await statusOf({ 'content-length': 1024 * 1024 + 1, ...sign('') })).toBe(413);
  });

  it('refuses other methods and invalid JSON, and leaves other addresses alone', async () => {
    expect((await ask({ method: 'GET' })).status).toBe(405);
    expect((await ask({ headers: { ...JSON_TYPE, ...sign('{') }, body: '{' })).status).toBe(400);
    expect((await ask({ headers: { ...JSON_TYPE, ...sign('[]') }, body: '[]' })).status).toBe(400);
    expect(await ask({ path: '/healthz' })).toEqual({ status: 404, text: 'not for Slack' });
  });
});

it('executes a command that somebody recorded on its way once within five minutes', async () => {
  const { ann, channel, fake, test, workspace } = slack;
  // The answer goes to a response URL that nobody made.
  test.allowErrors('a request failed', 'an answer failed');
  const logged = (text: string) => test.logged.filter(({ message }) => message.includes(text)).length;
  const fields = {
    ...{ command: '/letterboxed', text: 'about', trigger_id: '1.2', team_id: workspace.id },
    ...{ user_id: ann.id, channel_id: channel.id },
    response_url: new URL('/response/none', fake.apiUrl).href,
  };
  const body = new URLSearchParams(fields).toString();
  const recorded = {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...sign(body) },
    body,
  };
  const executed = logged('command');
  expect((await ask(recorded)).status).toBe(200);
  await expect.poll(() => logged('command')).toBe(executed + 1);
  test.clock.time += 4 * MINUTE;
  const repeated = logged('a second time');
  expect((await ask(recorded)).status).toBe(200);
  await expect.poll(() => logged('a second time')).toBe(repeated + 1);
  expect(logged('command')).toBe(executed + 1);
});

const NOW = Date.parse('2026-11-20T17:00:00Z');
const SECRET = 'a secret';
const BODY = 'command=%2Fletterboxed&text=hint';

function signed({ body = BODY, at = NOW } = {}) {
  const headers = signatureHeaders(SECRET, body, at);
  return {
    timestamp: headers['x-slack-request-timestamp'],
    signature: headers['x-slack-signature'],
    body,
  };
}
const judge = (request: ReturnType<typeof signed>, secrets = [SECRET]) =>
  headersProblem(request, NOW) ?? (isSignedBy(secrets, request, NOW) ? undefined : 'signature');

describe('the signature of a request', () => {
  it.each([
    ['5 minutes old', -5 * MINUTE, undefined],
    ['a second older', -5 * MINUTE - 1000, 'timestamp'],
    ['5 minutes from now', 5 * MINUTE, undefined],
    ['a second later', 5 * MINUTE + 1000, 'timestamp'],
    ['years from now', 1e12, 'timestamp'],
  ])('%s: %s', (_, off, problem) => {
    expect(judge(signed({ at: NOW + off }))).toBe(problem);
  });

  it.each([
    ['no timestamp', { timestamp: undefined }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['no version', { signature: '0'.repeat(64) }],
    ['another version', { signature: `v1=${'0'.repeat(64)}` }],
    ['too short a one', { signature: `v0=${'0'.repeat(63)}` }],
    ['two in one', { signature: `v0=${'0'.repeat(64)}, v0=${'0'.repeat(64)}` }],
    ['letters for a time', { timestamp: 'now' }],
    ['a time with a point', { timestamp: '1795194000.5' }],
    ['a negative time', { timestamp: '-1795194000' }],
  ])('%s', (_, change) => {
    expect(judge({ ...signed(), ...change } as ReturnType<typeof signed>)).toBe('headers');
  });
});
