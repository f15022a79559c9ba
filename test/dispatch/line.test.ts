import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { UserError } from '../../src/core/errors.ts';
import type { Command, Option } from '../../src/dispatch/contract.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { readOptions } from '../../src/dispatch/options.ts';
import { lineMeantBy, PHRASES } from '../../src/dispatch/phrases.ts';
import { typeAction } from '../../src/reply/model/text.ts';
import type { OptionValue } from '../../src/reply/model/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { madeUp } from '../fakes/ask.ts';
import fc, { anyGrapheme } from '../fakes/fast-check.ts';
import { sample } from '../fakes/sample.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
const BOARD = 'ozu nri lfa mbt';
const read = (line: string, commands: readonly Command[] = COMMANDS) => {
  const { command, options: readTyped } = readLine(line, commands, isWord);
  const options = readTyped();
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
    [`solve sides:${BOARD} all`, 'solve', { sides: BOARD, all: 'yes' }],
    ['generate hard seed:"a b"', 'generate', { difficulty: 'hard', seed: 'a b' }],
    ['help solve', 'help', { command: 'solve' }],
    ['help me with daily', 'help', { command: 'daily' }],
    ['today?', 'today', {}],
    ['!hint', 'hint', {}],
    ['reveal 18 nov', 'reveal', { date: '18 nov' }],
    ['hint Nov 18, 2025', 'hint', { date: 'Nov 18, 2025' }],
    ['hint 3', 'hint', { number: '3' }],
    ['hint yesterday count', 'hint', { date: 'yesterday', step: 'count' }],
    ['today last friday', 'today', { date: 'last friday' }],
    ['play last Monday', 'play', { date: 'last Monday' }],
    ['hint count on friday', 'hint', { step: 'count', date: 'on friday' }],
    ['play date:last friday', 'play', { date: 'last friday' }],
    ['reveal 18th of November 2025', 'reveal', { date: '18th of November 2025' }],
    ['play last mate', 'play', { words: 'last mate' }],
    ['archive page 2', 'archive', { page: '2' }],
    ['hint step lengths', 'hint', { step: 'lengths' }],
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
    [`${BOARD} 5`, 'solve', { sides: BOARD, most: '5' }],
    [`solve ${BOARD} --all`, 'solve', { sides: BOARD, all: 'yes' }],
    [`solve ${BOARD} —all --words 3`, 'solve', { sides: BOARD, all: 'yes', words: '3' }],
    [`solve --words=3 ${BOARD}`, 'solve', { sides: BOARD, words: '3' }],
    [`solve ${BOARD} --xyz`, 'solve', { sides: BOARD, xyz: '' }],
    ['check forum —mozart', 'check', { words: 'forum —mozart' }],
    [`solve ${BOARD} exclude:forum mozart`, 'solve', { sides: BOARD, exclude: 'forum mozart' }],
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
    ['remind me at 8 in the morning', 'remind', { at: 'me at 8 in the morning' }],
    ['play fossil last friday', 'play', { words: 'fossil', date: 'last friday' }],
    ['relay start ozu nri', 'relay', { word: 'start ozu nri' }],
    ['relay start yesterday ozu nri lfa mbt', 'relay', { word: 'start yesterday ozu nri lfa mbt' }],
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
    [`words starts:f ${BOARD}`, 'words', { starts: 'f', sides: BOARD }],
    ['words starts:f abc def ghi', 'words', { starts: 'f', sides: 'abc def ghi' }],
    ['remind zone:New York time 7pm', 'remind', { zone: 'New York time', at: '7pm' }],
    ['daily on zone:Rio de Janeiro', 'daily', { do: 'on', zone: 'Rio de Janeiro' }],
    [BOARD, 'solve', { sides: BOARD }],
    ['ozunrilfambt', 'solve', { sides: 'ozunrilfambt' }],
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
    ['check', 'words:seats aeist aeist aeist', 'seats', 'aeist aeist aeist'],
    ['check', 'words:seats state aeist aeist aeist', 'seats state', 'aeist aeist aeist'],
    ['check', 'orb bcdb fog jrl', 'orb', 'bcdb fog jrl'],
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
    ['check bcd bcd bcd tea', 'check sides:"bcd bcd bcd tea"'],
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
    ['hintt', 'There is no command "hintt". Did you mean hint?'],
    ['generat', 'There is no command "generat". Did you mean generate?'],
    ['xyzzy', 'There is no command "xyzzy".'],
    ['step:lengths', 'There is no command "step".'],
    ['Wordle', 'There is no command "Wordle".'],
    ['Wordle 1,234 4/6', '"Wordle 1,234 4/6" isn’t a command or a board.'],
    ['forum forum', '"forum forum" isn’t a command or a board.'],
    [`board make ${BOARD} "Tea time"`, 'For its name, type after it: name:"Tea time"'],
    ['Let me see', '"Let me see" isn’t a command or a board.'],
    ['sove forum', 'There is no command "sove". Did you mean solve?'],
    ['hint lenghts', 'Did you mean lengths?'],
    ['hint step:a step:b', 'step is there twice'],
    ['hint start count', 'step is there twice. Give it once.'],
    [`words ${BOARD} starts with f`, 'I see the board OZU NRI LFA MBT, but not what "starts with f" is for.'],
    [`solve Box ${BOARD}`, 'To make it all one board, type: solve sides:"box ozu nri lfa mbt"'],
    ['about me', 'It takes no options.'],
    ['generate easy evening', 'Its options, typed as name:value, are difficulty, sides, letters and seed.'],
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
});

