import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { runTerminal } from '../../../src/terminal.ts';
import { bareEnvironment } from '../../bare-environment.ts';

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Where it is called, the repository unless given. */
  readonly folder?: string;
  /** What is piped into it. */
  readonly input?: string;
}

const BIN = resolve('bin/letterboxed.js');
const HOME = process.cwd();

/** The command line as a person calls it, in a process of its own. */
export function runProcess(typed: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { settings = {}, folder = HOME, input = '' } = options;
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [BIN, ...typed], {
      env: { ...bareEnvironment(), ...settings },
      cwd: folder,
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, out, err }));
    // A child that refuses its arguments closes its input before it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * The same in this process, one call after the other: starting a process costs far more than most answers. That both
 * are the same is tested in command-line.test.ts.
 */
export function run(typed: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { settings = {}, folder, input } = options;
  return runHere(() => runTerminal(typed, { ...bareEnvironment(), ...settings }), folder, input);
}

/** A program that returns its exit status, in this process and a folder. */
export function runHere(program: () => Promise<number>, folder = HOME, input: string = ''): Promise<Run> {
  const result = previous.then(() => {
    process.chdir(folder);
    return captured(program, input).finally(() => process.chdir(HOME));
  });
  previous = result.catch(() => {});
  return result;
}
let previous: Promise<unknown> = Promise.resolve();

async function captured(run: () => Promise<number>, input: string): Promise<Run> {
  const out = capture('log');
  const written = vi.spyOn(process.stdout, 'write').mockImplementation(out.write);
  const err = capture('error');
  // The input of a test's process may never end.
  const pipe = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false });
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(pipe as typeof process.stdin);
  try {
    const code = await run();
    return { code, out: out.text(), err: err.text() };
  } finally {
    out.restore();
    written.mockRestore();
    err.restore();
    stdin.mockRestore();
  }
}

function capture(method: 'log' | 'error') {
  const lines: string[] = [];
  const spy = vi.spyOn(console, method).mockImplementation((...values) => {
    lines.push(`${values.join(' ')}\n`);
  });
  const write: typeof process.stdout.write = (text, ...rest) => {
    lines.push(String(text));
    for (const done of rest) if (typeof done === 'function') done();
    return true;
  };
  return { text: () => lines.join(''), write, restore: () => spy.mockRestore() };
}
