import type { Config } from '../../config/config.ts';
import type { About } from '../../core/about.ts';
import type { Log } from '../../core/log.ts';
import type { FleetOutlook } from '../observability/outlook.ts';

const SOURCES: Readonly<Record<Config['puzzle']['source'], string>> = {
  newspaper: 'the newspaper',
  house: 'the house: boards made up here, without a request to anyone',
  off: 'off: only what people type',
};

/** What this process is, before it opens anything. */
export function sayStart({ role, puzzle, notices }: Config, log: Log, about: About, store: string): void {
  log.info(
    { version: about.version, node: process.versions.node },
    `Letter Boxed bot ${about.version} on Node ${process.versions.node}, role ${role}`,
  );
  for (const notice of notices) log.warn({}, notice);
  log.info({ store }, `store: ${store}`);
  const at = puzzle.newspaperUrl === undefined ? '' : ` at ${new URL(puzzle.newspaperUrl).host}`;
  log.info({ source: puzzle.source }, `puzzle of the day: ${SOURCES[puzzle.source]}${at}`);
}

/** What it is to do, once everything is open. */
export function sayOutlook(log: Log, { places, still, next }: FleetOutlook): void {
  const others = still === 0 ? '' : `, ${still} paused or resting`;
  if (next === undefined) {
    log.info({ places, still }, `daily threads: ${places}${others}; nothing to post`);
    return;
  }
  const { at, step, tenant, channel } = next;
  const when = new Date(at).toISOString();
  log.info(
    { places, still, next: { at: when, step, tenant, place: channel } },
    `daily threads: ${places}${others}; next post ${when.slice(0, 16).replace('T', ' ')} UTC (${step})`,
  );
}
