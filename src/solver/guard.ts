import { counted } from '../core/text.ts';
import { formatBoard } from './board.ts';
import type { Parts } from './parts.ts';
import { Stopped } from './stopper.ts';

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
