import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { readMention, readTyped } from '../../src/chat/slack/mrkdwn.ts';
import { UserError } from '../../src/core/errors.ts';
import { readZone } from '../../src/daily/settings/local-time.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { readOptions } from '../../src/dispatch/options.ts';
import { readOtherGames } from '../../src/players/other-games.ts';
import { MAX_MESSAGE_LENGTH, readMessage } from '../../src/players/results/read-message.ts';
import { parseAction } from '../../src/reply/model/action.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { sample } from '../fakes/sample.ts';

/** Texts that make a pattern start over at every place, or a list of words that is read in every possible way. */
const REPEATED = [
  ...[
    '<',
    '<a|',
    '<http://',
    '<@U7|',
    '<@U7|a>',
    '&lt;',
    '"',
    'a:"',
    '[',
    '(',
    ':',
    ':a:',
    '%',
    '\u200b ',
    ' ',
  ],
  ...['1 ', 'a ', 'abc ', 'ab bc ', 'a,', 'ozu nri lfa mbt ', '1.', 'é'],
];
/** What Slack delivers at most; the tokenizer refuses more than 4,000 characters of it. */
const LARGEST_BODY = 95_000;
const LONGEST_LINE = 4_000;

/** Milliseconds of processor time. The slow patterns took between 1,500 and 17,000 for the largest body. */
const MOST = 250;
/** The same for one line: the slow way tried each of its two thousand parts as a board. */
const MOST_OF_LINE = 25;
/** The same for one pattern on a text of that length, of which the slow ones took between 9 and 190. */
const MOST_OF_PATTERN = 5;
/** The quickest of so many tries counts: the others share the processor with other programs. */
const TRIES = 10;

function cpuTimeOf(act: () => unknown): number {
  const before = process.threadCpuUsage();
  try {
    act();
  } catch {
    // A text that can't be read is refused. How long that takes is what counts.
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Tries again only what took too long. */
function quickestOf(act: () => unknown, most: number): number {
  let quickest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && quickest >= most; attempt++)
    quickest = Math.min(quickest, cpuTimeOf(act));
  return quickest;
}

function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

describe('typed text of the largest size', () => {
  it.each(REPEATED)('reads a Slack message made of %j in linear time', (piece) => {
    const text = filled(piece, LARGEST_BODY);
    expect(quickestOf(() => readTyped(text), MOST)).toBeLessThan(MOST);
    expect(quickestOf(() => readMention(text, 'U7'), MOST)).toBeLessThan(MOST);
  });

  it.each(REPEATED)('reads lines and button values made of %j in linear time', (piece) => {
    const starts = COMMANDS.flatMap(({ name, options }) => [
      `${name} ${piece}`,
      ...options.map((option) => `${name} ${option.name}:${piece}`),
    ]);
    for (const start of sample(
      starts,
      starts.filter((_, at) => at % 15 === 0),
    )) {
      const line = start + filled(piece, LONGEST_LINE - start.length);
      const read = () => {
        const { command, options } = readLine(line, COMMANDS, () => false);
        if (options instanceof UserError) throw options;
        readOptions(COMMANDS.find(({ name }) => name === command)!, options);
      };
      expect(quickestOf(read, MOST_OF_LINE), start).toBeLessThan(MOST_OF_LINE);
    }
    const action = filled(piece, LARGEST_BODY);
    expect(quickestOf(() => parseAction(action), MOST)).toBeLessThan(MOST);
  });

  it.each(["'", '?', ',', '1-'])(
    'reads a line of two words with %j in them again and again in linear time',
    (piece) => {
      const word = `x${filled(piece, LONGEST_LINE / 2 - 10)}x`;
      const read = () => readLine(`today ${word} ${word}`, COMMANDS, () => false);
      const readAlone = () => readLine(`${word}${word}`, COMMANDS, () => false);
      expect(quickestOf(read, MOST_OF_PATTERN)).toBeLessThan(MOST_OF_PATTERN);
      expect(quickestOf(readAlone, MOST_OF_PATTERN)).toBeLessThan(MOST_OF_PATTERN);
    },
  );

  it.each([
    ...['\n', '\r', '\u2028', '>', '. ', '||a', 'a-', '> ', '~a', 'a — ', 'a - b(3) ', '<', ':a', '.'],
    ...['unform ', 'unform mobilization ', '2 words '],
  ])('reads a result in a message made of %j in linear time', (piece) => {
    const text = filled(piece, LARGEST_BODY);
    const board = parseBoard('ozu nri lfa mbt');
    const read = () => readMessage(text, board, text.length);
    expect(quickestOf(read, MOST)).toBeLessThan(MOST);
    const message = text.slice(0, MAX_MESSAGE_LENGTH);
    expect(quickestOf(() => readOtherGames(message, 0), MOST_OF_PATTERN)).toBeLessThan(MOST_OF_PATTERN);
  });

  it('compares a time zone with its neighbours only if it is as short as a name of one', () => {
    const far = (length: number) => cpuTimeOf(() => readZone(`nowhere ${'x'.repeat(length)}`));
    const best = (length: number) => Math.min(...Array.from({ length: TRIES }, () => far(length)));
    expect(best(90)).toBeLessThan(best(20) + 5);
  });
});

/** Options whose value is a person's id, for `PERSON_OPTION` of Slack. */
const PERSON_OPTIONS = COMMANDS.flatMap(({ name, options }) =>
  options.flatMap((option) => (option.isPerson ? [`${name} ${option.name}`] : [])),
);

describe('what linear reading must still do', () => {
  it.each([
    ['<https://ozu.nri|ozu.nri> lfa', 'ozu.nri lfa'],
    ['<mailto:a@b.c|a@b.c>', 'a@b.c'],
    ['solve &lt;ozu&gt; &amp; “nri”', 'solve <ozu> & "nri"'],
    ['`hint step:lengths`', 'hint step:lengths'],
    ['```hint```', 'hint'],
    ['*hint* _lengths_', 'hint lengths'],
    ['*hint step:lengths*', 'hint step:lengths'],
    ['words pattern:^m.*[nt]$ not:~a', 'words pattern:^m.*[nt]$ not:~a'],
    ['<#C1|general> and <@U7|mozart>', 'general and mozart'],
    ['stats with=<@U7|ann>', 'stats with=<@U7>'],
    ['stats with:“<@U7|ann>”', 'stats with:"<@U7>"'],
    ...PERSON_OPTIONS.map((typed) => [`${typed}:<@U7|ann>`, `${typed}:<@U7>`]),
  ])('reads %j as %j', (text, read) => {
    expect(readTyped(text)).toBe(read);
  });

  it('takes a mention of the bot out of a message, with or without its name', () => {
    expect(readMention('<@U7> hint <@U7|letterboxed> count', 'U7')).toBe('hint   count');
  });
});
