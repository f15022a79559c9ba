import { writeFileSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { clip, counted } from '../../core/text.ts';
import {
  type Asker,
  type Command,
  type CommandOutcome,
  type Dispatcher,
  handlerOf,
  type Options,
  type Prepared,
  type Request,
  replyOf,
} from '../../dispatch/contract.ts';
import { anyBoardIn, hasNewspaperShape, isSentence, possibleBoardIn } from '../../dispatch/typed-board.ts';
import { typeOption } from '../../reply/model/text.ts';
import type { Block, Form, FormField, Picture, Reply, TerminalFlags } from '../../reply/model/types.ts';
import { pathOf } from '../../reply/picture/path.ts';
import { formatBoard, LIMITS, makeBoard, NEWSPAPER_LETTERS, parseBoard } from '../../solver/board.ts';
import {
  type Arguments,
  EXIT,
  FILE_SEPARATOR,
  jsonOf,
  type OpenedApp,
  type TerminalServices,
  typedFile,
  whileWriting,
} from './contract.ts';
import { mistakeText, Progress, replyText, wrap } from './screen.ts';

const DEFAULT_SECONDS = 10;
/** Flags and options with which a list is made for the terminal, not for a page of a chat. */
const TERMINAL_LIST_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  solve: ['all', 'each', 'sort', 'played', 'limit', 'explain'],
  next: ['limit'],
  words: ['limit', 'all'],
};

/** The person at the terminal runs this installation. */
const ASKER: Asker = {
  door: 'terminal',
  who: { id: 'terminal', mayManage: true },
  where: { tenant: 'terminal:local', channel: 'terminal', direct: true },
};

/** Runs a command as every door does; prints its answer, and returns the exit status. */
export async function runCommand(
  command: Command,
  typed: Arguments,
  services: TerminalServices,
): Promise<number> {
  const seconds = typed.integer('time', 1, 3600) ?? DEFAULT_SECONDS;
  const picture = typed.text('picture');
  if (picture !== undefined) pictureKind(picture);
  const isListPiped =
    typed
      .text('words')
      ?.split(FILE_SEPARATOR)
      .some((file) => /^\+?-$/.test(file)) ?? false;
  if (typed.flag('batch') && (picture !== undefined || isListPiped)) throw batchError();
  const printer = new AnswerPrinter(typed, services);
  const opened = await services.open({
    commands:
      command.name === 'play' ? [command, (await import('../../../commands/hint.ts')).hint] : [command],
    jobTimeout: 1000 * seconds,
    onWait: () => printer.progress.show((passed) => `Searching: ${passed} s of at most ${seconds} s`),
    words: typed.text('words'),
    onDone: ({ outcome }) => {
      printer.outcome = outcome;
    },
  });
  try {
    return await answer(command, typed, services, opened, printer);
  } finally {
    await opened.close();
  }
}

async function answer(
  command: Command,
  typed: Arguments,
  services: TerminalServices,
  opened: OpenedApp,
  printer: AnswerPrinter,
): Promise<number> {
  const { dispatcher } = opened;
  // A hint that stays hidden is not recorded, so that the next call is about the same one. All others count (`own`).
  const isUnseen = printer.isHiding && !typed.flag('json');
  const asker: Asker = { ...ASKER, hintRecording: isUnseen ? 'off' : 'own' };
  // Prepared twice: what was typed tells which flags, store and keyboard the command needs; then it runs with these.
  const parsed = dispatcher.prepareLine(lineOf(command, typed.line, opened), asker);
  if (typed.flag('batch') && parsed.kind !== 'refusal') {
    if (parsed.kind !== 'form') throw batchError();
    return runBatch(command, parsed.form, typed, opened, printer.progress);
  }
  const prepared = await fillIn(dispatcher, parsed, asker, command);
  if (prepared.kind === 'refusal') return printer.print(prepared.reply);
  const request = withFlags(prepared.request, typed);
  const usesStore = needsStore(command, request);
  if (usesStore) await opened.load();
  if (command.name === 'play' && request.options.words === undefined && !typed.flag('json')) {
    const { playGame } = await import('./play-game.ts');
    return playGame(request, { ...opened, screen: services.screen, ...keyboardOf(services) });
  }
  // Hints count for results, and there are none where the store is not used, as for typed boards.
  const again = dispatcher.prepare(
    usesStore ? request : { ...request, hintRecording: 'off' },
    prepared.guess,
  );
  const checked = await fillIn(dispatcher, again, asker, command);
  if (checked.kind === 'refusal') return printer.print(checked.reply);
  const exit = await printer.print(await checked.run(), request);
  const picture = typed.text('picture');
  if (picture !== undefined && exit === EXIT.answered)
    await drawFirst(request, dispatcher, typedFile(picture));
  return exit;
}

