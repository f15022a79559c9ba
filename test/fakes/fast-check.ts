/** Tests take fast-check from here, so that a draw never decides whether a change passes. */
import fc from 'fast-check';
import { IS_LONG, sample } from './sample.ts';

/** The same cases each time, and others for the long tests. The nightly run sets a seed of its own to find new ones. */
const seed = Number(process.env.FAST_CHECK_SEED ?? (IS_LONG ? 2 : 1));
fc.configureGlobal({ seed, numRuns: sample(100, 40) });

/** Fast-check's own units `binary` and `grapheme` make a table of all characters for each arbitrary: tenths of a second. */
const character = fc.oneof(
  { weight: 2, arbitrary: fc.nat({ max: 0x7f }) },
  { weight: 1, arbitrary: fc.nat({ max: 0xffff }).filter((point) => point < 0xd800 || point > 0xdfff) },
  { weight: 1, arbitrary: fc.integer({ min: 0x1_0000, max: 0x10_ffff }) },
);
/** Any character, also one that is not printed, as the unit of a string. */
export const anyCharacter = character.map((point) => String.fromCodePoint(point));
/** What a person sees as one character. */
export const anyGrapheme = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }).map((point) => String.fromCodePoint(point)),
  fc.constantFrom('é', 'ß', 'Ω', 'й', 'א', 'ع', '中', 'e\u0301', 'ก็', '🙂', '👍🏽', '👩‍👩‍👧', '🇳🇿', '1️⃣'),
);

export default fc;
