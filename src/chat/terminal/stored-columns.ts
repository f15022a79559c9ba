import * as v from 'valibot';
import { isReadableRecord } from '../../daily/delivery/record.ts';
import { isReadableSettings } from '../../daily/settings/settings.ts';
import { savedWords } from '../../play/saved-game.ts';
import { appraisalSchema, postedSchema } from '../../players/challenges/challenge.ts';
import { parseStoredRelay } from '../../players/relay/game-store.ts';
import { puzzleSchema } from '../../puzzle/repository.ts';
import type { StoredColumn } from '../../store/check-store.ts';
import { lengthsSchema, pathSchema } from '../../store/tables/result-row.ts';

const isPuzzle = (value: unknown) => v.is(puzzleSchema, value);
const CHALLENGE = ['tenant', 'channel', 'board'];
const RESULT = ['tenant', 'person', 'channel', 'date'];

/**
 * Every column with JSON, read as the program reads it. What nobody can read is repaired where nothing is lost by
 * that: puzzles are fetched or generated again, games of such states are over. Of a delivery's record only a person
 * can say what was posted.
 */
export const STORED_COLUMNS: readonly StoredColumn[] = [
  { table: 'puzzle', key: ['date', 'source'], column: 'puzzle', isReadable: isPuzzle, repair: 'delete' },
  {
    table: 'handBoard',
    key: ['tenant', 'channel', 'date'],
    column: 'puzzle',
    isReadable: isPuzzle,
    repair: 'delete',
  },
  {
    table: 'soloGame',
    key: ['tenant', 'person', 'board'],
    column: 'state',
    isReadable: (value) => savedWords(value) !== undefined,
    repair: 'delete',
  },
  {
    table: 'challenge',
    key: CHALLENGE,
    column: 'appraisal',
    isReadable: (value) => v.is(appraisalSchema, value),
    repair: 'delete',
  },
  {
    table: 'challenge',
    key: CHALLENGE,
    column: 'posted',
    isReadable: (value) => v.is(postedSchema, value),
    repair: 'empty',
  },
  {
    table: 'game',
    key: ['tenant', 'thread'],
    column: 'state',
    isReadable: (value) => parseStoredRelay(value) !== undefined,
    repair: 'delete',
  },
  {
    table: 'result',
    key: RESULT,
    column: 'path',
    isReadable: (value) => v.is(pathSchema, value),
    repair: 'empty',
  },
  { table: 'result', key: RESULT, column: 'lengths', isReadable: (value) => v.is(lengthsSchema, value) },
  { table: 'subscription', key: ['tenant', 'channel'], column: 'settings', isReadable: isReadableSettings },
  {
    table: 'delivery',
    key: ['tenant', 'channel', 'date', 'step'],
    column: 'posted',
    isReadable: isReadableRecord,
  },
];
