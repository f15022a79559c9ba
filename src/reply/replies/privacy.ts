import { counted } from '../../core/text.ts';
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
  /** Servers or workspaces that hold any of it. */
  readonly tenants: number;
  readonly isHidden: boolean;
}

/** README, SECURITY.md, docs/play.md, docs/threat-model.md and `about` say the same; test/documents.test.ts checks them. */
const WHAT: Line =
  'Kept are your id on this platform, your results in numbers, which hints you have seen, boards and settings you made, the words of boards you play, for 60 days after your last move, and the words of relays of the last day or two. Never your name, and never your messages. What a button needs and the platform has no room for is kept for up to 60 days under a checksum of your id, not the id itself; words you asked about may be in it.';

export function storedReply(stored: StoredShown): Reply {
  const { results, hints, boards, settings, games, soloGames, tenants, isHidden } = stored;
  const facts: Fact[] = [
    { label: 'Results', value: String(results) },
    { label: 'Hints seen', value: String(hints) },
    { label: 'Boards you typed', value: String(boards) },
    { label: 'Daily settings you saved', value: String(settings) },
    { label: 'Games with others', value: String(games) },
    { label: 'Boards you play', value: String(soloGames) },
    { label: 'Leaderboards', value: isHidden ? 'you stay off them' : 'you are on them' },
  ];
  const isAny = tenants > 0;
  return {
    title: 'What is stored about you',
    blocks: [
      ...(isAny
        ? [{ kind: 'facts' as const, facts }]
        : [{ kind: 'text' as const, lines: ['Nothing is stored about you here.'] }]),
      { kind: 'note', line: WHAT },
      {
        kind: 'buttons',
        buttons: [
          ...(isAny ? [privacyButton('As a file', 'export')] : []),
          isHidden
            ? privacyButton('Back on leaderboards', 'unhide')
            : privacyButton('Stay off leaderboards', 'hide'),
          ...(isAny ? [privacyButton('Erase it', 'delete', 'danger')] : []),
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
    title: isWhole ? 'All that is stored about you' : `What is stored about you, file ${part}`,
    blocks: [
      { kind: 'file', name: SAVED, type: 'application/json', content },
      ...(hasMore ? buttonsBlock([{ label: 'The next file', action: next }]) : []),
      { kind: 'note', line: WHAT },
    ],
    audience: 'asker',
  };
}

/** Asks for confirmation, since erasing can't be undone. */
export function eraseQuestion(stored: StoredShown): Reply {
  const { results, hints, games, soloGames } = stored;
  const lines: Line[] = [
    `This erases ${counted(results, 'result')} with your streak, and ${counted(hints, 'hint')} you have seen, everywhere on this platform at once. It can’t be undone.`,
    ...(soloGames === 0 ? [] : [`Of ${counted(soloGames, 'board')}, it erases what you have played.`]),
    ...(games === 0 ? [] : [`It ends ${counted(games, 'game')} you play in with others.`]),
    ...(stored.isHidden ? ['That you stay off leaderboards is forgotten as well.'] : []),
  ];
  return {
    title: 'Erase all that is stored about you?',
    blocks: [
      { kind: 'text', lines },
      {
        kind: 'buttons',
        buttons: [
          {
            label: 'Erase it for good',
            action: { command: 'privacy', options: { do: 'delete', sure: true } },
            look: 'danger',
          },
          privacyButton('Give me the file first', 'export'),
        ],
      },
    ],
    audience: 'asker',
  };
}

export function erasedReply(): Reply {
  return noteReply('Everything about you is erased', [
    'What you have shared stands in the chat until you delete it there. From your next result on, new things are stored; to stay off leaderboards then, use ',
    { command: 'privacy hide' },
    '.',
  ]);
}

export function hiddenReply(isHidden: boolean): Reply {
  return isHidden
    ? noteReply('You stay off all leaderboards', [
        'That holds here and everywhere else you play on this platform. Your own stats go on as before. Back: ',
        { command: 'privacy unhide' },
        '.',
      ])
    : noteReply('You are back on the leaderboards', [
        'With all your results. Off again: ',
        { command: 'privacy hide' },
        '.',
      ]);
}

function noteReply(title: string, line: readonly Inline[]): Reply {
  return { title, blocks: [{ kind: 'text', lines: [line] }], audience: 'asker' };
}

function privacyButton(label: string, todo: string, look?: Button['look']): Button {
  return { label, action: { command: 'privacy', options: { do: todo } }, ...(look && { look }) };
}
