/** Random sequences of what people do, read by the reader after each event and compared with what the store has. */

import { identityScope } from '../../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { boardKey } from '../../../src/puzzle/types.ts';
import { HINTS } from '../../../src/reply/replies/hint-steps.ts';
import type { Store } from '../../../src/store/store.ts';
import { resultIn } from '../../fakes/stored.ts';
import type { Press, Seen, Visitor } from './doors.ts';
import {
  type Answers,
  cardTitleIn,
  chargedFor,
  type Fact,
  factsIn,
  isSolution,
  namesFirst,
  nextWordsIn,
  pointsOf,
  STEPS,
  type Step,
  strangeWordsIn,
  wordsIn,
} from './reader.ts';

/** What each command may say in the open: what its asker asked for. All else has to be covered. */
const OPENLY: Readonly<Record<string, readonly Fact[]>> = {
  // The word that ends a solution is one.
  hint: [...STEPS, 'solution'],
  // That its words begin a solution, but no other word.
  next: ['count', 'first'],
  solve: ['count', 'solution'],
  reveal: ['solution'],
  review: ['count', 'first'],
  hunt: ['start', 'first'],
};

/** A board that people ask about: of a day, or one that somebody makes. */
export interface BoardAsked {
  readonly sides: string;
  readonly answers: Answers;
  readonly date?: PuzzleDate;
  /** Whether a text or a line is about this board. */
  readonly isNamed: (text: string) => boolean;
  /** Lines about it. */
  readonly lines: readonly string[];
  /** Lines that much of what is asked later depends on. */
  readonly openers: readonly string[];
  /** Whether everybody in the channel has been shown its solution. */
  readonly isOver?: boolean;
  /** The sides of a day's board that its solutions solve, too. */
  readonly solves?: string;
}

export interface Ground {
  readonly boards: readonly BoardAsked[];
  readonly store: Store;
  /** Whether a private answer's covered text counts as read when it is sent. */
  readonly countsCovered: boolean;
  /** Words that anybody has typed there, for all to see, as in a relay. */
  readonly typed: Set<string>;
  /** Starts the door again, with nothing that it had in memory. */
  restart(): Promise<void>;
  /** Shows a person as much of days long over as the store keeps of one person. */
  flood(visitor: Visitor): Promise<void>;
}

/**
 * Lets people do something at random this many times. `chance` decides about what happens besides. Returns what was wrong, and
 * where, or undefined.
 */
export async function readSequence(
  ground: Ground,
  visitors: readonly Visitor[],
  random: () => number,
  { length, chance }: { readonly length: number; readonly chance: () => number },
): Promise<string | undefined> {
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const [today, ...others] = ground.boards;
  const focus = random() < 0.6 ? today! : pick(others);
  const people = visitors.map((visitor) => new Reader(ground, visitor));
  const trail: string[] = [];
  for (const person of people) await person.lookAround();
  for (let event = 0; event < length; event++) {
    const number = Math.floor(random() * people.length);
    const person = people[number]!;
    const happens = chance();
    const isRestarted = happens < 0.1;
    if (isRestarted) {
      trail.push('a restart');
      await ground.restart();
    } else if (happens < 0.13) {
      trail.push(`a flood of ${number + 1}`);
      await ground.flood(visitors[number]!);
      person.loseOthers();
    }
    const isPress = person.presses.length > 0 && random() < (isRestarted ? 0.8 : 0.4);
    const on = random() < 0.75 ? focus : pick(ground.boards);
    const isFirst = event === 0 && random() < (focus.date === undefined ? 0.9 : 0.4);
    // After a restart, what was shown last is pressed, which the door has to know again.
    const presses = isRestarted ? person.presses.slice(0, 6) : person.presses;
    const known = isPress && !isFirst ? pick(presses) : undefined;
    const line = pick(isFirst ? focus.openers : on.lines);
    const isTyping = known === undefined && random() < 0.08;
    const begun = random() < 0.3 ? pick(BEGUN) : line.slice(0, Math.ceil(random() * line.length));
    const who = people.length > 1 ? `${number + 1}: ` : '';
    trail.push(`${who}${known ? `[${known.press.label}] of ${known.line}` : isTyping ? `${begun}⇥` : line}`);
    const wrong = isTyping
      ? await person.complete(begun)
      : await person.live(known?.line ?? line, known ?? { on: isFirst ? focus : on });
    if (wrong !== undefined) return `${trail.join(' → ')}: ${wrong}`;
    for (const [index, one] of people.entries()) {
      const seen = (await one.lookAround()) ?? (await one.compare());
      if (seen !== undefined) return `${trail.join(' → ')}: to person ${index + 1}: ${seen}`;
    }
  }
  return undefined;
}

