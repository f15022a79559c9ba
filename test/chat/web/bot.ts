import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { botEnvironment, clockFrom } from '../../bare-environment.ts';
import { ZONE } from './browser.ts';

/** Half past six: a day is moved on by whole hours, and its posts are due on the hour. */
const EARLY = Date.parse('2026-11-20T11:30:00Z');
const START = fileURLToPath(new URL('../../../bin/start.js', import.meta.url));

export interface RunningBot {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** `npm start` without any token, as somebody does who has just cloned the project: only the local chat. */
export async function startBot(cwd: string): Promise<RunningBot> {
  const child = spawn(process.execPath, [START], {
    cwd,
    env: { ...botEnvironment(), ...clockFrom(EARLY), WEB_PORT: '0', TZ: ZONE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout!.resume();
    return {
      url,
      child,
      async stop() {
        if (child.exitCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'exit');
      },
    };
  }
  throw new Error('the bot ended before it printed its address');
}
