import type { Action } from '../reply/model/types.ts';

/** The row for words that are played: `typed`, so in the relay of the thread or in one's own game. */
export const MOVE_KEY = 'play words:{words} typed:yes';

/**
 * What people wish for: `COMMAND OPTIONS = LABEL`. `{date}` is a value that their line names (`Values`); the wish needs it if
 * the label has it outside of `[ ]`. The mark before a row:
 * - `!` it is only offered, as a button with its label: what others see, and most of what changes settings
 * - `-` it is offered, since people may mean something else, unless a line surely wishes for it
 * - none: it runs at once (hints tell their price, and *Erase* asks before it erases), or `say` answers with its label
 *
 * Which lines mean a row is learned from examples (`wish-model.ts`).
 */
const WISH_TABLE = `
hint date:{date} sides:{board} = Hint[ for {date}]
hint number:{number} date:{date} = Hint {number}
hint step:count date:{date} sides:{board} = Words needed
hint step:start date:{date} sides:{board} = Start letters
hint step:first date:{date} sides:{board} = First word
hint step:lengths date:{date} sides:{board} = Word lengths
hint step:joint date:{date} sides:{board} = The letter that joins the words
hint step:meaning date:{date} sides:{board} = What the words mean
hint step:hardest date:{date} sides:{board} = Hardest letters
hint step:letters date:{date} sides:{board} = First and last letters
hint words:{words} date:{date} sides:{board} = Hint after {words}
next words:{words} date:{date} sides:{board} = Best word after {words}
next = Best next word
check words:{words} date:{date} sides:{board} = Check {words}
words starts:{starts} ends:{ends} uses:{uses} pattern:{without} length:{length} date:{date} sides:{board} = Words[ that start with {starts}][ that end with {ends}][ with {uses}][ without {without}][ of {length} letters]
words sort:length date:{date} sides:{board} = The longest words
words sort:coverage date:{date} sides:{board} = Words with the most letters
words date:{date} sides:{board} = All words
reveal date:{date} = The solution[ of {date}]
solve sides:{board} most:{number} = Solve {board}
-solve date:today words:{number} = Solutions of {number} words
today date:{date} = The board[ of {date}]
play date:{date} sides:{board} = Play[ {date}]
${MOVE_KEY} = Play {words}
-play start-over:yes date:{date} = Start over
play ask:back typed:yes = Take back
archive = Past boards
generate = A new board
generate difficulty:easy = An easy board
generate difficulty:hard = A hard board
!relay word:start sides:{board} date:{date} = Start a relay, one word each
!race = Race on a new board
!board do:make sides:{board} = Make a board for this channel
board do:list = Boards made here
review date:{date} = How you did[ on {date}]
stats = Your results
leaderboard = Leaderboard
leaderboard period:day date:{date} = Who solved it[ on {date}]
leaderboard period:week date:last = Last week
leaderboard period:month date:last = Last month
leaderboard period:month = This month
leaderboard period:week = This week
leaderboard period:all = All time
leaderboard games:yes = Other games
missing = Who is missing
!share date:{date} = Show everyone your result[ of {date}]
!record message:{line} = Add it to your results
hunt date:{date} = Other solutions
remind at:{time} zone:{zone} = Remind you[ at {time}][ {zone} time]
remind = Your reminder
-remind off:yes = No more reminders
!calm do:on = No streaks, ranks or reminders for you
!calm do:off = Streaks and ranks again
privacy = What is stored about you
privacy do:export = Your data as a file
privacy do:delete = Erase your data
-privacy do:hide = Hide from leaderboards
-privacy do:unhide = Be on leaderboards again
help = Help
help command:{command} = What {command} does
about = About this bot
daily do:show = The settings
!daily do:on opening:{time} zone:{zone} = Post a board here every day[ at {time}][ {zone} time]
!daily do:steps = Choose the hints of the thread
!daily do:off = Stop the daily thread
!daily opening:{time} zone:{zone} = Open the thread at {time}[ {zone} time]
!daily zone:{zone} = Set the zone to {zone}
!daily solution:{time} = Post the solution at {time}
!daily solution:off = Never post the solution
!daily steps:none = Post no hints in the thread
!daily count:{time} = Post the words needed at {time}
!daily do:pause until:{until} = Pause the daily thread[ {until}]
!daily weekends:off = No thread on weekends
!daily weekends:on = A thread on weekends, too
!daily quiet:on = Post without notifications
!daily quiet:off = Post with notifications
!daily do:test = See a whole day now, only you
!daily source:house = Post the house’s own boards
!daily source:newspaper = Post the newspaper’s boards
!daily do:here = Move the daily thread to this channel
say par = Par is a good number of words for a board. Fewer is even better.
say seen = Only you see your hints and the words that you play. Others see your result on the leaderboard.
say points = Each hint costs hint points, and the more it tells, the more it costs. Of two results with as many words and letters, the one with fewer points comes first.
say list = A word has at least 3 letters, and the game’s list decides which count: no names.
say games = I play only Letter Boxed. To rank your result of another daily game, type record and paste it.
say picture = I read screenshots of boards, too: paste one into the local chat, choose it as the picture of solve on Discord or in the form of solve on Slack, or name its file in the terminal.
say thanks = You’re welcome!
say friendly = I’m here! Type a word to play it, or help.
`;

