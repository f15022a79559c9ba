import { setTimeout as sleep } from 'node:timers/promises';
import type { Prepared, Request } from '../../../dispatch/contract.ts';
import { gameIn } from '../../../reply/model/game-card.ts';
import type { GameCard, Reply } from '../../../reply/model/types.ts';
import type { Answers } from '../answer/answers.ts';
import { answerModal, WORKING } from '../answer/modals.ts';
import { refusalOf, TRIGGER_GONE } from '../api/errors.ts';
import type { SendTools } from '../post/send-with-fallback.ts';
import {
  actionAskerIn,
  type Conversation,
  formatMetadata,
  metadataOf,
  type ViewMetadata,
} from '../receive/conversation.ts';
import { type GameModal, gameModal } from './game-modal.ts';
import type { GameViews } from './game-views.ts';

type Answer = Extract<Prepared, { kind: 'answer' }>;

export interface OpenTools extends SendTools {
  readonly answers: Answers;
  readonly views: GameViews;
}

/** Milliseconds after which a modal is opened without the game. Its trigger is valid for three seconds in all. */
const OPEN_AT = 500;

/** Whether a request opens a game. With words it enters a solution, and is answered in a message. */
export function opensGame({ command, options }: Pick<Request, 'command' | 'options'>): boolean {
  return command === 'play' && options.words === undefined;
}

/**
 * Shows somebody their game in a modal: in the one that is open, or in a new one if there is a trigger for it.
 *
 * @param trigger of a conversation that would be answered in a message, such as that of a slash command
 */
export async function openGame(
  tools: OpenTools,
  conversation: Conversation,
  { request, run }: Answer,
  trigger?: string,
): Promise<void> {
  const { answers, api } = tools;
  const { answerBy, team } = conversation;
  if (answerBy.kind === 'modal') return showIn(tools, conversation, answerBy.view, await run());
  const id = answerBy.kind === 'trigger' ? answerBy.trigger : trigger;
  if (id === undefined) return answers.show(conversation, playButton(request, 'Play the board'));
  const running = run();
  const reply = await Promise.race([running, sleep(OPEN_AT, undefined, { ref: false })]);
  const card = reply && gameIn(reply);
  if (reply !== undefined && card === undefined) return answers.show(conversation, reply);
  try {
    const game = card && (await gameFor(tools, conversation, card));
    const view = await api.openView(team, id, game?.modal ?? answerModal(conversation, WORKING));
    if (game === undefined) await showIn(tools, conversation, view, await running);
    else follow(tools, conversation, view, game);
  } catch (error) {
    if (!TRIGGER_GONE.has(refusalOf(error) ?? '')) throw error;
    if (answerBy.kind !== 'trigger')
      await answers.show(conversation, playButton(request, 'Slack took too long to open your game'));
  }
}

async function showIn(
  tools: OpenTools,
  conversation: Conversation,
  view: string,
  reply: Reply,
): Promise<void> {
  const inView = inModal(conversation, view);
  const card = gameIn(reply);
  if (card === undefined) return tools.answers.show(inView, reply);
  const game = await gameFor(tools, conversation, card);
  await tools.views.update({ id: view, conversation: inView, metadata: game.metadata }, game.modal);
  follow(tools, conversation, view, game);
}

/** A game, and the modal that shows it. */
interface ShownGame {
  readonly card: GameCard;
  readonly metadata: ViewMetadata;
  readonly modal: GameModal;
}

async function gameFor(
  { dispatcher }: OpenTools,
  conversation: Conversation,
  card: GameCard,
): Promise<ShownGame> {
  const action = { command: 'play', options: card.options };
  const packed = await dispatcher.packAction(action, actionAskerIn(conversation));
  const metadata = metadataOf(conversation, packed);
  return { card, metadata, modal: gameModal(card, { metadata: formatMetadata(metadata), input: 0 }) };
}

/** Lets the modal show what its person plays elsewhere. */
function follow(
  { views }: OpenTools,
  conversation: Conversation,
  view: string,
  { card, metadata }: ShownGame,
): void {
  views.follow({ id: view, conversation: inModal(conversation, view), metadata }, card);
}

/** The same conversation, answered in this modal. */
function inModal(conversation: Conversation, view: string): Conversation {
  return { ...conversation, answerBy: { kind: 'modal', view } };
}

/** Where a modal can't be opened at once, a button that opens it. */
function playButton({ options }: Request, title: string): Reply {
  return {
    title,
    blocks: [
      { kind: 'text', lines: ['Press the button: your game opens for you alone, as you left it.'] },
      {
        kind: 'buttons',
        buttons: [{ label: 'Play', action: { command: 'play', options }, look: 'primary' }],
      },
    ],
    audience: 'asker',
  };
}
