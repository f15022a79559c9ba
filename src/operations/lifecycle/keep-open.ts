import type { Door } from '../../chat/door.ts';
import { StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';

const FIRST_WAIT = 15_000;
const LONGEST_WAIT = 10 * 60_000;
/** A platform that takes longer to answer does not hold up the rest of the bot. */
const PATIENCE = 20_000;

export interface KeepOpenOptions {
  readonly log: Log;
  /** What to say of a door that could not be opened. */
  readonly explain: (door: Door, error: unknown) => string;
  readonly firstWait?: number;
  readonly patience?: number;
}

/** The doors of a process: those that are open, and those that are tried again. */
export interface OpenDoors {
  readonly isOpen: (door: Door) => boolean;
  stop(): Promise<void>;
}

/**
 * Opens doors side by side. One that fails is said so and tried again later, less and less often, as long
 * as another is open; if all fail, the reasons are thrown.
 */
export async function keepOpen(
  doors: readonly Door[],
  { log, explain, firstWait = FIRST_WAIT, patience = PATIENCE }: KeepOpenOptions,
): Promise<OpenDoors> {
  const open = new Set<Door>();
  const failed: { door: Door; error: unknown }[] = [];
  const trying = new Set<Promise<void>>();
  const timers = new Map<Door, NodeJS.Timeout>();
  let onFailed = (door: Door, error: unknown): void => void failed.push({ door, error });
  let isStopping = false;

  function attempt(door: Door): Promise<void> {
    const work = start(door).finally(() => trying.delete(work));
    trying.add(work);
    return work;
  }

  async function start(door: Door): Promise<void> {
    try {
      await door.start();
    } catch (error) {
      onFailed(door, error);
      return;
    }
    if (isStopping) return door.stop();
    open.add(door);
    log.info({ door: door.name }, `${door.name}: open`);
  }

  const waits = new Map<Door, number>();
  function tryLater(door: Door, error: unknown): void {
    if (isStopping) return;
    const wait = waits.get(door) ?? firstWait;
    waits.set(door, Math.min(2 * wait, LONGEST_WAIT));
    const seconds = Math.round(wait / 1000);
    log.error({ door: door.name, err: error }, `${explain(door, error)} Next try in ${seconds} s.`);
    timers.set(
      door,
      setTimeout(() => void attempt(door), wait),
    );
  }

  const attempts = doors.map(attempt);
  await within(patience, Promise.all(attempts));
  if (failed.length > 0 && failed.length === doors.length) {
    const reasons = failed.map(({ door, error }) => explain(door, error));
    throw new StartError(reasons.join('\n'), { cause: failed[0]!.error });
  }
  onFailed = tryLater;
  for (const { door, error } of failed) tryLater(door, error);
  for (const door of doors) {
    if (open.has(door) || timers.has(door)) continue;
    log.warn({ door: door.name }, `${door.name}: still opening`);
  }

  return {
    isOpen: (door) => open.has(door),
    async stop() {
      isStopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all([...open].map((door) => door.stop()));
      await within(Math.min(patience, 2_000), Promise.all(trying));
    },
  };
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, end]);
  clearTimeout(timer);
}
