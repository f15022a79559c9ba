import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../core/cache.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { ActionAsker } from '../../reply/model/action.ts';
import { plainText } from '../../reply/model/text.ts';
import type { Picture, Reply } from '../../reply/model/types.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { SlackApi } from './api.ts';
import { isInvalidContent, readFailure } from './errors.ts';
import { escapeText, LIMITS, MENTION, SOMEBODY, shorten } from './mrkdwn.ts';
import {
  type Rendered,
  type RenderOptions,
  type RenderServices,
  renderReply,
  section,
  TABLE_FORMS,
  type TableForm,
} from './render.ts';
import { keepReply } from './reveal.ts';
import type { Workspaces } from './workspaces.ts';

/** What it takes to render a reply and to send it. */
export interface SendTools {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly api: SlackApi;
  readonly uploads: Uploads;
  readonly tables: TableForms;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export type SendOptions = Omit<RenderOptions, 'mention' | 'pictures' | 'table'>;

export interface Outgoing {
  readonly team: string;
  readonly reply: Reply;
  readonly options: SendOptions;
  /** Who asked for it; nobody for what the bot posts by itself. */
  readonly asker?: ActionAsker;
  /**
   * By a response URL, where Slack may refuse a file that it shows in the bot's own messages: a refusal says nothing
   * about the file, and somebody waits for the answer.
   */
  readonly byUrl?: boolean;
}

/** Slack can't show a file at once after its upload. Milliseconds before each attempt. */
const PAUSES = [0, 700, 1800];
const PAUSES_BY_URL = [0, 700];

/**
 * Sends a reply in the best form that Slack accepts: with its tables as tables, with its pictures, with drawings in their
 * place, or as plain text. Only what Slack refused for its content is sent in another form, so nothing is sent twice.
 */
export async function sendWithFallback<Answer>(
  tools: SendTools,
  outgoing: Outgoing,
  send: (rendered: Rendered) => Promise<Answer>,
): Promise<Answer> {
  const { team, reply, options } = outgoing;
  const hasTable = reply.blocks.some(({ kind }) => kind === 'table');
  if (!hasTable || options.surface !== 'message') return sendWithPictures(tools, outgoing, send);
  const services = renderServices(tools, outgoing);
  const known = tools.tables.of(team);
  for (const table of TABLE_FORMS.slice(TABLE_FORMS.indexOf(known))) {
    try {
      const rendered = await renderReply(reply, { ...options, mention: MENTION, table }, services);
      const answer = await send(rendered);
      if (table !== known) tools.tables.took(team, table);
      return answer;
    } catch (error) {
      if (!isInvalidContent(error)) throw error;
    }
  }
  return sendWithPictures(tools, outgoing, send);
}

async function sendWithPictures<Answer>(
  tools: SendTools,
  outgoing: Outgoing,
  send: (rendered: Rendered) => Promise<Answer>,
): Promise<Answer> {
  const { team, reply, options, byUrl = false } = outgoing;
  const services = renderServices(tools, outgoing);
  const render = (pictures: 'files' | 'drawn') =>
    renderReply(reply, { ...options, mention: MENTION, pictures }, services);
  const full = await render('files');
  const files = filesIn(full);
  const pauses = byUrl ? PAUSES_BY_URL : PAUSES;
  for (const milliseconds of files.length > 0 ? pauses : [0]) {
    if (milliseconds > 0) await tools.sleep(milliseconds);
    try {
      return await send(full);
    } catch (error) {
      if (!isInvalidContent(error)) throw error;
    }
  }
  if (files.length > 0) {
    for (const file of byUrl ? [] : files) await tools.uploads.refused(team, file);
    try {
      return await send(await render('drawn'));
    } catch (error) {
      if (!isInvalidContent(error)) throw error;
    }
  }
  return send(textOnly(reply));
}

function renderServices(
  { app, dispatcher, uploads }: SendTools,
  { team, asker }: Pick<Outgoing, 'team' | 'asker'>,
): RenderServices {
  return {
    pack: (action) => dispatcher.packAction(action, asker),
    picture: (picture, alt) => uploads.fileOf(team, { picture, alt, asker }),
    keep: (reply) => keepReply(app, reply, asker),
  };
}

/** The ids of the files that a message shows. */
export function filesIn({ blocks }: Pick<Rendered, 'blocks'>): string[] {
  return blocks.flatMap((block) =>
    block.type === 'image' && 'slack_file' in block && block.slack_file && 'id' in block.slack_file
      ? [block.slack_file.id ?? '']
      : [],
  );
}

/** Without anything that Slack might refuse. Escaping can make a character five times as long. */
function textOnly(reply: Reply): Rendered {
  const blocks = reply.blocks.filter(({ kind }) => kind !== 'buttons' && kind !== 'file');
  const text = plainText({ title: reply.title, blocks }, { pictures: 'alt', person: () => SOMEBODY });
  const shown = escapeText(shorten(text, LIMITS.sectionText / 5));
  return { text: shown, blocks: [section(shown)] };
}

/** Workspaces that are known not to take the best form. */
const MOST_WORKSPACES = 10_000;
/** Milliseconds after which the best form is tried again: Slack gives new blocks to one workspace after another. */
const REMEMBERED = DAY;

/** The best form of a table that each workspace takes, as far as this process has seen. */
export class TableForms {
  readonly #known: LRUCache<string, TableForm>;

