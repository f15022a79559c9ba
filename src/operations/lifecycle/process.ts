import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { errorCode, StoreError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { type OnQuery, openStore, SQLITE_FILE, type Store, type StoreCallbacks } from '../../store/store.ts';
import { StoreOutage } from '../observability/store-outage.ts';

interface OpenedStore {
  readonly store: Store;
  /** Describes the store in the log. */
  readonly where: string;
  readonly outage: StoreOutage;
  /** Closes the store, and deletes it if it is temporary. */
  close(): Promise<void>;
}

export async function openStoreOf(config: Config['store'], log: Log, onQuery: OnQuery): Promise<OpenedStore> {
  const outage = new StoreOutage(log);
  // An error while opening is thrown, and ends the start.
  let isOpen = false;
  const watched: StoreCallbacks = {
    onQuery: outage.watching(onQuery),
    onFailure(error) {
      if (isOpen) outage.failed(error);
    },
  };
  const opened = await openConfigured(config, log, watched);
  isOpen = true;
  return { ...opened, outage };
}

async function openConfigured(
  config: Config['store'],
  log: Log,
  watched: StoreCallbacks,
): Promise<Omit<OpenedStore, 'outage'>> {
  if (config.kind === 'postgres') {
    const { databaseUrl, dataDir } = config;
    const unused = join(dataDir, SQLITE_FILE);
    if (existsSync(unused))
      log.warn(
        {},
        `${unused} is not used while DATABASE_URL is set, and nothing of it was moved to PostgreSQL. Move it away if you don't need it.`,
      );
    const store = await openStore({ databaseUrl, ...watched });
    return { store, where: `PostgreSQL on ${new URL(databaseUrl).host}`, close: () => store.close() };
  }
  if (config.kind === 'folder') {
    const store = await openStore({ dataDir: config.dataDir, ...watched });
    const copy = store.rescueCopy();
    if (copy !== undefined)
      log.warn(
        {},
        `${copy} was copied from a lost database. Delete it if you don't need it: nothing is erased in it.`,
      );
    return { store, where: `SQLite in ${join(config.dataDir, SQLITE_FILE)}`, close: () => store.close() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'letterboxed-')).catch((error: unknown) => {
    throw new StoreError(
      'store.denied',
      `No temporary folder can be made in ${tmpdir()} (${errorCode(error)}). Set TMPDIR or DATA_DIR to a folder that the bot's user may write to.`,
    );
  });
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  // Runs after an error too, but not when the process is killed.
  process.once('exit', remove);
  const store = await openStore({ dataDir, ...watched });
  const close = async () => {
    await store.close();
    remove();
    process.off('exit', remove);
  };
  return { store, where: 'a temporary folder: nothing is kept when this process ends', close };
}

/** Milliseconds: hosts kill a process ten seconds after asking it to stop. */
const STOP_TIMEOUT_MS = 9_500;
/** A terminal that is closed sends SIGHUP, which would otherwise leave a temporary store behind. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** An exit status above this names the signal that ended a process. */
const SIGNAL_STATUS_BASE = 128;

interface StopOptions {
  readonly stop: () => Promise<void>;
  readonly log: Log;
  readonly exit: (status: number) => void;
  readonly timeout?: number;
  /**
   * Milliseconds after the first signal in which another counts as the same one: npm forwards a signal that
   * the terminal or the host has already sent to the whole process group.
   */
  readonly echo?: number;
  /** Where signals come from: the process, except in tests. */
  readonly signals?: NodeJS.EventEmitter;
}

/**
 * Stops the process gracefully at the first of these signals, and at once at the second. Deliveries that do
 * not end in time are continued by the next process, after their leases expire.
 */
export function stopOnSignals({
  stop,
  log,
  exit,
  timeout = STOP_TIMEOUT_MS,
  echo = 0,
  signals = process,
}: StopOptions): (status: number) => void {
  let isStopping = false;
  let since = 0;

  async function end(status: number): Promise<void> {
    setTimeout(() => {
      log.error({ timeout }, 'not everything ended in time; the next process continues the rest');
      exit(1);
    }, timeout);
    try {
      await stop();
      log.info({}, 'stopped');
      exit(status);
    } catch (error) {
      log.error({ err: error }, 'stopping failed');
      exit(1);
    }
  }

  for (const signal of SIGNALS) {
    signals.on(signal, () => {
      if (isStopping && performance.now() - since < echo) return;
      if (isStopping) {
        log.warn({ signal }, 'a second signal: exiting at once');
        exit(SIGNAL_STATUS_BASE + constants.signals[signal]);
        return;
      }
      isStopping = true;
      since = performance.now();
      log.info({ signal }, 'stopping: refusing new work and finishing what has begun');
      void end(0);
    });
  }
  return (status) => {
    if (isStopping) return;
    isStopping = true;
    void end(status);
  };
}
