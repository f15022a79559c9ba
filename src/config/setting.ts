/** The kinds of settings: what is expected, in words, and how a text becomes a value. */
export interface Kind<Value> {
  /** Completes `expected …`. */
  readonly expected: string;
  /** Undefined for what can't be read. */
  read(text: string): Value | undefined;
}

export const text: Kind<string> = { expected: 'any text', read: (given) => given };

export function choice<const Choices extends readonly string[]>(choices: Choices): Kind<Choices[number]> {
  return {
    expected: `one of: ${choices.join(', ')}`,
    read: (given) => choices.find((one) => one === given.toLowerCase()),
  };
}

const MAX_PORT = 65_535;
export const port: Kind<number> = {
  expected: `a port, from 0 (any that is free) to ${MAX_PORT}`,
  read: (given) => (/^\d{1,5}$/.test(given) && Number(given) <= MAX_PORT ? Number(given) : undefined),
};

export function count(least: number, most: number): Kind<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    read: (given) =>
      /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : undefined,
  };
}

/** An address of one of these protocols, as it was written. */
export function address(protocols: readonly string[], example: string): Kind<string> {
  return {
    expected: `an address such as ${example}`,
    read: (given) => (protocols.includes(protocolOf(given)) ? given : undefined),
  };
}

const site = (example: string) => address(['http:', 'https:'], example);

/**
 * The origin of one host: pages compare it exactly, and any other character could mean something in a header.
 *
 * @example origin.read('https://blog.example.org')
 */
export const origin: Kind<string> = {
  expected: 'origins such as https://blog.example.org, without a path or a *',
  read: (given) =>
    /^https?:\/\/[\w.:[\]-]+$/.test(given) && URL.parse(given)?.origin === given ? given : undefined,
};

/** A site to which paths are added. */
export function publicSite(example: string): Kind<string> {
  const { expected, read } = site(example);
  return { expected, read: (given) => (/[?#]/.test(given) ? undefined : read(given)) };
}

export function pattern(shape: RegExp, expected: string): Kind<string> {
  return { expected, read: (given) => (shape.test(given) ? given : undefined) };
}

/** All shards of a bot, or a slice of them. */
export const shards: Kind<string> = {
  expected: '"auto", or a slice such as 0-3/16: the first and last shard, and how many there are',
  read(given) {
    if (given.toLowerCase() === 'auto') return 'auto';
    const [, first, last = first, count] = /^(\d{1,5})(?:-(\d{1,5}))?\/(\d{1,5})$/.exec(given) ?? [];
    return Number(first) <= Number(last) && Number(last) < Number(count) ? given : undefined;
  },
};

/** A secret, or several while they are rotated: each of them is accepted. */
export function rotated<Value>(kind: Kind<Value>): Kind<readonly Value[]> {
  return { ...list(kind), expected: `${kind.expected}; two with a comma between while they are changed` };
}

/** Any number of a kind, with commas between. */
export function list<Value>(kind: Kind<Value>): Kind<readonly Value[]> {
  return {
    expected: `${kind.expected}, with commas between them`,
    read(given) {
      const values = given.split(',').map((part) => kind.read(part.trim()));
      return values.every((value) => value !== undefined) ? (values as Value[]) : undefined;
    },
  };
}

function protocolOf(given: string): string {
  return URL.canParse(given) ? new URL(given).protocol : '';
}

/** One environment variable. Its only declaration: fields, types, `.env.example` and messages follow from it. */
export interface Setting<Value = unknown> {
  readonly name: string;
  /** What the program calls it: its field within its chapter. */
  readonly field: string;
  readonly kind: Kind<Value>;
  /** What it is for, in whole sentences. */
  readonly about: string;
  /** Written as in the environment. */
  readonly default?: string;
  /** Shown where there is no default to show. */
  readonly example?: string;
  /** Never shown, not even in messages about it. */
  readonly secret?: true;
}

export interface Chapter {
  readonly title: string;
  readonly settings: readonly Setting[];
}
