/**
 * Writes what people can read, one file for each door, to compare two versions of the texts: each answer, what is sent
 * without asking, a whole day as the tests expect it, and what commands and options are called.
 *
 *   node scripts/strings.ts FOLDER [PREFIX]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../commands/index.ts';
import { replyText } from '../src/chat/terminal/screen.ts';
import { plainText } from '../src/reply/model/text.ts';
import type { Form, Reply } from '../src/reply/model/types.ts';
import { everyAnswer, everyNotice } from '../test/fakes/every-answer.ts';

const [folder = 'strings', prefix = ''] = process.argv.slice(2);

/** Each platform has a form of its own for times, in the reader's own zone. */
const SPOKEN = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  dateStyle: 'medium',
  timeStyle: 'short',
});
const DAYS = new URL('../test/chat/every-door/days/', import.meta.url);

const asChat = (prefixed: string) => (reply: Reply) =>
  plainText(reply, {
    reveal: true,
    pictures: 'alt',
    command: (typed) => `${prefixed}${typed}`,
    moment: (moment) => SPOKEN.format(moment),
    button: ({ label }, typed) => `[${label}] ${typed}`,
  });
const DOORS: Readonly<Record<string, (reply: Reply) => string>> = {
  discord: asChat('/letterboxed '),
  slack: asChat('/letterboxed '),
  web: asChat('/letterboxed '),
  terminal: (reply) => replyText(reply, { reveal: true }),
};

const { answers, world } = await everyAnswer();
mkdirSync(folder, { recursive: true });
for (const [door, show] of Object.entries(DOORS)) {
  const texts = answers.map(({ line, by, form, reply }) =>
    [`▶ ${by}: ${line}`, form ? formText(form) : show(reply!), ...(reply ? menus(reply) : [])].join('\n'),
  );
  const notices = everyNotice().map(({ line, reply }) => `▶ (${line})\n${show(reply)}`);
  const day = readFileSync(new URL(`${door}.txt`, DAYS), 'utf8');
  writeFileSync(
    join(folder, `${prefix}${door}.txt`),
    [...texts, ...notices, day, declarations()].join('\n\n'),
  );
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
