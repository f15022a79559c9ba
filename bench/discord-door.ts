/** The process that `discord.ts` measures. */
// As bin/start.js does.
import '../bin/small-memory.js';
import { COMMANDS } from '../commands/index.ts';
import { DiscordDoor } from '../src/chat/discord/door.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { makeTestApp } from '../test/fakes/app.ts';

const { apiUrl, token } = JSON.parse(process.argv[2] ?? '') as { apiUrl: string; token: string };
const tell = (said: object) => console.log(JSON.stringify(said));

const { app, close } = await makeTestApp({ clock: { time: 0, now: Date.now } });
const dispatcher = makeDispatcher(app, { commands: COMMANDS });
const door = new DiscordDoor({ app, dispatcher, token, apiUrl });
await door.start();
// The beginning of `performance` is the beginning of the process.
tell({ ready: performance.now() });

process.on('message', async (asked) => {
  if (asked === 'memory') tell({ memory: process.memoryUsage.rss() });
  if (asked !== 'stop') return;
  await door.stop();
  await close();
  process.disconnect();
});
