/** What a failed call means to the daily thread. What becomes of a day after it is in errors.test.ts. */

import { DiscordAPIError } from 'discord.js';
import { expect, test } from 'vitest';
import { postFailure } from '../../../src/chat/discord/errors.ts';

const broken = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
const refused = (code: number, status: number) =>
  new DiscordAPIError({ code, message: 'no' }, code, status, 'POST', '/channels/1/messages', {});

test.each([
  ['for which there was no connection', broken('UND_ERR_CONNECT_TIMEOUT'), 'later'],
  ['for which no address was found', broken('EAI_AGAIN'), 'later'],
  ['that got no answer', broken('UND_ERR_HEADERS_TIMEOUT'), 'unknown'],
  ['whose token was refused', refused(40001, 401), 'later'],
  ['that was refused for a reason we do not know', refused(99999, 403), 'refused'],
])('a post %s is tried again only as far as it was surely not sent', (_, error, kind) => {
  expect(postFailure(error).kind).toBe(kind);
});
