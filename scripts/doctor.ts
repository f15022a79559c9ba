/** Tries on a real platform what the doors assume about it, prints a table, and removes what it posted: see USAGE. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings } from '../src/config/config.ts';
import { ConfigError, type Environment } from '../src/config/read.ts';
import { errorCode } from '../src/core/errors.ts';
import { readAbout } from '../src/core/program.ts';
import { makeScrubber } from '../src/operations/observability/log.ts';
import { examineDiscord } from './doctor/discord.ts';
import { type Examination, report } from './doctor/examine.ts';
import { examineSlack } from './doctor/slack.ts';

const USAGE = `npm run doctor -- discord --channel ID [--forum ID] [--role ID]
npm run doctor -- slack --channel ID

Posts in that channel what shows whether the platform behaves as the bot assumes, and removes it again.
--forum: a forum on Discord, for forum posts. --role: a role that the daily thread mentions.`;
const FILE = 'doctor-report.txt';
const EXIT = { allRight: 0, broken: 1, input: 2 } as const;

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);

/** @returns the exit status */
export async function main(typed: string[], environment: Environment): Promise<number> {
  const asked = readArguments(typed);
  if (asked === undefined) return complain(USAGE);
  try {
    const { discord, slack, secrets, notices } = readSettings(environment, { opensDoors: false });
    const missing = (setting: string) => complain(notices.join('\n') || setting);
    let found: Examination;
    if (asked.platform === 'discord') {
      if (discord === undefined) return missing('DISCORD_TOKEN is not set.');
      found = await examineDiscord({ config: discord, ...asked });
    } else {
      if (slack?.workspaces.kind !== 'one')
        return missing('SLACK_BOT_TOKEN is not set: the doctor needs the token of one workspace.');
      const appToken = slack.mode.kind === 'socket' ? slack.mode.appToken : undefined;
      const { botToken } = slack.workspaces;
      found = await examineSlack({ botToken, appToken, apiUrl: slack.apiUrl, channel: asked.channel });
    }
    const head = `Letter Boxed bot ${readAbout().version}, Node ${process.versions.node}, ${process.platform}`;
    // An error of a client could quote a token.
    const text = makeScrubber(secrets)(`${head}\n\n${report(found)}`);
    console.log(text);
    try {
      writeFileSync(FILE, `${text}\n`);
      console.log(`\nThis is in ${FILE} too, without tokens: you can send it to us.`);
    } catch (error) {
      console.error(
        `\n${FILE} can't be written here (${errorCode(error)}). You can send us what is above: it has no tokens.`,
      );
    }
    const isBroken = found.findings.some(({ result }) => result === 'broken');
    return isBroken || found.unmade > 0 ? EXIT.broken : EXIT.allRight;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return complain(error.problems.join('\n'));
  }
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { channel: text, forum: text, role: text };
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const [platform] = positionals;
    const { channel, ...more } = values;
    if ((platform !== 'discord' && platform !== 'slack') || channel === undefined) return undefined;
    return { platform, channel, ...more };
  } catch {
    return undefined;
  }
}

function complain(text: string): number {
  console.error(text);
  return EXIT.input;
}
