/** What players get to see, in its largest forms, at every door. */
import { afterAll, describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/random.ts';
import { playMoves } from '../../../src/jobs/play-moves.ts';
import { anonymizePath } from '../../../src/players/results/results.ts';
import { addDays } from '../../../src/puzzle/calendar.ts';
import { type NamedBoard, namedBoardOf, namedBoardOfDay } from '../../../src/reply/model/named-board.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import {
  dayReviewBlocks,
  type MonthReview,
  monthReviewBlocks,
  monthReviewReply,
} from '../../../src/reply/replies/channel-reviews.ts';
import { gameReply } from '../../../src/reply/replies/game.ts';
import {
  boardListReply,
  closedReply,
  madeBoardReply,
  madeBoardStandingsReply,
  madeReply,
} from '../../../src/reply/replies/made-boards.ts';
import { exportReply, storedReply } from '../../../src/reply/replies/privacy.ts';
import { changedReply, raceReply } from '../../../src/reply/replies/race.ts';
import { relayInvitation, relayReply } from '../../../src/reply/replies/relay.ts';
import {
  misfitReply,
  reportedReply,
  sharedReply,
  solvedPlayReply,
  unreadMessageReply,
  unsolvedPlayReply,
} from '../../../src/reply/replies/result.ts';
import { standingsReply } from '../../../src/reply/replies/standings.ts';
import { statsReply } from '../../../src/reply/replies/stats.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { checkWords } from '../../../src/solver/check.ts';
import { makeSearch } from '../../../src/solver/search.ts';
import { makeTestApp } from '../../fakes/app.ts';
import { DOORS } from './doors.ts';

const world = await makeTestApp();
afterAll(() => world.close());

/** 8 sides of 3 letters, and a hundred words that go to and fro on it. */
const board = makeBoard(['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr', 'stu', 'vwx']);
const words = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 'adgjmps' : 'spmjgda'));
const path = words.map((word) => [...word].map((letter) => board.letters.indexOf(letter)));
const namedBoard = namedBoardOfDay({ board, date: '2026-11-20' });
const result = {
  date: '2026-11-20' as const,
  words: words.length,
  letters: 700,
  hints: 7,
  sinceOpening: 86_000_000,
  path: anonymizePath(board, path, new Random('large')),
};
/** An id as long as people's ids get. */
const person = (index: number) => `1${String(index).padStart(19, '0')}`;
const standings = Array.from({ length: 5000 }, (_, index) => ({
  rank: index + 1,
  person: person(index),
  days: 9999,
  afterSolution: 1,
  reported: 999,
  counted: 9998,
  words: 123_456,
  letters: 1_234_567,
  hints: 7654,
}));
const rows = standings.map(({ reported: _, ...row }) => ({ ...row, afterSolution: true as const }));
const legs = words.slice(0, 20).map((word, index) => ({ word, by: person(index) }));
const race = {
  madeAt: 0,
  most: 5,
  timesOutAt: 0,
  racers: legs.map(({ by }) => ({ person: by, letters: 3, words: 1 })),
};
const winner = { person: legs[0]!.by, words: legs.map(({ word }) => word), at: 5 };
const won = { end: 'won' as const, board: namedBoard.board, startsAt: 0, winner };
const relay = { namedBoard, legs, turns: true, hints: 99, timesOutAt: Date.UTC(2026, 10, 20) };
const month = { name: 'month', from: '2026-09-01' } as const;
const stored = {
  results: 9999,
  madeBoardResults: 9999,
  hints: 99_999,
  boards: 99,
  madeBoards: 99,
  settings: 99,
  games: 99,
  soloGames: 50,
  comparisons: 3,
  otherResults: 2000,
  finds: 2000,
  reminders: 99,
  hidden: true,
  listed: true,
  calm: true,
  inSummaries: true,
};

/** A game with buttons for as many letters as it can have. */
const full = namedBoardOf(makeBoard(['abcde', 'fghij', 'klmno', 'pqrst']));
/** A game with as many words as it takes, on the board of `words` or on any other with its first letters. */
function game(about: NamedBoard, isSolved = false): Reply {
  const judge = { words: [], isWord: () => true, isListExact: true };
  const input = { words: words.map((word) => (about === full ? word.replace(/[^adgjmps]/g, '') : word)) };
  const { refusal: _, ...state } = playMoves({
    board: about.board,
    saved: undefined,
    input,
    judge: () => judge,
  });
  const refusal = { code: 'too-many-words' } as const;
  const shown = { namedBoard: about, state: { ...state, isSolved, refusal }, isElsewhere: false };
  const solved = { words: 40, letters: 280, par: 2, day: { best: result, isOver: false, recorded: { beaten: result }, streak: { current: 9999 }, rank: { rank: 999, of: 9999 } } }; // biome-ignore format: one line reads better
  return gameReply({ ...shown, ...(isSolved && { solved }) });
}

