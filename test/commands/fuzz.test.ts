/** Any input gets a short, readable and harmless answer, and causes no fault. */
import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { Dispatcher, Prepared } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { OptionValue } from '../../src/reply/model/types.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { replyOf } from '../fakes/ask.ts';
import fc, { anyCharacter } from '../fakes/fast-check.ts';
import { formTexts, openTexts } from '../fakes/open-texts.ts';
import { sample } from '../fakes/sample.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, logged, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);

const HOSTILE = [
  '@everyone',
  '<!channel>',
  '<script>alert(1)</script>',
  '||secret||',
  '```js',
  '`',
  '**',
  '[a](javascript:alert)',
  '\u202Egnitirw sdrawkcab',
  'zero\u200b\u200d\ufeffwidth',
  '\u0000\u0007\u001b[31m',
  '\ud800',
  '🙂👩‍👩‍👧',
  'אבג',
  '%s%n$(id)',
  '../../etc/passwd',
  "' OR 1=1 --",
  '__proto__:x',
  'constructor',
  '"',
  '“',
  '\\',
  ':',
  '=',
  ',,,',
  '-'.repeat(50),
  'z'.repeat(3000),
  '9'.repeat(400),
  SIDES,
];
const names = COMMANDS.flatMap(({ name, options }) => [name, ...options.map((option) => `${option.name}:`)]);
const bits = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.constantFrom(...names),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);

/** The texts of an answer; fails if a fault was logged. Each has a dispatcher, and so a rate limit, of its own. */
async function answerTo(prepare: (dispatcher: Dispatcher) => Prepared) {
  logged.length = 0;
  const texts = await textsOf(prepare(makeDispatcher(app, { commands: COMMANDS })));
  expect(logged.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  return texts;
}

async function textsOf(prepared: Prepared): Promise<readonly string[]> {
  if (prepared.kind === 'form') return formTexts(prepared.form);
  const reply = await replyOf(prepared);
  return [...openTexts(reply).slice(0, 1), plainText(reply, { reveal: true })];
}

function expectReadable(texts: readonly string[]): void {
  for (const text of texts) {
    // No invisible characters, no change of the writing direction, no control sequences of a terminal.
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(text.length).toBeLessThan(20_000);
  }
}

describe('typed lines', () => {
  test('any line gets a readable answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bits, { maxLength: 8 }), async (parts) => {
        expectReadable(await answerTo(({ prepareLine }) => prepareLine(parts.join(' '), someone())));
      }),
      { numRuns: sample(1500, 40) },
    );
  });

  // In `npm test`, to a third of the commands.
  test.each(HOSTILE)('%j, given to every command', async (text) => {
    const nth = HOSTILE.indexOf(text);
    for (const [at, { name }] of COMMANDS.entries()) {
      if ((at + nth) % sample(1, 3) !== 0) continue;
      const lines = [`${name} ${text}`, `${text} ${name}`, `${name} words:${text} sides:"${SIDES}"`];
      for (const line of sample(lines, [lines[Math.floor(at / 3) % lines.length]!]))
        expectReadable(await answerTo(({ prepareLine }) => prepareLine(line, someone())));
    }
  });

  test('a megabyte is refused in a short sentence', async () => {
    for (const line of [
      'x'.repeat(1_000_000),
      `check ${'forum '.repeat(200_000)}`,
      '"'.repeat(1_000_000),
      ' '.repeat(1_000_000),
    ]) {
      const [text = ''] = await answerTo(({ prepareLine }) => prepareLine(line, someone()));
      expect(text).toContain('A command takes 4,000');
      expect(text.length).toBeLessThan(200);
    }
  });
});

describe('options that platforms send', () => {
  const values = fc.oneof(bits, fc.double(), fc.boolean(), fc.constant('y'.repeat(1_000_000)));
  test('any options get a readable answer from every command', async () => {
    const requests = fc.constantFrom(...COMMANDS).chain(({ name, options }) =>
      fc.record({
        command: fc.constant(name),
        options: fc.dictionary(
          fc.constantFrom(...options.map((option) => option.name), 'nothing', '__proto__'),
          values as fc.Arbitrary<OptionValue>,
          { maxKeys: 4 },
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        expectReadable(await answerTo(({ prepare }) => prepare({ ...someone(), ...request })));
      }),
      { numRuns: sample(800, 25) },
    );
  });
});
