import type { Log } from '../../commands/types.ts';
import type { Door } from '../chat/door.ts';
import { StartError } from './start-error.ts';

const FIRST_WAIT = 15_000;
const LONGEST_WAIT = 10 * 60_000;

export interface KeepOpenOptions {
  readonly log: Log;
  /** What to say of a door that could not be opened. */
  readonly explain: (door: Door, error: unknown) => string;
  readonly firstWait?: number;
}

/** The doors of a process: those that open, and those that are tried again. */
export interface OpenDoors {
  readonly isOpen: (door: Door) => boolean;
  stop(): Promise<void>;
}

/**
 * Opens doors side by side. One that fails is said so and tried again later, less and less often, as long
 * as another is open; if none opens, the first reason is thrown.
 */
export async function keepOpen(
  doors: readonly Door[],
  { log, explain, firstWait = FIRST_WAIT }: KeepOpenOptions,
): Promise<OpenDoors> {
  const open = new Set<Door>();
  const timers = new Map<Door, NodeJS.Timeout>();
  const trying = new Set<Promise<void>>();
  let isStopping = false;

  async function tryAgain(door: Door, wait: number): Promise<void> {
    try {
      await start(door);
      if (!isStopping) log.info({ door: door.name }, `${door.name}: open`);
    } catch (error) {
      failed(door, error, Math.min(2 * wait, LONGEST_WAIT));
    }
  }

  async function start(door: Door): Promise<void> {
    await door.start();
    open.add(door);
    if (isStopping) await door.stop();
  }

  function failed(door: Door, error: unknown, wait: number): void {
    if (isStopping) return;
    const seconds = Math.round(wait / 1000);
    log.error({ door: door.name, err: error }, `${explain(door, error)} Next try in ${seconds} s.`);
    const timer = setTimeout(() => {
      const attempt = tryAgain(door, wait).finally(() => trying.delete(attempt));
      trying.add(attempt);
    }, wait);
    timers.set(door, timer);
  }

  const results = await Promise.allSettled(doors.map(start));
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ door: doors[index]!, error: result.reason as unknown }] : [],
  );
  if (failures.length > 0 && open.size === 0) {
    throw new StartError(failures.map(({ door, error }) => explain(door, error)).join('\n'), {
      cause: failures[0]!.error,
    });
  }
  for (const { door, error } of failures) failed(door, error, firstWait);

  return {
    isOpen: (door) => open.has(door),
    async stop() {
      isStopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all([...open].map((door) => door.stop()));
      await Promise.all(trying);
    },
  };
}
