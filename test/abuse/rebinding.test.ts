import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { makeDoors } from '../../src/operations/lifecycle/doors.ts';
import { makePictures } from '../../src/reply/picture/pictures.ts';
import { type Served, serveWeb } from '../chat/web/serve.ts';

let served: Served;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await served.close();
});

/** The local chat as its settings have it: its port, and what it warned of at its start. */
async function openOutside(settings: Record<string, string> = {}) {
  served = await serveWeb();
  const warned: { fields: object; message: string }[] = [];
  const warn = (fields: object, message: string) => void warned.push({ fields, message });
  const app = { ...served.app, log: { ...served.app.log, warn } };
  const config = readConfig({ WEB_CHAT: 'outside', WEB_PORT: '0', ...settings });
  const tools = {
    app,
    dispatcher: served.dispatcher,
    onFirstAnswer() {},
    chatClock: served.time,
    pictures: makePictures(),
  };
  const [built] = await makeDoors(config, tools);
  await built!.door.start();
  ends.push(() => built!.door.stop());
  return { port: new URL(built!.url!()).port, warned };
}

/** A request as a browser sends it that believes to be on a page of this name. */
function ask(port: string, name: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path: '/say', method: 'POST', headers: { host: name, ...headers } },
      (response) => resolve(response.resume().statusCode ?? 0),
    );
    asking.on('error', reject);
    asking.end(JSON.stringify({ person: 'ada', line: 'about' }));
  });
}

describe('the local chat that other machines may open', () => {
  it('refuses a page whose name was made to lead to this machine', async () => {
    const { port } = await openOutside();
    const origin = `http://attacker.example:${port}`;
    const json = { 'content-type': 'application/json' };
    expect(await ask(port, `attacker.example:${port}`, { origin, ...json })).toBe(403);
    expect(await ask(port, `attacker.example:${port}`, json)).toBe(403);
    expect(await ask(port, `127.0.0.1.attacker.example:${port}`, json)).toBe(403);
    expect(await ask(port, `127.0.0.1:${port}`, { origin: `http://127.0.0.1:${port}`, ...json })).toBe(200);
  });

  it('gives the page of another site nothing to read, though that sends no Origin', async () => {
    const { port } = await openOutside();
    const get = (path: string, mode: string) => {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode };
      return new Promise<number>((resolve, reject) =>
        request({ host: '127.0.0.1', port, path, headers }, (response) => {
          response.destroy();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end(),
      );
    };
    expect(await get('/events?person=ada', 'no-cors')).toBe(403);
    // A link that leads there.
    expect(await get('/', 'navigate')).toBe(200);
  });

  it('answers under the names of WEB_HOSTS, at any port, and prints them at its start', async () => {
    const { port, warned } = await openOutside({ WEB_HOSTS: 'Chat.example.org, 192.0.2.7,[2001:db8::1]' });
    const json = { 'content-type': 'application/json' };
    for (const host of ['chat.example.org', 'CHAT.example.org:8443', `192.0.2.7:${port}`, '[2001:db8::1]:80'])
      expect(await ask(port, host, { origin: `https://${host}`, ...json }), host).toBe(200);
    expect(await ask(port, '192.0.2.8', json)).toBe(403);
    expect(await ask(port, 'chat.example.org', { origin: 'https://attacker.example', ...json })).toBe(403);
    expect(warned).toEqual([
      {
        fields: expect.anything(),
        message: expect.stringContaining('Chat.example.org, 192.0.2.7, [2001:db8::1]'),
      },
    ]);
  });
});
