import type { Log } from '../core/log.ts';

const STORE_TROUBLES = [
  /** Written by a later version of the program. */
  'store.newer',
  /** The folder or file can't be made, read or written, or the login is refused. */
  'store.denied',
  'store.full',
  /** Locked by another process for too long, or two transactions in each other's way: trying again helps. */
  'store.busy',
  /** Not a database of ours, or a damaged one. */
  'store.damaged',
  /** Nothing is left of a database that was there: only an operator can say whether to begin again. */
  'store.lost',
  /** No server, or it went away: trying again later helps. */
  'store.unreachable',
  /** Asked for something this engine can't do. */
  'store.unable',
] as const;
export type StoreTrouble = (typeof STORE_TROUBLES)[number];

/** A problem that an operator can solve: the message says how, and never holds a password. */
export class StoreError extends Error {
  readonly code: StoreTrouble;

  constructor(code: StoreTrouble, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** Logs a fault with its stack, but a `StoreError` by its message alone, since nothing needs tracing. */
export function logFault(log: Log, error: unknown, fields: object, message: string): void {
  const isExpected = error instanceof StoreError || !(error instanceof Error);
  log.error({ ...fields, error: isExpected ? messageOf(error) : (error.stack ?? error.message) }, message);
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
