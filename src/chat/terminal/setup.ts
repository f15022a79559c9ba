import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import { SETUP_PLATFORMS, type Subcommand, type Talk, type TerminalWorld } from './contract.ts';
import { CALL, wrap } from './screen.ts';

/** They pressed Ctrl-C, or there is nothing more to read. */
class Left extends Error {}
const LEFT = 130;

export const setup: Subcommand = {
  usage: `setup [${SETUP_PLATFORMS.join('|')}]`,
  about: 'Connect the bot with Discord or Slack, step by step',
  flags: [],
  words: SETUP_PLATFORMS,
  async run({ line: [typed] }, world) {
    if (!process.stdin.isTTY || !world.screen.isTerminal)
      throw new UserError('terminal.keyboard', 'The set-up asks questions: run it in a terminal.');
    const exit = await talk(typed, world).catch((error: unknown) => {
      if (!(error instanceof Left)) throw error;
      console.log(`\nWhat is done is kept. To go on: ${CALL} setup`);
      return LEFT;
    });
    return { exit, json: () => ({ exit }), lines: () => [] };
  },
};

async function talk(typed: string | undefined, world: TerminalWorld): Promise<number> {
  const said: Talk = {
    say: (text) => console.log(`\n${wrap(text, world.screen)}`),
    print: (text) => console.log(text),
    askSecret: (question) => ask(question, true),
  };
  const platform = typed ?? (await ask('Discord or Slack? ', false));
  const found = SETUP_PLATFORMS.find((one) => one === platform.trim().toLowerCase());
  if (found === undefined)
    throw new UserError(
      'terminal.setup',
      `"${clip(platform)}" is no platform. Type: ${CALL} setup discord, or ${CALL} setup slack`,
    );
  return world.setUp(found, said);
}

async function ask(question: string, isSecret: boolean): Promise<string> {
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const output = isSecret ? nowhere : process.stdout;
  // Without a history, in which a secret could be found by the arrow keys.
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const left = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) reader.on(event, () => left.abort());
  try {
    if (isSecret) process.stdout.write(question);
    return await reader.question(isSecret ? '' : question, { signal: left.signal });
  } catch {
    throw new Left();
  } finally {
    reader.close();
    if (isSecret) process.stdout.write('\n');
  }
}
