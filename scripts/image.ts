/**
 * Carries out the Dockerfile without Docker: each COPY and RUN in a fresh Debian root, and the bot started there as its
 * user on a read-only disk, with its health check and a SIGTERM. Needs root, Linux, Debian's mmdebstrap and the
 * registries of Debian and npm.
 *
 *   node scripts/image.ts
 */
import { execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/** A start takes about two seconds. */
const START_TIMEOUT_MS = 60_000;
const MAX_MEGABYTES = 200;
/** Below the ports that Linux hands out by itself, so that nobody else has it when the bot opens it. */
const PORT = '20080';
const NODE_USER = '1000';
/** Certificate authorities of this machine's own, if it has any. */
const AUTHORITIES = '/etc/authorities.crt';
const SHOWN: { readonly stdio: StdioOptions } = { stdio: ['ignore', 'inherit', 'inherit'] };

type Environment = Record<string, string>;

interface Stage {
  readonly root: string;
  readonly environment: Environment;
  directory: string;
  user?: string;
  health: readonly string[];
  command: readonly string[];
}

let folder: string;
if (import.meta.main) {
  using made = mkdtempDisposableSync(join(tmpdir(), 'letterboxed-image-'));
  folder = made.path;
  process.exitCode = (await tryImage()) ? 0 : 1;
}

async function tryImage(): Promise<boolean> {
  const base = join(folder, 'base');
  makeBase(base);
  const stages = new Map<string, Stage>();
  for (const { name, text } of parseDockerfile(readFileSync('Dockerfile', 'utf8'))) {
    console.log(`${name} ${text}`);
    if (name === 'FROM') {
      const stage = / AS (\w+)$/i.exec(text)?.[1] ?? 'image';
      const root = join(folder, stage);
      execFileSync('cp', ['-a', base, root]);
      const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' };
      stages.set(stage, { root, environment, directory: '/', health: [], command: [] });
    } else carryOut({ name, text }, [...stages.values()].at(-1)!, stages);
  }
  const image = stages.get('image')!;
  const added = megabytes(image.root) - megabytes(base);
  console.log(`\nsize on top of the base image: ${added} MB (limit ${MAX_MEGABYTES} MB)`);
  return (await run(image)) && added < MAX_MEGABYTES;
}

/** A fresh Debian with what Node's slim image adds: Node, npm and the user `node`; and this machine's way to the registries. */
function makeBase(root: string): void {
  const debian = ['--variant=minbase', '--include=libstdc++6', '--quiet', 'bookworm', root];
  execFileSync('mmdebstrap', debian, SHOWN);
  const whole = { recursive: true, dereference: true };
  const copyOf = (from: string, to: string) => cpSync(from, join(root, to), whole);
  copyOf(process.execPath, 'usr/local/bin/node');
  const npm = execFileSync('sh', ['-c', 'readlink -f "$(which npm)"'], { encoding: 'utf8' }).trim();
  copyOf(dirname(dirname(npm)), 'usr/local/lib/node_modules/npm');
  const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm'];
  execFileSync('chroot', [root, ...link]);
  execFileSync('chroot', [root, 'useradd', '--create-home', '--uid', NODE_USER, 'node']);
  copyOf('/etc/resolv.conf', 'etc/resolv.conf');
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities !== undefined) copyOf(authorities, AUTHORITIES);
}

function carryOut({ name, text }: Instruction, stage: Stage, stages: ReadonlyMap<string, Stage>): void {
  if (name === 'RUN') {
    // The build's network, and npm's cache of this machine, are not part of the image.
    const network = {
      npm_config_prefer_offline: 'true',
      npm_config_cache: '/tmp/npm',
      NODE_EXTRA_CA_CERTS: AUTHORITIES,
    };
    const command = inRoot(stage, { ...stage.environment, ...network }, ['sh', '-c', text]);
    execFileSync('chroot', command, SHOWN);
  } else if (name === 'COPY') copy(words(text), stage, stages);
  else if (name === 'ENV' || name === 'ARG') {
    for (const pair of words(text)) {
      const [variable = '', value = ''] = pair.split(/=(.*)/s);
      stage.environment[variable] = value;
    }
  } else if (name === 'WORKDIR') {
    stage.directory = text;
    mkdirSync(join(stage.root, text), { recursive: true });
  } else if (name === 'USER') stage.user = text;
  else if (name === 'HEALTHCHECK') stage.health = JSON.parse(text.slice(text.indexOf('[')));
  else if (name === 'CMD') stage.command = JSON.parse(text);
  else if (!['LABEL', 'EXPOSE', 'VOLUME'].includes(name)) throw new Error(`${name} is not known here.`);
}

