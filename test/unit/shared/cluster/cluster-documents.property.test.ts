import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { ReadOptions } from '@cairn/shared/cluster/kinds';
import type { Mistake } from '@cairn/shared/input/input-value';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readDocuments,
  readDocumentStream,
  readParsedDocuments,
} from '../../../helpers/cluster/cluster-documents.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  listOf,
  node,
  operator,
  pod,
  pool,
  requestCount,
  subscription,
} from '../../../helpers/cluster/objects.ts';
import { sized } from '../../../helpers/size.ts';

const APIS = ['ingresses.v1beta1.extensions', 'pods.v1', 'cronjobs.v1beta1.batch', 'foos.v1.example.com'];
const OPTIONS: ReadOptions = { isRemovedApi: (name) => name === APIS[0] };

const name = fc.constantFrom('a', 'b', 'c', 'd');
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', '__proto__', '\u001b[31m\n', '"}]{[\\', 'é😀', '\ud800'),
);
const time = fc.constantFrom(
  null,
  '2026-01-01T00:00:00Z',
  '2026-01-02T00:00:00+02:00',
  '0001-01-01T00:00:00Z',
);
const condition = fc.record(
  { type: text, status: text, reason: text, message: text, lastTransitionTime: time },
  { requiredKeys: ['type'] },
);
const conditions = fc.array(condition, { maxLength: 3 });
const labels = fc.dictionary(text, text, { maxKeys: 3 });
const users = fc.array(
  fc.record({
    username: fc.constantFrom('alice', 'bob', 'system:apiserver', 'system:serviceaccount:a:b'),
    userAgent: fc.constantFrom('oc', 'agent'),
    requestCount: fc.nat(9),
    byVerb: fc.array(fc.record({ verb: fc.constantFrom('get', 'list'), requestCount: fc.nat(3) }), {
      maxLength: 2,
    }),
  }),
  { maxLength: 3 },
);
const hour = fc.record({
  requestCount: fc.nat(9),
  byNode: fc.array(fc.record({ byUser: users }), { maxLength: 2 }),
});
const history = fc.array(
  fc.record({
    state: fc.constantFrom('Completed', 'Partial'),
    version: text,
    image: text,
    startedTime: time,
  }),
  { maxLength: 4 },
);

/** Labels, some of which name a package. */
function prefixed(some: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(some).flatMap(([key, value]) => [
      [key, value],
      [`operators.coreos.com/${key}`, value],
    ]),
  );
}

const object: fc.Arbitrary<Json> = fc.oneof(
  fc
    .tuple(history, conditions)
    .map(([history, conditions]) => ({ ...clusterVersion, status: { history, conditions } })),
  fc.tuple(name, conditions).map(([name, conditions]) => clusterOperator(name, { status: { conditions } })),
  fc
    .tuple(name, labels, text)
    .map(([name, labels, kubeletVersion]) =>
      node(name, { metadata: { name, labels }, status: { nodeInfo: { kubeletVersion } } }),
    ),
  fc
    .tuple(name, fc.boolean(), fc.nat(9))
    .map(([name, paused, machineCount]) => pool(name, { paused }, { machineCount })),
  fc
    .tuple(
      name,
      name,
      fc.oneof(text, fc.constant('{"properties":[{"type":"olm.maxOpenShiftVersion","value":4.10}]}')),
      fc.boolean(),
    )
    .map(([namespace, name, properties, isCopy]) =>
      operator(namespace, name, {
        'operatorframework.io/properties': properties,
        ...(isCopy ? { 'olm.operatorNamespace': 'elsewhere' } : {}),
      }),
    ),
  fc
    .tuple(name, labels)
    .map(([name, some]) =>
      operator('labelled', name, {}, { metadata: { name, namespace: 'labelled', labels: prefixed(some) } }),
    ),
  fc
    .tuple(name, name, text, text, text)
    .map(([namespace, name, packageName, channel, source]) =>
      subscription(
        name,
        { name: packageName, channel, source },
        { metadata: { namespace, name }, status: { installedCSV: channel } },
      ),
    ),
  fc
    .tuple(
      fc.constantFrom(...APIS),
      fc.constantFrom(undefined, '1.22'),
      fc.array(hour, { maxLength: 24 }),
      fc.nat(9),
    )
    .map(([name, removedInRelease, last24h, total]) =>
      requestCount(name, { removedInRelease, last24h, currentHour: last24h[0], requestCount: total }),
    ),
  fc.dictionary(text, text, { maxKeys: 3 }).map((data) => configMap('openshift-config', 'admin-acks', data)),
  fc.tuple(name, name).map(([name, nodeName]) => pod(name, nodeName)),
);
const unrelated: fc.Arbitrary<Json> = fc
  .tuple(fc.constantFrom('Event', 'Secret', 'AllowList', 'ClusterVersionThing', 'Subscription'), fc.object())
  .map(([kind, rest]) => ({ ...rest, kind, apiVersion: 'example.com/v1' }));

