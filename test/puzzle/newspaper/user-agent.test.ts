import { expect, test } from 'vitest';
import { userAgent } from '../../../src/puzzle/newspaper/user-agent.ts';

test.each([
  [{}, 'letterboxed-bot/1.2.0'],
  [{ contact: 'me@example.org' }, 'letterboxed-bot/1.2.0 (me@example.org)'],
  [{ homepage: 'https://example.org' }, 'letterboxed-bot/1.2.0 (+https://example.org)'],
  [
    { homepage: 'https://example.org', contact: 'me@example.org' },
    'letterboxed-bot/1.2.0 (+https://example.org; me@example.org)',
  ],
])('the newspaper is told %j and no address beyond', (known, expected) => {
  expect(userAgent({ version: '1.2.0', ...known })).toBe(expected);
});
