/** The process that `slack.ts` measures. */
// The same as in bin/start.js.
import '../bin/small-memory.js';
import { COMMANDS } from '../commands/index.ts';
import { makeSlackDoor } from '../src/chat/slack/door.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { makeRouter } from '../src/http/router.ts';
import { HttpServer } from '../src/http/server.ts';
import { makeTestApp } from '../test/fakes/app.ts';

export interface DoorJob {
  readonly mode: 'socket' | 'http';
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
}

const job = JSON.parse(process.argv[2] ?? '') as DoorJob;
const report = (message: object) => console.log(JSON.stringify(message));

const { app, close } = await makeTestApp({ clock: { time: 0, now: Date.now } });
const door = makeSlackDoor({
  app,
  dispatcher: makeDispatcher(app, { commands: COMMANDS }),
  mode:
    job.mode === 'socket'
      ? { kind: 'socket', appToken: job.appToken }
      : { kind: 'http', signingSecrets: [job.signingSecret] },
  workspaces: { kind: 'one', botToken: job.botToken },
  apiUrl: job.apiUrl,
});
const router = makeRouter(app.log);
router.route('/', door.routes);
const server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
await server.start();
await door.start();
// `performance.now()` counts from the start of the process.
report({ ready: performance.now(), port: server.port });

process.on('message', async (request) => {
  if (request === 'vitals') {
    const { user, system } = process.cpuUsage();
    report({ memory: process.memoryUsage.rss(), processor: (user + system) / 1_000 });
  }
  if (request !== 'stop') return;
  await door.stop();
  await server.stop();
  await close();
  process.disconnect();
});
