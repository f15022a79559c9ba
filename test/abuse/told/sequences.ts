/** Random sequences of what people do, read by the reader after each event and compared with what the store has. */

import { peopleScope } from '../../../src/core/channel-ref.ts';
import { boardKey } from '../../../src/puzzle/types.ts';
import type { Store } from '../../../src/store/store.ts';
import { TODAY } from '../../fakes/app.ts';
import { resultIn } from '../../players/made-up.ts';
import type { Press, Seen, Visitor } from './doors.ts';
import {
  type Answers,
  cardTitleIn,
  chargedFor,
  type Fact,
  factsIn,
  namesFirst,
  pointsOf,
  STEPS,
  type Step,
  strangeWordsIn,
  wordsIn,
} from './reader.ts';

/** A generator of numbers from 0 to below 1 that repeats for its seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

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

export interface Ground {
  readonly sides: string;
  readonly answers: Answers;
  readonly store: Store;
  readonly lines: readonly string[];
  /** Lines that much of what is asked later depends on. */
  readonly openers: readonly string[];
  /** Whether a private answer's covered text counts as read when it is sent. */
  readonly countsCovered: boolean;
}

/** Does something at random this many times. Returns what was wrong, and where, or undefined. */
export async function readSequence(
  ground: Ground,
  visitor: Visitor,
  random: () => number,
  length: number,
): Promise<string | undefined> {
  const reader = new Reader(ground, visitor);
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const trail: string[] = [];
  reader.remember(await visitor.posted(), '');
  for (let event = 0; event < length; event++) {
    const isPress = reader.presses.length > 0 && random() < 0.45;
    const isFirst = event === 0 && random() < 0.4;
    const { press, line } = isFirst
      ? { press: undefined, line: pick(ground.openers) }
      : isPress
        ? pick(reader.presses)
        : { press: undefined, line: pick(ground.lines) };
    trail.push(press === undefined ? line : `[${press.label}] of ${line}`);
    const wrong = await reader.live(line, press);
    if (wrong !== undefined) return `${trail.join(' → ')}: ${wrong}`;
  }
  return undefined;
}

/** They lead from table to table, which tell nothing of a board. */
const OF_STANDINGS = /^(?:The \w+ before|This \w+|All time|Today)$/;

interface KnownPress {
  readonly press: Press;
  /** What led to the message that it is on. */
  readonly line: string;
}

class Reader {
  readonly #ground: Ground;
  readonly #visitor: Visitor;
  presses: KnownPress[] = [];
  readonly #read = new Set<Fact>();
  /** Read in the open, or opened. */
  readonly #openly = new Set<Fact>();
  readonly #onCards = new Set<Step>();
  readonly #typed = new Set<string>();
  readonly #played = new Set<string>();
  #result = '';

  constructor(ground: Ground, visitor: Visitor) {
    this.#ground = ground;
    this.#visitor = visitor;
  }

  remember(sights: readonly Seen[], line: string): void {
    const all = sights.flatMap(({ presses, isFree }) =>
      isFree ? [] : presses.map((press) => ({ press, line })),
    );
    const fresh = all.filter(({ press }) => !OF_STANDINGS.test(press.label));
    if (fresh.length > 0) this.presses = [...fresh, ...this.presses].slice(0, 60);
  }

  /** Types a line or presses a button, and reads. Returns what is wrong. */
  async live(line: string, press: Press | undefined): Promise<string | undefined> {
    if (press === undefined) this.#noteTyped(line);
    const sights = press === undefined ? await this.#visitor.say(line) : await pressed(press);
    if (sights === undefined) return undefined;
    const led = press === undefined ? line : ledBy(press.label, line);
    this.remember(sights, led);
    for (const sight of sights) {
      const wrong = sight.everyone ? this.#readPublic(sight, led) : this.#readPrivate(sight, led, press);
      if (wrong !== undefined) return `${wrong}\n${sight.all}`;
    }
    return this.#compare(sights);
  }

