import { UserError } from '../core/errors.ts';
import { counted } from '../core/text.ts';
import { endsOf, formatBoard } from './board.ts';
import { type Finisher, LastTwo, makeFinisher } from './finish.ts';
import { packWords } from './playable.ts';
import { Stopped, Stopper } from './stopper.ts';
import { addLetter, type Nodes, nodesOf, type Start, type State, WordTable } from './table.ts';
import { type JoinedPairs, joinTwo } from './two-words.ts';
import type { Board, Columns, PlayableWord, Tier } from './types.ts';
import { Confirmer, textOf } from './walks.ts';

/** Spots and required words share one machine word of bits. */
const MAX_BITS = 30;

export interface SearchOptions {
  /** Words that must not be used. */
  readonly exclude?: readonly string[];
  /** Words that each solution contains, in any place. */
  readonly require?: readonly string[];
  readonly tier?: Tier;
  /** Words already played, in order; solutions hold only what comes after them. */
  readonly played?: readonly string[];
  /** No solution has more (further) words than this. */
  readonly maxWords?: number;
  /** Asked now and then; once it says true, the search is cut. Time is a parameter: the solver has no clock. */
  readonly stop?: () => boolean;
}

/** What all answers to one search are worked out from. Tables that not every answer needs are made when they are asked for. */
export class Parts {
  readonly board: Board;
  readonly columns: Columns;
  readonly nodes: Nodes;
  readonly table: WordTable;
  readonly start: Start;
  readonly finisher: Finisher;
  /** Only where letters repeat. */
  readonly confirmer: Confirmer | undefined;
  readonly stopper: Stopper;
  #lastTwo: LastTwo | undefined;
  #joined: JoinedPairs | undefined;

  constructor(board: Board, words: readonly PlayableWord[] | Columns, options: SearchOptions) {
    const required = [...new Set(options.require)].map((word) => word.toLowerCase());
    if (board.letters.length + required.length > MAX_BITS) {
      throw new UserError(
        'search.required',
        `${required.length} required words are too many for this board; name at most ${MAX_BITS - board.letters.length}.`,
      );
    }
    const played = (options.played ?? []).map((word) => word.toLowerCase());
    const outstanding = required.filter((word) => !played.includes(word));
    this.board = board;
    this.nodes = nodesOf(board);
    this.columns = choose(words, options, this.nodes);
    this.table = new WordTable(this.columns, this.nodes, outstanding);
    this.stopper = new Stopper(options.stop);
    this.start = startAfter(board, this.table, played);
    this.finisher = makeFinisher(this.table);
    if (this.nodes.fields.length > 0) {
      const { columns: words, nodes, stopper } = this;
      this.confirmer = new Confirmer({ board, words, nodes, played, stopper });
    }
  }

  /** The same as states, one for each node if chains begin anywhere. */
  get starts(): readonly State[] {
    if (this.start !== 'anywhere') return this.start;
    return Array.from(this.nodes.letters, (_, node) => ({ node, need: this.table.needOn(node) }));
  }

  /** Whether all endings fit a table: answers about two and three words then take a few milliseconds at most. */
  get isSmall(): boolean {
    return this.finisher.dense !== undefined;
  }

  get lastTwo(): LastTwo {
    this.#lastTwo ??= new LastTwo(this.table);
    return this.#lastTwo;
  }

  /** All solutions of two words, on small boards of distinct letters with nothing played. */
  get joined(): JoinedPairs | undefined {
    if (!this.isSmall || this.confirmer !== undefined || this.start !== 'anywhere') return undefined;
    this.#joined ??= joinTwo(this.table);
    return this.#joined;
  }

  /**
   * Whether answers about this many words come first, even if the time is up. Where letters repeat, the words played so
   * far may have been walked in many ways, so that even two more take long.
   */
  isFirst(words: number): boolean {
    return words <= (this.confirmer === undefined || this.start === 'anywhere' ? 2 : 1);
  }

  /** Whether a chain that holds enough of every letter touches every spot. */
  isRight(chain: readonly number[]): boolean {
    return this.confirmer === undefined || this.confirmer.covers(chain) === true;
  }
}

function choose(
  words: readonly PlayableWord[] | Columns,
  { exclude = [], tier }: SearchOptions,
  nodes: Nodes,
): Columns {
  const isPacked = 'weights' in words;
  if (exclude.length === 0 && tier === undefined) return isPacked ? words : packWords(words, nodes);
  const all = isPacked ? Array.from({ length: words.size }, (_, number) => words.word(number)) : words;
  const unwanted = new Set(exclude.map((word) => word.toLowerCase()));
  return packWords(
    all.filter((word) => (tier !== 'everyday' || word.tier === 'everyday') && !unwanted.has(word.word)),
    nodes,
  );
}

/** Where the words played leave a chain. */
function startAfter(board: Board, table: WordTable, played: readonly string[]): Start {
  if (played.length === 0) return 'anywhere';
  const { nodes } = table;
  let spots: number | undefined;
  for (const word of played) {
    spots = endsOf(board, Array.from(word), spots);
    if (spots === 0)
      throw new UserError('search.played', `"${word}" can't be played there on ${formatBoard(board)}.`);
  }
  const text = textOf(played);
  let held = 0;
  for (let at = 0; at < text.length; at++)
    held = addLetter(held, nodes.nodeOf[text.charCodeAt(at) - 97]!, nodes);
  const node = nodes.nodeOf[text.charCodeAt(text.length - 1) - 97]!;
  return [{ node, need: table.rest(table.full, held) }];
}

/** Ends an answer where the search was stopped, and remembers which answer that was. */
export class Guard {
  readonly #parts: Parts;
  #cut: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Where and why the first answer was cut short, as a sentence for people. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /** Undefined when it was stopped. After a cut this asks `stop` at once, before any table is made for a further question. */
  run<Answer>(what: string, answer: () => Answer): Answer | undefined {
    return this.attempt(what, () => {
      this.#parts.stopper.step();
      return answer();
    });
  }

  /** As `run`, for what is short on any board: it is answered even if the time was up before. */
  always<Answer>(what: string, answer: () => Answer): Answer | undefined {
    return this.attempt(what, () => this.#parts.stopper.unstopped(answer));
  }

  /** As `run`, for an answer that begins with what is short. */
  attempt<Answer>(what: string, answer: () => Answer): Answer | undefined {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const { board, columns } = this.#parts;
      this.#cut ??= `${formatBoard(board).toUpperCase()} has ${counted(columns.size, 'word')} to try; the time ran out before ${what} was certain.`;
      return undefined;
    }
  }
}
