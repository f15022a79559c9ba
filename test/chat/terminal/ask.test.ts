import { describe, expect, test } from 'vitest';
import { check } from '../../../commands/check.ts';
import { solve } from '../../../commands/solve.ts';
import { fillForm } from '../../../src/chat/terminal/command.ts';
import type { Command } from '../../../src/dispatch/contract.ts';
import { formFor, missingOptions } from '../../../src/dispatch/options.ts';

/** A person who types these lines one after the other. */
function typing(...lines: string[]) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return lines.shift() ?? '';
  };
  return { ask, questions };
}

const fill = (command: Command, ask: (question: string) => Promise<string>) =>
  fillForm(formFor(command, missingOptions(command, {}), {}), command, ask);

describe('at the terminal', () => {
  test('asks for the sides one after the other', async () => {
    const { ask, questions } = typing('ozu', ' NRI ', 'lfa', 'mbt', '');
    expect(await fill(solve, ask)).toEqual({ sides: 'ozu nri lfa mbt' });
    expect(questions).toHaveLength(5);
    expect(questions[0]).toBe('Side 1 (Enter when done): ');
  });

  test('sides of one letter stay as they are', async () => {
    expect(await fill(solve, typing(...'ozunrilfambt').ask)).toEqual({ sides: 'o|z|u|n|r|i|l|f|a|m|b|t' });
  });

  test('the whole board can be typed at once', async () => {
    const { ask, questions } = typing('ozu-nri-lfa-mbt');
    expect(await fill(solve, ask)).toEqual({ sides: 'ozu nri lfa mbt' });
    expect(questions).toHaveLength(1);
  });

  test('asks for other options by their label', async () => {
    const { ask, questions } = typing('forum');
    expect(await fill(check, ask)).toEqual({ words: 'forum' });
    expect(questions).toEqual(['Words (Your words in order, separated by commas): ']);
  });

  test('without an answer, the error says what is missing', async () => {
    await expect(fill(check, typing('').ask)).rejects.toThrow('Which words? Type them after check.');
    await expect(fill(solve, typing('').ask)).rejects.toThrow('The sides are missing');
  });
});
