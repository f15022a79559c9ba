import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { UserError } from '../../src/core/errors.ts';
import type { Command, Option } from '../../src/dispatch/contract.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { readOptions } from '../../src/dispatch/options.ts';
import { typeAction } from '../../src/reply/model/text.ts';
import type { OptionValue } from '../../src/reply/model/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { madeUp } from '../fakes/ask.ts';
import fc, { anyGrapheme } from '../fakes/fast-check.ts';
import { sample } from '../fakes/sample.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
const BOARD = 'ozu nri lfa mbt';
const DRAWN_BOARD =
  '  O   Z   U\n ┌─○───○───○─┐\nM ○         ○ N\n\nB           R\nT           I\n  L   F   A\n';
const read = (line: string, commands: readonly Command[] = COMMANDS) => {
  const { command, options } = readLine(line, commands, isWord);
  if (options instanceof UserError) throw options;
  return { command, options };
};

describe('a typed line, read', () => {
  test.each([
    ['', 'help', {}],
    [' \u200b ', 'help', {}],
    ['?', 'help', {}],
    ['rules', 'help', {}],
    ['Solution!', 'reveal', {}],
    ['standings', 'leaderboard', {}],
    ['streak', 'stats', {}],
    ['/letterboxed hint', 'hint', {}],
    ['@letterboxed /hint', 'hint', {}],
    ['Hint LENGTHS', 'hint', { step: 'LENGTHS' }],
    [`hint ${BOARD}`, 'hint', { sides: BOARD }],
    [`hint count ${BOARD}`, 'hint', { step: 'count', sides: BOARD }],
    ['today yesterday', 'today', { date: 'yesterday' }],
    ['today 18 nov', 'today', { date: '18 nov' }],
    ['reveal 2026-11-18', 'reveal', { date: '2026-11-18' }],
    [`reveal ${BOARD}`, 'reveal', { sides: BOARD }],
    [
      `solve ${BOARD} all everyday:no words:3`,
      'solve',
      { sides: BOARD, all: 'yes', everyday: 'no', words: '3' },
    ],
    [`solve sides:${BOARD} 3`, 'solve', { sides: BOARD, most: '3' }],
    [`solve sides:${BOARD} all`, 'solve', { sides: BOARD, all: 'yes' }],
    ['generate hard seed:"a b"', 'generate', { difficulty: 'hard', seed: 'a b' }],
    ['help solve', 'help', { command: 'solve' }],
    ['help me with daily', 'help', { command: 'daily' }],
    ['today?', 'today', {}],
    ['today 👍🏽', 'today', {}],
    // Slack names emoji.
    ['today :+1::skin-tone-4:', 'today', {}],
    ['!hint', 'hint', {}],
    ['reveal 18 nov', 'reveal', { date: '18 nov' }],
    ['hint: hardest letters', 'hint', { step: 'hardest letters' }],
    ['hint First and last letters yesterday', 'hint', { step: 'First and last letters', date: 'yesterday' }],
    ['hint words needed', 'hint', { step: 'words needed' }],
    ['hint Starting letters', 'hint', { step: 'Starting letters' }],
    ['today, please!', 'today', {}],
    ['please words', 'words', {}],
    ['board please', 'today', {}],
    ["play yesterday's", 'play', { date: 'yesterday' }],
    ['ｓｏｌｖｅ　ＯＺＵ，ＮＲＩ，ＬＦＡ，ＭＢＴ', 'solve', { sides: 'OZU,NRI,LFA,MBT' }],
    [DRAWN_BOARD, 'solve', { sides: 'OZU NRI LFA MBT' }],
    [`hint:\n${DRAWN_BOARD}`, 'hint', { sides: 'OZU NRI LFA MBT' }],
    [`hint lengths ${DRAWN_BOARD}`, 'hint', { step: 'lengths', sides: 'OZU NRI LFA MBT' }],
    ['hint 11/18', 'hint', { date: '11/18' }],
    ['play 11/10', 'play', { date: '11/10' }],
    ['hint 11-18', 'hint', { date: '11-18' }],
    ['check forum 18/11/26', 'check', { words: 'forum', date: '18/11/26' }],
    ['answer for 11/18', 'reveal', { date: 'for 11/18' }],
    ['hint Nov 18, 2025', 'hint', { date: 'Nov 18, 2025' }],
    ['hint 3', 'hint', { number: '3' }],
    ['hint yesterday count', 'hint', { date: 'yesterday', step: 'count' }],
    ['today last friday', 'today', { date: 'last friday' }],
    ['play last Monday', 'play', { date: 'last Monday' }],
    ['hint count on friday', 'hint', { step: 'count', date: 'on friday' }],
    ['play date:last friday', 'play', { date: 'last friday' }],
    ['reveal 18th of November 2025', 'reveal', { date: '18th of November 2025' }],
    ['play last tempo', 'play', { words: 'last tempo' }],
    ['archive page 2', 'archive', { page: '2' }],
    ['hint step lengths', 'hint', { step: 'lengths' }],
    [`hint step:first and last letters ${BOARD}`, 'hint', { step: 'first and last letters', sides: BOARD }],
    ['leaderboard period month date yesterday', 'leaderboard', { period: 'month', date: 'yesterday' }],
    [`solve most 3 ${BOARD}`, 'solve', { most: '3', sides: BOARD }],
    ['remind 7pm zone New York', 'remind', { at: '7pm', zone: 'New York' }],
    ['play page date', 'play', { words: 'page date' }],
    ['daily zone Berlin', 'daily', { do: 'zone', value: 'Berlin' }],
    ['play yesterday', 'play', { date: 'yesterday' }],
    ['check fly yesterday', 'check', { words: 'fly yesterday' }],
    ['check forum mozart yesterday', 'check', { words: 'forum mozart', date: 'yesterday' }],
    ['record got it yesterday in 2 words', 'record', { message: 'got it yesterday in 2 words' }],
    [`solve ${BOARD} 3`, 'solve', { sides: BOARD, most: '3' }],
    [`${BOARD} exclude:forum`, 'solve', { sides: BOARD, exclude: 'forum' }],
    [`${BOARD} everyday`, 'solve', { sides: BOARD, everyday: 'yes' }],
    [`${BOARD} --words 3 —all`, 'solve', { sides: BOARD, words: '3', all: 'yes' }],
    [`${BOARD} 5`, 'solve', { sides: BOARD, most: '5' }],
    [`solve ${BOARD} --all`, 'solve', { sides: BOARD, all: 'yes' }],
    [`solve ${BOARD} —all --words 3`, 'solve', { sides: BOARD, all: 'yes', words: '3' }],
    [`solve --words=3 ${BOARD}`, 'solve', { sides: BOARD, words: '3' }],
    [`solve ${BOARD} --xyz`, 'solve', { sides: BOARD, xyz: '' }],
    ['check forum —mozart', 'check', { words: 'forum —mozart' }],
    [`solve ${BOARD} exclude:forum mozart`, 'solve', { sides: BOARD, exclude: 'forum mozart' }],
    [`solve ${BOARD} exclude:forum mobilization`, 'solve', { sides: BOARD, exclude: 'forum mobilization' }],
    [
      `solve exclude:forum mobilization words:2 ${BOARD}`,
      'solve',
      { sides: BOARD, exclude: 'forum mobilization', words: '2' },
    ],
    [
      `solve require: forum mobilization exclude:nation motion ${BOARD}`,
      'solve',
      { sides: BOARD, require: 'forum mobilization', exclude: 'nation motion' },
    ],
    [`solve exclude:forum mozart ${BOARD}`, 'solve', { sides: BOARD, exclude: 'forum mozart' }],
    ['solve aeto rnsi lcda mphg', 'solve', { sides: 'aeto rnsi lcda mphg' }],
    [`solve ${BOARD} wex`, 'solve', { sides: `${BOARD} wex` }],
    [`solve ${BOARD} ${BOARD}`, 'solve', { sides: BOARD }],
    ['hint Step=lengths', 'hint', { step: 'lengths' }],
    ['hint step: lengths', 'hint', { step: 'lengths' }],
    ['hint step: date:today', 'hint', { step: '', date: 'today' }],
    ['hi\u200bnt \u2060step:len\u00adgths', 'hint', { step: 'lengths' }],
    ['hint\u0000count\n\tyesterday', 'hint', { step: 'count', date: 'yesterday' }],
    ['check words:“forum mozart”', 'check', { words: 'forum mozart' }],
    ['check words:"forum mozart', 'check', { words: 'forum mozart' }],
    ['generate seed:"a \\"b\\" \\\\c"', 'generate', { seed: 'a "b" \\c' }],
    ['solve exclude:forum, mozart all', 'solve', { exclude: 'forum,mozart', all: 'yes' }],
    ['daily zone:Europe/Berlin opening:08:00', 'daily', { zone: 'Europe/Berlin', opening: '08:00' }],
    ['play date:November 18', 'play', { date: 'November 18' }],
    ['play forum,mozart date:18th nov', 'play', { words: 'forum,mozart', date: '18th nov' }],
    ['hint date:November 18, 2025 count', 'hint', { date: 'November 18, 2025', step: 'count' }],
    ['leaderboard date:Nov 18 month', 'leaderboard', { date: 'Nov 18', period: 'month' }],
    ['share date:November 18 squares', 'share', { date: 'November 18', as: 'squares' }],
    [`relay start ${BOARD}`, 'relay', { word: 'start', sides: BOARD }],
    [`relay start turns ${BOARD}`, 'relay', { word: 'start', turns: 'yes', sides: BOARD }],
    ['relay start 18 nov', 'relay', { word: 'start', date: '18 nov' }],
    ['relay forum mozart', 'relay', { word: 'forum mozart' }],
    ['relay start date:18 nov turns', 'relay', { word: 'start', date: '18 nov', turns: 'yes' }],
    ['board standings tea time', 'board', { do: 'standings', name: 'tea time' }],
    ['board remove Close', 'board', { do: 'remove', name: 'Close' }],
    ['board close ozu-nri-lfa-mbt', 'board', { do: 'close', sides: 'ozu-nri-lfa-mbt' }],
    ['remind at 17:52 zone:New York', 'remind', { at: 'at 17:52', zone: 'New York' }],
    ['remind zone:Auckland at noon', 'remind', { zone: 'Auckland', at: 'at noon' }],
    ['remind at:7 pm zone:New York', 'remind', { at: '7 pm', zone: 'New York' }],
    ['remind 7 pm', 'remind', { at: '7 pm' }],
    ['play fossil last friday', 'play', { words: 'fossil', date: 'last friday' }],
    ['relay start ozu nri', 'relay', { word: 'start ozu nri' }],
    ['relay constructor', 'relay', { word: 'constructor' }],
    ['daily on opening:9 pm zone:Berlin', 'daily', { do: 'on', opening: '9 pm', zone: 'Berlin' }],
    ['daily times opening 9:00 count 12 pm', 'daily', { do: 'times', opening: '9:00', count: '12 pm' }],
    ['daily solution off', 'daily', { solution: 'off' }],
    ['daily pause until:3 days', 'daily', { do: 'pause', until: '3 days' }],
    ['daily steps:start@8 am count@9 solution', 'daily', { steps: 'start@8 am count@9 solution' }],
    ['daily lines:board week quiet:on', 'daily', { lines: 'board week', quiet: 'on' }],
    [
      `board make ${BOARD} name:Tea time note:hello all of you`,
      'board',
      { do: 'make', sides: BOARD, name: 'Tea time', note: 'hello all of you' },
    ],
    [`board make name:Tea time ${BOARD}`, 'board', { do: 'make', name: 'Tea time', sides: BOARD }],
    ['board standings name:tea time', 'board', { do: 'standings', name: 'tea time' }],
    [
      'record message:got it in 2 words date:yesterday',
      'record',
      { message: 'got it in 2 words', date: 'yesterday' },
    ],
    [
      `board make ${BOARD} note:"see https://example.org/?board=abc-def-ghi-jkl"`,
      'board',
      { do: 'make', sides: BOARD, note: 'see https://example.org/?board=abc-def-ghi-jkl' },
    ],
    ['play a game', 'play', {}],
    ['top=ozu right=nri bottom=lfa left=mbt', 'solve', { sides: BOARD }],
    ['hint Side 1: O Z U\nSide 2: N R I\nSide 3: L F A\nSide 4: M B T', 'hint', { sides: 'OZU NRI LFA MBT' }],
    ['my board: 1) ozu 2) nri 3) lfa 4) mbt', 'solve', { sides: BOARD }],
    ['T: ozu, R: nri, B: lfa and L: mbt', 'solve', { sides: BOARD }],
    ['north ozu east nri south lfa west mbt', 'solve', { sides: BOARD }],
    ['1 ozu 2 nri 3 lfa 4 mbt', 'solve', { sides: BOARD }],
    [`${BOARD} everyday please`, 'solve', { sides: BOARD, everyday: 'yes' }],
    ['solve a bcd efg hijk', 'solve', { sides: 'a bcd efg hijk' }],
    ['words with x, y or z', 'words', { uses: 'xyz' }],
    ['top aeto, right rnsi, bottom lcdu, left mphg', 'solve', { sides: 'aeto rnsi lcdu mphg' }],
    ['is rate a word', 'check', { words: 'rate' }],
    ['check hello', 'check', { words: 'hello' }],
    ['next word after forum', 'next', { words: 'forum' }],
    ['stuck after forum', 'hint', { words: 'forum' }],
    ['solve in 3', 'solve', { date: 'today', words: '3' }],
    ['what are the first and last letters', 'hint', { step: 'letters' }],
    ['meaning of the first word', 'hint', { step: 'meaning' }],
    ['the board of tue please', 'today', { date: 'tue' }],
    ['tu peux me donner la solution', 'reveal', {}],
    ['ydays answer', 'reveal', { date: 'yesterday' }],
    ['can I go walnut and tango?', 'check', { words: 'walnut,tango' }],
    ['hint lengths after rain', 'hint', { step: 'lengths', words: 'rain' }],
    ['hint for quartz', 'hint', { words: 'quartz' }],
    ['daily off please', 'daily', { do: 'off' }],
    ['relay forum please', 'relay', { word: 'forum' }],
    ['race 3 please', 'race', { words: '3' }],
    ['help solve please', 'help', { command: 'solve' }],
    ['please hint please after forum thanks', 'hint', { words: 'forum' }],
    ['check sleep please', 'check', { words: 'sleep please' }],
    ['check please date:yesterday', 'check', { words: 'please', date: 'yesterday' }],
    ['record please', 'record', {}],
    ['record 1) jump 2) hex 3) vow 4) fly', 'record', { message: '1) jump 2) hex 3) vow 4) fly' }],
    [`check march ${BOARD}`, 'check', { words: 'march', sides: BOARD }],
    [`next one eight ${BOARD}`, 'next', { words: 'one eight', sides: BOARD }],
    ['solve oz nr if ab ty', 'solve', { sides: 'oz nr if ab ty' }],
    ['board close Ty', 'board', { do: 'close', name: 'Ty' }],
    ['relay word:start please', 'relay', { word: 'start' }],
    ['check FROM mon', 'check', { words: 'FROM mon' }],
    ['next best word after forum', 'next', { words: 'forum' }],
    ['words pattern:for.', 'words', { pattern: 'for.' }],
    ['solve a bcd efg h', 'solve', { sides: 'a bcd efg h' }],
    ['ozu (top) nri (right) lfa (bottom) mbt (left)', 'solve', { sides: BOARD }],
    ['solve pls abn kro tei', 'solve', { sides: 'pls abn kro tei' }],
    [`${BOARD} thanks`, 'solve', { sides: BOARD }],
    ['forum & mozart', 'play', { words: 'forum & mozart', typed: 'yes' }],
    ['hint lengths.', 'hint', { step: 'lengths' }],
    ['hint #3', 'hint', { number: '#3' }],
    ['hint for sun', 'hint', { date: 'for sun' }],
    ['hint lengths for yesterday', 'hint', { step: 'lengths', date: 'for yesterday' }],
    [`today: ${BOARD}`, 'solve', { sides: BOARD }],
    [`hint ${BOARD} today`, 'hint', { sides: BOARD }],
    [`play yesterday’s board ${BOARD}`, 'play', { sides: BOARD }],
    [`LB nov 18: ${BOARD} hint please`, 'hint', { sides: BOARD }],
    ['check my answer', 'check', {}],
    ['hint letters now', 'hint', { step: 'letters' }],
    ['puzzle for fri', 'today', { date: 'for fri' }],
    ['hint feb 31', 'hint', { date: 'feb 31' }],
    ['show me the board of 31 november', 'today', { date: '31 november' }],
    ['reveal 30.2.', 'reveal', { date: '30.2.' }],
    ['hint after sides:ozu-nri-lfa-mbt forum', 'hint', { sides: 'ozu-nri-lfa-mbt', words: 'forum' }],
    ['hint words:after rain', 'hint', { words: 'after rain' }],
    ['today 31 nov', 'today', { date: '31 nov' }],
    ['today tomorow', 'today', { date: 'tomorow' }],
    ['leaderboard next week', 'leaderboard', { period: 'week', date: 'next' }],
    ['ranking of last month', 'leaderboard', { period: 'month', date: 'last' }],
    ['hint last', 'hint', {}],
    ['check my words', 'check', {}],
    ['check the first word', 'check', {}],
    [`words starts:f ${BOARD}`, 'words', { starts: 'f', sides: BOARD }],
    ['words starts:f abc def ghi', 'words', { starts: 'f', sides: 'abc def ghi' }],
    ['remind zone:New York time 7pm', 'remind', { zone: 'New York time', at: '7pm' }],
    ['daily on zone:Rio de Janeiro', 'daily', { do: 'on', zone: 'Rio de Janeiro' }],
    ['https://boards.example.org/?board=ozu-nri-lfa-mbt', 'solve', { sides: 'ozu-nri-lfa-mbt' }],
    [
      'check forum <https://example.org/games/?board=ozu-nri-lfa-mbt&day=2026-11-20|the board>',
      'check',
      { words: 'forum', sides: 'ozu-nri-lfa-mbt' },
    ],
  ])('%j', (line, command, options) => {
    expect(read(line)).toEqual({ command, options });
  });

  test.each([
    ['forum', 'forum', undefined],
    ['forum mozart', 'forum mozart', undefined],
    ['forum, mozart', 'forum, mozart', undefined],
    ['cat tub bar rat', 'cat tub bar rat', undefined],
    ['hamza ambidextrous', 'hamza ambidextrous', undefined],
    [`forum ${BOARD}`, 'forum', BOARD],
    [`forum,mozart ${BOARD}`, 'forum,mozart', BOARD],
    [`forum mozart ${BOARD}`, 'forum mozart', BOARD],
    [`web ${BOARD}`, 'web', BOARD],
    ['forum ozu-nri-lfa-mbt', 'forum', 'ozu-nri-lfa-mbt'],
    ['forum ozunrilfambt', 'forum', 'ozunrilfambt'],
    ['forum sides:ozu nri lfa mbt', 'forum', BOARD],
    [`${BOARD} forum`, 'forum', BOARD],
    [`${BOARD} forum mozart fur`, 'forum mozart fur', BOARD],
    ['ozu-nri-lfa-mbt forum,mozart', 'forum,mozart', 'ozu-nri-lfa-mbt'],
    ['forum-mozart-turn-ozu lfa', 'forum-mozart-turn-ozu lfa', undefined],
  ])('words and sides are distinguished in "check %s"', (typed, words, sides) => {
    expect(read(`check ${typed}`).options).toEqual({ words, ...(sides !== undefined && { sides }) });
  });

  test.each([
    ['forum', 'forum', undefined],
    ['forum mozart', 'forum mozart', undefined],
    [`forum ${BOARD}`, 'forum', BOARD],
    [`words:forum ${BOARD}`, 'forum', BOARD],
    [`words:forum mozart ${BOARD}`, 'forum mozart', BOARD],
    ['words:forum ozo nri lfa mbt', 'forum', 'ozo nri lfa mbt'],
    ['ozo nri lfa mbt', undefined, 'ozo nri lfa mbt'],
    ['ozunrilfambt', undefined, 'ozunrilfambt'],
    ['abc def ghi', undefined, 'abc def ghi'],
  ])('"hint %s" continues from words, but takes what may be a board for one', (typed, words, sides) => {
    expect(read(`hint ${typed}`).options).toEqual({ ...(words && { words }), ...(sides && { sides }) });
  });

  test.each([
    ['next', 'aeist aeist aeist seats', 'seats', 'aeist aeist aeist'],
    ['next', 'seats aeist aeist aeist', 'seats', 'aeist aeist aeist'],
    ['next', 'seats state aeist aeist aeist', 'seats state', 'aeist aeist aeist'],
    ['check', 'seats,state aeist aeist aeist', 'seats,state', 'aeist aeist aeist'],
    ['check', 'seats aeist-aeist-aeist', 'seats', 'aeist-aeist-aeist'],
    ['check', 'bcd bcd bcd tea', 'tea', 'bcd bcd bcd'],
    ['check', 'words:seats aeist aeist aeist', 'seats', 'aeist aeist aeist'],
    ['check', 'words:seats state aeist aeist aeist', 'seats state', 'aeist aeist aeist'],
    ['check', 'orb bcdb fgh jrl', 'orb', 'bcdb fgh jrl'],
    ['check', 'seats aeist,aeist,aeist', 'seats', 'aeist,aeist,aeist'],
    ['next', 'setas aeist aeist', undefined, 'setas aeist aeist'],
    ['check', 'forum aeist aeist aeist', 'forum', 'aeist aeist aeist'],
    ['hint', 'seats aeist aeist aeist', 'seats', 'aeist aeist aeist'],
    ['hint', 'aeist aeist aeist', undefined, 'aeist aeist aeist'],
    ['play', 'aeist aeist aeist', undefined, 'aeist aeist aeist'],
    ['play', 'seats aeist aeist aeist', 'seats', 'aeist aeist aeist'],
    ['play', 'aeist-aeist-aeist', undefined, 'aeist-aeist-aeist'],
    ['check', 'forum mozart tun', 'forum mozart tun', undefined],
    ['check', 'tea eat ate seat', 'tea eat ate seat', undefined],
    ['check', 'forum mozart forum mozart', 'forum mozart forum mozart', undefined],
    ['check', 'fourm,mozrt,tabel', 'fourm,mozrt,tabel', undefined],
    ['check', 'fourm mozrt', 'fourm mozrt', undefined],
    ['hint', 'fourm mozrt tabel', 'fourm mozrt tabel', undefined],
    ['check', 'mobilization tun', 'mobilization tun', undefined],
    ['check', 'words:eat abc abc', 'eat abc abc', undefined],
    ['check', 'turn o z u n r i l f a m b t', 'turn', 'o z u n r i l f a m b t'],
  ])('"%s %s" takes sides with letters that repeat for what they are', (command, typed, words, sides) => {
    expect(read(`${command} ${typed}`)).toEqual({
      command,
      options: { ...(words && { words }), ...(sides && { sides }) },
    });
  });

  test.each([
    ['play bcdb fgh jkl mnp', 'play sides:"bcdb fgh jkl mnp"'],
    ['check fourm tabel mozrt', 'check sides:"fourm tabel mozrt"'],
  ])('"%s" may be words or sides, and asks which', (line, board) => {
    const said =
      'I can’t tell words from sides there. For words alone, put commas between them. For a board, type: ';
    expect(() => read(line)).toThrow(said + board);
    const [command, typed] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
    expect(read(board).options).toEqual({ sides: typed });
    const words = typed.replaceAll(' ', ',');
    expect(read(`${command} ${words}`).options).toEqual({ words });
  });

  test.each([
    ['Let me see', 'Is it one of these?'],
    ['https://www.nytimes.com/puzzles/letter-boxed', 'I can’t open links, but I have the board of each day.'],
    [`board make ${BOARD} "Tea time"`, 'For its name, type after it: name:"Tea time"'],
    ['sove forum', 'There is no command "sove". Did you mean solve?'],
    ['hint step:a step:b', 'step is there twice'],
    ['hint start count', 'step is there twice. Give it once.'],
    ['board standings tea time name:Ada', 'name is there twice'],
    ['relay start yesterday date:today', 'date is there twice'],
    [`solve Lox ${BOARD}`, 'To make it all one board, type: solve sides:"lox ozu nri lfa mbt"'],
    ['hint lenghts', 'Did you mean lengths?'],
    ['about xyzzy', 'It takes no options.'],
    [`solve ${BOARD} starts:f`, 'solve has no option "starts".'],
    ['generate easy leters 4', 'Did you mean letters:3?'],
    [
      'can you solve zzz',
      'I can’t read "zzz" there. Is it one of these? For what solve takes, type: help solve',
    ],
    [`solve ${BOARD} -n 3 -e forum`, 'typed as name:value, are sides, most, words, exclude,'],
    ['stats for today', 'Its one option is typed as with:value.'],
    ['generate easy xyzzy', 'Its options, typed as name:value, are difficulty, sides, letters and seed.'],
  ])('%j is a mistake that says what to type', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  test('what is far too long is not read at all', () => {
    expect(() => read('x'.repeat(1_000_000))).toThrow('A command takes 4,000 characters at most.');
  });

  test('what is typed for an action is read as that action, for any command and values', () => {
    const kinds: Readonly<Record<Option['kind'], fc.Arbitrary<OptionValue>>> = {
      text: fc
        .string({ unit: anyGrapheme, minLength: 1, maxLength: 60 })
        .filter((text) => text === text.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim() && text !== ''),
      words: fc
        .array(fc.stringMatching(/^[a-z]{3,9}$/), { minLength: 1, maxLength: 5 })
        .map((words) => words.join(',')),
      sides: fc.constantFrom(BOARD, 'ozu-nri-lfa-mbt', 'abc def ghi'),
      date: fc.constantFrom('yesterday', '2026-11-18', '18 nov 2025'),
      integer: fc.integer({ min: 1, max: 8 }),
      flag: fc.constant(true),
      choice: fc.constantFrom('one', 'two'),
    };
    const command = madeUp({
      name: 'try',
      options: Object.keys(kinds).map(
        (kind): Option => ({
          name: `${kind}-like`,
          description: kind,
          kind: kind as Option['kind'],
          ...(kind === 'choice' && { choices: ['one', 'two'] }),
        }),
      ),
    });
    const values = Object.fromEntries(Object.entries(kinds).map(([kind, value]) => [`${kind}-like`, value]));
    fc.assert(
      fc.property(
        fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Record<string, OptionValue>>,
        (options: Record<string, OptionValue>) => {
          const line = typeAction({ command: 'try', options });
          expect(readOptions(command, read(line, [command]).options)).toEqual(options);
        },
      ),
      { numRuns: sample(500, 100) },
    );
  });

  test('looks for no wish where a board is typed, since that takes as long as an answer', () => {
    const asked: string[] = [];
    readLine('solve ozu nri lfa mbt', COMMANDS, (word) => asked.push(word) < 0);
    expect(asked).toEqual(['ozu', 'nri', 'lfa', 'mbt']);
  });
});

describe('a line without a command', () => {
  test.each([
    'hello bot what is this',
    'hey there friend',
    'thx bro gn',
    'omg lol wtf',
    'yo sup all',
    'who are you',
    'what is it for',
    'where is the board?',
    'i like this game',
    'state-of-the-art',
    'es es es es',
    '123 456 789',
    '🙂 🙂 🙂',
    'Let me see',
    'Wordle 1,234 4/6',
    'how\nis\nit\nso\nfar',
  ])('is no board, and nothing to play: %s', (line) => {
    const { command, options } = readLine(line, COMMANDS, isWord);
    expect(['solve', 'play']).not.toContain(command);
    expect(options).not.toHaveProperty('sides');
  });

  test.each([
    'forum',
    'Forum, mobilization',
    '"forum"',
    'FORUM - MOBILIZATION',
    'ambidextrous',
    'considerably',
    'congratulate',
    'forum mozart',
    'forum forum',
    'xyzzy',
  ])('is words to play: %s', (line) => {
    expect(read(line)).toEqual({
      command: 'play',
      options: { words: line.replaceAll('"', ''), typed: 'yes' },
    });
  });

  test('that could be a board after all says how to have it solved', () => {
    expect(() => read('the big mad fox')).toThrow(/ To solve it as a board, type: solve the big mad fox$/);
    expect(read('solve the big mad fox').options).toEqual({ sides: 'the big mad fox' });
  });
});

const readFlat = (line: string) => {
  const { command, options } = read(line);
  return { command, ...options };
};

describe('what people say', () => {
  test('keeps a last side that may be politeness', () => {
    expect(() => read('set abc def ghi bot')).toThrow('sides:"abc def ghi bot"');
  });

  test('tries a value of many words once for each option', () => {
    let tried = 0;
    const accepts = () => ++tried === 0;
    const commands = COMMANDS.map((command) =>
      command.name === 'remind'
        ? { ...command, options: command.options.map((one) => ({ ...one, ...(one.accepts && { accepts }) })) }
        : command,
    );
    readLine(`remind ${'zone '.repeat(700)}`, commands, isWord);
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThan(100);
  });

  test.each([
    ['play stop please', { command: 'play', words: 'stop please' }],
    ['check bfjm,mcf,nope', { command: 'check', words: 'bfjm,mcf,nope' }],
    ['daily 6:15 pm', { command: 'daily', value: '6:15 pm' }],
    ['check please', { command: 'check', words: 'please' }],
    ['solve for abc deg hij', { command: 'solve', sides: 'for abc deg hij' }],
    ['hint for rot', { command: 'hint', words: 'for rot' }],
  ])('%j means words and sides as before', (line, meant) => {
    expect(readFlat(line)).toEqual(meant);
  });

  test.each([
    ['remind me each evening at 9', '21:00'],
    ['remind me at 9am, in the evening i forget', '09:00'],
    ['remind me at half six', '06:30'],
    ['remind me at 0830', '08:30'],
    ['remind me at quarter to six in the evening', '17:45'],
    ['remind me at quarter to 1 pm', '12:45'],
    ['remind me at quarter to 0', '23:45'],
    ['remind me at 2 in the night', '02:00'],
  ])('reads the time of %j', (line, at) => {
    expect(readFlat(line)).toEqual({ command: 'remind', at });
  });

  test.each([
    ['words with no e', { pattern: '/^[^e]*$/' }],
    ['which words dont have the letter s', { pattern: '/^[^s]*$/' }],
    ['words that start with m without an a', { starts: 'm', pattern: '/^[^a]*$/' }],
    ['words with q but no u', { uses: 'q', pattern: '/^[^u]*$/' }],
    ["words without e's", { pattern: '/^[^e]*$/' }],
    ['which words dont have the letters i and e', { pattern: '/^[^ie]*$/' }],
    ['words endign in ally', { ends: 'ally' }],
    ['constructor words with q', { uses: 'q' }],
    ['words without e or a', { pattern: '/^[^ea]*$/' }],
    ['words without a, e or i', { pattern: '/^[^aei]*$/' }],
    ['words with p, a and r', { uses: 'par' }],
    ['words with a, r, u, w and i', { uses: 'aruwi' }],
    ['words with the letters r and i', { uses: 'ri' }],
    ['words with a q and a k', { uses: 'qk' }],
    ['words with q and i need it', { uses: 'q' }],
    ['words with y and p that start with c', { uses: 'yp', starts: 'c' }],
    ['words that end in y with p', { ends: 'y', uses: 'p' }],
    ['any word that starts w h', { starts: 'h' }],
    ['words from v onwards i mean starting v', { starts: 'v' }],
    ['words with m at the start', { starts: 'm' }],
    ['words between 5 and 7 letters', { length: '5-7' }],
    ['words with 5 to 7 letters', { length: '5-7' }],
    ['words of at least 8 letters', { length: '8-40' }],
    ['8+ letter words', { length: '8-40' }],
    ['words starting with p longer than 6 letters', { starts: 'p', length: '7-40' }],
    ['words with less than 5 letters', { length: '1-4' }],
    ['seven letter words', { length: '7' }],
    ['words that start with un and end in able', { starts: 'un', ends: 'able' }],
    ['words ending in or today', { ends: 'or', date: 'today' }],
    ['any word from M to T', { starts: 'm', ends: 't' }],
    ['any word with zb', { uses: 'zb' }],
  ])('reads the letters that words have or lack in %j', (line, options) => {
    expect(readFlat(line)).toEqual({ command: 'words', ...options });
  });

  test.each([
    ['can you solve ozunrilfambt zzz', 'Solve OZU NRI LFA MBT', '"zzz"'],
    [`solve ${BOARD} starting with f`, 'Solve OZU NRI LFA MBT', '"f"'],
    [`can you solve ${BOARD} for yesterday`, 'Solve OZU NRI LFA MBT', '"yesterday"'],
    [`how many three word ways for ${BOARD}`, 'Words needed', '"3"'],
    ['words containing ough', 'Words', '"ough"'],
    ['all words that start with a vowel', 'Words', '"a vowel"'],
  ])('says what it can’t read in %j, or has no use for', (line, label, unread) => {
    expect(readLine(line, COMMANDS, isWord)).toMatchObject({ label, unread, isGuess: true });
  });

  test.each([
    [`check yesterday ${BOARD}`, 'yesterday'],
    [`hint ${BOARD} for sun`, 'for sun'],
    [`check yesterday forum ${BOARD}`, 'yesterday'],
  ])('names the date of %j, which a board needs not', (line, date) => {
    const { options, unread } = readLine(line, COMMANDS, isWord);
    expect([options, unread]).toEqual([expect.not.objectContaining({ date }), `"${date}"`]);
  });

  test('set takes a board and its day', () => {
    expect(readFlat(`set ${BOARD} yesterday`)).toMatchObject({ command: 'set', date: 'yesterday' });
  });

  test('a command with what is no option of it is a wish', () => {
    expect(readFlat('solve it for the team')).toEqual({ command: 'reveal' });
    expect(readFlat('Archive, please')).toEqual({ command: 'archive' });
    expect(readFlat('play todays board')).toEqual({ command: 'play', date: 'today' });
    expect(readFlat('play today please')).toEqual({ command: 'play', date: 'today' });
    expect(readFlat('hint the first word')).toEqual({ command: 'hint', step: 'first' });
    expect(readFlat(`play this board ${BOARD}`)).toEqual({ command: 'play', sides: BOARD });
    // A guess that is charged is offered, as is a choice where a wish has another.
    expect(readLine('check on the first word', COMMANDS, isWord)).toMatchObject({
      options: { code: 'line.offer' },
      offers: expect.arrayContaining([expect.objectContaining({ label: 'First word' })]),
    });
    expect(readLine('hint beginning letters', COMMANDS, isWord)).toMatchObject({
      options: { code: 'line.offer' },
      offers: [{ label: 'hint step:letters' }, { label: 'hint step:start' }],
    });
    for (const line of ['solve top left one two', 'noon newspaper', 'letter remind', 'play last'])
      expect(readLine(line, COMMANDS, isWord)).toMatchObject({ options: { code: 'line.offer' } });
    expect(readLine('play with friends', COMMANDS, isWord).offers).toMatchObject([
      { action: { command: 'relay' } },
    ]);
  });

  test.each([
    ['hint teh lengths', { command: 'hint', step: 'lengths' }],
    ['hint first plz', { command: 'hint', step: 'first' }],
    ['generate easy lettrs', { command: 'generate', difficulty: 'easy' }],
    ['hint the count of today', { command: 'hint', step: 'count', date: 'today' }],
  ])('a choice of a command is taken among other words: %j', (line, read) =>
    expect(readFlat(line)).toEqual(read),
  );

  test('does not run a mistyped command that changes a channel', () => {
    expect(() => read('daly on')).toThrow('Did you mean daily?');
    expect(() => read('solv forum')).toThrow('Did you mean solve?');
  });
});
