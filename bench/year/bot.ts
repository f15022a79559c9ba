import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WholeBot } from '../../test/whole-bot/platforms.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = 'src/store/migrations';
/** Milliseconds of real time, after which a door that does not open again is a fault. */
const LONGEST_RECONNECT = 60_000;

/** The bot as a process, first of an older release and then of this clone, on one database. */
export class YearBot {
  /** What it logged at the level that the settings name. */
  log = '';
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  readonly #dataDir: string;
  #running: WholeBot | undefined;
  #port = 0;

  constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder;
    this.#dataDir = join(folder, 'data');
    this.#settings = { ...settings, DATA_DIR: this.#dataDir };
  }

  /** Starts the release before the database's newest migration, and says which commit that is. */
  async startEarlierRelease(time: number): Promise<string> {
    const { root, commit } = checkOutEarlierRelease(this.#folder);
    await this.#start(time, root);
    return commit;
  }

  async upgrade(time: number): Promise<void> {
    await this.stop();
    await this.#start(time);
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

  async #start(time: number, root?: string): Promise<void> {
    this.#running = new WholeBot(this.#settings, { startsAt: time }, root);
    this.#port = (await this.#running.nextMessage()).port ?? 0;
  }

  get #bot(): WholeBot {
    if (this.#running === undefined) throw new Error('the bot has not been started');
    return this.#running;
  }
}

/**
 * The last commit before the newest migration, in a folder of its own, with the packages of this clone. Needs the
 * history: a clone made with `--depth 1` does not have it.
 */
function checkOutEarlierRelease(folder: string): { readonly root: string; readonly commit: string } {
  const newest = readdirSync(join(ROOT, MIGRATIONS))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .at(-1);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, maxBuffer: 2 ** 28 });
  const added = String(git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/${newest}`));
  const commit = String(git('rev-parse', '--short', `${added.trim()}~1`)).trim();
  const root = join(folder, 'earlier');
  mkdirSync(root);
  execFileSync('tar', ['-x', '-C', root], { input: git('archive', commit) });
  for (const name of ['node_modules', 'build']) symlinkSync(join(ROOT, name), join(root, name));
  return { root, commit };
}
