/** The roles of compose.yaml as Compose would run them: locked in, and with no other settings than their own. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';
import { clockFrom } from '../bare-environment.ts';
import { COMPOSE, environmentOf, type Service } from '../fakes/compose.ts';
import { makeFolder } from '../fakes/folder.ts';
import { listening, portOf } from '../fakes/loopback.ts';
import { needs } from '../fakes/needs.ts';
import { onlyLong } from '../fakes/sample.ts';
import { makeDatabase, postgresNeeded } from '../store/real-postgres.ts';
import { openPlatforms, posted, switchOn } from '../whole-bot/platforms.ts';

const NOON = Date.UTC(2026, 10, 20, 17);
const NOBODY = '65534';
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const PUBLIC_URL = 'https://bot.example.org';

/** In the order in which they are given away: what is not named is lost. */
function capabilities({ cap_drop = [], cap_add = [] }: Pick<Service, 'cap_drop' | 'cap_add'>): string[] {
  expect(cap_drop).toEqual(['ALL']);
  const kept = ['-all', ...cap_add.map((name) => `+${name.toLowerCase()}`)].join();
  return [`--bounding-set=${kept}`, '--inh-caps=-all', '--no-new-privs'];
}

/** Only `folder` can be written. */
const READ_ONLY = (folder: string) =>
  `mount --make-rprivate / && mount -t tmpfs -o mode=1777 tmpfs ${folder} && mount -o remount,bind,ro / && exec "$@"`;

const isRoot = process.getuid?.() === 0;
const canBeLocked =
  isRoot &&
  spawnSync('unshare', ['--mount', '--net', 'true']).status === 0 &&
  spawnSync('setpriv', [...AS_NOBODY, 'test', '-r', resolve('bin/start.js')]).status === 0;
const locksNeeded = needs('root, unshare and setpriv', canBeLocked);

async function freePort(): Promise<number> {
  const server = await listening(createServer());
  const port = portOf(server);
  server.close();
  return port;
}

/** One process of a service of ours. */
class Container {
  readonly #child: ChildProcess;
  readonly healthPort = Promise.withResolvers<number>();
  output = '';

  constructor(name: string, environment: Record<string, string>) {
    const service = COMPOSE.services[name]!;
    expect(service.read_only).toBe(true);
    const folder = makeFolder();
    const user = [...AS_NOBODY, ...capabilities(service)];
    const program = [process.execPath, resolve('bin/start.js')];
    const command = ['--mount', 'sh', '-c', READ_ONLY(folder), 'sh', 'setpriv', ...user, ...program];
    this.#child = spawn('unshare', command, {
      env: { PATH: process.env.PATH, TMPDIR: folder, ...clockFrom(NOON), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stderr!.on('data', (chunk: Buffer) => {
      this.output += chunk;
    });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.output += `${line}\n`;
      if (line.includes('health: ')) this.healthPort.resolve((JSON.parse(line) as { port: number }).port);
    });
    this.healthPort.promise.catch(() => {});
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    });
    this.#child.once('exit', (status) =>
      this.healthPort.reject(new Error(`${name} ended with ${status}:\n${this.output}`)),
    );
  }

  /** Of the readiness page, once it is ready. */
  async ready(): Promise<Record<string, string>> {
    const port = await this.healthPort.promise;
    const look = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json() as Promise<Ready>;
    await expect.poll(look).toMatchObject({ ready: true });
    return (await look()).doors;
  }

  /** By the kernel. */
  rights() {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const line = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
    const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => Number(`0x${line(name)}`));
    return { user: line('Uid'), sets, noNewPrivileges: line('NoNewPrivs') };
  }

  mounts(): string {
    return readFileSync(`/proc/${this.#child.pid}/mounts`, 'utf8');
  }
}

interface Ready {
  readonly ready: boolean;
  readonly doors: Record<string, string>;
}

