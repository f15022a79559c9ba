/**
 * Command lines, each with the phrases that mean it, which continue in indented lines. They are in one place rather than
 * with their commands, since the terminal reads them without loading all commands. A line that is only `…` means the text in
 * the gap, read by itself. In a phrase, `…` matches any text, `_` a word and `#` a time; they fill the same signs of the
 * command line, in that order. Polite words and articles are removed before a phrase is looked up.
 */
const PHRASE_TABLE = `
hint: another hint, next hint, more hints, more hint, one more hint, hints, hint me, stuck, i’m stuck, im stuck,
  i am stuck, clue, clues, another clue, next clue, help me out, hard hint, harder hint, big hint, bigger hint,
  better hint, strong hint, stronger hint, good hint, small hint, little hint, easy hint, tiny hint, help with puzzle,
  help with board, help solving, help me solve this, help me solve it, help me solve today’s board,
  help me solve today’s puzzle, hint for today, hint for today’s board, hint for today’s puzzle, any hints, one hint
hint yesterday: hint for yesterday’s board, hint for yesterday’s puzzle
hint …: hint for …, hints for …, clue for …, clues for …
hint count: how many words, how many words do i need, word count, words needed, two word solution, two words solution,
  two-word solution, 2 word solution, 2 words solution, 2-word solution, is there two word solution,
  is there 2 word solution, can it be solved in two words, can it be done in two words, how many words does it take
hint start: first letter, start letters, starting letters, where do i start, where to start, where should i start,
  where should i begin, where do i begin, how do i start, how should i start
reveal: spoiler, spoilers, spoil it, i give up, give up, giveup, see solution, reveal solution, reveal answer,
  today’s answer, today’s answers, today’s solution, today’s solutions
reveal yesterday: yesterday’s answer, yesterday’s answers, yesterday’s solution, yesterday’s solutions
today: show board, today’s board, today’s puzzle, today’s letters, today’s game, board of the day, todays board,
  todays puzzle, puzzle of the day, letters, par, good morning, show me the board, show me the puzzle, the board,
  the puzzle
today yesterday: yesterday, yesterday’s board, yesterday’s puzzle, yesterdays board
play yesterday: play yesterday’s board, play yesterday’s puzzle, play yesterday’s game
play: start, start game, new game, game, let’s play, lets play, play a game, play today’s board
generate: new board, new puzzle, another board, another puzzle, random board, random puzzle, make board, make puzzle,
  create board, create puzzle, make new board, make me board, make me puzzle, make me new board
generate easy: easy board, easier board, easy puzzle, make me easy board, make me easy puzzle, make easy board,
  make easy puzzle
generate hard: hard board, harder board, hard puzzle, make me hard board, make me hard puzzle, make hard board,
  make hard puzzle
solve yesterday: solve yesterday’s board, solve yesterday’s puzzle
solve today: solve today’s board, solve today’s puzzle, solve it, solve this, solve board, solve puzzle
solve sides:…: sides:…
solve …: solve this …, solve board …, solve puzzle …, answer for …, solution for …, solutions for …,
  solve this board …, solve this puzzle …, solve these …, solve these letters …, solve letters …,
  solve today’s board …, help me solve …, answers for …, solution to …, answer to …, sides …,
  sides are …
solve … most:2: solve … in two words, solve … with two words
solve … most:3: solve … in three words, solve … with three words
solve … most:…: solve … in … words, solve … with … words
check … …: check … on …
check …: is … word, is … valid word, is … real word, is … valid, is … ok, is … okay, is … allowed, is … in list, does … count, is … right,
  check my words …, check my solution …, check if … works, does … work, are … valid
next …: next after …, next word after …, what comes after …, what can i play after …, what goes after …,
  words after …, what’s next after …, what follows …
words …: words for …, words on …, all words for …, word list for …
words: all words, word list, list words, possible words, which words are there, longest word, longest words
stats: score, my score, my stats, my streak, my statistics, statistics, how am i doing, my results
leaderboard: scoreboard, rankings, results, who is winning, who’s winning, who won, who is best, top scores,
  high scores, high score, top players, best players, best scores, who is ahead, who’s ahead
leaderboard day: leaderboard today, leaderboard for today, today’s leaderboard, today’s results
leaderboard day yesterday: leaderboard yesterday, leaderboard for yesterday, yesterday’s leaderboard,
  yesterday’s results
leaderboard week last: last week’s leaderboard, leaderboard for last week
leaderboard month last: last month’s leaderboard, leaderboard for last month
leaderboard week: week, this week, weekly leaderboard, weekly, week’s results
leaderboard month: month, this month, monthly, monthly leaderboard
leaderboard all: all time, of all time, leaderboard all time, leaderboard of all time, all time leaderboard
share: share my result, share result, share it, my result, post my result, share my score, share score
record i solved it …: i solved it …, solved it …, i did it …, i got it …
record solved …: solved …, i solved …
remind: reminder, reminders, remind me, my reminder
remind at:"#" zone:…: remind me at # in …, remind me every day at # in …, remind me at # … time
remind at:"#": remind me at # every day, remind me at # daily, remind me at # each day
remind …: remind me at …, remind me every day at …, remind me daily at …, reminder …, reminder at …
remind off: stop reminders, stop reminding me, no reminders, no more reminders, reminders off, turn off reminders,
  unsubscribe, remind me off, don’t remind me, cancel reminder
privacy: my data, delete my data, erase my data, forget me, export my data, what data do you have, gdpr
privacy hide: hide me, hide my name
review: how, how today, how was my solution, how did i do, how did i do today, how good was my solution, how good is my solution
review yesterday: how yesterday, how did i do yesterday
help …: help me with …, help with …
help: how do i play, how to play, how does this work, how does it work, instructions, menu, what can you do,
  command list, list commands, all commands, hello, hi, hey, what is this, help me, can i use letter twice,
  use letter twice, use letters twice, can letters be used twice, can letters be reused, reuse letters,
  do i have to use all letters, what are rules, how are words scored
daily: daily settings, daily thread, thread settings, show settings
daily on: turn on, turn it on, switch on, daily start, enable
daily off: turn off, turn it off, switch off, daily stop, disable, stop posting
archive: old boards, old puzzles, past boards, past puzzles, previous boards, previous puzzles, earlier boards
relay start: start relay, start new relay, new relay, relay start
relay: play together, team game, play with others, group game, play as a team
about: who made you, who made this, source code, credits
hint first: good first word, best first word, first word, good starting word, best starting word, starting word,
  good word to start with, which word should i start with, what word should i start with
hint hardest: which letters are hardest, which letter is hardest, what letters are hardest, hardest letters,
  hardest letter, hard letters, difficult letters
words starts:_: words that start with _, words that begin with _, words starting with _, words beginning with _,
  words which start with _, words that starts with _
words ends:_: words that end with _, words that end in _, words ending with _, words ending in _,
  which words end with _, which words end in _, words that ends with _
words uses:_: words with _, words that use _, words using _, words that contain _, words containing _,
  words that have _
play start-over:yes: start over, start again, restart, restart game, restart puzzle, begin again, reset, reset game
daily show: make hints come later, make hints come earlier, have hints come later, have hints come earlier,
  hints later, hints earlier, change hint times, change times, when do hints come, when does thread open
daily on opening:"#" zone:…: daily at # in …, every day at # in …, every morning at # in …, post it daily at # in …,
  post it every day at # in …, post it every morning at # in …, post every day at # in …, post every morning at # in …
daily on opening:"#": daily at #, every day at #, every morning at #, post it daily at #, post it every day at #,
  post it every morning at #, post every day at #, post every morning at #
…: what about …, how about …, here is board …, here’s board …, here are letters …, board is …, today’s board is …,
  letters are …, today’s letters are …, letters …, my board is …, my letters are …,
  this board …, these letters …, can you do …, what do you get for …, try …
`;

