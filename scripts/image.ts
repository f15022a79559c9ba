/**
 * Carries out the Dockerfile without Docker: each COPY and RUN in a fresh Debian root, and the bot started there as its
 * user on a read-only disk, with its health check and a SIGTERM. Needs root, Linux, Debian's mmdebstrap and the
 * registries of Debian and npm.
 *
 *   node scripts/image.ts
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SUITE = 'bookworm';
/** Milliseconds. A start takes about two seconds. */
const START = 60_000;
const LARGEST = 200;

/** Below the ports that Linux hands out by itself, so that nobody else has it when the bot opens it. */
const PORT = '20080';
/** The id of the user `node` in Node's images. */
const NODE_USER = '1000';
/** Where Node's images have it. */
const NODE = 'usr/local/bin/node';
const NPM = 'usr/local/lib/node_modules/npm';

/** Certificate authorities of this machine's own, if it has any. */
const AUTHORITIES = '/etc/authorities.crt';

interface Stage {
  readonly root: string;
  readonly environment: Record<string, string>;
  directory: string;
  user: string | undefined;
  health: readonly string[];
  command: readonly string[];
}

let folder: string;
if (import.meta.main) {
  folder = mkdtempSync(join(tmpdir(), 'letterboxed-image-'));
  try {
    process.exitCode = (await tryImage()) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryImage(): Promise<boolean> {
  const base = join(folder, 'base');
  makeDebian(base, SUITE);
  bringInNode(base);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of parseDockerfile(readFileSync('Dockerfile', 'utf8'))) {
    console.log(`${instruction.name} ${instruction.text}`);
    if (instruction.name === 'FROM') {
      const name = / AS (\w+)$/i.exec(instruction.text)?.[1] ?? 'image';
      stage = startStage(join(folder, name), base);
      stages.set(name, stage);
    } else if (stage !== undefined) carryOut(instruction, stage, stages);
  }
  const image = stages.get('image');
  if (image === undefined) throw new Error('The Dockerfile has no last stage.');
  const added = megabytes(image.root) - megabytes(base);
  console.log(`\nsize on top of the base image: ${added} MB (limit ${LARGEST} MB)`);
  return (await run(image)) && added < LARGEST;
}

function startStage(root: string, base: string): Stage {
  execFileSync('cp', ['-a', base, root]);
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' };
  return { root, environment, directory: '/', user: undefined, health: [], command: [] };
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
    execFileSync('chroot', command, { stdio: ['ignore', 'inherit', 'inherit'] });
  } else if (name === 'COPY') copy(words(text), stage, stages);
  else if (name === 'ENV' || name === 'ARG') {
    for (const pair of words(text)) {
      const [variable = '', value = ''] = pair.split(/=(.*)/s);
      stage.environment[variable] ??= '';
      stage.environment[variable] = substitute(value, stage.environment);
    }
  } else if (name === 'WORKDIR') {
    stage.directory = text;
    mkdirSync(join(stage.root, text), { recursive: true });
  } else if (name === 'USER') stage.user = text;
  else if (name === 'HEALTHCHECK') stage.health = JSON.parse(text.slice(text.indexOf('[')));
  else if (name === 'CMD') stage.command = JSON.parse(text);
  else if (!['LABEL', 'EXPOSE', 'VOLUME'].includes(name)) throw new Error(`${name} is not known here.`);
}

function copy(typed: readonly string[], stage: Stage, stages: ReadonlyMap<string, Stage>): void {
  const flags = typed.filter((word) => word.startsWith('--'));
  const from = flags.find((flag) => flag.startsWith('--from='))?.slice(7);
  const owner = flags.find((flag) => flag.startsWith('--chown='))?.slice(8);
  const paths = typed.filter((word) => !word.startsWith('--'));
  const to = join(stage.root, resolve(stage.directory, paths.at(-1)!));
  const root = from === undefined ? buildContext() : stages.get(from)!.root;
  for (const path of paths.slice(0, -1)) {
    const source = join(root, path);
    const isFolder = execFileSync('stat', ['-c', '%F', source], { encoding: 'utf8' }).trim() === 'directory';
    mkdirSync(isFolder || paths.length > 2 || paths.at(-1) === './' ? to : dirname(to), { recursive: true });
    execFileSync('cp', ['-a', isFolder ? `${source}/.` : source, to]);
  }
  if (owner !== undefined) execFileSync('chroot', [stage.root, 'chown', '-R', owner, paths.at(-1)!]);
}

