import { type Bot, checkBot, startBot } from './bot.ts';
import { type Config, readSettings } from './config/config.ts';
import { ConfigError } from './config/read.ts';
import { StartError, StoreError, UserError } from './core/errors.ts';
import type { Log } from './core/log.ts';
import { keepHeapSmall, PROGRAM_CALL } from './core/program.ts';
import { listed } from './core/text.ts';
import { stopOnSignals } from './operations/lifecycle/process.ts';
import { makeLog, makeScrubber, toStandardOutput } from './operations/observability/log.ts';
import { LexiconError } from './solver/lexicon.ts';

/** Exit statuses. After `settings`, a restart does not help: a person has to correct the settings first. */
const EXIT = { failed: 1, settings: 2 } as const;
/** Errors that an operator can correct are logged as a sentence; only faults get a stack trace. */
const EXPLAINED_ERRORS = [StartError, StoreError, LexiconError, UserError];
/** Milliseconds within which a second signal counts as the first one: npm, foreman and `timeout` repeat them. */
const REPEATED_SIGNAL_MS = 250;
const USAGE =
  'npm start: runs the bot. npm start -- check: reads the settings and brings the store up to date, no more.';

await main(process.argv.slice(2));

async function main(typed: readonly string[]): Promise<void> {
  const isCheck = typed.length === 1 && typed[0] === 'check';
  if (typed.length > 0 && !isCheck) return refuse([USAGE]);
  const config = settings();
  if (config === undefined) return;
  const isTerminal = process.stdout.isTTY;
  const log = makeLog({
    level: config.logLevel ?? (isTerminal && !isCheck ? 'warn' : 'info'),
    base: { role: config.role },
    secrets: config.secrets,
    write: toStandardOutput(),
    pretty: isTerminal,
  });
  try {
    if (isCheck) return await checkBot(config, log);
    const bot = await run(config, log);
    if (isTerminal) console.log(greeting(config, bot).join('\n'));
  } catch (error) {
    const isExplained = EXPLAINED_ERRORS.some((kind) => error instanceof kind);
    const message = makeScrubber(config.secrets)(error instanceof Error ? error.message : String(error));
    log.error(isExplained ? {} : { err: error }, `The bot can't start. ${message}`);
    process.exit(EXIT.failed);
  }
}

function settings(): Config | undefined {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refuse(error.problems);
    return undefined;
  }
}

function refuse(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  process.exitCode = EXIT.settings;
}

async function run(config: Config, log: Log): Promise<Bot> {
  const starting = startBot(config, log, { onLoaded: keepHeapSmall });
  const end = stopOnSignals({
    // A signal during the start waits for the end of the start, and then stops everything.
    stop: async () => (await starting).stop(),
    log,
    exit: (status) => process.exit(status),
    echo: REPEATED_SIGNAL_MS,
  });
  /** The state of the process is unknown after an uncaught error: it stops in order, for a supervisor to restart. */
  const onFault = (error: unknown) => {
    log.error({ err: error }, 'uncaught error; stopping');
    end(EXIT.failed);
  };
  // Node.js raises unhandled rejections as this, too.
  process.on('uncaughtException', onFault);
  return starting;
}

/** Printed for a person at a terminal, instead of the log: where the bot is, and where to find the rest. */
function greeting({ isPlatform }: Config, { chatUrl, platforms }: Bot): string[] {
  const setUp = isPlatform ? '' : `In Discord or Slack: ${PROGRAM_CALL} setup. `;
  return [
    ...(chatUrl === undefined ? [] : [`The local chat is open: ${chatUrl}`]),
    ...(platforms.length === 0
      ? []
      : [`The bot runs on ${listed(platforms)}: type /letterboxed today there.`]),
    `${setUp}Guides: README.md. Settings: .env.example; LOG_LEVEL=info shows what happens. Ctrl-C ends the bot.`,
  ];
}
