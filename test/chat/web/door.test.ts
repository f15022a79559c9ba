import { readFileSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, type Mock, vi } from 'vitest';
import { autocomplete } from '../../../src/chat/web/autocomplete.ts';
import { ChatRoom } from '../../../src/chat/web/chat-room.ts';
import { readConfig } from '../../../src/config/config.ts';
import { offeredOptions } from '../../../src/dispatch/contract.ts';
import { UNLEASED } from '../../../src/dispatch/poster.ts';
import { makeDoors } from '../../../src/operations/lifecycle/doors.ts';
import { boardKey } from '../../../src/puzzle/types.ts';
import { factsAbout } from '../../../src/reply/model/facts.ts';
import { pictureOf } from '../../../src/reply/model/named-board.ts';
import { makePictures } from '../../../src/reply/picture/pictures.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import type { BlockView, MessageView } from '../../../src/web/chat/views.ts';
import { someone } from '../../fakes/app.ts';
import { openPage, type Served, serveWeb } from './serve.ts';

let served: Served;
beforeAll(async () => {
  served = await serveWeb();
});
afterAll(() => served.close());

const page = (person: string) => openPage(served.door.url, person);
const block = <Kind extends BlockView['kind']>(message: MessageView, kind: Kind) =>
  message.blocks.find((block) => block.kind === kind) as Extract<BlockView, { kind: Kind }>;

