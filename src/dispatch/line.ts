import { UserError } from '../core/errors.ts';
import { clip, grouped, nearest, splitWords } from '../core/text.ts';
import { formatBoard, hasRepeats } from '../solver/board.ts';
import { isValueOf } from './bare-words.ts';
import { type Command, isCalled, isForManagers, type Options } from './contract.ts';
import { readOptions } from './options.ts';
import { isPositional, MAX_LINE_LENGTH, readTokens, type Token, tokenize } from './tokens.ts';
import {
  areWordsToPlay,
  hasEqualSides,
  hasNewspaperShape,
  type IsWord,
  likelyBoardIn,
  looksLikeBoard,
  looksLikeSides,
  withoutBoardLinks,
} from './typed-board.ts';
import { isMeaningless, wishRows } from './wish-words.ts';
import { isSure, LIKELY, type Wish, wishesOf } from './wishes.ts';

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

/** The bot's own name, which people type or mention out of habit. */
const OWN_NAME = /^[/@]?letterboxed$/i;
const OWN_NAME_FIRST = /^\s*(?:[/@]?letterboxed\b)?\s*[/!]?/i;
/** Commands whose words are played words, so that a wish such as "play together" may be a word as well. */
const TAKE_WORDS = ['play', 'check', 'next', 'review', 'relay'];

/**
 * Reads a typed line: a command with its options, a wish in people's own words (`wishes.ts`), words to play, or a board, perhaps
 * followed by the most words of a solution, which means `solve`. An empty line means `help`.
 *
 * @param isWord tells sentences from boards
 * @example readLine('/hint step:lengths', COMMANDS, isWord).command // 'hint'
 */
export function readLine(line: string, commands: readonly Command[], isWord: IsWord): AskedCommand {
  if (line.length > MAX_LINE_LENGTH) {
    const limit = grouped(MAX_LINE_LENGTH);
    const text = `That is too long. A command takes ${limit} characters at most.`;
    return { command: '', options: () => new UserError('line.long', text) };
  }
  const typed = tokenize(line).map(readLink);
  const said = typed.filter(
    ({ name, value }) => name !== undefined || !/^(?:\p{Extended_Pictographic}|\u200d|\ufe0f)+$/u.test(value),
  );
  const tokens = said.length > 0 ? said : typed;
  if (isPositional(tokens[0]) && OWN_NAME.test(tokens[0].value)) tokens.shift();
  const [first, ...rest] = tokens;
  if (first === undefined) return { command: 'help', options: () => ({}) };
  const command = commandOf((first.name ?? first.value).toLowerCase(), commands);
  // Such as "solve: ozu nri lfa mbt".
  const after = first.name === undefined || first.value === '' ? rest : [{ value: first.value }, ...rest];
  const wished = line.replace(OWN_NAME_FIRST, '');
  const reader = { commands, isWord, read: () => wishesOf(wished, commands, isWord) };
  if (first.name === 'sides' && command === undefined)
    return askedFor(commandOf('solve', commands)!, tokens, isWord);
  const named = commands.find((one) => isCalled(one, rest.at(-1)?.value ?? ''));
  if (command?.name === 'help' && named !== undefined)
    return { command: 'help', options: () => ({ command: named.name }) };
  if (
    command?.name === 'help' &&
    rest.length === 1 &&
    nearest(rest[0]!.value, namesOf(commands)) !== undefined
  )
    return askedFor(command, rest, isWord);
  const asked =
    command === undefined
      ? readBare(first.name ?? first.value, tokens, after, reader)
      : readCommand(command, after, reader);
  // Who types a slash means the command, even if it is a word of the board.
  return line.startsWith('/') ? { ...asked, alsoWords: undefined } : asked;
}

/** A line that begins with a command, unless what follows is no value of it, and the line is a wish. */
function readCommand(command: Command, after: readonly Token[], { isWord, read }: Reader): AskedCommand {
  const asked = askedFor(command, after, isWord);
  if (after.length === 0) return withWords(asked, command.name, isWord);
  let options: Options | UserError;
  try {
    options = readable(command, asked);
  } catch {
    // It fails again, as a fault, when the options are read.
    return asked;
  }
  if (isItself(command, after, options)) return asked;
  const text = textOf(after);
  const arePlayed = TAKE_WORDS.includes(command.name) && areWordsToPlay(text, isWord);
  const all = read();
  const isSame = all[0]?.action?.command === command.name;
  const wishes = isSame ? among(all, command.name) : all;
  const [wish] = wishes;
  if (options instanceof UserError) {
    const board = likelyBoardIn(String(wish?.action?.options.sides ?? ''));
    const isUsual = isSure(wish) && wish.isWhole && board !== undefined && hasNewspaperShape(board);
    // "race 13" is told which numbers there are, but "race me" is a wish.
    const isExact =
      EXACT_MISTAKES.includes(options.code) || (options.code === 'options.whole' && /\d/.test(text));
    if (isExact && !isUsual) return asked;
    const mayBe = isSame ? wish?.isWhole : isSure(wish);
    const said = options.code === NO_VALUE ? asked.options : () => options;
    return (mayBe ? meantBy(wishes) : undefined) ?? { ...asked, options: said, offers: offersOf(all) };
  }
  const isBoard = command.name !== 'board' && likelyBoardIn(String(options.sides ?? '')) !== undefined;
  const isLost = isBoard && (!isSame || wish?.action?.options.sides === undefined);
  const areWords = options.words !== undefined && splitWords(String(options.words)).every(isWord);
  if (!wish?.isWhole || isLost || (areWords && !isSure(all[0]))) return asked;
  const meant = meantBy(wishes) ?? asked;
  return arePlayed ? withWords(meant, text, isWord) : meant;
}

