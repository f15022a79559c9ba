import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { tenantKey } from '../../core/channel-ref.ts';
import type { DatabaseEngine, Db } from '../schema.ts';
import { deleteBeyond, putRow } from './rows.ts';

export interface ActionOwner {
  /** The caller's code for a person in a channel: ASCII without `~`, which `erase` relies on. */
  readonly id: string;
  /** The texts are erased with it. */
  readonly tenant: string;
  readonly most: number;
}

/** The end of the owners of a tenant: a checksum, as a private tenant is named after its person. */
export function ownerSuffix(tenant: string): string {
  return ` ${checksum(tenant)}`;
}

/**
 * The key of the mark that a channel is one person's conversation with the bot. A checksum, so that it names nobody who had their
 * data erased.
 */
export function conversationKey(tenant: string, channel: string): string {
  return tenantKey(tenant, `direct ${checksum(channel)}`);
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Texts under a short key, until they expire: mostly button actions that are too long for a platform, but also replies that
 * are shown again and files that were uploaded for a post.
 */
export function actionsTable(db: Db) {
  return {
    async get(key: string, now: number): Promise<string | undefined> {
      const row = await db
        .selectFrom('action')
        .select('action')
        .where('key', '=', key)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      return row?.action;
    },

    /**
     * Replaces the text of the key. Beyond `owner.most`, the owner's texts that expire first are deleted. The bot's own
     * texts have no owner.
     */
    async put(key: string, action: string, expiresAt: number, owner?: ActionOwner): Promise<void> {
      const named = owner === undefined ? null : owner.id + ownerSuffix(owner.tenant);
      await putRow(db, 'action', { key }, { action, expiresAt, owner: named });
      if (owner === undefined) return;
      const order = sql`expires_at desc, key`;
      await deleteBeyond(db, 'action', { owner: named }, order, owner.most);
    },

    /** Deletes the texts of owners whose id has this prefix. */
    async erase(ownerPrefix: string): Promise<void> {
      await db
        .deleteFrom('action')
        // A range, since LIKE would match any character for each _ of an id. `~` sorts after every character of an id.
        .where('owner', '>=', ownerPrefix)
        .where('owner', '<', `${ownerPrefix}~`)
        .execute();
    },
  };
}

/**
 * Markers that expire, such as of a processed event, so that a platform's retry is recognized, or of a taken slot of a limit.
 * Some expire a fixed time after a moment that is read back from them, such as when somebody's links were erased.
 */
export function eventsTable(db: Db) {
  return {
    /** True for the first caller to mark it. An expired marker does not count. */
    mark: (key: string, now: number, expiresAt: number): Promise<boolean> => mark(db, key, now, expiresAt),

    /**
     * Takes a place under each of some limits, or none at all: marks the first unmarked key of each list. Returns the first
     * list that has none left, if there is one.
     */
    markEach: (
      lists: readonly (readonly string[])[],
      now: number,
      expiresAt: number,
    ): Promise<number | undefined> =>
      db.transaction().execute(async (transaction) => {
        const marked: string[] = [];
        for (const [at, keys] of lists.entries()) {
          const key = await firstUnmarked(transaction, keys, now, expiresAt);
          if (key === undefined) {
            // Only an error would roll the transaction back.
            if (marked.length > 0)
              await transaction.deleteFrom('processedEvent').where('key', 'in', marked).execute();
            return at;
          }
          marked.push(key);
        }
        return undefined;
      }),

    async unmark(key: string): Promise<void> {
      await db.deleteFrom('processedEvent').where('key', '=', key).execute();
    },

    /** Extends a marker at least to this moment, or marks the key. */
    async extend(key: string, expiresAt: number): Promise<void> {
      const isSooner = sql<SqlBool>`processed_event.expires_at < ${expiresAt}`;
      await putRow(db, 'processedEvent', { key }, { expiresAt }, isSooner);
    },

    /** The moment until which a key is marked; undefined if it is not. */
    async markedUntil(key: string, now: number): Promise<number | undefined> {
      const row = await db
        .selectFrom('processedEvent')
        .select('expiresAt')
        .where('key', '=', key)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      return row?.expiresAt;
    },
  };
}

/** One statement, so that the database decides between two processes that mark at once. */
function mark(db: Db, key: string, now: number, expiresAt: number): Promise<boolean> {
  const isExpired = sql<SqlBool>`processed_event.expires_at <= ${now}`;
  return putRow(db, 'processedEvent', { key }, { expiresAt }, isExpired);
}

async function firstUnmarked(
  db: Db,
  keys: readonly string[],
  now: number,
  expiresAt: number,
): Promise<string | undefined> {
  for (const key of keys) if (await mark(db, key, now, expiresAt)) return key;
  return undefined;
}

/** Microseconds. A line of `paceTable` that is longer counts as empty. */
const MAX_LINE_US = 60 * 60 * 1_000_000;

/**
 * Lines of requests that wait for a rate which all processes of a database share. What is stored of a line is the moment at which
 * its last place ends, in microseconds of the database's own clock.
 */
export function paceTable(db: Db, engine: DatabaseEngine) {
  const sqlNow =
    engine === 'postgres'
      ? sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
      : sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`;
  const sqlAfter = (microseconds: number) => sql<number>`${sqlNow} + ${sql.lit(microseconds)}`;
  // A line that ended is empty, and ends now. So does one that ends too late: the database's clock was set back since.
  const sqlEnd = sql<number>`case when pace.ends_at between ${sqlNow} and ${sqlAfter(MAX_LINE_US)}
    then pace.ends_at else ${sqlNow} end`;

  /** Makes a line longer by some microseconds, unless it would then end later than `longest` from now. */
  const take = (line: string, microseconds: number, longest: number) =>
    db
      .insertInto('pace')
      .values({ line, endsAt: sqlAfter(microseconds) })
      .onConflict((conflict) =>
        conflict
          .column('line')
          .doUpdateSet({ endsAt: sql<number>`${sqlEnd} + ${sql.lit(microseconds)}` })
          .where(sql<SqlBool>`${sqlEnd} <= ${sqlAfter(longest - microseconds)}`),
      )
      .returning(sql<number>`ends_at - ${sqlNow}`.as('ahead'))
      .executeTakeFirst();

  return {
    /**
     * Takes the next place in a line, unless it would then be longer than an hour.
     *
     * @returns milliseconds until its end, or an hour
     */
    async reserve(line: string, perSecond: number): Promise<number> {
      const taken = await take(line, Math.round(1_000_000 / perSecond), MAX_LINE_US);
      return (taken?.ahead ?? MAX_LINE_US) / 1_000;
    },

    /** Takes the next place; false, without taking it, if the line has `most` places already. */
    async reserveUpTo(most: number, line: string, perSecond: number): Promise<boolean> {
      const place = Math.round(1_000_000 / perSecond);
      return (await take(line, place, most * place)) !== undefined;
    },

    /** Gives out no place in a line for this long, at most an hour. A line that is longer already stays as it is. */
    async pause(line: string, milliseconds: number): Promise<void> {
      const endsAt = sqlAfter(Math.min(milliseconds * 1_000, MAX_LINE_US));
      await putRow(db, 'pace', { line }, { endsAt }, sql<SqlBool>`${sqlEnd} < ${endsAt}`);
    },
  };
}