/** One way to write objects down: in documents of their own, lists, arrays; with or without spaces. */
const writing = fc.array(fc.constantFrom('object', 'List', 'array', 'nested'), {
  minLength: 1,
  maxLength: 4,
});
const indent = fc.constantFrom(0, 2, 4);

function write(objects: readonly Json[], shapes: readonly string[], indent: number): string {
  const size = Math.ceil(objects.length / shapes.length);
  const documents = shapes.flatMap((shape, index): unknown[] => {
    const part = objects.slice(index * size, (index + 1) * size);
    if (shape === 'object') return part;
    return shape === 'List' ? [listOf(...part)] : shape === 'array' ? [part] : [[listOf(...part)]];
  });
  return documents.map((document) => JSON.stringify(document, null, indent)).join('\n') || '[]';
}

function factsIn(text: string) {
  const reading = readDocuments(text, OPTIONS);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  // Whether other objects can exist depends on the shape.
  return { ...reading.facts, completeLists: [] };
}

/** ClusterOperators, nodes and pools keep the order of the documents. */
function byName(facts: ClusterFacts): ClusterFacts {
  const sorted = <Fact extends { readonly name: string }>(list: readonly Fact[] | null) =>
    list && list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { clusterOperators, nodes, pools } = facts;
  return {
    ...facts,
    clusterOperators: sorted(clusterOperators),
    nodes: sorted(nodes),
    pools: sorted(pools),
  };
}

function identityOf({ kind, metadata }: Json): string {
  const { namespace, name } = metadata as Json;
  return JSON.stringify([kind, namespace, name]);
}

const objects = fc.array(object, { maxLength: 12 });