  #noteTyped(line: string): void {
    for (const word of wordsIn(line, this.#ground.answers)) this.#typed.add(word);
    const [, played] = /(?:words:|record )([a-z, ]+)$/.exec(line) ?? [];
    if (played !== undefined) this.#played.add(played.replaceAll(' ', ','));
  }

  #occasion(line: string) {
    return { line, typed: this.#typed, played: this.#played, read: this.#read };
  }

  /** What anybody in the channel can read after a command tells nothing of the day's board. */
  #readPublic({ all }: Seen, line: string): string | undefined {
    const { answers } = this.#ground;
    // No other board is made than the day's, and its solutions are shown when it is closed.
    if (/^Challenge: /m.test(all)) return 'the board of the day is a challenge';
    const told = [...factsIn(all, answers, this.#occasion(line))];
    if (told.length > 0) return `everybody can read ${told}`;
    const words = strangeWordsIn(all, answers, this.#occasion(line));
    return words.length > 0 ? `everybody can read ${words}` : undefined;
  }

  #readPrivate(sight: Seen, line: string, press: Press | undefined): string | undefined {
    const { answers, countsCovered } = this.#ground;
    const occasion = this.#occasion(line);
    if (press === undefined && isCalledBoard(line, sight.open)) return 'a sentence is called a board';
    const open = factsIn(sight.open, answers, occasion);
    const title = cardTitleIn(sight.open);
    // That the words begin a solution is told besides.
    const onCard = [...open].filter(
      (fact): fact is Step => fact !== 'solution' && (fact !== 'first' || namesFirst(sight.open)),
    );
    if (sight.isFree) return undefined;
    if (!sight.isOpened) {
      const [command = ''] = line.split(' ');
      const allowed = OPENLY[command] ?? [];
      const leaked = [...open].filter((fact) => !allowed.includes(fact) && !this.#openly.has(fact));
      if (leaked.length > 0) return `${line} says ${leaked} in the open`;
      const isNamed = namesFirst(sight.open) || open.has('solution') || this.#openly.has('solution');
      const words = isNamed || press !== undefined ? [] : strangeWordsIn(sight.open, answers, occasion);
      if (words.length > 0) return `${line} says ${words} in the open`;
      if (command === 'hint') {
        const fresh = onCard.filter((fact) => !this.#openly.has(fact));
        if (fresh.length > 1) return `one hint tells ${fresh}`;
      }
    }
    for (const fact of open) {
      this.#read.add(fact);
      this.#openly.add(fact);
    }
    if (title !== undefined) for (const step of onCard) this.#onCards.add(step);
    if (countsCovered) for (const fact of factsIn(sight.all, answers, occasion)) this.#read.add(fact);
    if (title !== undefined && (title.number !== this.#onCards.size || title.dots !== this.#onCards.size))
      return `the card has number ${title.number} and ${title.dots} dots after ${this.#onCards.size} hints`;
    return undefined;
  }

  /** What was read is what is charged, in the store and in the result. */
  async #compare(sights: readonly Seen[]): Promise<string | undefined> {
    const { sides, store } = this.#ground;
    const { id, tenant, channel } = this.#visitor;
    const told = await store.allPeople.toldOf(peopleScope(tenant), id, boardKey(sides.split(' ')));
    const charged = chargedFor(new Set(told.map(({ step }) => step as Fact)));
    const read = chargedFor(this.#read);
    if (charged.join() !== read.join())
      return `read ${read}; charged ${charged}\n${sights.map(({ all }) => all).join('\n')}`;
    const result = await resultIn(store.tenant(tenant).results, id, channel, TODAY);
    const { words, letters, hints } = result ?? {};
    const now = JSON.stringify({ words, letters, hints });
    if (result !== undefined && now !== this.#result && hints !== pointsOf(read))
      return `the result has ${hints} hint points after ${pointsOf(read)}`;
    this.#result = now;
    return undefined;
  }
}

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

/** A button leads to another command, of which the reader knows by its label. */
function ledBy(label: string, line: string): string {
  const words = /words:\S+/.exec(line)?.[0] ?? '';
  if (/^(?:Show|Show all|More|Back)$/.test(label)) return line;
  if (/solution/i.test(label)) return /^All solutions/.test(label) ? 'solve' : 'reveal';
  if (
    /hint|Start letters|Words needed|Hardest|Word lengths|Joining|Meanings|Masked|First word/i.test(label) &&
    !/^A first/.test(label)
  )
    return `hint ${words}`;
  if (/^A first|^Hunt$/.test(label)) return 'hunt';
  if (/^How you did/.test(label)) return 'review';
  if (/^Best next word/.test(label)) return `next ${words}`;
  return `${label.toLowerCase()} ${words}`;
}
