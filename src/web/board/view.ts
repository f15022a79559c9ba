import type { PlayedGame } from '../../players/solo-games.ts';
import { HINT_STEPS, type HintStep } from '../../reply/model/facts.ts';
import type { NamedBoard } from '../../reply/model/named-board.ts';
import { lineText, present } from '../../reply/model/text.ts';
import type { Block, DrawnPath, Reply, WeekDay } from '../../reply/model/types.ts';
import { sideNames } from '../../reply/picture/drawing.ts';
import { along, distance, layoutOf, legsOf, type Point } from '../../reply/picture/layout.ts';
import { deadEndOf, gameNotice, refusalText } from '../../reply/replies/game.ts';
import {
  notationOf,
  resultLine,
  resultLineWithoutHints,
  squaresOf,
} from '../../reply/replies/result-line.ts';
import {
  hasResult,
  headlineOf,
  type SolvedShown,
  shownPoints,
  solvedLines,
} from '../../reply/replies/solved.ts';
import { reachable } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';

/** A board as the page draws it, including everything needed to follow letters without a request. */
export interface BoardView {
  readonly size: number;
  readonly corners: readonly Point[];
  readonly radius: number;
  readonly letterSize: number;
  /** The least distance between two letters. */
  readonly gap: number;
  readonly sides: readonly { readonly name: string; readonly spots: readonly SpotView[] }[];
}

export interface SpotView {
  readonly letter: string;
  /** On the edge of the box; `at` is the middle of the letter, outside it. */
  readonly dot: Point;
  readonly at: Point;
  /** A bit for each spot that may follow this one. */
  readonly reach: number;
}

/** A played word, as a line over the box. */
export interface WordLine {
  /** In the order of the word. */
  readonly spots: readonly number[];
  /** As SVG writes paths. */
  readonly path: string;
  /** Where the word's number stands. */
  readonly badge: Point;
  /** Where arrowheads stand, each with its direction in degrees. */
  readonly arrows: readonly (Point & { readonly angle: number })[];
}

/** A game as the page shows it. Sets of spots have a bit for each spot. */
export interface GameView {
  /** Equal in all messages that show this game. */
  readonly game: string;
  readonly version: number;
  readonly words: readonly string[];
  readonly lines: readonly WordLine[];
  readonly word: string;
  /** For each letter of `word`, the spots where the letters before it let it stand. */
  readonly reached: readonly number[];
  readonly next: number;
  readonly used: number;
  readonly left: readonly string[];
  /** Why the last move was refused. */
  readonly refused?: string;
  /** Whether the moves were not made, because the game had gone on elsewhere since the version that they came with. */
  readonly isElsewhere: boolean;
  /** A sentence about the person's streak. */
  readonly notice?: string;
  /** A sentence that says that no word begins with the last letter. */
  readonly deadEnd?: string;
  readonly solved?: EndingView;
  /** What the next hint costs, and the solution, such as `1 point`, where they cost something. */
  readonly hintPrice?: string | undefined;
  readonly solutionPrice?: string | undefined;
  /** Whether it is a race, which nobody wins with a hint. */
  readonly isRace?: boolean | undefined;
}

/** Shown to somebody who has solved a board, on the site, on their own page, and in the chat. */
export interface EndingView {
  /** The rank, in one or two words. */
  readonly title: string;
  readonly lines: readonly string[];
  /** The points, if they are shown beside the rank. */
  readonly points?: number | undefined;
  /** The seven days up to today, and the streak. */
  readonly week?: { readonly days: readonly WeekDay[]; readonly streak: number } | undefined;
  readonly hunt?: { readonly found: number; readonly of: number } | undefined;
  /** Milliseconds until the next board. */
  readonly untilNext?: number | undefined;
  /** A link to yesterday's board, or from another board to today's, where a visitor of the site has not played it. */
  readonly onwards?: { readonly href: string; readonly label: string } | undefined;
  /** Whether there is a result to share. */
  readonly counts: boolean;
  /** What the button “How you did” shows. Only the site sets this and `share`: elsewhere, a server answers. */
  readonly how?: readonly string[];
  /** The result as text that somebody may show to others. */
  readonly share?: string;
  /** Texts that the person can copy to share, one for each format. */
  readonly copies: readonly { readonly label: string; readonly text: string }[];
}

/** Less margin than a picture has: the page has space around the box, where a stroke may begin, too. */
const PAGE = { margin: 14 };
/** Where the number of a word stands on its first leg, and an arrowhead on each, as shares of the leg's length. */
const [BADGE_SHARE, ARROW_SHARE] = [0.36, 0.62];
/** Legs shorter than this have no room for an arrowhead. */
const MIN_ARROW_LEG = 90;

export function boardView(board: Board): BoardView {
  const { size, corners, spots, letters, letterSize, spotRadius } = layoutOf(board, PAGE);
  const spotViews = letters.map((at, spot) => ({
    letter: board.letters[spot]!,
    dot: rounded(spots[spot]!),
    at: rounded(at),
    reach: reachable(board, 1 << spot),
  }));
  const gaps = letters.flatMap((one, index) => letters.slice(index + 1).map((other) => distance(one, other)));
  return {
    size,
    corners: corners.map(rounded),
    radius: Math.round(spotRadius),
    letterSize: Math.round(letterSize),
    gap: Math.floor(Math.min(...gaps)),
    sides: sideNames(board).map((name, side) => ({
      name,
      spots: spotViews.filter((_, spot) => board.sideOf[spot] === side),
    })),
  };
}

