import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { counted, lettersIn, longDate, shortDate } from '../core/text.ts';
import type { App } from '../dispatch/contract.ts';
import type { Move } from '../play/game.ts';
import type { SavedGame } from '../play/saved-game.ts';
import type { WordSource } from '../puzzle/types.ts';
import { pageLine, pageOf, type Subject, subjectOfBoard, subjectOfDay } from '../reply/model/subject.ts';
import { lineText } from '../reply/model/text.ts';
import type { Block, Reply } from '../reply/model/types.ts';
import { parLines, type SolvedShown, solvedTitle } from '../reply/replies/game.ts';
import { HINT_STEPS } from '../reply/replies/hint-steps.ts';
import { squaresOf } from '../reply/replies/result-line.ts';
import { parseBoard } from '../solver/board.ts';
import { copiesOf, type GameView, gameView } from './game-view.ts';
import type { ArchiveDocument } from './html.ts';

/** What the games of visitors need of an app: on the site, a browser has no more. */
export interface VisitorWorld extends Pick<App, 'clock'> {
  readonly puzzles: Pick<
    App['puzzles'],
    'dateAt' | 'houseDays' | 'houseOf' | 'readDate' | 'spanOf' | 'wordSource'
  >;
  readonly work: Pick<App['work'], 'run'>;
}

/** A board that everybody may see: the house's of a day, or sides in an address. */
export interface PublicBoard {
  readonly subject: Subject;
  readonly source: WordSource;
  readonly par?: number;
  /** Of a day's board: when its day ends. */
  readonly until?: number;
}

/** @throws UserError if there is no such board, or none that everybody may see */
export async function boardOfDay(text: string, { puzzles, clock }: VisitorWorld): Promise<PublicBoard> {
  const date = puzzles.readDate(text, clock.now());
  const puzzle = await puzzles.houseOf(date);
  if (puzzle === undefined) {
    throw new UserError('pages.no-board', `There is no house board for ${longDate(date)}. Try today’s.`);
  }
  return {
    subject: subjectOfDay(puzzle),
    source: await puzzles.wordSource(puzzle),
    par: puzzle.par,
    until: puzzles.spanOf(date).to,
  };
}

/** @throws UserError if these are no sides of a board */
export async function boardOfSides(text: string, { puzzles }: VisitorWorld): Promise<PublicBoard> {
  const board = parseBoard(text);
  return { subject: subjectOfBoard(board), source: await puzzles.wordSource({ board }) };
}

export interface VisitorMoves {
  /** The game as the visitor's browser has kept it. It counts for nobody, so it may claim what it likes. */
  readonly saved?: unknown;
  readonly moves: readonly Move[];
  /** Whether the visitor has opened the solution of this board. */
  readonly isShown?: boolean | undefined;
}

/**
 * Makes moves for somebody without a name: nothing is stored. With the day's board solved, the days come along by
 * which their browser counts the streak.
 *
 * @param link to the board, for people who share a result
 */
export async function playAsVisitor(
  { work, clock, puzzles }: VisitorWorld,
  { subject, source, par, until }: PublicBoard,
  { saved, moves, isShown }: VisitorMoves,
  { address, link }: { readonly address: string; readonly link: string },
): Promise<{ game: GameView; saved: SavedGame; isLate: boolean; days?: PuzzleDate[] }> {
  const input = { board: subject.board, source, saved, input: { moves } };
  const state = await work.run('play', input, { channel: 'pages', person: `pages:${address}` });
  const letters = lettersIn(state.words);
  const solved = { words: state.words.length, letters, par };
  const isLate = until !== undefined && clock.now() >= until;
  const view = gameView({ subject, state, version: 0, isElsewhere: false });
  return {
    game: state.isSolved
      ? {
          ...view,
          solved: {
            title: solvedTitle(solved),
            lines: [`${counted(letters, 'letter')}.`, ...parLines(solved, { isShown })],
            counts: false,
            share: shareText(subject, solved, link),
            copies: copiesOf(subject.name, solved, state.words),
          },
        }
      : view,
    saved: state.saved,
    isLate,
    ...(state.isSolved &&
      subject.date !== undefined &&
      !isLate && { days: knownDays(subject.date, await puzzles.houseDays()) }),
  };
}

