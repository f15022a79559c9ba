/** Asks one thing of a fresh dispatcher, so that no test is slowed down by the rate of another. */

import { COMMANDS } from '../../commands/index.ts';
import {
  type App,
  type ChannelPermission,
  type Declaration,
  type Handler,
  type Prepared,
  type Request,
  replyOf,
} from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { messagesUpdated } from '../../src/players/public-messages.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Action, Form, Reply } from '../../src/reply/model/types.ts';
import { someone } from './app.ts';

type Asker = Omit<Request, 'command' | 'options'>;

export async function say(
  app: App,
  line: string,
  asker: Asker = someone(),
  commands = COMMANDS,
): Promise<Reply> {
  return whenShown(app, makeDispatcher(app, { commands }).prepareLine(line, asker));
}

export async function press(
  app: App,
  action: Action,
  asker: Asker = someone(),
  commands = COMMANDS,
): Promise<Reply> {
  return whenShown(app, makeDispatcher(app, { commands }).prepare({ ...asker, ...action }));
}

/** The answer, once everybody sees what it changed. */
export async function whenShown(app: App, prepared: Prepared): Promise<Reply> {
  const reply = await replyOf(prepared);
  await messagesUpdated(app);
  return reply;
}

export function formOf(prepared: Prepared): Form {
  if (prepared.kind !== 'form') throw new Error('no form was asked for');
  return prepared.form;
}

export { replyOf };

/** All of a reply as text, what is hidden too. */
export const opened = (reply: Reply) => plainText(reply, { reveal: true });
/** What can be read before anything is opened. */
export const unopened = (reply: Reply) => plainText(reply);

/** What a test says of a command that it makes up. */
type MadeUp = Partial<Omit<Declaration, 'name'>> & {
  readonly name: string;
  readonly access?: Handler['access'];
  readonly run?: (request: Request, app: App, permission: ChannelPermission) => Promise<Reply>;
};

/** A command that answers with the given reply. */
export function madeUp(command: MadeUp): Declaration & Handler {
  return {
    description: 'Made up for a test',
    options: [],
    access: 'anyone-writes',
    private: true,
    examples: [],
    run: async () => ({ title: 'Done', blocks: [], audience: 'everyone' }),
    ...command,
  } as Declaration & Handler;
}
