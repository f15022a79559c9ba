import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Tokens go into the store sealed, so that a copy of the database opens no workspace. */
export interface TokenEncryption {
  /** @param owner binds the text to its row: moved to another, it can't be opened. */
  close(text: string, owner: string): string;
  /** Undefined when none of the keys fits, or a byte was changed. */
  open(sealed: string, owner: string): string | undefined;
  /** Sealed with an older key, and better sealed anew. */
  isOld(sealed: string): boolean;
}

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/**
 * AES-256-GCM with the first key; the others still open what they sealed, while keys are changed.
 *
 * @param keys 32 bytes each, as 64 hexadecimal digits or base64
 */
export function makeTokenEncryption(keys: readonly string[]): TokenEncryption {
  const ring = keys.map((text) => {
    const key = readKey(text);
    return { key, name: createHash('sha256').update(key).digest('hex').slice(0, 8) };
  });
  const [first] = ring;
  if (first === undefined) throw new RangeError('at least one key is needed to seal tokens');

  return {
    close(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first.key, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url'));
      return [VERSION, first.name, ...parts].join('.');
    },

    open(sealed, owner) {
      const [version, name, ...parts] = sealed.split('.');
      const entry = ring.find((one) => one.name === name);
      const [nonce, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (version !== VERSION || !entry || !nonce || !tag || !body) return undefined;
      try {
        const decipher = createDecipheriv(CIPHER, entry.key, nonce, { authTagLength: 16 });
        decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },

    isOld: (sealed) => sealed.split('.')[1] !== first.name,
  };
}

function readKey(text: string): Buffer {
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new RangeError(
    'a key to seal tokens is 32 random bytes, as 64 hexadecimal digits or base64; `openssl rand -hex 32` makes one',
  );
}
