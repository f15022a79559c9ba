/** What Discord answers instead of doing what was asked: an HTTP status with a JSON error code. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: object | undefined;

  constructor(code: number, errors?: object, status = STATUS[code] ?? 400, message = MESSAGES[code]) {
    super(message ?? 'Refused');
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  body(): object {
    return { message: this.message, code: this.code, ...(this.errors ? { errors: this.errors } : {}) };
  }
}

/** developers/topics/opcodes-and-status-codes.mdx, the JSON error codes that the fake can answer. */
const MESSAGES: Readonly<Record<number, string>> = {
  0: '404: Not Found',
  10003: 'Unknown Channel',
  10004: 'Unknown Guild',
  10007: 'Unknown Member',
  10008: 'Unknown Message',
  10013: 'Unknown User',
  10015: 'Unknown Webhook',
  10062: 'Unknown interaction',
  10063: 'Unknown application command',
  30032: 'Maximum number of application commands reached',
  30034: 'Maximum number of daily application command creates has been reached (200)',
  30046: 'Maximum number of edits to messages older than 1 hour reached. Try again later',
  40001: 'Unauthorized. Provide a valid token and try again',
  40005: 'Request entity too large. Try sending something smaller in size',
  40058: 'Cannot send a message in a forum channel',
  40060: 'Interaction has already been acknowledged',
  40067: 'A tag is required to create a forum post in this channel',
  40094: 'This interaction has hit the maximum number of follow up messages',
  40333: 'Cloudflare is blocking your request',
  50001: 'Missing Access',
  50005: 'Cannot edit a message authored by another user',
  50006: 'Cannot send an empty message',
  50007: 'Cannot send messages to this user',
  50008: 'Cannot send messages in a non-text channel',
  50013: 'Missing Permissions',
  50014: '401: Unauthorized',
  50024: 'Cannot execute action on this channel type',
  50027: 'Invalid Webhook Token',
  50035: 'Invalid Form Body',
  50041: 'Invalid API version',
  50045: 'File uploaded exceeds the maximum size',
  50083: 'Thread is archived',
  50109: 'The request body contains invalid JSON.',
  160004: 'A thread has already been created for this message',
  160005: 'Thread is locked',
  160006: 'Maximum number of active threads reached',
};

/** The documentation lists the codes without their statuses; these follow its table of HTTP statuses. */
const STATUS: Readonly<Record<number, number>> = {
  0: 404,
  10003: 404,
  10004: 404,
  10007: 404,
  10008: 404,
  10013: 404,
  10015: 404,
  10062: 404,
  10063: 404,
  30046: 429,
  40001: 401,
  40005: 413,
  40333: 403,
  50001: 403,
  50005: 403,
  50007: 403,
  50013: 403,
  50014: 401,
  50027: 401,
  160005: 403,
};
