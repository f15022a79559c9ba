/** A newspaper with a made-up board for each day, and what solves it. */

import { LRUCache } from 'lru-cache';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { housePuzzle } from '../../src/puzzle/house.ts';
import { generate } from '../../src/solver/generate.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { type FakeNewspaper, json, type Scene, startNewspaper, status } from '../../test/fakes/newspaper.ts';

/** The likelihood of a word in the newspaper's dictionary. */
const LIKELY = 0.5;
const SERVICE = /\/(\d{4}-\d\d-\d\d)\.json$/;

export class YearNewspaper {
  readonly server: FakeNewspaper;
  readonly #lexicon = readLexicon();
  readonly #boards = new LRUCache<PuzzleDate, ReturnType<typeof generate>>({ max: 7 });

  private constructor(server: FakeNewspaper) {
    this.server = server;
  }

  static async start(): Promise<YearNewspaper> {
    const newspaper = new YearNewspaper(await startNewspaper());
    newspaper.setReachable(true);
    return newspaper;
  }

  setReachable(isReachable: boolean): void {
    this.server.play(isReachable ? this.#service : status(500), status(500));
  }

  /** The words of a solution: the newspaper's, or the house's on days on which there was no newspaper. */
  solutionOf(date: PuzzleDate, source: 'newspaper' | 'house'): readonly string[] {
    if (source === 'newspaper') return this.#boardOf(date).solution.words;
    return housePuzzle(date, (options) => generate(this.#lexicon, options)).official ?? [];
  }

  readonly #service: Scene = (response, request, url) => {
    const [, date] = SERVICE.exec(request.url ?? '') ?? [];
    if (date === undefined) return status(404)(response, request, url);
    const { board, solution, par } = this.#boardOf(date as PuzzleDate);
    const dictionary = findPlayable(board, this.#lexicon)
      .filter(({ likelihood }) => likelihood > LIKELY)
      .map(({ word }) => word);
    const words = [...new Set([...dictionary, ...solution.words])];
    const payload = {
      printDate: date,
      sides: board.sides,
      dictionary: words,
      ourSolution: solution.words,
      par,
    };
    return json(payload)(response, request, url);
  };

  #boardOf(date: PuzzleDate): ReturnType<typeof generate> {
    const known = this.#boards.get(date);
    if (known !== undefined) return known;
    const made = generate(this.#lexicon, { seed: `newspaper:${date}` });
    this.#boards.set(date, made);
    return made;
  }
}
