import { describe, expect, it } from 'vitest';
import { errorCode, errorCodes } from '../../src/core/errors.ts';

const coded = (code: unknown, more: object = {}) => Object.assign(new Error('failed'), { code, ...more });

describe('the code of an error', () => {
  it('is a text or a number, and is missing from anything else that is thrown', () => {
    expect(errorCode(coded('ENOENT'))).toBe('ENOENT');
    expect(errorCode(coded(10_008))).toBe(10_008);
    for (const thrown of [new Error('failed'), coded({}), undefined, null, 'ENOENT'])
      expect(errorCode(thrown)).toBeUndefined();
  });

  it('is read from the errors that it wraps, too, the outermost first and five at most', () => {
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
