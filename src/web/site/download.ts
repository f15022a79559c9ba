import { unpackClues } from '../../wordlists/packed.ts';

/** Thrown if a file is needed that has not arrived yet: the question is asked again once it has. */
export class DownloadPending extends Error {
  readonly until: Promise<unknown>;

  constructor(until: Promise<unknown>) {
    super('not downloaded yet');
    this.until = until;
  }
}

/** The file could not be downloaded, because there is no network or the site has changed. It may be requested again. */
export class DownloadFailed extends Error {}

/** Tries again whenever a file that was missing has arrived. */
export async function whenThere<Value>(attempt: () => Value | Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DownloadPending)) throw error;
      await error.until;
    }
  }
}

/** A file that is downloaded when first needed. */
export function lazyDownload<Value>(address: string, read: (bytes: Uint8Array) => Value): () => Value {
  let value: Value | undefined;
  let loading: Promise<unknown> | undefined;
  const load = async () => {
    try {
      value = read(await fetchGzip(address));
    } catch (error) {
      loading = undefined;
      throw new DownloadFailed('What this page needs has not arrived. Is there a connection? Try again.', {
        cause: error,
      });
    }
  };
  return () => {
    if (value !== undefined) return value;
    loading ??= load();
    throw new DownloadPending(loading);
  };
}

/** The files themselves are compressed, since some servers don't compress what they send. */
async function fetchGzip(address: string): Promise<Uint8Array> {
  const { ok, status, body } = await fetch(address);
  if (!ok || body === null) throw new Error(`${address}: status ${status}`);
  const bytes = body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}

const clues = lazyDownload('clues.bin', (bytes) => unpackClues(new TextDecoder().decode(bytes)));

/** In browsers, this module replaces src/wordlists/clues.ts: see `browser` in package.json. */
export function readClue(word: string): string | undefined {
  return clues().get(word);
}

/** Days in each file of the house's boards: the first board waits for one of these files. */
export const DAYS_PER_FILE = 400;
const files = new Map<number, () => string[]>();

/** In browsers, this module also replaces src/puzzle/house-schedule.ts. */
export function scheduleLine(at: number): string {
  const file = Math.floor(at / DAYS_PER_FILE);
  const read =
    files.get(file) ??
    lazyDownload(`days-${file}.bin`, (bytes) => new TextDecoder().decode(bytes).split('\n'));
  files.set(file, read);
  return read()[at % DAYS_PER_FILE]!;
}
