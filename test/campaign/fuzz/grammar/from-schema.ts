import fc from 'fast-check';
import { resolved, type Schema } from './interface.ts';
import { hostileJson } from './values.ts';

/** Texts for a pattern are costly to set up, and the same few patterns come again and again. */
const byPattern = new Map<string, fc.Arbitrary<string>>();
const MAX_DEPTH = 6;

/** Values that a schema accepts, the extreme ones often. */
export function fromSchema(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const known = resolved(schema);
  if (known.const !== undefined) return fc.constant(known.const);
  if (known.enum) return fc.constantFrom(...known.enum);
  const choices = known.anyOf ?? known.oneOf;
  // Forms that only say which names are needed stand beside the properties of the object itself.
  if (choices && !known.properties) return fc.oneof(...choices.map((choice) => fromSchema(choice, depth)));
  if (known.allOf)
    return fromSchema({ ...known, ...Object.assign({}, ...known.allOf), allOf: undefined }, depth);
  const types = typeof known.type === 'string' ? [known.type] : (known.type ?? []);
  if (types.length !== 1)
    return types.length === 0
      ? anything(depth)
      : fc.oneof(...types.map((type) => ofType(known, type, depth)));
  return ofType(known, types[0]!, depth);
}

function ofType(schema: Schema, type: string, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: bounded(schema.minimum, -10), max: bounded(schema.maximum, 1000) });
    case 'number':
      return fc.double({
        min: bounded(schema.minimum, -1e6),
        max: bounded(schema.maximum, 1e6),
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 4, 4)),
      });
    default:
      return objectOf(schema, depth);
  }
}

/** A bound that stands for "any number that can be told exactly" is none. */
function bounded(limit: number | undefined, otherwise: number): number {
  return limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? otherwise : limit;
}

function textOf({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) });
  const known = byPattern.get(pattern);
  if (known) return known;
  const made = fc.stringMatching(new RegExp(pattern), { size: '-1' });
  byPattern.set(pattern, made);
  return made;
}

function objectOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  if (depth >= MAX_DEPTH) return fc.constant({});
  if (names.length === 0) {
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return fc.dictionary(fc.string({ maxLength: 10 }), fromSchema(values, depth + 1), { maxKeys: 3 });
  }
  const fields = Object.fromEntries(
    names.map((name) => [name, fromSchema(schema.properties![name]!, depth + 1)]),
  );
  // Of forms that exclude each other one is chosen by which names it needs.
  const forms = (schema.oneOf ?? schema.anyOf ?? [{}]).map(({ required = [] }) => required);
  const formNames = new Set(forms.flat());
  return fc.oneof(
    ...forms.map((form) => {
      const chosen = names.filter((name) => form.includes(name) || !formNames.has(name));
      const requiredKeys = chosen.filter((name) => form.includes(name) || schema.required?.includes(name));
      return fc.record(Object.fromEntries(chosen.map((name) => [name, fields[name]!])), { requiredKeys });
    }),
  );
}

function anything(depth: number): fc.Arbitrary<unknown> {
  return depth >= MAX_DEPTH ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
}

type Change = (value: unknown) => unknown;

/** One thing wrong somewhere in a value: another kind, a name too few, one too many. */
export const mutation: fc.Arbitrary<Change> = fc
  .record({
    turns: fc.array(fc.nat(1000), { minLength: 0, maxLength: 6 }),
    replacement: hostileJson,
    how: fc.constantFrom('replace', 'replace', 'drop', 'add', 'repeat'),
    name: fc.constantFrom(
      '__proto__',
      'constructor',
      'x',
      '',
      'documents',
      'upload',
      'spec',
      'a'.repeat(300),
    ),
  })
  .map(
    ({ turns, replacement, how, name }): Change =>
      (value) =>
        changedAt(value, turns, (found) => {
          if (how === 'replace' || typeof found !== 'object' || found === null) return replacement;
          if (Array.isArray(found)) {
            if (how === 'drop') return found.slice(1);
            return how === 'add' ? [...found, replacement] : Array.from({ length: 300 }, () => found[0] ?? 0);
          }
          const entries = Object.entries(found);
          if (how === 'drop') return Object.fromEntries(entries.slice(1));
          // Stringified, a name that is its own property stays; a literal would set the prototype.
          return Object.fromEntries([...entries, [name, replacement]]);
        }),
  );

function changedAt(value: unknown, turns: readonly number[], change: Change): unknown {
  const [turn, ...rest] = turns;
  if (turn === undefined || typeof value !== 'object' || value === null) return change(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return change(value);
  const key = keys[turn % keys.length]!;
  const child = (value as Record<string, unknown>)[key];
  if (Array.isArray(value)) return value.with(Number(key), changedAt(child, rest, change));
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, name === key ? changedAt(held, rest, change) : held]),
  );
}
