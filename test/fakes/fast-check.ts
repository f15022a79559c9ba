/** Tests take fast-check from here, so that a draw never decides whether a change passes. */
import fc from 'fast-check';
import { IS_LONG, sample } from './sample.ts';

/** The same cases each time, and others for the long tests. The nightly run sets a seed of its own to find new ones. */
const seed = Number(process.env.FAST_CHECK_SEED ?? (IS_LONG ? 2 : 1));
fc.configureGlobal({ seed, numRuns: sample(100, 40) });

export default fc;
