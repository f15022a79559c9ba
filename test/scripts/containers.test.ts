import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDockerfile, words } from '../../scripts/image.ts';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { COMPOSE, environmentOf } from '../fakes/compose.ts';
import { needs } from '../fakes/needs.ts';
import { IS_LONG, onlyLong } from '../fakes/sample.ts';

const read = (file: string) => readFileSync(file, 'utf8');

describe('the Dockerfile', () => {
  const instructions = parseDockerfile(read('Dockerfile'));
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
  const textOf = (name: string) => last.find((instruction) => instruction.name === name)?.text;

  it('ends in a stage that runs nothing, so that it can be built for another architecture', () => {
    expect(last.map(({ name }) => name)).not.toContain('RUN');
    expect(textOf('USER')).toBe('node');
    expect(JSON.parse(textOf('CMD')!)).toEqual(['node', 'bin/start.js']);
    expect(textOf('HEALTHCHECK')).toContain('bin/health.js');
  });

  it('is built from images that are pinned by their digest', () => {
    const images = instructions.filter(({ name }) => name === 'FROM').map(({ text }) => text);
    for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}( AS \w+)?$/);
  });

  it('sets what the settings accept', () => {
    const pairs = last.filter(({ name }) => name === 'ENV').flatMap(({ text }) => words(text));
    for (const pair of pairs) {
      const [name = '', value = ''] = pair.split('=');
      // Those of Node.js and of glibc.
      if (name === 'NODE_ENV' || name.startsWith('MALLOC_')) continue;
      expect(SETTINGS.find((one) => one.name === name)?.kind.read(value), pair).toBeDefined();
    }
  });

  it('copies files that exist and that .dockerignore leaves in', () => {
    const left = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map((match) => match[1]!);
    expect(left.filter((name) => !existsSync(name))).toEqual([]);
    const copied = instructions
      .filter(({ name, text }) => name === 'COPY' && !text.includes('--from'))
      .flatMap(({ text }) => words(text).slice(0, -1));
    expect(copied.filter((name) => name !== '.' && !left.includes(name))).toEqual([]);
    // Whatever the programs in bin import is in one of these folders.
    expect(left).toEqual(expect.arrayContaining(['bin', 'commands', 'src', 'package.json']));
    const imports = read('scripts/site.ts').matchAll(/ from '\.\/([^']+)'/g);
    for (const [, file] of imports)
      expect(
        left.some((name) => `scripts/${file}`.startsWith(name)),
        file,
      ).toBe(true);
  });
});

/** A `.env` with all that a bot of both platforms may have, and more than one. */
const DOT_ENV = {
  COMPOSE_PROFILES: 'postgres',
  POSTGRES_PASSWORD: 'pass1word',
  SITE: 'bot.example.org',
  DISCORD_TOKEN: `${'A'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(27)}`,
  DISCORD_PUBLIC_KEY: '0f'.repeat(32),
  DISCORD_CLIENT_SECRET: 'a-client-secret-of-discord',
  SLACK_APP_TOKEN: 'xapp-1-made-up',
  SLACK_SIGNING_SECRET: 'abcdef0123456789',
  SLACK_CLIENT_ID: '123.456',
  SLACK_CLIENT_SECRET: 'client-secret',
  SLACK_TOKEN_KEYS: '1e'.repeat(32),
  AWS_SECRET_ACCESS_KEY: 'of something else',
};

