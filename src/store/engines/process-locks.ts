import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Liveness } from '../tables/processes.ts';

/**
 * Processes that share one SQLite file, on one machine. Each keeps a lock on a small file beside the database
 * for as long as it lives. The system ends the lock with the process, however it ends, so that neither
 * process numbers, which are used again, nor times have to be compared.
 */
export class ProcessLocks implements Liveness {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #held = new Map<string, DatabaseSync>();

  /** @param file the database */
  constructor(file: string) {
    this.#folder = dirname(file);
    this.#prefix = `${basename(file)}-process-`;
  }

  async show(owner: string): Promise<void> {
    if (this.#held.has(owner) && existsSync(this.#fileOf(owner))) return;
    this.#held.get(owner)?.close();
    // Locked before it has its name: others take a file without a lock for the rest of a process that has ended.
    const file = this.#fileOf(owner);
    const lock = lockOf(`${file}.new`);
    if (lock === undefined) throw new Error(`${file}.new is locked by another process`);
    renameSync(`${file}.new`, file);
    this.#held.set(owner, lock);
  }

  async ended(): Promise<readonly string[]> {
    return readdirSync(this.#folder)
      .filter((name) => name.startsWith(this.#prefix) && !name.endsWith('.new'))
      .map((name) => decodeURIComponent(name.slice(this.#prefix.length)))
      .filter((owner) => !this.#held.has(owner) && isUnlocked(this.#fileOf(owner)));
  }

  /** Whether the process that gave itself this name still runs. */
  isAlive(owner: string): boolean {
    const file = this.#fileOf(owner);
    return this.#held.has(owner) || (existsSync(file) && !isUnlocked(file));
  }

  async remove(owner: string): Promise<void> {
    this.#held.get(owner)?.close();
    this.#held.delete(owner);
    rmSync(this.#fileOf(owner), { force: true });
  }

  /** Ends the locks of this process, but leaves their files: the process that finds them ends the leases. */
  close(): void {
    for (const lock of this.#held.values()) lock.close();
    this.#held.clear();
  }

  #fileOf(owner: string): string {
    return join(this.#folder, this.#prefix + encodeURIComponent(owner));
  }
}

/** SQLite's own lock on an empty database: held until it is closed or the process ends. */
function lockOf(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    // With its journal in memory, the lock is this one file.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch {
    lock.close();
    return undefined;
  }
}

function isUnlocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const lock = lockOf(file);
  lock?.close();
  return lock !== undefined;
}
