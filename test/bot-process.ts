import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { botEnvironment } from './bare-environment.ts';
import { makeFolder } from './fakes/folder.ts';

export interface Line {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The real process, as `npm start` starts it, in an empty folder and with no settings but the given ones. */
export class BotProcess {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly lines: Line[] = [];
  /** All that it said, on either stream. */
  output = '';
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<number | null>;
  #isOver = false;

  constructor(
    settings: Readonly<Record<string, string | undefined>>,
    folder = makeFolder(),
    typed: readonly string[] = [],
    program = resolve('bin/start.js'),
  ) {
    this.folder = folder;
    this.child = spawn(process.execPath, [program, ...typed], {
      cwd: folder,
      env: { ...botEnvironment(), TMPDIR: folder, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ended = once(this.child, 'close').then(([status]) => status as number | null);
    void this.#ended.then(() => {
      this.#isOver = true;
      this.#wake();
    });
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.output += chunk;
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.output += `${line}\n`;
      this.lines.push(line.startsWith('{') ? (JSON.parse(line) as Line) : { level: 'none', msg: line });
      this.#wake();
    });
  }

  /** The first line whose message fits, said already or to come. */
  async said(message: RegExp): Promise<Line> {
    for (;;) {
      const found = this.lines.find(({ msg }) => message.test(msg));
      if (found !== undefined) return found;
      if (this.#isOver) throw new Error(`it ended without saying ${message}:\n${this.output}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Its status, once everything it said has been read. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
