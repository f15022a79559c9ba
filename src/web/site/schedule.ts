import { lazyDownload } from './download.ts';

/** In browsers, this module replaces src/puzzle/house-schedule.ts: see `browser` in package.json. */
export const SCHEDULE_START = '2026-01-01';
export const readSchedule = lazyDownload('schedule.bin', (bytes) => new TextDecoder().decode(bytes));
