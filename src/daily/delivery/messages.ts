import { LRUCache } from 'lru-cache';
import { listed } from '../../core/text.ts';
import type { Judge, Puzzle, PuzzleDate, PuzzleService } from '../../puzzle/types.ts';
import { actionOn, buttonOn, longDate, subjectOfDay } from '../../reply/model/subject.ts';
import type { Block, Inline, Line, Reply } from '../../reply/model/types.ts';
import { openingReply, sourceLabel } from '../../reply/replies/board.ts';
import { HINT_NAMES, hintBlocks, hintReply } from '../../reply/replies/hint.ts';
import { solutionBlocks, solutionReply } from '../../reply/replies/solution.ts';
import { makeSearch, type Search } from '../../solver/search.ts';
import type { DaySchedule } from '../plan/schedule.ts';
import { THREAD_STEPS, type ThreadStep } from '../types.ts';

const STEP_NAMES: Readonly<Record<ThreadStep, string>> = {
  start: HINT_NAMES.start.name,
  count: HINT_NAMES.count.name,
  hardest: HINT_NAMES.hardest.name,
  lengths: HINT_NAMES.lengths.name,
  joint: HINT_NAMES.joint.name,
  masked: HINT_NAMES.masked.name,
  first: HINT_NAMES.first.name,
  solution: 'The solution',
};
/** A search holds up everything else in the process; the newspaper's boards take a hundredth of this. */
const LONGEST_SEARCH = 2_000;
/** All channels share a day's messages, and few puzzles are on at once. */
const MOST_KEPT = 100;

/** What a step is called in sentences, such as `start letters`. */
export function stepName(step: ThreadStep): string {
  return STEP_NAMES[step].toLowerCase();
}

export interface Messages {
  /** The message in the channel: nothing of it is a hint. */
  opening(puzzle: Puzzle, day: Pick<DaySchedule, 'span' | 'opensAt' | 'steps'>): Reply;
  /** The message of one step, or of several that come at once, in the order of the ladder. */
  steps(puzzle: Puzzle, steps: readonly ThreadStep[], audience?: Reply['audience']): Promise<Reply>;
  /** The last message of a thread; `line` says how the day went. */
  closing(date: PuzzleDate, line?: Line): Reply;
}

export interface MessagesOptions {
  readonly puzzles: Pick<PuzzleService, 'judge'>;
  /** Milliseconds from some beginning. */
  readonly elapsed: () => number;
}

/** The messages of a day's thread. Those that need a search are made once for all channels. */
export function makeMessages({ puzzles, elapsed }: MessagesOptions): Messages {
  const made = new LRUCache<string, Promise<Reply>>({ max: MOST_KEPT });

  return {
    opening: openingMessage,

    steps(puzzle, steps, audience = 'everyone') {
      const { date, source, board } = puzzle;
      const key = [date, source, board.sides, puzzle.dictionary?.length, steps, audience].join(' ');
      const known = made.get(key);
      if (known !== undefined) return known;
      const reply = makeSteps(puzzle, steps, audience);
      made.set(key, reply);
      reply.catch(() => made.delete(key));
      return reply;
    },

    closing: (date, line) => ({
      title: `That was the board of ${longDate(date)}`,
      blocks: [
        {
          kind: 'text',
          lines: [...(line === undefined ? [] : [line]), 'The next board is open in the channel.'],
        },
      ],
      audience: 'everyone',
    }),
  };

  async function makeSteps(
    puzzle: Puzzle,
    steps: readonly ThreadStep[],
    audience: Reply['audience'],
  ): Promise<Reply> {
    const judge = await puzzles.judge(puzzle);
    const end = elapsed() + LONGEST_SEARCH;
    const search = makeSearch(puzzle.board, judge.words, { stop: () => elapsed() > end });
    const [only] = steps;
    if (steps.length === 1 && only !== undefined) return stepMessage(puzzle, only, search, judge, audience);
    return mergedMessage(puzzle, steps, search, judge, audience);
  }
}

function openingMessage(
  puzzle: Puzzle,
  { span, opensAt, steps }: Pick<DaySchedule, 'span' | 'opensAt' | 'steps'>,
): Reply {
  const reply = openingReply({ puzzle, until: span.to, audience: 'everyone' });
  const [picture, ...rest] = reply.blocks;
  const at = new Map<number, ThreadStep[]>();
  for (const { step, dueAt } of steps) at.set(dueAt, [...(at.get(dueAt) ?? []), step]);
  const line: Inline[] = [...at].flatMap(([dueAt, together], index): Inline[] => [
    index === 0 ? 'In the thread: ' : ', ',
    listed(together.map(stepName)),
    ...(dueAt === opensAt ? [' now'] : [' ', { moment: dueAt, style: 'time' } as const]),
  ]);
  const text: Block[] = line.length === 0 ? [] : [{ kind: 'text', lines: [[...line, '.']] }];
  return { ...reply, blocks: [...(picture === undefined ? [] : [picture]), ...text, ...rest] };
}

function stepMessage(
  puzzle: Puzzle,
  step: ThreadStep,
  search: Search,
  judge: Judge,
  audience: Reply['audience'],
): Reply {
  const subject = subjectOfDay(puzzle);
  if (step !== 'solution') return hintReply({ subject, search, step, audience });
  return solutionReply({ ...solutionOf(puzzle, search, judge, audience), source: sourceLabel(puzzle) });
}

function mergedMessage(
  puzzle: Puzzle,
  steps: readonly ThreadStep[],
  search: Search,
  judge: Judge,
  audience: Reply['audience'],
): Reply {
  const subject = subjectOfDay(puzzle);
  const inOrder = THREAD_STEPS.filter((step) => steps.includes(step));
  const names = listed(inOrder.map(stepName));
  return {
    title: `${subject.name}: ${names}`,
    blocks: [
      ...inOrder.flatMap((step) =>
        step === 'solution'
          ? solutionBlocks(solutionOf(puzzle, search, judge, audience))
          : hintBlocks(search, step),
      ),
      {
        kind: 'buttons',
        buttons: [buttonOn(subject, 'Check my words', 'check'), buttonOn(subject, 'Reveal', 'reveal')],
      },
    ],
    audience,
    again: actionOn(subject, 'thread', { steps: inOrder.join(',') }),
  };
}

function solutionOf(puzzle: Puzzle, search: Search, judge: Judge, audience: Reply['audience']) {
  return {
    subject: subjectOfDay(puzzle),
    search,
    certain: judge.certain,
    ...(puzzle.official !== undefined && { official: { words: puzzle.official, source: puzzle.source } }),
    audience,
  };
}
