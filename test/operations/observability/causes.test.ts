/** What an operator reads after 25 causes, and that docs/hosting.md explains each line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { webApi } from '@slack/bolt';
import { DiscordAPIError, HTTPError, type REST } from 'discord.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { OwnApplication } from '../../../src/chat/discord/application.ts';
import { afterWrite, postFailure } from '../../../src/chat/discord/errors.ts';
import { makeClient } from '../../../src/chat/discord/rest.ts';
import { REQUIREMENTS } from '../../../src/chat/discord/rights.ts';
import { Outage } from '../../../src/chat/outage.ts';
import { NotInstalled, postFailure as slackFailure, UNREADABLE } from '../../../src/chat/slack/errors.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/core/clock.ts';
import { endingOfError } from '../../../src/daily/delivery/deliver.ts';
import { suspend } from '../../../src/daily/suspension.ts';
import type { Poster, PostFailure } from '../../../src/dispatch/poster.ts';
import { explainDoor } from '../../../src/operations/lifecycle/doors.ts';
import { ClockWatch } from '../../../src/operations/lifecycle/erasing.ts';
import { watchedPoster } from '../../../src/operations/observability/metrics.ts';
import { StoreOutage } from '../../../src/operations/observability/store-outage.ts';
import { explainPostgres } from '../../../src/store/engines/postgres.ts';
import { explainSqlite, openDatabase } from '../../../src/store/engines/sqlite.ts';
import { makeFolder } from '../../fakes/folder.ts';

const URL_OF_POSTS = 'https://discord.com/api/v10/channels/123456/messages';
const PG = 'postgres://bot:s3cret@db:5432/bot';

/** An error of the network, as `fetch` throws it. */
const network = (code: string, more: object = {}) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...more }) });
const slackNetwork = (code: string, more: object = {}) =>
  new webApi.WebAPIRequestError(network(code, more) as Error);
const ofDiscord = (status: number, code: number, message = '') =>
  new DiscordAPIError(code === 0 ? ({} as never) : { code, message }, code, status, 'POST', URL_OF_POSTS, {});
const ofSlack = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });
const ofPostgres = (code: string, message = '') =>
  (explainPostgres(Object.assign(new Error(message), { code }), PG) as Error).message;

function makeLog() {
  const lines: string[] = [];
  const write = (_: object, message: string) => void lines.push(message);
  return { lines, log: { debug() {}, info: write, warn: write, error: write } };
}

/** What is logged when a poster fails like this. */
async function linesAfter(error: PostFailure): Promise<string> {
  const { lines, log } = makeLog();
  const outage = new Outage({ door: 'discord', log, what: 'Discord’s API', effect: '' });
  const poster = { door: 'discord', post: () => Promise.reject(error) } as unknown as Poster;
  const onFault = (_: string, { message, cause }: PostFailure) =>
    lines.push(`${message} ${(cause as Error).stack}`);
  await watchedPoster(poster, { onLimited() {}, onFault, outage })
    .post({} as never)
    .catch(() => undefined);
  expect(outage.since).toBeUndefined();
  return lines.join();
}

function lockedSqlite(): string {
  const file = join(makeFolder(), 'x.db');
  const holder = openDatabase(file);
  const other = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => {
    holder.close();
    other.close();
  });
  holder.exec('create table t (a)');
  holder.exec('begin immediate');
  let now = 0;
  const { lines, log } = makeLog();
  const elapsed = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const outage = new StoreOutage(log);
  for (; now < 240 * SECOND; now += MINUTE)
    try {
      other.exec('insert into t values (1)');
    } catch (error) {
      outage.failed(explainSqlite(error, file) as never);
    }
  elapsed.mockRestore();
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

function sqliteWithoutTables(): string {
  using database = new DatabaseSync(':memory:');
  try {
    database.exec('select * from delivery');
    return '';
  } catch (error) {
    return (explainSqlite(error, '/data/letterboxed.db') as Error).message;
  }
}

