import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UserError } from '../../core/errors.ts';

const FILE = '.env';
let inFile: NodeJS.Dict<string> | undefined;

/** A setting of the bot that runs in this folder: from the environment, else from its `.env`. */
export function settingOf(name: string): string | undefined {
  inFile ??= readFile();
  return process.env[name] || inFile[name] || undefined;
}

function readFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(FILE, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new UserError('terminal.env', `${FILE} is there but can't be read (${code}).`);
  }
}
