/**
 * What a person sees of a program's output: a screen as large as their terminal, and before and after it the lines
 * of the shell. Knows the few sequences that every terminal has, and throws at any other.
 */
export class TerminalScreen {
  columns: number;
  rows: number;
  /** What was written outside of the full screen, without styles. */
  lines = '';
  isFull = false;
  isCursorShown = true;
  /** Styles that were used, as the numbers of their sequences. */
  readonly styles = new Set<string>();
  #cells: string[][] = [];
  #row = 0;
  #column = 0;
  /** The beginning of a sequence that is not complete yet. */
  #rest = '';

  constructor(columns: number, rows: number) {
    [this.columns, this.rows] = [columns, rows];
  }

  /** Whether a drawing is complete: then the cursor is back in the first place. */
  get isDrawn(): boolean {
    return this.#row === 0 && this.#column === 0 && this.#rest === '';
  }

  /** The full screen as text, without spaces at the ends of lines. */
  get text(): string {
    const rows = Array.from({ length: this.rows }, (_, row) =>
      Array.from({ length: this.columns }, (__, column) => this.#cells[row]?.[column] ?? ' ').join(''),
    );
    return rows
      .map((row) => row.trimEnd())
      .join('\n')
      .trimEnd();
  }

  write(text: string): void {
    const all = this.#rest + text;
    this.#rest = '';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what terminals read.
    for (const [piece] of all.matchAll(/\u001b\[[?\d;]*[A-Za-z]|\u001b[^[]|\u001b\[?[?\d;]*$|./gsu)) {
      if (!piece.startsWith('\u001b')) this.#put(piece);
      else if (/[A-Za-z]$/.test(piece)) this.#obey(piece.slice(2));
      else this.#rest = piece;
    }
  }

  #put(character: string): void {
    if (!this.isFull) {
      if (character !== '\r') this.lines += character;
      return;
    }
    if (character < ' ')
      throw new Error(`the full screen got the control character ${JSON.stringify(character)}`);
    if (this.#column >= this.columns || this.#row >= this.rows)
      throw new Error(`${JSON.stringify(character)} is beyond the edge, in row ${this.#row + 1}`);
    this.#cells[this.#row] ??= [];
    this.#cells[this.#row]![this.#column++] = character;
  }

  #obey(sequence: string): void {
    const position = /^(\d+);(\d+)H$/.exec(sequence);
    const style = /^(\d+)m$/.exec(sequence);
    if (position !== null) [this.#row, this.#column] = [Number(position[1]) - 1, Number(position[2]) - 1];
    else if (style !== null) this.styles.add(style[1]!);
    else if (sequence === 'K') this.#clearLine(this.#row);
    else if (sequence === 'J') for (let row = this.#row; row < this.rows; row++) this.#clearLine(row);
    else if (sequence === '2J') this.#cells = [];
    else if (sequence === '?1049h') [this.isFull, this.#cells] = [true, []];
    else if (sequence === '?1049l') this.isFull = false;
    else if (sequence === '?25h') this.isCursorShown = true;
    else if (sequence === '?25l') this.isCursorShown = false;
    // The shell, and questions before the game, have the whole terminal's language.
    else if (this.isFull) throw new Error(`not every terminal knows ESC[${sequence}`);
  }

  #clearLine(row: number): void {
    const from = row === this.#row ? this.#column : 0;
    this.#cells[row] = Array.from({ length: from }, (_, column) => this.#cells[row]?.[column] ?? ' ');
  }
}
