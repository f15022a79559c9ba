/** Small rules that a request body is held to, one problem noted for each thing that is wrong. */
import { Refusal } from './refusal.ts';

export type Wire = Record<string, unknown>;
export type Rule = (value: unknown, at: Spot) => void;

interface Problem {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** A place in the body, so that a problem can say where it is. */
export class Spot {
  readonly path: readonly (string | number)[];
  readonly problems: Problem[];

  constructor(problems: Problem[] = [], path: readonly (string | number)[] = []) {
    this.problems = problems;
    this.path = path;
  }

  in(key: string | number): Spot {
    return new Spot(this.problems, [...this.path, key]);
  }

  wrong(code: string, message: string): void {
    this.problems.push({ path: this.path, code, message });
  }
}

/** Holds a body to a rule and throws 50035, with all problems in Discord's own nested form. */
export function hold(body: unknown, rule: Rule): void {
  const at = new Spot();
  rule(body, at);
  refuseIfWrong(at);
}

export function refuseIfWrong(at: Spot): void {
  if (at.problems.length === 0) return;
  const errors: Wire = {};
  for (const problem of at.problems) {
    let spot: Wire = errors;
    for (const key of problem.path) {
      spot[key] ??= {};
      spot = spot[key] as Wire;
    }
    spot._errors ??= [];
    (spot._errors as object[]).push({ code: problem.code, message: problem.message });
  }
  throw new Refusal(50035, errors);
}

export interface Field {
  readonly rule: Rule;
  readonly required: boolean;
}

export const must = (rule: Rule): Field => ({ rule, required: true });
export const may = (rule: Rule): Field => ({ rule, required: false });

/**
 * Exactly these fields. Discord itself ignores a field it does not know; the fake refuses it, since a
 * field that does nothing is a mistake of ours.
 */
export const shape =
  (fields: Readonly<Record<string, Field>>): Rule =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      at.wrong('DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType');
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field === undefined) at.in(key).wrong('UNKNOWN_FIELD', 'The documentation has no such field here');
      else if (inner !== undefined) field.rule(inner, at.in(key));
    }
    for (const [key, field] of Object.entries(fields)) {
      if (field.required && (value as Wire)[key] === undefined) {
        at.in(key).wrong('BASE_TYPE_REQUIRED', 'This field is required');
      }
    }
  };

export const text =
  (min: number, max: number, pattern?: RegExp): Rule =>
  (value, at) => {
    if (typeof value !== 'string') return at.wrong('STRING_TYPE_CONVERT', 'Could not interpret as string.');
    // Discord counts characters; a string's length counts UTF-16 halves, which is never fewer.
    const length = [...value].length;
    if (length < min || length > max) {
      at.wrong('BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
    }
    if (pattern && !pattern.test(value)) at.wrong('STRING_TYPE_REGEX', `Must match ${pattern}.`);
  };

export const whole =
  (min: number, max: number): Rule =>
  (value, at) => {
    if (!Number.isInteger(value)) return at.wrong('NUMBER_TYPE_COERCE', 'Value is not an integer.');
    if ((value as number) < min || (value as number) > max) {
      at.wrong('NUMBER_TYPE_RANGE', `int value should be between ${min} and ${max}.`);
    }
  };

export const flag: Rule = (value, at) => {
  if (typeof value !== 'boolean') at.wrong('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.');
};

export const oneOf =
  (...allowed: readonly unknown[]): Rule =>
  (value, at) => {
    if (!allowed.includes(value))
      at.wrong('BASE_TYPE_CHOICES', `Value must be one of ${allowed.join(', ')}.`);
  };

export const snowflake: Rule = (value, at) => {
  if (typeof value !== 'string' || !/^\d{15,20}$/.test(value)) {
    at.wrong('NUMBER_TYPE_COERCE', `Value "${String(value)}" is not snowflake.`);
  }
};

export const list =
  (rule: Rule, min: number, max: number): Rule =>
  (value, at) => {
    if (!Array.isArray(value))
      return at.wrong('LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
    if (value.length < min || value.length > max) {
      at.wrong('BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
    }
    for (const [index, item] of value.entries()) rule(item, at.in(index));
  };

/** A value that may also be null. */
export const nullable =
  (rule: Rule): Rule =>
  (value, at) => {
    if (value !== null) rule(value, at);
  };

/** A bit field that may have only these bits. */
export const bits =
  (allowed: number): Rule =>
  (value, at) => {
    if (!Number.isInteger(value) || (value as number) < 0) {
      return at.wrong('NUMBER_TYPE_COERCE', 'Value is not an integer.');
    }
    if ((value as number) & ~allowed) at.wrong('MESSAGE_FLAGS_INVALID', 'These flags cannot be set here.');
  };

export const all =
  (...rules: readonly Rule[]): Rule =>
  (value, at) => {
    for (const rule of rules) rule(value, at);
  };

/** The value when it is an object, so that a rule that looks across fields need not ask each time. */
export const asWire = (value: unknown): Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
