/** A channel with the day's thread, and a relay on the test's clock. */
import { COMMANDS } from '../../commands/index.ts';
import { makeRelay } from '../../commands/relay.ts';
import type { Command } from '../../src/dispatch/contract.ts';
import { parseStoredRelay, type StoredRelay } from '../../src/players/relay/game.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { DAY_THREAD, deliverDue, sendStep } from '../fakes/day-thread.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { house, WORDS } from '../fakes/small-board.ts';

export interface RelayTable {
  readonly world: TestApp;
  readonly poster: TestPoster;
  /** Milliseconds that updates of messages would have waited. */
  readonly waits: number[];
  readonly commands: readonly Command[];
  /** Lets so much time pass and delivers what is due then. */
  pass(milliseconds: number): Promise<void>;
  tell(line: string, id?: string, where?: object): Promise<Reply>;
  /** The game of the day's thread as it is stored. */
  kept(): Promise<StoredRelay | undefined>;
  /** What the newest message shows now. */
  shown(): Reply;
}

export async function openTable(): Promise<RelayTable> {
  const poster = makeTestPoster();
  const world = await makeTestApp({
    words: WORDS,
    house,
    posterOf: (door) => (door === 'web' ? poster : undefined),
  });
  const opening = { tenant: 'web:local', channel: 'general', date: TODAY, step: 'opening' };
  await sendStep(world.store, opening, NOON - 1);
  const waits: number[] = [];
  const relay = makeRelay(async (milliseconds) => waits.push(milliseconds));
  const commands = [...COMMANDS.filter(({ name }) => name !== 'relay'), relay];
  return {
    world,
    poster,
    waits,
    commands,
    async pass(milliseconds) {
      world.clock.time += milliseconds;
      await deliverDue(world.app, poster);
    },
    tell: (line, id = 'ann', where = {}) => say(world.app, line, someone({ id }, where), commands),
    async kept() {
      const { games } = world.store.tenant('web:local');
      const game = await games.get(`general ${DAY_THREAD.thread}`, world.clock.time);
      return parseStoredRelay(game?.state);
    },
    shown: () => poster.messages.at(-1)!.shown.at(-1)!,
  };
}