export function gameView(game: PlayedGame): GameView {
  const { namedBoard, state, version, isElsewhere, isRace, solved } = game;
  const { board } = namedBoard;
  const { words, word, reached, next, used, left, refusal } = state;
  const notice = gameNotice(game);
  const ending = solved && endingOf(namedBoard, solved, words);
  return {
    game: JSON.stringify([namedBoard.options, board.sides]),
    version,
    words,
    lines: linesOf(board, state.path),
    word,
    reached,
    next,
    used,
    left,
    isElsewhere,
    isRace,
    notice,
    deadEnd: deadEndOf(game),
    refused: isElsewhere ? undefined : refusal && refusalText(refusal, board),
    solved: ending && { ...ending, lines: present([...ending.lines, isRace && notice]) },
  };
}

export function endingOf(namedBoard: NamedBoard, solved: SolvedShown, words: readonly string[]): EndingView {
  const { day, hunt } = solved;
  return {
    title: headlineOf(solved),
    lines: solvedLines(solved, { isBrief: true }),
    points: shownPoints(solved),
    week: day?.week && { days: day.week, streak: day.streak?.current ?? 0 },
    hunt: hunt && { found: hunt.found, of: hunt.of },
    untilNext: day?.untilNext,
    counts: hasResult(solved),
    copies: copiesOf(namedBoard, solved, words),
  };
}

function copiesOf(
  namedBoard: NamedBoard,
  solved: SolvedShown,
  words: readonly string[],
): EndingView['copies'] {
  // The line that *Share* posts. On the site, nobody knows which hints were used.
  const best = solved.day?.best;
  const line =
    best === undefined ? resultLineWithoutHints(namedBoard, words.length) : resultLine(namedBoard, best);
  const squares = squaresOf({ words: best?.words ?? words.length, par: solved.par });
  const isBest = best === undefined || (best.words === words.length && !best.reported);
  return [
    { label: 'Copy the line', text: line },
    { label: 'Copy squares', text: `${line}\n${squares}` },
    ...(isBest ? [{ label: 'Copy notation (reveals letters)', text: `${line}\n${notationOf(words)}` }] : []),
  ];
}

/** The words of a path over the board that a page draws. */
export function linesOf(board: Board, path: DrawnPath): WordLine[] {
  return legsOf(layoutOf(board, PAGE), path).map((legs, nth) => {
    const first = legs[0]!;
    const curves = legs.map(({ bend, to }) => `Q${pair(bend)} ${pair(to)}`);
    return {
      spots: path[nth]!,
      path: [`M${pair(first.from)}`, ...curves].join(''),
      badge: rounded(along(first, BADGE_SHARE)),
      arrows: legs
        .filter(({ from, to }) => distance(from, to) >= MIN_ARROW_LEG)
        .map((leg) => along(leg, ARROW_SHARE))
        .map((point) => ({ ...rounded(point), angle: Math.round((point.angle * 180) / Math.PI) })),
    };
  });
}

function pair({ x, y }: Point): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

/** The buttons of a board, besides its moves. */
export const BOARD_BUTTONS = ['hint', 'hunt', 'review', 'reveal', 'share'] as const;
export type BoardButton = (typeof BOARD_BUTTONS)[number];

/** A question about the board of a page. */
export interface HelpRequest {
  readonly ask: BoardButton;
  /** The words so far, which a hint continues. */
  readonly words: readonly string[];
  /** The hint that was asked for by its name. */
  readonly step?: HintStep | undefined;
  /** The hints that the page shows already, separated by commas. */
  readonly shown?: string | undefined;
  /** All hints shown for this board, after whichever words. Read by the site, which has no hint records. */
  readonly taken?: string;
}

/** An answer for the page. */
export interface HelpView {
  readonly title: string;
  readonly parts: readonly { readonly label?: string; readonly lines: readonly string[] }[];
  /** Sent back when the next hint is requested. */
  readonly shown?: string;
  /** Whether the page shows every hint now. */
  readonly isAll?: boolean;
  /** The hint that can follow, with its price where it has one. */
  readonly next?: { readonly label: string; readonly step: HintStep } | undefined;
}

/** @param reply its `rerun` names the hint that it shows, and the hints shown before; only replies with hints have these */
export function helpView({ title, blocks, rerun }: Reply): HelpView {
  const { step, shown } = rerun?.options ?? {};
  const asked = [...String(shown).split(','), step];
  const steps = HINT_STEPS.filter((one) => asked.includes(one));
  const parts = blocks.flatMap(partsOf);
  // The note above a hint names the board, as the page's heading does already.
  const isRepeated = step !== undefined && parts[0]?.label === undefined;
  return {
    title,
    parts: parts.slice(isRepeated ? 1 : 0),
    shown: step === undefined ? undefined : steps.join(','),
    isAll: steps.length === HINT_STEPS.length,
    next: step === undefined ? undefined : nextHintIn(blocks),
  };
}

/** The next hint, which a card has a button for; undefined after the last one. */
function nextHintIn(blocks: Reply['blocks']): HelpView['next'] {
  const buttons = blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
  const { label = '', action } = buttons.find((one) => one.action.command === 'hint') ?? {};
  const step = HINT_STEPS.find((one) => one === action?.options.step);
  return step && { label, step };
}

function partsOf(block: Block): HelpView['parts'] {
  switch (block.kind) {
    case 'text':
      // Of these answers, only that of `share` names a person: the one who asked.
      return [{ lines: block.lines.map((line) => lineText(line, { person: () => 'You' })) }];
    case 'spoiler':
      return [{ label: block.label, lines: block.hidden.map((line) => lineText(line)) }];
    case 'note':
      return [{ lines: [lineText(block.line)] }];
    default:
      return [];
  }
}