/** A result without words or letters. */
function shareText({ name, date }: Subject, { words, par }: SolvedShown, link: string): string {
  const board = date === undefined ? name : shortDate(date);
  return [`Letter Boxed, ${board} · ${counted(words, 'word')}`, squaresOf({ words, par }), link].join('\n');
}

/** What somebody asks about the board of a page. */
export interface HelpRequest {
  readonly ask: 'hint' | 'hunt' | 'review' | 'reveal' | 'share';
  /** The words so far: a hint goes on from them. */
  readonly words: readonly string[];
  /** The hints that the page shows already, with commas between. */
  readonly shown?: string;
}

/** An answer as a page shows it. */
export interface HelpView {
  readonly title: string;
  readonly parts: readonly { readonly label?: string; readonly lines: readonly string[] }[];
  /** To be sent along when the next hint is asked for. */
  readonly shown?: string;
}

/** For a visitor without a name. */
export async function helpVisitor(
  { work }: VisitorWorld,
  { subject, source }: PublicBoard,
  { ask, words, shown = '' }: HelpRequest & { readonly ask: 'hint' | 'reveal' },
  address: string,
): Promise<HelpView> {
  const asker = { channel: 'pages', person: `pages:${address}` };
  if (ask === 'reveal') return viewOf(await work.run('reveal', { subject, source }, asker));
  const seen = HINT_STEPS.filter((step) => shown.split(',').includes(step));
  const step = HINT_STEPS.find((one) => !seen.includes(one)) ?? HINT_STEPS.at(-1)!;
  const onwards = words.length > 0 ? { played: [...words] } : {};
  return viewOf(await work.run('hint', { subject, source, onwards, step, isNext: true, shown: seen }, asker));
}

export function viewOf({ title, blocks, again }: Reply): HelpView {
  const { step, shown } = again?.options ?? {};
  const steps = [...String(shown).split(','), step];
  return {
    title,
    parts: blocks.flatMap(partsOf),
    ...(step !== undefined && { shown: HINT_STEPS.filter((one) => steps.includes(one)).join(',') }),
  };
}

function partsOf(block: Block): HelpView['parts'] {
  switch (block.kind) {
    case 'text':
      return [{ lines: block.lines.map((line) => lineText(line, { person: () => 'You' })) }];
    case 'spoiler':
      return [{ label: block.label, lines: block.hidden.map((line) => lineText(line)) }];
    case 'note':
      return [{ lines: [lineText(block.line)] }];
    default:
      return [];
  }
}

/** Four weeks. */
const PAGE = 28;
/** More than a year. */
const MOST_KNOWN = 400;

/** A page of the days that had a house board, with today first, for everybody: the newspaper's days are on no page. */
export async function archivePage(
  { puzzles, clock }: Pick<VisitorWorld, 'puzzles' | 'clock'>,
  page: number,
): Promise<ArchiveDocument> {
  const dates = await puzzles.houseDays();
  const shown = pageOf(dates, page, PAGE);
  const { items, number, hasMore } = shown;
  const note = pageLine('Day', shown);
  const today = puzzles.dateAt(clock.now());
  const isShown = number === 1 && (await puzzles.houseOf(today)) !== undefined;
  return {
    days: [
      ...(isShown ? [{ date: today, name: `Today, ${longDate(today)}` }] : []),
      ...items.map((date) => ({ date, name: longDate(date) })),
    ],
    note,
    links: [
      ...(number > 1 ? [{ label: 'Newer', page: number - 1 }] : []),
      ...(hasMore ? [{ label: 'Older', page: number + 1 }] : []),
    ],
    known: knownDays(today, dates),
  };
}

/** The days by which a browser counts its streak. @param past days that had a board, newest first */
export function knownDays(today: PuzzleDate, past: readonly PuzzleDate[]): PuzzleDate[] {
  return [today, ...past.slice(0, MOST_KNOWN)];
}