/** What a line may name, with the letter by which the model knows it. */
export const VALUES = {
  board: 'B',
  command: 'C',
  date: 'D',
  /** Letters that words end with. */
  ends: 'E',
  /** How many letters words have. */
  length: 'K',
  /** The whole line, for a result that it reports. Every line has this value, so a letter would tell the model nothing. */
  line: '',
  number: 'N',
  /** Letters that words start with. */
  starts: 'S',
  time: 'T',
  /** Until when, or for how long. */
  until: 'U',
  /** Letters that words have. */
  uses: 'L',
  /** A pattern of words that lack letters. */
  without: 'X',
  /** Words to play or to check, with commas between them. */
  words: 'W',
  zone: 'Z',
} as const;
export type Value = keyof typeof VALUES;
export type Values = Partial<Record<Value, string>>;

export interface WishRow {
  /** Its command with its options, as in the table. */
  readonly key: string;
  readonly label: string;
  /** Its options have `{date}` and the like in place of values. Left out of a row that begins with `say`. */
  readonly action?: Action;
  /** How likely it has to be to be done rather than offered. */
  readonly leastOdds: number;
  /** Without these it is no wish. */
  readonly needs: readonly Value[];
}

/** A part of a label that is left out where its value is missing. */
export const OPTIONAL_PART = /\[([^\]]*)\]/g;
/** The place of a value. */
export const PLACE = /\{(\w+)\}/g;

const LEAST_ODDS_OF_MARK: Readonly<Record<string, number>> = { '': 0, '-': 0.85, '!': Infinity };

/** The rows of the table, by their commands with options. */
export const wishRows: ReadonlyMap<string, WishRow> = new Map(
  WISH_TABLE.trim()
    .split('\n')
    .map((line): [string, WishRow] => {
      const [, mark = '', key = '', label = ''] = /^([!-]?)([^=]*) = (.*)$/.exec(line) ?? [];
      const [command = '', ...options] = key.split(' ');
      const action = { command, options: Object.fromEntries(options.map((one) => one.split(':'))) };
      const needs = valuesIn(label.replace(OPTIONAL_PART, ''));
      const leastOdds = LEAST_ODDS_OF_MARK[mark]!;
      return [key, { key, label, ...(command !== 'say' && { action }), leastOdds, needs }];
    }),
);

/** @example valuesIn('Words[ that end with {ends}]') // ['ends'] */
export function valuesIn(text: string): Value[] {
  return Array.from(text.matchAll(PLACE), ([, name]) => name as Value);
}

/** The inverse of `placeOf`; undefined for other texts. @example placedValue('{date}') // 'date' */
export function placedValue(text: unknown): Value | undefined {
  return /^\{(\w+)\}$/.exec(String(text))?.[1] as Value | undefined;
}

/** The place of a value, in the table and among the words of a line. */
export const placeOf = (value: Value) => `{${value}}`;
