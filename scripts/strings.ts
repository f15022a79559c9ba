/**
 * Writes what people can read, one file for each door, to compare two versions of the texts:
 *
 *   node scripts/strings.ts FOLDER [PREFIX]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../commands/index.ts';
import { replyText } from '../src/chat/terminal/text.ts';
import { plainText } from '../src/reply/model/text.ts';
import type { Form, Reply } from '../src/reply/model/types.ts';
import { everyAnswer } from '../test/fakes/every-answer.ts';

const [folder = 'strings', prefix = ''] = process.argv.slice(2);

const asChat = (prefixed: string) => (reply: Reply) =>
  plainText(reply, {
    reveal: true,
    pictures: 'alt',
    command: (typed) => `${prefixed}${typed}`,
    button: ({ label }, typed) => `[${label}] ${typed}`,
  });
const DOORS: Readonly<Record<string, (reply: Reply) => string>> = {
  discord: asChat('/letterboxed '),
  slack: asChat('/letterboxed '),
  web: asChat(''),
  terminal: (reply) => replyText(reply, true),
};

const { answers, world } = await everyAnswer();
mkdirSync(folder, { recursive: true });
for (const [door, show] of Object.entries(DOORS)) {
  const texts = answers.map(({ line, by, form, reply }) =>
    [`▶ ${by}: ${line}`, form ? formText(form) : show(reply!), ...(reply ? menus(reply) : [])].join('\n'),
  );
  writeFileSync(join(folder, `${prefix}${door}.txt`), [...texts, declarations()].join('\n\n'));
}
await world.close();

function formText({ title, fields, submit }: Form): string {
  const rows = fields.map(({ label, hint = '', placeholder = '' }) => `${label} | ${hint} | ${placeholder}`);
  return [`(form) ${title}`, ...rows, `[${submit}]`].join('\n');
}

function menus({ blocks }: Reply): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'menu'
      ? [`${block.label}:`, ...block.choices.map(({ label, description }) => `- ${label}: ${description}`)]
      : [],
  );
}

function declarations(): string {
  return COMMANDS.flatMap(({ name, description, options }) => [
    `/${name}: ${description}`,
    ...options.map((option) => `  ${option.name}: ${option.description} [${option.choices ?? option.kind}]`),
  ]).join('\n');
}
