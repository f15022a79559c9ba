/** Steps in which `timeoutAwake` counts. */
const STEPS = 10;

/**
 * Aborts a request after a time, of which a standstill of the process counts as a tenth at most: a request that waited to be
 * sent goes out after the standstill, and its answer must be read. Otherwise nobody would know of the post.
 */
export function timeoutAwake(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  let left = STEPS;
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    controller.abort();
  }, milliseconds / STEPS);
  timer.unref();
  return controller.signal;
}
