import { RESTJSONErrorCodes } from 'discord.js';

/** What Discord answers instead of doing what was asked: an HTTP status with a JSON error code. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: object | undefined;

  constructor(code: number, errors?: object, status = STATUS[code] ?? 400) {
    super(RESTJSONErrorCodes[code] ?? 'Refused');
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  body(): object {
    return { message: this.message, code: this.code, ...(this.errors ? { errors: this.errors } : {}) };
  }
}

/** The documentation lists the codes without their statuses; these follow its table of HTTP statuses. */
const STATUS: Readonly<Record<number, number>> = {
  ...Object.fromEntries(
    [0, 10003, 10004, 10007, 10008, 10013, 10015, 10062, 10063].map((code) => [code, 404]),
  ),
  ...Object.fromEntries([40333, 50001, 50005, 50007, 50013, 160005].map((code) => [code, 403])),
  ...Object.fromEntries([40001, 50014, 50027].map((code) => [code, 401])),
  30046: 429,
  40005: 413,
};