describe('a line without a command', () => {
  test.each([
    'ozu nri lfa mbt',
    'OZU NRI LFA MBT',
    'Ozu Nri Lfa Mbt',
    'ozu,nri,lfa,mbt',
    'OZU, NRI, LFA, MBT',
    'ozu-nri-lfa-mbt',
    'ozu/nri/lfa/mbt',
    'ozu | nri | lfa | mbt',
    '[[ozu],[nri],[lfa],[mbt]]',
    '["ozu","nri","lfa","mbt"]',
    'ozunrilfambt',
    'OZUNRILFAMBT',
    'o z u n r i l f a m b t',
    '@letterboxed ozu nri lfa mbt',
    '/letterboxed ozunrilfambt',
    'eci axy otu hrn',
    'uoz inr fla bmt',
    // One to three sides are words by chance.
    'ant oiv rlm eby',
    'cat urn ivk hem',
    'ozun ri lfa mbt',
    'ozun rilf ambt',
    'oz un ri lf ma bt',
    'abcd efgh ijkl mnop',
    'abcde fghij klmno pqrst',
    'abcdef ghijkl mnopqr stuvwx',
    'abc def ghi jkl mno pqr stu vwx',
    'e x o r t l',
    'qzu nri lfk',
  ])('is a board: %s', (line) => {
    expect(read(line)).toMatchObject({ command: 'solve', options: { sides: expect.any(String) } });
  });

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
    'forum mozart',
    'es es es es',
    'ozu nri lfa ozu',
    'abc',
    'ozu nri',
    '123 456 789',
    '🙂 🙂 🙂',
  ])('is no board: %s', (line) => {
    expect(() => read(line)).toThrow(/There is no command|isn’t a command/);
  });

  test.each([
    'forum',
    'Forum, mobilization',
    '"forum"',
    'FORUM - MOBILIZATION',
    'ambidextrous',
    'considerably',
    'congratulate',
  ])('is words to play: %s', (line) => {
    expect(read(line)).toEqual({
      command: 'play',
      options: { words: line.replaceAll('"', ''), typed: 'yes' },
    });
  });

  test('that could be a board after all says how to have it solved', () => {
    expect(() => read('the big mad fox')).toThrow(
      /^"the big mad fox" isn’t a command or a board\. To solve it as a board, type: solve the big mad fox$/,
    );
    expect(read('solve the big mad fox').options).toEqual({ sides: 'the big mad fox' });
    expect(() => read('hello bot what is this')).toThrow(
      /^"hello bot what is this" isn’t a command or a board\.$/,
    );
  });
});

const readFlat = (line: string) => {
  const { command, options } = read(line);
  return { command, ...options };
};

