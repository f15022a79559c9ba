import { expect, test } from 'vitest';
import { StoreError } from '../../src/core/errors.ts';
import { explainPostgres, isLost } from '../../src/store/engines/postgres.ts';
import { explainSqlite } from '../../src/store/engines/sqlite.ts';

const URL_WITH_SECRETS = 'postgres://user:hunter2@db.example:6432/letterboxed?sslmode=verify-full';

test.each([
  ['28P01', 'password authentication failed', 'store.denied', false],
  ['3D000', 'database does not exist', 'store.denied', false],
  ['42501', 'permission denied for schema public', 'store.denied', false],
  ['25006', 'cannot execute INSERT in a read-only transaction', 'store.denied', true],
  ['53100', 'could not extend file', 'store.full', false],
  ['53300', 'too many clients already', 'store.exhausted', false],
  ['55P03', 'canceling statement due to lock timeout', 'store.locked', false],
  ['40P01', 'deadlock detected', 'store.busy', false],
  ['40001', 'could not serialize access', 'store.busy', false],
  ['57P01', 'terminating connection due to administrator command', 'store.unreachable', true],
  ['57P03', 'the database system is starting up', 'store.unreachable', true],
  ['08006', 'connection failure', 'store.unreachable', true],
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'store.unreachable', true],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND', 'store.unreachable', true],
  ['EPIPE', 'write EPIPE', 'store.unreachable', true],
  [undefined, 'Connection terminated unexpectedly', 'store.unreachable', true],
  [undefined, 'timeout exceeded when trying to connect', 'store.unreachable', true],
  [undefined, 'Query read timeout', 'store.locked', true],
  [undefined, 'The server does not support SSL connections', 'store.unreachable', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'store.unreachable', true],
])('PostgreSQL %s (%s) is %s', (code, message, trouble, lost) => {
  const error = Object.assign(new Error(message), code === undefined ? {} : { code });
  expect(isLost(error)).toBe(lost);
  const explained = explainPostgres(error, URL_WITH_SECRETS) as StoreError;
  expect(explained).toBeInstanceOf(StoreError);
  expect(explained.code).toBe(trouble);
  expect(explained.message).toContain('db.example:6432/letterboxed');
  expect(explained.message).not.toMatch(/hunter2|user:/);
  expect(explained.cause).toBe(error);
});

test('a process that may open no more files says so, and what to raise', () => {
  const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
  const explained = explainPostgres(error, URL_WITH_SECRETS) as StoreError;
  expect(explained).toMatchObject({ code: 'store.exhausted', cause: error });
  expect(explained.message).toContain('LimitNOFILE');
});

test.each([
  [{ code: '23505', message: 'duplicate key' }],
  [{ message: "Cannot read properties of undefined (reading 'x')" }],
])('a fault of ours passes as it is: %o', (error) => {
  expect(explainPostgres(error, URL_WITH_SECRETS)).toBe(error);
  expect(isLost(error)).toBe(false);
  expect(explainSqlite(error, '/data/letterboxed.db')).toBe(error);
});

test.each([
  [5, 'store.busy'],
  [261, 'store.busy'],
  [8, 'store.denied'],
  [1032, 'store.denied'],
  [11, 'store.damaged'],
  [13, 'store.full'],
  [778, 'store.damaged'],
  [14, 'store.denied'],
  [26, 'store.damaged'],
])('SQLite result %i is %s', (errcode, trouble) => {
  const error = Object.assign(new Error('as SQLite says'), { code: 'ERR_SQLITE_ERROR', errcode });
  const explained = explainSqlite(error, '/tmp/letterboxed.db') as StoreError;
  expect(explained).toBeInstanceOf(StoreError);
  expect(explained.code).toBe(trouble);
  expect(explained.message).toContain('/tmp/letterboxed.db');
});
