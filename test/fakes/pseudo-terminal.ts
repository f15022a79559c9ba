/** A program in a real pseudo-terminal, which `script` of util-linux makes. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bareEnvironment } from '../bare-environment.ts';
import { TerminalScreen } from './terminal-screen.ts';

interface PseudoTerminalOptions {
  readonly columns?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Milliseconds for a busy machine; whatever is waited for usually comes at once. */
const PATIENCE = 60_000;

export class PseudoTerminal {
  readonly screen: TerminalScreen;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  #resized: { readonly columns: number; readonly rows: number } | undefined;

  /** @param command for a shell; `echo` and `stty` show how it left the terminal */
  constructor(command: string, { columns = 80, settings = {} }: PseudoTerminalOptions = {}) {
    this.screen = new TerminalScreen(columns, 24);
    const line = `stty cols ${columns} rows 24; tty; ${command}`;
    this.#child = spawn('script', ['--quiet', '--flush', '--return', '--command', line, '/dev/null'], {
      env: { ...bareEnvironment(), LANG: 'C.UTF-8', TERM: 'xterm-256color', SHELL: '/bin/sh', ...settings },
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.screen.write(text));
    this.#ended = once(this.#child, 'close');
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Waits until the screen, or before and after it the lines of the shell, have this text. */
  async until(...texts: readonly string[]): Promise<void> {
    const isThere = () => {
      const { isFull, isDrawn, text, lines } = this.screen;
      return (isDrawn || !isFull) && texts.every((one) => (isFull ? text : lines).includes(one));
    };
    const signal = AbortSignal.timeout(PATIENCE);
    while (!isThere()) {
      await once(this.#child.stdout, 'data', { signal }).catch(() => {
        throw new Error(
          `waited for ${texts.join(' and ')}, but there is:\n${this.screen.text}\n${this.screen.lines}`,
        );
      });
    }
    Object.assign(this.screen, this.#resized);
    this.#resized = undefined;
  }

  /**
   * Another size, as when a person drags the corner of the window. What was drawn for the size before may still arrive, so the
   * larger of both is allowed until the next `until`.
   */
  resize(columns: number, rows: number): void {
    const { screen } = this;
    this.#resized = { columns, rows };
    [screen.columns, screen.rows] = [Math.max(columns, screen.columns), Math.max(rows, screen.rows)];
    execFileSync('stty', ['-F', this.#device, 'cols', String(columns), 'rows', String(rows)]);
  }

  get #device(): string {
    return /^\/dev\/\S+/m.exec(this.screen.lines)![0];
  }

  /** Waits for the end of the program. */
  async ended(): Promise<void> {
    await this.#ended;
  }

  kill(): void {
    this.#child.kill();
  }
}
