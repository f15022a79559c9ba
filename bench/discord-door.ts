/** The process that `discord.ts` and `discord-play.ts` measure. */
// As bin/start.js does.
import '../bin/small-memory.js';
import { COMMANDS } from '../commands/index.ts';
import { DiscordDoor } from '../src/chat/discord/door.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import { makePictures } from '../src/reply/picture/pictures.ts';
import { makeTestApp } from '../test/fakes/app.ts';
import { house, WORDS } from '../test/fakes/small-board.ts';

interface Job {
  readonly apiUrl: string;
  readonly token: string;
  /** Has a small board whose solution is known, and a worker for pictures. */
  readonly plays?: boolean;
}

const { apiUrl, token, plays = false } = JSON.parse(process.argv[2] ?? '') as Job;
const report = (message: object) => console.log(JSON.stringify(message));

const { app, close } = await makeTestApp({
  clock: { time: 0, now: Date.now },
  ...(plays && { words: WORDS, house, workers: 1 }),
});
const dispatcher = makeDispatcher(app, { commands: COMMANDS });
const door = new DiscordDoor({
  app,
  dispatcher,
  token,
  apiUrl,
  ...(plays && { pictures: makePictures((picture, asker) => app.work.draw(picture, asker)) }),
});
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
