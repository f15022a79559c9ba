/**
 * Regular expressions for words of letters from a to z. They run in linear time, by all states at once and without
 * backtracking, so that anybody may type one.
 */

const MAX_SIGNS = 100;
/** States once repetitions are written out. Each letter of a word takes at most as many steps. */
const MAX_STATES = 300;
/** Parts once repetitions are written out. Some make no state, such as an empty one. */
const MAX_PARTS = 10_000;
const ALL_LETTERS = 2 ** 26 - 1;

type Node =
  | { readonly kind: 'letters'; readonly mask: number }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

/** Leads to the `next` states after a letter of its mask or, if it has no mask, at once. State 0 is the end of the pattern. */
interface State {
  readonly mask?: number;
  /** Set if it leads on only at this end of a word. */
  readonly at?: 'start' | 'end';
  readonly next: number[];
}

const TOO_LONG = 'it repeats too much';

/** A pattern can't be read; the message says why, as the end of a sentence. */
export class PatternError extends Error {}

/**
 * Compiles a regular expression with letters, `.`, `[a-f]`, `[^a-f]`, `( )`, `|`, `*`, `+`, `?`, `{2}`, `{2,4}`, `^` and `$`. As
 * usual, it may match any part of a word.
 *
 * @example compilePattern('^m.*[nt]$')('mobilization') // true
 * @throws PatternError
 */
export function compilePattern(source: string): (word: string) => boolean {
  if (source.length > MAX_SIGNS) throw new PatternError(`it has more than ${MAX_SIGNS} signs`);
  const builder = new Builder();
  const start = builder.add(new Parser(source.toLowerCase()).parse(), builder.end);
  return (word) => matches(builder.states, start, word);
}

function matches(states: readonly State[], start: number, word: string): boolean {
  let current = new Set<number>();
  for (let at = 0; at <= word.length; at++) {
    reach(states, start, current, at, word.length);
    if (current.has(0)) return true;
    const letter = at === word.length ? 0 : 1 << (word.charCodeAt(at) - 97);
    const next = new Set<number>();
    for (const state of current) {
      const { mask = 0, next: after } = states[state]!;
      if (mask & letter) for (const one of after) reach(states, one, next, at + 1, word.length);
    }
    current = next;
  }
  return false;
}

/** Adds a state, and all that it leads to without a letter. */
function reach(states: readonly State[], state: number, into: Set<number>, at: number, end: number): void {
  if (into.has(state)) return;
  const { mask, at: place, next } = states[state]!;
  if ((place === 'start' && at > 0) || (place === 'end' && at < end)) return;
  into.add(state);
  if (mask === undefined) for (const one of next) reach(states, one, into, at, end);
}

/** Makes the states of a pattern from its end on: each part is given the state that comes after it. */
class Builder {
  readonly end = 0;
  readonly states: State[] = [{ next: [] }];
  #parts = 0;

  add(node: Node, next: number): number {
    if (++this.#parts > MAX_PARTS) throw new PatternError(TOO_LONG);
    switch (node.kind) {
      case 'letters':
        return this.#push({ mask: node.mask, next: [next] });
      case 'start':
      case 'end':
        return this.#push({ at: node.kind, next: [next] });
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.add(part, after), next);
      case 'choice':
        return this.#push({ next: node.parts.map((part) => this.add(part, next)) });
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat({ part, least, most }: Node & { kind: 'repeat' }, next: number): number {
    let after = next;
    if (most === Infinity) {
      // A state that leads on, or back into the part.
      after = this.#push({ next: [next] });
      this.states[after]!.next.push(this.add(part, after));
    } else
      for (let times = least; times < most; times++)
        after = this.#push({ next: [next, this.add(part, after)] });
    for (let times = 0; times < least; times++) after = this.add(part, after);
    return after;
  }

  #push(state: State): number {
    if (this.states.length >= MAX_STATES) throw new PatternError(TOO_LONG);
    return this.states.push(state) - 1;
  }
}

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new PatternError('a ) has no ( before it');
    return node;
  }

  #choice(): Node {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!))
      parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Node {
    let part = this.#one();
    for (;;) {
      const [sign, least, comma] =
        /^(?:[*+?]|\{(\d{1,2})(?:(,)(\d{1,2})?)?\})/.exec(this.#source.slice(this.#at)) ?? [];
      if (sign === undefined) return part;
      this.#at += sign.length;
      const [from, to] = this.#bounds(sign, least, comma);
      if (from > to) throw new PatternError(`${sign} has its numbers the wrong way round`);
      part = { kind: 'repeat', part, least: from, most: to };
    }
  }

  #bounds(sign: string, least: string | undefined, comma: string | undefined): [least: number, most: number] {
    if (sign === '?') return [0, 1];
    if (least === undefined) return [sign === '+' ? 1 : 0, Infinity];
    const most = /,(\d+)/.exec(sign)?.[1];
    return [
      Number(least),
      most !== undefined ? Number(most) : comma === undefined ? Number(least) : Infinity,
    ];
  }

  #one(): Node {
    const sign = this.#source[this.#at++]!;
    if (/[a-z]/.test(sign)) return { kind: 'letters', mask: maskOf(sign) };
    if (sign === '.') return { kind: 'letters', mask: ALL_LETTERS };
    if (sign === '^') return { kind: 'start' };
    if (sign === '$') return { kind: 'end' };
    if (sign === '[') return { kind: 'letters', mask: this.#class() };
    if (sign !== '(') throw new PatternError(`${sign} can’t be there`);
    this.#take('?:');
    const node = this.#choice();
    if (!this.#take(')')) throw new PatternError('a ( has no ) after it');
    return node;
  }

  #class(): number {
    const [whole, not, letters] = /^(\^?)((?:[a-z](?:-[a-z])?)+)\]/.exec(this.#source.slice(this.#at)) ?? [];
    if (whole === undefined) throw new PatternError('between [ and ] are letters, such as [aeiou] or [a-f]');
    this.#at += whole.length;
    let mask = 0;
    for (const [, from, to = from] of letters!.matchAll(/([a-z])(?:-([a-z]))?/g))
      for (let code = from!.charCodeAt(0); code <= to!.charCodeAt(0); code++)
        mask |= maskOf(String.fromCharCode(code));
    return not === '' ? mask : ALL_LETTERS & ~mask;
  }

  #take(sign: string): boolean {
    if (!this.#source.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }
}

function maskOf(letter: string): number {
  return 1 << (letter.charCodeAt(0) - 97);
}
