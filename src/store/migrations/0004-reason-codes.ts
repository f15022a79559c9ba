import { type Kysely, sql } from 'kysely';
import type { Migration } from './migration.ts';

/** A reason as this migration writes it: a code and its data. Independent of what later versions read. */
type Reason = { readonly code: string; readonly [data: string]: unknown };

/** Sentences that earlier versions stored, word for word. */
const SENTENCES: ReadonlyMap<string, Reason> = new Map([
  ['the place was paused', { code: 'paused' }],
  ['the place could not be posted to', { code: 'suspended' }],
  ['the settings were changed after its time', { code: 'settings-changed' }],
  ['the daily thread was switched off here', { code: 'switched-off' }],
  ['the settings no longer ask for it', { code: 'step-not-wanted' }],
  ['there is no thread to close', { code: 'no-thread' }],
  ['the thread is long over', { code: 'thread-too-old' }],
  ['the operator skipped it', { code: 'skipped-by-operator' }],
  ['its puzzle is not out yet', { code: 'puzzle-not-out' }],
  ['the newspaper has no board yet', { code: 'newspaper-late' }],
  ['its thread is being opened', { code: 'thread-opening' }],
  ['waits for another step', { code: 'waits-for-step' }],
  ['something unexpected went wrong', { code: 'unexpected' }],
  ['the outcome of the last attempt is not known', { code: 'outcome-unknown' }],
]);
const PUZZLE_OVER = 'its puzzle was over before it could be posted';
const THREAD_NOT_OPENED = "this day's thread was not opened";
const MISSING = 'it lacks ';
const MERGED = 'told in one message with ';

/**
 * `off` becomes a state of its own, and reasons become codes with data instead of English sentences. A
 * sentence that is not one of the program's own, such as a platform's answer, is kept as it is.
 */
export const storeReasonCodes: Migration = async (db) => {
  const execute = (statement: string) => sql.raw(statement).execute(db);
  await execute(
    `update subscription set state = 'off', reason = null where state = 'paused' and reason = 'off'`,
  );
  await execute(`update subscription set reason = null where state = 'paused' and reason = 'paused'`);
  await execute(`update subscription set state = 'suspended' where state = 'resting'`);
  // Besides missing requirements, only a platform's refusal stopped a channel.
  await replaceReasons(db, 'subscription', (message) => ({ code: 'refused', message }));
  await replaceReasons(db, 'delivery', (text) => ({ code: 'other', text }));
};

/** Through a table of the different sentences, of which there are few, so that deliveries are read only once. */
async function replaceReasons(
  db: Kysely<unknown>,
  table: 'subscription' | 'delivery',
  makeOther: (text: string) => Reason,
): Promise<void> {
  const { rows } = await sql<{ reason: string }>`
    select distinct reason from ${sql.table(table)} where reason is not null`.execute(db);
  await sql`create table reason_code (sentence text primary key, code text not null)`.execute(db);
  for (const { reason } of rows) {
    const code = JSON.stringify(codeOf(reason, makeOther));
    await sql`insert into reason_code (sentence, code) values (${reason}, ${code})`.execute(db);
  }
  await sql`
    update ${sql.table(table)}
    set reason = (select code from reason_code where sentence = reason)
    where reason is not null`.execute(db);
  await sql`drop table reason_code`.execute(db);
}

function codeOf(sentence: string, makeOther: (text: string) => Reason): Reason {
  const known = SENTENCES.get(sentence);
  if (known !== undefined) return known;
  const nested = (text: string) => codeOf(text, (other) => ({ code: 'other', text: other }));
  const after = (start: string) => sentence.slice(start.length);
  if (sentence === PUZZLE_OVER) return { code: 'puzzle-over' };
  if (sentence.startsWith(`${PUZZLE_OVER}: `))
    return { code: 'puzzle-over', last: nested(after(`${PUZZLE_OVER}: `)) };
  if (sentence === THREAD_NOT_OPENED) return { code: 'thread-not-opened' };
  if (sentence.startsWith(`${THREAD_NOT_OPENED}: `))
    return { code: 'thread-not-opened', opening: nested(after(`${THREAD_NOT_OPENED}: `)) };
  if (sentence.startsWith(MISSING))
    return { code: 'missing-requirements', requirements: after(MISSING).split(', ') };
  if (sentence.startsWith(MERGED)) return { code: 'merged', step: after(MERGED) };
  return makeOther(sentence);
}
