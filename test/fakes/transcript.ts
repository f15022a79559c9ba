/**
 * Tests written as conversations, in a text file for each subject:
 *
 *     # A hint continues from the words played
 *     ann> hint count words:bfjm
 *     (to ann) Hint N of M
 *     ...
 *     ann> [Next hint: ...]
 *     (to ann) Hint N of M
 *     -- 2026-11-21 17:00
 *     manager> daily on
 *     …
 *
 * - `# …` begins a test with an app of its own, at noon in New York on 20 November 2026, on the board of `small-board.ts`.
 * - `NAME> …` is what somebody types. The person `manager` may change the channel's settings. `[Label]` presses a button,
 *   or chooses from a menu, of the last answer to that person or of the last post, where `...` is any text;
 *   `{name: value; name: value}` sends the form that they got.
 * - `NAME WHERE> …` types it elsewhere than in `general` of the local chat: `#CHANNEL`, `/THREAD`, `DOOR:TENANT`, or
 *   `direct`, in any combination.
 * - `NAME,NAME> …` is what several people type, one after the other.
 * - What follows is the whole answer. `(to NAME)` begins one that only they see, `(in place)` one that replaces the message
 *   with the button; what is hidden at first stands below `Label (hidden):`. In it a line `...` takes any number of lines,
 *   `...` in a line any text of it, and numbers of hints are left out. Then come the posts that it caused: `(posted in THREAD)`, `(opened THREAD: NAME)`
 *   and `(changed MESSAGE)`. Nothing can be posted on Slack.
 * - `-- 2026-11-21 17:00` sets the clock, in UTC, and `-- +3h` moves it; what is due by then is posted.
 * - `-- opening WHERE` opens the thread of the day, `-- closing` and the like post its other steps; `-- open refused` (or `post`, `edit`, and another
 *   kind of failure) makes the next such call to the platform fail.
 *
 * `TRANSCRIPTS=write npx vitest run FILE` writes into the file what is answered now, where that differs, and fails at answers with
 * several `...`, which are changed by hand. Read the diff.
 *
 * @example transcripts(import.meta.resolve('./hint.txt')); // the whole of hint.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { DoorName } from '../../src/core/channel-ref.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { type Asker, whenLookedUp } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { type Poster, PostFailure } from '../../src/dispatch/poster.ts';
import { isOpen, plainText } from '../../src/reply/model/text.ts';
import type { Action, Block, Form, Reply } from '../../src/reply/model/types.ts';
import { withoutHintNumbers } from '../reply/look.ts';
import { makeTestApp, someone, type TestApp, TODAY } from './app.ts';
import { whenShown } from './ask.ts';
import { DAY_THREAD, deliverDue, sendStep } from './day-thread.ts';
import { makeTestPoster } from './poster.ts';
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

const TYPED = /^(?:[\w,]+(?: (?:direct|[#/][\w-]+|\w+:[\w@]+))*> |-- )/;
const ANY = '...';

/** Declares a test for each section of the file. */
export function transcripts(path: string): void {
  const file = path.startsWith('file:') ? fileURLToPath(path) : path;
  const { intro, sections } = readTranscript(readFileSync(file, 'utf8'));
  const isWriting = process.env.TRANSCRIPTS === 'write';
  const played = [...sections];
  for (const [index, { title, steps }] of sections.entries()) {
    test(title, async () => {
      const conversation = await Conversation.open();
      const answered: Step[] = [];
      for (const { typed, answer } of steps) {
        const given = await conversation.take(typed);
        const said = fits(given, answer) ? answer : given;
        const kept = isWriting ? withDots(said, answer) : answer;
        answered.push({ typed, answer: kept });
        if (!fits(given, kept)) expect.soft(`${typed}\n${said}`).toBe(`${typed}\n${kept}`);
      }
      played[index] = { title, steps: answered };
      await conversation.close();
    });
  }
  if (isWriting) afterAll(() => writeFileSync(file, writeTranscript(intro, played)));
}

