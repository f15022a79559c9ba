import { counted, grouped } from '../../core/text.ts';
import type { CheckResult } from '../../solver/check.ts';
import { explainBroken } from '../../solver/explain.ts';
import { actionOn, buttonOn, pictureOf, type Subject, wordsOption } from '../model/subject.ts';
import { bold } from '../model/text.ts';
import type { Block, Fact, Line, Reply } from '../model/types.ts';

export interface CheckedRequest {
  readonly subject: Subject;
  readonly result: CheckResult;
  /** Whether the game's own word list decided which words count. */
  readonly certain: boolean;
  readonly audience: Reply['audience'];
}

/** Which words are right, which rule each wrong one breaks, and what is left to do. */
export function checkedReply({ subject, result, certain, audience }: CheckedRequest): Reply {
  const { board } = subject;
  const typed = result.words.map(({ word }) => word);
  const right = rightWords(result);
  const blocks: Block[] = [
    {
      kind: 'text',
      lines: result.words.map(
        ({ word, broken }): Line =>
          broken === undefined ? ['✓ ', bold(word.toUpperCase())] : `✗ ${explainBroken(word, broken, board)}`,
      ),
    },
    ...(result.solved ? [] : [{ kind: 'facts' as const, facts: factsOf(result) }]),
    ...(right.length > 0 ? [pictureOf(board, { words: right })] : []),
    ...(result.cut === undefined ? [] : [{ kind: 'note' as const, line: result.cut }]),
    ...(certain ? [] : [{ kind: 'note' as const, line: UNCERTAIN }]),
    { kind: 'buttons', buttons: buttonsFor(subject, result, right) },
  ];
  return {
    title: `${titleOf(result)} (${subject.name})`,
    blocks,
    audience,
    ...(result.words.some(({ broken }) => broken !== undefined) && { isWrong: true as const }),
    again: actionOn(subject, 'check', wordsOption(typed)),
  };
}

const UNCERTAIN =
  "The newspaper's own word list is not known for this board, so the game may judge a rare word otherwise.";

/** The words before the first broken one: those that count. */
function rightWords({ words }: CheckResult): string[] {
  const wrong = words.findIndex(({ broken }) => broken !== undefined);
  return words.slice(0, wrong < 0 ? undefined : wrong).map(({ word }) => word);
}

function titleOf({ words, solved }: CheckResult): string {
  if (solved) return `Solved in ${counted(words.length, 'word')}`;
  const wrong = words.filter(({ broken }) => broken !== undefined).length;
  if (wrong === 0) return words.length === 1 ? 'That word is right' : `All ${words.length} words are right`;
  if (wrong === words.length) return words.length === 1 ? 'That word does not work' : 'None of these work';
  return `${wrong} of ${words.length} words ${wrong === 1 ? 'does' : 'do'} not work`;
}

function factsOf({ left, fewestMore, cut }: CheckResult): Fact[] {
  const more =
    fewestMore === undefined
      ? 'none of our words can finish from here'
      : fewestMore === 0
        ? 'none'
        : `at least ${grouped(fewestMore)}`;
  return [
    { label: 'Letters left', value: left.length === 0 ? 'none' : left.join(' ').toUpperCase() },
    ...(cut === undefined ? [{ label: 'Words still needed', value: more }] : []),
  ];
}

function buttonsFor(subject: Subject, { solved, fewestMore }: CheckResult, right: readonly string[]) {
  if (solved) return [buttonOn(subject, 'See other solutions', 'reveal')];
  const isOpen = fewestMore !== undefined && fewestMore > 0 && right.length > 0;
  return [
    ...(isOpen
      ? [
          buttonOn(subject, 'Hint from here', 'hint', wordsOption(right), 'primary'),
          buttonOn(subject, 'Best next word', 'next', wordsOption(right)),
        ]
      : [buttonOn(subject, 'Hint', 'hint')]),
    buttonOn(subject, 'Check again', 'check'),
  ];
}
