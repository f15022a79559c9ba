import type { Door } from '../../chat/door.ts';
import type { Config } from '../../config/config.ts';
import { whereIs } from '../../config/read.ts';

/** Why a door could not be opened, for the operator, in a sentence. */
export function explainDoor({ web }: Pick<Config, 'web'>, { name }: Door, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (name === 'web' && code === 'EADDRINUSE') {
    return `The local chat can't be opened: another program listens on port ${web?.port}. Set WEB_PORT to another one (${whereIs('WEB_PORT')}).`;
  }
  return `The door ${name} can't be opened: ${message.replace(/[.\s]*$/, '')}.`;
}