const madeBoard = {
  name: 'W'.repeat(30),
  board,
  appraisal: { par: 12, fewest: 8, difficulty: 'medium', everyday: 9 },
  madeBy: person(0),
  until: Date.UTC(2026, 10, 20),
  isOpen: true,
  page: `https://example.org/${'games/'.repeat(20)}board/abc-def-ghi-jkl-mno-pqr-stu-vwx`,
} as const;

const reported = { ...result, letters: 0, reported: true } as const;
const monthToReview: MonthReview = {
  from: '2026-11-01',
  days: Array.from({ length: 30 }, (_, index) => ({
    date: addDays('2026-11-01', index),
    people: index * 37,
    ranked: index * 37,
    words: index * 111 + (index === 12 ? 2_000 : 0),
  })),
  boards: 30,
  solved: 29,
  longest: 29,
  people: 9999,
  best: Array.from({ length: 5 }, (_, index) => ({
    rank: index + 1,
    person: person(index),
    days: 30,
    reported: 2,
    afterSolution: 5,
  })),
  names: true,
};

const REPLIES: Readonly<Record<string, Reply>> = {
  'a result': solvedPlayReply(namedBoard, words, { words: 40, letters: 280, par: 4, day: { best: result, isOver: false, recorded: { beaten: result }, streak: { current: 4 }, rank: { rank: 1000, of: 5000 } } }, false), // biome-ignore format: one line reads better
  'no result': unsolvedPlayReply({
    namedBoard,
    result: checkWords(board, words, makeSearch(board, []), () => false),
    isListExact: false,
    nextHint: { step: 'hardest', points: 1 },
  }),
  'a game with all its buttons': game(full),
  'a game of a large board': game(namedBoard),
  'a game solved': game(full, true),
  'a shared result': sharedReply(namedBoard, person(0), result),
  standings: standingsReply({ period: month, previousPeriod: month, standings, page: 250 }),
  stats: statsReply({ streak: { current: 9999, longest: 9999, isTodaySolved: false, freezes: 2, frozen: ['2026-11-12'] }, solved: 9999, afterDay: 99, reported: 99, afterSolution: 99, words: 3.21, letters: 20.123, hints: 1.2, withoutHints: 999, best: result, byWords: words.map((_, index) => ({ words: index + 1, times: 10 * index + 1 })) }, { rank: 999, of: 9999 }), // biome-ignore format: one line reads better
  'a reported result': reportedReply({ namedBoard, result: reported, said: { hints: 0 }, beaten: reported }),
  'a message without a result': unreadMessageReply(namedBoard),
  'a message with notation of another board': misfitReply(namedBoard, 'S is not on this board.'),
  'the closing of a day and a month': {
    title: 'That was the board of Monday, November 30, 2026',
    blocks: [
      ...dayReviewBlocks({
        line: '9,999 people solved it.',
        results: Array.from({ length: 9999 }, (_, index) => ({
          ...result,
          person: person(index),
          rank: index + 1,
        })),
        names: true,
        streak: { current: 9999 },
        solutions: 999,
        recap: { hardest: ['z'], unfound: words },
        paths: [result.path, result.path, result.path],
      }),
      ...monthReviewBlocks(monthToReview),
    ],
    audience: 'everyone',
  },
  'the review of a month': monthReviewReply(monthToReview, '2026-10-01'),
  'a relay': relayReply(relay, 'everyone'),
  'a relay solved': relayReply({ ...relay, end: 'solved' }, 'everyone'),
  'a relay timed out': relayReply({ ...relay, end: 'timed-out' }, 'everyone'),
  'a made board': madeBoardReply(madeBoard),
  'a madeBoard closed': closedReply(madeBoard, { best: rows }, []),
  'standings of a made board': madeBoardStandingsReply({ madeBoard, rows, asker: person(0), mayClose: true, page: 250 }), // biome-ignore format: one line reads better
  'a board that was made': madeReply(madeBoard, 'unposted'),
  'boards of a channel': boardListReply(Array.from({ length: 100 }, () => ({ ...madeBoard, solvers: 9999 })), 20), // biome-ignore format: one line reads better
  'an invitation': relayInvitation(namedBoard),
  'a race that waits': raceReply(race, 'everyone'),
  'a race that is on': raceReply({ ...race, board: namedBoard.board, startsAt: 0 }, 'everyone'),
  'a race that was won': raceReply({ ...race, ...won }, 'everyone'),
  'a race that is over': raceReply({ ...race, end: 'timed-out' }, 'everyone'),
  'a start': changedReply('start', { madeAt: 0, startsAt: 0 }),
  'what is stored': storedReply([stored]),
  'all that is stored': exportReply(JSON.stringify({ stored: 'x'.repeat(300_000) }), {
    part: 1,
    hasMore: true,
  }),
};

describe.each(DOORS.map((door) => [door.name, door] as const))('%s takes', (_, door) => {
  test.each(Object.entries(REPLIES))('%s', async (_, reply) => {
    const { problems, open } = await door.show(reply, world.app);
    expect(problems).toEqual([]);
    expect(open).toContain(reply.title.slice(0, 12));
  });
});
