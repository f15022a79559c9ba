import { UserError } from '../core/errors.ts';
import { clip, grouped, nearest, splitWords } from '../core/text.ts';
import { typeAction } from '../reply/model/text.ts';
import type { Reply } from '../reply/model/types.ts';
import { formatBoard, hasRepeats } from '../solver/board.ts';
import type { Board } from '../solver/types.ts';
import { type Command, isCalled, isForManagers, type Option, type Options } from './contract.ts';
import { readOptions, withoutFullWidth } from './options.ts';
import { MAX_LINE_LENGTH, type Token, tokenize } from './tokens.ts';
import {
  areWordsToPlay,
  hasEqualSides,
  hasNewspaperShape,
  type IsWord,
  likelyBoardIn,
  looksLikeBoard,
  withDrawnBoard,
  withoutBoardLinks,
  withoutSideLabels,
} from './typed-board.ts';
import { isDate, isValueOf, readTokens } from './typed-options.ts';
import { wishRows } from './wish-table.ts';
import { isMeaningless, isUnreadable } from './wish-words.ts';
import { CERTAIN, isSure, LIKELY, SURE, type Wish, wishesOf } from './wishes.ts';

/** A button beside an answer, with what it says and does. */
type Offer = Required<Pick<Wish, 'label' | 'action'>>;

/** A command as it was asked for, by a typed line or a platform's request. */
export interface AskedCommand {
  /** Its name, or what was typed instead if there is no such command. */
  readonly command: string;
  /** Its options, not checked yet, or the mistake of a line that can't be read. */
  readonly options: Options | UserError;
  readonly offers?: readonly Offer[] | undefined;
  /** What a line was understood to wish for, and whether that was a guess. */
  readonly label?: string;
  readonly isGuess?: boolean;
  /** What of the line is left out. */
  readonly unread?: string | undefined;
  /** What is shown of the line that this was read from before. */
  readonly guess?: Reply['blocks'] | undefined;
  /** The words of a line that may be played as well. */
  readonly alsoWords?: readonly string[] | undefined;
  /**
   * Whether a search counts as half a command in the rate limit: of a further page of a list, which a button or a platform's
   * option asks for, and of the board in a picture, whose reading was the other half.
   */
  readonly countsHalf?: boolean;
}

interface Line {
  readonly text: string;
  readonly words: readonly string[];
  /** What stands in the place of a command. */
  readonly first: string;
  /** What stands after it. */
  readonly after: readonly Token[];
  readonly commands: readonly Command[];
  readonly isWord: IsWord;
  /** What the line may wish for, the likeliest first. */
  readonly wishes: () => readonly Wish[];
}

interface CommandLine extends Line {
  readonly command: Command;
  /** Its options as they were typed, unless they can't be told apart. */
  readonly options: Options | UserError;
  readonly mistake: UserError | undefined;
}

/** The bot's own name, which people type or mention out of habit, and the mark of a command. */
const OWN_NAME = /^\s*(?:[/@]?letterboxed\b[:,]?)?\s*[/!]?/i;
/** Commands whose words are played words, so that a wish such as "play together" may be a word as well. */
const TAKE_WORDS = ['play', 'check', 'next', 'review', 'relay'];
/** Mistakes that say more than a wish would. */
const EXACT_MISTAKES = ['line.choice', 'line.twice', 'line.unclear-sides', 'line.text'];
const MAX_OFFERS = 3;
/** The key of the answer to greetings, which helps nobody who tried a word. */
const FRIENDLY = 'say friendly';
/** Wishes that cost something, take something back, or post a board. */
const DEEDS = /^(?:hint|reveal|solve|generate|play ask:back)\b/;
/** How likely both have to be in a line of words that chain. */
const LEAST_OF_WORDS = 0.35;
/** From here a wish is read in a line that can be played, too: its words are offered beside it. */
const LEAST_BESIDE_WORDS = 0.15;