function afterJump(steps: (watch: ClockWatch, set: (ahead: number) => void) => void): string {
  let ahead = 0;
  const { lines, log } = makeLog();
  const watch = new ClockWatch({ clock: { now: () => ahead }, elapsed: { now: () => 0 }, log });
  steps(watch, (to) => {
    ahead = to;
  });
  return lines.join();
}

async function slackSocketsOff(): Promise<string> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { lines, log } = makeLog();
  const outage = new Outage({
    door: 'slack',
    log,
    what: 'Slack’s Socket Mode',
    effect: 'commands are not answered',
  });
  outage.begin('A connection could not be opened: DNS.');
  vi.advanceTimersByTime(200 * SECOND);
  vi.useRealTimers();
  outage.cancel();
  return lines.join();
}

async function withoutBot(): Promise<string> {
  const client = makeClient({ get: async () => ({ id: '1' }) } as unknown as REST);
  const application = new OwnApplication(client, { store: {} as never, log: makeLog().log });
  return application.botId().then(String, (error: unknown) => postFailure(error).message);
}

/** What is logged when a channel or a thread in it takes no post. */
async function afterRefusal(failure: PostFailure): Promise<string> {
  const { lines, log } = makeLog();
  endingOfError({ tools: { log }, claimed: { where: {} } } as never, failure);
  if (failure.kind !== 'refused') return lines.join();
  const subscriptions = { setState: async () => true, claimNotice: async () => false };
  const tools = { store: { tenant: () => ({ subscriptions }) }, log, now: () => 0 };
  await suspend({ tools, channel: { tenant: 'discord:1' } } as never, [REQUIREMENTS.channel]);
  return lines.join();
}

