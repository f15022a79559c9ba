/**
 * Every command's every answer at every door: the platform takes it, nothing hidden can be read before it is
 * opened, and what is hidden is there once it is.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { DOORS as ALL, type App } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { isOpen, lineText } from '../../../src/reply/model/text.ts';
import type { Form, Reply } from '../../../src/reply/model/types.ts';
import { formatBoard } from '../../../src/solver/board.ts';
import { makeTestApp, someone } from '../../fakes/app.ts';
import { replyOf } from '../../fakes/ask.ts';
import { tokens } from '../../fakes/open-texts.ts';
import { sample } from '../../fakes/sample.ts';
import { EXAMPLES, everyLine, worldOf } from '../../fakes/worlds.ts';
import { DOORS } from './doors.ts';

const BOARDS = sample(6, 2);
const first = await makeTestApp();
afterAll(() => first.close());

interface Case {
  readonly line: string;
  /** What came of it: a form or a reply. */
  readonly form?: Form;
  readonly reply?: Reply;
  readonly secret: readonly string[];
}

/** Asked once; then each door shows what came of it. */
async function everyCase(): Promise<{ cases: Case[]; app: App }> {
  const cases: Case[] = [];
  for (let seed = 0; seed < BOARDS; seed++) {
    const { world, board, official, secrets } = await worldOf(seed, first.store);
    const lines = [...everyLine(formatBoard(board), official[0]!), ...(seed === 0 ? EXAMPLES : [])];
    for (const { line, known } of lines) {
      const prepared = makeDispatcher(world.app, { commands: COMMANDS }).prepareLine(
        line,
        someone({ mayManage: true }),
      );
      const shown = prepared.kind === 'form' ? { form: prepared.form } : { reply: await replyOf(prepared) };
      cases.push({ line, ...shown, secret: secrets.filter((word) => !known.includes(word)) });
    }
  }
  return { cases, app: first.app };
}

const { cases, app } = await everyCase();

test('no door is left out', () => {
  expect(DOORS.map(({ name }) => name).sort()).toEqual([...ALL].sort());
  expect(cases.length).toBeGreaterThan(sample(300, 130));
});

describe.each(DOORS.map((door) => [door.name, door] as const))('%s', (_, door) => {
  test('shows every answer within its limits, and nothing hidden unopened', async () => {
    for (const { line, reply, secret } of cases) {
      if (reply === undefined) continue;
      const { open, revealed, problems } = await door.show(reply, app);
      expect({ line, problems }).toEqual({ line, problems: [] });
      const asked = openWords(reply);
      const unasked = secret.filter((word) => !asked.has(word));
      expect({ line, leaked: leaked(open, unasked) }).toEqual({ line, leaked: [] });
      const [begin = ''] = hiddenWords(reply);
      expect({ line, revealed: revealed.toLowerCase() }).toEqual({
        line,
        revealed: expect.stringContaining(begin),
      });
    }
  });

  test('asks for what is missing within its limits', async () => {
    for (const { line, form, secret } of cases) {
      if (form === undefined) continue;
      const { open, problems } = await door.form(form, app);
      expect({ line, problems, leaked: leaked(open, secret) }).toEqual({ line, problems: [], leaked: [] });
    }
  });
});

function leaked(text: string, secret: readonly string[]): string[] {
  const open = tokens([text]);
  return secret.filter((word) => open.has(word));
}

/** The words of what the asker asked for, which their private answer shows at once. */
function openWords(reply: Reply): Set<string> {
  const lines = reply.blocks.flatMap((block) =>
    block.kind === 'spoiler' && isOpen(block, reply) ? block.hidden : [],
  );
  return tokens(lines.map((line) => lineText(line)));
}

/** Words of letters alone: each platform writes signs and spaces in its own way. */
function hiddenWords({ blocks }: Reply): string[] {
  const lines = blocks.flatMap((block) => (block.kind === 'spoiler' ? block.hidden : []));
  return lines.flatMap(
    (line) =>
      lineText(line)
        .toLowerCase()
        .match(/[a-z]{3,}/g) ?? [],
  );
}
