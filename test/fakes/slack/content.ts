import { blockProblems } from './block-kit/blocks.ts';
import { Refusal, refuseFor } from './refusal.ts';
import { withIds } from './shown.ts';
import type { Slack } from './slack.ts';
import type { Content, Json, Workspace } from './world.ts';

/** Longer texts are cut by Slack, as its documentation says. */
const TEXT_CUT = 40_000;
const BLOCK_TEXT_MOST = 13_200;
const METADATA_MOST = 16_000;

/** Whether the app may show a file in blocks at this moment. */
export function canShow(slack: Slack, workspace: Workspace): (file: string) => boolean {
  return (key) => {
    const id = key.startsWith('http') ? (key.split('/').at(-2) ?? '') : key;
    const file = workspace.files.get(id);
    return (
      file?.isComplete === true && /\.(png|jpe?g|gif)$/i.test(file.name) && file.readyAt <= slack.elapsed()
    );
  };
}

/** The text and blocks of a message, checked. */
export function readContent(slack: Slack, workspace: Workspace, args: Json): Content {
  const { text = '', blocks } = args;
  if (args.markdown_text !== undefined && (text !== '' || blocks !== undefined))
    throw new Refusal('markdown_text_conflict');
  if (blocks !== undefined && !Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const hasBlocks = blocks !== undefined && blocks.length > 0;
  if (!hasBlocks && text === '' && !args.markdown_text && !args.attachments) throw new Refusal('no_text');
  const problems = blockProblems(blocks ?? [], 'message', canShow(slack, workspace));
  if (problems.length > 0) throw refuseFor('invalid_blocks', problems);
  const markdown = (blocks ?? []).filter((block: Json) => block.type === 'markdown');
  const length = markdown.reduce((sum: number, block: Json) => sum + block.text.length, 0);
  if (length > BLOCK_TEXT_MOST) throw new Refusal('msg_blocks_too_long');
  return {
    text: (text || args.markdown_text || '').slice(0, TEXT_CUT),
    blocks: withIds(blocks ?? [], slack.world.nextId),
  };
}

/** Message metadata: a kind and a flat object, readable by every app in the workspace. */
export function readMetadata(metadata: unknown): Json | undefined {
  if (metadata === undefined) return undefined;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new Refusal('invalid_metadata_format');
  const { event_type: type, event_payload: payload, ...rest } = metadata as Json;
  if (typeof type !== 'string' || type === '' || typeof payload !== 'object' || payload === null)
    throw new Refusal('invalid_metadata_format');
  if (Object.keys(rest).length > 0) throw new Refusal('invalid_metadata_format');
  if (type.length > 50 || !/^\w+$/.test(type)) throw new Refusal('invalid_metadata_schema');
  if (JSON.stringify(metadata).length > METADATA_MOST) throw new Refusal('metadata_too_large');
  return { event_type: type, event_payload: payload };
}
