import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StoreError } from '../../../src/core/errors.ts';
import { openStoreOf, stopOnSignals } from '../../../src/operations/lifecycle/process.ts';
import { openStore, SQLITE_FILE } from '../../../src/store/store.ts';
import { makeFolder } from '../../fakes/folder.ts';

function running(stop: () => Promise<void>, timeout?: number, echo?: number) {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const exited = Promise.withResolvers<number>();
  const said: string[] = [];
  const say = (_: object, message: string) => void said.push(message);
  const end = stopOnSignals({
    stop,
    log: { debug: say, info: say, warn: say, error: say },
    exit(status) {
      exits.push(status);
      exited.resolve(status);
    },
    signals,
    timeout,
    echo,
  });
  return { signals, exits, exited: exited.promise, said, end };
}

describe('the process stops', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('in good order at the first %s', async (signal) => {
    let stopped = 0;
    const { signals, exited } = running(async () => void stopped++);
    signals.emit(signal);
    expect(await exited).toBe(0);
    expect(stopped).toBe(1);
  });

  it('at once at the second signal', () => {
    const { signals, exits } = running(() => new Promise(() => {}));
    signals.emit('SIGTERM');
    expect(exits).toEqual([]);
    signals.emit('SIGTERM');
    expect(exits).toEqual([143]);
    signals.emit('SIGINT');
    signals.emit('SIGHUP');
    expect(exits).toEqual([143, 130, 129]);
  });

  it('but not at once when the first signal comes twice', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { signals, exits } = running(() => new Promise(() => {}), 600_000, 60_000);
    vi.advanceTimersByTime(600_000);
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    expect(exits).toEqual([]);
    vi.advanceTimersByTime(60_000);
    signals.emit('SIGINT');
    expect(exits).toEqual([130]);
  });

  it('without waiting for what does not end in time, and says so', async () => {
    const { signals, exited, said } = running(() => new Promise(() => {}), 5);
    signals.emit('SIGTERM');
    expect(await exited).toBe(1);
    expect(said.at(-1)).toContain('not everything ended in time');
  });

  it('with an error status when stopping fails, or when that was asked for', async () => {
    const failing = running(() => Promise.reject(new Error('stuck')));
    failing.signals.emit('SIGTERM');
    expect(await failing.exited).toBe(1);
    const asked = running(async () => {});
    asked.end(1);
    asked.end(0);
    expect(await asked.exited).toBe(1);
    expect(asked.exits).toEqual([1]);
  });
});

it('a temporary store is gone once it is closed', async () => {
  const folder = makeFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const { close } = await openStoreOf({ kind: 'temporary' }, log, () => {});
  expect(readdirSync(folder)).toHaveLength(1);
  await close();
  expect(readdirSync(folder)).toEqual([]);
});

it('a store that cannot be opened ends the start, and is no outage', async () => {
  const said: string[] = [];
  const say = (_: object, message: string) => void said.push(message);
  const log = { debug: say, info: say, warn: say, error: say };
  const dataDir = makeFolder();
  const config = { kind: 'postgres', databaseUrl: 'postgres://user@127.0.0.1:1/none', dataDir } as const;
  await expect(openStoreOf(config, log, () => {})).rejects.toThrow(StoreError);
  expect(said).toEqual([]);
  await (await openStore({ dataDir })).close();
  await expect(openStoreOf(config, log, () => {})).rejects.toThrow(StoreError);
  expect(said).toEqual([expect.stringContaining(`${SQLITE_FILE} is not used while DATABASE_URL is set`)]);
});
