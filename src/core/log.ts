import { AsyncLocalStorage } from 'node:async_hooks';

/** The part of pino that the rooms below `app` use. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const currentRequest = new AsyncLocalStorage<string>();

/** The id of the request being handled, if any: on its log lines, and shown to the person when it fails. */
export function requestId(): string | undefined {
  return currentRequest.getStore();
}

/** Everything that `handle` logs, however deep and however late, carries this id. */
export function withRequestId<Result>(id: string, handle: () => Result): Result {
  return currentRequest.run(id, handle);
}
