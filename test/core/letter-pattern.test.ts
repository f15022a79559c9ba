import { describe, expect, it } from 'vitest';
import { compilePattern, PatternError } from '../../src/core/letter-pattern.ts';
import { Random } from '../../src/core/random.ts';
import { sample } from '../fakes/sample.ts';

const ROUNDS = sample(3_000, 500);
const random = new Random('patterns');

/** A random pattern that JavaScript reads alike. */
function randomPattern(depth = 3): string {
  const one = () => 'abc.'[random.below(4)]!;
  if (depth === 0) return one();
  const inner = () => randomPattern(depth - 1);
  const forms = [
    one,
    () => `${inner()}${inner()}`,
    () => `(${inner()}|${inner()})`,
    () => `(${inner()})${['*', '+', '?', '{2}', '{1,2}', '{1,}', '{0,2}'][random.below(7)]}`,
    () => ['[ab]', '[^a]', '[a-c]', '[^ac]'][random.below(4)]!,
    () => `^${inner()}`,
    () => `${inner()}$`,
  ];
  return forms[random.below(forms.length)]!();
}

describe('a pattern of letters', () => {
  it('matches as regular expressions of JavaScript do', () => {
    let matched = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const source = randomPattern();
      const fits = compilePattern(source);
      const expected = new RegExp(source);
      for (let word = 0; word < 8; word++) {
        const text = Array.from({ length: random.below(7) }, () => 'abcd'[random.below(4)]).join('');
        expect([source, text, fits(text)]).toEqual([source, text, expected.test(text)]);
        matched += Number(fits(text));
      }
    }
    expect(matched).toBeGreaterThan(1.5 * ROUNDS);
  });

  it('takes no longer for patterns that make others backtrack', () => {
    const word = `${'a'.repeat(2_000)}b`;
    expect(compilePattern('^(a+)+$')(word)).toBe(false);
    expect(compilePattern('^(a|a)*(a|aa)+c')(word)).toBe(false);
    expect(compilePattern(`^(a?){25}a{25}$`)('a'.repeat(25))).toBe(true);
  });

  it.each([
    ['(ab', 'a ( has no ) after it'],
    ['ab)', 'a ) has no ( before it'],
    ['*a', '* can’t be there'],
    ['[]', 'between [ and ] are letters'],
    ['[é]', 'between [ and ] are letters'],
    ['a{3,2}', 'wrong way round'],
    ['\\w', '\\ can’t be there'],
    ['(a{99}){99}', 'it repeats too much'],
    ['a'.repeat(101), 'more than 100 signs'],
  ])('says what is wrong with %j', (source, message) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
    expect(() => compilePattern(source)).toThrow(message);
  });
});
