/** Looks into replies. */

import { HINT_STEPS, type HintStep } from '../../src/reply/model/facts.ts';
import { namedBoardOf, namedBoardOfDay } from '../../src/reply/model/named-board.ts';
import { lineText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { HINTS } from '../../src/reply/replies/hint-steps.ts';
import { BOARD, PUZZLE } from './setting.ts';

export const DAY = namedBoardOfDay(PUZZLE);
export const SIDES = namedBoardOf(BOARD);
export const asker = 'asker' as const;

export const buttons = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
/** What the button with this label does. */
export const actionOf = (reply: Reply, label: string) =>
  buttons(reply).find((button) => button.label === label)!.action;
/** The choices of menus. */
export const choices = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'menu' ? block.choices : []));
export const labels = (reply: Reply) => buttons(reply).map(({ label }) => label);
export const facts = (reply: Reply) =>
  Object.fromEntries(
    reply.blocks.flatMap((block) =>
      block.kind === 'facts' ? block.facts.map(({ label, value }) => [label, value]) : [],
    ),
  );
export const hidden = (reply: Reply) =>
  Object.fromEntries(
    reply.blocks.flatMap((block) =>
      block.kind === 'spoiler' ? [[block.label, block.hidden.map((line) => lineText(line))]] : [],
    ),
  );

/** The shortest solutions of a reply, whatever else is said of them. */
export const shortestIn = (reply: Reply) => {
  const lists = Object.entries(hidden(reply)).filter(([label]) => label.startsWith('Shortest'));
  return lists.length === 0 ? undefined : lists.flatMap(([, lines]) => lines);
};

/** The button for the step after one of a card, for somebody who has played no words and seen no later step. */
export const nextHintAfter = (step: HintStep, price = '') =>
  `Next hint: ${HINTS[HINT_STEPS[HINT_STEPS.indexOf(step) + 1]!].name.toLowerCase()}${price}`;

/** For texts that are compared as a whole: they stay the same when a step is added. */
export const withoutHintNumbers = (text: string) =>
  text.replace(/Hint \d+ of \d+(?: [●○]+)?/g, 'Hint N of M');
