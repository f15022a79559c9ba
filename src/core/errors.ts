/**
 * A person's mistake, as opposed to a fault of the bot. They see its message unchanged, so it says what was
 * wrong, where, and what to type instead. Anything else that is thrown is a fault.
 *
 * @example throw new UserError('board.letters', '"oz1" has a 1 in it. A side is letters only, like: ozu nri lfa mbt');
 */
export class UserError extends Error {
  /** Stable, for tests and metrics, such as `board.letters`. */
  readonly code: string;
  /** A command that helps, as it is typed. The message ends with it. */
  readonly advice: string | undefined;

  constructor(code: string, message: string, advice?: string) {
    super(advice === undefined ? message : `${message} ${advice}`);
    this.name = 'UserError';
    this.code = code;
    this.advice = advice;
  }
}

/** Undefined where the work ends with a person's mistake, such as a day without a board. */
export async function unlessMistake<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The code that Node or a library put on a thrown value, such as `ENOENT`. */
export function errorCode(error: unknown): string | number | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}

/** The most causes to follow, in case they form a circle. */
const MAX_CAUSES = 5;

/** The codes of an error and of the errors that it wraps, the outermost first. */
export function errorCodes(error: unknown): (string | number)[] {
  return causesOf(error).flatMap((cause) => errorCode(cause) ?? []);
}

const NEVER_CONNECTED =
  /^(ECONNREFUSED|EMFILE|ENFILE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** Node's codes for a certificate that it refuses, in the section "X509 certificate error codes" of its documentation of `tls`. */
const REFUSED_CERTIFICATE =
  /^(ERR_TLS_.*|(CERT|CRL|UNABLE_TO|ERROR_IN|SELF_SIGNED|DEPTH_ZERO)_.*|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

/** Whether a request failed before there was a connection, so that nothing was sent. */
export function isNeverConnected(error: unknown): boolean {
  const codes = errorCodes(error).map(String);
  return codes.some((code) => NEVER_CONNECTED.test(code) || REFUSED_CERTIFICATE.test(code));
}

/** Codes of a connection that broke. `networkTrouble` looks for timeouts first. */
const BROKEN_CONNECTION =
  /^(ECONNRESET|ECONNABORTED|EPIPE|EPROTO|ETIMEDOUT|ENETDOWN|ENETRESET|ENOTCONN|UND_ERR_.*|ERR_SSL_.*|EADDRNOTAVAIL|ABORT_ERR)$/;

/** An error and those that it wraps, the outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let at = error;
  while (at instanceof Error && causes.length < MAX_CAUSES) {
    causes.push(at);
    // Slack's client keeps the cause as `original`, and Node those of all addresses of a host as `errors`.
    const { original, errors = [] } = at as { original?: unknown; errors?: readonly unknown[] };
    at = original ?? at.cause ?? errors[0];
  }
  return causes;
}

/**
 * What the network did, with the host where it is known, as the end of a sentence; undefined for any other error, such as a
 * fault of the bot.
 *
 * @example networkTrouble(error) // 'DNS does not find discord.com (ENOTFOUND)'
 */
export function networkTrouble(error: unknown): string | undefined {
  // What an operator is told in a sentence already, such as of a database that is out of reach.
  if (error instanceof StartError || error instanceof StoreError) return undefined;
  const advice = adviceOnFileLimit(error);
  if (advice !== undefined) return advice;
  const causes = causesOf(error);
  for (const cause of causes) {
    const code = String(errorCode(cause));
    const { hostname, host, address, port } = cause as unknown as Partial<Record<string, unknown>>;
    const where = [hostname, host, address].find((one) => typeof one === 'string' && one !== '');
    const named = where === undefined ? 'the host' : `${where}${address && port ? `:${port}` : ''}`;
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `DNS does not find ${named} (${code})`;
    if (REFUSED_CERTIFICATE.test(code))
      return `the certificate of ${named} is refused (${code}: ${cause.message})`;
    if (NEVER_CONNECTED.test(code)) return `no connection to ${named} (${code})`;
    if (/TIMEOUT|ETIMEDOUT/.test(code)) return `no answer in time (${code})`;
    if (BROKEN_CONNECTION.test(code)) return `the connection to ${named} broke (${code})`;
  }
  return causes.some(({ name }) => name === 'AbortError' || name === 'TimeoutError')
    ? 'no answer in time'
    : undefined;
}

/** What to do about the limit of open files, where it is behind an error; undefined if it is not. */
export function adviceOnFileLimit(error: unknown): string | undefined {
  const code = errorCodes(error).find((one) => one === 'EMFILE' || one === 'ENFILE');
  return (
    code &&
    `This process may open no more files or connections (${code}). Raise its limit: LimitNOFILE of systemd, or ulimit -n.`
  );
}

/** A problem that keeps the bot from starting and that its operator can correct. The message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export type StoreTrouble =
  /** Made or upgraded by a version of the program whose tables differ. */
  | 'store.version'
  /** The folder or file can't be made, read or written, or the login is refused. */
  | 'store.denied'
  | 'store.full'
  /** One query failed: another process kept SQLite's file locked, or two transactions collided. Trying again helps. */
  | 'store.busy'
  /** Not a database of ours, or a damaged one. */
  | 'store.damaged'
  /** Nothing is left of a database that was there: only an operator can say whether to begin again. */
  | 'store.lost'
  /** PostgreSQL keeps queries waiting: something holds a lock for long, or all connections of this process wait for answers. */
  | 'store.locked'
  /** The server takes no more connections, or the system gives this process no more files. */
  | 'store.exhausted'
  /** No server, or it went away: trying again later helps. */
  | 'store.unreachable'
  /** Asked for something this engine can't do. */
  | 'store.unable';

/** A problem that an operator can solve: the message says how, and never holds a password. */
export class StoreError extends Error {
  readonly code: StoreTrouble;

  constructor(code: StoreTrouble, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}
