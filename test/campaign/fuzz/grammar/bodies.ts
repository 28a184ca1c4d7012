import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  clusterObject,
  documentText,
  prunableObject,
  soundClusterObject,
  soundPrunableObject,
} from './documents.ts';
import { fromSchema, mutation } from './from-schema.ts';
import type { Operation } from './interface.ts';
import { VERSIONS } from './pools.ts';
import { hostileText, withRawJson } from './values.ts';

/** A body and what is said of it. */
export interface Sent {
  readonly bytes: Uint8Array | null;
  readonly headers: readonly (readonly [string, string])[];
}

const JSON_HEADER = ['content-type', 'application/json'] as const;
const MIB = 1024 * 1024;

/** Compressed once: making them takes longer than all that is done with them. */
const BOMBS: readonly Uint8Array[] = [
  gzipSync(Buffer.alloc(65 * MIB, ' ')),
  gzipSync(gzipSync(Buffer.alloc(8 * MIB, ' '))),
  gzipSync(Buffer.from(`{"documents":[${'[],'.repeat(2 * MIB)}{}]}`)),
  gzipSync('{"kind":"List","items":['.repeat(50_000)),
  ...[
    ['[', '[],', '[]]'],
    ['[', '0,', '0]'],
    ['', '[]', ''],
    ['', '{"kind":"A"}', ''],
    ['{', '"":{},', '"documents":[]}'],
    ['{', '"documents":[],', '"upload":""}'],
    ['{"kind":"NodeList","apiVersion":"v1","items":[', '{},', '{}]}'],
    ['{"items":[', '{},', '{}],"kind":"PodList","apiVersion":"v1"}'],
    ['['.repeat(900), '[],', `[]${']'.repeat(900)}`],
    ['{"kind":"Node","metadata":{"name":"a","annotations":{', '"":"",', '"":""}}}'],
    ['{"kind":"Pod","metadata":{"name":"a","managedFields":[', '{},', '{}]}}'],
    ['{"kind":"Node","metadata":{"name":"a"},"status":{"conditions":[', '{},', '{}]}}'],
    ['{"kind":"Node","metadata":{"name":"', '\\u0041', '"}}'],
    ['[', '\n', '{}]'],
    ['{"history":[', '{},', '{}]}'],
  ].map(([start = '', unit = '', end = '']) =>
    gzipSync(`${start}${unit.repeat((4 * MIB) / unit.length)}${end}`, { level: 1 }),
  ),
];
const OVERSIZED = Buffer.alloc(4 * MIB + 1, ' ');

const YAML_TEXTS: readonly string[] = [
  '',
  '---\n',
  'schedule: "0 0 * * *"\nkeepTagRevisions: 3\n',
  'apiVersion: imageregistry.operator.openshift.io/v1\nkind: ImagePruner\nmetadata: {name: nightly}\nspec:\n  suspend: true\n',
  'a: &x [*x]\n',
  '&x {a: *x}\n',
  'a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d]\n',
  '? [a]\n: b\n',
  'schedule: !!binary aGk=\n',
  'schedule: !!set {a, b}\n',
  'keepTagRevisions: .nan\n',
  'keepTagRevisions: 0x10\n',
  'keepTagRevisions: 1e400\n',
  'schedule: 2001-01-01\n',
  '<<: {suspend: true}\n',
  '%YAML 9.9\n---\nsuspend: true\n',
  '%TAG ! tag:x,2000:\n---\n!x {}\n',
  '__proto__: {polluted: true}\n',
  'a: 1\na: 2\n',
  '*a\n',
  'a: |\n\tx\n',
  '- - - - -\n',
  '"\\ud800": 1\n',
  '--- a\n--- b\n',
  `${'['.repeat(5000)}\n`,
  `${'- '.repeat(3000)}x\n`,
  `a: ${'{b: '.repeat(800)}1${'}'.repeat(800)}\n`,
  'suspend: yes\n\u0000',
];

