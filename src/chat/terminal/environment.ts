import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** A setting of the bot that runs in this folder: from the environment, else from its `.env`. */
export function settingOf(name: string): string | undefined {
  return process.env[name] || fromFile()[name] || undefined;
}

function fromFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