/** Lines that a platform which completes only some options completes. */
const BEGUN = [
  'board close name:T',
  'board standings name:',
  'help ',
  'help h',
  'remind 8:00 zone:Eu',
  'daily zone:Eu',
];

/** They lead from table to table, which tell nothing of a board. */
const OF_STANDINGS = /^(?:The \w+ before|This \w+|All time|Today)$/;

interface KnownPress {
  readonly press: Press;
  /** What led to the message that it is on. */
  readonly line: string;
  readonly on: BoardAsked;
}

/** What somebody has read about a board. */
class Ledger {
  readonly read = new Set<Fact>();
  /** Read in the open, or opened. */
  readonly openly = new Set<Fact>();
  readonly onCards = new Set<Step>();
  /** Opened where everybody may, which costs nothing. */
  isSolutionShared = false;
  /** The store need not have it any more. */
  mayBeLost = false;
  result = '';
}

/** One person. */
class Reader {
  readonly #ground: Ground;
  readonly #visitor: Visitor;
  readonly #ledgers: Map<BoardAsked, Ledger>;
  readonly #typed = new Set<string>();
  readonly #played = new Set<string>();
  readonly #posted = new Set<string>();
  #isNew = true;
  presses: KnownPress[] = [];

  constructor(ground: Ground, visitor: Visitor) {
    this.#ground = ground;
    this.#visitor = visitor;
    this.#ledgers = new Map(ground.boards.map((board) => [board, new Ledger()]));
  }

