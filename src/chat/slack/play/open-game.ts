import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Prepared, Request } from '../../../dispatch/contract.ts';
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
  parseMetadata,
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

const OpenedView = v.object({ id: v.string() });

/** Whether a request opens a game. With words it enters a solution, and is answered in a message. */
export function opensGame({ command, options }: Pick<Request, 'command' | 'options'>): boolean {
  return command === 'play' && options.words === undefined;
}

/** Shows somebody their game in a modal: in the one that is open, or in a new one if there is a trigger for it. */
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
    const view =
      card === undefined ? answerModal(conversation, WORKING) : await modalOf(tools, conversation, card);
    const opened = v.parse(OpenedView, (await api.call(team, 'views.open', { trigger_id: id, view })).view);
    if (card !== undefined) follow(tools, conversation, opened.id, card, view.private_metadata);
    else await showIn(tools, conversation, opened.id, await running);
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
  const inView: Conversation = { ...conversation, answerBy: { kind: 'modal', view } };
  const card = gameIn(reply);
  if (card === undefined) return tools.answers.show(inView, reply);
  const modal = await modalOf(tools, conversation, card);
  const metadata = metadataOf(conversation);
  await tools.views.update({ id: view, conversation: inView, metadata }, modal);
  follow(tools, conversation, view, card, modal.private_metadata);
}

/** Lets the modal show what its person plays elsewhere. */
function follow(
  { views }: OpenTools,
  conversation: Conversation,
  id: string,
  card: GameCard,
  metadata = '',
): void {
  const inView: Conversation = { ...conversation, answerBy: { kind: 'modal', view: id } };
  views.follow({ id, conversation: inView, metadata: parseMetadata(metadata) }, card);
}

async function modalOf(
  { dispatcher }: OpenTools,
  conversation: Conversation,
  card: GameCard,
): Promise<GameModal> {
  const action = { command: 'play', options: card.options };
  const packed = await dispatcher.packAction(action, actionAskerIn(conversation));
  return gameModal(card, { metadata: formatMetadata(metadataOf(conversation, packed)), input: 0 });
}

function gameIn({ blocks }: Reply): GameCard | undefined {
  return blocks.find((block) => block.kind === 'game')?.card;
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
