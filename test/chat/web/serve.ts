import { COMMANDS } from '../../../commands/index.ts';
import { type ChatClock, makeWebDoor, type WebDoor } from '../../../src/chat/web/door.ts';
import type { Dispatcher } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { SoloGames } from '../../../src/players/solo-games.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';

export interface Served extends TestApp {
  readonly dispatcher: Dispatcher;
  readonly door: WebDoor;
  readonly time: ChatClock;
  /** The same store and the same address, and nothing that the room had in memory. */
  restart(): Promise<void>;
}

/**
 * The local chat over the test app, on a port of its own.
 *
 * @param given an app that is there already; then `close` leaves it open
 */
export async function serveWeb(
  options: Parameters<typeof makeTestApp>[0] = {},
  given?: TestApp,
): Promise<Served> {
  const test = given ?? (await makeTestApp(options));
  const time: ChatClock = {
    now: () => test.clock.now(),
    async moveTo(moment) {
      test.clock.time = Math.max(moment, test.clock.time);
    },
    next: async () => undefined,
  };
  const dispatcher = makeDispatcher(test.app, { commands: COMMANDS });
  const makeDoor = (port: number) =>
    makeWebDoor({
      dispatcher,
      games: new SoloGames(test.app),
      clock: time,
      log: test.app.log,
      host: '127.0.0.1',
      port,
    });
  let door = makeDoor(0);
  await door.start();
  return {
    ...test,
    dispatcher,
    get door() {
      return door;
    },
    time,
    async restart() {
      const { port } = new URL(door.url);
      await door.stop();
      door = makeDoor(Number(port));
      await door.start();
    },
    async close() {
      await door.stop();
      if (given === undefined) await test.close();
    },
  };
}
