import { afterEach, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { makeSlackDoor } from '../../src/chat/slack/door.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { makeRouter } from '../../src/http/router.ts';
import { HttpServer } from '../../src/http/server.ts';
import { type OpenedSlack, openSlack } from '../chat/slack/open-slack.ts';
import { signatureHeaders } from '../fakes/slack/sockets.ts';

let slack: OpenedSlack;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await slack.close();
});

interface Signed {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A request that Slack sent, as somebody on the way recorded it. */
function record(body: string, type: string): Signed {
  const headers = signatureHeaders(slack.fake.app.signingSecret, body, slack.test.clock.now());
  return { headers: { 'content-type': type, ...headers }, body };
}

const slash = (trigger: string) => {
  const { workspace, ann, channel } = slack;
  const fields = {
    command: '/letterboxed',
    text: 'about',
    trigger_id: trigger,
    team_id: workspace.id,
    user_id: ann.id,
    channel_id: channel.id,
    response_url: `${new URL('/response/none', slack.fake.apiUrl)}`,
  };
  return record(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');
};

const mention = (id: string) => {
  const { workspace, ann, channel } = slack;
  const event = {
    type: 'app_mention',
    user: ann.id,
    channel: channel.id,
    ts: '1.2',
    text: `<@${workspace.botUser}> about`,
  };
  const body = { type: 'event_callback', event_id: id, team_id: workspace.id, event };
  return record(JSON.stringify(body), 'application/json');
};

const send = async (base: string, { headers, body }: Signed, more: Record<string, string> = {}) =>
  (await fetch(`${base}/slack/events`, { method: 'POST', headers: { ...headers, ...more }, body })).status;

/** How many commands were executed, by both processes together. */
const executed = () => slack.test.logged.filter(({ message }) => message === 'command').length;

async function open(): Promise<void> {
  slack = await openSlack({ mode: 'http' });
  // The answers go to a response URL that nobody made.
  slack.test.allowErrors('a request failed', 'an answer failed');
}

/** Another process with the same settings and the same database. */
async function openSecondProcess(): Promise<string> {
  const { test, fake, workspace } = slack;
  const door = makeSlackDoor({
    app: test.app,
    dispatcher: makeDispatcher(test.app, { commands: COMMANDS }),
    mode: { kind: 'http', signingSecrets: [fake.app.signingSecret] },
    workspaces: { kind: 'one', botToken: fake.tokens.ofWorkspace(workspace.id)[0]!.token },
    apiUrl: fake.apiUrl,
    sleep: async () => {},
  });
  const router = makeRouter(test.app.log);
  router.route('/', door.routes);
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
  await server.start();
  await door.start();
  ends.push(
    () => door.stop(),
    () => server.stop(),
  );
  return `http://127.0.0.1:${server.port}`;
}

it.each([
  ['a command', slash],
  ['an event', mention],
])(
  '%s that is sent again within five minutes is executed once, by all processes together',
  async (_, make) => {
    await open();
    const other = await openSecondProcess();
    const recorded = make('first');
    expect(await send(slack.url, recorded)).toBe(200);
    await expect.poll(executed).toBe(1);
    slack.test.clock.time += 4 * 60_000;
    const retry = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
    for (const more of [{}, retry])
      for (const base of [slack.url, other, slack.url]) expect(await send(base, recorded, more)).toBe(200);
    // Another request is executed after all of these, which shows that they are over.
    expect(await send(slack.url, make('second'))).toBe(200);
    await expect.poll(executed).toBe(2);
    await slack.door.stop();
    expect(executed()).toBe(2);
  },
);

it('executes a request that comes twice while the database is out of order, but once in each process', async () => {
  await open();
  slack.test.store.events.mark = () => Promise.reject(new Error('no database'));
  const recorded = slash('first');
  for (let sent = 0; sent < 3; sent++) expect(await send(slack.url, recorded)).toBe(200);
  await slack.door.stop();
  expect(executed()).toBe(1);
});

it('a state of an installation is accepted once, even from the same browser', async () => {
  slack = await openSlack({ mode: 'http', many: true });
  const { fake, workspace, ann, url } = slack;
  const page = await fetch(`${url}/slack/install`);
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
  const link = /href="([^"]+)"/.exec(await page.text())![1]!.replaceAll('&amp;', '&');
  const comeBack = async () =>
    (await fetch(fake.allow(link, workspace, ann), { headers: { cookie } })).status;
  expect(await comeBack()).toBe(200);
  // Each time with a new code, which Slack would exchange for a token.
  expect([await comeBack(), await comeBack()]).toEqual([400, 400]);
  expect(fake.tokens.ofWorkspace(workspace.id)).toHaveLength(1);
});
