import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { currentRequestId } from '../../../src/core/log.ts';
import { makeLog, makeScrubber } from '../../../src/operations/observability/log.ts';
import fc from '../../fakes/fast-check.ts';

function logged(secrets: readonly string[] = [], level = 'debug') {
  const lines: string[] = [];
  const log = makeLog({ level, base: { role: 'all' }, secrets, write: (line) => lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> };
}

describe('a log line', () => {
  it('is one line of JSON, with when, how grave, who and what', () => {
    const { log, lines, last } = logged();
    log.info({ door: 'web', milliseconds: 3 }, 'command\nwith a break');
    expect(lines).toHaveLength(1);
    expect(lines[0]!.trimEnd()).not.toContain('\n');
    expect(last()).toMatchObject({ level: 'info', role: 'all', door: 'web', milliseconds: 3 });
    expect(Date.parse(String(last().time))).toBeGreaterThan(0);
  });

  it('is left out below its level', () => {
    const { log, lines } = logged([], 'warn');
    log.info({}, 'no');
    log.warn({}, 'yes');
    expect(lines).toHaveLength(1);
  });

  it('bears the id of the request it belongs to, however deep it is written', async () => {
    const { log, lines } = logged();
    const work = (id: string) =>
      currentRequestId.run(id, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        log.info({ id }, 'in it');
      });
    await Promise.all([work('a'), work('b')]);
    log.info({}, 'outside');
    const all = lines.map((line) => JSON.parse(line) as { id?: string; request?: string });
    expect(all.map(({ id, request }) => [id, request])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      [undefined, undefined],
    ]);
  });

  it('says every error of parts that failed to end', async () => {
    const { log, last } = logged();
    const opened = new AsyncDisposableStack();
    opened.defer(() => Promise.reject(new Error('the second')));
    opened.defer(() => Promise.reject(new Error('the first')));
    await opened.disposeAsync().catch((err) => log.error({ err }, 'stopping failed'));
    expect(last().err).toMatchObject({ cause: [{ message: 'the second' }, { message: 'the first' }] });
  });

  it('says of an error what it was and where, with its causes, and nothing that hangs on it', () => {
    const { log, last, lines } = logged();
    const error = Object.assign(new Error('no', { cause: new TypeError('why') }), {
      code: 50_013,
      requestBody: { json: { text: 'the solution is forum' } },
    });
    log.error({ err: error }, 'failed');
    expect(last().err).toMatchObject({
      type: 'Error',
      message: 'no',
      code: 50_013,
      cause: { message: 'why' },
    });
    expect(String((last().err as { stack: string }).stack)).toContain('log.test.ts');
    expect(lines.join()).not.toContain('forum');
  });

  it('holds no words, replies or typed lines, but counts of them', () => {
    const { log, lines, last } = logged();
    log.info({ words: ['forum'], solution: 'forum', reply: { blocks: ['forum'] }, line: 'check forum' }, 'm');
    log.info({ deep: { deeper: [{ hidden: 'forum' }] }, words: 12 }, 'm');
    expect(lines.join()).not.toContain('forum');
    expect(last().words).toBe(12);
  });

  it('is bounded, whatever it is given', () => {
    const { log, lines, last } = logged();
    const round: Record<string, unknown> = {
      ...{ big: 1n, symbol: Symbol('s'), run: () => 1, day: new Date(NaN) },
      ...{ map: new Map([[1, 2]]), set: new Set([1]), bytes: new Uint8Array(1) },
    };
    round.self = round;
    log.info(round, 'm');
    const { big, symbol, run, day, map, set, bytes } = last();
    expect([big, symbol, run, day, map, set, bytes]).toEqual([
      ...['1', 'Symbol(s)', undefined, 'Invalid Date', '[Map]', '[Set]', '[Uint8Array]'],
    ]);
    const many = Array.from({ length: 10_000 }, (_, i) => i);
    log.info({ long: 'x'.repeat(1_000_000), many, named: { ...many } }, 'm');
    for (const line of lines) expect(line.length).toBeLessThan(10_000);
  });

  it('for a terminal is a line for a person, without secrets either', () => {
    const lines: string[] = [];
    const log = makeLog({
      level: 'info',
      secrets: ['opensesame'],
      write: (line) => lines.push(line),
      pretty: true,
    });
    log.info({ door: 'web' }, 'open at opensesame');
    expect(lines.join('')).toContain('open at [redacted]');
    expect(lines.join('')).not.toContain('{"');
  });
});

