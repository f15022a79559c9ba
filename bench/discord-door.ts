/** The process that `discord.ts` measures. */
// The same as in bin/start.js.
import '../bin/small-memory.js';
import { COMMANDS } from '../commands/index.ts';
import { DiscordDoor } from '../src/chat/discord/door.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { makeTestApp } from '../test/fakes/app.ts';

interface Job {
  readonly apiUrl: string;
  readonly token: string;
}

const { apiUrl, token } = JSON.parse(process.argv[2] ?? '') as Job;
const report = (message: object) => console.log(JSON.stringify(message));

const { app, close } = await makeTestApp({ clock: { time: 0, now: Date.now } });
const dispatcher = makeDispatcher(app, { commands: COMMANDS });
const door = new DiscordDoor({ app, dispatcher, token, apiUrl });
await door.start();
// `performance.now()` counts from the start of the process.
report({ ready: performance.now() });

process.on('message', async (request) => {
  if (request === 'vitals') {
    const { user, system } = process.cpuUsage();
    report({ memory: process.memoryUsage.rss(), processor: (user + system) / 1_000 });
  }
  if (request !== 'stop') return;
  await door.stop();
  await close();
  process.disconnect();
});
