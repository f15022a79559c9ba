import type { DoorName } from '../src/core/channel-ref.ts';
import { type Command, choiceOf, flagOf, integerOf } from '../src/dispatch/contract.ts';
import { PAGE_OPTION } from '../src/dispatch/options.ts';
import { erasePerson, exportPart } from '../src/players/privacy.ts';
import { showRelays } from '../src/players/relay/moves.ts';
import { chooseEverywhere } from '../src/players/results/stats.ts';
import {
  erasedReply,
  eraseQuestion,
  exportReply,
  hiddenReply,
  STORED_IN_SHORT,
  storedReply,
} from '../src/reply/replies/privacy.ts';
import { named } from './names.ts';

const PRIVACY_ACTIONS = ['show', 'export', 'delete', 'hide', 'unhide'] as const;

/** Where each action has its effect. */
export const COVERED: Readonly<Record<DoorName, string>> = {
  discord: 'in all servers at once',
  slack: 'in this workspace or organization',
  web: 'in this chat',
  terminal: 'on this machine',
};

export const privacy: Command = {
  ...named('privacy'),
  options: [
    {
      name: 'do',
      description: 'What to do with your data; left out, show it',
      kind: 'choice',
      choices: PRIVACY_ACTIONS,
      about: {
        show: 'See what is stored',
        export: 'Get it as a file',
        delete: 'Erase it',
        hide: 'Hide from leaderboards',
        unhide: 'Be on leaderboards again',
      },
      positional: true,
      example: 'export',
    },
    { name: 'sure', description: 'With delete: don’t ask again', kind: 'flag' },
    { ...PAGE_OPTION, description: 'With export: which file, if there are more' },
  ],
  access: 'anyone-writes',
  private: true,
  more: `${STORED_IN_SHORT} Each action covers all servers on Discord at once, and this workspace or organization on Slack.`,
  examples: ['privacy', 'privacy export', 'privacy hide', 'privacy delete', 'privacy delete sure'],
  async run(request, app) {
    const { store, clock } = app;
    const { door, who, where } = request;
    const todo = choiceOf(request, 'do', PRIVACY_ACTIONS) ?? 'show';
    if (todo === 'hide' || todo === 'unhide') {
      const hidden = todo === 'hide';
      await chooseEverywhere(store, { tenant: where.tenant, person: who.id }, { hidden });
      return hiddenReply(hidden, COVERED[door]);
    }
    if (todo === 'delete' && flagOf(request, 'sure')) {
      await showRelays(app, door, await erasePerson(store, request, clock.now()));
      return erasedReply();
    }
    const stored = await store.allPeople.counts(where.tenant, who.id);
    if (todo === 'show' || stored.length === 0) return storedReply(stored);
    if (todo === 'delete') return eraseQuestion(stored, COVERED[door]);
    const part = integerOf(request, 'page') ?? 1;
    const { content, hasMore } = await exportPart(store, {
      door,
      tenant: where.tenant,
      person: who.id,
      part,
      at: clock.now(),
    });
    return exportReply(content, { part, hasMore });
  },
};
