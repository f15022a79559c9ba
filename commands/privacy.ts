import { type Command, choiceOf, flagOf } from '../src/dispatch/contract.ts';
import { isHiddenAnywhere, redactExport, setHiddenEverywhere } from '../src/players/privacy.ts';
import {
  erasedReply,
  eraseQuestion,
  exportReply,
  hiddenReply,
  type StoredShown,
  storedReply,
} from '../src/reply/replies/privacy.ts';
import type { PersonExport } from '../src/store/tables/people.ts';

const PRIVACY_ACTIONS = ['show', 'export', 'delete', 'hide', 'unhide'] as const;

export const privacy: Command = {
  name: 'privacy',
  description: 'What is stored about you: see it, get it as a file, erase it, or stay off leaderboards',
  options: [
    {
      name: 'do',
      description: 'show, export, delete, hide or unhide',
      kind: 'choice',
      choices: PRIVACY_ACTIONS,
      positional: true,
      example: 'export',
    },
    { name: 'sure', description: 'With delete: erase at once, without asking again', kind: 'flag' },
  ],
  access: 'anyone',
  private: true,
  more: 'Stored are your id on this platform, results in numbers, hints you have seen, boards and settings you made, the words of boards you play for 60 days, and for a day or two the words of relays; no names, no messages. All of it goes over every server or workspace of this platform at once.',
  examples: ['privacy', 'privacy export', 'privacy hide', 'privacy delete', 'privacy delete sure'],
  async run(request, { store, clock }) {
    const { door, who, where } = request;
    const todo = choiceOf(request, 'do', PRIVACY_ACTIONS) ?? 'show';
    if (todo === 'hide' || todo === 'unhide') {
      const isHidden = todo === 'hide';
      await setHiddenEverywhere(store, { door, tenant: where.tenant, person: who.id }, isHidden);
      return hiddenReply(isHidden);
    }
    if (todo === 'delete' && flagOf(request, 'sure')) {
      await store.allPeople.erase(door, who.id);
      return erasedReply();
    }
    const stored = await store.allPeople.export(door, who.id);
    if (todo === 'show' || stored.length === 0) return storedReply(countsOf(stored));
    if (todo === 'delete') return eraseQuestion(countsOf(stored));
    const content = {
      platform: door,
      person: who.id,
      exportedAt: new Date(clock.now()).toISOString(),
      stored: stored.map((part) => redactExport(part, who.id)),
    };
    return exportReply(`${JSON.stringify(content, undefined, 2)}\n`);
  },
};

function countsOf(stored: readonly PersonExport[]): StoredShown {
  const sum = (key: 'results' | 'hints' | 'boards' | 'settings' | 'games' | 'soloGames') =>
    stored.reduce((total, part) => total + part[key].length, 0);
  return {
    results: sum('results'),
    hints: sum('hints'),
    boards: sum('boards'),
    settings: sum('settings'),
    games: sum('games'),
    soloGames: sum('soloGames'),
    tenants: stored.length,
    isHidden: isHiddenAnywhere(stored),
  };
}