  #remember(sights: readonly Seen[], line: string, fallback: BoardAsked): void {
    const all = sights.flatMap((sight) => {
      const on = this.#boardOf(sight.all, fallback);
      return sight.isFree ? [] : sight.presses.map((press) => ({ press, line, on }));
    });
    const fresh = all.filter(({ press }) => !OF_STANDINGS.test(press.label));
    if (fresh.length > 0) this.presses = [...fresh, ...this.presses].slice(0, 60);
  }

  #boardOf(text: string, fallback: BoardAsked): BoardAsked {
    const named = this.#ground.boards.filter(({ isNamed }) => isNamed(text));
    return named.length === 1 ? named[0]! : fallback;
  }

  /** Reads what is new for everybody in the channel. */
  async lookAround(): Promise<string | undefined> {
    const today = this.#ground.boards[0]!;
    const fresh = (await this.#visitor.posted()).filter(({ all }) => !this.#posted.has(all));
    for (const { all } of fresh) this.#posted.add(all);
    this.#remember(fresh, '', today);
    const isNew = this.#isNew;
    this.#isNew = false;
    // What the day's thread has shown so far may tell something.
    if (isNew) return undefined;
    for (const sight of fresh) {
      const wrong = this.#readPublic(sight, '', this.#boardOf(sight.all, today));
      if (wrong !== undefined) return `${wrong}\n${sight.all}`;
    }
    return undefined;
  }

  /** Types a line or presses a button, and reads. Returns what is wrong. */
  async live(
    line: string,
    { press, on }: { readonly press?: Press; readonly on: BoardAsked },
  ): Promise<string | undefined> {
    if (press === undefined) this.#noteTyped(line);
    const sights = press === undefined ? await this.#visitor.say(line) : await pressed(press);
    if (sights === undefined) return undefined;
    const led = press === undefined ? line : ledBy(press.label, line);
    this.#remember(sights, led, on);
    for (const sight of sights) {
      const about = this.#boardOf(sight.all, on);
      const wrong = sight.everyone
        ? this.#readPublic(sight, led, about)
        : this.#readPrivate(sight, led, { press, about });
      if (wrong !== undefined) return `${wrong}\n${sight.all}`;
    }
    const wrong = await this.compare();
    return wrong && `${wrong}\n${sights.map(({ all }) => all).join('\n')}`;
  }

  /** Reads what is suggested for a line that is begun, which tells nothing. */
  async complete(begun: string): Promise<string | undefined> {
    this.#noteTyped(begun);
    const sights = (await this.#visitor.complete(begun)) ?? [];
    // Nothing was asked yet, so that no text answers a line.
    const occasion = this.#occasion('', new Ledger());
    for (const { all } of sights)
      for (const { answers } of this.#ground.boards) {
        const words = strangeWordsIn(all, answers, occasion);
        const told = [...factsIn(all, answers, occasion)];
        if (told.length + words.length > 0)
          return `${begun} is completed with ${[...told, ...words]}\n${all}`;
      }
    return undefined;
  }

  /** After a flood, the store has to have what was told of today's board, and may have lost anything else. */
  loseOthers(): void {
    const [today] = this.#ground.boards;
    for (const [board, ledger] of this.#ledgers) ledger.mayBeLost = board !== today;
  }

  #noteTyped(line: string): void {
    for (const { answers } of this.#ground.boards)
      for (const word of wordsIn(line, answers)) {
        this.#typed.add(word);
        this.#ground.typed.add(word);
      }
    const [, played] = /(?:words:|record )([a-z, ]+?)(?: (?:date|sides):|$)/.exec(line) ?? [];
    if (played !== undefined) this.#played.add(played.replaceAll(' ', ','));
  }

  #occasion(line: string, { read }: Ledger, typed: ReadonlySet<string> = this.#typed) {
    return { line, typed, played: this.#played, read };
  }

  /** What anybody in the channel can read after a command tells nothing of a board that is played. */
  #readPublic({ all, open }: Seen, line: string, about: BoardAsked): string | undefined {
    if (about.isOver) return undefined;
    // Its solutions would be shown when it is closed.
    if (/^Challenge: /m.test(all) && about.date !== undefined) return 'the board of the day is a challenge';
    const text = /^Closed: /m.test(all) ? open : all;
    const occasion = this.#occasion(line, this.#ledgers.get(about)!, this.#ground.typed);
    const told = [...factsIn(text, about.answers, occasion)];
    if (told.length > 0) return `everybody can read ${told}`;
    const words = strangeWordsIn(text, about.answers, occasion);
    return words.length > 0 ? `everybody can read ${words}` : undefined;
  }

  #readPrivate(
    sight: Seen,
    led: string,
    { press, about }: { readonly press: Press | undefined; readonly about: BoardAsked },
  ): string | undefined {
    const { countsCovered, typed } = this.#ground;
    const { answers } = about;
    const ledger = this.#ledgers.get(about)!;
    // A button with the same label lists the solutions of a board, or reveals one.
    const line = press && /^Solutions: /m.test(sight.open) ? 'solve' : ledTo(led, sight.open);
    const isOfRelay = /^(?:.* )?relay\b/im.test(`${led}\n${sight.open}`);
    const occasion = this.#occasion(line, ledger, isOfRelay ? typed : this.#typed);
    if (press === undefined && isCalledBoard(line, sight.open)) return 'a sentence is called a board';
    const open = factsIn(sight.open, answers, occasion);
    // Nobody reads a picture here: one that is hidden in a review shows a better solution.
    if (press !== undefined && sight.isOpened && /^review/.test(line) && PICTURE.test(sight.open))
      open.add('solution');
    const title = cardTitleIn(sight.open);
    // That the words begin a solution is told besides.
    const onCard = [...open].filter(
      (fact): fact is Step => fact !== 'solution' && (fact !== 'first' || namesFirst(sight.open)),
    );
    if (sight.isFree) {
      if (open.has('solution')) ledger.isSolutionShared = true;
      return undefined;
    }
    if (!sight.isOpened) {
      const [command = ''] = line.replace(PLACE, '').split(' ');
      const allowed = OPENLY[command] ?? [];
      const leaked = [...open].filter((fact) => !allowed.includes(fact) && !ledger.openly.has(fact));
      if (leaked.length > 0) return `${line} says ${leaked} in the open`;
      const isNamed = namesFirst(sight.open) || open.has('solution') || ledger.openly.has('solution');
      const words = isNamed || press !== undefined ? [] : strangeWordsIn(sight.open, answers, occasion);
      if (words.length > 0) return `${line} says ${words} in the open`;
      if (command === 'hint') {
        const fresh = onCard.filter((fact) => !ledger.openly.has(fact));
        if (fresh.length > 1) return `one hint tells ${fresh}`;
      }
    }
    for (const fact of open) {
      ledger.read.add(fact);
      ledger.openly.add(fact);
    }
    if (title !== undefined) for (const step of onCard) ledger.onCards.add(step);
    if (countsCovered) for (const fact of factsIn(sight.all, answers, occasion)) ledger.read.add(fact);
    const day = this.#ground.boards.find(({ sides }) => sides === about.solves);
    if (day !== undefined) {
      const told = countsCovered ? sight.all : sight.open;
      const next = nextWordsIn(told, answers, occasion);
      const played = wordsIn(line, answers);
      // Of its own board, only the end of a shortest solution counts as one.
      if (next.some((word) => isSolution([...played, word], day.answers)))
        this.#ledgers.get(day)!.read.add('solution');
      const isFirst = day.answers.shortest.some(([first = '']) => next.includes(first));
      for (const fact of factsIn(told, answers, occasion))
        if (TOLD_BY_CHAINS.includes(fact) || (fact === 'first' && isFirst))
          this.#ledgers.get(day)!.read.add(fact);
    }
    const { size } = ledger.onCards;
    const isOff = title !== undefined && (title.number !== size || title.dots !== size);
    if (isOff && !ledger.mayBeLost)
      return `the card has number ${title.number} and ${title.dots} dots after ${size} hints`;
    return undefined;
  }

  /** What was read is what is charged, in the store and in the result. */
  async compare(): Promise<string | undefined> {
    const { store } = this.#ground;
    const { id, tenant } = this.#visitor;
    for (const [board, ledger] of this.#ledgers) {
      if (ledger.mayBeLost) continue;
      const key = boardKey(board.sides.split(' '));
      const told = await store.allPeople.factsSeen(identityScope(tenant), id, key);
      const charged = chargedFor(new Set(told.keys() as Iterable<Fact>));
      const read = chargedFor(ledger.read);
      if (charged.join() !== read.join()) return `read ${read}; charged ${charged}, on ${board.sides}`;
      const result = await this.#resultOn(board, key);
      const { words, letters, hints, afterSolution = false } = result ?? {};
      const now = JSON.stringify({ words, letters, hints, afterSolution });
      if (result !== undefined && now !== ledger.result) {
        // Hints cost nothing once everybody may read the solution.
        const price = board.isOver ? 0 : pointsOf(read);
        if (hints !== price) return `the result has ${hints} hint points after ${price}`;
        const isAfter = board.isOver || ledger.read.has('solution') || ledger.isSolutionShared;
        if (afterSolution !== isAfter) return `the result says ${afterSolution} of after the solution`;
      }
      ledger.result = now;
    }
    return undefined;
  }

  #resultOn({ date }: BoardAsked, key: string) {
    const { id, tenant, channel } = this.#visitor;
    const { store } = this.#ground;
    return date === undefined
      ? store.tenant(tenant).madeBoards.resultOf(channel, key, id)
      : resultIn(store, tenant, id, channel, date);
  }
}

