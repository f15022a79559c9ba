/** How a request to the newspaper can end badly, in words that a log line and a test can name. */
export const TROUBLES = [
  /** 404 or 410: no puzzle under this date, or not yet. */
  'missing',
  /** 401 or 403: we are not wanted; asking another way would be rude. */
  'refused',
  /** 429, or 503 with Retry-After: asked to wait. */
  'slow-down',
  /** Any other status. */
  'failing',
  /** No connection, or it broke before the body was whole. */
  'unreachable',
  'timeout',
  'too-large',
  /** A redirect off the site, or too many of them. */
  'redirected',
  /** Not JSON, or a page without a puzzle in it. */
  'unreadable',
  /** JSON that is not a puzzle; `field` says where. */
  'invalid',
  /** A puzzle of another day than the one asked for. */
  'wrong-day',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Carries nothing of what was received but a field's name, so it can be logged as it is. */
export class NewspaperError extends Error {
  readonly trouble: Trouble;
  readonly field: string | undefined;
  readonly status: number | undefined;
  /** Milliseconds the newspaper asks us to wait. */
  readonly wait: number | undefined;

  constructor(
    trouble: Trouble,
    message: string,
    more: { readonly field?: string; readonly status?: number; readonly wait?: number | undefined } = {},
  ) {
    super(message);
    this.name = 'NewspaperError';
    this.trouble = trouble;
    this.field = more.field;
    this.status = more.status;
    this.wait = more.wait;
  }
}
