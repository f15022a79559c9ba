import { counted, listed } from '../../core/text.ts';
import { buttonsBlock } from '../model/subject.ts';
import type { Action, Button, Fact, Inline, Line, Reply } from '../model/types.ts';

const SAVED = 'letterboxed-data.json';

/** How much is stored about somebody, at one door. */
export interface StoredShown {
  readonly results: number;
  readonly hints: number;
  readonly boards: number;
  readonly settings: number;
  readonly games: number;
  readonly soloGames: number;
  readonly reminders: number;
  readonly holidays: number;
  /** Servers or workspaces that hold any of it. */
  readonly tenants: number;
  readonly isHidden: boolean;
  /** Agreed to be named by `missing` somewhere. */
  readonly isListed: boolean;
}

/** README, SECURITY.md, docs/play.md, docs/threat-model.md and `about` say the same; test/documents.test.ts checks them. */
const WHAT: Line =
  'I store your id on this platform, your results in numbers (with a checksum of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder and days off, the words of boards you play (for 60 days after your last move) and of relays (for a day or two). Never your name or your messages. Some buttons keep the words you asked about for up to 60 days, under a checksum of your id.';

export function storedReply(stored: StoredShown): Reply {
  const { results, hints, boards, settings, games, soloGames, reminders, holidays } = stored;
  const { tenants, isHidden, isListed } = stored;
  const facts: Fact[] = [
    { label: 'Results', value: String(results) },
    { label: 'Hints seen', value: String(hints) },
    { label: 'Boards you typed or made', value: String(boards) },
    { label: 'Daily settings you saved', value: String(settings) },
    { label: 'Relays', value: String(games) },
    { label: 'Boards you play', value: String(soloGames) },
    { label: 'Reminders', value: String(reminders) },
    { label: 'Days off', value: String(holidays) },
    { label: 'The list of missing', value: isListed ? 'you’re on it' : 'you’re not on it' },
    { label: 'Leaderboards', value: isHidden ? 'you’re hidden' : 'you’re shown' },
  ];
  const isAny = tenants > 0;
  return {
    title: 'What is stored about you',
    blocks: [
      ...(isAny
        ? [{ kind: 'facts' as const, facts }]
        : [{ kind: 'text' as const, lines: ['Nothing is stored about you.'] }]),
      { kind: 'note', line: WHAT },
      {
        kind: 'buttons',
        buttons: [
          ...(isAny ? [privacyButton('Get it as a file', 'export')] : []),
          isHidden
            ? privacyButton('Show me on leaderboards', 'unhide')
            : privacyButton('Hide me from leaderboards', 'hide'),
          ...(isAny ? [privacyButton('Erase', 'delete', 'danger')] : []),
        ],
      },
    ],
    audience: 'asker',
  };
}

/** What is stored about a person, as a file for them alone: all of it, or one of several files. */
export function exportReply(
  content: string,
  { part, hasMore }: { readonly part: number; readonly hasMore: boolean },
): Reply {
  const isWhole = part === 1 && !hasMore;
  const next: Action = { command: 'privacy', options: { do: 'export', page: part + 1 } };
  return {
    title: isWhole ? 'Everything stored about you' : `Everything stored about you, file ${part}`,
    blocks: [
      { kind: 'file', name: SAVED, type: 'application/json', content },
      ...(hasMore ? buttonsBlock([{ label: 'Next file', action: next }]) : []),
      { kind: 'note', line: WHAT },
    ],
    audience: 'asker',
  };
}

/** Asks for confirmation, since erasing can't be undone. */
export function eraseQuestion(stored: StoredShown): Reply {
  const { results, hints, games, soloGames, reminders, holidays } = stored;
  const main = [
    ...(results === 0 ? [] : [counted(results, 'result'), 'your streak']),
    ...(hints === 0 ? [] : [`${counted(hints, 'hint')} you’ve seen`]),
  ];
  const what = main.length === 0 ? 'everything' : listed(main);
  const lines: Line[] = [
    `This erases ${what}, everywhere on this platform. You can’t undo it.`,
    ...(soloGames === 0 ? [] : [`It erases your words on ${counted(soloGames, 'board')}.`]),
    ...(reminders === 0 ? [] : ['It ends your reminder.']),
    ...(holidays === 0 ? [] : [`It takes back ${counted(holidays, 'day')} off.`]),
    ...(games === 0 ? [] : [`It ends ${counted(games, 'relay')} you play in.`]),
    ...(stored.isHidden ? ['It also forgets that you hide from leaderboards.'] : []),
  ];
  return {
    title: 'Erase everything stored about you?',
    blocks: [
      { kind: 'text', lines },
      {
        kind: 'buttons',
        buttons: [
          {
            label: 'Erase for good',
            action: { command: 'privacy', options: { do: 'delete', sure: true } },
            look: 'danger',
          },
          privacyButton('Get the file first', 'export'),
        ],
      },
    ],
    audience: 'asker',
  };
}

export function erasedReply(): Reply {
  return noteReply('Everything about you is erased', [
    'Messages you shared stay in the chat until you delete them. Your next result is stored again. To hide it from leaderboards: ',
    { command: 'privacy hide' },
  ]);
}

export function hiddenReply(isHidden: boolean): Reply {
  return isHidden
    ? noteReply('You’re hidden from all leaderboards', [
        'Here and everywhere else on this platform. Your own stats go on. To undo it: ',
        { command: 'privacy unhide' },
      ])
    : noteReply('You’re back on the leaderboards', [
        'With all your results. To hide again: ',
        { command: 'privacy hide' },
      ]);
}

function noteReply(title: string, line: readonly Inline[]): Reply {
  return { title, blocks: [{ kind: 'text', lines: [line] }], audience: 'asker' };
}

function privacyButton(label: string, todo: string, look?: Button['look']): Button {
  return { label, action: { command: 'privacy', options: { do: todo } }, ...(look && { look }) };
}
