import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { checkAnswer, parseStrictly, strict } from '../../../helpers/lambda/strict.ts';

const inner = () => z.object({ a: z.string() });

describe('strict', () => {
  it.each<[string, z.ZodMiniType, unknown, unknown]>([
    ['an object', inner(), { a: 'x' }, { a: 'x', b: 1 }],
    ['a list', z.array(inner()), [{ a: 'x' }], [{ a: 'x', b: 1 }]],
    ['a record', z.record(z.string(), inner()), { k: { a: 'x' } }, { k: { a: 'x', b: 1 } }],
    ['a union', z.union([z.number(), inner()]), { a: 'x' }, { a: 'x', b: 1 }],
    ['an optional field', z.object({ o: z.optional(inner()) }), { o: { a: 'x' } }, { o: { a: 'x', b: 1 } }],
    ['a nullable field', z.object({ o: z.nullable(inner()) }), { o: null }, { o: { a: 'x', b: 1 } }],
    ['a readonly list', z.readonly(z.array(inner())), [], [{ a: 'x', b: 1 }]],
  ])('refuses unknown keys in %s', (_what, schema, known, unknown) => {
    const made = strict(schema) as z.ZodMiniType;
    expect(made.safeParse(known).success).toBe(true);
    expect(schema.safeParse(unknown).success).toBe(true);
    expect(made.safeParse(unknown).success).toBe(false);
  });

  it('keeps constraints, and does not register a copy under the id', () => {
    const schema = z
      .array(z.int())
      .check(z.length(2))
      .check(z.meta({ id: 'StrictTestPair' }));
    const made = strict(schema) as z.ZodMiniType;
    expect(made.safeParse([1]).success).toBe(false);
    expect(z.globalRegistry.get(made)).toBeUndefined();
  });
});

describe('checkAnswer', () => {
  const answer = (body: unknown) => ({
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  it('takes what the schema of the route has, and nothing else', () => {
    const event = { routeKey: 'GET /healthz' };
    expect(() => checkAnswer(event, answer({ status: 'ok' }))).not.toThrow();
    expect(() => checkAnswer(event, answer({ status: 'ok', more: 1 }))).toThrow(/getHealth does not answer/);
    expect(() => checkAnswer(event, answer({}))).toThrow(/getHealth does not answer/);
  });

  it('refuses JSON of a route that has no schema', () => {
    expect(() => parseStrictly('deleteCluster', {})).toThrow(/no response schema/);
  });
});
