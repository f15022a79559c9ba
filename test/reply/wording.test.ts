/** The mechanical rules of the texts that people read, over all commands and what they answer. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Button, Form, Reply } from '../../src/reply/model/types.ts';
import { RULES } from '../../src/reply/replies/board.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { replyOf } from '../fakes/ask.ts';
import { everyAnswer, everyNotice } from '../fakes/every-answer.ts';

const answers = await everyAnswer();

const replies = answers.flatMap(({ line, reply }) => (reply === undefined ? [] : [{ line, reply }]));
/** Each sentence or label with where it was read. */
const texts: readonly (readonly [where: string, text: string])[] = [
  ...[...replies, ...everyNotice()].map(
    ({ line, reply }) => [line, [read(reply), ...menus(reply)].join('\n')] as const,
  ),
  ...answers.flatMap(({ line, form }) => (form === undefined ? [] : [[line, fields(form)] as const])),
  ...COMMANDS.flatMap(({ name, description, more = '', options }) => [
    [name, `${description}\n${more}`] as const,
    ...options.map((option) => [`${name} ${option.name}`, option.description] as const),
    ...options.flatMap(({ about = {} }) => Object.values(about).map((text) => [name, text] as const)),
  ]),
];

function read(reply: Reply): string {
  return plainText(
    // The columns of a table are aligned with spaces.
    { ...reply, blocks: reply.blocks.filter(({ kind }) => kind !== 'file' && kind !== 'table') },
    { reveal: true, pictures: 'alt' },
  );
}

function menus({ blocks }: Reply): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'menu' ? block.choices.map(({ label, description }) => `${label}: ${description}`) : [],
  );
}

function fields({ title, fields }: Form): string {
  return [title, ...fields.flatMap(({ label, hint = '' }) => [label, hint])].join('\n');
}

const found = (rule: RegExp) =>
  texts.flatMap(([where, text]) => {
    const hit = rule.exec(text);
    return hit === null ? [] : [`${where}: …${text.slice(Math.max(0, hit.index - 30), hit.index + 30)}…`];
  });

