/** A solver may be told to stop; the solver itself has no clock. */
export interface TimeLimit {
  /** Says true once the time is over. */
  readonly stop: () => boolean;
  /** The time begins anew. */
  restart(): void;
}

export function timeLimit(milliseconds: number, timer = () => performance.now()): TimeLimit {
  let end = timer() + milliseconds;
  return {
    stop: () => timer() > end,
    restart: () => {
      end = timer() + milliseconds;
    },
  };
}
