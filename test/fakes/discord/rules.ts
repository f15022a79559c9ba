/** What a request body is held to: schemas of its fields, whose problems are returned in Discord's own form. */
import * as v from 'valibot';
import { Refusal } from './refusal.ts';

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
