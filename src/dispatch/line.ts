import { UserError } from '../core/errors.ts';
import { clip, grouped, nearest, splitWords } from '../core/text.ts';
import { formatBoard, hasRepeats } from '../solver/board.ts';
import { type Command, isCalled, isForManagers, type Option, type Options } from './contract.ts';
import { readOptions } from './options.ts';
import { MAX_LINE_LENGTH, type Token, tokenize } from './tokens.ts';
import {
  areWordsToPlay,
  hasNewspaperShape,
  type IsWord,
  likelyBoardIn,
  looksLikeBoard,
  withoutBoardLinks,
} from './typed-board.ts';
import { isValueOf, readTokens } from './typed-options.ts';
import { isMeaningless, wishRows } from './wish-words.ts';
import { isSure, LIKELY, SURE, type Wish, wishesOf } from './wishes.ts';

/** A button beside an answer, with what it says and does. */
type Offer = Required<Pick<Wish, 'label' | 'action'>>;

/** A command as it was asked for, by a typed line or a platform's request. Its options are neither read nor checked yet. */
export interface AskedCommand {
  /** Its name, or what was typed instead if there is no such command. */
  readonly command: string;
  /**
   * Reads the options, or returns the mistake of a line that can't be divided into them; its command is known
   * even so, for its help. It takes milliseconds for a line longer than a wish, so the rate limit is
   * checked first.
   */
  readonly options: () => Options | UserError;
  /** What may have been meant, as buttons. */
  readonly offers?: readonly Offer[] | undefined;
  /** What a line was understood to wish for, and whether that was a guess. */
  readonly label?: string;
  readonly isGuess?: boolean;
  /** The words of a line that may be played as well. */
  readonly alsoWords?: readonly string[] | undefined;
  /** Whether a button or a platform's option asks for a further page of a list, which costs less than a typed search. */
  readonly isFurtherPage?: boolean;
}

/** What reading a line takes. */
interface Reader {
  readonly commands: readonly Command[];
  readonly isWord: IsWord;
  /** What the whole line may wish for. */
  readonly wishes: () => readonly Wish[];
}

/** The bot's own name, which people type or mention out of habit, and the mark of a command. */
const OWN_NAME = /^\s*(?:[/@]?letterboxed\b[:,]?)?\s*[/!]?/i;
/** Commands whose words are played words, so that a wish such as "play together" may be a word as well. */
const TAKE_WORDS = ['play', 'check', 'next', 'review', 'relay'];
/** Mistakes that say more than a wish would. */
const EXACT_MISTAKES = ['line.choice', 'line.twice', 'line.unclear-sides'];
/** The most that a line may be offered as. */
const MAX_OFFERS = 3;
/** As much is enough for a word that may be played, too. */
const LEAST_SAID = 0.15;

/**
 * Reads a typed line: a command with its options, a board, perhaps followed by the most words of a solution, which means
 * `solve`, words to play, or a wish in people's own words (`wishes.ts`). An empty line means `help`.
 *
 * @param isWord tells sentences from boards
 * @example readLine('/hint step:lengths', COMMANDS, isWord).command // 'hint'
 */
export function readLine(line: string, commands: readonly Command[], isWord: IsWord): AskedCommand {
  if (line.length > MAX_LINE_LENGTH)
    return mistaken(
      'line.long',
      `That is too long. A command takes ${grouped(MAX_LINE_LENGTH)} characters at most.`,
    );
  const said = line.replace(OWN_NAME, '');
  const tokens = tokenize(said).map(readLink);
  if (tokens.length === 0) return { command: 'help', options: () => ({}) };
  const reader = { commands, isWord, wishes: () => wishesOf(said, commands, isWord) };
  const named = tokens.filter(({ name, value }) => name !== undefined || !isEmoji(value));
  const [first, ...rest] = named.length > 0 ? named : tokens;
  const { name, value } = first!;
  // Such as "sides: ozu nri lfa mbt", and "solve: ozu nri lfa mbt".
  const command = commandOf(name === 'sides' ? 'solve' : (name ?? value), commands);
  const after = name === undefined || value === '' ? rest : [{ value }, ...rest];
  const topic = commands.find((one) => isCalled(one, rest.at(-1)?.value ?? ''));
  if (command?.name === 'help' && topic !== undefined)
    return { command: 'help', options: () => ({ command: topic.name }) };
  if (command === undefined) return readBare(name ?? value, tokens, after, reader);
  const asked = readCommand(command, name === 'sides' ? tokens : after, reader);
  // Who types a slash means the command, even if it is a word of the board.
  return line.startsWith('/') ? { ...asked, alsoWords: undefined } : asked;
}