const dns = { hostname: 'discord.com' };
const CAUSES: readonly [cause: string, print: () => string | Promise<string>, line: string][] = [
  [
    'DNS',
    () => postFailure(network('ENOTFOUND', dns)).message,
    'Discord can’t be reached: DNS does not find discord.com',
  ],
  [
    'a firewall',
    () => postFailure(network('ECONNREFUSED', { address: '10.0.0.1', port: 443 })).message,
    'no connection to 10.0.0.1:443',
  ],
  [
    'an intercepting proxy',
    () => postFailure(network('SELF_SIGNED_CERT_IN_CHAIN')).message,
    'the certificate of the host is refused',
  ],
  [
    'a hanging platform',
    () => postFailure(new DOMException('This operation was aborted', 'AbortError')).message,
    'no answer in time',
  ],
  [
    'a hanging platform after a post',
    () => postFailure(afterWrite(network('UND_ERR_HEADERS_TIMEOUT'))).message,
    'no answer in time',
  ],
  ['too many open files', () => postFailure(network('EMFILE')).message, 'may open no more files'],
  [
    'Discord failing',
    () => postFailure(new HTTPError(503, 'no', 'POST', URL_OF_POSTS, {})).message,
    'Discord answered 503 to POST /channels/…/messages',
  ],
  [
    'a proxy refusing',
    () => postFailure(ofDiscord(404, 0)).message,
    'something that is not Discord answered 404 to POST /channels/…/messages',
  ],
  [
    'a proxy’s page',
    () => postFailure(afterWrite(new SyntaxError('Unexpected token <'))).message,
    'something answered that is not Discord',
  ],
  [
    'a limit of Discord',
    () => postFailure(ofDiscord(400, 30_033, 'Thread participants are at their most.')).message,
    'Discord said 30033: Thread participants are at their most, to POST',
  ],
  [
    'a missing permission',
    () => afterRefusal(postFailure(ofDiscord(403, 50_013, 'Missing Permissions'))),
    'the channel refuses posts: it is suspended until that changes',
  ],
  [
    'a thread that a moderator has locked',
    () => afterRefusal(postFailure(ofDiscord(400, 160_005, 'Thread is locked'))),
    'people have removed or locked the thread or message: this post is left out',
  ],
  ['a reset token', () => postFailure(ofDiscord(401, 0)).message, 'the token is refused (401)'],
  ['an application without a bot', withoutBot, 'Discord’s answer names no bot of this application'],
  [
    'a fault in a renderer',
    () => linesAfter(postFailure(new TypeError('x is not a function'))),
    'the bot itself failed (TypeError) TypeError: x is not a function\n    at',
  ],
  [
    'a store that fails under a post',
    () => linesAfter(postFailure(explainPostgres(network('ECONNREFUSED').cause, PG))),
    '',
  ],
  [
    'a fault at Slack',
    () => linesAfter(slackFailure(new RangeError('no'))),
    'the bot itself failed: RangeError',
  ],
  [
    'DNS at Slack',
    () => slackFailure(slackNetwork('EAI_AGAIN', { hostname: 'slack.com' })).message,
    'nothing was sent to Slack: DNS does not find slack.com',
  ],
  [
    'a proxy’s page at Slack',
    () => slackFailure(ofSlack(UNREADABLE)).message,
    'no answer from Slack: an answer that is not Slack’s',
  ],
  [
    'a refusal of Slack',
    () => slackFailure(ofSlack('restricted_action')).message,
    'Slack said restricted_action',
  ],
  [
    'dead Slack sockets',
    slackSocketsOff,
    'Slack’s Socket Mode has been out of reach for 2 minutes: commands are not answered. A connection could not be opened',
  ],
  ['a locked SQLite file', lockedSqlite, 'kept'],
  ['SQLite without tables', sqliteWithoutTables, 'Tables of /data/letterboxed.db are gone'],
  [
    'PostgreSQL without tables',
    () => ofPostgres('42P01', 'relation "delivery" does not exist'),
    'Tables of the bot at db:5432/bot are gone',
  ],
  [
    'a wrong folder',
    () => (explainSqlite({ code: 'EACCES' }, '/data/x.db') as Error).message,
    "can't be opened for writing",
  ],
  [
    'too many open files at the start',
    () =>
      (explainSqlite(Object.assign(new Error('too many'), { code: 'EMFILE' }), '/data/x.db') as Error)
        .message,
    'may open no more files',
  ],
  ['a full disk', () => ofPostgres('53100'), 'No room left'],
  ['PostgreSQL off', () => ofPostgres('ECONNREFUSED'), "PostgreSQL at db:5432/bot can't be reached"],
  ['a long lock in PostgreSQL', () => ofPostgres('55P03'), 'Something holds a lock in the database'],
  [
    'DNS at the start',
    () => explainDoor({ web: undefined }, { name: 'discord' } as never, network('ENOTFOUND', dns)),
    "The door discord can't be opened: DNS does not find discord.com (ENOTFOUND).",
  ],
  [
    'a jump of the clock',
    () =>
      afterJump((watch, set) => {
        set(25 * HOUR);
        watch.look();
      }),
    'the clock of this machine was set 25 hours ahead',
  ],
  ['a young process', () => afterJump((watch) => void watch.erasingTime()), 'nothing old is erased for now'],
];

const table = readFileSync('docs/hosting.md', 'utf8').split('### What a line means')[1]!.split('\n## ')[0]!;
/** The lines of the table, as patterns: … is whatever a line names there. */
const DOCUMENTED = table
  .split('\n')
  .filter((row) => row.startsWith('| `'))
  .flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, text]) => text!))
  .map((text) => new RegExp(text.replace(/[()?.]/g, '\\$&').replaceAll('…', '.*')));

it.each(CAUSES)('%s prints its own line, which docs/hosting.md explains', async (_, print, line) => {
  const printed = await print();
  expect(printed).toContain(line);
  expect(printed).not.toContain('s3cret');
  if (line !== '') expect(DOCUMENTED.filter((known) => known.test(printed))).not.toEqual([]);
});

it('docs/hosting.md explains no line that nothing prints', async () => {
  const printed = await Promise.all(CAUSES.map(([, print]) => print()));
  expect(DOCUMENTED.filter((known) => !printed.some((line) => known.test(line)))).toEqual([]);
});

it('a workspace without the app is none of the network', () => {
  expect(slackFailure(new NotInstalled('T1'))).toMatchObject({ kind: 'removed', isFault: false });
});