/**
 * Reads a typed line: a command with its options; a board to `solve`, perhaps with the most words of a solution; words to play;
 * or a wish in people's own words (`wishes.ts`). An empty line means `help`. Of the readers of a line, the first that can tell
 * what it means decides.
 *
 * @param isWord tells sentences from boards
 * @example readLine('/hint step:lengths', COMMANDS, isWord).command // 'hint'
 */
export function readLine(typed: string, commands: readonly Command[], isWord: IsWord): AskedCommand {
  if (typed.length > MAX_LINE_LENGTH)
    return mistaken(
      'line.long',
      `That is too long. A command takes ${grouped(MAX_LINE_LENGTH)} characters at most.`,
    );
  const pasted = withoutFullWidth(typed.replace(OWN_NAME, ''));
  const said = withDrawnBoard(withoutSideLabels(pasted)).replace(EMOJI_NAMES, ' ');
  const tokens = tokenize(said.replace(SENTENCE_END, '')).map(readLink);
  if (tokens.length === 0) return { command: 'help', options: {} };
  const spelled = tokens.filter(({ name, value }) => name !== undefined || !isEmoji(value));
  const plain = withoutPoliteWords(spelled.length > 0 ? spelled : tokens, commands, isWord);
  const [{ name, value }, ...rest] = plain as [Token, ...Token[]];
  const text = textOf(tokens);
  // Such as "solve: ozu nri lfa mbt".
  const after = name === undefined || value === '' ? rest : [{ value }, ...rest];
  let wishes: readonly Wish[] | undefined;
  const line: Line = {
    text,
    words: splitWords(text),
    first: name ?? value,
    after: name === 'sides' ? tokens : after,
    commands,
    isWord,
    wishes: () => (wishes ??= wishesOf(said, commands, isWord)),
  };
  const command = commandOf(name === 'sides' ? 'solve' : line.first, commands);
  if (command === undefined)
    return (
      readBoard(line, hasNewspaperShape) ??
      readMistyped(line) ??
      readBoard(line) ??
      readSlip(line) ??
      readOwnWords(line)
    );
  const behind = withNamedWords(command, line.after, isWord);
  const options = pastedResult(command, pasted, line) ?? attempt(() => readTokens(command, behind, isWord));
  const checked = options instanceof UserError ? options : attempt(() => readOptions(command, options));
  const mistake = checked instanceof UserError ? checked : undefined;
  const commandLine = { ...line, after: behind, command, options, mistake };
  const meant = readExactly(commandLine) ?? readWish(commandLine) ?? readLoosely(commandLine);
  const asked = withoutDate(meant, line, behind);
  // Who types a slash means the command, even if it is a word of the board.
  return typed.startsWith('/') ? { ...asked, alsoWords: undefined } : asked;
}

/**
 * A command line without "please" and "thanks", which may be words to play: those that chain, or one alone behind a command that
 * takes words. PLS and TY may be sides. "board please" is rather the day's board. A pasted result stays as it is.
 */
function withoutPoliteWords(
  tokens: readonly Token[],
  commands: readonly Command[],
  isWord: IsWord,
): readonly Token[] {
  const others = tokens.filter(({ name, value }) => name !== undefined || !POLITE.test(value));
  const [first, ...more] = others;
  const command = first && commandOf(first.name ?? first.value, commands);
  if (others.length === tokens.length || command === undefined) return tokens;
  const takesOne = ['check', 'play', 'relay'].includes(command.name);
  if (more.length === 0) return takesOne || command.name === 'board' ? tokens : others;
  if (command.name === 'record') return tokens;
  // TY may be a board's name, and without one, the board of the thread would be closed.
  if (command.name === 'board' && more.length === 1 && /^close$/i.test(more[0]!.value)) return tokens;
  // "check please yesterday"
  const isNoWord = ({ name, value }: Token) => (name === undefined ? isDate(value) : !/^words?$/.test(name));
  if (takesOne && !others.includes(tokens[1]!) && more.every(isNoWord)) return tokens;
  const behind = textOf(tokens.filter((token) => token !== first));
  const board = likelyBoardIn(behind);
  // Not the one word of "race 3 please".
  const areChained = splitWords(behind).length > 1 && areWordsToPlay(behind, isWord);
  const isSide =
    board !== undefined && (hasNewspaperShape(board) || (hasEqualSides(board) && !hasRepeats(board)));
  return areChained || isSide ? tokens : others;
}

