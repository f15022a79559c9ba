import { resolve } from 'node:path';
import { checkBot, startBot } from './bot.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { readEnvironment } from './config/environment.ts';
import { StartError, UserError } from './core/errors.ts';
import type { Log } from './core/log.ts';
import { stopOnSignals } from './operations/lifecycle/stop.ts';
import { makeLog, toStandardOutput } from './operations/observability/log.ts';
import { makeScrubber } from './operations/observability/redact.ts';
import { LexiconError } from './solver/lexicon.ts';
import { StoreError } from './store/store-error.ts';

/** Exit statuses. A supervisor need not start it again after `settings`, which a person has to put right. */
const EXIT = { failed: 1, settings: 2 } as const;
/** What an operator can put right is said in a sentence; only faults show where they came from. */
const EXPLAINED = [StartError, StoreError, LexiconError, UserError];
/** Milliseconds in which npm hands on a signal. */
const NPM_ECHO = 250;
const USAGE =
  'npm start: runs the bot. npm start -- check: reads the settings and brings the store up to date, no more.';

await main(process.argv.slice(2));

async function main(typed: readonly string[]): Promise<void> {
  const isCheck = typed.length === 1 && typed[0] === 'check';
  if (typed.length > 0 && !isCheck) return refuse([USAGE]);
  const config = readSettings();
  if (config === undefined) return;
  const log = makeLog({
    level: config.logLevel,
    base: { role: config.role },
    secrets: config.secrets,
    write: toStandardOutput(),
    pretty: process.stdout.isTTY,
  });
  try {
    await (isCheck ? checkBot(config, log) : run(config, log));
  } catch (error) {
    const isExplained = EXPLAINED.some((kind) => error instanceof kind);
    const message = makeScrubber(config.secrets)(error instanceof Error ? error.message : String(error));
    log.error(isExplained ? {} : { err: error }, `The bot can't start. ${message}`);
    process.exit(EXIT.failed);
  }
}

function readSettings(): Config | undefined {
  try {
    return readConfig(readEnvironment(process.env, resolve('.env')));
  } catch (error) {
    refuse(error instanceof ConfigError ? error.problems : [(error as Error).message]);
    return undefined;
  }
}

function refuse(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  process.exitCode = EXIT.settings;
}

async function run(config: Config, log: Log): Promise<void> {
  const starting = startBot(config, log);
  const end = stopOnSignals({
    // A signal while starting: what is open by then is ended.
    stop: async () => (await starting).stop(),
    log,
    exit: (status) => process.exit(status),
    echo: process.env.npm_lifecycle_event === undefined ? 0 : NPM_ECHO,
  });
  /** A fault that nobody caught leaves the process in a state nobody knows: it ends in good order, to be started again. */
  const onFault = (error: unknown) => {
    log.error({ err: error }, 'a fault that nobody caught; stopping');
    end(EXIT.failed);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  await starting;
}