function copy(args: string[], stage: Stage, stages: ReadonlyMap<string, Stage>): void {
  const options = { from: { type: 'string' }, chown: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const target = positionals.pop()!;
  const to = join(stage.root, resolve(stage.directory, target));
  const root = values.from === undefined ? buildContext() : stages.get(values.from)!.root;
  for (const source of positionals.map((path) => join(root, path))) {
    const isFolder = statSync(source).isDirectory();
    mkdirSync(isFolder || target === './' ? to : dirname(to), { recursive: true });
    execFileSync('cp', ['-a', isFolder ? `${source}/.` : source, to]);
  }
  if (values.chown !== undefined) execFileSync('chroot', [stage.root, 'chown', '-R', values.chown, target]);
}

/** What .dockerignore leaves: it excludes everything, then takes back names. */
function buildContext(): string {
  const context = join(folder, 'context');
  const [first, ...names] = readFileSync('.dockerignore', 'utf8').match(/^[^#\n].*$/gm) ?? [];
  if (first !== '*') throw new Error('.dockerignore should begin by excluding everything.');
  for (const name of names) cpSync(name.slice(1), join(context, name.slice(1)), { recursive: true });
  return context;
}

/** Starts the command as the first process of its own namespace, on a disk that is read-only but for /tmp and /data. */
async function run(image: Stage): Promise<boolean> {
  const environment = { ...image.environment, HOME: '/home/node', PORT, WEB_PORT: '0' };
  const data = join(folder, 'volume');
  execFileSync('cp', ['-a', join(image.root, 'data'), data]);
  const script = `
    set -e
    mount --bind "$0" "$0"
    mount -o remount,bind,ro "$0"
    mount -t tmpfs tmpfs "$0/tmp"
    mount --bind "${data}" "$0/data"
    mount -t proc proc "$0/proc"
    if touch "$0/app/probe" 2>/dev/null; then echo "the disk can be written"; exit 1; fi
    exec "$@"`;
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const command = ['chroot', ...inRoot(image, environment, image.command)];
  const bot = spawn('unshare', [...namespaces, 'bash', '-c', script, image.root, ...command], SHOWN);
  const ended = once(bot, 'exit');
  try {
    const isHealthy = await becomesHealthy(inRoot(image, environment, image.health));
    const first = readFileSync(`/proc/${bot.pid}/task/${bot.pid}/children`, 'utf8').trim();
    const user = String(statSync(`/proc/${first}`).uid);
    const isKept = existsSync(join(data, 'letterboxed.db'));
    console.log(`health check: ${isHealthy ? 'healthy' : 'unhealthy'}`);
    console.log(`user id: ${user}; database on the volume: ${isKept}`);
    process.kill(Number(first), 'SIGTERM');
    const [status] = await ended;
    console.log(`exit status after SIGTERM: ${status}`);
    return isHealthy && user === NODE_USER && isKept && status === 0;
  } finally {
    bot.kill('SIGKILL');
  }
}

async function becomesHealthy(check: readonly string[]): Promise<boolean> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await sleep(500))
    if (spawnSync('chroot', check, { stdio: ['ignore', 'inherit', 'ignore'] }).status === 0) return true;
  return false;
}

/** What follows chroot to run a command as the stage's user in its directory. */
function inRoot(stage: Stage, environment: Readonly<Environment>, command: readonly string[]): string[] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const user = stage.user === undefined ? [] : [`--userspec=${stage.user}`];
  return [...user, stage.root, 'env', '-i', '-C', stage.directory, ...variables, ...command];
}

function megabytes(path: string): number {
  return Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]);
}

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, one for each, however many lines they take. Comments are left out. */
export function parseDockerfile(text: string): Instruction[] {
  const whole = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, '');
  return Array.from(whole.matchAll(/^(\w+)\s+(.+)$/gm), ([, name, rest]) => ({
    name: name!.toUpperCase(),
    text: rest!.trim(),
  }));
}

/** The words of an instruction such as COPY, LABEL or ENV; quotes keep spaces together. */
export function words(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''));
}
