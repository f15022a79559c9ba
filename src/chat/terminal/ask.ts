import { UserError } from '../../core/errors.ts';
import type { Command, Options } from '../../dispatch/contract.ts';
import type { Form, FormField } from '../../reply/model/types.ts';
import { LIMITS, parseBoard } from '../../solver/board.ts';

/** Asks one question and waits for the line that is typed. */
export type Ask = (question: string) => Promise<string>;

/** Asks for the missing options of a command. Without `ask`, where no person could answer, they are a mistake. */
export async function fillForm(
  { fields, action }: Form,
  command: Command,
  ask: Ask | undefined,
): Promise<Options> {
  const filled: [string, string][] = [];
  for (const field of fields) {
    const kind = command.options.find(({ name }) => name === field.name)?.kind;
    const value = kind === 'sides' ? await askForSides(ask) : await askFor(field, action.command, ask);
    filled.push([field.name, value]);
  }
  return Object.fromEntries(filled);
}

/** Lends out the keyboard, if there is one. */
export async function withKeyboard<Answer>(talk: (ask: Ask | undefined) => Promise<Answer>): Promise<Answer> {
  if (!process.stdin.isTTY) return talk(undefined);
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // Lines that were typed or pasted ahead wait here; the end of the input is an empty answer.
  const lines = reader[Symbol.asyncIterator]();
  try {
    return await talk(async (question) => {
      reader.setPrompt(question);
      reader.prompt();
      const { value, done } = await lines.next();
      return done ? '' : value;
    });
  } finally {
    reader.close();
  }
}

async function askFor(
  { name, label, hint, placeholder }: FormField,
  command: string,
  ask: Ask | undefined,
): Promise<string> {
  const answer = (await ask?.(`${label}${hint === undefined ? '' : ` (${hint})`}: `))?.trim() ?? '';
  if (answer !== '') return answer;
  const example = placeholder === undefined ? '' : ` Try: ${command} ${placeholder}`;
  throw new UserError('terminal.missing', `Which ${name}?${example}`);
}

/** One side after the other, or the whole board at once. */
async function askForSides(ask: Ask | undefined): Promise<string> {
  const [, most] = LIMITS.sides;
  const sides: string[] = [];
  while (ask !== undefined && sides.length < most) {
    const side = (await ask(`Side ${sides.length + 1} (Enter when done): `)).trim();
    if (side === '') break;
    sides.push(side);
    if (sides.length === 1 && isWhole(side)) break;
  }
  return parseBoard(sides.join(' ')).sides.join(' ');
}

function isWhole(typed: string): boolean {
  try {
    return parseBoard(typed).sides.length > 0;
  } catch {
    return false;
  }
}
