import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeApp, SERVICE } from '../src/app.ts';
import { readSettings } from '../src/config/config.ts';
import { ConfigError } from '../src/config/read.ts';
import { UserError } from '../src/core/errors.ts';
import { LexiconError } from '../src/solver/lexicon.ts';
import type { Store } from '../src/store/store.ts';
import { runTerminal } from '../src/terminal.ts';

type Environment = Readonly<Record<string, string>>;

/** With a platform set up, so that no single setting leaves the bot without a door to open. */
const BASE: Environment = { DISCORD_TOKEN: `${'A'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(27)}` };

afterEach(() => vi.restoreAllMocks());

/** What the bot says about its settings as it starts; nothing when it can start. */
async function saidByBot(environment: Environment): Promise<string[]> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  try {
    const config = readSettings(environment);
    const store = async () => ({ fetches: {} }) as Store;
    await makeApp({ config, store, profile: SERVICE, clock: { now: () => 0 }, log: quiet });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems];
    if (error instanceof LexiconError || error instanceof UserError) return [error.message];
    throw error;
  }
}

/** What the terminal says on standard error about the same settings. */
async function saidByTerminal(environment: Environment): Promise<string[]> {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const status = await runTerminal(['about'], environment);
  const lines = said.mock.calls.flatMap(([line]) => String(line).split('\n'));
  vi.restoreAllMocks();
  expect(status).toBe(lines.length === 0 ? 0 : 2);
  return lines;
}

describe('the bot and the terminal', () => {
  it.each([
    [{ PUZZLE_SOURCE: 'House' }, []],
    [{ DATABASE_URL: 'mysql://host/db' }, [/^DATABASE_URL: expected an address/]],
    [{ DISCORD_SHARDS: 'AUTO' }, []],
    [{ ROLE: 'worker' }, [/^ROLE worker shares its work/]],
    [{ WORDS_FILE: 'missing.txt' }, [/"missing\.txt" can't be read/]],
    [{ PORT: ' ' }, []],
  ])('give the same answer to %j', async (environment, said) => {
    const lines = await saidByTerminal({ ...BASE, ...environment });
    expect(lines).toEqual(said.map((line) => expect.stringMatching(line)));
    expect(await saidByBot({ ...BASE, ...environment })).toEqual(lines);
  });

  it('differ only in that the terminal needs no door to open', async () => {
    expect(await saidByBot({ WEB_CHAT: 'off' })).toEqual([expect.stringContaining('Nothing to open')]);
    expect(await saidByTerminal({ WEB_CHAT: 'off' })).toEqual([]);
  });
});
