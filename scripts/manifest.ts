/** Writes manifest.json, from which the Slack app is created, from the declarations of the commands. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { COMMANDS } from '../commands/index.ts';
import { makeManifest } from '../src/chat/slack/manifest.ts';

const USAGE = `npx node scripts/manifest.ts                                for Socket Mode, written over manifest.json
npx node scripts/manifest.ts --url https://bot.example.org  for HTTP and OAuth at that address, printed
… --rotation                                                with tokens that change every twelve hours, printed`;

const { url: publicUrl, rotation = false } = readArguments();
const manifest = makeManifest({
  commands: COMMANDS,
  ...(publicUrl !== undefined && { publicUrl }),
  rotation,
});
const text = `${JSON.stringify(manifest, null, 2)}\n`;
if (publicUrl !== undefined || rotation) process.stdout.write(text);
else {
  const root = fileURLToPath(new URL('..', import.meta.url));
  writeFileSync(`${root}manifest.json`, text);
  execFileSync(`${root}node_modules/.bin/biome`, ['format', '--write', 'manifest.json'], { cwd: root });
}

function readArguments(): { url?: string; rotation?: boolean } {
  try {
    const { values } = parseArgs({ options: { url: { type: 'string' }, rotation: { type: 'boolean' } } });
    if (values.url === undefined || URL.canParse(values.url)) return values;
    console.error(`--url "${values.url}" should be an address such as https://bot.example.org.`);
  } catch {
    console.error(USAGE);
  }
  process.exit(2);
}
