/**
 * Runs `npm start`'s bot in a control group of so many megabytes, between a fake Discord and a fake Slack, and says whether
 * it lives through 50 commands and how much it took at most. It needs a machine where this user may make control groups.
 *
 *   npx node bench/memory.ts 200 250 300
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askOnSlack, openPlatforms, type Platforms } from '../test/whole-bot/platforms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MB = 2 ** 20;
/** The lines that take most memory: searches in workers, pictures, the word list, and made boards. */
const LINES = [
  'today',
  'hint',
  'hint step:solution',
  'solve ozu nri lfa mbt',
  'solve RIU PGH LCS YAO',
  'solve abc def ghi jkl mno pqr stu vwx',
  'solve etaoi nshrd lucmf wypgb',
  'words ozu nri lfa mbt pattern:*ing',
  'record ozu nri lfa mbt',
  'hint ozu nri lfa mbt step:lengths',
];
const COMMANDS = 50;

const GROUPS = existsSync('/sys/fs/cgroup/cgroup.controllers')
  ? { folder: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', swap: 'memory.swap.max' }
  : {
      folder: '/sys/fs/cgroup/memory',
      limit: 'memory.limit_in_bytes',
      peak: 'memory.max_usage_in_bytes',
      swap: undefined,
    };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function waitUntilReady(port: number, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function run(megabytes: number): Promise<void> {
  const group = join(GROUPS.folder, `letterboxed-${process.pid}-${megabytes}`);
  mkdirSync(group);
  writeFileSync(join(group, GROUPS.limit), `${megabytes * MB}`);
  if (GROUPS.swap !== undefined) writeFileSync(join(group, GROUPS.swap), '0');
  const platforms: Platforms = await openPlatforms(2);
  const dataDir = mkdtempSync(join(tmpdir(), 'letterboxed-memory-'));
  const port = await freePort();
  const command = `echo $$ > ${join(group, 'cgroup.procs')}; exec "${process.execPath}" bin/start.js`;
  const bot = spawn('sh', ['-c', command], {
    cwd: ROOT,
    env: { ...process.env, ...platforms.settings, PORT: String(port), DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  let signal: NodeJS.Signals | null | undefined;
  const ended = once(bot, 'exit').then(([, by]) => {
    signal = by as NodeJS.Signals | null;
  });
  await waitUntilReady(port, () => signal !== undefined);
  const people = Array.from({ length: 5 }, () => platforms.slack.addPerson(platforms.workspace));
  for (const { id } of people) platforms.slackTalk.members.add(id);
  let answered = 0;
  // All people at once, so that several workers run.
  for (let begun = 0; begun < COMMANDS && signal === undefined; begun += people.length) {
    const asked = people.map(async (person, at) => {
      await askOnSlack(person, platforms.slackTalk, LINES[(begun + at) % LINES.length]!);
      answered++;
    });
    await Promise.race([Promise.allSettled(asked), ended]);
  }
  const status = existsSync(`/proc/${bot.pid}/status`) ? readFileSync(`/proc/${bot.pid}/status`, 'utf8') : '';
  const peak = Number(readFileSync(join(group, GROUPS.peak), 'utf8')) / MB;
  const resident = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  const end = signal === undefined ? 'lives' : `ended by ${signal}`;
  console.log(
    `${megabytes} MB: ${end} after ${answered} answers; most resident ${resident.toFixed(0)} MB, most in the group ${peak.toFixed(0)} MB`,
  );
  bot.kill('SIGKILL');
  await ended;
  await platforms.close();
  rmSync(dataDir, { recursive: true, force: true });
  rmdirSync(group);
}

for (const megabytes of process.argv.slice(2).map(Number)) await run(megabytes);
process.exit();
