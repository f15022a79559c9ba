/**
 * Writes manifest.json, from which the Slack app is created, out of what the commands declare.
 *
 *   node scripts/manifest.ts                               Socket Mode, into manifest.json
 *   node scripts/manifest.ts --url https://bot.example.org HTTP and OAuth at that address, printed
 *   node scripts/manifest.ts --url … --rotation            with tokens that change every twelve hours
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { COMMANDS } from '../commands/index.ts';
import { makeManifest } from '../src/chat/slack/manifest.ts';

const { values } = parseArgs({ options: { url: { type: 'string' }, rotation: { type: 'boolean' } } });
const publicUrl = values.url;
const manifest = makeManifest({
  commands: COMMANDS,
  ...(publicUrl !== undefined && { publicUrl }),
  ...(values.rotation && { rotation: true }),
});
const text = `${JSON.stringify(manifest, null, 2)}\n`;
if (publicUrl !== undefined || values.rotation) process.stdout.write(text);
else {
  const root = fileURLToPath(new URL('..', import.meta.url));
  writeFileSync(`${root}manifest.json`, text);
  execFileSync(`${root}node_modules/.bin/biome`, ['format', '--write', 'manifest.json'], { cwd: root });
}