/** The status of a line that is sent, or of what is asked for, with a Host as of a page of this name. */
function statusOf(
  port: string,
  host: string,
  { path = '/say', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<number> {
  const isLine = path === '/say';
  const json = isLine && { 'content-type': 'application/json' };
  const where = { host: '127.0.0.1', port, path, method: isLine ? 'POST' : 'GET' };
  return new Promise((resolve, reject) => {
    request({ ...where, headers: { host, ...json, ...headers } }, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end(isLine ? JSON.stringify({ person: 'ada', line: 'about' }) : undefined);
  });
}

/** The next event for this person after something they do. */
async function eventAfter(
  person: string,
  act: (ask: ReturnType<typeof openPage>['ask']) => Promise<unknown>,
) {
  const { ask, listen } = page(person);
  const events = await listen();
  await events.first(({ event }) => event === 'state');
  const before = events.received.length;
  await act(ask);
  const answer = await events.first((one) => events.received.indexOf(one) >= before);
  await events.close();
  return answer.data;
}

describe('the local chat', () => {
  it('serves its page with everything locked to itself', async () => {
    expect(new URL(served.door.url).hostname).toBe('127.0.0.1');
    const response = await fetch(served.door.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);
    expect(files).toContain('/web/chat/chat.js');
    for (const file of files) expect((await fetch(new URL(file, served.door.url))).status).toBe(200);
    expect(html).not.toMatch(/(?:src|href)="(https?:)?\/\//);
  });

  it('sends a page of at most 64 KB', async () => {
    const { door } = served;
    const html = await (await fetch(door.url)).text();
    const named = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);
    const files = ['/', ...named.filter((file) => file.endsWith('.css'))];
    const found = new Set(named.filter((file) => file.endsWith('.js')));
    for (const script of found) {
      const text = await (await fetch(new URL(script, door.url))).text();
      for (const [, name] of text.matchAll(/from '(\.[^']+\.js)'/g))
        found.add(new URL(name!, new URL(script, door.url)).pathname);
    }
    let bytes = 0;
    for (const file of [...files, ...found]) {
      const response = await new Promise<IncomingMessage>((resolve) =>
        get(new URL(file, door.url), { headers: { 'accept-encoding': 'gzip' } }, resolve),
      );
      expect(response.statusCode).toBe(200);
      for await (const chunk of response) bytes += chunk.length;
    }
    expect(found.size).toBeGreaterThan(5);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(64_000);
  });

  it.each([
    ['Asia/Tokyo', 'Tokyo time'],
    ['Nowhere', 'New York time'],
  ])('takes the browser’s zone, %s, for the person’s', async (zone, shown) => {
    const said = await eventAfter('ben', (ask) => ask('/say', { line: 'remind at 19:00', zone }));
    expect(JSON.stringify(said)).toContain(shown);
    await eventAfter('ben', (ask) => ask('/say', { line: 'remind off' }));
  });

  it('lets people play the boards of messages they can see, and nothing else', async () => {
    const message = await eventAfter('ada', (ask) => ask('/say', { line: 'today' }));
    const play = async (fields: object) => {
      const response = await page('ben').post('/play', {
        message: message.id,
        block: 0,
        moves: '',
        ...fields,
      });
      return { status: response.status, ...((await response.json()) as object) };
    };
    expect(await play({})).toMatchObject({ status: 200, game: { version: 0, word: '' } });
    expect(await play({ moves: 'A' })).toMatchObject({ status: 200, game: { version: 1, reached: [1] } });
    expect(await play({ moves: 'b<', version: 0 })).toMatchObject({
      game: { version: 1, isElsewhere: true },
    });
    const help = async (ask: string, more?: object) =>
      (await page('ben').post('/help', { message: message.id, block: 0, ask, ...more })).json();
    expect(await help('hint', { step: 'start' })).toMatchObject({ shown: 'start' });
    expect(await help('hint', { step: 'count', shown: 'start' })).toMatchObject({ shown: 'count,start' });
    expect(await help('reveal')).toMatchObject({ title: 'Solution: Friday, November 20, 2026' });
    expect(await play({ block: 1 })).toMatchObject({ status: 404 });
    expect(await play({ message: 'gone' })).toMatchObject({ status: 404 });
    expect(await play({ moves: 'é' })).toMatchObject({ status: 400 });
    expect(await play({ moves: 'a'.repeat(281) })).toMatchObject({ status: 400 });
    expect((await page('ben').post('/help', { message: message.id, block: 0, ask: 'daily' })).status).toBe(
      400,
    );
    expect((await page('ben').post('/help', { message: message.id, block: 9, ask: 'hint' })).status).toBe(
      404,
    );
  });

  it('shows a game as its board alone, which says everything else itself', async () => {
    const { blocks } = await eventAfter('ben', (ask) => ask('/say', { line: 'play' }));
    expect(blocks.map(({ kind }) => kind)).toEqual(['board']);
  });

  it('shows a private answer to the asker alone, in every response', async () => {
    const watching = await page('ben').listen();
    const message = await eventAfter('ada', (ask) => ask('/say', { line: 'reveal ozu nri lfa mbt' }));
    expect(message.private).toBe(true);
    const spoiler = block(message, 'spoiler');
    const opened = await page('ada').ask('/open', { message: message.id, block: spoiler.block });
    const word = JSON.stringify(opened.lines).match(/"bold":"([A-Z]+) – /)?.[1];
    expect(word).toMatch(/^[A-Z]{3,}$/);
    // The view itself never held it, nor does anybody else get it.
    expect(JSON.stringify(message)).not.toContain(word);
    expect(await page('ben').ask('/open', { message: message.id, block: spoiler.block })).toMatchObject({
      status: 404,
    });
    const another = await page('ben').listen();
    const { data } = await another.first(({ event }) => event === 'state');
    expect(data.messages?.some(({ id }) => id === message.id)).toBe(false);
    expect(watching.received.some(({ data }) => data.id === message.id)).toBe(false);
    await Promise.all([another.close(), watching.close()]);
    const { source, name } = block(
      await eventAfter('ada', (ask) => ask('/say', { line: 'privacy export' })),
      'file',
    );
    const file = await fetch(new URL(source, served.door.url));
    // Nothing in a file is shown as a page of this address.
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`);
    expect(await file.json()).toHaveProperty('person');
    expect((await fetch(new URL(source.replace('ada', 'ben'), served.door.url))).status).toBe(404);
  });

  it('charges for a hidden picture once it is loaded', async () => {
    const message = await eventAfter('cleo', (ask) => ask('/say', { line: 'reveal ozu nri lfa mbt' }));
    expect(block(message, 'picture')).toMatchObject({ spoiler: true });
    const key = boardKey(['ozu', 'nri', 'lfa', 'mbt']);
    const told = async () => [...(await served.store.allPeople.factsSeen('web', 'cleo', key)).keys()];
    expect(await told()).toEqual([]);
    await fetch(new URL(block(message, 'picture').source, served.door.url));
    expect(await told()).toContain('solution');
  });

  it('charges nothing for what anybody can open in a message to all', async () => {
    const namedBoard = { board: parseBoard('tub pxi snq oja') };
    const reveals = factsAbout(namedBoard, 'solution');
    const blocks = [{ kind: 'spoiler', label: 'The solution', hidden: ['a secret'], reveals }] as const;
    const post = {
      key: 'shared',
      reply: { title: 'Over', blocks, audience: 'everyone' },
      ping: null,
    } as const;
    const channel = { tenant: 'web:local', channel: 'general' };
    const { message } = await served.door.poster.open({
      ...post,
      channel,
      threadName: 'Over',
      since: 0,
      ...UNLEASED,
    });
    await page('cleo').ask('/open', { message, block: 0 });
    const key = boardKey(namedBoard.board.sides);
    const seen = await served.store.allPeople.factsSeen('web', 'cleo', key);
    expect([...seen.keys()]).toEqual(['shared-solution']);
  });

  it('runs the action of a button, and opens a form for missing options', async () => {
    const message = await eventAfter('cleo', (ask) => ask('/say', { line: 'today' }));
    const buttons = message.blocks.flatMap((block) => (block.kind === 'board' ? block.controls : []));
    const value = buttons.find(({ label }) => label === 'Check')!.value;
    const { form } = await page('cleo').ask('/press', { message: message.id, value });
    expect(form?.fields.map(({ name }) => name)).toEqual(['words']);
    expect(form).not.toHaveProperty('trouble');
    for (const words of ['  ', ', ,'])
      expect(await page('cleo').ask('/submit', { value: form?.value, fields: { words } })).toMatchObject({
        trouble: 'Still missing: words.',
      });
    const checked = await eventAfter('cleo', (ask) =>
      ask('/submit', {
        value: form?.value,
        fields: { words: 'qqq <script>alert(1)</script> @everyone ||x||' },
      }),
    );
    expect(checked.private).toBe(true);
    // As text it is harmless: the page makes text nodes of it.
    expect(JSON.stringify(block(checked, 'text'))).toContain('\\"<script\\"');
  });

  it('solves the board in a picture, for its sender alone, and says what is wrong with another file', async () => {
    const see = (body: Uint8Array, headers?: Record<string, string>) =>
      fetch(new URL('/see?person=ada', served.door.url), {
        method: 'POST',
        headers: { 'content-type': 'image/png', ...headers },
        body: new Uint8Array(body),
      });
    const solved = await eventAfter('ada', () => see(readFileSync('test/fakes/board.png')));
    expect(solved).toMatchObject({ title: 'Solutions: OZU NRI LFA MBT', private: true });
    const refused = await eventAfter('ada', () => see(Buffer.from('no picture')));
    expect(JSON.stringify(refused)).toContain('I can’t read that file');
    expect((await see(new Uint8Array(4_000_001))).status).toBe(413);
    expect((await see(new Uint8Array(9), { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('changes the message of the asker in place when a page button is pressed', async () => {
    const first = await eventAfter('ada', (ask) => ask('/say', { line: 'words sides:"ozu nri lfa mbt"' }));
    const more = block(first, 'buttons').buttons.find(({ label }) => label === 'More')!.value;
    const turned = await eventAfter('ada', (ask) => ask('/press', { message: first.id, value: more }));
    expect(turned.id).toBe(first.id);
    expect(JSON.stringify(turned.blocks)).toContain('Words 41 to 80');
  });

  it('gives the picture of a changed message another URL, because browsers cache it', async () => {
    const served = await serveWeb();
    const { poster } = served.door;
    const listening = await openPage(served.door.url, 'ada').listen();
    const picture = async (kind: string) => {
      const { data } = await listening.first(({ event }) => event === kind);
      return block(data, 'picture').source;
    };
    const board = parseBoard('ozu nri lfa mbt');
    const reply = { title: 'x', blocks: [pictureOf(board)], audience: 'everyone' as const };
    const post = { channel: { tenant: 'web:local', channel: 'general' }, key: 'k', reply, since: 0, ...UNLEASED }; // biome-ignore format: one line reads better
    const posted = await poster.open({ ...post, threadName: 'x', ping: null });
    await poster.edit(post.channel, posted, { ...reply, blocks: [pictureOf(board, { words: ['fun'] })] });
    const [before, after] = [await picture('message'), await picture('change')];
    expect(after).not.toBe(before);
    expect((await fetch(new URL(after, served.door.url))).headers.get('content-type')).toBe('image/png');
    await listening.close();
    await served.close();
  });

  it('explains a button that it can no longer read', async () => {
    const message = await eventAfter('ada', (ask) =>
      ask('/press', { message: 'm1', value: 'from another version' }),
    );
    expect(message.private).toBe(true);
    expect(message.title).toBe('This button is from another version of the bot');
  });

  it('suggests commands, options and choices', async () => {
    const labels = async (line: string) => {
      const { suggestions } = await page('ada').ask('/suggest', { line });
      return suggestions?.map(({ label }) => label);
    };
    expect(await labels('')).toContain('today');
    expect(await labels('ge')).toEqual(['generate']);
    expect(await labels('/letterboxed hi')).toEqual(['hint']);
    expect(await labels('hint ')).toEqual(expect.arrayContaining(['lengths', 'sides:']));
    expect(await labels('hint da')).toEqual(['date:']);
    expect(await labels('hint step:le')).toEqual(['lengths', 'letters']);
    expect(await labels('hint step:lengths w')).toEqual(['words:']);
    expect(await labels('nonsense x')).toEqual([]);
    // Nothing that was given already, with its name or without.
    expect(await labels('solve ozu nri lfa mbt ')).not.toContain('sides:');
    expect(await labels('solve sides:"ozu nri lfa mbt" ')).not.toContain('sides:');
    expect(await labels('hint lengths ')).not.toContain('step:');
    expect(await labels('hint lengths ')).toContain('sides:');
  });

  it('suggests a value without the name of its option only where it may be typed so', async () => {
    const { commands } = served.dispatcher;
    const suggested = async (line: string) =>
      (await autocomplete(line, someone(), served.dispatcher)).map(({ label }) => label);
    expect(await suggested('daily zone:')).toHaveLength(12);
    expect(await suggested('hint ')).not.toEqual([]);
    expect(await suggested(`hint ${' '.repeat(500)}`)).toEqual([]);
    const seen = { alone: 0, named: 0 };
    for (const command of commands)
      for (const { name, choices, positional = false } of offeredOptions(command)) {
        const [choice] = choices ?? [];
        if (choice === undefined) continue;
        expect(await suggested(`${command.name} ${name}:${choice}`)).toContain(choice);
        const isAlone = (await suggested(`${command.name} ${choice}`)).includes(choice);
        const others = offeredOptions(command).filter((other) => other.name !== name && other.positional);
        if (others.some((other) => other.choices?.includes(choice))) continue;
        expect(isAlone, `${command.name} ${choice}`).toBe(positional);
        seen[isAlone ? 'alone' : 'named']++;
      }
    expect(Math.min(seen.alone, seen.named)).toBeGreaterThan(0);
  });
});

it('serves 50 open pages and answers 503 to one more', async () => {
  const { listen } = ChatRoom.prototype;
  const stops: Mock[] = [];
  vi.spyOn(ChatRoom.prototype, 'listen').mockImplementation(function (this: ChatRoom, ...asked) {
    stops.push(vi.fn(listen.apply(this, asked)));
    return stops.at(-1) as () => void;
  });
  const served = await serveWeb();
  const address = new URL('/events?person=ada', served.door.url);
  const open = new AbortController();
  const pages = await Promise.all(Array.from({ length: 50 }, () => fetch(address, { signal: open.signal })));
  expect(pages.map(({ status }) => status)).not.toContain(503);
  const refused = await fetch(address);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain('Too many pages');
  open.abort();
  await expect
    .poll(async () => {
      const again = await fetch(address);
      await again.body?.cancel();
      return again.status;
    })
    .toBe(200);
  await served.close();
  // None is told of anything any longer.
  await expect.poll(() => stops.every(({ mock }) => mock.calls.length === 1)).toBe(true);
  vi.restoreAllMocks();
});

it('ends an event stream that fails alone: the page connects again, and the bot goes on', async () => {
  const served = await serveWeb();
  const { ask } = openPage(served.door.url, 'ada');
  // Too long for a button, which is then kept in the store.
  const words = Array.from({ length: 20 }, () => 'mobilization').join();
  await ask('/say', { line: `solve ozu nri lfa mbt exclude:${words}` });
  const { put } = served.app.store.actions;
  Object.assign(served.app.store.actions, { put: () => Promise.reject(new Error('the store is away')) });
  served.expectErrors('an event stream of the chat page failed');
  // It ends rather than hangs; an unhandled rejection would fail this run.
  expect(await (await fetch(new URL('/events?person=ada', served.door.url))).text()).toBe('');
  Object.assign(served.app.store.actions, { put });
  const again = await openPage(served.door.url, 'ada').listen();
  expect((await again.first(({ event }) => event === 'state')).data.messages).toHaveLength(1);
  await again.close();
  await served.close();
});

describe('the local chat refuses', () => {
  it('requests of other pages: by another name for this machine, or across origins', async () => {
    const { post } = page('ada');
    expect((await post('/say', { line: 'today' }, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post('/say', { line: 'today' }, { 'content-type': 'text/plain' })).status).toBe(403);
    const { port } = new URL(served.door.url);
    expect(await statusOf(port, `elsewhere.example:${port}`, { path: '/' })).toBe(403);
  });

  it('a body of a megabyte, and serves the next request', async () => {
    const { post, ask } = page('ada');
    const answer = await post('/say', { line: 'x'.repeat(1_000_000) }).catch(() => undefined);
    // The connection may be cut before the answer is read: it was refused either way.
    if (answer !== undefined) expect(answer.status).toBe(413);
    expect(await ask('/suggest', { line: 'tod' })).toMatchObject({ status: 200 });
  });

  it('requests that its page would not send', async () => {
    const { ask } = page('ada');
    expect(await ask('/say', {})).toMatchObject({ status: 400 });
    expect(await ask('/say', { line: 7 })).toMatchObject({ status: 400 });
    expect(await ask('/nothing')).toMatchObject({ status: 404 });
    const shown = await fetch(`${served.door.url}/nothing`, { headers: { accept: 'text/html' } });
    expect([shown.status, await shown.text()]).toEqual([
      404,
      expect.stringContaining('<p>There is nothing here.</p>'),
    ]);
    expect(await ask('/open', { message: 'm1', block: '__proto__' })).toMatchObject({ status: 400 });
    expect(await ask('/open', { message: 'm1', block: 99 })).toMatchObject({ status: 404 });
    expect(await page('mallory').ask('/say', { line: 'today' })).toMatchObject({ status: 400 });
    for (const path of [
      '/../package.json',
      '/%2e%2e/server.ts',
      '/tsconfig.json',
      '/picture/m1/0',
      '/events',
    ])
      expect((await fetch(new URL(path, served.door.url))).status).toBe(404);
    // An address that can't be read at all.
    expect((await fetch(`${served.door.url}/`)).status).toBe(404);
  });
});

describe('the local chat that other machines may open', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** The local chat as its settings have it: its port, and what it warned of at its start. */
  async function openOutside(settings: Record<string, string> = {}) {
    const warned: string[] = [];
    const warn = (_: object, message: string) => void warned.push(message);
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
    const { hostname, port } = new URL(built!.url!());
    return { hostname, port, warned };
  }

  it('refuses a page whose name was made to lead to this machine, and gives that of another site nothing to read', async () => {
    const { port } = await openOutside();
    const own = `127.0.0.1:${port}`;
    const origin = `http://attacker.example:${port}`;
    expect(await statusOf(port, `attacker.example:${port}`, { headers: { origin } })).toBe(403);
    expect(await statusOf(port, `attacker.example:${port}`)).toBe(403);
    expect(await statusOf(port, `127.0.0.1.attacker.example:${port}`)).toBe(403);
    expect(await statusOf(port, own, { headers: { origin: `http://${own}` } })).toBe(200);
    // It sends no Origin.
    const from = (mode: string) => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode });
    expect(await statusOf(port, own, { path: '/events?person=ada', headers: from('no-cors') })).toBe(403);
    // A link that leads there.
    expect(await statusOf(port, own, { path: '/', headers: from('navigate') })).toBe(200);
  });

  it('answers under the names of WEB_HOSTS, at any port, and prints them at its start', async () => {
    const { hostname, port, warned } = await openOutside({
      WEB_HOSTS: 'Chat.example.org, 192.0.2.7,[2001:db8::1]',
    });
    expect(hostname).toBe('0.0.0.0');
    for (const host of ['chat.example.org', 'CHAT.example.org:8443', `192.0.2.7:${port}`, '[2001:db8::1]:80'])
      expect(await statusOf(port, host, { headers: { origin: `https://${host}` } }), host).toBe(200);
    expect(await statusOf(port, '192.0.2.8')).toBe(403);
    const headers = { origin: 'https://attacker.example' };
    expect(await statusOf(port, 'chat.example.org', { headers })).toBe(403);
    expect(warned).toEqual([
      expect.stringMatching(
        /everybody who reaches it can act as anyone.* Chat\.example\.org, 192\.0\.2\.7, \[/,
      ),
    ]);
  });
});
