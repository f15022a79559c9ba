import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import { makeRouter } from '../../../src/http/router.ts';
import { HttpServer } from '../../../src/http/server.ts';
import { Endpoint } from '../../fakes/discord/endpoint.ts';
import { sample } from '../../fakes/sample.ts';
import { type Started, startDiscord } from './start.ts';

/** The number of requests of each refused kind. */
const REQUESTS = sample(200, 20);

let started: Started;
let server: HttpServer;
let url: string;

beforeAll(async () => {
  let publicKey = '';
  started = await startDiscord({
    prepare: (discord) => {
      publicKey = discord.endpoint.publicKey;
    },
    door: () => ({ publicKey, connects: false }),
  });
  const { door, app } = started;
  const router = makeRouter(app.log);
  router.route('/', door.routes!);
  server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
  await server.start();
  url = `http://127.0.0.1:${server.port}/discord/interactions`;
  await started.discord.endpoint.set(url);
  await started.discord.command({ channel: started.channel, name: 'letterboxed', subcommand: 'about' });
});

afterAll(async () => {
  await server.stop();
  await started.close();
});

const now = () => started.app.clock.now();
const headers = (body: string, at?: number) => started.discord.endpoint.headers(body, at);
const asked = () => started.discord.requestsTo('POST /interactions/:id/:token/callback').length;

let lastId = 9_000_000;

/** A command as Discord would send it. */
function command(): string {
  return JSON.stringify({ ...JSON.parse(started.discord.endpoint.sent!.body), id: String(++lastId) });
}

describe('interactions over HTTP', () => {
  test('answers commands, buttons and forms without a gateway, as Discord asks for it', async () => {
    const { discord, channel } = started;
    const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'today' });
    expect(seen.text).toContain('Letter Boxed');
    const hint = await discord.press(seen.message, 'Hint');
    expect(hint.text).toContain('Hint');
    const game = await discord.press(seen.message, 'Play');
    const form = await discord.press(game.message, 'Type words');
    expect(form.modal.title).not.toBe('');
    expect(started.door.trouble()).toBeUndefined();
  });

  test.each<[string, (body: string) => { body?: string; headers: Record<string, string> }]>([
    ['unsigned', () => ({ headers: {} })],
    ['signed by somebody else', (body) => ({ headers: new Endpoint(now).headers(body) })],
    ['changed after it was signed', (body) => ({ body: `${body} `, headers: headers(body) })],
    ['cut', (body) => ({ body: body.slice(0, -9), headers: headers(body) })],
    ['five minutes late', (body) => ({ headers: headers(body, now() - 5 * MINUTE - 1_000) })],
    ['of the future', (body) => ({ headers: headers(body, now() + 5 * MINUTE + 1_000) })],
    [
      'with another moment than the signed one',
      (body) => ({
        headers: { ...headers(body), 'x-signature-timestamp': String(Math.floor(now() / 1000) - 1) },
      }),
    ],
    ['with a short signature', (body) => ({ headers: { ...headers(body), 'x-signature-ed25519': 'ab' } })],
  ])('refuses a request that is %s', async (_, change) => {
    const before = asked();
    for (let sent = 0; sent < REQUESTS; sent++) {
      const body = command();
      const { body: sent = body, headers } = change(body);
      expect((await started.discord.endpoint.post(url, sent, headers)).status).toBe(401);
    }
    expect(asked()).toBe(before);
  });

  test.each([
    ['without a signature', {}],
    ['with an old one', { 'x-signature-timestamp': '1', 'x-signature-ed25519': 'ab'.repeat(64) }],
  ])('refuses a request %s before its body is there', async (_, more) => {
    const sent = request(url, { method: 'POST', headers: { 'content-length': '1000', ...more } });
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    sent.destroy();
  });

  test('refuses what was received before', async () => {
    const { discord, channel } = started;
    for (let sent = 0; sent < REQUESTS; sent++) {
      await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
      const before = asked();
      const { body, headers } = discord.endpoint.sent!;
      expect((await discord.endpoint.post(url, body, headers)).status).toBe(401);
      expect(asked()).toBe(before);
    }
    const before = asked();
    const { body, headers } = discord.endpoint.sent!;
    // The signature is still valid.
    started.clock.time += 5 * MINUTE - 2_000;
    expect((await discord.endpoint.post(url, body, headers)).status).toBe(401);
    expect(asked()).toBe(before);
  });

  test.each([
    ['no JSON', 'letterboxed', 400],
    ['an interaction without its parts', JSON.stringify({ type: 2 }), 400],
    ['a list', '[]', 400],
    ['more than fits', JSON.stringify({ type: 2, data: 'x'.repeat(300_000) }), 413],
  ])('answers %s, though signed, with an error', async (_, body, status) => {
    expect((await started.discord.endpoint.post(url, body, headers(body))).status).toBe(status);
  });

  test('asks Discord to come again while the door is not open', async () => {
    const { door } = started;
    await door.stop();
    const body = command();
    expect((await started.discord.endpoint.post(url, body, headers(body))).status).toBe(503);
  });
});