it('names each setting in a service, without which a process would never see it', () => {
  const named = Object.values(COMPOSE.services).flatMap(({ environment }) => Object.keys(environment));
  expect(SETTINGS.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});

describe('the roles of compose.yaml, without any right and on a read-only disk', locksNeeded, () => {
  describe('on PostgreSQL', postgresNeeded, () => {
    it('answer people, post the day, and open on one what another made a link to', onlyLong, async () => {
      const clock = { now: () => NOON };
      const platforms = await openPlatforms(2, clock, clock);
      onTestFinished(() => platforms.close());
      const { DISCORD_API_URL = '', SLACK_API_URL = '', PORT: _, ...settings } = platforms.settings;
      const dotEnv = {
        ...settings,
        COMPOSE_PROFILES: 'postgres',
        SITE: 'bot.example.org',
        POSTGRES_PASSWORD: 'a-password',
        DISCORD_SHARDS_2: '0/1',
        DISCORD_PUBLIC_KEY: '0f'.repeat(32),
        SLACK_SIGNING_SECRET: 'abcdef0123456789',
        LOG_LEVEL: 'info',
      };
      const shared = {
        DATABASE_URL: await makeDatabase(),
        ...{ DISCORD_API_URL, SLACK_API_URL },
        ...{ HOST: '127.0.0.1', HEALTH_HOST: '127.0.0.1', HEALTH_PORT: '0' },
      };
      const ports = { gateway: 0, interactions: await freePort(), web: await freePort(), worker: 0 };
      const start = (name: keyof typeof ports) =>
        new Container(name, {
          ...environmentOf(COMPOSE.services[name]!, dotEnv),
          ...shared,
          PORT: String(ports[name]),
        });
      // The first one makes the tables.
      const gateway = start('gateway');
      expect(await gateway.ready()).toEqual({ discord: 'ok', slack: 'ok' });
      await switchOn(platforms, { zones: ['America/New_York'], openings: ['08:00'] });
      const [interactions, web, worker] = [start('interactions'), start('web'), start('worker')];
      expect(await interactions.ready()).toEqual({ discord: 'ok', slack: 'ok' });
      expect(await web.ready()).toEqual({});
      expect(await worker.ready()).toEqual({ discord: 'ok', slack: 'ok' });
      for (const one of [gateway, interactions, web, worker]) {
        expect(one.rights()).toEqual({ user: NOBODY, sets: [0, 0, 0, 0, 0], noNewPrivileges: '1' });
        expect(one.mounts()).toMatch(/^\S+ \/ \S+ ro[, ]/m);
      }

      await expect.poll(() => posted(platforms).openings.length).toBe(2);

      // Only `interactions` takes requests of platforms.
      const refusedBy = async (port: number) => {
        const paths = ['/discord/interactions', '/slack/events'];
        const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
        const asked = paths.map((path) => fetch(`http://127.0.0.1:${port}${path}`, init));
        return (await Promise.all(asked)).map(({ status }) => status);
      };
      expect(await refusedBy(ports.interactions)).toEqual([401, 401]);
      expect(await refusedBy(ports.web)).toEqual([404, 404]);

      const { discord, discordTalk: channel, slack, workspace, slackTalk } = platforms;
      const user = discord.world.addUser('reader');
      const seen = await discord.command({
        user,
        channel,
        name: 'letterboxed',
        subcommand: 'play',
        options: {},
      });
      const person = slack.addPerson(workspace);
      slackTalk.members.add(person.id);
      const { message } = await person.slash(slackTalk, '/letterboxed play').shown;
      for (const played of [seen, message]) {
        const [link = ''] = new RegExp(`${PUBLIC_URL}/play/[^"\\s|>]+`).exec(JSON.stringify(played)) ?? [];
        const { pathname, hash } = new URL(link);
        const opened = await fetch(`http://127.0.0.1:${ports.web}${pathname}/open`, {
          method: 'POST',
          body: JSON.stringify({ token: hash.slice(1) }),
          headers: { origin: PUBLIC_URL, 'content-type': 'application/json' },
        });
        expect({ status: opened.status, text: await opened.text() }).toEqual({ status: 200, text: '{}' });
      }
    });
  });
});