/**
 * The line that every door reads. If it can't be read because its sides look like a sentence, their option's name is added:
 * nobody chats at the terminal, so words that can be a board are one.
 */
function lineOf(command: Command, typed: readonly string[], { app, dispatcher }: OpenedApp): string {
  const line = [command.name, ...typed].join(' ');
  const takesWords = command.options.some(({ kind, positional }) => positional && kind === 'words');
  const sides = command.options.find(({ kind, positional }) => positional && kind === 'sides');
  if (sides === undefined || takesWords) return line;
  const parts = typed.flatMap((part) => (part.includes(':') ? [part] : part.split(/\s+/)));
  const values = command.options.flatMap(({ name, choices = [] }) => [name, ...choices]);
  const bare = parts.filter((word) => /^[a-z]+$/i.test(word) && !values.includes(word.toLowerCase()));
  const isWord = (word: string) => app.lexicon.find(word) !== undefined;
  const board = isSentence(bare, isWord) ? possibleBoardIn(bare.join(' ')) : undefined;
  if (board === undefined || dispatcher.actionOf(line) !== undefined) return line;
  const others = parts.filter((word) => !bare.includes(word));
  return [command.name, ...others, typeOption(sides.name, formatBoard(board))].join(' ');
}

function batchError(): UserError {
  return new UserError(
    'terminal.batch',
    '--batch reads boards from standard input and prints data. Leave out the sides, --picture and --words -.',
  );
}

/** Prints the answer of a command as its flags ask for it, in place of the progress that was shown until then. */
class AnswerPrinter {
  readonly progress: Progress;
  /** Keeps solutions and hints hidden. */
  readonly isHiding: boolean;
  /** How the command ended, as the dispatcher reports it. */
  outcome: CommandOutcome = 'answered';
  readonly #typed: Arguments;
  readonly #services: TerminalServices;

  constructor(typed: Arguments, services: TerminalServices) {
    this.progress = new Progress(services.errorScreen);
    this.isHiding = hidesSpoilers(typed);
    this.#typed = typed;
    this.#services = services;
  }

  /** @returns the exit status */
  async print(reply: Reply, request?: Request): Promise<number> {
    const { errorScreen } = this.#services;
    this.progress.clear();
    if (this.outcome !== 'answered') {
      console.error(mistakeText(reply, errorScreen));
      return this.outcome === 'fault' ? EXIT.fault : EXIT.badInput;
    }
    if (this.#typed.flag('json')) {
      const data = jsonOf(reply.data ?? (await import('./reply-data.ts')).dataOf(reply));
      // `solutionPrinter` has begun the object.
      await write(`${request?.terminal?.print === undefined ? data : `],${data.slice(1)}`}\n`);
      this.#printCut(reply.data);
    } else if (reply.data === undefined && request?.terminal?.print === undefined) this.#printText(reply);
    else if (this.#typed.flag('plain')) this.#printPlain(reply, request!);
    else for (const line of LONG_LISTS[request!.command]!(reply, request!)) console.log(line);
    return exitOf(reply);
  }

  #printPlain({ data }: Reply, { command }: Request): void {
    for (const line of PLAIN_LINES[command]?.(data) ?? []) console.log(line);
    this.#printCut(data);
  }

  /** What can be typed next goes to standard error: it is for people alone, and no part of the answer. */
  #printText(reply: Reply): void {
    const { screen, errorScreen } = this.#services;
    const isStep = ({ kind }: Block) => kind === 'buttons';
    const blocks = reply.blocks.filter(
      (block) => !isStep(block) && !(this.isHiding && isOpenHint(block, reply)),
    );
    console.log(replyText({ ...reply, blocks }, { reveal: !this.isHiding, screen }));
    const steps: Reply = { title: '', blocks: reply.blocks.filter(isStep), audience: 'asker' };
    if (steps.blocks.length > 0 && screen.isTerminal && errorScreen.isTerminal)
      console.error(`\n${replyText(steps, { reveal: false, screen: errorScreen }).trimStart()}`);
  }

  #printCut(data: unknown): void {
    const { cut } = (data ?? {}) as { readonly cut?: string };
    if (cut !== undefined) console.error(wrap(cut, this.#services.errorScreen));
  }
}

/** Whether a block is a hint: labelled values are one if their reply reveals facts about a board openly. */
function isOpenHint({ kind }: Block, { reveals = [] }: Reply): boolean {
  return kind === 'facts' && reveals.some(({ facts }) => facts.length > 0);
}

