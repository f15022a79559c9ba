import { setTimeout } from 'node:timers/promises';
import { MINUTE } from '../../core/clock.ts';
import { type App, DOORS, type DoorName } from '../../dispatch/contract.ts';
import { eachMinute } from '../each-minute.ts';
import { endTimedOut, RelayTimers } from './context.ts';
import { endOf } from './game.ts';
import { KEPT_AFTER_END, readRelay } from './game-store.ts';
import { MessageUpdater } from './message.ts';

/** Milliseconds in which the process where the last move was made ends a game by its own timer. */
const OWN_TIMERS = MINUTE;

/**
 * Ends relays that timed out after the process of their last move had ended, so that their messages lose their buttons.
 * Best effort: what can't be ended now is ended by the next request there.
 */
export class TimedOutRelays {
  readonly #app: App;
  readonly #tools = {
    updater: new MessageUpdater(),
    timers: new RelayTimers(),
    sleep: (milliseconds: number) => setTimeout(milliseconds),
  };
  /** By door: games that expire by then were looked at. */
  readonly #seen = new Map<DoorName, number>();

  constructor(app: App) {
    this.#app = app;
  }

  async end(door: DoorName): Promise<void> {
    const { store, clock, log } = this.#app;
    const now = clock.now();
    const by = now - OWN_TIMERS + KEPT_AFTER_END;
    const after = this.#seen.get(door) ?? now;
    for (const { tenant, thread } of await store.allTenants.gamesExpiring(door, after, by))
      await this.#endIn(door, tenant, thread).catch((error: unknown) =>
        log.warn({ err: error, door, tenant }, 'A relay that timed out could not be ended.'),
      );
    this.#seen.set(door, by);
  }

  async #endIn(door: DoorName, tenant: string, key: string): Promise<void> {
    const [channel = key] = key.split(' ');
    const thread = { tenant, channel, key, posted: undefined };
    const game = await readRelay(this.#app, thread);
    if (game?.stored.message === undefined) return;
    const { relay } = game.stored;
    if (relay.end !== undefined || endOf(relay, this.#app.clock.now()) === undefined) return;
    const request = {
      door,
      who: { id: relay.startedBy, mayManage: false },
      where: { tenant, channel, direct: false },
      command: 'relay',
      options: {},
    };
    await endTimedOut({ ...this.#tools, app: this.#app, request }, thread, game);
  }
}

/** Ends them at the doors where this process posts. Returns a function that ends it. */
export function endRelaysEachMinute(app: App, doors: readonly string[]): () => void {
  const relays = new TimedOutRelays(app);
  const end = async () => {
    for (const door of DOORS.filter((known) => doors.includes(known))) await relays.end(door);
  };
  return eachMinute(end, (err) =>
    app.log.error({ err }, 'relays that timed out could not be looked for; the next minute tries again'),
  );
}