describe('documents of a cluster', () => {
  it('say the same in any order and shape, when each object comes once', () => {
    const shuffled = fc
      .uniqueArray(object, { maxLength: 12, selector: identityOf })
      .chain((objects) =>
        fc.tuple(
          fc.constant(objects),
          fc.shuffledSubarray(objects, { minLength: objects.length }),
          writing,
          indent,
        ),
      );
    fc.assert(
      fc.property(shuffled, ([objects, others, shapes, indent]) => {
        const [one, other] = [write(others, shapes, indent), write(objects, ['object'], 0)].map(factsIn);
        expect(byName(one!)).toEqual(byName(other!));
      }),
    );
  });

  it('have the content of the last document of an object', () => {
    fc.assert(
      fc.property(objects, writing, (objects, shapes) => {
        const last = objects.filter(
          (object, at) => objects.findLastIndex((other) => identityOf(other) === identityOf(object)) === at,
        );
        // The newest time is that of all documents.
        const { collectedAt: _all, ...facts } = factsIn(write(objects, shapes, 0));
        const { collectedAt: _last, ...expected } = factsIn(write(last, ['array'], 0));
        // A kind that was supplied stays supplied.
        expect(facts).toEqual(expected);
      }),
    );
  });

  it('say the same beside documents of other kinds', () => {
    const between = fc.array(fc.tuple(fc.nat(12), unrelated), { maxLength: 6 });
    fc.assert(
      fc.property(objects, between, writing, (objects, between, shapes) => {
        const mixed: Json[] = [...objects];
        for (const [at, other] of between) mixed.splice(at, 0, other);
        expect(factsIn(write(mixed, shapes, 0))).toEqual(factsIn(write(objects, shapes, 0)));
      }),
    );
  });

  it('say as text what they say parsed, although as text most APIs are passed over', () => {
    fc.assert(
      fc.property(objects, fc.boolean(), (objects, usernames) => {
        const options = { ...OPTIONS, usernames };
        const reading = readDocuments(write(objects, ['List'], 4), options);
        expect(readParsedDocuments([JSON.parse(write(objects, ['List'], 0))], options)).toEqual(reading);
        expect(usernames || !/alice|bob/.test(JSON.stringify(reading))).toBe(true);
      }),
    );
  });

  it('say the same wherever the pieces end', async () => {
    const pieces = fc.tuple(
      objects,
      writing,
      indent,
      fc.nat(),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(pieces, async ([objects, shapes, indent, cut, sizes]) => {
        const whole = new TextEncoder().encode(write(objects, shapes, indent));
        // Every second text is cut off somewhere.
        const bytes = cut % 2 === 0 ? whole : whole.slice(0, cut % whole.length);
        const parts: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; at += sizes[turn++ % sizes.length]!) {
          parts.push(bytes.slice(at, at + sizes[turn % sizes.length]!));
        }
        expect(await readDocumentStream(parts, OPTIONS)).toEqual(await readDocumentStream([bytes], OPTIONS));
      }),
    );
  });
});

describe('anything else', () => {
  it('is refused with a place, and never throws: bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(isReadOrRefused(bytes)).toBe(true);
      }),
    );
  });

  it('is refused with a place, and never throws: letters of JSON', () => {
    const letters = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      ' ',
      '1',
      '"kind"',
      '"items"',
      '"Node"',
    );
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 30 }), (letters) => {
        expect(isReadOrRefused(letters.join(''))).toBe(true);
      }),
      { numRuns: sized(200, 2000) },
    );
  });

  it('is not called broken when it is JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 4 }), (values) => {
        const faults = mistakesIn(`[${values.join(',')}]`).filter(({ detail }) => detail.startsWith('line'));
        expect(faults).toEqual([]);
      }),
      { numRuns: sized(50, 500) },
    );
  });

  it('is refused when a character is missing and it is no longer JSON', () => {
    const broken = fc.tuple(
      fc.array(
        name.map((name) => node(name)),
        { minLength: 1, maxLength: 3 },
      ),
      fc.nat(),
    );
    fc.assert(
      fc.property(broken, ([nodes, place]) => {
        const text = JSON.stringify(nodes);
        const at = place % text.length;
        const shorter = text.slice(0, at) + text.slice(at + 1);
        expect(isJson(shorter) || mistakesIn(shorter).length > 0).toBe(true);
      }),
      { numRuns: sized(50, 500) },
    );
  });

  it('may stand anywhere in an object', () => {
    const wrong = fc.tuple(object, fc.nat(), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(wrong, ([object, place, value]) => {
        const places = placesIn(object);
        const changed = replaced(object, places[place % places.length]!, value);
        const mistakes = mistakesIn(JSON.stringify([changed]));
        expect(mistakes.filter(({ pointer }) => !pointer.startsWith('/0'))).toEqual([]);
      }),
      { numRuns: sized(100, 1000) },
    );
  });
});

function mistakesIn(input: string | Uint8Array): readonly Mistake[] {
  const reading = readDocuments(input, OPTIONS);
  return reading.ok ? [] : reading.mistakes;
}

function isReadOrRefused(input: string | Uint8Array): boolean {
  const { ok } = readDocuments(input, OPTIONS);
  return (
    ok || mistakesIn(input).every(({ detail }) => detail.includes('expected') || detail.includes('ends'))
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The ways to all values in an object. */
function placesIn(value: unknown, way: readonly string[] = []): string[][] {
  const below = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[...way], ...below.flatMap(([key, member]) => placesIn(member, [...way, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Json) }) as Json;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}
