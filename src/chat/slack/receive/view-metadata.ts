import * as v from 'valibot';
import { type Conversation, MESSAGE_KINDS } from './conversation.ts';

/** What a modal or a home page must remember of its conversation, as its `private_metadata`. */
const ViewMetadata = v.object({
  channel: v.string(),
  thread: v.exactOptional(v.string()),
  direct: v.boolean(),
  url: v.exactOptional(v.string()),
  on: v.exactOptional(v.picklist(MESSAGE_KINDS)),
  /** In a form: the action, packed, that its fields complete. In a game: the action that opens it. */
  packed: v.exactOptional(v.string()),
  /** In a game: the number of its input. */
  input: v.exactOptional(v.number()),
});
export type ViewMetadata = v.InferOutput<typeof ViewMetadata>;

export function makeMetadata(conversation: Omit<Conversation, 'team' | 'user'>, packed?: string): string {
  return formatMetadata(metadataOf(conversation, packed));
}

export function metadataOf(
  { channel, thread, direct, answerBy }: Omit<Conversation, 'team' | 'user'>,
  packed?: string,
): ViewMetadata {
  return {
    channel,
    direct,
    ...(thread !== undefined && { thread }),
    ...(answerBy.kind === 'url' && { url: answerBy.url, on: answerBy.on }),
    ...(packed !== undefined && { packed }),
  };
}

export function formatMetadata(metadata: ViewMetadata): string {
  return JSON.stringify(metadata);
}

/** Text of another form counts as that of a view which belongs to no channel. */
export function parseMetadata(text: string): ViewMetadata {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ViewMetadata), text);
  return parsed.success ? parsed.output : { channel: '', direct: true };
}