describe('compose.yaml', () => {
  const ours = ['bot', 'gateway', 'interactions', 'web', 'worker'];

  it('names images of others by their digest, which the update bot renews', () => {
    const images = Object.entries(COMPOSE.services).filter(([name]) => !ours.includes(name));
    expect(images.map(([name]) => name)).toEqual(['database', 'proxy']);
    for (const [, { image }] of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
    const { updates } = parse(read('.github/dependabot.yml'));
    const ecosystems = updates.map((one: { 'package-ecosystem': string }) => one['package-ecosystem']);
    expect(ecosystems).toEqual(expect.arrayContaining(['docker', 'docker-compose']));
  });

  it('starts one bot by default, and the rest with the profile postgres', () => {
    const byDefault = Object.entries(COMPOSE.services).filter(([, { profiles }]) => profiles === undefined);
    expect(byDefault.map(([name]) => name)).toEqual(['bot']);
    const profiles = new Set(Object.values(COMPOSE.services).flatMap((service) => service.profiles ?? []));
    expect([...profiles]).toEqual(['postgres']);
  });

  it('sets what the settings accept, on disks that are read-only', () => {
    for (const name of ours) {
      const { environment, read_only } = COMPOSE.services[name]!;
      expect(read_only).toBe(true);
      for (const [setting, value] of Object.entries(environment)) {
        const known = SETTINGS.find((one) => one.name === setting);
        expect(known, setting).toBeDefined();
        if (value !== null && !value.includes('$'))
          expect(known!.kind.read(value), `${setting}=${value}`).toBeDefined();
      }
    }
    const roles = ours.map((name) => COMPOSE.services[name]!.environment.ROLE);
    expect(roles).toEqual([
      `\${ROLE:-\${POSTGRES_PASSWORD:+gateway}}`,
      ...['gateway', 'interactions', 'web', 'worker'],
    ]);
  });

  it('gives each role the secrets that it needs, and no others', () => {
    const others = { COMPOSE_PROFILES: '', POSTGRES_PASSWORD: 'in DATABASE_URL' };
    const secretsOf = (name: string) => {
      const service = COMPOSE.services[name]!;
      expect(service.env_file).toBeUndefined();
      const given = Object.values(environmentOf(service, DOT_ENV));
      const secret = (one: string) => SETTINGS.some((setting) => setting.name === one && setting.secret);
      return Object.entries(DOT_ENV)
        .filter(
          ([one, value]) =>
            given.includes(value) && (secret(one) || !SETTINGS.some(({ name }) => name === one)),
        )
        .map(([one]) => one)
        .filter((one) => !(one in others));
    };
    const ofEach = ['DISCORD_TOKEN', 'SLACK_CLIENT_SECRET', 'SLACK_TOKEN_KEYS'];
    expect(Object.fromEntries(ours.map((name) => [name, secretsOf(name).sort()]))).toEqual({
      // It is the whole bot where there is no PostgreSQL.
      bot: [...ofEach, 'DISCORD_CLIENT_SECRET', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'].sort(),
      gateway: [...ofEach, 'SLACK_APP_TOKEN'].sort(),
      interactions: [...ofEach, 'SLACK_SIGNING_SECRET'].sort(),
      web: [...ofEach, 'DISCORD_CLIENT_SECRET'].sort(),
      worker: ofEach,
    });
  });

  it('gives each role enough to do its part, and the same signature of personal links', () => {
    const configs = ours.map((name) => readConfig(environmentOf(COMPOSE.services[name]!, DOT_ENV)));
    for (const { notices, discord, slack } of configs)
      expect({ notices, isThere: [discord, slack].map(Boolean) }).toEqual({
        notices: [],
        isThere: [true, true],
      });
    expect(configs.map(({ slack }) => slack?.mode.kind)).toEqual([
      'socket',
      'socket',
      'http',
      'posts',
      'posts',
    ]);
    // Whether there is a board inside Discord decides what Play does there.
    const activities = configs.map(({ discord }) => discord?.clientSecret !== undefined);
    expect(activities).toEqual([true, true, true, true, false]);
    expect(configs.map(({ pages }) => pages?.linkSecrets)).toEqual(
      Array(5).fill({ discord: DOT_ENV.DISCORD_TOKEN, slack: DOT_ENV.SLACK_TOKEN_KEYS }),
    );
    // Every setting reaches the one bot that has no PostgreSQL.
    const ofBot = Object.keys(COMPOSE.services.bot!.environment);
    expect(SETTINGS.map(({ name }) => name).filter((name) => !ofBot.includes(name))).toEqual([]);
  });

  it('takes from all containers what they do not need of root', () => {
    const services = Object.entries(COMPOSE.services);
    for (const [name, { cap_drop, security_opt }] of services)
      expect({ name, cap_drop, security_opt }).toEqual({
        name,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    const added = services.flatMap(([name, { cap_add }]) =>
      cap_add === undefined ? [] : [[name, ...cap_add]],
    );
    expect(added).toEqual([
      ['database', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      ['proxy', 'NET_BIND_SERVICE'],
    ]);
  });

  it('starts two of each role, and no shard twice', () => {
    const { bot, gateway, ...others } = COMPOSE.services;
    const shards = [bot, gateway].map((service) => service!.environment.DISCORD_SHARDS);
    expect(shards).toEqual([`\${DISCORD_SHARDS:-\${POSTGRES_PASSWORD:+0/2}}`, `\${DISCORD_SHARDS_2:-1/2}`]);
    for (const role of ['interactions', 'web', 'worker']) expect(others[role]?.deploy?.replicas).toBe(2);
  });

  it('never has two bots on two databases: all take the address that the password selects', () => {
    const addresses = ours.map((name) => COMPOSE.services[name]!.environment.DATABASE_URL);
    expect(new Set(addresses).size).toBe(1);
    expect(addresses[0]).toContain('POSTGRES_PASSWORD:+');
  });

  it('publishes the port of the site and of commands over HTTP to a web server on the machine, and the health pages', () => {
    const { ports, environment } = COMPOSE.services.bot!;
    const { PORT, HEALTH_PORT } = environment;
    expect(ports).toEqual([
      `127.0.0.1:\${PORT:-8080}:${PORT}`,
      `127.0.0.1:\${HEALTH_PORT:-8081}:${HEALTH_PORT}`,
    ]);
  });

  it('keeps the health pages and metrics on a port that the proxy does not forward', () => {
    const { PORT, HEALTH_PORT, HEALTH_HOST } = COMPOSE.services.web!.environment;
    expect([PORT, HEALTH_PORT, HEALTH_HOST]).toEqual(['8080', '8081', '0.0.0.0']);
    expect([...read('compose.yaml').matchAll(/dynamic a (\w+) (\d+)/g)].map(([, ...to]) => to)).toEqual([
      ['interactions', '8080'],
      ['web', '8080'],
    ]);
  });
});

describe('bin/health.js', () => {
  it('fails when nothing answers', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/health.js'], {
      env: { ...process.env, PORT: '1' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:1/readyz gives no answer');
  });
});

/** .ci/run installs mmdebstrap for the long tests. */
const canMakeRoots = process.getuid?.() === 0 && existsSync('/usr/bin/mmdebstrap');
/** It takes a minute of processor time. */
const rootsNeeded = IS_LONG ? needs('root and mmdebstrap', canMakeRoots) : onlyLong;

describe('the Dockerfile in a fresh Debian root', rootsNeeded, () => {
  it('builds, becomes healthy as its user, stops with status 0, and is small', () => {
    // On the disk: a root needs more room than there may be in memory, where other tests keep their files.
    const env = { ...process.env, TMPDIR: '/tmp' };
    const printed = execFileSync(process.execPath, ['scripts/image.ts'], { encoding: 'utf8', env });
    expect(printed).toMatch(/health check: healthy/);
    expect(printed).toMatch(/exit status after SIGTERM: 0/);
  });
});

interface Blueprint {
  readonly services: readonly {
    readonly runtime: string;
    readonly healthCheckPath: string;
    readonly envVars: readonly {
      readonly key: string;
      readonly value?: string;
      readonly sync?: boolean;
      readonly fromDatabase?: { readonly name: string };
    }[];
  }[];
  readonly databases: readonly { readonly name: string }[];
}

describe('render.yaml', () => {
  const { services, databases }: Blueprint = parse(read('render.yaml'));
  const [{ runtime, healthCheckPath, envVars } = services[0]!] = services;

  it('builds the image, asks for every secret, and names its database', () => {
    expect(runtime).toBe('docker');
    const secrets = envVars.filter(({ sync }) => sync === false).map(({ key }) => key);
    expect(secrets).toEqual(expect.arrayContaining(['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']));
    for (const { key, value } of envVars) {
      const setting = SETTINGS.find(({ name }) => name === key)!;
      if (value !== undefined) expect([key, 'secret' in setting]).toEqual([key, false]);
    }
    expect(databases.map(({ name }) => name)).toEqual(
      envVars.flatMap(({ fromDatabase }) => fromDatabase?.name ?? []),
    );
  });

  it('starts with either platform alone, and is asked for its health on the one port that it opens', () => {
    const given = (own: Readonly<Record<string, string>>) =>
      Object.fromEntries(envVars.map(({ key, value = '' }) => [key, own[key] ?? value]));
    const database = { DATABASE_URL: 'postgres://letterboxed:secret@database/letterboxed' };
    const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
    for (const own of [{ DISCORD_TOKEN: DOT_ENV.DISCORD_TOKEN }, slack]) {
      const config = readConfig(given({ ...database, ...own }));
      expect(config.http).toMatchObject({ port: 8080 });
      expect(config.health).toBeUndefined();
    }
    expect(healthCheckPath).toBe('/healthz');
  });
});
