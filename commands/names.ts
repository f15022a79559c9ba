/**
 * What commands are called and what they do, in the order of `commands/index.ts`: the terminal lists and finds them without
 * loading them all.
 */
export const COMMAND_NAMES = {
  today: { alias: ['puzzle'], description: 'Today’s board, with hint buttons' },
  play: { description: 'Play a board, or enter your solution. Only you see it' },
  archive: { description: 'Past boards of this channel, and how you did' },
  check: { description: 'Check your words: which fit, why one doesn’t, and what is left' },
  review: { description: 'How your solution compares with all others' },
  hunt: { description: 'Other solutions that you found, and how many are left' },
  share: { description: 'Show everyone your result, without words or letters' },
  record: { description: 'Add a result: your words, or how many you took' },
  stats: { alias: ['streak', 'streaks'], description: 'Your streak, averages and best result, only for you' },
  leaderboard: {
    alias: ['scores', 'standings', 'ranking'],
    description: 'Who solved the most boards in this channel',
  },
  missing: { description: 'Regulars who haven’t solved today’s board yet' },
  remind: { description: 'A private reminder while you haven’t solved the board' },
  calm: { description: 'No streaks, ranks, reminders or comparison for you' },
  relay: { description: 'Solve a board together, one word each, in a thread' },
  race: { description: 'Race others on a new board' },
  board: { alias: ['boards'], description: 'Make a board for this channel, or see the boards people made' },
  generate: { description: 'Make a new board to play' },
  hint: { description: 'Your next hint, or one you choose' },
  next: { description: 'The best next word after the words you’ve played' },
  thread: { description: 'What the day’s thread has shown so far, only for you' },
  reveal: {
    alias: ['solution', 'solutions', 'answer', 'answers'],
    description: 'The solution, only for you; first, what it costs',
  },
  solve: { description: 'Solve any board and count its solutions' },
  words: { description: 'All playable words, or those you ask for' },
  privacy: { description: 'See, export or erase your data, or hide from leaderboards' },
  help: { alias: ['?', 'commands', 'rules'], description: 'The rules, and all commands or one' },
  about: { alias: ['version'], description: 'Version, sources and privacy' },
  daily: {
    alias: ['settings'],
    description: 'A thread every day in this channel: on, off, when, and with which hints',
  },
  set: { description: 'Type in a day’s board for this channel' },
} as const satisfies Readonly<Record<string, { alias?: readonly string[]; description: string }>>;

/** How the declaration of a command begins. */
export function named<Name extends keyof typeof COMMAND_NAMES>(name: Name) {
  return { name, ...COMMAND_NAMES[name] };
}
