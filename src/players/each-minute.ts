import { MINUTE } from '../core/clock.ts';

/** Does something each minute, but never before the last time has ended. Returns a function that ends it. */
export function eachMinute(act: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isActing = false;
  const timer = setInterval(() => {
    // A platform that hangs may take longer than a minute.
    if (isActing) return;
    isActing = true;
    act()
      .catch(onError)
      .finally(() => {
        isActing = false;
      });
  }, MINUTE);
  return () => clearInterval(timer);
}