/** Data for programs as one entry a line. Solutions were printed as they were found. */
const PLAIN_LINES: Readonly<Record<string, (data: unknown) => Iterable<string>>> = {
  words: (data) => (data as FoundWords).words.map(({ word }) => word),
  next: (data) => (data as WaysOn).ways.map(({ words }) => words.join(' ')),
};

/** Resolves when the text is written, so that a pipe that is closed ends the search, and a slow one holds it. */
function write(text: string): Promise<void> {
  return new Promise((done) => process.stdout.write(text, () => done()));
}

/** Prints solutions as they are found: a line for each, or the beginning of the data. */
function solutionPrinter(isData: boolean): NonNullable<TerminalFlags['print']> {
  if (!isData) return (solutions) => write(solutions.map(({ words }) => `${words.join(' ')}\n`).join(''));
  let separator = '{"shortest":[';
  return async (solutions) => {
    await write(separator + solutions.map(jsonOf).join());
    separator = ',';
  };
}

/** Draws the first solution, which the search still knows, even if an explanation of the words or another page was printed. */
async function drawFirst(request: Request, dispatcher: Dispatcher, file: string): Promise<void> {
  const terminal = { ...request.terminal, asData: true, limit: 1, print: undefined };
  const { page: _, explain: __, ...options } = request.options;
  const reply = await replyOf(dispatcher.prepare({ ...request, options, terminal, hintRecording: 'off' }));
  const { sides = [], shortest, unproven } = reply.data as Partial<FoundSolutions>;
  const first = shortest?.[0] ?? unproven;
  if (first === undefined) throw new UserError('terminal.picture', 'There is no solution to draw.');
  const board = makeBoard(sides);
  const drawn = await pictureKind(file)({ board, path: pathOf(board, first.words), captioned: true });
  whileWriting(file, () => writeFileSync(file, drawn));
  console.error(`The picture is in ${file}.`);
}

interface FoundSolutions {
  readonly sides: readonly string[];
  readonly shortest: readonly { readonly words: readonly string[] }[];
  readonly unproven?: { readonly words: readonly string[] };
}

/** Each loads what it needs when it draws, since that takes Node up to 50 ms. */
const PICTURE_FORMATS: Readonly<Record<string, (picture: Picture) => Promise<string | Uint8Array>>> = {
  svg: async (picture) => (await import('../../reply/picture/svg.ts')).makeSvg({ ...picture, moving: true }),
  png: async (picture) => (await import('../../reply/picture/pictures.ts')).drawPicture(picture),
};

function pictureKind(file: string): (typeof PICTURE_FORMATS)[string] {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const kind = Object.hasOwn(PICTURE_FORMATS, ending) ? PICTURE_FORMATS[ending] : undefined;
  if (kind !== undefined) return kind;
  throw new UserError('terminal.picture', `--picture "${clip(file, 80)}" should end in .png or .svg.`);
}

function exitOf({ notFound, isWrong }: Reply): number {
  if (isWrong) return EXIT.noSolution;
  return notFound === undefined ? EXIT.answered : notFound === 'none' ? EXIT.noSolution : EXIT.unknown;
}

function needsStore({ storeUse }: Command, { options }: Request): boolean {
  return storeUse !== 'none' && (storeUse !== 'dated-boards' || options.sides === undefined);
}

/** The request with what the flags ask for. With two word lists, everyday words are those of the first; `solve` shows both. */
function withFlags(request: Request, typed: Arguments): Request {
  const terminal = flagsFor(request, typed);
  const hasTwoLists = typed.text('words')?.includes(FILE_SEPARATOR) ?? false;
  if (request.command !== 'solve' || !hasTwoLists) return { ...request, terminal };
  const options = { ...request.options, everyday: true };
  return { ...request, options, terminal: { ...terminal, beside: true } };
}

/**
 * What the flags ask for beyond the command's options, if anything:
 *
 *     words --json, solve --json     data
 *     words --plain, next --plain    data, which `PLAIN_LINES` makes lines of
 *     words --all, next --limit 20   data, which `LONG_LISTS` makes lines of
 *     solve --plain                  solutions, printed as they are found
 *     solve --json --all             the same as JSON, and then the data
 */
