/** The table of contents: what a person can type. docs/add-a-command.md says how to add a command. */

import type { Command } from '../src/dispatch/contract.ts';
import { about } from './about.ts';
import { archive } from './archive.ts';
import { board } from './board.ts';
import { calm } from './calm.ts';
import { check } from './check.ts';
import { daily } from './daily.ts';
import { generate } from './generate.ts';
import { type CommandGroup, helpOn } from './help.ts';
import { hint } from './hint.ts';
import { hunt } from './hunt.ts';
import { leaderboard } from './leaderboard.ts';
import { missing } from './missing.ts';
import { next } from './next.ts';
import { play } from './play.ts';
import { privacy } from './privacy.ts';
import { race } from './race.ts';
import { record } from './record.ts';
import { relay } from './relay.ts';
import { remind } from './remind.ts';
import { reveal } from './reveal.ts';
import { review } from './review.ts';
import { set } from './set.ts';
import { share } from './share.ts';
import { solve } from './solve.ts';
import { stats } from './stats.ts';
import { thread } from './thread.ts';
import { today } from './today.ts';
import { words } from './words.ts';

/** The groups of `help`, in its order. */
export const GROUPS: readonly CommandGroup[] = [
  {
    name: 'Play',
    commands: [
      today,
      play,
      archive,
      check,
      review,
      hunt,
      share,
      record,
      stats,
      leaderboard,
      missing,
      remind,
      calm,
      relay,
      race,
      board,
      generate,
    ],
  },
  { name: 'Hints', commands: [hint, next, thread, reveal] },
  { name: 'Tools', commands: [solve, words, privacy, helpOn(() => GROUPS), about] },
  { name: 'For managers', commands: [daily, set] },
];

/** All commands, in the order in which platforms show them. */
export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ commands }) => commands);