/** What a pruner may be, by fields that are read together. */
const prunerSpec = fc.record(
  {
    schedule: fc.oneof(
      fc.constantFrom('0 0 * * *', '@daily', '*/5 * * * *', '0 0 31 2 *', '60 * * * *', '@reboot', ''),
      hostileText,
    ),
    timeZone: fc.oneof(fc.constantFrom('UTC', 'Europe/Berlin', 'Mars/Base'), hostileText),
    suspend: fc.constantFrom<unknown>(true, false, null, 'yes'),
    keepTagRevisions: fc.constantFrom<unknown>(0, 3, -1, 1.5, 1e9, '3'),
    keepYoungerThan: fc.oneof(
      fc.constantFrom<unknown>('60m', '0s', 3_600_000_000_000, -1, '1e3h'),
      hostileText,
    ),
    target: fc.constantFrom<unknown>(
      {},
      { bucket: 'registry' },
      { bucket: 'registry', prefix: '' },
      { bucket: 'other' },
      null,
    ),
    dryRun: fc.constantFrom<unknown>(true, false, null),
    grace: fc.oneof(fc.constantFrom('24h', '0s'), hostileText),
    protectedTags: fc.array(fc.oneof(fc.constantFrom('v*', 'shop/*:stable', '*'), hostileText), {
      maxLength: 3,
    }),
    protectedRepositories: fc.array(hostileText, { maxLength: 3 }),
    nodeSelector: fc.dictionary(hostileText, hostileText, { maxKeys: 2 }),
    tolerations: fc.constantFrom<unknown>([], [{}], {}, [null]),
    logLevel: fc.constantFrom('Normal', 'Debug', 'loud'),
    history: fc.constantFrom<unknown>({}, { failedJobsHistoryLimit: 1 }, { failedJobsHistoryLimit: 0 }, null),
  },
  { requiredKeys: [] },
);

const version = fc.constantFrom(...VERSIONS);

/** Bodies that mean something to the service: what only fits a schema asks for versions that nobody has. */
const KNOWN_BODIES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  findUpgradePaths: fc.record(
    {
      clusters: fc.array(fc.record({ name: fc.constantFrom('a', 'b'), from: version, to: version }), {
        minLength: 1,
        maxLength: 4,
      }),
      risk: fc.constantFrom('none', 'all', 'non-always'),
      prefer: fc.constantFrom('safest', 'shortest'),
      alternatives: fc.integer({ min: 0, max: 3 }),
      format: fc.constantFrom('json', 'text', 'imageset'),
    },
    { requiredKeys: ['clusters'] },
  ),
  evaluateHistoryPruning: fc.record(
    {
      history: fc.array(fc.record({ state: fc.constantFrom('Completed', 'Partial', ''), version }), {
        maxLength: 30,
      }),
      max: fc.integer({ min: 8, max: 20 }),
      mode: fc.constantFrom('cvo', 'fleet'),
      format: fc.constantFrom('json', 'text'),
    },
    { requiredKeys: ['history'] },
  ),
  startImagePrunerRun: fc.constantFrom({}, { dryRun: true }),
};

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const isOfClusters = ({ id }: Operation): boolean => id === 'putCluster' || id === 'planUpgrade';

/** What the operation accepts, and nothing else. */
export function soundBodyFor(operation: Operation): fc.Arbitrary<Sent> {
  const { id, bodies } = operation;
  const headers = [JSON_HEADER];
  if (bodies.size === 0) return fc.constant({ bytes: null, headers: [] });
  if (id === 'putImagePruner') {
    const texts = fc.constantFrom(
      '{"suspend":true}',
      '{"spec":{"keepTagRevisions":1}}',
      '{"schedule":"@daily","protectedTags":["v*"]}',
      '{}',
    );
    return texts.map((text) => ({ bytes: bytesOf(text), headers }));
  }
  if (!bodies.has('application/gzip')) {
    const value = KNOWN_BODIES[id] ?? fromSchema(bodies.get('application/json')!);
    return value.map((value) => ({
      bytes: bytesOf(JSON.stringify(value)),
      headers,
    }));
  }
  return documentText(isOfClusters(operation) ? soundClusterObject : soundPrunableObject).map((text) => ({
    bytes: bytesOf(text),
    headers,
  }));
}

