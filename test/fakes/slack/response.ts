import { checkArguments } from './arguments.ts';
import { readContent } from './content.ts';
import { FLAG, JSON_VALUE, TEXT } from './methods/method.ts';
import { Refusal } from './refusal.ts';
import { type Slack, show } from './slack.ts';
import { addMessage, type Json } from './world.ts';

const RULES = {
  text: TEXT,
  blocks: JSON_VALUE,
  attachments: JSON_VALUE,
  response_type: TEXT,
  replace_original: FLAG,
  delete_original: FLAG,
  thread_ts: TEXT,
  mrkdwn: FLAG,
  unfurl_links: FLAG,
  unfurl_media: FLAG,
};

/** What a post to a response URL does: a new answer, or the message it came from changed or deleted. */
export function answer(slack: Slack, key: string, body: Json): void {
  const where = slack.responseUrls.use(key);
  const args = checkArguments(body, RULES);
  const workspace = slack.world.workspaces.get(where.workspace)!;
  const channel = workspace.channels.get(where.channel)!;
  if (args.response_type !== undefined && !['ephemeral', 'in_channel'].includes(args.response_type))
    throw new Refusal('invalid_response_type');
  const { original } = where;
  if (args.delete_original) {
    if (original === undefined) throw new Refusal('message_not_found');
    original.isDeleted = true;
    return;
  }
  if (!slack.urlsShowFiles && JSON.stringify(args.blocks ?? []).includes('"slack_file"'))
    throw new Refusal('invalid_blocks');
  const content = readContent(slack, workspace, args);
  if (args.replace_original) {
    if (original === undefined) throw new Refusal('message_not_found');
    Object.assign(original, content, { isEdited: true });
    show(slack, { workspace: workspace.id, message: original, viewer: where.user, cause: key });
    return;
  }
  const message = addMessage(slack.world, workspace, channel, {
    ...content,
    user: workspace.botUser,
    threadTs: args.thread_ts ?? undefined,
    only: args.response_type === 'in_channel' ? undefined : where.user,
  });
  show(slack, { workspace: workspace.id, message, viewer: where.user, cause: key });
}
