import { createInterface } from 'node:readline/promises';
import type { Command, Options } from '../../../commands/types.ts';
import type { Form, FormField } from '../../reply/types.ts';
import { LIMITS, parseBoard } from '../../solver/board.ts';
import { Mistake } from '../../solver/mistake.ts';

/** Asks for what a command lacks, on a terminal; where nobody could answer, it is a mistake. */
export async function fillForm({ fields, action }: Form, command: Command): Promise<Options> {
  const filled: [string, string][] = [];
  for (const field of fields) {
    const kind = command.options.find(({ name }) => name === field.name)?.kind;
    filled.push([field.name, kind === 'sides' ? await askForSides() : await askFor(field, action.command)]);
  }
  return Object.fromEntries(filled);
}

async function askFor({ name, label, hint, placeholder }: FormField, command: string): Promise<string> {
  if (!process.stdin.isTTY) {
    const example = placeholder === undefined ? '' : `, like: ${command} ${placeholder}`;
    throw new Mistake('terminal.missing', `${command} lacks its ${name}${example}`);
  }
  return withReader(async (ask) => {
    const answer = (await ask(`${label}${hint === undefined ? '' : ` (${hint})`}: `)).trim();
    if (answer === '')
      throw new Mistake('terminal.missing', `Nothing typed, so ${command} has nothing to do.`);
    return answer;
  });
}

/** One side after the other. */
async function askForSides(): Promise<string> {
  if (!process.stdin.isTTY) return parseBoard('').letters;
  const [, most] = LIMITS.sides;
  return withReader(async (ask) => {
    const sides: string[] = [];
    while (sides.length < most) {
      const side = (await ask(`Side ${sides.length + 1} (Enter when done): `)).trim();
      if (side === '') break;
      sides.push(side);
    }
    return parseBoard(sides.join(' ')).sides.join(' ');
  });
}

async function withReader<Answer>(
  talk: (ask: (question: string) => Promise<string>) => Promise<Answer>,
): Promise<Answer> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await talk((question) => reader.question(question));
  } finally {
    reader.close();
  }
}
