import type { Json, Message, Workspace } from '../world.ts';

/** A message as methods and payloads carry it. */
export function messageJson(
  workspace: Workspace,
  app: string,
  message: Message,
  withMetadata: boolean,
): Json {
  return {
    type: 'message',
    user: message.user,
    ts: message.ts,
    text: message.text,
    team: workspace.id,
    blocks: message.blocks,
    ...(message.byApp && { bot_id: workspace.botId, app_id: app }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.isEdited && { edited: { user: message.user, ts: message.ts } }),
    ...(withMetadata && message.metadata !== undefined && { metadata: message.metadata }),
  };
}
