import { LRUCache } from 'lru-cache';
import { atMost } from '../../../core/cache.ts';
import { TABLE_FORMS, type TableForm } from '../render/table.ts';

/** Workspaces of which is remembered that they don't take the best form. */
const MOST_WORKSPACES = 10_000;
/** Milliseconds after which the best form is tried again: Slack gives new blocks to one workspace after another. */
const REMEMBERED = 24 * 60 * 60_000;

/** The best form of a table that each workspace takes, as far as this process has seen. */
export class TableForms {
  readonly #known: LRUCache<string, TableForm>;

  /** @param now milliseconds of a clock that may be moved */
  constructor(now: () => number) {
    this.#known = new LRUCache({
      ...atMost(MOST_WORKSPACES),
      ttl: REMEMBERED,
      ttlResolution: 0,
      perf: { now },
    });
  }

  of(team: string): TableForm {
    return this.#known.get(team) ?? TABLE_FORMS[0];
  }

  /** The workspace took this form after it had refused those before it. */
  took(team: string, form: TableForm): void {
    this.#known.set(team, form);
  }
}
