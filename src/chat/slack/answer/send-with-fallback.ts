import { readFailure } from '../post/errors.ts';
import type { Rendered } from '../render/render.ts';

/** Slack's ways to say that it will not take a message as it is. */
const UNFIT =
  /^(invalid_blocks.*|invalid_arguments|invalid_attachments|msg_too_long|msg_blocks_too_long|too_many_attachments|no_text|view_too_large|markdown_text_conflict|slack_file.*)$/;
/** A file uploaded a moment ago can't be shown at once. */
const PAUSES = [0, 700, 1800];

export interface Fitting {
  readonly render: (pictures: 'files' | 'drawn') => Promise<Rendered>;
  /** The same without anything that Slack might refuse. */
  readonly bare: () => Rendered;
  /** Files that Slack would not show. */
  readonly forget: (files: readonly string[]) => Promise<void>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export function isUnfit(error: unknown): boolean {
  const failure = readFailure(error);
  return failure.kind === 'refused' && UNFIT.test(failure.code);
}

/**
 * Sends a message in the best form that Slack takes: with its pictures, with drawings in their place, as
 * bare text. Only what was refused for its form is sent in another, so nothing is ever sent twice.
 */
export async function sendWithFallback<Answer>(
  { render, bare, forget, sleep }: Fitting,
  send: (rendered: Rendered) => Promise<Answer>,
): Promise<Answer> {
  const full = await render('files');
  const files = filesIn(full);
  for (const milliseconds of files.length > 0 ? PAUSES : [0]) {
    if (milliseconds > 0) await sleep(milliseconds);
    try {
      return await send(full);
    } catch (error) {
      if (!isUnfit(error)) throw error;
    }
  }
  if (files.length > 0) {
    await forget(files);
    try {
      return await send(await render('drawn'));
    } catch (error) {
      if (!isUnfit(error)) throw error;
    }
  }
  return send(bare());
}

function filesIn({ blocks }: Rendered): string[] {
  return blocks.flatMap((block) =>
    block.type === 'image' && 'slack_file' in block && block.slack_file && 'id' in block.slack_file
      ? [block.slack_file.id ?? '']
      : [],
  );
}