/** What is told of every board that a chain solves. */
const TOLD_BY_CHAINS: readonly Fact[] = ['lengths', 'joint', 'meaning', 'letters', 'masked', 'solution'];

const PICTURE = /Words are drawn across it|other path/;

/** Before lines that are typed in the thread of the day before. */
export const OF_THREAD = /^in the thread: /;

/** Before lines that are typed in the bot's own conversation with somebody. */
export const IN_PRIVATE = /^in private: /;

const PLACE = /^in (?:the thread|private): /;

/** Whether a text names words of a sentence in capitals, as it does the sides of a board. */
function isCalledBoard(line: string, text: string): boolean {
  const words = /^[a-z ]+$/.test(line) ? line.toUpperCase().split(' ') : [];
  return words.some((word, at) => at > 0 && words.length > 3 && text.includes(`${words[at - 1]} ${word}`));
}

/** Undefined if the message has changed since, and the button is gone. */
async function pressed(press: Press): Promise<readonly Seen[] | undefined> {
  try {
    return await press.act();
  } catch (error) {
    if (/No button|There is no button|cannot be pressed/.test(String(error))) return undefined;
    throw error;
  }
}

/** A button leads to another command, which the reader knows only by its label. */
function ledBy(label: string, line: string): string {
  const words = /words:\S+/.exec(line)?.[0] ?? '';
  if (/^(?:Show|Show all|More|Back)$/.test(label)) return line;
  if (/solution/i.test(label)) return /^All solutions/.test(label) ? 'solve' : 'reveal';
  const isHint = Object.values(HINTS).some(({ name }) => name === label);
  if (isHint || (/hint|Am I on/i.test(label) && !/^A first/.test(label))) return `hint ${words}`;
  if (/^A first|^Hunt$/.test(label)) return 'hunt';
  if (/^How you did/.test(label)) return 'review';
  if (/^Best next word/.test(label)) return `next ${words}`;
  return `${label.toLowerCase()} ${words}`;
}

/** A hint says itself after which words it is, such as after those of a relay or a game. */
function ledTo(led: string, text: string): string {
  const line = led.replace(PLACE, '');
  const [, after] = /, after ([A-Z]{3,}(?: – [A-Z]{3,})*)$/m.exec(text) ?? [];
  if (!/^(?:relay )?hint\b/.test(line)) return line;
  return after === undefined
    ? line.replace(/^relay /, '')
    : `hint words:${after.toLowerCase().replaceAll(' – ', ',')}`;
}