/** The gaps of a phrase, and the pattern that each of them matches. */
const GAPS: Readonly<Record<string, string>> = {
  '…': '(.+?)',
  _: "-?([\\p{L}'’-]+)",
  '#': '(\\d{1,2}(?:[:.h]\\d\\d)?(?: ?[ap]m)?|noon|midnight)',
};
const GAP = /[…_#]/g;
/** Greetings before the request itself, such as "Good morning! ". */
const GREETING =
  /^(?:good (?:morning|evening|afternoon)|hi|hey|hello)(?: (?:all|everyone|bot|there))?[!,.]+ /;
/** Openings before the request itself. */
const REQUEST_OPENING =
  /^(?:(?:hey|ok|okay|please|pls|so|just|can you|could you|would you|can i|could i|may i|i want to|i want|i’d like to|i’d like|i would like|i need|give me|show me|tell me|get me|let me see|let me|give us|show us|what is|what are|what was|what’s|whats|have|see|get|show) )+/;
const POLITE_ENDING = /(?:,? (?:please|pls|plz|thanks|thank you|right now|now|for me|bot))+$/;
const ARTICLE = '(?:the|a|an|some)';
// Skips the A of a board whose letters are typed apart.
const ARTICLES = new RegExp(`(?<=^| )${ARTICLE} (?=\\p{L}{2})`, 'gu');
/** Commands that take words: PLEASE may be one of them. */
const TAKES_WORDS = /^(?:check|play|next|relay|record|set|solve) /;

/** Each phrase, with the command line that it means. */
export const PHRASES = Array.from(PHRASE_TABLE.matchAll(/^(\S.*?): (.*(?:\n .*)*)$/gm)).flatMap(
  ([, line = '', said = '']) => said.split(/,\s+/).map((phrase) => ({ phrase, line })),
);
const WHOLE_PHRASES = new Map(PHRASES.map(({ phrase, line }) => [phrase, line]));
const WITH_GAPS = PHRASES.filter(({ phrase }) => phrase.search(GAP) >= 0).map(({ phrase, line }) => ({
  phrase,
  line,
  longest: phrase.split(/[^\p{L}’]+/u).reduce((one, other) => (other.length > one.length ? other : one)),
}));
// The most specific phrase wins: "remind me at …" before "remind …".
WITH_GAPS.sort((one, other) => other.phrase.length - one.phrase.length);

/** Compiled when first needed: compiling them all takes as long as an answer. */
const patterns = new Map<string, RegExp>();

/** People type articles, and a colon or a dash before what they give, as in "solve this: ozu nri lfa mbt". */
function patternOf(phrase: string): RegExp {
  const known = patterns.get(phrase);
  if (known !== undefined) return known;
  const source = phrase
    .replace(/(?<=\p{L}) (?=[…_#])/gu, '(?:[:,–—-] *| )')
    .replace(/ (?=[\p{L}])/gu, ` (?:${ARTICLE} )?`)
    .replace(GAP, (gap) => GAPS[gap]!);
  const pattern = new RegExp(`^(?:${ARTICLE} )?${source}$`, 'u');
  patterns.set(phrase, pattern);
  return pattern;
}

/** The command line that a phrase such as "give me a hint" means. */
export interface MeantLine {
  readonly line: string;
  /**
   * `sure`: nothing else can be meant; `filled`: counts if it can be read, since a gap takes any text; `unsure`: counts if
   * the line as typed means nothing.
   */
  readonly how: 'sure' | 'filled' | 'unsure';
}

/**
 * The command line that a typed phrase means; undefined if it can only be a plain line.
 *
 * @example lineMeantBy('Can you remind me at 7pm?') // { line: 'remind 7pm', how: 'filled' }
 */
export function lineMeantBy(typed: string): MeantLine | undefined {
  if (typed.length > MAX_PHRASE_LENGTH) return undefined;
  const said = typed
    .toLowerCase()
    .replaceAll("'", '’')
    .replace(/\s+/g, ' ')
    .replace(/^ ?(?:[/@]?letterboxed )?[/!]?|[ ?!.]+$/g, '');
  const asked = said.replace(GREETING, '').replace(REQUEST_OPENING, '');
  const withoutEnding = asked.replace(POLITE_ENDING, '');
  const takesWords = TAKES_WORDS.test(asked);
  const core = takesWords ? asked : withoutEnding;
  const plain = core.replace(ARTICLES, '');
  // A whole phrase leaves no room for a word: there, PLEASE is politeness even after `play` or `solve`.
  const line = [said, core, plain, withoutEnding, withoutEnding.replace(ARTICLES, '')]
    .map((one) => WHOLE_PHRASES.get(one))
    .find((one) => one !== undefined);
  if (line !== undefined) return { line, how: 'sure' };
  const filled =
    withGaps(core) ??
    withGaps(takesWords ? said : said.replace(POLITE_ENDING, '')) ??
    withGaps(withoutEnding);
  if (filled !== undefined) return { line: filled, how: 'filled' };
  // PLEASE after a board is no word, which only the rest of the line shows. NOW and BOT may be its last side.
  if (core !== withoutEnding && !/\b(?:now|bot)\b/.test(core.slice(withoutEnding.length)))
    return { line: withoutEnding, how: 'unsure' };
  // A polite ending leaves no doubt that something is asked for. An opening such as "show" may belong to the line itself.
  return plain === said ? undefined : { line: plain, how: core === asked ? 'unsure' : 'sure' };
}

/** Longer than any phrase; a longer line is a board, words, or a paste. */
const MAX_PHRASE_LENGTH = 120;

function withGaps(said: string): string | undefined {
  for (const { phrase, longest, line } of WITH_GAPS) {
    // Cheaper than the pattern, and rules out most phrases.
    const values = said.includes(longest) ? patternOf(phrase).exec(said)?.slice(1) : undefined;
    if (values === undefined) continue;
    // A word such as AFTER in "next after rot", or FOR in "hint for rot", may be played itself, before ROT.
    const [command, ...words] = phrase.slice(0, phrase.search(GAP)).trimEnd().split(' ');
    const isPlayable = words.every((word, at) => word.at(-1) === (words[at + 1] ?? values[0]!)[0]);
    if ((command !== 'next' && command !== 'hint') || !isPlayable)
      return line.replace(GAP, () => values.shift()!);
  }
  return undefined;
}