/** Whether what follows a command can only be meant for it, or is nothing that wishes are made of. */
function isItself(command: Command, after: readonly Token[], options: Options | UserError): boolean {
  const isNamed = after.some(({ name }) => command.options.some((option) => option.name === name));
  if (command.name === 'record' || (isNamed && command.name !== 'board')) return true;
  // A list.
  if (TAKE_WORDS.includes(command.name) && /\p{L},\p{L}/u.test(textOf(after))) return true;
  return options instanceof UserError
    ? after.some(({ value }) => /^(?:--|—)\p{L}/u.test(value))
    : splitWords(freeText(command, options)).every((word) => isMeaningless(word) || TIME.test(word));
}

/** Part of a time such as "6:15 pm", which a command reads. */
const TIME = /^(?:\d.*|[ap]m)$/;
const textOf = (tokens: readonly Token[]) => tokens.map(({ value }) => value).join(' ');

/** The wishes for one command, of a line that is known to be for it. */
function among(wishes: readonly Wish[], command: string): readonly Wish[] {
  const own = wishes.filter(({ action }) => action?.command === command);
  const all = own.reduce((sum, { odds }) => sum + odds, 0);
  return own.map((wish) => ({ ...wish, odds: wish.odds / all }));
}

/** The options of a command as they were typed, or the mistake in them. */
function readable(command: Command, asked: AskedCommand): Options | UserError {
  const options = asked.options();
  if (options instanceof UserError) return options;
  const { options: declared } = command;
  const refused = declared.find((option) => {
    const value = options[option.name];
    if (value === undefined || !option.positional) return false;
    if (option.kind === 'date')
      return !/^(?:last|this)$/.test(String(value)) && !isValueOf(option, String(value));
    return option.accepts?.(String(value)) === false;
  });
  if (refused !== undefined) return new UserError(NO_VALUE, `That is no value for ${refused.name}.`);
  try {
    readOptions(command, options);
    return options;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** What was typed and taken as free words or text, which anything can be. */
function freeText({ name: command, options: declared }: Command, options: Options): string {
  // Boards that people made have no sides without the word that says what to do with them.
  if (command === 'board' && options.do === undefined) return command;
  const isSetting = options.do !== undefined && !/ in /.test(String(options.value));
  return declared
    .filter(
      ({ kind, positional }) =>
        positional && (kind === 'words' || kind === 'sides' || (kind === 'text' && !isSetting)),
    )
    .flatMap(({ name, kind, accepts, about = {} }) => {
      const text = String(options[name] ?? '');
      const board = kind === 'sides' ? likelyBoardIn(text) : undefined;
      if (board !== undefined && (!hasRepeats(board) || hasEqualSides(board))) return [];
      return accepts?.(text) || Object.hasOwn(about, text.toLowerCase()) ? [] : [text];
    })
    .join(' ');
}

/** The same, with the words that the line may also be. */
function withWords(asked: AskedCommand, text: string, isWord: IsWord): AskedCommand {
  return areWordsToPlay(text, isWord) ? { ...asked, alsoWords: splitWords(text) } : asked;
}

/** What a command itself says better. */
const NO_VALUE = 'line.value';
/** Mistakes that say more than a wish would. */
const EXACT_MISTAKES = [
  'line.choice',
  'line.more-than-board',
  'line.text',
  'line.twice',
  'line.unclear-sides',
];
/** The most that a line may be offered as. */
const MAX_OFFERS = 3;
/** As much is enough for a word that may be played, too. */
const LEAST_SAID = 0.15;

/** The likeliest wish is done, or offered where it has to be confirmed; others that are likely are buttons beside it. */
function meantBy(wishes: readonly Wish[], least = LIKELY): AskedCommand | undefined {
  const [best] = wishes;
  if (best === undefined || best.odds < least || best.key === '') return undefined;
  const { action, label, isOffered } = best;
  if (action === undefined) return { command: '', options: () => new UserError('line.said', label) };
  const { command, options } = action;
  const isGuess = !isSure(best);
  const offers = offersOf(isGuess ? wishes : [best]);
  if (!isOffered) return { command, options: () => options, label, isGuess, offers: offers.slice(1) };
  const text =
    offers.length === 1 ? 'Press the button, or say it in other words.' : 'Press the one you mean.';
  return { command, options: () => new UserError('line.offer', text), offers };
}

function isPlay({ action }: Wish): boolean {
  return action?.command === 'play' && action.options.words !== undefined;
}

function offersOf(wishes: readonly Wish[]): readonly Offer[] {
  return wishes
    .flatMap(({ label, action }) => (action === undefined ? [] : [{ label, action }]))
    .slice(0, MAX_OFFERS);
}

/** A link to a board as its sides, but not a link in other text, such as a note. */
function readLink(token: Token): Token {
  const { name, value } = token;
  // The scheme of a link looks like the name of an option.
  const isScheme = name === 'https' || name === 'http';
  if (name !== undefined && !isScheme) return token;
  const text = isScheme ? `${name}:${value}` : value;
  const sides = withoutBoardLinks(text);
  return sides !== text && /^[a-z-]+$/i.test(sides) ? { value: sides } : token;
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

/** The command of this name or alias, also when it is typed as `/today`, `!today` or `today?`. */
function commandOf(typed: string, commands: readonly Command[]): Command | undefined {
  const find = (name: string) => commands.find((one) => isCalled(one, name));
  return find(typed) ?? find(typed.replace(/^[/!.]|[?!.,]+$/g, ''));
}

interface Reader {
  readonly commands: readonly Command[];
  readonly isWord: IsWord;
  readonly read: () => readonly Wish[];
}

/**
 * Reads a line without a command: a board, words to play, a wish, or else a mistake.
 *
 * @param typed what stands in the place of a command
 * @param after what follows if it is a mistyped command
 */
function readBare(
  typed: string,
  tokens: readonly Token[],
  after: readonly Token[],
  { commands, isWord, read }: Reader,
): AskedCommand {
  const text = tokens.map(({ name, value }) => (name === undefined ? value : `${name}:${value}`)).join(' ');
  const [, sides = text, most] = /^(.+) (\d+)$/.exec(text) ?? [];
  const isBoard = looksLikeBoard(sides, isWord);
  const similar =
    isBoard && isPlainlyBoard(sides, isWord) ? undefined : similarTo(typed, after, commands, isWord);
  if (similar?.offers === undefined && similar !== undefined) return similar;
  if (isBoard) return { command: 'solve', options: () => ({ sides, ...(most !== undefined && { most }) }) };
  if (!/[\p{L}\d]/u.test(text))
    return { command: '', options: () => new UserError('line.said', wishRows.get('say friendly')!.label) };
  const words = splitWords(text);
  const isPlayed = areWordsToPlay(text, isWord);
  // Words with slips are played, too, to be answered with the reason.
  const areWordLike = !/\d/.test(text) && words.every((word) => /^[a-z]{3,20}$/.test(word));
  const wishes = read();
  const [best] = wishes;
  const isWish = isSure(best) && !isPlay(best);
  if (similar !== undefined && !isWish) {
    const offers = [...(similar.offers ?? []), ...offersOf(wishes)].slice(0, MAX_OFFERS);
    return { ...similar, offers };
  }
  const isUnlikely =
    best === undefined || best.key === '' || isPlay(best) || (words.length === 1 && best.odds < LIKELY);
  const isMove = isPlayed || (areWordLike && isUnlikely);
  const move = moveOf(text, isWord);
  if (isMove && !isWish && words.every(isMeaningless)) return move;
  // Words that may be played, but say something here: what they say is offered beside the move.
  const meant = isPlayed
    ? meantBy(
        wishes.filter((wish) => wish.key !== '' && !isPlay(wish)),
        LEAST_SAID,
      )
    : meantBy(wishes);
  if (meant !== undefined) return withWords(meant, text, isWord);
  if (isPlayed) return move;
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

/** What a mistyped command means. */
function similarTo(
  typed: string,
  after: readonly Token[],
  commands: readonly Command[],
  isWord: IsWord,
): AskedCommand | undefined {
  if (isWord(typed.toLowerCase())) return undefined;
  const isBoardAfter = looksLikeBoard(after.map(({ value }) => value).join(' '), isWord);
  const command = commands.find(({ name }) => name === nearest(typed, namesOf(commands)));
  if (command === undefined) return undefined;
  const meant = askedFor(command, after, isWord);
  // A mistyped command with a whole board after it can mean nothing else.
  if (!isForManagers(command) && isBoardAfter) return meant;
  const options = meant.options();
  const offers =
    options instanceof UserError
      ? []
      : [{ label: `Yes, ${command.name}`, action: { command: command.name, options } }];
  return { command: typed, options: () => unknownCommandError(typed, commands), offers };
}

/** Whether a line is a board of the newspaper's shape, even if its first side looks like a command. */
function isPlainlyBoard(text: string, isWord: IsWord): boolean {
  const board = likelyBoardIn(text);
  return board !== undefined && hasNewspaperShape(board) && looksLikeBoard(text, isWord);
}

/** The answer to what is not understood, even if it could just as well be a board. */
function noBoardError(text: string, isWord: IsWord, isGuessed: boolean): UserError {
  const board = likelyBoardIn(text);
  const isPossible = board !== undefined && looksLikeSides(text, isWord);
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
