/** Prints every package that is shipped with its version and licence, and how many there are of each licence. */
import { readFileSync } from 'node:fs';

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** The packages of an installation without development dependencies, including native parts for every platform. */
export function shippedPackages() {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  );
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license: licence }]) => ({
      /** From the project's folder, such as `node_modules/hono`. */
      path,
      name: path.replace(/^.*node_modules\//, ''),
      version,
      licence,
    }));
}

if (import.meta.main) {
  const packages = shippedPackages();
  for (const { name, version, licence } of packages) console.log(`${name} ${version}: ${licence}`);
  const byLicence = Map.groupBy(packages, ({ licence }) => licence);
  const counts = [...byLicence].map(([licence, { length }]) => `${length} ${licence}`);
  console.log(`\n${packages.length} packages: ${counts.join(', ')}. NOTICE names the data and the font.`);
}
