import { makeApp } from './app.ts';
import { MovableClock } from './chat/web/movable-clock.ts';
import type { Config } from './config/config.ts';
import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { App } from './dispatch/contract.ts';
import type { Poster } from './dispatch/poster.ts';
import { openStoreOf } from './operations/lifecycle/open-store.ts';
import { Metrics } from './operations/observability/metrics.ts';
import { timedStore } from './operations/observability/timed-store.ts';

export interface AppWorld {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
}

export interface OpenedApp {
  readonly app: App;
  readonly metrics: Metrics;
  /** For the doors to put their hands into. */
  readonly posters: Map<string, Poster>;
  /** The app's clock, where it may be moved. */
  readonly playClock: MovableClock | undefined;
  /** Which store it is, for people. */
  readonly where: string;
  close(): Promise<void>;
}

/** The app on its own store. */
export async function openApp({ config, log, clock: time }: AppWorld): Promise<OpenedApp> {
  const { store, where, close } = await openStoreOf(config.store, log);
  try {
    const playClock = mayBeMoved(config) ? new MovableClock(() => time.now()) : undefined;
    const clock: Clock = playClock ?? time;
    const metrics = new Metrics({ backlog: () => store.allTenants.backlog(), now: () => clock.now() });
    const posters = new Map<string, Poster>();
    const app = makeApp({
      config,
      clock,
      log,
      posters,
      store: timedStore(store, metrics.stored),
      onFetched: metrics.fetched,
    });
    return { app, metrics, posters, playClock, where, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Only where nobody but the local chat goes by it, and no puzzle still to come could be asked for. */
function mayBeMoved({ discord, slack, web, puzzle }: Config): boolean {
  return web !== undefined && discord === undefined && slack === undefined && puzzle.source !== 'newspaper';
}
