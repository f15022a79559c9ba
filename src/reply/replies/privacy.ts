import { capitalized, counted, grouped, listed } from '../../core/text.ts';
import type { PersonCounts, PersonKind } from '../../store/tables/personal-data.ts';
import {
  buttonsBlock,
  factsBlock,
  notes,
  present,
  sentenceReply,
  textBlock,
  toAsker,
} from '../model/text.ts';
import type { Action, Button, Line, Reply } from '../model/types.ts';
import { summariesButton } from './other-games.ts';

const EXPORT_FILE_NAME = 'letterboxed-data.json';

/** What is stored about a person. README and docs/privacy.md say it, too. */
export const STORED_IN_SHORT =
  'I store your id on this platform, your results in numbers, also of other games (with a checksum and the shuffled path of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder, the words of boards you play and the solutions you found for 60 days, and the words of relays and races for a day or two. No names, no messages.';

/** What is stored about a person, and for how long. */
const STORED_IN_FULL: Line =
  'I store your id on this platform, your results in numbers, also of other games (with a checksum and the shuffled path of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder, the words of boards you play (for 60 days after your last move), the solutions you found (for 60 days) and the words of relays and races (for a day or two). Never your name or your messages. Some buttons keep the words you asked about for up to 60 days, under a checksum of your id.';

/** How much is stored about somebody at one door, for each server or workspace that has something. */
type Stored = readonly PersonCounts[];

const RESULTS: readonly PersonKind[] = ['results', 'madeBoardResults', 'otherResults'];

function summed(stored: Stored, ...kinds: readonly PersonKind[]): number {
  return kinds.reduce((sum, kind) => stored.reduce((before, counts) => before + counts[kind], sum), 0);
}

export function storedReply(stored: Stored): Reply {
  const isHidden = stored.some(({ hidden }) => hidden);
  const isListed = stored.some(({ listed }) => listed);
  const isInSummaries = stored.some(({ inSummaries }) => inSummaries);
  const some = (count: number) => count > 0 && grouped(count);
  const facts = {
    Results: some(summed(stored, ...RESULTS)),
    'Hints seen': some(summed(stored, 'hints')),
    'Boards you typed or made': some(summed(stored, 'boards', 'madeBoards')),
    'Daily settings you saved': some(summed(stored, 'settings')),
    Relays: some(summed(stored, 'games')),
    'Boards you play': some(summed(stored, 'soloGames')),
    'Solutions you found': some(summed(stored, 'finds')),
    Comparisons: some(summed(stored, 'comparisons')),
    Reminders: some(summed(stored, 'reminders')),
    'The list of missing': isListed ? 'you’re on it' : 'you’re not on it',
    'Wordle’s daily results': isInSummaries && 'taken for you',
    Calm: stored.some(({ calm }) => calm) && 'on',
    Leaderboards: isHidden ? 'you’re hidden' : 'you’re shown',
  };
  const isAny = stored.length > 0;
  return toAsker('What is stored about you', [
    isAny ? factsBlock(facts) : textBlock(['Nothing is stored about you.']),
    notes(STORED_IN_FULL),
    buttonsBlock([
      isAny && privacyButton('Get it as a file', 'export'),
      isHidden
        ? privacyButton('Show me on leaderboards', 'unhide')
        : privacyButton('Hide me from leaderboards', 'hide'),
      isInSummaries && summariesButton({ isOn: true }),
      isAny && privacyButton('Erase', 'delete', 'danger'),
    ]),
  ]);
}

/** What is stored about a person, as a file for them alone: all of it, or one of several files. */
export function exportReply(
  content: string,
  { part, hasMore }: { readonly part: number; readonly hasMore: boolean },
): Reply {
  const isWhole = part === 1 && !hasMore;
  const next: Action = { command: 'privacy', options: { do: 'export', page: part + 1 } };
  return toAsker(isWhole ? 'Everything stored about you' : `Everything stored about you, file ${part}`, [
    { kind: 'file', name: EXPORT_FILE_NAME, type: 'application/json', content },
    buttonsBlock([hasMore && { label: 'Next file', action: next }]),
    notes(STORED_IN_FULL),
  ]);
}

/** Asks for confirmation, since erasing can't be undone. */
export function eraseQuestion(stored: Stored, where: string): Reply {
  const results = summed(stored, ...RESULTS);
  const hints = summed(stored, 'hints');
  const games = summed(stored, 'games');
  const soloGames = summed(stored, 'soloGames');
  const finds = summed(stored, 'finds');
  const main = present([
    results > 0 && counted(results, 'result'),
    results > 0 && 'your streak',
    hints > 0 && `${counted(hints, 'hint')} you’ve seen`,
  ]);
  const what = listed(main) || 'everything';
  return toAsker('Erase everything stored about you?', [
    textBlock([
      `This erases ${what}, ${where}. You can’t undo it.`,
      soloGames > 0 && `It erases your words on ${counted(soloGames, 'board')}.`,
      finds > 0 && `It erases ${counted(finds, 'solution')} you found.`,
      summed(stored, 'comparisons') > 0 && 'Nobody is compared with you any more.',
      summed(stored, 'reminders') > 0 && 'It ends your reminder.',
      games > 0 && `${counted(games, 'shared game')} ${games === 1 ? 'goes' : 'go'} on without you.`,
      stored.some(({ hidden }) => hidden) && 'It also forgets that you hide from leaderboards.',
      stored.some(({ calm }) => calm) && 'It ends calm.',
      summed(stored, 'boards', 'madeBoards', 'settings') > 0 &&
        'Boards and settings that others use stay, without your name.',
    ]),
    buttonsBlock([
      {
        label: 'Erase for good',
        action: { command: 'privacy', options: { do: 'delete', sure: true } },
        look: 'danger',
      },
      privacyButton('Get the file first', 'export'),
    ]),
  ]);
}

export function erasedReply(): Reply {
  return sentenceReply('Everything about you is erased', [
    'Messages from before stay in the chat and may still name you. Your next result is stored again. To hide it from leaderboards: ',
    { command: 'privacy hide', label: 'Hide me' },
  ]);
}

export function hiddenReply(isHidden: boolean, where: string): Reply {
  return isHidden
    ? sentenceReply('You’re hidden from all leaderboards', [
        `${capitalized(where)}. Messages from before may still name you. Your own stats go on. To undo it: `,
        { command: 'privacy unhide', label: 'Show me again' },
      ])
    : sentenceReply('You’re back on the leaderboards', [
        'With all your results. To hide again: ',
        { command: 'privacy hide', label: 'Hide me' },
      ]);
}

function privacyButton(label: string, todo: string, look?: Button['look']): Button {
  return { label, action: { command: 'privacy', options: { do: todo } }, look };
}
