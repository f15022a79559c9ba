import { setFlagsFromString } from 'node:v8';

/**
 * A bot waits most of its time. Left to itself, V8 lets garbage of busy seconds lie for hours: several times
 * what is in use (measured by `npm run bench -- discord slack`). Answers are as quick with this as without.
 */
setFlagsFromString('--optimize-for-size');
