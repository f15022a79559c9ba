/** Prints every package that is shipped with its version and licence, and how many there are of each licence. */
import { readFileSync } from 'node:fs';

export interface LockedPackage {
  /** Below node_modules, as in the lock file. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string | undefined;
  /** Whether it is for one platform only, or not needed at all. */
  readonly isOptional: boolean;
}

interface Entry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** The packages of an installation without development dependencies, including native parts for every platform. */
export function shippedPackages(): LockedPackage[] {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '', license, optional = false }]) => ({
      path,
      name: path.replace(/^.*node_modules\//, ''),
      version,
      licence: license,
      isOptional: optional,
    }));
}

if (import.meta.main) {
  const packages = shippedPackages();
  for (const { name, version, licence } of packages) console.log(`${name} ${version}: ${licence}`);
  const byLicence = Map.groupBy(packages, ({ licence }) => licence);
  const counts = [...byLicence].map(([licence, { length }]) => `${length} ${licence}`);
  console.log(`\n${packages.length} packages: ${counts.join(', ')}. NOTICE names the data and the font.`);
}
