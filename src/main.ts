import { resolve } from 'node:path';
import type { Log } from '../commands/types.ts';
import { startBot } from './bot.ts';
import { readEnvironment } from './config/environment.ts';
import { ConfigError, readConfig } from './config.ts';
import { makeLog, toStandardOutput } from './operations/log.ts';
import { makeScrubber } from './operations/redact.ts';
import { StartError } from './operations/start-error.ts';
import { stopOnSignals } from './operations/stop.ts';
import { LexiconError } from './solver/lexicon.ts';
import { Mistake } from './solver/mistake.ts';
import { StoreError } from './store/store-error.ts';

/** Exit statuses. A supervisor need not start it again after the first, which a person has to put right. */
const EXIT = { settings: 2, failed: 1 } as const;

/** What an operator can put right is said in a sentence; only faults show where they came from. */
const EXPLAINED = [StartError, StoreError, LexiconError, Mistake];

await main();

async function main(): Promise<void> {
  let config: ReturnType<typeof readConfig>;
  try {
    config = readConfig(readEnvironment(process.env, resolve('.env')));
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [(error as Error).message];
    for (const problem of problems) console.error(problem);
    process.exitCode = EXIT.settings;
    return;
  }
  const log = makeLog({
    level: config.logLevel,
    base: { role: config.role },
    secrets: config.secrets,
    write: toStandardOutput(),
    pretty: process.stdout.isTTY,
  });
  let end = (status: number): void => process.exit(status);
  watchFaults(log, (status) => end(status));
  try {
    const starting = startBot(config, log);
    end = stopOnSignals({
      // A signal while starting: what is open by then is ended.
      stop: async () => (await starting).stop(),
      log,
      exit: (status) => process.exit(status),
    });
    await starting;
  } catch (error) {
    say(log, error, config.secrets);
    process.exit(EXIT.failed);
  }
}

/** A fault that nobody caught leaves the process in a state nobody knows: it ends in good order, to be started again. */
function watchFaults(log: Log, end: (status: number) => void): void {
  const onFault = (error: unknown) => {
    log.error({ err: error }, 'a fault that nobody caught; stopping');
    end(EXIT.failed);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
}

function say(log: Log, error: unknown, secrets: readonly string[]): void {
  const isExplained = EXPLAINED.some((kind) => error instanceof kind);
  const scrub = makeScrubber(secrets);
  const message = scrub(error instanceof Error ? error.message : String(error));
  log.error(isExplained ? {} : { err: error }, `The bot can't start. ${message}`);
}