function readTranscript(text: string): { intro: string; sections: Section[] } {
  const [intro = '', ...parts] = text.split(/^# (?! )/m);
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

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether an answer is as expected, where three dots take any lines, or any text of their line. */
function fits(answer: string, expected: string): boolean {
  if (expected === ANY) return true;
  const quoted = expected
    .split('\n')
    .map((line) => (line === ANY ? ANY : line.split(ANY).map(quote).join('.*')));
  const pattern = quoted.join('\n').replaceAll(`\n${ANY}`, '(?:\\n.*)*');
  return new RegExp(`^${pattern}$`).test(answer);
}

/** The new answer with the three dots of the old one; the old one if it has several of them, and is changed by hand. */
function withDots(answer: string, old: string): string {
  const [before, after, ...others] = old.split(ANY).map((part) => part.split('\n').length - 1);
  if (after === undefined) return answer;
  const lines = answer.split('\n');
  const dotted = [...lines.slice(0, before), ANY, ...lines.slice(lines.length - after)].join('\n');
  return others.length === 0 && `\n${old}\n`.includes(`\n${ANY}\n`) && fits(answer, dotted) ? dotted : old;
}

const HOURS: Readonly<Record<string, number>> = { d: DAY, h: HOUR, m: MINUTE };

/** What people type to one app, each with the last answer that they got. */
class Conversation {
  readonly #test: TestApp;
  readonly #poster = makeTestPoster();
  readonly #last = new Map<string, { reply?: Reply; form?: Form }>();
  #posts: { readonly how: string; readonly reply: Reply }[] = [];

  private constructor(test: TestApp) {
    this.#test = test;
  }

  static async open(): Promise<Conversation> {
    const conversation: Conversation = new Conversation(
      await makeTestApp({
        words: WORDS,
        house,
        posterOf: (door) => (door === 'slack' ? undefined : conversation.#recording()),
        settings: {
          PUBLIC_URL: 'https://example.org/games',
          PUBLIC_SITE: 'https://boards.example.org',
          SLACK_SIGNING_SECRET: 'x'.repeat(32),
          SLACK_BOT_TOKEN: 'xoxb-1',
        },
      }),
    );
    return conversation;
  }

  close(): Promise<void> {
    return this.#test.close();
  }

  /** Everything that this line causes to be shown. */
  async take(line: string): Promise<string> {
    this.#posts = [];
    const shown = [line.startsWith('-- ') ? await this.#happen(line.slice(3)) : await this.#type(line)];
    for (const { how, reply } of this.#posts) shown.push(`(${how}) ${replyText(reply)}`);
    return shown.filter((text) => text !== '').join('\n');
  }

  #recording(): Poster {
    const poster = this.#poster;
    const record = (how: string, reply: Reply) => this.#posts.push({ how, reply });
    return {
      ...poster,
      open: async (post) => {
        const posted = await poster.open(post);
        record(`opened ${posted.thread}: ${post.threadName}`, post.reply);
        return posted;
      },
      post: async (post) => {
        const posted = await poster.post(post);
        record(`posted in ${post.thread?.thread}`, post.reply);
        return posted;
      },
      edit: async (...edit) => {
        await poster.edit(...edit);
        record(`changed ${edit[1].message}`, edit[2]);
      },
    };
  }

  /** Time passes, the daily thread does something, or the platform will refuse something. */
  async #happen(what: string): Promise<string> {
    const { app, clock, store } = this.#test;
    const [first = '', ...rest] = what.split(' ');
    if (first === 'open' || first === 'post' || first === 'edit') {
      const failures = this.#poster.failures[first === 'edit' ? 'edit' : 'post'];
      failures.push(new PostFailure(rest[0] as PostFailure['kind'], 'made to fail'));
    } else if (/^[a-z]/.test(first)) {
      const { tenant, channel, thread } = placeOf('', rest).where;
      const posted = thread === undefined ? DAY_THREAD : { message: 'opening-2', thread };
      await sendStep(store, { tenant, channel, date: TODAY, step: first }, clock.time, posted);
    } else {
      const [, many, unit] = /^\+(\d+)([dhm])$/.exec(first) ?? [];
      clock.time =
        unit === undefined
          ? Date.parse(`${what.replace(' ', 'T')}Z`)
          : clock.time + Number(many) * HOURS[unit]!;
      await deliverDue(app, this.#recording());
    }
    return '';
  }

  async #type(line: string): Promise<string> {
    const [, names = '', where = '', typed = ''] = /^([\w,]+)([^>]*)> (.*)$/.exec(line) ?? [];
    const answers: string[] = [];
    for (const name of names.split(','))
      answers.push(await this.#answer(name, placeOf(name, where.trim().split(' ')), typed));
    return answers.join('\n');
  }

  async #answer(name: string, asker: Asker, typed: string): Promise<string> {
    // A new dispatcher for each line, so that nobody types too fast.
    const dispatcher = makeDispatcher(this.#test.app, { commands: COMMANDS });
    const action = this.#actionOf(name, typed);
    const prepared = await whenLookedUp(
      action ? dispatcher.prepare({ ...asker, ...action }) : dispatcher.prepareLine(typed, asker),
    );
    if (prepared.kind === 'form') {
      this.#last.set(name, { form: prepared.form });
      return formText(prepared.form);
    }
    const reply = await whenShown(this.#test.app, prepared);
    this.#last.set(name, { reply });
    return answerText(reply, name);
  }

  /** What a button or a form does; undefined for what is typed. */
  #actionOf(name: string, typed: string): Action | undefined {
    const { reply, form } = this.#last.get(name) ?? {};
    const [, label] = /^\[(.*)\]$/.exec(typed) ?? [];
    if (label !== undefined) {
      const post = this.#poster.messages.at(-1)?.shown.at(-1);
      const offered = [reply, post].flatMap((one) => one?.blocks.flatMap(actionsIn) ?? []);
      const found = offered.find((one) => fits(one.label, label));
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

/** @example placeOf('ann', ['#random', '/thread-1']) */
function placeOf(name: string, where: readonly string[]): Asker {
  const start = (mark: string) => where.find((one) => one.startsWith(mark))?.slice(1);
  const tenant = where.find((one) => one.includes(':')) ?? 'web:local';
  const direct = where.includes('direct');
  const channel = start('#') ?? (direct ? `direct-${name}` : 'general');
  return {
    ...someone({ id: name, mayManage: name === 'manager' }, { tenant, channel, thread: start('/'), direct }),
    door: tenant.split(':')[0] as DoorName,
  };
}

function answerText(reply: Reply, name: string): string {
  const marks = [
    ...(reply.replaces ? ['in place'] : []),
    ...(reply.audience === 'asker' ? [`to ${name}`] : []),
  ];
  return `${marks.length > 0 ? `(${marks.join(', ')}) ` : ''}${replyText(reply)}`;
}

function replyText(reply: Reply): string {
  const parts = reply.blocks.map((block) => blockText(block, reply)).filter((text) => text !== '');
  return withoutHintNumbers([reply.title, ...parts].join('\n').replace(/\n{2,}/g, '\n'));
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
  const lines = fields.map(
    ({ name, label, required }) => `  ${name}: ${label}${required ? ' (required)' : ''}`,
  );
  return [`Form: ${title}`, ...lines, `  [${submit}]`].join('\n');
}
