import { writableChannel } from '../channels.ts';
import { readContent } from '../content.ts';
import { Refusal, refuseFor } from '../refusal.ts';
import { type Call, show } from '../slack.ts';
import { addMessage, type File, type Json } from '../world.ts';
import { JSON_VALUE, type Method, NEEDED, TEXT } from './method.ts';

const ALT_TEXT_MOST = 1000;
const LARGEST = 1024 * 1024 * 1024;

export const fileMethods: Record<string, Method> = {
  'files.getUploadURLExternal': {
    token: 'bot',
    scopes: ['files:write'],
    tier: 4,
    // The documentation calls it alt_txt, the clients send alt_text: Slack takes both.
    args: {
      filename: NEEDED,
      length: { kind: 'whole', required: true },
      alt_text: TEXT,
      alt_txt: TEXT,
      snippet_type: TEXT,
    },
    run({ slack, workspace, args }) {
      const altText: string | undefined = args.alt_text ?? args.alt_txt;
      if (args.length < 1)
        throw refuseFor('invalid_arguments', ['must be greater than 0 [json-pointer:/length]']);
      if (args.length > LARGEST) throw new Refusal('file_upload_size_restricted');
      if (altText !== undefined && altText.length > ALT_TEXT_MOST) throw new Refusal('alt_txt_too_large');
      const file: File = {
        id: slack.world.nextId('F'),
        name: args.filename,
        length: args.length,
        altText,
        bytes: undefined,
        isComplete: false,
        readyAt: 0,
      };
      workspace.files.set(file.id, file);
      return { file_id: file.id, upload_url: `${slack.base}/upload/${workspace.id}/${file.id}` };
    },
  },

  'files.delete': {
    token: 'bot',
    scopes: ['files:write'],
    tier: 3,
    args: { file: NEEDED },
    run({ workspace, args }) {
      if (!workspace.files.delete(args.file)) throw new Refusal('file_not_found');
      return {};
    },
  },

  'files.completeUploadExternal': {
    token: 'bot',
    scopes: ['files:write'],
    tier: 4,
    args: {
      files: { kind: 'json', required: true },
      channel_id: TEXT,
      channels: TEXT,
      thread_ts: TEXT,
      initial_comment: TEXT,
      blocks: JSON_VALUE,
    },
    run(call) {
      const { slack, workspace, args } = call;
      if (!Array.isArray(args.files) || args.files.length === 0)
        throw refuseFor('invalid_arguments', ['must have at least 1 item [json-pointer:/files]']);
      const files = args.files.map((entry: Json) => {
        const file = workspace.files.get(entry?.id);
        if (file?.bytes === undefined || file.isComplete) throw new Refusal('file_not_found');
        return file;
      });
      for (const file of files) {
        file.isComplete = true;
        file.readyAt = slack.elapsed() + slack.fileDelay;
      }
      if (args.channel_id !== undefined) share(call, files);
      return { files: args.files.map(({ id, title }: Json) => ({ id, title: title ?? '' })) };
    },
  },
};

function share(call: Call, files: readonly File[]): void {
  const { slack, workspace, args } = call;
  const channel = writableChannel({ ...call, args: { ...args, channel: args.channel_id } });
  const content = args.blocks
    ? readContent(slack, workspace, { blocks: args.blocks, text: args.initial_comment })
    : { text: args.initial_comment ?? '', blocks: [] };
  const message = addMessage(slack.world, workspace, channel, {
    ...content,
    user: workspace.botUser,
    threadTs: args.thread_ts,
    files: files.map(({ id }) => id),
  });
  show(slack, { workspace: workspace.id, message });
}