function flagsFor({ command, options }: Request, typed: Arguments): TerminalFlags | undefined {
  const isList =
    TERMINAL_LIST_OPTIONS[command]?.some(
      (name) => typed.has(name) || (options[name] !== undefined && options[name] !== false),
    ) ?? false;
  // An explanation is text.
  const isPlain = typed.flag('plain') && options.explain !== true;
  const isData = typed.flag('json');
  if (!isData && !isPlain && !isList) return undefined;
  const isAll = options.all === true && !typed.has('limit');
  const isWhole = isData ? isAll : isPlain;
  const isPrinted = command === 'solve' && isWhole && !typed.flag('batch') && options.explain !== true;
  return {
    // A list of lines hides nothing, unlike a page of a chat.
    asData:
      isData || (isPlain && !isPrinted) || (Object.hasOwn(LONG_LISTS, command) && !hidesSpoilers(typed)),
    // With --plain, a list of words is whole, while one of solutions has only the best.
    limit: limitOf(typed) ?? (isPlain && command === 'words' ? Number.POSITIVE_INFINITY : undefined),
    ...(isPrinted && { print: solutionPrinter(isData) }),
    played: typed.list('played'),
    solution: typed.flag('solution'),
  };
}

function hidesSpoilers(typed: Arguments): boolean {
  const spoilers = typed.text('spoilers') ?? 'show';
  if (spoilers === 'show' || spoilers === 'hide') return spoilers === 'hide';
  throw new UserError(
    'terminal.choice',
    `"${clip(spoilers)}" doesn’t work for --spoilers. Choose show or hide.`,
  );
}

function limitOf(typed: Arguments): number | undefined {
  return typed.integer('limit', 1, 1_000_000) ?? (typed.flag('all') ? Number.POSITIVE_INFINITY : undefined);
}

interface FoundWords {
  readonly total: number;
  readonly words: readonly { readonly word: string; readonly likelihood: number; readonly covers: number }[];
}
interface WaysOn {
  readonly fewestMore: number | null;
  readonly ways: readonly { readonly words: readonly string[] }[];
  readonly unproven?: { readonly words: readonly string[] };
  readonly cut?: string;
}

/** Long lists for people, one entry a line, made of the data for programs. */
const LONG_LISTS: Readonly<Record<string, (reply: Reply, request: Request) => Iterable<string>>> = {
  *words({ data }, { options, terminal }) {
    const { total, words } = data as FoundWords;
    for (const { word, likelihood, covers } of words)
      yield `${(100 * likelihood).toFixed(1).padStart(5)} %  ${String(covers).padStart(2)}  ${word}`;
    const page = Number(options.page ?? 1);
    const { limit = 0 } = terminal ?? {};
    // Without a limit, on page 1, the product would be 0 × Infinity.
    const after = total - (page === 1 ? 0 : (page - 1) * limit) - words.length;
    if (after > 0) yield `and ${after} more (--all)`;
    if (total > 0 && words.length === 0) yield 'There are no more words on this page.';
    if (total === 0) yield 'No playable word matches.';
  },
  *next({ data, notFound }, { options }) {
    const { fewestMore, ways, unproven, cut } = data as WaysOn;
    if (fewestMore === 0) yield 'Solved: nothing is left.';
    else if (fewestMore !== null) yield `Fewest more words: ${fewestMore}`;
    for (const way of ways) yield `  ${way.words.join(' ')}`;
    if (unproven !== undefined) yield `A way on, maybe not the shortest: ${unproven.words.join(' ')}`;
    if (cut !== undefined) yield cut;
    else if (notFound === 'none')
      yield `That’s a dead end: no ${options.everyday ? 'well-known ' : ''}words from here solve the board.`;
  },
};

/** Reads one board from each line and prints one line of JSON for it, also for a line that is no board. */
async function runBatch(
  command: Command,
  form: Form,
  typed: Arguments,
  { app }: OpenedApp,
  progress: Progress,
): Promise<number> {
  const { options } = form.action;
  const request = { ...ASKER, command: command.name, options, hintRecording: 'off' } as const;
  const handler = handlerOf(command, options);
  // Handlers run without the dispatcher, which limits how much one person asks, and also checks rights.
  if (handler.access === 'manager' || handler.access === 'owner')
    throw new Error(`${command.name} is not for batches`);
  const terminal = { ...flagsFor(request, typed), limit: limitOf(typed), asData: true };
  let exit: number = EXIT.answered;
  let number = 0;
  const print = (line: string) => {
    progress.clear();
    console.log(line);
    // Answers on a screen show the progress themselves.
    if (!process.stdout.isTTY) progress.show(() => `${counted(number, 'line')} read`);
  };
  const { createInterface } = await import('node:readline');
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === '') continue;
    try {
      const sides = formatBoard(parseBoard(line));
      const reply = await handler.run({ ...request, terminal, options: { ...options, sides } }, app);
      if (exit !== EXIT.badInput) exit = Math.max(exit, exitOf(reply));
      print(jsonOf(reply.data));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      exit = EXIT.badInput;
      print(JSON.stringify({ line: number, error: error.message }));
    }
  }
  progress.clear();
  return exit;
}

