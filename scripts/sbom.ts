/**
 * Prints the SBOM of what is shipped, with each package's licence, as CycloneDX. `npm sbom --omit=dev` is not enough: it
 * leaves out packages that a development dependency needs, too, such as the parts of pg that its types need.
 *
 *   node scripts/sbom.ts > letterboxed-bot.cdx.json
 */
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const MANIFEST = readFileSync(join(ROOT, 'package.json'), 'utf8');
const LOCK = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** The packages of an installation without development dependencies. */
export function shippedPackages() {
  const { packages }: { packages: Record<string, LockEntry> } = JSON.parse(LOCK);
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license: licence }]) => ({
      /** From the project's folder, such as `node_modules/hono`. */
      path,
      name: path.replace(/^.*node_modules\//, ''),
      version,
      licence,
    }));
}

/** Needs no network: all of it is in the lock. */
export function makeSbom(): string {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'letterboxed-sbom-'));
  const { path: cwd } = folder;
  const npm = (...typed: string[]) =>
    execFileSync('npm', typed, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const { devDependencies: _, ...manifest } = JSON.parse(MANIFEST);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(cwd, 'package-lock.json'), LOCK);
  npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit');
  return npm('sbom', '--sbom-format=cyclonedx', '--package-lock-only');
}

if (import.meta.main) process.stdout.write(makeSbom());
