/**
 * Prints what CHANGELOG.md says about a version, for the page of the release. It fails unless package.json has that
 * version and CHANGELOG.md a section for it.
 *
 *   node scripts/release-notes.ts v1.2.0
 */
import { readFileSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const version = tag.replace(/^v/, '');
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const notes = sections.find((section) => section.startsWith(`[${version}] - `));

if (version !== current) fail(`The tag is ${tag || 'missing'}, and package.json has version ${current}.`);
if (notes === undefined) fail(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD".`);
console.log(notes.slice(notes.indexOf('\n')).trim());

function fail(problem: string): never {
  console.error(problem);
  process.exit(1);
}
