/**
 * Command lines, each with the phrases that mean it, which go on in indented lines. `…` stands for any text, which is put
 * into the command line. Polite words and articles are left out before a phrase is looked up.
 */
export const PHRASES = `
hint: another hint, next hint, more hints, more hint, one more hint, hints, hint me, stuck, i’m stuck, im stuck,
  i am stuck, clue, clues, another clue, next clue, help me out
hint count: how many words, how many words do i need, word count, words needed
hint start: first letter, start letters, starting letters, where do i start, where to start
reveal: spoiler, spoilers, spoil it, i give up, give up, giveup, see solution, reveal solution, reveal answer,
  today’s answer, today’s answers, today’s solution, today’s solutions
reveal yesterday: yesterday’s answer, yesterday’s answers, yesterday’s solution, yesterday’s solutions
today: show board, today’s board, today’s puzzle, today’s letters, today’s game, board of the day, todays board,
  todays puzzle, puzzle of the day, letters, par, good morning, show me the board, show me the puzzle, the board,
  the puzzle
today yesterday: yesterday, yesterday’s board, yesterday’s puzzle, yesterdays board
play: start, start game, new game, game, let’s play, lets play, play a game, play today’s board
generate: new board, new puzzle, another board, another puzzle, random board, random puzzle, make board,
  make puzzle, create board, create puzzle, make new board
generate easy: easy board, easier board, easy puzzle
generate hard: hard board, harder board, hard puzzle
solve today: solve today’s board, solve today’s puzzle, solve it, solve this, solve board, solve puzzle
solve …: solve this …, solve board …, solve puzzle …, answer for …, solution for …, solutions for …
check …: is … word, is … valid, is … ok, is … okay, is … allowed, is … in list, does … count, is … right,
  check my words …, check my solution …, check if … works, does … work, are … valid
next …: next after …, next word after …, what comes after …, what can i play after …, what goes after …,
  words after …, what’s next after …, what follows …
words: all words, word list, list words, possible words, which words are there, longest word, longest words
stats: score, my score, my stats, my streak, my statistics, statistics, how am i doing, my results
leaderboard: scoreboard, rankings, results, who is winning, who’s winning, who won, who is best
leaderboard week: week, this week, weekly, week’s results
leaderboard month: month, this month, monthly
leaderboard all: all time, of all time
share: share my result, share result, share it, my result, post my result, share my score, share score
record i solved it …: i solved it …, solved it …, i did it …, i got it …
record solved …: solved …, i solved …
remind: reminder, reminders, remind me, my reminder
remind …: remind me at …, remind me every day at …, remind me daily at …, reminder …, reminder at …
remind off: stop reminders, stop reminding me, no reminders, no more reminders, reminders off, turn off reminders,
  unsubscribe, remind me off, don’t remind me, cancel reminder
holiday: vacation, my vacation, days off
holiday off: vacation off, end vacation, vacation over, i’m back, cancel vacation
holiday …: vacation …, on vacation for …, away for …, i’m away for …, i’m on vacation for …, vacation for …
privacy: my data, delete my data, erase my data, forget me, export my data, what data do you have, gdpr
privacy hide: hide me, hide my name
help: rules, how do i play, how to play, how does this work, how does it work, instructions, menu, what can you do,
  command list, list commands, all commands, hello, hi, hey, what is this, help me
daily: daily settings, daily thread, thread settings, show settings
daily on: turn on, turn it on, switch on, daily start, enable
daily off: turn off, turn it off, switch off, daily stop, disable, stop posting
archive: old boards, old puzzles, past boards, past puzzles, previous boards, previous puzzles, earlier boards
relay: play together, team game, play with others, group game, play as a team
about: who made you, who made this, source code, credits
`;

const REST = '…';
/** Openings before the request itself. */
const ASKING =
  /^(?:(?:hey|ok|okay|please|pls|so|can you|could you|would you|can i|could i|may i|i want to|i want|i’d like to|i’d like|i would like|i need|give me|show me|tell me|get me|let me see|let me|give us|show us|what is|what was|what’s|whats|have|see|get|show) )+/;
const POLITE = /(?:,? (?:please|pls|plz|thanks|thank you|right now|now|for me|bot))+$/;
const ARTICLES = /(?<=^| )(?:the|a|an|some) (?=\p{L})/gu;
/** These take words, and PLEASE is one. */
const TAKES_WORDS = /^(?:check|play|next|relay|record|set|solve) /;

const WHOLE = new Map<string, string>();
const WITH_REST: { readonly before: string; readonly after: string; readonly line: string }[] = [];
for (const [, line = '', said = ''] of PHRASES.matchAll(/^(\S.*?): (.*(?:\n .*)*)$/gm)) {
  for (const phrase of said.split(/,\s+/)) {
    const [before = '', after] = phrase.split(REST);
    if (after === undefined) WHOLE.set(phrase, line);
    else WITH_REST.push({ before, after, line });
  }
}
// The most specific phrase wins: "remind me at …" before "remind …".
WITH_REST.sort(
  (one, other) => other.before.length + other.after.length - one.before.length - one.after.length,
);

/**
 * The command line behind a request that is phrased as to a person; undefined if only a plain line can be meant. If it is
 * not sure, it should count only where the line as typed means nothing.
 *
 * @example lineMeantBy('Can you remind me at 7pm?') // { line: 'remind 7pm', isSure: true }
 */
export function lineMeantBy(typed: string): { readonly line: string; readonly isSure: boolean } | undefined {
  if (typed.length > LONGEST) return undefined;
  const said = typed
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/\s+/g, ' ')
    .replace(/^ ?(?:[/@]?letterboxed )?|[ ?!.]+$/g, '');
  const asked = said.replace(ASKING, '');
  const core = TAKES_WORDS.test(asked) ? asked : asked.replace(POLITE, '');
  const plain = core.replace(ARTICLES, '');
  const line = WHOLE.get(said) ?? WHOLE.get(core) ?? WHOLE.get(plain) ?? withRest(plain);
  if (line !== undefined) return { line, isSure: true };
  return plain === said ? undefined : { line: plain, isSure: core !== asked };
}

/** No phrase is longer; what is longer is a board, words, or a paste. */
const LONGEST = 120;

function withRest(phrase: string): string | undefined {
  for (const { before, after, line } of WITH_REST) {
    if (!phrase.startsWith(before) || !phrase.endsWith(after)) continue;
    const rest = phrase.slice(before.length, phrase.length - after.length).trim();
    // Such as "next after rot", where AFTER is played before ROT.
    const isChained = TAKES_WORDS.test(before) && before.trimEnd().at(-1) === rest[0];
    if (rest !== '' && !isChained && phrase.length > before.length + after.length)
      return line.replace(REST, rest);
  }
  return undefined;
}
