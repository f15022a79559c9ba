import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WholeBot } from '../../test/whole-bot/platforms.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Milliseconds of real time, after which a door that does not open again is a fault. */
const LONGEST_RECONNECT = 60_000;

/** The bot as a process, on one database. */
export class YearBot {
  /** What it logged at the level that the settings name. */
  log = '';
  readonly #settings: Record<string, string>;
  readonly #dataDir: string;
  #running: WholeBot | undefined;
  #port = 0;

  constructor(folder: string, settings: Record<string, string>) {
    this.#dataDir = join(folder, 'data');
    this.#settings = { ...settings, DATA_DIR: this.#dataDir };
  }

  async start(time: number): Promise<void> {
    this.#running = new WholeBot(this.#settings, { startsAt: time });
    this.#port = (await this.#running.nextMessage()).port ?? 0;
  }

  async move(time: number): Promise<void> {
    await this.#bot.ask({ move: time });
  }

  /** Bytes of memory after a garbage collection, and of the database with its log. */
  async vitals(): Promise<{ memory: number; database: number }> {
    const { rss = 0 } = await this.#bot.ask({ vitals: true });
    const files = readdirSync(this.#dataDir).filter((name) => name.startsWith('letterboxed.db'));
    const sizes = files.map((name) => statSync(join(this.#dataDir, name)).size);
    return { memory: rss, database: sizes.reduce((sum, size) => sum + size, 0) };
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + LONGEST_RECONNECT;
    while (!(await fetch(`http://127.0.0.1:${this.#port}/readyz`)).ok) {
      if (performance.now() > deadline) throw new Error('the bot does not become ready again');
      await sleep(100);
    }
  }

  /** The answer of `letterboxed db check`. */
  checkDatabase(): string {
    return execFileSync(process.execPath, [join(ROOT, 'bin/letterboxed.js'), 'db', 'check'], {
      env: { ...process.env, DATA_DIR: this.#dataDir },
      encoding: 'utf8',
    }).trim();
  }

  async stop(): Promise<void> {
    await this.#bot.stop();
    this.log += this.#bot.log;
  }

  kill(): void {
    this.#running?.child.kill('SIGKILL');
  }

  get #bot(): WholeBot {
    if (this.#running === undefined) throw new Error('the bot has not been started');
    return this.#running;
  }
}