describe('what people say', () => {
  test('has a line for every phrase of the table that each command can read', () => {
    expect(PHRASES.length).toBeGreaterThan(200);
    expect(new Set(PHRASES.map(({ phrase }) => phrase)).size).toBe(PHRASES.length);
    for (const { phrase, line } of PHRASES) {
      const text = /^(?:(?:solve|words) )?…/.test(line) ? BOARD : 'forum';
      const isCount = line.includes('most:…');
      const typed = phrase
        .replace('…', text)
        .replace('…', isCount ? '4' : line.startsWith('check') ? BOARD : 'berlin')
        .replace('#', '9:30 pm')
        .replace('_', 'berlin');
      const asked = readLine(typed, COMMANDS, isWord);
      const [name] = line.replace('…', `solve ${BOARD}`).split(' ');
      expect([phrase, asked.command, lineMeantBy(typed)?.how]).toEqual([
        phrase,
        name,
        typed === phrase ? 'sure' : 'filled',
      ]);
      expect((asked.meant ?? asked).options()).not.toBeInstanceOf(UserError);
    }
  });

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
    readLine(`remind ${'zone '.repeat(700)}`, commands, isWord).options();
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThan(100);
  });

  test.each([
    ['hint please', { command: 'hint' }],
    ['Can you give me another hint, please?', { command: 'hint' }],
    ['/letterboxed give me a hint', { command: 'hint' }],
    ['help me', { command: 'help' }],
    ['Hello!', { command: 'help' }],
    ['hi bot', { command: 'help' }],
    ['can you help me', { command: 'help' }],
    ['remind me at 7pm', { command: 'remind', at: '7pm' }],
    ['could you remind me every day at 9:30?', { command: 'remind', at: '9:30' }],
    ['good morning! what’s today’s puzzle?', { command: 'today' }],
    ['what’s a good first word', { command: 'hint', step: 'first' }],
    ['two words solution?', { command: 'hint', step: 'count' }],
    ['where should I start', { command: 'hint', step: 'start' }],
    ['which letters are hardest', { command: 'hint', step: 'hardest' }],
    ['hard hint', { command: 'hint' }],
    ['start over', { command: 'play', 'start-over': 'yes' }],
    ['restart', { command: 'play', 'start-over': 'yes' }],
    ['can I use a letter twice?', { command: 'help' }],
    ['words that start with x', { command: 'words', starts: 'x' }],
    ['which words end in -ing?', { command: 'words', ends: 'ing' }],
    ['make me an easy board', { command: 'generate', difficulty: 'easy' }],
    ['can you make the hints come later', { command: 'daily', do: 'show' }],
    ['top scores', { command: 'leaderboard' }],
    ['check if forum works', { command: 'check', words: 'forum' }],
    [`check forum, mozart on ${BOARD}`, { command: 'check', words: 'forum, mozart', sides: BOARD }],
    [`a hint for ${BOARD}, please`, { command: 'hint', sides: BOARD }],
    ['hint for yesterday', { command: 'hint', date: 'yesterday' }],
    ['can I get a hint for today’s puzzle?', { command: 'hint' }],
    ['just tell me the answer', { command: 'reveal' }],
    ['is forum a valid word?', { command: 'check', words: 'forum' }],
    [`solve ${BOARD} in two words`, { command: 'solve', sides: BOARD, most: '2' }],
    [`help me solve ${BOARD}`, { command: 'solve', sides: BOARD }],
    ['remind me at 8 pm in Berlin', { command: 'remind', at: '8 pm', zone: 'berlin' }],
    ['remind me at 20:00 every day', { command: 'remind', at: '20:00' }],
    ['remind me at 7 New York time', { command: 'remind', at: '7', zone: 'new york' }],
    ['last month’s leaderboard', { command: 'leaderboard', period: 'month', date: 'last' }],
    ['how', { command: 'review' }],
    ['/how', { command: 'review' }],
    ['how yesterday', { command: 'review', date: 'yesterday' }],
    ['words for me', { command: 'words' }],
    ['play yesterday’s board', { command: 'play', date: 'yesterday' }],
    ['can you solve yesterday’s puzzle?', { command: 'solve', date: 'yesterday' }],
    ['a hint for yesterday’s board', { command: 'hint', date: 'yesterday' }],
    [`solve ${BOARD} please`, { command: 'solve', sides: BOARD }],
    [`solve ${BOARD} in 3 words, please`, { command: 'solve', sides: BOARD, most: '3' }],
    [`can you solve ${BOARD} for me, thanks`, { command: 'solve', sides: BOARD }],
    ['start a relay, please', { command: 'relay', word: 'start' }],
    ['relay start please', { command: 'relay', word: 'start' }],
    ['How did I do yesterday?', { command: 'review', date: 'yesterday' }],
    [`words for ${BOARD}`, { command: 'words', sides: BOARD }],
    [`can you solve ${BOARD} in 3 words?`, { command: 'solve', sides: BOARD, most: '3' }],
    ['leaderboard today', { command: 'leaderboard', period: 'day' }],
    ['yesterday’s leaderboard', { command: 'leaderboard', period: 'day', date: 'yesterday' }],
    ['leaderboard of all time', { command: 'leaderboard', period: 'all' }],
    ['solve this: abc def ghi jkl', { command: 'solve', sides: 'abc def ghi jkl' }],
    ['stats:', { command: 'stats' }],
    ['solve: abc def ghi jkl', { command: 'solve', sides: 'abc def ghi jkl' }],
    ['score', { command: 'stats' }],
    ['spoiler', { command: 'reveal' }],
    ['What was yesterday’s solution?', { command: 'reveal', date: 'yesterday' }],
    ["what's today's board", { command: 'today' }],
    ['I solved it in 2 words!', { command: 'record', message: 'i solved it in 2 words' }],
    ['is forum a word?', { command: 'check', words: 'forum' }],
    ['what can I play after forum', { command: 'next', words: 'forum' }],
    ['next word after rot', { command: 'next', words: 'rot' }],
    ['solve the board please', { command: 'solve', date: 'today' }],
    ['solve it please', { command: 'solve', date: 'today' }],
    ['next hint please', { command: 'hint' }],
    ['play together please', { command: 'relay' }],
    [`please solve ${BOARD}`, { command: 'solve', sides: BOARD }],
    [`can you solve this ${BOARD}`, { command: 'solve', sides: BOARD }],
    [`solv ${BOARD}`, { command: 'solve', sides: BOARD }],
    ['sove: ozu nri lfa mbt cdk', { command: 'solve', sides: 'ozu nri lfa mbt cdk' }],
  ])('%j is understood', (line, meant) => {
    expect(readFlat(line)).toEqual(meant);
  });

  test.each([
    ['play stop please', { command: 'play', words: 'stop please' }],
    ['check please', { command: 'check', words: 'please' }],
    ['next rot after', { command: 'next', words: 'rot after' }],
    ['next after rot', { command: 'next', words: 'after rot' }],
    ['play game', { command: 'play', words: 'game' }],
    ['solve for abc deg hij', { command: 'solve', sides: 'for abc deg hij' }],
    ['hint the', { command: 'hint', words: 'the' }],
    ['hint for rot', { command: 'hint', words: 'for rot' }],
  ])('%j means words and sides as before', (line, meant) => {
    expect(readFlat(line)).toEqual(meant);
  });

  test.each([
    'how long is my streak',
    'how many words is the best solution',
    'how are you today',
    'how do I turn it off',
  ])('%j is a question that no command answers', (line) => {
    expect(() => read(line)).toThrow(/isn’t a command/);
  });

  test.each([
    ['daily at 8 in Berlin', { do: 'on', opening: '8', zone: 'berlin' }],
    [
      'post it every morning at 8 am in Rio de Janeiro',
      { do: 'on', opening: '8 am', zone: 'rio de janeiro' },
    ],
    ['Post every day at 7:30', { do: 'on', opening: '7:30' }],
  ])('%j only offers to change the channel', (line, options) => {
    const { command, options: readTyped, meant } = readLine(line, COMMANDS, isWord);
    expect(command).toBe('daily');
    expect(readTyped()).toMatchObject({
      message: expect.stringContaining('Do you mean this? daily on opening:'),
    });
    expect([meant?.command, meant?.options()]).toEqual(['daily', options]);
  });

  test.each([
    ['words fail me', 'I can’t read "fail me" as a board. If it is one, type: words sides:"fail me"'],
    ['solve it for the team', 'I can’t read "it for the team" as a board.'],
    ['solve hello', 'I can’t read "hello" as a board.'],
  ])('%j is no board', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  test('does not run a mistyped command that changes a channel', () => {
    expect(() => read('daly on')).toThrow('Did you mean daily?');
    expect(() => read('solv forum')).toThrow('Did you mean solve?');
  });
});
