/** A game in the engines besides Chromium, as far as they are installed: `apt-get install firefox-esr webkit2gtk-driver xvfb`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeSite } from '../../../scripts/site.ts';
import { housePuzzle } from '../../../src/puzzle/house.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { closeServer, originOf } from '../../fakes/loopback.ts';
import { needs } from '../../fakes/needs.ts';
import { onlyLong } from '../../fakes/sample.ts';
import { serveFiles } from './serve-files.ts';

const DAY = '2026-11-20';
const ENTER = '\uE007';
const FIREFOX = '/usr/bin/firefox-esr';
const WEBKIT = '/usr/bin/WebKitWebDriver';
const MINI_BROWSER = globSync('/usr/lib/*/webkit2gtk-*/MiniBrowser')[0] ?? '';

/** What is asked of an engine. */
interface Engine {
  open(url: string): Promise<void>;
  type(keys: string): Promise<void>;
  /** What a script of the page returns. */
  read(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

const keysOf = (keys: string) => [
  {
    type: 'key',
    id: 'keys',
    actions: [...keys].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
];

/** By WebDriver BiDi, which Firefox speaks itself. */
async function firefox(): Promise<Engine> {
  const profile = makeFolder();
  const program = spawn(FIREFOX, ['--headless', '--remote-debugging-port=0', '--profile', profile]);
  const address = await said(program, /listening on (ws:\S+)/);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer & { id: number };
    waiting.get(answer.id)?.(answer);
  });
  let id = 0;
  const ask = async (method: string, params: object) => {
    id += 1;
    socket.send(JSON.stringify({ id, method, params }));
    const answer = await new Promise<Answer>((resolve) => waiting.set(id, resolve));
    if (answer.result === undefined) throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  };
  await ask('session.new', { capabilities: {} });
  const { contexts } = await ask('browsingContext.getTree', {});
  const { context } = contexts![0]!;
  return {
    async open(url) {
      await ask('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async type(keys) {
      await ask('input.performActions', { context, actions: keysOf(keys) });
    },
    async read(expression) {
      const asked = { expression, target: { context }, awaitPromise: true };
      return (await ask('script.evaluate', asked)).result?.value;
    },
    async close() {
      program.kill();
      await setTimeout(500);
    },
  };
}

interface Answer {
  readonly message?: string;
  readonly result?: {
    readonly contexts?: readonly { readonly context: string }[];
    readonly result?: { readonly value?: unknown };
  };
}

/** By WebDriver, on a screen that nobody sees. */
async function webkit(): Promise<Engine> {
  const port = 20_000 + (process.pid % 20_000);
  const program = spawn('xvfb-run', ['-a', WEBKIT, `--port=${port}`], { detached: true });
  const ask = async (method: 'POST' | 'DELETE', path: string, body: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: JSON.stringify(body) });
    const { value } = (await response.json()) as { value: { sessionId: string; message?: string } };
    if (!response.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  };
  const options = { binary: MINI_BROWSER, args: ['--automation'] };
  const capabilities = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } };
  let session = '';
  for (let attempt = 0; session === ''; attempt++) {
    await setTimeout(500);
    session = await ask('POST', '/session', capabilities).then(
      ({ sessionId }) => `/session/${sessionId}`,
      (error) => {
        if (attempt > 20) throw error;
        return '';
      },
    );
  }
  return {
    open: async (url) => void (await ask('POST', `${session}/url`, { url })),
    type: async (keys) => void (await ask('POST', `${session}/actions`, { actions: keysOf(keys) })),
    read: (expression) =>
      ask('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    async close() {
      await ask('DELETE', session).catch(() => undefined);
      process.kill(-program.pid!);
    },
  };
}

function said(program: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = '';
    program.stderr?.on('data', (data) => {
      all += data;
      const found = pattern.exec(all)?.[1];
      if (found !== undefined) resolve(found);
    });
    program.on('exit', () => reject(new Error(all)));
  });
}

const ENGINES = [
  ['Firefox', firefox, existsSync(FIREFOX)],
  ['WebKitGTK', webkit, existsSync(WEBKIT) && existsSync('/usr/bin/xvfb-run')],
] as const;

describe('the site in other engines', onlyLong, () => {
  const folder = makeFolder();
  let server: Server;
  const stop = () => closeServer(server);
  beforeAll(() => writeSite(folder));
  beforeEach(async () => {
    server = await serveFiles(folder);
  });
  afterEach(stop);

  for (const [name, start, isThere] of ENGINES) {
    it(`is played to its end in ${name}, and again without the server`, needs(name, isThere), async () => {
      const { official = [] } = housePuzzle(DAY);
      const engine = await start();
      const reads = (expression: string) => expect.poll(() => engine.read(expression));
      // Spaces at which no line ends are spaces, too.
      const text = (selector: string) =>
        `(document.querySelector('${selector}')?.textContent ?? '').replaceAll(/\\s/g, ' ')`;
      try {
        await engine.open(`${originOf(server)}/boards/?day=${DAY}`);
        await reads(`document.querySelectorAll('.letter[aria-disabled="false"]').length`).toBe(12);
        await engine.read(`document.querySelector('.board').focus()`);
        for (const [nth, word] of official.entries()) {
          await engine.type((nth === 0 ? word : word.slice(1)) + ENTER);
          await reads(`document.querySelectorAll('.words li').length`).toBe(nth + 1);
        }
        await reads(text('.said')).toContain(`${official.length} words`);
        await reads(text('.score')).toContain('of 100 points');
        await reads(`navigator.serviceWorker.controller !== null`).toBe(true);
        expect(await engine.read(`getComputedStyle(document.body).fontFamily`)).toContain('Nunito');
        const url = `${originOf(server)}/boards/?day=${DAY}`;
        await stop();
        await engine.open(url);
        await reads(text('.said')).toContain(`${official.length} words`);
      } finally {
        await engine.close();
      }
    });
  }
});