describe('all that people read', () => {
  test('has its lists from core/text.ts', () => {
    const sources = globSync(['src/**/*.ts', 'commands/*.ts']);
    expect(sources.filter((file) => /\.join\(' (?:and|or) '\)/.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  test('comes from every command', () => {
    expect(new Set(replies.map(({ line }) => line.split(' ')[0]))).toEqual(
      new Set([...COMMANDS.map(({ name }) => name), '', 'helo', 'hello', 'ozu', 'sove']),
    );
  });

  test.each([
    ['has one kind of apostrophe', /[A-Za-z]'[A-Za-z]/],
    ['writes a percentage without a space', /\d %/],
    ['gives no percentage that is as good as certain', /9[5-9]%\)|100%/],
    ['has no two spaces in a row within a line', /\S {2,}\S/],
    ['speaks of the bot as I, and never as we', /\b(?:[Ww]e|us|[Oo]ur)\b/],
    ['says no quaint words', /stands in|whoever|perhaps|for ever|gone to rest|surest|in a hurry/i],
    ['writes no time of day without AM or PM, but for what is typed', /New York.{0,20}\b\d\d:\d\d\b/],
    ['names no error or value of ours', /undefined|NaN|\[object/],
    ['ends no sentence twice', /[.?!]\.(?!\.)/],
    ['speaks of someone, and of well-known words', /\bsomebody\b|\beverybody\b|everyday words/i],
    ['ends a list with and or or', /\bChoose (?:from )?[\w-]+(?:, [\w-]+)+\.|one of: /],
    ['groups the digits of large numbers', /(?<![\w,.:#/@&-])\d{5,}(?![\w-])/],
    [
      'says dates in words, but for what is typed',
      /(?<!: |date[: ]|like |such as )\b\d{4}-\d\d-\d\d\b(?! \d\d:\d\d UTC)/,
    ],
  ])('%s', (_, rule) => {
    expect(found(rule)).toEqual([]);
  });

  test('has titles that are short and end without a period', () => {
    for (const { line, reply } of replies) {
      expect({ line, title: reply.title }).toEqual({
        line,
        title: expect.not.stringMatching(/\.$|\n|^.{91}/),
      });
    }
  });

  test('names words that may offend under a warning alone, and hides nothing empty', async () => {
    const words = ['bdckfegl', 'lhsit', 'shit'].map(
      (word) => ({ word, likelihood: 0.9, tier: 'everyday' }) as const,
    );
    const { app, close } = await makeTestApp({ words });
    const asked = COMMANDS.filter(({ options }) => options.some(({ name }) => name === 'sides'));
    const dispatcher = makeDispatcher(app, { commands: COMMANDS });
    const others = [];
    for (const { name } of asked) {
      const prepared = dispatcher.prepareLine(`${name} sides:"sbc hde ifg tkl"`, someone());
      if (prepared.kind !== 'form') others.push({ line: name, reply: await replyOf(prepared) });
    }
    await close();
    for (const { line, reply } of [...replies, ...others]) {
      const spoilers = reply.blocks.filter((block) => block.kind === 'spoiler');
      expect({ line, empty: spoilers.filter(({ hidden }) => hidden.length === 0) }).toEqual({
        line,
        empty: [],
      });
      const named = spoilers.filter(({ label }) => !label.endsWith('may offend'));
      const text = plainText({ ...reply, blocks: named }, { reveal: true });
      expect({ line, text }).toEqual({ line, text: expect.not.stringMatching(/\bshit\b/i) });
    }
    const shown = others.filter(({ reply }) => /\bSHIT\b/.test(read(reply)));
    expect(shown.map(({ line }) => line)).toContain('words');
  });

  test('has red buttons before what can not be taken back, and others that stand out for what comes next', () => {
    const buttons = replies.flatMap(({ reply }) =>
      reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : [])),
    );
    const labels = (wanted: Button['look']) =>
      new Set(buttons.flatMap(({ label, look }) => (look === wanted ? label.replace(/[:(].*/, '…') : [])));
    const danger = [
      'Close it',
      'Erase',
      'Erase for good',
      'Remove for good',
      'Remove it',
      'Show the solution',
    ];
    expect([...labels('danger')].sort()).toEqual(danger);
    expect([...labels('primary')].sort().join(', ')).toBe(
      'A hint instead…, A new board, Add a word, Am I on the way?, Another word, Hint from here, Join, Next hint…, Play, Play OZU – NRI, Post a board here every day, Save my result, Share, Solution, Start, Start a relay, one word each, Stop the daily thread, Switch on, The solution, Type words',
    );
  });

  test('explains percentages where there are some', () => {
    for (const { line, reply } of replies) {
      const text = read(reply);
      if (/\(\d+%\)|\d% or more/.test(text))
        expect({ line, text }).toEqual({
          line,
          text: expect.stringContaining('% = chance that the game accepts the words'),
        });
    }
  });

  test('has sentences with a period in every text of several', () => {
    for (const { line, reply } of replies) {
      for (const block of reply.blocks) {
        if (block.kind !== 'note' || typeof block.line !== 'string') continue;
        expect({ line, note: block.line }).toEqual({ line, note: expect.stringMatching(/[.?!:]$|^[^.]*$/) });
      }
    }
  });

  test('has the rules of the game in help and on the welcome card of the local chat', () => {
    const page = readFileSync('src/web/chat/chat.js', 'utf8');
    const help = replies.find(({ line }) => line === 'help')!;
    for (const rule of RULES) for (const text of [read(help.reply), page]) expect(text).toContain(rule);
  });

  test('says of every choice what it means', () => {
    for (const { name, options } of COMMANDS) {
      for (const { choices = [], about = {} } of options) {
        expect({ name, choices: Object.keys(about).filter((one) => choices.includes(one)) }).toEqual({
          name,
          choices,
        });
        const meanings = choices.map((choice) => about[choice]);
        expect(new Set(meanings).size).toBe(choices.length);
      }
    }
  });

  test('describes every option in a phrase of its own, without a period', () => {
    for (const { name, description, options } of COMMANDS) {
      for (const text of [description, ...options.map((option) => option.description)])
        expect({ name, text }).toEqual({ name, text: expect.stringMatching(/^[A-Z].*[^.]$/) });
    }
  });
});
