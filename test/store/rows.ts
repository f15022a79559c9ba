import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SQLITE_FILE, type Store } from '../../src/store/store.ts';
import { exportOf, stepsSeen } from '../fakes/stored.ts';

const TENANT = 'local:crash';
const PUZZLE = '2026-11-20';
const NEVER = 9e15;
/** More than are ever written, however quick the machine is: by default the store deletes the oldest of a thousand. */
const ALL = 1e9;

/** A numbered row; every third is a game of several rows in one transaction, to be seen whole or not at all. */
export async function writeRow(store: Store, person: string, number: number): Promise<void> {
  const { hints, games } = store.tenant(TENANT);
  if (number % 3 !== 0) return hints.record(person, PUZZLE, [`${number}`], { at: number, most: ALL });
  const game = await games.get(person, 0);
  const people = [`a${number}`, `b${number}`, `c${number}`];
  const version = game?.version ?? 0;
  const saved = await games.save(person, { state: number, people, version, expiresAt: NEVER, now: 0 });
  if (!saved) throw new Error(`game ${number} was not saved over version ${version}`);
}

/** The highest number written. Throws if a row before it is missing, or a game is there in part. */
export async function readRows(store: Store, person: string): Promise<number> {
  const { games } = store.tenant(TENANT);
  const seen = (await stepsSeen(store, TENANT, person, PUZZLE)).map(Number);
  const game = await games.get(person, 0);
  const state = (game?.state as number | undefined) ?? 0;
  const last = Math.max(state, seen.at(-1) ?? 0);
  const expected = Array.from({ length: last }, (_, index) => index + 1).filter((number) => number % 3 !== 0);
  if (seen.join() !== expected.join()) throw new Error(`rows are missing below ${last}: ${seen}`);
  if (state !== last - (last % 3)) throw new Error(`the game is at ${state}, and rows go up to ${last}`);
  for (const number of [state, state - 3])
    for (const name of ['a', 'b', 'c']) {
      const data = await exportOf(store, TENANT, `${name}${number}`);
      const isPlayer = data?.games.some(({ thread }) => thread === person) ?? false;
      if (isPlayer !== (number === state && number > 0))
        throw new Error(`the game of ${state} is there in part`);
    }
  return last;
}

export function checkIntegrity(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  const { integrity_check: found } = database.prepare('pragma integrity_check').get()!;
  database.close();
  if (found !== 'ok') throw new Error(`the database is damaged: ${found}`);
}
