/**
 * What goes wrong between here and the app. `acted` says whether Slack did what was asked before the answer
 * was lost, which is what makes an outcome unknown.
 */
export type FaultKind =
  /** The connection is cut before the call is read. */
  | { readonly kind: 'drop' }
  /** Done, then the connection is cut without an answer. */
  | { readonly kind: 'lose' }
  /** Done, and half an answer is sent. */
  | { readonly kind: 'half' }
  /** Done, and the answer is sent twice. */
  | { readonly kind: 'twice' }
  | { readonly kind: 'hang'; readonly acted?: boolean }
  | { readonly kind: 'status'; readonly status: number; readonly acted?: boolean }
  | { readonly kind: 'error'; readonly error: string; readonly acted?: boolean }
  | { readonly kind: 'ratelimited'; readonly retryAfter: number }
  | { readonly kind: 'slow'; readonly milliseconds: number };

export interface FaultOptions {
  /** The method, such as `chat.postMessage`; `response` and `upload` for the other addresses. */
  readonly method: string;
  readonly times?: number;
  /** How many calls pass untouched before. */
  readonly after?: number;
}

export interface Faults {
  inject(fault: FaultKind & FaultOptions): void;
  clear(): void;
  take(method: string): FaultKind | undefined;
}

export function makeFaults(): Faults {
  let pending: { fault: FaultKind & FaultOptions; left: number; skip: number }[] = [];
  return {
    inject(fault) {
      pending.push({ fault, left: fault.times ?? 1, skip: fault.after ?? 0 });
    },
    clear() {
      pending = [];
    },
    take(method) {
      const entry = pending.find(({ fault }) => fault.method === method || fault.method === '*');
      if (entry === undefined) return undefined;
      if (entry.skip > 0) {
        entry.skip -= 1;
        return undefined;
      }
      entry.left -= 1;
      if (entry.left <= 0) pending = pending.filter((other) => other !== entry);
      return entry.fault;
    },
  };
}
