import { describe, expect, it } from 'vitest';
import { signatureProblem } from '../../../../src/chat/slack/receive/signature.ts';
import { MINUTE } from '../../../../src/core/clock.ts';
import { signatureHeaders } from '../../../fakes/slack/signature.ts';

const NOW = Date.parse('2026-11-20T17:00:00Z');
const SECRET = 'a secret';
const BODY = 'command=%2Fletterboxed&text=hint';

function signed({ secret = SECRET, body = BODY, at = NOW } = {}) {
  const headers = signatureHeaders(secret, body, at);
  return {
    timestamp: headers['x-slack-request-timestamp'],
    signature: headers['x-slack-signature'],
    body: Buffer.from(body),
  };
}
const judge = (request: ReturnType<typeof signed>, secrets = [SECRET]) =>
  signatureProblem(request, secrets, NOW);

describe('the signature of a request', () => {
  it('is accepted as Slack makes it, with any characters in the body', () => {
    expect(judge(signed())).toBeUndefined();
    expect(judge(signed({ body: 'text=Größe ☃ 𝔏' }))).toBeUndefined();
  });

  it('may be made with either secret while they are changed, and with no other', () => {
    expect(judge(signed({ secret: 'old' }), ['new', 'old'])).toBeUndefined();
    expect(judge(signed({ secret: 'new' }), ['new', 'old'])).toBeUndefined();
    expect(judge(signed({ secret: 'other' }), ['new', 'old'])).toBe('signature');
    expect(judge(signed(), [])).toBe('signature');
  });

  it.each([
    ['5 minutes old', -5 * MINUTE, undefined],
    ['a second older', -5 * MINUTE - 1000, 'timestamp'],
    ['5 minutes from now', 5 * MINUTE, undefined],
    ['a second later', 5 * MINUTE + 1000, 'timestamp'],
    ['years from now', 1e12, 'timestamp'],
  ])('%s: %s', (_, off, problem) => {
    expect(judge(signed({ at: NOW + off }))).toBe(problem);
  });

  it('is refused when any byte of the body is changed', () => {
    const request = signed();
    for (let at = 0; at < request.body.length; at++) {
      const body = Buffer.from(request.body);
      body[at]! ^= 1;
      expect(judge({ ...request, body })).toBe('signature');
    }
    for (let at = 3; at < request.signature!.length; at++) {
      const wrong = request.signature![at] === '0' ? '1' : '0';
      const signature = request.signature!.slice(0, at) + wrong + request.signature!.slice(at + 1);
      expect(judge({ ...request, signature })).toBe('signature');
    }
    expect(judge({ ...request, timestamp: String(Number(request.timestamp) + 1) })).toBe('signature');
  });

  it.each([
    ['no timestamp', { timestamp: undefined }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['no version', { signature: '0'.repeat(64) }],
    ['another version', { signature: `v1=${'0'.repeat(64)}` }],
    ['too short a one', { signature: `v0=${'0'.repeat(63)}` }],
    ['two in one', { signature: `v0=${'0'.repeat(64)}, v0=${'0'.repeat(64)}` }],
    ['letters for a time', { timestamp: 'now' }],
    ['a time with a point', { timestamp: '1795194000.5' }],
    ['a negative time', { timestamp: '-1795194000' }],
  ])('%s', (_, change) => {
    expect(judge({ ...signed(), ...change } as ReturnType<typeof signed>)).toBe('headers');
  });
});
