import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Dispatcher, Prepared } from '../../dispatch/contract.ts';

const current = new AsyncLocalStorage<string>();
const BYTES = 4;

/** The id of the request that this code works for, if any: on its log lines, and told to people when it fails. */
export function requestId(): string | undefined {
  return current.getStore();
}

export function newRequestId(): string {
  return randomBytes(BYTES).toString('hex');
}

export function withRequestId<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** The same dispatcher, with an id for each request that goes through it. */
export function withRequestIds(dispatcher: Dispatcher): Dispatcher {
  const withNewId = (prepare: () => Prepared): Prepared => {
    const id = newRequestId();
    const prepared = withRequestId(id, prepare);
    if (prepared.kind !== 'answer') return prepared;
    return { ...prepared, run: () => withRequestId(id, prepared.run) };
  };
  return {
    ...dispatcher,
    prepare: (request) => withNewId(() => dispatcher.prepare(request)),
    prepareLine: (line, asker) => withNewId(() => dispatcher.prepareLine(line, asker)),
    dispatch: (request) => withRequestId(newRequestId(), () => dispatcher.dispatch(request)),
    dispatchLine: (line, asker) => withRequestId(newRequestId(), () => dispatcher.dispatchLine(line, asker)),
  };
}