/** Texts that fit the operation, often with one thing wrong in them. */
function textFor(operation: Operation): fc.Arbitrary<string> {
  const { id, bodies } = operation;
  const schema = bodies.get('application/json') ?? {};
  const drawn = fc
    .tuple(
      KNOWN_BODIES[id] ? fc.oneof(KNOWN_BODIES[id], fromSchema(schema)) : fromSchema(schema),
      fc.option(mutation, { freq: 2 }),
    )
    .map(([value, change]) => withRawJson(JSON.stringify(change ? change(value) : value) ?? 'undefined'));
  if (id === 'putImagePruner') {
    const spec = fc
      .tuple(prunerSpec, fc.option(mutation, { freq: 3 }), fc.boolean())
      .map(([value, change, isWhole]) => {
        const changed = change ? change(value) : value;
        return withRawJson(JSON.stringify(isWhole ? { kind: 'ImagePruner', spec: changed } : changed) ?? '');
      });
    return fc.oneof(
      { weight: 4, arbitrary: spec },
      { weight: 1, arbitrary: drawn },
      { weight: 2, arbitrary: fc.constantFrom(...YAML_TEXTS) },
    );
  }
  if (!bodies.has('application/gzip')) return drawn;
  const documents = documentText(isOfClusters(operation) ? clusterObject : prunableObject);
  const fields = fc
    .tuple(fromSchema(schema), documents, fc.option(mutation, { freq: 3 }))
    .map(([value, text, change]) => {
      const documented = { ...(typeof value === 'object' ? value : {}), documents: '@documents@' };
      const { upload: _upload, ...request } = documented as Record<string, unknown>;
      return withRawJson(JSON.stringify(change ? change(request) : request) ?? '').replace(
        '"@documents@"',
        () => text,
      );
    });
  const uploaded = fromSchema(schema).map((value) => {
    const { documents: _documents, ...request } = { ...(typeof value === 'object' ? value : {}) } as Record<
      string,
      unknown
    >;
    return JSON.stringify({ ...request, upload: '@upload@' });
  });
  return fc.oneof(
    { weight: 4, arbitrary: documents },
    { weight: 3, arbitrary: fields },
    { weight: 1, arbitrary: uploaded },
    { weight: 1, arbitrary: drawn },
  );
}

const ODD_BODIES: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 4, arbitrary: hostileText.map(bytesOf) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      bytesOf(''),
      bytesOf('null'),
      bytesOf('{'),
      bytesOf('[[[['),
      bytesOf('\ufeff{}'),
      Buffer.from('{}', 'utf16le'),
      Buffer.from([0x1f, 0x8b]),
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff]),
      gzipSync('{}').subarray(0, 12),
      Buffer.concat([gzipSync('{}'), gzipSync('{}')]),
      Buffer.concat([gzipSync('{}'), Buffer.from('trailing')]),
      Buffer.from([0xff, 0xfe, 0xfd]),
      Buffer.from('{"documents":"\xff\xfe"}', 'latin1'),
    ),
  },
);

/** Each takes as long as hundreds of others, so they are rare. */
export const HEAVY_BODIES: readonly Uint8Array[] = [...BOMBS, OVERSIZED];
const heavyBody: fc.Arbitrary<Uint8Array> = fc.constantFrom(...HEAVY_BODIES);

const contentHeaders: fc.Arbitrary<Sent['headers']> = fc.oneof(
  { weight: 12, arbitrary: fc.constant([JSON_HEADER]) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        'application/gzip',
        'application/yaml',
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/octet-stream',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
        'APPLICATION/JSON',
        '',
        'x'.repeat(2000),
      )
      .map((type) => [['content-type', type] as const]),
  },
  { weight: 1, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('gzip', 'x-gzip', 'identity', 'br', 'deflate', 'gzip, gzip', 'zstd', '__proto__', '')
      .map((coding) => [JSON_HEADER, ['content-encoding', coding] as const]),
  },
);

/** Bodies for an operation; one that takes none gets one now and then. */
export function bodyFor(operation: Operation): fc.Arbitrary<Sent> {
  const none = fc.constant<Sent>({ bytes: null, headers: [] });
  const odd = fc.tuple(ODD_BODIES, contentHeaders).map(([bytes, headers]): Sent => ({ bytes, headers }));
  if (operation.bodies.size === 0)
    return fc.oneof({ weight: 20, arbitrary: none }, { weight: 1, arbitrary: odd });
  const text = textFor(operation);
  const isYaml = operation.bodies.has('application/yaml');
  const plain = fc.tuple(text, contentHeaders).map(([body, headers]): Sent => {
    const isOfYaml = isYaml && !/^\s*[[{]/.test(body);
    return { bytes: bytesOf(body), headers: isOfYaml ? [['content-type', 'application/yaml']] : headers };
  });
  const compressed = text.map((body): Sent => ({
    bytes: gzipSync(body),
    headers: [
      ['content-type', 'application/gzip'],
      ['content-encoding', 'gzip'],
    ],
  }));
  const heavy = heavyBody.map((bytes): Sent => ({ bytes, headers: [['content-type', 'application/gzip']] }));
  return fc.oneof(
    { weight: 300, arbitrary: plain },
    { weight: 40, arbitrary: compressed },
    { weight: 40, arbitrary: odd },
    { weight: 15, arbitrary: none },
    { weight: 2, arbitrary: heavy },
  );
}
