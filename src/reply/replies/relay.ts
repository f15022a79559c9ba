import { counted } from '../../core/text.ts';
import { type Broken, explainBroken } from '../../solver/check.ts';
import { buttonOn, type NamedBoard, pictureOf } from '../model/named-board.ts';
import {
  bold,
  buttonsBlock,
  factsBlock,
  listedLine,
  notes,
  replyTo,
  textBlock,
  toAsker,
  toEveryone,
} from '../model/text.ts';
import type { Action, Block, Button, Inline, Line, Reply } from '../model/types.ts';
import { lettersLeft } from '../picture/path.ts';

export interface RelayShown {
  readonly namedBoard: NamedBoard;
  /** `by` is empty where somebody asked to be forgotten. */
  readonly legs: readonly { readonly word: string; readonly by: string }[];
  readonly turns: boolean;
  readonly hints: number;
  readonly timesOutAt: number;
  /** Set where the game has no message for others, who can't play in it. */
  readonly isAlone?: boolean;
  readonly end?: 'solved' | 'stopped' | 'timed-out' | undefined;
}

/**
 * The one message of a game: the path so far and the letters left. It never contains possible next words,
 * and its title contains no word, since notifications show it.
 */
export function relayReply(relay: RelayShown, audience: Reply['audience']): Reply {
  const { namedBoard, legs, end } = relay;
  const ended = end === 'solved' ? `Relay solved in ${counted(legs.length, 'word')}` : 'Relay ended';
  const added = legs.map(({ word, by }, index): Line => {
    return [`${index + 1}. `, bold(word.toUpperCase()), ...(by === '' ? [] : [' ', { person: by }])];
  });
  return replyTo(audience, `${end === undefined ? 'Relay' : ended}: ${namedBoard.name}`, [
    pictureOf(namedBoard.board, { words: legs.map(({ word }) => word) }),
    textBlock([...added, ...closingLines(relay)]),
    ...(end === undefined ? [letterFacts(relay), ruleNote(relay)] : []),
    buttonsBlock(end === undefined ? BUTTONS : [startButton(namedBoard)]),
  ]);
}

/** The channel's message for a game that is played in its thread. */
export function relayInvitation(namedBoard: NamedBoard): Reply {
  return toEveryone(`Relay: ${namedBoard.name}`, [
    pictureOf(namedBoard.board),
    textBlock(['Solve this board together, one word each, in this message’s thread.']),
    buttonsBlock([{ label: 'Add a word', action: relayAction(), look: 'primary' }]),
  ]);
}

/** What `relay` does besides adding a word. */
export const RELAY_ACTIONS = ['start', 'hint', 'undo', 'show', 'stop'] as const;
export type RelayAction = (typeof RELAY_ACTIONS)[number];

const BUTTONS: readonly Button[] = [
  { label: 'Add a word', action: relayAction(), look: 'primary' },
  { label: 'Hint', action: relayAction('hint') },
  { label: 'Take back', action: relayAction('undo') },
  { label: 'End game', action: relayAction('stop') },
];

/** An action stands in place of a word, as when it is typed. Without one, a form asks for the word. */
function relayAction(action?: RelayAction): Action {
  return { command: 'relay', options: action === undefined ? { ask: 'add' } : { word: action } };
}

function startButton(namedBoard: NamedBoard): Button {
  return buttonOn(namedBoard, 'Start a relay', 'relay', { options: { word: 'start' } });
}

function closingLines({ legs, hints, end, isAlone }: RelayShown): Line[] {
  if (end === undefined)
    return legs.length > 0 || isAlone ? [] : ['Start with any word. Everyone here sees what you play.'];
  if (end === 'stopped') return ['Ended with letters left.'];
  if (end === 'timed-out') return ['Ended, because nobody added a word for a while.'];
  const players = new Set(legs.map(({ by }) => by).filter((person) => person !== ''));
  const people = [...players].map((person): Inline => ({ person }));
  return [
    [
      'Every letter is used, with ',
      hints === 0 ? 'no hints' : counted(hints, 'hint'),
      people.length === 0 ? '. Well done' : '. Well done, ',
      ...listedLine(people),
      '.',
    ],
  ];
}

function letterFacts({ namedBoard, legs, hints }: RelayShown): Block[] {
  const left = lettersLeft(
    namedBoard.board,
    legs.map(({ word }) => word),
  );
  return factsBlock({
    'Letters left': left.join(' ').toUpperCase(),
    'Next word starts with': legs.at(-1)?.word.at(-1)?.toUpperCase(),
    'Hints so far': hints > 0 && String(hints),
  });
}

function ruleNote({ turns, timesOutAt, isAlone }: RelayShown): Block[] {
  const others = turns ? 'Take turns: nobody adds two words in a row.' : 'Anyone can add the next word.';
  const rule = isAlone ? 'Only you can play this one. In a channel that I’m in, others can join.' : others;
  return notes([
    `${rule} You can also type `,
    { command: 'relay' },
    ' and a word. If nobody adds one, it ends ',
    { moment: timesOutAt, style: 'relative' },
    '.',
  ]);
}

/** Answers the person who made a move, if the game's own message shows the result. */
export function movedReply(relay: RelayShown, title: string, link?: string): Reply {
  return toAsker(title, [
    textBlock(link === undefined ? [] : [{ link, label: 'Open the thread' }]),
    relay.end === undefined ? letterFacts(relay) : buttonsBlock([startButton(relay.namedBoard)]),
  ]);
}

/** Answers the person who tried a word that can't be played. */
export function wrongWordReply(
  namedBoard: NamedBoard,
  word: string,
  broken: Broken,
  isOvertaken: boolean,
): Reply {
  return toAsker('That word doesn’t work', [
    textBlock([
      isOvertaken && 'Someone was faster, and the relay has moved on.',
      `✗ ${explainBroken(word, broken, namedBoard.board)}`,
    ]),
    buttonsBlock([{ label: 'Another word', action: relayAction(), look: 'primary' }]),
  ]);
}

/** The answer where there is no game to move in. */
export function noRelayReply(why?: string): Reply {
  return toAsker('No relay here right now', [
    textBlock([
      [why === undefined ? '' : `${why} `, 'Start one: ', { command: 'relay start', label: 'Start a relay' }],
    ]),
  ]);
}
