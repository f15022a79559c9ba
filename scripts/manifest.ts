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

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));

/** @returns the exit status */
export async function main(args: string[]): Promise<number> {
  let asked: { url?: string; rotation?: boolean };
  try {
    asked = parseArgs({ args, options: { url: { type: 'string' }, rotation: { type: 'boolean' } } }).values;
  } catch {
    console.error(USAGE);
    return 2;
  }
  const { url: publicUrl, rotation = false } = asked;
  if (publicUrl !== undefined && !URL.canParse(publicUrl)) {
    console.error(`--url "${publicUrl}" should be an address such as https://bot.example.org.`);
    return 2;
  }
  const manifest = makeManifest({
    commands: COMMANDS,
    ...(publicUrl !== undefined && { publicUrl }),
    rotation,
  });
  const text = JSON.stringify(manifest, null, 2);
  if (publicUrl !== undefined || rotation) console.log(text);
  else {
    const root = fileURLToPath(new URL('..', import.meta.url));
    writeFileSync(`${root}manifest.json`, `${text}\n`);
    execFileSync(`${root}node_modules/.bin/biome`, ['format', '--write', 'manifest.json'], { cwd: root });
  }
  return 0;
}