  /** @param now milliseconds of a clock that may be moved */
  constructor(now: () => number) {
    this.#known = new LRUCache({
      ...atMost(MOST_WORKSPACES),
      ttl: REMEMBERED,
      ttlResolution: 0,
      perf: { now },
    });
  }

  of(team: string): TableForm {
    return this.#known.get(team) ?? TABLE_FORMS[0];
  }

  /** The workspace took this form after it had refused those before it. */
  took(team: string, form: TableForm): void {
    this.#known.set(team, form);
  }
}

const UPLOAD_SCOPE = 'files:write';
/** How long the store knows the id of a file. */
const KEPT = 30 * DAY;
/** Milliseconds until a file can surely be shown. Slack takes seconds, and says of no file that it is ready. */
const READY_AFTER = MINUTE;
const MAX_CACHED = 1000;

interface File {
  readonly team: string;
  readonly content: Buffer;
  readonly alt: string;
}

export interface Shown {
  readonly picture: Picture;
  readonly alt: string;
  /** Who waits for it; nobody for what the bot posts by itself. */
  readonly asker: ActionAsker | undefined;
}

/** Pictures as files on Slack. Each is uploaded once for a workspace. */
export class Uploads {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #api: SlackApi;
  readonly #workspaces: Workspaces;
  readonly #pictures: Pictures;
  /** File ids. Everybody who needs the same picture at the same time waits for one upload. */
  readonly #ids = new LRUCache<string, string, File>({
    max: MAX_CACHED,
    // A file that is pushed out of the cache during its upload is still wanted by those who wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (key, _stale, { context }) => this.#upload(key, context),
  });
  /** When files were uploaded by this process, by their ids. */
  readonly #uploadedAt = new LRUCache<string, number>({ max: MAX_CACHED });

  constructor(
    app: Pick<App, 'store' | 'clock' | 'log'>,
    api: SlackApi,
    workspaces: Workspaces,
    pictures: Pictures,
  ) {
    this.#app = app;
    this.#api = api;
    this.#workspaces = workspaces;
    this.#pictures = pictures;
  }

  /** The file's id; undefined where the app may not upload files, or where the upload failed. */
  async fileOf(team: string, { picture, alt, asker }: Shown): Promise<string | undefined> {
    const workspace = await this.#workspaces.find(team);
    if (!workspace?.scopes.includes(UPLOAD_SCOPE)) return undefined;
    try {
      const content = await this.#pictures.png(picture, asker);
      const key = `${prefixOf(team)}${createHash('sha256').update(content).digest('base64url')}`;
      return await this.#ids.fetch(key, { context: { team, content, alt } });
    } catch (error) {
      this.#app.log.warn(
        { door: 'slack', team, failure: readFailure(error) },
        'a picture could not be uploaded',
      );
      return undefined;
    }
  }

  /**
   * Slack would not show this file. One that was uploaded just now is not ready yet, and stays; any other was deleted,
   * or could not be read as a picture, and is uploaded again the next time.
   */
  async refused(team: string, file: string): Promise<void> {
    const { store, clock } = this.#app;
    if (clock.now() - (this.#uploadedAt.get(file) ?? Number.NEGATIVE_INFINITY) < READY_AFTER) return;
    const keys = [...this.#ids.entries()]
      .filter(([key, id]) => key.startsWith(prefixOf(team)) && id === file)
      .map(([key]) => key);
    for (const key of keys) {
      this.#ids.delete(key);
      await store.actions.put(key, '', clock.now());
    }
  }

  async #upload(key: string, { team, content, alt }: File): Promise<string> {
    const { store, clock } = this.#app;
    const stored = await store.actions.get(key, clock.now());
    if (stored) return stored;
    const id = await this.#api.upload(team, {
      name: 'letter-boxed.png',
      content,
      alt: shorten(alt, LIMITS.fileAltText),
    });
    this.#uploadedAt.set(id, clock.now());
    await store.actions.put(key, id, clock.now() + KEPT);
    return id;
  }
}

function prefixOf(team: string): string {
  return `slack-file:${team}:`;
}
