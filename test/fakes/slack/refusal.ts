/** An answer of `ok: false`, with the code and the further fields Slack documents for it. */
export class Refusal extends Error {
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.fields = fields;
  }
}

/** `invalid_arguments` and its kin list what was wrong, one line each. */
export function refuseFor(code: string, problems: readonly string[]): Refusal {
  return new Refusal(code, {
    errors: problems,
    response_metadata: { messages: problems.map((problem) => `[ERROR] ${problem}`) },
  });
}

/** 429 with a Retry-After header, as every method may answer. */
export class TooFast extends Error {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('ratelimited');
    this.name = 'TooFast';
    this.retryAfter = retryAfter;
  }
}
