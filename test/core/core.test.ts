import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { DoorName } from '../../src/core/channel-ref.ts';
import { channelKey, identityScope } from '../../src/core/channel-ref.ts';
import { doubling, pauseAfter, timeoutAwake } from '../../src/core/clock.ts';
import { askOnce, FairLock, inBackground, KeyedQueue } from '../../src/core/concurrency.ts';
import { errorCode, errorCodes, isNeverConnected } from '../../src/core/errors.ts';
import { compilePattern, PatternError } from '../../src/core/letter-pattern.ts';
import { Random } from '../../src/core/random.ts';
import { nearest, ordinal, shorten } from '../../src/core/text.ts';
import { TokenEncryption } from '../../src/core/token-encryption.ts';
import fc, { anyCharacter } from '../fakes/fast-check.ts';
import { sample } from '../fakes/sample.ts';

test('channelKey differs whenever tenant, channel or any further part differs', () => {
  const channel = { tenant: 'discord:1', channel: '2' };
  const keys = [
    channelKey(channel),
    channelKey({ ...channel, tenant: 'discord:12' }),
    channelKey({ ...channel, channel: '3' }),
    channelKey(channel, '2026-11-20'),
    channelKey(channel, '2026-11-20', 'opening'),
    channelKey(channel, '2026-11-20 opening'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(channelKey({ ...channel }, '2026-11-20')).toBe(keys[3]);
});

/** Where an id of a door's tenant `1` means the same person: whoever shares it shares results and hints. */
const SCOPES: Readonly<Record<DoorName, string>> = {
  discord: 'discord',
  slack: 'slack:1',
  web: 'web',
  terminal: 'terminal',
};

test.each(Object.entries(SCOPES))('an id of %s means the same person in %s', (door, scope) => {
  expect(identityScope(`${door}:1`)).toBe(scope);
});

const BACKOFF = { pauses: doubling(5_000, 60_000), jitter: 0.3 };
const least = () => 0;
const most = () => 0.999_999;

describe('doubling', () => {
  test('doubles from the first pause and ends with exactly the longest', () => {
    expect(doubling(5_000, 60_000)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000]);
    expect(doubling(1_000, 4_000)).toEqual([1_000, 2_000, 4_000]);
    expect(doubling(9_000, 4_000)).toEqual([4_000]);
  });
});

describe('pauseAfter', () => {
  test.each([
    [0, 5_000],
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [5, 60_000],
    [6, 60_000],
    [1_000, 60_000],
  ])('after %i failures waits %i ms', (failures, pause) => {
    expect(pauseAfter({ failures, random: least }, BACKOFF)).toBe(pause);
  });

  test('lengthens each pause at random by up to the share of jitter, and never shortens it', () => {
    expect(pauseAfter({ failures: 1, random: most }, BACKOFF)).toBe(6_500);
    expect(pauseAfter({ failures: 1, random: () => 0.5 }, BACKOFF)).toBe(5_750);
    expect(pauseAfter({ failures: 9, random: most }, BACKOFF)).toBe(78_000);
  });

  test('waits at least as long as the other side asked, with jitter on top', () => {
    expect(pauseAfter({ failures: 1, random: least, retryAfter: 90_000 }, BACKOFF)).toBe(90_000);
    expect(pauseAfter({ failures: 1, random: most, retryAfter: 90_000 }, BACKOFF)).toBe(117_000);
    expect(pauseAfter({ failures: 5, random: least, retryAfter: 1_000 }, BACKOFF)).toBe(60_000);
  });

  test('answers in whole milliseconds', () => {
    expect(pauseAfter({ failures: 1, random: () => 1 / 3 }, BACKOFF)).toBe(5_500);
    expect(pauseAfter({ failures: 1, random: () => 0.5 }, { pauses: [900_000], jitter: 0.2 })).toBe(990_000);
    expect(pauseAfter({ failures: 1, random: least, retryAfter: 90_000.2 }, BACKOFF)).toBe(90_001);
    expect(Number.isInteger(pauseAfter({ failures: 2, random: () => Math.PI / 10 }, BACKOFF))).toBe(true);
  });
});

/** Work that records when it begins, and ends on request. */
function makeWork() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const work = (name: string) => () => {
    begun.push(name);
    return ends.get(name)!.promise;
  };
  for (const name of ['a', 'b', 'c', 'd']) ends.set(name, Promise.withResolvers());
  const end = (name: string) => ends.get(name)!.resolve(`${name} done`);
  const fail = (name: string) => ends.get(name)!.reject(new Error(`${name} failed`));
  return { begun, work, end, fail };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('fair turns go to people and to the bot’s own work in turn, and on while only one side waits', async () => {
  const turns = new FairLock();
  const order: string[] = [];
  const take = (name: string) => turns.acquire().then(() => order.push(name));
  await take('person 1');
  const own = ['own 1', 'own 2', 'own 3'].map((name) => inBackground(() => take(name)));
  const waiting = [take('person 2'), take('person 3'), take('person 4'), take('person 5'), ...own];
  for (let given = 0; given < waiting.length; given++) {
    turns.release();
    await settle();
  }
  const inTurn = ['own 1', 'person 2', 'own 2', 'person 3', 'own 3', 'person 4', 'person 5'];
  expect(order).toEqual(['person 1', ...inTurn]);
  await Promise.all(waiting);
});

describe('turns', () => {
  test('begin work of one key when what came before has ended or failed, and of other keys at once', async () => {
    const { begun, work, end, fail } = makeWork();
    const turns = new KeyedQueue();
    const first = turns.run('one', work('a'));
    const second = turns.run('one', work('b'));
    const third = turns.run('one', work('c'));
    const other = turns.run('two', work('d'));
    await settle();
    expect(begun).toEqual(['a', 'd']);
    fail('a');
    await expect(first).rejects.toThrow('a failed');
    await settle();
    expect(begun).toEqual(['a', 'd', 'b']);
    for (const name of ['b', 'c', 'd']) end(name);
    expect(await Promise.all([second, third, other])).toEqual(['b done', 'c done', 'd done']);
  });

  test('join what is under way, its failure too, and begin again after it', async () => {
    const { begun, work, end, fail } = makeWork();
    const turns = new KeyedQueue();
    const joined = [turns.join('one', work('a')), turns.join('one', work('b'))];
    fail('a');
    expect((await Promise.allSettled(joined)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    end('c');
    expect(await turns.join('one', work('c'))).toBe('c done');
    expect(begun).toEqual(['a', 'c']);
  });
});

test('askOnce asks once for all callers, and again only after a failure', async () => {
  let asked = 0;
  const ask = askOnce(async () => {
    asked++;
    if (asked === 1) throw new Error('no answer');
    return asked;
  });
  expect((await Promise.allSettled([ask(), ask()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
  expect(await ask()).toBe(2);
});

const coded = (code: unknown, more: object = {}) => Object.assign(new Error('failed'), { code, ...more });

describe('the code of an error', () => {
  test('is a text or a number, and is missing from anything else that is thrown', () => {
    expect(errorCode(coded('ENOENT'))).toBe('ENOENT');
    expect(errorCode(coded(10_008))).toBe(10_008);
    for (const thrown of [new Error('failed'), coded({}), undefined, null, 'ENOENT'])
      expect(errorCode(thrown)).toBeUndefined();
  });

  test('is read from the errors that it wraps, too, the outermost first and five at most', () => {
    const network = coded('ECONNREFUSED');
    const wrapped = coded('slack_webapi_request_error', {
      original: new Error('failed', { cause: network }),
    });
    expect(errorCodes(wrapped)).toEqual(['slack_webapi_request_error', 'ECONNREFUSED']);
    const circle = coded('A');
    circle.cause = circle;
    expect(errorCodes(circle)).toEqual(['A', 'A', 'A', 'A', 'A']);
    expect(errorCodes('ECONNREFUSED')).toEqual([]);
  });
});

test('nothing was sent where no connection was made or a certificate was refused', () => {
  const certificates = [
    ...[
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    ],
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'CRL_HAS_EXPIRED', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
    ...['INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'HOSTNAME_MISMATCH'],
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ];
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT', ...certificates])
    expect(isNeverConnected(new TypeError('fetch failed', { cause: coded(code) })), code).toBe(true);
  for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE', 'ERR_SSL_BAD_RECORD_MAC'])
    expect(isNeverConnected(coded(code)), code).toBe(false);
});

describe('Random', () => {
  test('draws these very numbers on every machine', () => {
    const random = new Random('house:2026-11-20');
    expect([random.next(), random.next(), random.next(), random.next()]).toEqual([
      1238277259, 649568342, 4197650065, 1057814542,
    ]);
    expect(Array.from({ length: 12 }, () => random.below(26))).toEqual([
      15, 13, 10, 25, 20, 21, 7, 13, 6, 12, 7, 3,
    ]);
  });
});

const NAMES = ['today', 'hint', 'reveal', 'solve', 'check', 'generate', 'words'];

test.each([
  ['hnt', 'hint'],
  ['HINT', 'hint'],
  ['ihnt', 'hint'],
  ['slove', 'solve'],
  ['genrate', 'generate'],
  ['gener', 'generate'],
  ['genrte', 'generate'],
  ['Wordle', undefined],
  ['tody', 'today'],
  ['xyzzy', undefined],
  ['', undefined],
  ['ozu', undefined],
  ['x'.repeat(100_000), undefined],
])('%j is nearest to %j', (typed, name) => {
  expect(nearest(typed, NAMES)).toBe(name);
});

test('a text is shortened between characters, never within one', () => {
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('abcd', 4)).toBe('abcd');
});

const OLD = '00'.repeat(32);
const NEW = Buffer.alloc(32, 7).toString('base64');
const OWNER = 'slack:T1';

describe('token encryption', () => {
  test('decrypts to the same text, and encrypts it differently each time', () => {
    const encryption = new TokenEncryption([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const encrypted = encryption.encrypt(text, OWNER);
        expect(encryption.decrypt(encrypted, OWNER)).toBe(Buffer.from(text).toString());
        expect(encryption.encrypt(text, OWNER)).not.toBe(encrypted);
      }),
    );
  });

  test('decrypts with an old key while keys are changed, and recognises what it encrypted', () => {
    const encrypted = new TokenEncryption([OLD]).encrypt('token', OWNER);
    const both = new TokenEncryption([NEW, OLD]);
    expect(both.decrypt(encrypted, OWNER)).toBe('token');
    expect(both.usesOldKey(encrypted)).toBe(true);
    expect(both.usesOldKey(both.encrypt('token', OWNER))).toBe(false);
    expect(new TokenEncryption([NEW]).decrypt(encrypted, OWNER)).toBeUndefined();
  });

  test('does not decrypt a text that was moved to another row', () => {
    const encryption = new TokenEncryption([NEW]);
    expect(encryption.decrypt(encryption.encrypt('token', OWNER), 'slack:T2')).toBeUndefined();
  });

  test('does not decrypt a text with any character changed', () => {
    const encryption = new TokenEncryption([NEW]);
    const encrypted = encryption.encrypt('token', OWNER);
    for (let at = 0; at < encrypted.length; at++) {
      const changed = encrypted.slice(0, at) + (encrypted[at] === 'A' ? 'B' : 'A') + encrypted.slice(at + 1);
      // The last character of base64 may hold bits that mean nothing.
      const decrypted = encryption.decrypt(changed, OWNER);
      expect(
        decrypted === undefined ||
          Buffer.from(changed.split('.').at(-1)!, 'base64url').equals(
            Buffer.from(encrypted.split('.').at(-1)!, 'base64url'),
          ),
      ).toBe(true);
    }
    for (const invalid of ['', 'v1', 'v1.a.b.c.d', encrypted.slice(0, -8)])
      expect(encryption.decrypt(invalid, OWNER)).toBeUndefined();
  });

  test.each([
    ['no key', []],
    ['a short key', ['abc']],
    ['31 bytes', ['00'.repeat(31)]],
  ])('rejects keys of the wrong length: %s', (_, keys) => {
    expect(() => new TokenEncryption(keys)).toThrow(/key/);
  });
});

test('ordinals end as people say them', () => {
  const numbers = [1, 2, 3, 4, 11, 12, 13, 21, 101, 111, 112, 1_013, 1_022];
  expect(numbers.map(ordinal).join(' ')).toBe(
    '1st 2nd 3rd 4th 11th 12th 13th 21st 101st 111th 112th 1,013th 1,022nd',
  );
});

describe('timeoutAwake', () => {
  /** Long enough that the answer comes in nine tenths of it on a busy machine. */
  const TIMEOUT_MS = 500;
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function serve(answers: boolean): Promise<string> {
    server = createServer((_, response) => {
      if (answers) response.end('posted');
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('the answer to a request is read although the process stood still for longer than its timeout', async () => {
    const url = await serve(true);
    const request = fetch(url, { method: 'POST', signal: timeoutAwake(TIMEOUT_MS) });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * TIMEOUT_MS);
    expect(await (await request).text()).toBe('posted');
  });

  test('a request without an answer is aborted', async () => {
    const url = await serve(false);
    await expect(fetch(url, { signal: timeoutAwake(TIMEOUT_MS) })).rejects.toThrow('abort');
  });
});

const ROUNDS = sample(3_000, 500);
const random = new Random('patterns');

/** A random pattern that JavaScript reads alike. */
function randomPattern(depth = 3): string {
  const one = () => 'abc.'[random.below(4)]!;
  if (depth === 0) return one();
  const inner = () => randomPattern(depth - 1);
  const forms = [
    one,
    () => `${inner()}${inner()}`,
    () => `(${inner()}|${inner()})`,
    () => `(${inner()})${['*', '+', '?', '{2}', '{1,2}', '{1,}', '{0,2}'][random.below(7)]}`,
    () => ['[ab]', '[^a]', '[a-c]', '[^ac]'][random.below(4)]!,
    () => `^${inner()}`,
    () => `${inner()}$`,
  ];
  return forms[random.below(forms.length)]!();
}

describe('a pattern of letters', () => {
  it('matches as regular expressions of JavaScript do', () => {
    let matched = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const source = randomPattern();
      const fits = compilePattern(source);
      const expected = new RegExp(source);
      for (let word = 0; word < 8; word++) {
        const text = Array.from({ length: random.below(7) }, () => 'abcd'[random.below(4)]).join('');
        expect([source, text, fits(text)]).toEqual([source, text, expected.test(text)]);
        matched += Number(fits(text));
      }
    }
    expect(matched).toBeGreaterThan(1.5 * ROUNDS);
  });

  it('takes no longer for patterns that make others backtrack', () => {
    const word = `${'a'.repeat(2_000)}b`;
    expect(compilePattern('^(a+)+$')(word)).toBe(false);
    expect(compilePattern('^(a|a)*(a|aa)+c')(word)).toBe(false);
    expect(compilePattern(`^(a?){25}a{25}$`)('a'.repeat(25))).toBe(true);
  });

  it.each([
    ['(ab', 'a ( has no ) after it'],
    ['ab)', 'a ) has no ( before it'],
    ['*a', '* can’t be there'],
    ['[]', 'between [ and ] are letters'],
    ['[é]', 'between [ and ] are letters'],
    ['a{3,2}', 'wrong way round'],
    ['\\w', '\\ can’t be there'],
    ['(a{99}){99}', 'it repeats too much'],
    [`()${'{99}'.repeat(20)}`, 'it repeats too much'],
    [`a{0}${'{99}'.repeat(20)}`, 'it repeats too much'],
    ['a'.repeat(101), 'more than 100 signs'],
  ])('says what is wrong with %j', (source, message) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
    expect(() => compilePattern(source)).toThrow(message);
  });
});
