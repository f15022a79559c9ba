// Plain JavaScript, because it also runs where Node runs no TypeScript.
import { existsSync } from 'node:fs';

const SOURCE = new URL('../src/', import.meta.url);
const COMPILED = new URL('../dist/src/', import.meta.url);

/**
 * A module of src. A clone runs its TypeScript as it is; the published package has it compiled, because Node runs
 * no TypeScript below node_modules.
 *
 * @param {string} name
 */
export async function importProgram(name) {
  const { resolveRelativeImports } = await importModule('core/relative-imports');
  resolveRelativeImports();
  return importModule(name);
}

function importModule(name) {
  const source = new URL(`${name}.ts`, SOURCE);
  return import(existsSync(source) ? source : new URL(`${name}.js`, COMPILED));
}
