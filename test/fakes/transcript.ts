/**
 * Tests written as conversations, in a text file for each subject:
 *
 *     # A hint continues from the words played
 *     ann> hint count words:bfjm
 *     (to ann) Hint N of M
 *     ...
 *     ann> [Next hint]
 *     (to ann) Hint N of M
 *     -- 2026-11-21 17:00
 *     manager> daily on
 *     …
 *
 * - `# …` begins a test with an app of its own, at noon in New York on 20 November 2026, on the board of `small-board.ts`.
 * - `NAME> …` is what somebody types. The person `manager` may change the channel's settings. `[Label]` presses a button,
 *   or chooses from a menu, of the last answer to that person; `{name: value; name: value}` sends the form that they got.
 * - What follows is the whole answer. `(to NAME)` begins one that only they see; what is hidden at first stands below
 *   `Label (hidden):`. In it a line `...` takes any number of lines, and numbers of hints are left out.
 * - `-- 2026-11-21 17:00` sets the clock, in UTC.
 *
 * `TRANSCRIPTS=write npx vitest run FILE` writes into the file what is answered now, where that differs. Read the diff.
 *
 * @example transcripts(import.meta.resolve('./hint.txt')); // the whole of hint.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { Asker } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { isOpen, plainText } from '../../src/reply/model/text.ts';
import type { Action, Block, Form, Reply } from '../../src/reply/model/types.ts';
import { withoutHintNumbers } from '../reply/look.ts';
import { makeTestApp, someone, type TestApp } from './app.ts';
import { replyOf } from './ask.ts';
import { house, WORDS } from './small-board.ts';

/** Somebody's line with its answer, or a moment to which the clock is set. */
interface Step {
  readonly typed: string;
  readonly answer: string;
}

interface Section {
  readonly title: string;
  readonly steps: readonly Step[];
}

const TYPED = /^(?:\w+> |-- )/;
const ANY = '...';

/** Declares a test for each section of the file. @param open an app of another kind, which the test closes */
export function transcripts(
  path: string,
  open: () => Promise<TestApp> = () => makeTestApp({ words: WORDS, house }),
): void {
  const file = path.startsWith('file:') ? fileURLToPath(path) : path;
  const { intro, sections } = readTranscript(readFileSync(file, 'utf8'));
  const isWriting = process.env.TRANSCRIPTS === 'write';
  const played = [...sections];
  for (const [index, { title, steps }] of sections.entries()) {
    test(title, async () => {
      const app = await open();
      const conversation = new Conversation(app);
      const answered: Step[] = [];
      for (const { typed, answer } of steps) {
        const given = await conversation.take(typed);
        const said = fits(given, answer) ? answer : given;
        answered.push({ typed, answer: said });
        if (!isWriting) expect(`${typed}\n${said}`).toBe(`${typed}\n${answer}`);
      }
      played[index] = { title, steps: answered };
      await app.close();
    });
  }
  if (isWriting) afterAll(() => writeFileSync(file, writeTranscript(intro, played)));
}

