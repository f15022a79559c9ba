import { lazyDownload } from './download.ts';

/** In browsers, this module replaces src/puzzle/house-schedule.ts: see `browser` in package.json. */
export const readSchedule = lazyDownload('schedule.bin', (bytes) => new TextDecoder().decode(bytes));
