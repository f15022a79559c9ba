import { setFlagsFromString } from 'node:v8';

/**
 * A bot is idle most of the time. By default, V8 then keeps the garbage of busy seconds for hours: several times
 * the memory in use (measured by `npm run bench -- doors`). Answers take no longer with this flag.
 */
setFlagsFromString('--optimize-for-size');
/** Gives worker threads, which start later, a function to collect their garbage when they are idle. */
setFlagsFromString('--expose-gc');
