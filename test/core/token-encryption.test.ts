import { describe, expect, it } from 'vitest';
import { TokenEncryption } from '../../src/core/token-encryption.ts';
import fc, { anyCharacter } from '../fakes/fast-check.ts';

const OLD = '00'.repeat(32);
const NEW = Buffer.alloc(32, 7).toString('base64');
const OWNER = 'slack:T1';

describe('token encryption', () => {
  it('decrypts to the same text, and encrypts it differently each time', () => {
    const encryption = new TokenEncryption([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const encrypted = encryption.encrypt(text, OWNER);
        expect(encryption.decrypt(encrypted, OWNER)).toBe(Buffer.from(text).toString());
        expect(encryption.encrypt(text, OWNER)).not.toBe(encrypted);
      }),
    );
  });

  it('decrypts with an old key while keys are changed, and recognises what it encrypted', () => {
    const encrypted = new TokenEncryption([OLD]).encrypt('token', OWNER);
    const both = new TokenEncryption([NEW, OLD]);
    expect(both.decrypt(encrypted, OWNER)).toBe('token');
    expect(both.usesOldKey(encrypted)).toBe(true);
    expect(both.usesOldKey(both.encrypt('token', OWNER))).toBe(false);
    expect(new TokenEncryption([NEW]).decrypt(encrypted, OWNER)).toBeUndefined();
  });

  it('does not decrypt a text that was moved to another row', () => {
    const encryption = new TokenEncryption([NEW]);
    expect(encryption.decrypt(encryption.encrypt('token', OWNER), 'slack:T2')).toBeUndefined();
  });

  it('does not decrypt a text with any character changed', () => {
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

  it.each([
    ['no key', []],
    ['a short key', ['abc']],
    ['31 bytes', ['00'.repeat(31)]],
  ])('rejects keys of the wrong length: %s', (_, keys) => {
    expect(() => new TokenEncryption(keys)).toThrow(/key/);
  });
});
