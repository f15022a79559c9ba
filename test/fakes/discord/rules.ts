/** What a request body is held to: schemas of its fields, whose problems are returned in Discord's own form. */

import { RESTJSONErrorCodes } from 'discord.js';
import * as v from 'valibot';

export type Wire = Record<string, unknown>;

/** Throws 50035 with all problems, each at its place. */
export function hold(body: unknown, schema: v.GenericSchema): void {
  const { issues = [] } = v.safeParse(schema, body);
  if (issues.length > 0)
    throw invalid(...issues.map((one) => [one.message, one.path?.map(({ key }) => key)] as const));
}

/** The refusal of a body with these problems, each with the path to what is wrong. */
export function invalid(
  ...problems: readonly (readonly [message: string, path?: readonly unknown[]])[]
): Refusal {
  const errors: Wire = {};
  for (const [message, path = []] of problems) {
    let spot = errors;
    for (const key of path) {
      spot[String(key)] ??= {};
      spot = spot[String(key)] as Wire;
    }
    spot._errors ??= [];
    (spot._errors as object[]).push({ code: 'INVALID', message });
  }
  return new Refusal(50035, errors);
}

/** A length in halves of UTF-16, which are never fewer than the characters that Discord counts. */
export const text = (min: number, max: number, pattern = /^/) =>
  v.pipe(v.string(), v.minLength(min), v.maxLength(max), v.regex(pattern));
export const whole = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
export const list = <Item extends v.GenericSchema>(item: Item, min: number, max: number) =>
  v.pipe(v.array(item), v.minLength(min), v.maxLength(max));
export const flag = v.optional(v.boolean());
export const snowflake = text(15, 20, /^\d+$/);
/** A bit field that may have only these bits. */
export const bits = (allowed: number) =>
  v.pipe(
    whole(0, 2 ** 31 - 1),
    v.check((value) => (value & ~allowed) === 0, 'These flags cannot be set here.'),
  );

/** The value when it is an object, so that what looks across fields need not ask each time. */
export const asWire = (value: unknown): Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

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
