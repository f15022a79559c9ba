import type { Database } from '../schema.ts';
import { personChannel } from './reminders.ts';
import { resultOf } from './results.ts';
import { parseJson, type TenantRows } from './rows.ts';

type PersonTable = Parameters<TenantRows['select']>[0];
type NameOf<Table extends keyof Database> = keyof Database[Table] & string;

/** A column that holds people, and what becomes of its rows when one of them asks for their data, or to be forgotten. */
export interface PersonColumn {
  readonly table: PersonTable;
  readonly column: string;
  /** What the column holds, if not the person's id. */
  readonly key?: (person: string) => string;
  /** The columns that an export shows. */
  readonly shows: readonly string[];
  /** The order of the rows in an export, which stays the same. */
  readonly order: readonly string[];
  readonly read?: (row: never) => object;
  /** Set where others rely on the rows: when somebody is forgotten, they stay without the name. */
  readonly staysWithoutName?: true;
}

/** Lets the compiler check the names of columns. */
function personColumn<Table extends PersonTable>(
  column: PersonColumn & {
    readonly table: Table;
    readonly column: NameOf<Table>;
    readonly shows: readonly (NameOf<Table> | `${NameOf<Table>} as at`)[];
    readonly order: readonly NameOf<Table>[];
  },
): PersonColumn {
  return column;
}

const withState = (row: { readonly state: string }) => ({ ...row, state: parseJson(row.state) });

/**
 * Every column that holds people, in the order of an export. What is exported, counted and erased follows from it. Three
 * tables have rules of their own in people.ts: `person`, whose row is not listed but shown as two flags, and `game` with
 * `gamePerson`, since the state of a game tells who played what.
 */
export const PERSON_COLUMNS = {
  hints: personColumn({
    table: 'hint',
    column: 'person',
    shows: ['puzzle', 'step', 'at'],
    order: ['at', 'puzzle', 'step'],
  }),
  results: personColumn({
    table: 'result',
    column: 'person',
    shows: [
      ...(['tenant', 'person', 'channel', 'date', 'words', 'letters', 'hints', 'solvedAt'] as const),
      ...(['sinceOpening', 'path', 'reported', 'message', 'solution'] as const),
    ],
    order: ['date', 'channel'],
    read: resultOf,
  }),
  /** Boards they typed for a channel. */
  boards: personColumn({
    table: 'handBoard',
    column: 'typedBy',
    shows: ['channel', 'date', 'puzzle', 'typedAt'],
    order: ['typedAt', 'channel', 'date'],
    read: (row: { readonly puzzle: string }) => ({ ...row, puzzle: parseJson(row.puzzle) }),
    staysWithoutName: true,
  }),
  settings: personColumn({
    table: 'subscription',
    column: 'setBy',
    shows: ['channel', 'setAt as at'],
    order: ['channel'],
    staysWithoutName: true,
  }),
  games: personColumn({ table: 'gamePerson', column: 'person', shows: ['thread'], order: ['thread'] }),
  soloGames: personColumn({
    table: 'soloGame',
    column: 'person',
    shows: ['board', 'state', 'playedAt as at'],
    order: ['playedAt', 'board'],
    read: withState,
  }),
  /** Boards they made for a channel. */
  madeBoards: personColumn({
    table: 'madeBoard',
    column: 'madeBy',
    shows: ['channel', 'sides', 'name', 'madeAt as at'],
    order: ['madeAt', 'channel', 'board'],
    staysWithoutName: true,
  }),
  madeBoardResults: personColumn({
    table: 'madeBoardResult',
    column: 'person',
    shows: ['channel', 'board', 'person', 'words', 'letters', 'hints', 'solvedAt'],
    order: ['solvedAt', 'channel', 'board'],
  }),
  reminders: personColumn({
    table: 'reminder',
    column: 'person',
    shows: ['channel', 'at', 'zone', 'setAt', 'nextAt', 'state'],
    order: ['channel'],
  }),
  /** Reminders that were sent, by the date of their puzzle. */
  reminded: personColumn({
    table: 'delivery',
    column: 'channel',
    key: personChannel,
    shows: ['date', 'state', 'doneAt as at'],
    order: ['date'],
  }),
  finds: personColumn({
    table: 'find',
    column: 'person',
    shows: ['channel', 'board', 'solution', 'foundAt as at'],
    order: ['foundAt', 'channel', 'board', 'solution'],
  }),
  holidays: personColumn({ table: 'holiday', column: 'person', shows: ['date'], order: ['date'] }),
} as const satisfies Record<string, PersonColumn>;

export type PersonKind = keyof typeof PERSON_COLUMNS;
export const PERSON_KINDS = Object.keys(PERSON_COLUMNS) as PersonKind[];