function readTranscript(text: string): { intro: string; sections: Section[] } {
  const [intro = '', ...parts] = text.split(/^# /m);
  const sections = parts.map((part): Section => {
    const [title = '', ...lines] = part.trimEnd().split('\n');
    const steps: { typed: string; lines: string[] }[] = [];
    for (const line of lines) {
      if (TYPED.test(line)) steps.push({ typed: line, lines: [] });
      else steps.at(-1)?.lines.push(line);
    }
    return {
      title,
      steps: steps.map(({ typed, lines }) => ({ typed, answer: lines.join('\n').trimEnd() })),
    };
  });
  return { intro, sections };
}

function writeTranscript(intro: string, sections: readonly Section[]): string {
  const texts = sections.map(({ title, steps }) =>
    [
      `# ${title}`,
      ...steps.flatMap(({ typed, answer }) => [typed, ...(answer === '' ? [] : [answer])]),
      '',
    ].join('\n'),
  );
  return intro + texts.join('\n');
}

/** Whether an answer is as expected, where a line of three dots takes any lines. */
function fits(answer: string, expected: string): boolean {
  const quoted = expected
    .split('\n')
    .map((line) => (line === ANY ? ANY : line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  const pattern = quoted.join('\n').replaceAll(`\n${ANY}`, '(?:\\n.*)*');
  return new RegExp(`^${pattern}$`).test(answer);
}

/** What people type to one app, each with the last answer that they got. */
class Conversation {
  readonly #test: TestApp;
  readonly #last = new Map<string, { reply?: Reply; form?: Form }>();

  constructor(app: TestApp) {
    this.#test = app;
  }

  async take(line: string): Promise<string> {
    if (line.startsWith('-- ')) {
      this.#test.clock.time = Date.parse(`${line.slice(3).replace(' ', 'T')}Z`);
      return '';
    }
    const [, name = '', typed = ''] = /^(\w+)> (.*)$/.exec(line) ?? [];
    const asker = someone({ id: name, mayManage: name === 'manager' });
    // Of one's own for each line, so that nobody types too fast.
    const dispatcher = makeDispatcher(this.#test.app, { commands: COMMANDS });
    const action = this.#actionOf(name, typed);
    const prepared = action
      ? dispatcher.prepare({ ...asker, ...action })
      : dispatcher.prepareLine(typed, asker as Asker);
    if (prepared.kind === 'form' && (await prepared.instead) === undefined) {
      this.#last.set(name, { form: prepared.form });
      return formText(prepared.form);
    }
    const reply = await replyOf(prepared);
    this.#last.set(name, { reply });
    return answerText(reply, name);
  }

  /** What a button or a form does; undefined for what is typed. */
  #actionOf(name: string, typed: string): Action | undefined {
    const { reply, form } = this.#last.get(name) ?? {};
    const [, label] = /^\[(.*)\]$/.exec(typed) ?? [];
    if (label !== undefined) {
      const offered = reply?.blocks.flatMap(actionsIn) ?? [];
      const found = offered.find((one) => one.label === label);
      if (found === undefined) {
        throw new Error(`${name} has no [${label}], but ${offered.map((one) => `[${one.label}]`).join(' ')}`);
      }
      return found.action;
    }
    const [, fields] = /^\{(.*)\}$/.exec(typed) ?? [];
    if (fields === undefined) return undefined;
    if (form === undefined) throw new Error(`${name} has no form`);
    const filled = fields.split('; ').map((field) => field.split(/: (.*)/).slice(0, 2));
    return { ...form.action, options: { ...form.action.options, ...Object.fromEntries(filled) } };
  }
}

function actionsIn(block: Block): readonly { label: string; action: Action }[] {
  return block.kind === 'buttons' ? block.buttons : block.kind === 'menu' ? block.choices : [];
}

function answerText(reply: Reply, name: string): string {
  const parts = reply.blocks.map((block) => blockText(block, reply)).filter((text) => text !== '');
  const title = reply.audience === 'asker' ? `(to ${name}) ${reply.title}` : reply.title;
  return withoutHintNumbers([title, ...parts].join('\n').replace(/\n{2,}/g, '\n'));
}

function blockText(block: Block, { audience }: Reply): string {
  if (block.kind === 'buttons') return block.buttons.map(({ label }) => `[${label}]`).join(' ');
  if (block.kind === 'menu')
    return `${block.label}: ${block.choices.map(({ label }) => `[${label}]`).join(' ')}`;
  const text = plainText({ title: '', blocks: [block], audience }, { reveal: true, pictures: 'alt' }).trim();
  if (block.kind !== 'spoiler' || isOpen(block, { audience })) return text;
  return text.replace(`${block.label}:`, `${block.label} (hidden):`);
}

function formText({ title, fields, submit }: Form): string {
  const lines = fields.map(({ name, label, value, required }) =>
    [`  ${name}: ${label}`, required ? ' (required)' : '', value === undefined ? '' : ` = ${value}`].join(''),
  );
  return [`Form: ${title}`, ...lines, `  [${submit}]`].join('\n');
}
