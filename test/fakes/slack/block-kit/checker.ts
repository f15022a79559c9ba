import type { Json } from '../world.ts';

export type Surface = 'message' | 'modal' | 'home';

/** Collects what is wrong with a payload, each with the JSON pointer to it, as Slack reports it. */
export interface Checker {
  readonly surface: Surface;
  readonly problems: string[];
  /** The block ids so far: they must be unique within a payload. */
  readonly blockIds: Set<string>;
  /** Whether a file may be shown now. */
  readonly canShow: (file: string) => boolean;
  wrong(pointer: string, what: string): void;
}

export function makeChecker(surface: Surface, canShow: (file: string) => boolean): Checker {
  const problems: string[] = [];
  return {
    surface,
    problems,
    blockIds: new Set(),
    canShow,
    wrong: (pointer, what) => problems.push(`${what} [json-pointer:${pointer}]`),
  };
}

/** What a field of an object must be. Every field of an object has a rule; others are refused. */
export type FieldRule = (value: unknown, pointer: string, checker: Checker) => void;
export type ObjectRules = Readonly<Record<string, FieldRule>>;

export function checkObject(
  value: unknown,
  pointer: string,
  checker: Checker,
  rules: ObjectRules,
  required: readonly string[],
): value is Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    checker.wrong(pointer, 'must be an object');
    return false;
  }
  for (const name of required) {
    if ((value as Json)[name] === undefined) checker.wrong(pointer, `missing required field: ${name}`);
  }
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined || field === null) continue;
    const rule = rules[name];
    if (rule === undefined) checker.wrong(`${pointer}/${name}`, 'no such field');
    else rule(field, `${pointer}/${name}`, checker);
  }
  return true;
}

/** Slack counts characters, not bytes. */
export function text(most: number, least = 1): FieldRule {
  return (value, pointer, checker) => {
    if (typeof value !== 'string') return checker.wrong(pointer, 'must be a string');
    const length = [...value].length;
    if (length < least) checker.wrong(pointer, `must be more than ${least - 1} characters`);
    if (length > most) checker.wrong(pointer, `must be less than ${most + 1} characters`);
  };
}

export const flag: FieldRule = (value, pointer, checker) => {
  if (typeof value !== 'boolean') checker.wrong(pointer, 'must be a boolean');
};

export function whole(least: number, most: number): FieldRule {
  return (value, pointer, checker) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      checker.wrong(pointer, `must be a whole number from ${least} to ${most}`);
  };
}

export function oneOf(...allowed: readonly unknown[]): FieldRule {
  return (value, pointer, checker) => {
    if (!allowed.includes(value)) checker.wrong(pointer, `must be one of: ${allowed.join(', ')}`);
  };
}

export function list(least: number, most: number, item: FieldRule): FieldRule {
  return (value, pointer, checker) => {
    if (!Array.isArray(value)) return checker.wrong(pointer, 'must be an array');
    if (value.length < least) checker.wrong(pointer, `no fewer than ${least} items allowed`);
    if (value.length > most) checker.wrong(pointer, `no more than ${most} items allowed`);
    value.forEach((entry, index) => {
      item(entry, `${pointer}/${index}`, checker);
    });
  };
}

export const webAddress: FieldRule = (value, pointer, checker) => {
  text(3000)(value, pointer, checker);
  if (typeof value === 'string' && !/^https?:\/\/\S+$/.test(value)) checker.wrong(pointer, 'must be a URL');
};
