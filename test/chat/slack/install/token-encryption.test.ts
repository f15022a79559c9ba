import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTokenEncryption } from '../../../../src/chat/slack/install/token-encryption.ts';

const OLD = '00'.repeat(32);
const NEW = Buffer.alloc(32, 7).toString('base64');
const OWNER = 'slack:T1';

describe('sealed tokens', () => {
  it('open to the same text, and never look the same twice', () => {
    const seal = makeTokenEncryption([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sealed = seal.close(text, OWNER);
        expect(seal.open(sealed, OWNER)).toBe(Buffer.from(text).toString());
        expect(seal.close(text, OWNER)).not.toBe(sealed);
      }),
    );
  });

  it('hold nothing of the text', () => {
    expect(makeTokenEncryption([NEW]).close('xoxb-1-secret', OWNER)).not.toContain('secret');
  });

  it('open with an old key while keys are changed, and are known to be old', () => {
    const sealed = makeTokenEncryption([OLD]).close('token', OWNER);
    const both = makeTokenEncryption([NEW, OLD]);
    expect(both.open(sealed, OWNER)).toBe('token');
    expect(both.isOld(sealed)).toBe(true);
    expect(both.isOld(both.close('token', OWNER))).toBe(false);
    expect(makeTokenEncryption([NEW]).open(sealed, OWNER)).toBeUndefined();
  });

  it('belong to their owner: moved to another row they stay shut', () => {
    const seal = makeTokenEncryption([NEW]);
    expect(seal.open(seal.close('token', OWNER), 'slack:T2')).toBeUndefined();
  });

  it('stay shut with any character changed', () => {
    const seal = makeTokenEncryption([NEW]);
    const sealed = seal.close('token', OWNER);
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      // The last character of base64 may hold bits that mean nothing.
      const opened = seal.open(changed, OWNER);
      expect(
        opened === undefined ||
          Buffer.from(changed.split('.').at(-1)!, 'base64url').equals(
            Buffer.from(sealed.split('.').at(-1)!, 'base64url'),
          ),
      ).toBe(true);
    }
    for (const nonsense of ['', 'v1', 'v1.a.b.c.d', sealed.slice(0, -8)])
      expect(seal.open(nonsense, OWNER)).toBeUndefined();
  });

  it.each([
    ['nothing', []],
    ['a short one', ['abc']],
    ['31 bytes', ['00'.repeat(31)]],
  ])('need a proper key: %s', (_, keys) => {
    expect(() => makeTokenEncryption(keys)).toThrow(/key/);
  });
});
