import type { Random } from '../../src/core/random.ts';

/** What is done to one part of an event. */
const MUTATIONS = [
  'missing',
  'null',
  'wrong type',
  'huge text',
  'huge number',
  'nested a thousand deep',
  'many items',
  'another version',
  'dangerous name',
] as const;
type Mutation = (typeof MUTATIONS)[number];

type Json = unknown;
type Part = { readonly holder: Record<string, Json>; readonly key: string };

const HUGE = 'ж'.repeat(100_000);
const WRONG = [0, -1, 2 ** 53, 1.5, true, '', 'x', '\ud800', [], {}, [[]], { id: {} }, ['1']];
const NUMBERS = ['9'.repeat(400), -(2 ** 63), 1e308, Number.MAX_SAFE_INTEGER + 2, '18446744073709551616'];
const NAMES = ['__proto__', 'constructor', 'toString', 'error', 'then', 'length'];

/**
 * A copy of an event with up to three of its parts changed.
 *
 * @example mutate({ id: '1', user: { id: '2' } }, random) // { id: '1', user: null }
 */
export function mutate(event: object, random: Random): Json {
  const how = pick(MUTATIONS, random);
  const copy = { root: structuredClone(event) as Json };
  const times = 1 + random.below(3);
  for (let time = 0; time < times; time++) {
    const parts = partsOf(copy as Record<string, Json>);
    // The whole event may be missing by now.
    if (parts.length === 0) break;
    const part = pick(parts, random);
    apply(how, part, random);
  }
  return copy.root;
}

function apply(how: Mutation, { holder, key }: Part, random: Random): void {
  const before = holder[key];
  switch (how) {
    case 'missing':
      delete holder[key];
      break;
    case 'null':
      holder[key] = null;
      break;
    case 'wrong type':
      holder[key] = structuredClone(pick<Json>(WRONG, random));
      break;
    case 'huge text':
      holder[key] = HUGE;
      break;
    case 'huge number':
      holder[key] = pick<Json>(NUMBERS, random);
      break;
    case 'nested a thousand deep':
      holder[key] = nested(1_000, random.below(2) === 0);
      break;
    case 'many items':
      holder[key] = Array.from({ length: 2_000 }, () => (typeof before === 'object' ? null : before));
      break;
    case 'another version':
      holder[key] = typeof before === 'number' ? before + 1 + random.below(90) : { value: before };
      break;
    case 'dangerous name': {
      const name = pick(NAMES, random);
      // The length of a list can't be defined again.
      if (typeof before === 'string' || Array.isArray(holder)) holder[key] = name;
      else
        Object.defineProperty(holder, name, {
          value: before,
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
  }
}

function nested(depth: number, asList: boolean): Json {
  let value: Json = 'deep';
  for (let level = 0; level < depth; level++) value = asList ? [value] : { options: value };
  return value;
}

/** Every part of a value, with the object that holds it. */
function partsOf(holder: Record<string, Json>, found: Part[] = [], depth = 0): Part[] {
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    const value = holder[key];
    if (typeof value === 'object' && value !== null && depth < 10 && found.length < 500)
      partsOf(value as Record<string, Json>, found, depth + 1);
  }
  return found;
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random.below(items.length)]!;
}
