/**
 * Prints the SBOM of what is shipped, as CycloneDX. `npm sbom --omit=dev` is not enough: it leaves out packages that a
 * development dependency needs, too, such as the parts of pg that its types need.
 *
 *   node scripts/sbom.ts > letterboxed-bot.cdx.json
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Needs no network: all of it is in the lock. */
export function makeSbom(): string {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-sbom-'));
  try {
    const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    copyFileSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'));
    const npm = (...typed: string[]) =>
      execFileSync('npm', typed, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit');
    return npm('sbom', '--sbom-format=cyclonedx', '--package-lock-only');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(makeSbom());
