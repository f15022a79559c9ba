/** Writes manifest.json, from which the Slack app is created, from the declarations of the commands. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMMANDS } from '../commands/index.ts';
import { makeManifest } from '../src/chat/slack/manifest.ts';

const USAGE = `npm run manifest                                      for Socket Mode, written over manifest.json
npm run -s manifest -- --url https://bot.example.org  for HTTP and OAuth at that address, printed
… --rotation                                          with tokens that change every twelve hours, printed`;

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));

/** @returns the exit status */
export async function main(args: string[]): Promise<number> {
  let asked: { url?: string; rotation?: boolean };
  try {
    asked = parseArgs({ args, options: { url: { type: 'string' }, rotation: { type: 'boolean' } } }).values;
  } catch {
    return complain(USAGE);
  }
  const { url: publicUrl, rotation } = asked;
  // Slack sends requests to no other address.
  if (publicUrl !== undefined && URL.parse(publicUrl)?.protocol !== 'https:')
    return complain(`--url "${publicUrl}" should be an https:// address such as https://bot.example.org.`);
  const text = JSON.stringify(makeManifest({ commands: COMMANDS, publicUrl, rotation }), null, 2);
  if (publicUrl !== undefined || rotation) {
    console.log(text);
  } else {
    writeFileSync(new URL('../manifest.json', import.meta.url), `${text}\n`);
    console.error('Written: manifest.json');
  }
  return 0;
}

function complain(text: string): number {
  console.error(text);
  return 2;
}
