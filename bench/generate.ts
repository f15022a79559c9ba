import { DIFFICULTIES, type Difficulty, generate } from '../src/solver/generate.ts';
import { readLexicon } from '../src/wordlists/load.ts';

const BOARDS = 1000;

/** Prints how many boards one core generates in a second. Run it alone: npx node bench/generate.ts */
export function run(): void {
  const lexicon = readLexicon();
  const started = performance.now();
  generate(lexicon, { seed: 'first' });
  console.log(`generate: first board ${(performance.now() - started).toFixed(1)} ms (indexes the word list)`);
  const shapes: [number, number, number][] = [
    [4, 3, BOARDS],
    [3, 4, BOARDS],
    [5, 3, BOARDS / 5],
    [4, 4, BOARDS / 10],
    [5, 4, BOARDS / 50],
    [8, 3, BOARDS / 10],
  ];
  for (const [sides, letters, boards] of shapes) {
    const levels = sides * letters > 21 ? [undefined] : [undefined, ...DIFFICULTIES];
    const cells = levels.map((difficulty) => `${difficulty ?? 'any'} ${perSecond(boards, difficulty)}`);
    console.log(`generate ${sides}x${letters}: boards a second: ${cells.join(', ')}`);

    function perSecond(count: number, difficulty: Difficulty | undefined): number {
      const began = performance.now();
      for (let index = 0; index < count; index++) {
        generate(lexicon, { seed: `bench ${index}`, sides, letters, ...(difficulty && { difficulty }) });
      }
      return Math.round((count * 1000) / (performance.now() - began));
    }
  }
}

if (import.meta.main) run();