function keyboardOf({ screen, hasCursor }: TerminalServices) {
  if (screen.isTerminal && process.stdin.isTTY && hasCursor) {
    return { input: process.stdin, output: process.stdout };
  }
  throw new UserError(
    'terminal.keyboard',
    `To play the board, run this in a terminal. Here you can enter a solution, like: ${PROGRAM_CALL} play forum,mozart`,
  );
}

/** Asks for missing options until there are none. */
async function fillIn(
  dispatcher: Dispatcher,
  prepared: Prepared,
  asker: Asker,
  command: Command,
): Promise<Exclude<Prepared, { kind: 'form' }>> {
  if (prepared.kind !== 'form') return prepared;
  const { form } = prepared;
  const filled = await withInput((ask) => fillForm(form, command, ask));
  const { command: name, options } = form.action;
  const again = dispatcher.prepare({ ...asker, command: name, options: { ...options, ...filled } });
  return fillIn(dispatcher, again, asker, command);
}

/** Asks one question and waits for the line that is typed. */
type Ask = (question: string) => Promise<string>;

/** Asks for the missing options of a command. */
export async function fillForm({ fields, action }: Form, command: Command, ask: Ask): Promise<Options> {
  const filled: [string, string][] = [];
  for (const field of fields) {
    const kind = command.options.find(({ name }) => name === field.name)?.kind;
    const value = kind === 'sides' ? await askForSides(ask) : await askFor(field, action.command, ask);
    if (value !== '') filled.push([field.name, value]);
  }
  return Object.fromEntries(filled);
}

/** Provides the input: a keyboard, or the lines of a pipe or a file, for which questions are not printed. */
async function withInput<Result>(talk: (ask: Ask) => Promise<Result>): Promise<Result> {
  const { isTTY, readableEnded } = process.stdin;
  // All was read for a form before this one, and a reader would wait for ever.
  if (readableEnded) return talk(async () => '');
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input: process.stdin, ...(isTTY && { output: process.stderr }) });
  // Lines that were typed or pasted ahead wait here; the end of the input is an empty answer.
  const lines = reader[Symbol.asyncIterator]();
  let hasEnded = false;
  reader.once('close', () => {
    hasEnded = true;
  });
  try {
    return await talk(async (question) => {
      reader.setPrompt(question);
      // Node closes the reader at the end of the input, and refuses to prompt from then on.
      if (!hasEnded) reader.prompt();
      const { value, done } = await lines.next();
      return done ? '' : value;
    });
  } finally {
    reader.close();
  }
}

async function askFor(
  { name, label, hint, placeholder, required }: FormField,
  command: string,
  ask: Ask,
): Promise<string> {
  const answer = (await ask(`${label} (${hint}): `)).trim();
  if (answer !== '' || !required) return answer;
  const example =
    placeholder === undefined ? ` Type them after ${command}.` : ` Try: ${command} ${placeholder}`;
  throw new UserError('terminal.missing', `Which ${name}?${example}`);
}

/** Reads one side after the other, or the whole board at once. */
async function askForSides(ask: Ask): Promise<string> {
  const lines: string[] = [];
  while (lines.length < LIMITS.sides.most && !(process.stdin.isTTY && isNewspaperBoard(lines))) {
    const line = (await ask(`Side ${lines.length + 1} (Enter when done): `)).trim();
    if (line === '') break;
    lines.push(line);
    if (lines.length === 1 && isWhole(line)) break;
  }
  return formatBoard(parseBoard(lines.length === 1 ? lines[0]! : sidesOfLines(lines)));
}

/** Letters with something between all of them, such as `j l i`. */
const SPACED_LETTERS = /^\p{L}(?:[^\p{L}]+\p{L})+$/u;

/** Lines with letters apart are sides; on other lines each group is one. */
function sidesOfLines(lines: readonly string[]): string {
  return lines.map((line) => (SPACED_LETTERS.test(line) ? line.replace(/[^\p{L}]+/gu, '') : line)).join('|');
}

/** Whether a first line is all of a board. Fewer than twelve letters apart may be its first side. */
function isWhole(line: string): boolean {
  const board = anyBoardIn(line);
  return board !== undefined && (!SPACED_LETTERS.test(line) || board.letters.length === NEWSPAPER_LETTERS);
}

/** Nobody has to say that there is no fifth side. */
function isNewspaperBoard(lines: readonly string[]): boolean {
  const board = anyBoardIn(sidesOfLines(lines));
  return board !== undefined && hasNewspaperShape(board);
}