const POLITE = /^(?:please|pls|plz|thanks|thx|ty)[,.!]*$/i;
const isEmoji = (text: string) =>
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+$/u.test(text);
/** As phone keyboards put it; not that of "9 p.m." or `pattern:for.` */
const SENTENCE_END = /(?<=(?:^|\s)[^\s.:]*[\p{L}\d])[.!]\s*$/u;
/** Slack's names of emoji. */
const EMOJI_NAMES = /(?<!\S)(?::[a-z0-9_+'-]{1,50}:)+(?!\S)/g;

/** What follows `record`, as it was pasted: a result has emoji, lines and quotation marks, and a link in it names no option. */
function pastedResult({ name, options }: Command, pasted: string, { after }: Line): Options | undefined {
  const [, message] = /^\s*[^\s:=]+\s+(.+)$/su.exec(pasted) ?? [];
  const isNamed = after.some((token) => options.some((option) => option.name === token.name));
  return name !== 'record' || message === undefined || POLITE.test(message) || isNamed
    ? undefined
    : { message };
}

/** "hint ozu nri lfa mbt yesterday": a day is no help beside the board itself, unless managers set its board. */
function withoutDate(asked: AskedCommand, { commands }: Line, typed: readonly Token[]): AskedCommand {
  const areNamed = typed.some(({ name }) => name === 'sides' || name === 'date');
  const command = commandOf(asked.command, commands);
  const setsBoard = command !== undefined && isForManagers(command);
  if (asked.options instanceof UserError || areNamed || setsBoard) return asked;
  const { date, ...options } = asked.options;
  return date === undefined || options.sides === undefined
    ? asked
    : { ...asked, options, unread: `"${clip(String(date))}"` };
}

/** "hint after forum", "hint for forum" and "next word after forum" with "words:forum". */
function withNamedWords({ name }: Command, tokens: readonly Token[], isWord: IsWord): readonly Token[] {
  const isPlayed = (word: string) => isWord(word) && isMeaningless(word) && !isDate(word);
  const isAfter = ({ name: option, value }: Token, at: number) => {
    if (option !== undefined || /^after$/i.test(value)) return option === undefined;
    const next = tokens[at + 1]?.value.toLowerCase() ?? '';
    // FOR and ROT can be played.
    return (
      /^(?:for|from|with)$/i.test(value) && isPlayed(next) && !areWordsToPlay(`${value} ${next}`, isWord)
    );
  };
  const at = name === 'hint' || name === 'next' ? tokens.findIndex(isAfter) : -1;
  const [first, ...others] = tokens.slice(at + 1);
  if (at < 0 || first === undefined) return tokens;
  const before = tokens.slice(0, at).filter(({ value }) => !/^(?:next|best|words?)$/i.test(value));
  return [...before, { ...first, name: first.name ?? 'words' }, ...others];
}

const textOf = (tokens: readonly Token[]) =>
  tokens.map(({ name, value }) => (name === undefined ? value : `${name}:${value}`)).join(' ');

/** A link to a board as its sides, but not a link in other text, such as a note. */
function readLink(token: Token): Token {
  // The scheme of a link looks like the name of an option.
  if (token.name !== undefined && !/^https?$/.test(token.name)) return token;
  const text = textOf([token]);
  const sides = withoutBoardLinks(text);
  return sides !== text && /^[a-z-]+$/i.test(sides) ? { value: sides } : token;
}

/** The command of this name or alias, also when it is typed as `today?` or `.today`. */
function commandOf(typed: string, commands: readonly Command[]): Command | undefined {
  const find = (name: string) => commands.find((one) => isCalled(one, name));
  const name = typed.toLowerCase();
  return find(name) ?? find(name.replace(/^[/!.]|(?<![?!.,])[?!.,]+$/g, ''));
}

function attempt(read: () => Options): Options | UserError {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

const mistaken = (code: string, text: string): AskedCommand => ({
  command: '',
  options: new UserError(code, text),
});

/**
 * A command followed by what can only be meant for it: the name of an option (`hint step:count`), words to play (`check forum,
 * mob`), a mistake in an option (`race 13`, `solve --foo`), or no word that wishes are made of (`check forum`).
 */
function readExactly(line: CommandLine): AskedCommand | undefined {
  const { command, after, options, mistake, isWord } = line;
  const asked = { command: command.name, options };
  if (after.length === 0) return withWords(asked, line.text, isWord);
  const text = textOf(after);
  const isNamed = after.some(({ name }) => command.options.some((option) => option.name === name));
  const areWords =
    TAKE_WORDS.includes(command.name) &&
    (/\p{L},\p{L}/u.test(text) || (splitWords(text).length > 1 && areWordsToPlay(text, isWord)));
  const isExactMistake =
    mistake !== undefined &&
    (EXACT_MISTAKES.includes(mistake.code) ||
      // "race 13" is told which numbers there are, but "race me" is a wish.
      (mistake.code === 'options.whole' && /\d/.test(text)) ||
      after.some(({ value }) => /^(?:--|—)\p{L}/u.test(value)));
  // "board from 12 october": without the word that says what to do with it, it is for the wishes to find out what is meant.
  const isUnsaid = command.name === 'board' && (options as Options).do === undefined;
  const isMeant =
    mistake === undefined &&
    !isUnsaid &&
    splitWords(freeText(command, options as Options, isWord)).every(
      (word) => isMeaningless(word) || /^\d|^[ap]m$/.test(word),
    );
  // Whatever follows `record` is a result in people's own words: "record got it yesterday in 2 words".
  return command.name === 'record' || isNamed || areWords || isExactMistake || isMeant ? asked : undefined;
}

/** "of the" of "ranking of the week". A date that can't be read, such as "31 nov", has to be refused. */
const NO_DATE = /^(?!(?:last|this)$)(?:(?:of|for|in|the|all|times?|last|this|day)(?: |$))+$/i;

/** What was typed for options that anything can be a value of. */
function freeText(command: Command, options: Options, isWord: IsWord): string {
  const isFree = (option: Option) => {
    const value = String(options[option.name] ?? '');
    const isChoice = Object.hasOwn({ ...option.about, ...option.optionsOfChoice }, value.toLowerCase());
    if (!option.positional || isChoice || isValueOf(option, value)) return false;
    // The text of an action belongs to it, except in a sentence: "daily on at 9 in london".
    if (option.kind === 'text') return options.do === undefined || / in /.test(value);
    const board = option.kind === 'sides' ? likelyBoardIn(value) : undefined;
    // Words that can be sides, too, mostly repeat letters.
    if (board !== undefined) return hasRepeats(board) && !looksLikeBoard(value, isWord, { isAsked: true });
    if (option.kind === 'date') return NO_DATE.test(value);
    return option.kind === 'words' || option.kind === 'sides';
  };
  return command.options
    .filter(isFree)
    .map(({ name }) => options[name] ?? '')
    .join(' ');
}

/** A wish that begins with the name of a command, if it says more than the command line does, or if that has a mistake. */
function readWish(line: CommandLine): AskedCommand | undefined {
  const { command, options, mistake, after, isWord } = line;
  const all = withChoices(line);
  // A board makes any line likely to wish for its solutions, but "play this board: ozu nri lfa mbt" names another command.
  const isBoardOfOwn = ({ action }: Wish) =>
    action?.command === command.name && action.options.sides !== undefined;
  const best = (all[0]?.action?.command === 'solve' ? all.find(isBoardOfOwn) : undefined) ?? all[0];
  if (best === undefined) return undefined;
  const isSame = best.action?.command === command.name;
  const isBetter = mistake
    ? isWishRather(best, mistake, isSame)
    : isWhole(best) && !losesWords(options as Options, best, isWord, isSame);
  // "play my first word" is hardly a wish for that hint, which would cost something, nor "check my answer" for the solution.
  const isCostly = ({ action, odds }: Wish, name: string) =>
    TAKE_WORDS.includes(command.name) && action?.command === name && odds < CERTAIN;
  const others = all.filter((wish) => !isCostly(wish, 'reveal'));
  // Of "play last", no word is taken back.
  const isBack = ({ action, odds }: Wish) => action?.options.ask === 'back' && odds < LIKELY;
  const meantAs = isSame
    ? wishesFor(
        all.map((wish) => (isBack(wish) ? { ...wish, isOffered: true } : wish)),
        command.name,
      )
    : others.map((wish) => (isCostly(wish, 'hint') ? { ...wish, isOffered: true } : wish));
  const meant = isBetter ? meantBy(meantAs, isWord) : undefined;
  return meant && TAKE_WORDS.includes(command.name) ? withWords(meant, textOf(after), isWord) : meant;
}

/**
 * The wishes of a line. If it wishes for its own command and names choices of it, as "hint lengths plz" does, only those with
 * these choices count; if none has them, those for the command get the choices that they lack,
 * and are offered if some of them have others.
 */
function withChoices({ command, after, wishes }: CommandLine): readonly Wish[] {
  const bare = after.filter(({ name }) => name === undefined).map(({ value }) => value.toLowerCase());
  const choices = command.options.flatMap((option) => {
    const isChoice = (word: string) => option.kind === 'choice' && isValueOf(option, word);
    const [choice, ...others] = option.positional ? new Set(bare.filter(isChoice)) : [];
    return choice === undefined || others.length > 0 ? [] : [[option.name, choice] as const];
  });
  const all = wishes();
  const isSame = all[0]?.action?.command === command.name;
  // A number has a meaning of its own, as in "generate easy leters 4".
  if (choices.length === 0 || !isSame || bare.some((word) => /\d/.test(word))) return all;
  const own = all.filter(({ action }) => action?.command === command.name);
  const same = own.filter(({ action }) => choices.every(([name, value]) => action!.options[name] === value));
  if (same.length > 0) return same;
  const isOther = own.some(({ action }) => choices.some(([name]) => action!.options[name] !== undefined));
  return own.map((wish) => {
    const options = { ...Object.fromEntries(choices), ...wish.action!.options };
    const action = { command: command.name, options };
    return { ...wish, action, label: typeAction(action), isOffered: wish.isOffered || isOther };
  });
}

const isWhole = ({ unread }: Wish) => unread.length === 0;

/**
 * Whether a line means a wish rather than a command line with a mistake. A few words of a sentence may look like a board by chance:
 * a wish with a board has to account for each word, and to have the newspaper's shape or the same command. If the mistake is that
 * a board has other words beside it, only a wish with a board of the newspaper's shape is meant.
 */
function isWishRather(wish: Wish, { code }: UserError, isSame: boolean): boolean {
  const board = likelyBoardIn(String(wish.action?.options.sides ?? ''));
  const hasMoreThanBoard = code === 'line.more-than-board';
  if (board === undefined && !hasMoreThanBoard) return (isSame && isWhole(wish)) || isSure(wish);
  const isUsual = board !== undefined && hasNewspaperShape(board);
  return isWhole(wish) && (isUsual || (isSame && !hasMoreThanBoard));
}

/** Whether an unsure wish would leave out words of a command line that can all be played. */
function losesWords(options: Options, wish: Wish, isWord: IsWord, isSame: boolean): boolean {
  const typed = wordsOf(options);
  const isFree = isSame || wish.isOffered;
  if (typed.length === 0 || !typed.every(isWord)) return false;
  // "check hello" wants no greeting.
  if (wish.action === undefined) return true;
  // MARCH is tried on the board of "check march ozu nri lfa mbt", which is surely no wish for its solution.
  if (isSure(wish)) return !isSame && options.sides !== undefined && areWordsToPlay(typed.join(' '), isWord);
  // Of "check the first word", no hint is given, which would cost something.
  if (isSaying(options, isWord)) return !isSame && (typed.length > 1 || Object.keys(options).length > 1);
  // "with friends": words of wishes that don't chain are a sentence.
  const isSentence = !areWordsToPlay(typed.join(' '), isWord) && !typed.some(isMeaningless);
  return !isSentence || !isFree;
}

const wordsOf = ({ words = '' }: Options) => splitWords(String(words));

/** Whether words of wishes follow a command rather than words to play, such as "play again" and "check my words". */
function isSaying(options: Options, isWord: IsWord): boolean {
  const typed = wordsOf(options);
  const isPhrase = /^(?:an?|the|my|our|this|that)$/.test(typed[0] ?? '');
  const isSaid = typed.length === 1 || (isPhrase && !areWordsToPlay(typed.join(' '), isWord));
  return isSaid && !typed.some(isMeaningless);
}

/** The wishes for one command, of a line that is known to be for it. */
function wishesFor(wishes: readonly Wish[], command: string): readonly Wish[] {
  const own = wishes.filter(({ action }) => action?.command === command);
  const all = own.reduce((sum, { odds }) => sum + odds, 0);
  return own.map((wish) => ({ ...wish, odds: wish.odds / all }));
}

/** A command as it was typed, even if it has a mistake; what else may be meant is offered then. */
function readLoosely(line: CommandLine): AskedCommand {
  const { command, options, mistake, wishes, isWord } = line;
  // "help me pick a word": the topics of help are single words.
  if (command.name === 'help' && mistake === undefined && line.words.length > 2) return notUnderstood(line);
  if (
    mistake === undefined &&
    wordsOf(options as Options).length > 1 &&
    isSaying(options as Options, isWord)
  ) {
    const { words: _, ...others } = options as Options;
    return { command: command.name, options: others };
  }
  if (mistake !== undefined) return { command: command.name, options: mistake, offers: offersOf(wishes()) };
  // "daily board" is a mistake only once it runs. The text of an action, such as the name in "board close tea", belongs to it.
  const isAction = (options as Options).do !== undefined;
  return { command: command.name, options, ...(!isAction && { offers: offersOf(wishes()) }) };
}

/** A line that is a board, perhaps with the most words of a solution, or with named options of `solve`. */
function readBoard(line: Line, isWanted = (_: Board) => true): AskedCommand | undefined {
  const { text, first, after, commands, isWord } = line;
  const isBoard = (sides: string) => looksLikeBoard(sides, isWord) && isWanted(likelyBoardIn(sides)!);
  const [, sides = text, most] = /^(.+) (\d+)$/.exec(text) ?? [];
  if (isBoard(sides)) return { command: 'solve', options: { sides, ...(most !== undefined && { most }) } };
  const solve = commandOf('solve', commands);
  const marks = solve?.options.flatMap(({ name, kind }) => [
    `${name}:`,
    `--${name}`,
    ...(kind === 'flag' ? [name] : []),
  ]);
  const at = after.findIndex(({ name, value }) =>
    marks?.includes(name === undefined ? value.toLowerCase().replace(/^—/, '--') : `${name}:`),
  );
  const isMeant = ({ value }: Token, index: number) => index < at || !POLITE.test(value);
  const tokens = [{ value: first }, ...after.filter(isMeant)];
  if (solve === undefined || at < 0 || !isBoard(textOf(tokens.slice(0, at + 1)))) return undefined;
  return { command: 'solve', options: attempt(() => readTokens(solve, tokens, isWord)) };
}

const mistypedIn = ({ first, commands, isWord }: Line) =>
  isWord(first.toLowerCase()) ? undefined : commandNear(first, commands);

/** A mistyped command with a whole board after it, which can mean nothing else. */
function readMistyped(line: Line): AskedCommand | undefined {
  const { after, isWord } = line;
  const command = mistypedIn(line);
  if (command === undefined || isForManagers(command) || !looksLikeBoard(textOf(after), isWord))
    return undefined;
  return { command: command.name, options: attempt(() => readTokens(command, after, isWord)) };
}

/** A mistyped command, unless the line surely wishes for something else. One for managers is named even then. */
function readSlip(line: Line): AskedCommand | undefined {
  const { first, after, commands, isWord, wishes } = line;
  const command = mistypedIn(line);
  const [best] = wishes();
  if (command === undefined || (isSure(best) && saysMore(best) && !isForManagers(command))) return undefined;
  const read = attempt(() => readTokens(command, after, isWord));
  const { options } = withoutDate({ command: command.name, options: read }, line, after);
  const corrected =
    options instanceof UserError
      ? []
      : [{ label: `Yes, ${command.name}`, action: { command: command.name, options } }];
  return {
    command: first,
    options: unknownCommandError(first, commands),
    offers: [...corrected, ...offersOf(wishes())].slice(0, MAX_OFFERS),
  };
}

/** Whether it is a wish, which has a key, and for more than playing or checking the words of its line. */
const saysMore = ({ key, action }: Wish) => key !== '' && action?.options.words === undefined;

/**
 * Words to play, a wish, or what is not understood. How likely a wish has to be depends on the words:
 * - "forum", which can be played and is no word of wishes, though they may be likely for another reason: SURE
 * - "next", which can be played and is a word of wishes: LEAST_BESIDE_WORDS
 * - all other lines: LIKELY
 */
function readOwnWords(line: Line): AskedCommand {
  const { text, words, isWord } = line;
  if (!/[\p{L}\d]/u.test(text)) return mistaken('line.said', wishRows.get(FRIENDLY)!.label);
  const wishes = line.wishes();
  const [best] = wishes;
  const isChain = areWordsToPlay(text, isWord);
  // Words with slips and single letters are played, too, to be answered with the reason.
  const areUnknown =
    words.length < 4 && words.every((word) => /^(?:[a-z]|[a-z]{3,20})$/.test(word) && isMeaningless(word));
  const isMove = isChain || (areUnknown && !(best && saysMore(best) && words.length > 1) && !/\d/.test(text));
  const least = words.every(isMeaningless) ? SURE : LEAST_BESIDE_WORDS;
  const isTried = isChain && best !== undefined && best.odds < LEAST_OF_WORDS;
  const wished = isMove ? wishes.filter(saysMore) : wishes;
  const meant =
    isTried && best.key === FRIENDLY ? undefined : meantBy(wished, isWord, isChain ? least : LIKELY);
  if (meant !== undefined && isTried && DEEDS.test(wished[0]!.key)) {
    const check = {
      label: `Check ${text.toUpperCase()}`,
      action: { command: 'check', options: { words: text } },
    };
    const options = new UserError('line.offer', 'Press the one you mean.');
    return withWords({ ...meant, options, offers: [...offersOf([wished[0]!]), check] }, text, isWord);
  }
  if (meant !== undefined) return withWords(meant, text, isWord);
  if (isMove && /\?\s*$/.test(text))
    return withWords({ command: 'check', options: { words: text } }, text, isWord);
  if (isMove) return { command: 'play', options: { words: text, typed: 'yes' } };
  return notUnderstood(line);
}

/** Adds the words of the text, if they may be played as well. */
function withWords(asked: AskedCommand, text: string, isWord: IsWord): AskedCommand {
  return areWordsToPlay(text, isWord) ? { ...asked, alsoWords: splitWords(text) } : asked;
}

/** The likeliest wish is done, or offered where it has to be confirmed; others that are likely are buttons beside it. */
function meantBy(wishes: readonly Wish[], isWord: IsWord, least = LIKELY): AskedCommand | undefined {
  const [best] = wishes;
  if (best === undefined || best.odds < least || best.key === '') return undefined;
  const { action, label, isOffered } = best;
  if (action === undefined) return mistaken('line.said', label);
  const unread = unreadIn(best, isWord);
  const isGuess = best.odds < CERTAIN || unread !== undefined;
  const offers = offersOf(isGuess ? wishes : [best]);
  if (!isOffered)
    return {
      command: action.command,
      options: action.options,
      label,
      isGuess,
      unread,
      offers: offers.slice(1),
    };
  const press =
    offers.length === 1 ? 'Press the button, or say it in other words.' : 'Press the one you mean.';
  const text = unread === undefined ? press : `I can’t read ${unread} there. ${press}`;
  return { command: action.command, options: new UserError('line.offer', text), offers };
}

/** Words of a line that can't be read; beside a board, all that its wish has no use for, which may be meant as values. */
function unreadIn({ unread, unused, action }: Wish, isWord: IsWord): string | undefined {
  const isBesideBoard = action?.options.sides !== undefined;
  const words = [...unread.filter((word) => isBesideBoard || isUnreadable(word, isWord)), ...unused];
  return words.length === 0 ? undefined : `"${clip(words.join(' '))}"`;
}

function offersOf(wishes: readonly Wish[]): readonly Offer[] {
  return wishes
    .flatMap(({ label, action }) => (action === undefined ? [] : [{ label, action }]))
    .slice(0, MAX_OFFERS);
}

function notUnderstood(line: Line): AskedCommand {
  const offers = offersOf(line.wishes());
  return { command: line.first, options: notUnderstoodError(line), ...(offers.length > 0 && { offers }) };
}

/** The answer to what is not understood, even if it could just as well be a board. */
function notUnderstoodError({ text, words, commands, isWord, wishes }: Line): UserError {
  const say = (what: string, advice?: string) => new UserError('line.sentence', what, advice);
  if (/https?:/i.test(text)) return say('I can’t open links, but I have the board of each day.');
  const guess = wishes().find(({ action }) => action !== undefined);
  const at = words.findIndex((word) => commands.some((command) => isCalled(command, word)));
  const named = commands.find((command) => isCalled(command, words[at] ?? ''));
  // A word behind a command is meant as a value of it.
  const value = named && guess?.unread.find((word) => word === words[at + 1]);
  const unread = value !== undefined ? `"${clip(value)}"` : guess && unreadIn(guess, isWord);
  const said = guess === undefined ? 'I know only Letter Boxed, and not this.' : 'Is it one of these?';
  const what = unread === undefined ? said : `I can’t read ${unread} there. ${said}`;
  const board = likelyBoardIn(text);
  if (board !== undefined && looksLikeBoard(text, isWord, { isAsked: true }))
    return say(`${what} To solve it as a board, type:`, `solve ${formatBoard(board)}`);
  return unread !== undefined && named !== undefined
    ? say(`${what} For what ${named.name} takes, type:`, `help ${named.name}`)
    : say(what);
}

export function unknownCommandError(typed: string, commands: readonly Command[]): UserError {
  const meant = commandNear(typed, commands);
  const advice = meant === undefined ? '' : ` Did you mean ${meant.name}?`;
  return new UserError('line.command', `There is no command "${clip(typed)}".${advice}`);
}

function commandNear(typed: string, commands: readonly Command[]): Command | undefined {
  const names = commands.map(({ name }) => name);
  return commands[names.indexOf(nearest(typed, names) ?? '')];
}