const isEmoji = (text: string) => /^(?:\p{Extended_Pictographic}|\u200d|\ufe0f)+$/u.test(text);
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
  return find(name) ?? find(name.replace(/^[/!.]|[?!.,]+$/g, ''));
}

/** A command with the tokens typed after it, or with the mistake in them. */
function askedFor(command: Command, tokens: readonly Token[], isWord: IsWord): AskedCommand {
  function options(): Options | UserError {
    try {
      return readTokens(command, tokens, isWord);
    } catch (error) {
      if (error instanceof UserError) return error;
      throw error;
    }
  }
  return { command: command.name, options };
}

const mistaken = (code: string, text: string): AskedCommand => ({
  command: '',
  options: () => new UserError(code, text),
});

/** A line that begins with a command, unless what follows is no value of it, and the line is a wish. */
function readCommand(
  command: Command,
  after: readonly Token[],
  { isWord, wishes: read }: Reader,
): AskedCommand {
  const asked = askedFor(command, after, isWord);
  if (after.length === 0) return withWords(asked, command.name, isWord);
  let options: Options | UserError;
  try {
    options = checked(command, asked.options());
  } catch {
    // It fails again, as a fault, when the options are read.
    return asked;
  }
  if (isExact(command, after, options, isWord)) return asked;
  const all = read();
  const [best] = all;
  const isSame = best?.action?.command === command.name;
  const wishes = isSame ? among(all, command.name) : all;
  const board = likelyBoardIn(String(best?.action?.options.sides ?? ''));
  if (options instanceof UserError) {
    // A mistake in a board is told, unless the wish has one of the newspaper's shape, or none was seen and it is the same command.
    const isSeen = options.code === 'line.more-than-board';
    const isUsual = board !== undefined && hasNewspaperShape(board);
    const isBetter = best?.isWhole && (isUsual || (isSame && !isSeen));
    if ((board !== undefined || isSeen) && !isBetter) return asked;
  }
  const mayBe =
    options instanceof UserError || hasNoValue(command, options)
      ? isSure(best) || (isSame && all[0]!.isWhole)
      : best?.isWhole && !isLost(command, options, best, isWord);
  const meant = mayBe ? meantBy(wishes) : undefined;
  if (meant === undefined)
    return options instanceof UserError ? { ...asked, options: () => options, offers: offersOf(all) } : asked;
  return TAKE_WORDS.includes(command.name) ? withWords(meant, textOf(after), isWord) : meant;
}

/** Whether an option has a value that its command will refuse, as in "remind me later". */
function hasNoValue(command: Command, options: Options): boolean {
  return command.options.some((option) => {
    const value = String(options[option.name] ?? '');
    if (value === '' || !option.positional) return false;
    if (option.kind === 'date') return !/^(?:last|this)$/.test(value) && !isValueOf(option, value);
    return option.accepts?.(value) === false;
  });
}

/** Whether a wish leaves out a board or words that its line has, where it could be read as the command that it begins with. */
function isLost(command: Command, options: Options, best: Wish, isWord: IsWord): boolean {
  const { sides } = best.action?.options ?? {};
  const isBoard = command.name !== 'board' && likelyBoardIn(String(options.sides ?? '')) !== undefined;
  const typed = splitWords(String(options.words ?? ''));
  const areWords = typed.length > 0 && typed.every(isWord);
  return (isBoard && sides === undefined) || (areWords && !isSure(best));
}