/** What .dockerignore leaves: it excludes everything, then takes back names. */
function buildContext(): string {
  const context = join(folder, 'context');
  const lines = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  if (lines[0] !== '*') throw new Error('.dockerignore should begin by excluding everything.');
  for (const line of lines.slice(1)) {
    const name = line.replace(/^!/, '');
    cpSync(name, join(context, name), { recursive: true });
  }
  return context;
}

/** Starts the command as the first process of its own namespace, on a disk that is read-only but for /tmp and /data. */
async function run(image: Stage): Promise<boolean> {
  const environment = {
    ...image.environment,
    HOME: '/home/node',
    PORT,
    WEB_PORT: '0',
  };
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
  const bot = spawn(
    'unshare',
    [...namespaces, 'bash', '-c', script, image.root, 'chroot', ...inRoot(image, environment, image.command)],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = once(bot, 'exit');
  try {
    const health = await healthy(['chroot', ...inRoot(image, environment, image.health)]);
    const first = readFileSync(`/proc/${bot.pid}/task/${bot.pid}/children`, 'utf8').trim();
    const user = execFileSync('stat', ['-c', '%u', `/proc/${first}`], { encoding: 'utf8' }).trim();
    const isKept = readdirSync(data).includes('letterboxed.db');
    console.log(`health check: ${health}\nuser id: ${user}; database on the volume: ${isKept}`);
    process.kill(Number(first), 'SIGTERM');
    const [status] = await ended;
    console.log(`exit status after SIGTERM: ${status}`);
    return health === 'healthy' && user === NODE_USER && isKept && status === 0;
  } finally {
    bot.kill('SIGKILL');
  }
}

/** What follows chroot to run a command as the stage's user in its directory. */
function inRoot(
  stage: Stage,
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
): string[] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const user = stage.user === undefined ? [] : [`--userspec=${stage.user}`];
  return [...user, stage.root, 'env', '-i', '-C', stage.directory, ...variables, ...command];
}

async function healthy([program, ...typed]: readonly string[]): Promise<'healthy' | 'unhealthy'> {
  for (const end = Date.now() + START; Date.now() < end; await sleep(500))
    if (spawnSync(program!, typed, { stdio: ['ignore', 'inherit', 'ignore'] }).status === 0) return 'healthy';
  return 'unhealthy';
}

function megabytes(path: string): number {
  return Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]);
}

/** A fresh Debian, with as little as Node's slim image has. */
function makeDebian(root: string, suite: string): void {
  execFileSync('mmdebstrap', ['--variant=minbase', '--include=libstdc++6', '--quiet', suite, root], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Puts in what Node's image adds to Debian (Node, npm and the user `node`), and this machine's way to the registries. */
function bringInNode(root: string): void {
  cpSync(process.execPath, join(root, NODE), { dereference: true });
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  mkdirSync(dirname(join(root, NPM)), { recursive: true });
  cpSync(dirname(dirname(npm)), join(root, NPM), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  execFileSync('chroot', [root, 'useradd', '--create-home', '--uid', NODE_USER, 'node']);
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true });
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities !== undefined) cpSync(authorities, join(root, AUTHORITIES));
}

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, one for each, however many lines they take. Comments are left out. */
export function parseDockerfile(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', rest = ''] = line.split(/\s+(.*)/s);
      return { name: name.toUpperCase(), text: rest.trim() };
    });
}

/** The words of an instruction such as COPY, LABEL or ENV; quotes keep spaces together. */
export function words(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''));
}

/** Replaces `$NAME` by its value. */
function substitute(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => values[name] ?? '');
}
