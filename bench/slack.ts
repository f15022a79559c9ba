/**
 * The Slack door as a process of its own, on the fake Slack: how soon it takes requests after its start, how soon commands
 * that come all at once are acknowledged and answered, and how much memory it takes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../commands/index.ts';
import { makeManifest } from '../src/chat/slack/manifest.ts';
import { type FakeSlack, startFakeSlack } from '../test/fakes/slack/index.ts';
import type { DoorJob } from './slack-door.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const AT_ONCE = 50;
const ROUNDS = 20;
const LINES = ['hint', 'today', 'solve ozu nri lfa mbt', 'check forum,mozart', 'words', 'help', 'hint count'];
const DOOR = fileURLToPath(new URL('slack-door.ts', import.meta.url));

export async function run(): Promise<void> {
  heading(
    'door',
    'ready after its start, ms',
    `ack of ${AT_ONCE} at once: median`,
    'p99',
    'most',
    'answer: median',
    'p99',
    'memory, MB',
  );
  for (const mode of ['socket', 'http'] as const) await measure(mode);
}

async function measure(mode: 'socket' | 'http'): Promise<void> {
  const manifest = makeManifest({
    commands: COMMANDS,
    ...(mode === 'http' && { publicUrl: 'https://bot.example.org' }),
  });
  // The platform's own limits are not what is measured here.
  const fake = await startFakeSlack({ manifest, pace: { postsPerSecond: 0 } });
  const workspace = fake.addWorkspace();
  const { apiUrl, app } = fake;
  const job: DoorJob = {
    mode,
    apiUrl,
    botToken: fake.install(workspace),
    appToken: app.appToken,
    signingSecret: app.signingSecret,
  };
  const { child, said } = startDoor(job);
  const { ready, port } = await said();
  fake.app.requestUrl = `http://127.0.0.1:${port}/slack/events`;
  const acks: number[] = [];
  const answers: number[] = [];
  for (let round = 0; round < ROUNDS; round++) await burst(fake, workspace, { acks, answers });
  child.send('vitals');
  const { memory } = await said();
  child.send('stop');
  await once(child, 'exit');
  await fake.close();
  acks.sort((a, b) => a - b);
  answers.sort((a, b) => a - b);
  const shown = [
    quantile(acks, 0.5),
    quantile(acks, 0.99),
    acks.at(-1)!,
    quantile(answers, 0.5),
    quantile(answers, 0.99),
  ];
  row(
    `${mode}, ${acks.length} commands`,
    milliseconds(ready!),
    ...shown.map(milliseconds),
    Math.round(memory! / 1e6),
  );
}

/** A new person and a new channel for each command, since people and channels have rate limits. */
async function burst(
  fake: FakeSlack,
  workspace: ReturnType<FakeSlack['addWorkspace']>,
  { acks, answers }: { acks: number[]; answers: number[] },
): Promise<void> {
  const asked = Array.from({ length: AT_ONCE }, (_, index) => {
    const person = fake.addPerson(workspace);
    const channel = fake.addChannel(workspace, [person]);
    return { person, channel, line: `/letterboxed ${LINES[index % LINES.length]}` };
  });
  const began = performance.now();
  await Promise.all(
    asked.map(async ({ person, channel, line }) => {
      const action = person.slash(channel, line);
      const { problem, milliseconds: took } = await action.ack;
      if (problem !== undefined) throw new Error(`${line}: ${problem}`);
      acks.push(took);
      await action.shown;
      answers.push(performance.now() - began);
    }),
  );
}

interface Said {
  readonly ready?: number;
  readonly port?: number;
  readonly memory?: number;
  /** Milliseconds. */
  readonly processor?: number;
}

export function startDoor(job: DoorJob): { child: ChildProcess; said: () => Promise<Said> } {
  const child = spawn(process.execPath, [DOOR, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return { child, said: async () => JSON.parse(String((await lines.next()).value)) as Said };
}