/** The options of a command as they were typed, or the mistake in them. */
function checked(command: Command, options: Options | UserError): Options | UserError {
  if (options instanceof UserError) return options;
  try {
    readOptions(command, options);
    return options;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** Whether what follows a command can only be meant for it, or has no word that wishes are made of. */
function isExact(
  command: Command,
  after: readonly Token[],
  options: Options | UserError,
  isWord: IsWord,
): boolean {
  const text = textOf(after);
  const isNamed = after.some(({ name }) => command.options.some((option) => option.name === name));
  const areListed =
    TAKE_WORDS.includes(command.name) &&
    (/\p{L},\p{L}/u.test(text) || (splitWords(text).length > 1 && areWordsToPlay(text, isWord)));
  if (command.name === 'record' || areListed || (isNamed && command.name !== 'board')) return true;
  if (options instanceof UserError)
    // "race 13" is told which numbers there are, but "race me" is a wish.
    return (
      EXACT_MISTAKES.includes(options.code) ||
      (options.code === 'options.whole' && /\d/.test(text)) ||
      after.some(({ value }) => /^(?:--|—)\p{L}/u.test(value))
    );
  return splitWords(freeText(command, options, isWord)).every(
    (word) => isMeaningless(word) || /^\d|^[ap]m$/.test(word),
  );
}

/** What was typed for options that anything can be a value of. */
function freeText(command: Command, options: Options, isWord: IsWord): string {
  // Boards that people made have no sides without the word that says what to do with them.
  if (command.name === 'board' && options.do === undefined) return command.name;
  const isFree = (option: Option) => {
    const value = String(options[option.name] ?? '');
    const isChoice = Object.hasOwn({ ...option.about, ...option.optionsOfChoice }, value.toLowerCase());
    if (!option.positional || isChoice || isValueOf(option, value)) return false;
    if (option.kind === 'text') return options.do === undefined || / in /.test(value);
    const board = option.kind === 'sides' ? likelyBoardIn(value) : undefined;
    if (board !== undefined) return hasRepeats(board) && !looksLikeBoard(value, isWord, true);
    return option.kind === 'words' || option.kind === 'sides';
  };
  return command.options
    .filter(isFree)
    .map(({ name }) => options[name] ?? '')
    .join(' ');
}

/** The wishes for one command, of a line that is known to be for it. */
function among(wishes: readonly Wish[], command: string): readonly Wish[] {
  const own = wishes.filter(({ action }) => action?.command === command);
  const all = own.reduce((sum, { odds }) => sum + odds, 0);
  return own.map((wish) => ({ ...wish, odds: wish.odds / all }));
}

/** The same, with the words that the line may also be. */
function withWords(asked: AskedCommand, text: string, isWord: IsWord): AskedCommand {
  return areWordsToPlay(text, isWord) ? { ...asked, alsoWords: splitWords(text) } : asked;
}

/** The likeliest wish is done, or offered where it has to be confirmed; others that are likely are buttons beside it. */
function meantBy(wishes: readonly Wish[], least = LIKELY): AskedCommand | undefined {
  const [best] = wishes;
  if (best === undefined || best.odds < least || best.key === '') return undefined;
  const { action, label, isOffered } = best;
  if (action === undefined) return mistaken('line.said', label);
  const { command, options } = action;
  const isGuess = !isSure(best);
  const offers = offersOf(isGuess ? wishes : [best]);
  if (!isOffered) return { command, options: () => options, label, isGuess, offers: offers.slice(1) };
  const text =
    offers.length === 1 ? 'Press the button, or say it in other words.' : 'Press the one you mean.';
  return { command, options: () => new UserError('line.offer', text), offers };
}

function offersOf(wishes: readonly Wish[]): readonly Offer[] {
  return wishes
    .flatMap(({ label, action }) => (action === undefined ? [] : [{ label, action }]))
    .slice(0, MAX_OFFERS);
}

/**
 * Reads a line without a command: a board, a mistyped command, a wish, words to play, or else a mistake.
 *
 * @param typed what stands in the place of a command
 * @param after what follows if it is a mistyped command
 */
function readBare(
  typed: string,
  tokens: readonly Token[],
  after: readonly Token[],
  reader: Reader,
): AskedCommand {
  const { commands, isWord } = reader;
  const text = textOf(tokens);
  if (!/[\p{L}\d]/u.test(text)) return mistaken('line.said', wishRows.get('say friendly')!.label);
  const [, sides = text, most] = /^(.+) (\d+)$/.exec(text) ?? [];
  const isBoard = looksLikeBoard(sides, isWord);
  // The first side of the newspaper's boards may look like a command.
  const isUsual = isBoard && hasNewspaperShape(likelyBoardIn(sides)!);
  const similar = isUsual || isWord(typed.toLowerCase()) ? undefined : nearest(typed, namesOf(commands));
  const mistyped = commands.find(({ name }) => name === similar);
  // A mistyped command with a whole board after it can mean nothing else.
  if (mistyped && !isForManagers(mistyped) && looksLikeBoard(textOf(after), isWord))
    return askedFor(mistyped, after, isWord);
  if (isBoard) return { command: 'solve', options: () => ({ sides, ...(most !== undefined && { most }) }) };
  const wishes = reader.wishes();
  const isSaid = ({ key, action }: Wish) => key !== '' && action?.options.words === undefined;
  const [best] = wishes;
  if (mistyped && !(isSure(best) && isSaid(best) && !isForManagers(mistyped))) {
    const corrected = askedFor(mistyped, after, isWord);
    const options = corrected.options();
    const action = options instanceof UserError ? undefined : { command: mistyped.name, options };
    const offers = [...(action ? [{ label: `Yes, ${mistyped.name}`, action }] : []), ...offersOf(wishes)];
    return {
      command: typed,
      options: () => unknownCommandError(typed, commands),
      offers: offers.slice(0, MAX_OFFERS),
    };
  }
  const words = splitWords(text);
  const isPlayed = areWordsToPlay(text, isWord);
  // Words with slips are played, too, to be answered with the reason.
  const areUnknown = words.every((word) => /^[a-z]{3,20}$/.test(word) && isMeaningless(word));
  const isUnlikely = best === undefined || !isSaid(best) || words.length === 1;
  const isMove = isPlayed || (areUnknown && isUnlikely && !/\d/.test(text));
  // What words say that may be played is offered beside the move.
  const least = words.every(isMeaningless) ? SURE : LEAST_SAID;
  const meant = meantBy(isMove ? wishes.filter(isSaid) : wishes, isPlayed ? least : LIKELY);
  if (meant !== undefined) return withWords(meant, text, isWord);
  if (isMove) return moveOf(text, isWord);
  const offers = offersOf(wishes);
  const mistake = () => noBoardError(text, isWord, offers.length > 0);
  return { command: typed, options: mistake, ...(offers.length > 0 && { offers }) };
}

/** Words are played, or checked where a question mark follows them. */
function moveOf(text: string, isWord: IsWord): AskedCommand {
  return /\?\s*$/.test(text)
    ? withWords({ command: 'check', options: () => ({ words: text }) }, text, isWord)
    : { command: 'play', options: () => ({ words: text, typed: 'yes' }) };
}

/** The answer to what is not understood, even if it could just as well be a board. */
function noBoardError(text: string, isWord: IsWord, isGuessed: boolean): UserError {
  const board = likelyBoardIn(text);
  const isPossible = board !== undefined && looksLikeBoard(text, isWord, true);
  const solve = isPossible ? ` To solve it as a board, type: solve ${formatBoard(board)}` : '';
  const isLink = /https?:/i.test(text);
  const unknown = isGuessed ? 'Is it one of these?' : 'I know only Letter Boxed, and not this.';
  const what = isLink ? 'I can’t open links, but I have the board of each day.' : unknown;
  return new UserError('line.sentence', `${what}${solve}`);
}

export function unknownCommandError(typed: string, commands: readonly Command[]): UserError {
  const similar = nearest(typed, namesOf(commands));
  const advice = similar === undefined ? '' : ` Did you mean ${similar}?`;
  return new UserError('line.command', `There is no command "${clip(typed)}".${advice}`);
}

function namesOf(commands: readonly Command[]): string[] {
  return commands.map(({ name }) => name);
}
