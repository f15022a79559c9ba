/**
 * Tries on a real platform what the doors assume about it, prints a table, and removes what it posted.
 *
 *   npm run doctor -- discord --channel ID [--forum ID] [--role ID] [--press]
 *   npm run doctor -- slack --channel ID [--press]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings } from '../src/config/config.ts';
import { ConfigError, type Environment } from '../src/config/read.ts';
import { readAbout } from '../src/core/program.ts';
import { makeScrubber } from '../src/operations/observability/redact.ts';
import { DISCORD_ASSUMPTIONS, SLACK_ASSUMPTIONS } from './doctor/assumptions.ts';
import { examineDiscord } from './doctor/discord.ts';
import { type Examination, report } from './doctor/examine.ts';
import { examineSlack } from './doctor/slack.ts';

const USAGE = `npm run doctor -- discord --channel ID [--forum ID] [--role ID] [--press]
npm run doctor -- slack --channel ID [--press]

Posts in that channel what shows whether the platform behaves as the bot assumes, and removes it again.
--forum: a forum on Discord, for forum posts. --role: a role that the daily thread mentions.
--press: you are there to press buttons that it posts.`;
const FILE = 'doctor-report.txt';
const EXIT = { allRight: 0, broken: 1, input: 2 } as const;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);

/** @returns the exit status */
export async function main(typed: string[], environment: Environment): Promise<number> {
  const asked = readArguments(typed);
  if (asked === undefined) return complain(USAGE);
  const { platform, channel, forum, role, press } = asked;
  try {
    const { discord, slack, secrets, notices } = readSettings(environment, { opensDoors: false });
    const scrub = makeScrubber(secrets);
    if (platform === 'discord') {
      if (discord === undefined) return complain(notices.join('\n') || 'DISCORD_TOKEN is not set.');
      const found = await examineDiscord({ config: discord, channel, forum, role, press, say: console.log });
      return conclude(DISCORD_ASSUMPTIONS, found, scrub);
    }
    if (slack?.workspaces.kind !== 'one')
      return complain(
        notices.join('\n') || 'SLACK_BOT_TOKEN is not set: the doctor needs the token of one workspace.',
      );
    const { mode, workspaces, apiUrl } = slack;
    const found = await examineSlack({
      botToken: workspaces.botToken,
      appToken: mode.kind === 'socket' ? mode.appToken : undefined,
      apiUrl,
      channel,
      press,
      log: QUIET,
      say: console.log,
    });
    return conclude(SLACK_ASSUMPTIONS, found, scrub);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return complain(error.problems.join('\n'));
  }
}

function conclude(
  assumptions: Parameters<typeof report>[0],
  found: Examination,
  scrub: (text: string) => string,
): number {
  const { version } = readAbout();
  const head = `Letter Boxed bot ${version}, Node ${process.versions.node}, ${process.platform}`;
  const text = `${head}\n\n${report(assumptions, found, scrub)}`;
  writeFileSync(FILE, `${text}\n`);
  console.log(`${text}\n\nThis is in ${FILE} too, without tokens: you can send it to us.`);
  return found.findings.some(({ result }) => result === 'broken') ? EXIT.broken : EXIT.allRight;
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        channel: { type: 'string' },
        forum: { type: 'string' },
        role: { type: 'string' },
        press: { type: 'boolean' },
      },
    });
    const [platform] = positionals;
    const { channel, forum, role, press = false } = values;
    if ((platform !== 'discord' && platform !== 'slack') || channel === undefined) return undefined;
    return { platform, channel, forum, role, press };
  } catch {
    return undefined;
  }
}

function complain(text: string): number {
  console.error(text);
  return EXIT.input;
}
