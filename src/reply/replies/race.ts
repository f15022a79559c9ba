import { SECOND } from '../../core/clock.ts';
import { counted } from '../../core/text.ts';
import type { Board } from '../../solver/types.ts';
import { solutionFacts } from '../model/facts.ts';
import { buttonOn, namedBoardOf, pictureOf } from '../model/named-board.ts';
import {
  buttonsBlock,
  chainText,
  joined,
  notes,
  replyTo,
  sentenceReply,
  textBlock,
  toAsker,
} from '../model/text.ts';
import type { Action, Block, Button, Inline, Line, Reply } from '../model/types.ts';
import { exactDuration } from './result-line.ts';

export const RACE_ACTIONS = ['join', 'start', 'go', 'leave', 'show'] as const;
type RaceAction = (typeof RACE_ACTIONS)[number];

export interface RaceShown {
  readonly madeAt: number;
  readonly most: number;
  readonly racers: readonly { readonly person: string; readonly letters: number; readonly words: number }[];
  readonly timesOutAt: number;
  /** Known once the race starts; it is drawn only after the end. */
  readonly board?: Board | undefined;
  readonly startsAt?: number | undefined;
  readonly winner?: { readonly person: string; readonly words: readonly string[]; readonly at: number };
  readonly end?: 'won' | 'left' | 'timed-out' | undefined;
}

type Named = Pick<RaceShown, 'madeAt'>;

/** The message of a race. Until its end, it has nothing of the board and of anybody's words but numbers. */
export function raceReply(race: RaceShown, audience: Reply['audience']): Reply {
  const about = { rerun: raceAction(race, 'show') };
  const { most, startsAt, timesOutAt, racers, winner } = race;
  if (race.end !== undefined) {
    const title = winner ? `Race won in ${counted(winner.words.length, 'word')}` : 'Race over';
    return replyTo(audience, title, endBlocks(race), about);
  }
  const rule = `The first to solve the board wins, with at most ${counted(most, 'word')} and no hint.`;
  const leave = raceButton(race, 'Leave', 'leave');
  if (startsAt !== undefined) {
    const start: Line = ['Start: ', { moment: startsAt, style: 'relative' }, '.'];
    const blocks = [
      textBlock([start, ...progressLines(race), rule]),
      buttonsBlock([raceButton(race, 'Play', 'go', 'primary'), leave]),
    ];
    return replyTo(audience, `Race: ${counted(racers.length, 'racer')}`, blocks, about);
  }
  const names = joined(
    racers.map(({ person }): Inline => ({ person })),
    ', ',
  );
  const blocks = [
    textBlock([
      `A new board, the same for all. Nobody sees it before the start. ${rule}`,
      ['Racers: ', ...names],
    ]),
    buttonsBlock([raceButton(race, 'Join', 'join', 'primary'), raceButton(race, 'Start', 'start'), leave]),
    notes(['It waits for two or more racers. It ends ', { moment: timesOutAt, style: 'relative' }, '.']),
  ];
  return replyTo(audience, 'Race: who joins?', blocks, about);
}

const END_LINES = {
  left: 'All racers have left.',
  'timed-out': 'Nobody won it in time.',
  won: 'It was won.',
};

function endBlocks(race: RaceShown): (Block | readonly Block[])[] {
  const { end = 'left', winner, board, startsAt = 0 } = race;
  const again: Button = { label: 'New race', action: { command: 'race', options: { words: race.most } } };
  if (board === undefined) return [textBlock([END_LINES[end]]), buttonsBlock([again])];
  const namedBoard = namedBoardOf(board);
  const buttons = buttonsBlock([buttonOn(namedBoard, 'Play', 'play'), again]);
  const lines = progressLines(race, winner?.person);
  if (winner === undefined) return [pictureOf(board), textBlock([END_LINES[end], ...lines]), buttons];
  const seconds = Math.max(1, Math.round((winner.at - startsAt) / SECOND));
  return [
    pictureOf(board),
    textBlock([[{ person: winner.person }, ` won after ${exactDuration(seconds * SECOND)}.`], ...lines]),
    {
      kind: 'spoiler',
      label: 'The winner’s words',
      hidden: [chainText(winner.words)],
      reveals: solutionFacts(namedBoard, [winner.words]),
    },
    buttons,
  ];
}

/** How far each racer is, in numbers. @param except somebody who is left out */
function progressLines({ racers, board }: RaceShown, except?: string): Line[] {
  return racers
    .filter(({ person }) => person !== except)
    .map(({ person, letters, words }) => [
      { person },
      `: ${letters} of ${board?.letters.length} letters, ${counted(words, 'word')}`,
    ]);
}

function raceAction({ madeAt }: Named, what: RaceAction): Action {
  return { command: 'race', options: { do: what, race: String(madeAt) } };
}

function raceButton(race: Named, label: string, what: RaceAction, look?: Button['look']): Button {
  return { label, action: raceAction(race, what), look };
}

export function changedReply(
  what: 'join' | 'start' | 'leave',
  race: Named & Pick<RaceShown, 'startsAt'>,
): Reply {
  const leave = raceButton(race, 'Leave', 'leave');
  if (what === 'leave') return sentenceReply('You left the race', 'You lose nothing by it.');
  if (race.startsAt !== undefined)
    return toAsker('Get ready', [
      textBlock([['Start: ', { moment: race.startsAt, style: 'relative' }, '. Press Play then.']]),
      buttonsBlock([raceButton(race, 'Play', 'go', 'primary'), leave]),
    ]);
  return toAsker('You’re in the race', [
    textBlock([
      'Anyone in it can press Start once two people are in. Your game is your own: others see how many letters and words you have, but not which.',
    ]),
    buttonsBlock([raceButton(race, 'Start', 'start', 'primary'), leave]),
  ]);
}