describe('standard output', () => {
  it('keeps the bot waiting for a moment only while nobody reads it, and keeps whole lines, but not all, for later', async () => {
    const program = `
      import { writeSync } from 'node:fs';
      import { toStandardOutput } from './src/operations/observability/log.ts';
      // As the bot does: from now on, a full pipe is an error.
      void process.stdout.isTTY;
      const write = toStandardOutput();
      for (let count = 0; count < 4096; count++) write('x'.repeat(1023) + '\\n');
      writeSync(2, 'written');
      setInterval(() => write('later\\n'), 10);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [said] = await once(child.stderr, 'data');
    expect(String(said)).toBe('written');
    let whole = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'later') break;
      expect(line).toBe('x'.repeat(1023));
      whole++;
    }
    expect(whole).toBeLessThan(2048);
  });
});

describe('secrets', () => {
  const values = fc.stringMatching(/^[\w"\\/+=:@ -]{8,40}$/).filter((value) => value.trim().length >= 8);

  it('given by the settings are in no line, wherever they stood', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('field', 'message', 'error', 'key'), (secret, where) => {
        const { log, lines } = logged([secret]);
        if (where === 'field') log.info({ a: { b: [`x${secret}y`] } }, 'm');
        if (where === 'message') log.info({}, `it is ${secret}!`);
        if (where === 'error') log.error({ err: new Error(secret) }, 'm');
        if (where === 'key') log.info({ [secret]: 1 }, 'm');
        expect(lines.join()).not.toContain(secret);
        expect(lines.join()).not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
    );
  });

  it.each([
    ['a Slack token', 'xoxb-123-456-abcdefghijkl'],
    ['a Slack app token', 'xapp-1-A1-123-abcdef'],
    ['a Slack refresh token', 'xoxe.xoxp-1-abcdefghij'],
    ['a Discord token', `${'M'.repeat(24)}.GabcDe.${'x'.repeat(38)}`],
    ['a database password', 'hunter22', 'postgres://bot:hunter22@db.example:5432/x'],
    [
      'an interaction token',
      'aW50ZXJhY3Rpb246MTIzNDU2Nzg5',
      '/webhooks/123/aW50ZXJhY3Rpb246MTIzNDU2Nzg5/messages',
    ],
    [
      'the token of a personal link',
      `${'aB3-_'.repeat(9)}.${'cD4-_'.repeat(8)}`,
      `https://bot.example.org/play/abc#lb1.${'aB3-_'.repeat(9)}.${'cD4-_'.repeat(8)}`,
    ],
    ['a response address', 'T1/2/abcDEF', 'https://hooks.slack.com/T1/2/abcDEF'],
  ])(
    'that are not among the settings are recognized by their shape: %s',
    (_, secret, text = `so: ${secret}`) => {
      const clean = makeScrubber([])(text);
      expect(clean).toContain('[redacted]');
      expect(clean).not.toContain(secret);
    },
  );

  it('by the name of their field are taken out whatever they look like', () => {
    const { log, lines } = logged();
    log.info({ botToken: 'abc', headers: { authorization: 'def-1' }, clientSecret: 'ghi-2' }, 'm');
    expect(lines.join()).not.toMatch(/abc|def-1|ghi-2/);
  });

  it('leave ordinary lines as they were', () => {
    const text =
      '{"msg":"posted in discord:123456789012345678 at 2026-11-20T08:00:00.000Z, 12.5 ms, v1.2.3"}';
    expect(makeScrubber(['', 'abc'])(text)).toBe(text);
  });
});
