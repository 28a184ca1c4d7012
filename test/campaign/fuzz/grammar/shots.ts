import fc from 'fast-check';
import { asBytes, type FuzzRequest, type Shot } from '../request.ts';
import { bodyFor, soundBodyFor } from './bodies.ts';
import { fromSchema } from './from-schema.ts';
import { type Operation, OPERATIONS, type Parameter } from './interface.ts';
import { KNOWN_VALUES } from './pools.ts';
import { rawExchange } from './raw.ts';
import { hostileText, INJECTED } from './values.ts';

/** How a text gets into a target: as it should, or as somebody might try. */
const encoding = fc.oneof(
  { weight: 12, arbitrary: fc.constant(encodeProperly) },
  { weight: 1, arbitrary: fc.constantFrom(encodeTwice, encodeNothing, encodeBroken) },
);

function encodeProperly(text: string): string {
  // Half a character has no encoding; its bytes are sent as if it had one.
  return Array.from(text)
    .map((unit) =>
      /[\ud800-\udfff]/.test(unit) && unit.length === 1 ? '%ED%A0%80' : encodeURIComponent(unit),
    )
    .join('');
}

function encodeTwice(text: string): string {
  return encodeURIComponent(encodeProperly(text));
}

/** Whatever ends a target or a line would make it another request. */
function encodeNothing(text: string): string {
  return asBytes(text).replaceAll(/[^\x21-\x7e\x80-\xff]|#/g, '');
}

function encodeBroken(text: string): string {
  return `${encodeProperly(text)}%${text.length % 2 === 0 ? '' : 'f'}`;
}

/** Mostly what the service knows, then what it accepts, then what it should refuse. */
function textFor({ name, schema }: Parameter): fc.Arbitrary<string> {
  const known = KNOWN_VALUES[name];
  const accepted = fromSchema(schema).map((value) =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  );
  return fc.oneof(
    ...(known ? [{ weight: 6, arbitrary: fc.constantFrom(...known) }] : []),
    { weight: known ? 2 : 6, arbitrary: accepted },
    { weight: 2, arbitrary: hostileText },
  );
}

const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, encoding).map(([value, encode]) => encode(value));

function pathOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const inPath = parameters.filter(({ in: place }) => place === 'path');
  const values = fc.tuple(...inPath.map((parameter) => encoded(textFor(parameter))));
  return values.map((texts) =>
    inPath.reduce((target, { name }, place) => target.replace(`{${name}}`, () => texts[place]!), path),
  );
}

function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const pairs = inQuery.map((parameter) => {
    const value = encoded(textFor(parameter));
    const { name } = parameter;
    const pair = value.map((text) => [`${name}=${text}`]);
    const twice = fc.tuple(value, value).map(([first, second]) => [`${name}=${first}`, `${name}=${second}`]);
    return fc.oneof(
      { weight: parameter.required ? 1 : 14, arbitrary: fc.constant<string[]>([]) },
      { weight: parameter.required ? 20 : 8, arbitrary: pair },
      { weight: 1, arbitrary: twice },
      { weight: 1, arbitrary: fc.constant([name]) },
    );
  });
  const extra = fc.oneof(
    { weight: 20, arbitrary: fc.constant<string[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(encoded(hostileText), encoded(hostileText))
        .map(([name, value]) => [`${name}=${value}`]),
    },
    { weight: 1, arbitrary: fc.constant(['&&=&?=&%=%']) },
  );
  return fc.tuple(fc.tuple(...pairs), extra).map(([given, more]) => {
    const query = [...given.flat(), ...more].join('&');
    return query === '' ? '' : `?${query}`;
  });
}

/** Most questions have these, or make no sense without. */
const NEEDED: readonly string[] = ['to', 'target', 'keep_newest'];

/** What the operation accepts: known values where there are some, and only what is needed or now and then more. */
function soundRequestTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const valueOf = ({ name, schema }: Parameter): fc.Arbitrary<string> => {
    const known = KNOWN_VALUES[name];
    const value = known
      ? fc.constantFrom(...known)
      : fromSchema(schema).map((drawn) => (typeof drawn === 'string' ? drawn : JSON.stringify(drawn)));
    return value.map(encodeProperly);
  };
  const inPath = operation.parameters.filter(({ in: place }) => place === 'path');
  const inQuery = operation.parameters.filter(({ in: place }) => place === 'query');
  const path = fc
    .tuple(...inPath.map(valueOf))
    .map((values) =>
      inPath.reduce(
        (target, { name }, place) => target.replace(`{${name}}`, () => values[place]!),
        operation.path,
      ),
    );
  const pairs = inQuery.map((parameter) => {
    const pair = valueOf(parameter).map((value) => [`${parameter.name}=${value}`]);
    return parameter.required || NEEDED.includes(parameter.name)
      ? pair
      : fc.oneof({ weight: 7, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: pair });
  });
  return fc
    .tuple(path, fc.tuple(...pairs), soundBodyFor(operation))
    .map(([target, query, { bytes, headers }]) => ({
      method: operation.method,
      target: query.flat().length === 0 ? target : `${target}?${query.flat().join('&')}`,
      headers,
      body: bytes,
    }));
}

type Header = readonly [string, string];

/** A text as a header may hold it: what ends a line is for the raw exchanges. */
const headerText = hostileText.map((text) => asBytes(text).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''));

const ODD_HEADERS: fc.Arbitrary<Header> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'accept',
        'accept-encoding',
        'accept-language',
        'authorization',
        'cookie',
        'if-match',
        'if-none-match',
        'if-modified-since',
        'range',
        'x-forwarded-for',
        'forwarded',
        'x-http-method-override',
        'user-agent',
        'x-amz-date',
        'sec-fetch-site',
      ),
      headerText,
    )
    .map(([name, value]): Header => [name, value]),
  fc
    .constantFrom(
      'application/json',
      'text/html',
      'text/plain',
      '*/*;q=0',
      'application/*',
      'text/html, */*;q=0.1',
      'application/vnd.redhat.cincinnati.v1+json',
      'application/yaml',
      ';;;',
      'a/b;q=2',
      '"',
    )
    .map((value): Header => ['accept', value]),
  fc
    .constantFrom('gzip', 'gzip;q=0', 'br', 'identity;q=0', '*', 'gzip, gzip', '*;q=0')
    .map((value): Header => ['accept-encoding', value]),
  fc
    .constantFrom(
      'http://example.com',
      'null',
      'http://127.0.0.1',
      'http://localhost:1',
      'x',
      `http://a ${INJECTED}`,
      'http://é.example',
      '',
    )
    .map((value): Header => ['origin', asBytes(value)]),
  fc.constantFrom('bytes=0-1', 'bytes=-1', 'bytes=9-1', 'x').map((value): Header => ['range', value]),
  fc
    .constantFrom('example.com', '127.0.0.1:1', '[::1]', '', 'localhost', '127.0.0.1@example.com')
    .map((value): Header => ['host', value]),
  fc.constant<Header>(['connection', 'close']),
);

function headersOf({ parameters }: Operation): fc.Arbitrary<Header[]> {
  const known = parameters.filter(({ in: place }) => place === 'header');
  const given = known.map(({ name }) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Header[]>([]) },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom(...(KNOWN_VALUES[name] ?? ['x']))
          .map((value): Header[] => [[name, value]]),
      },
      { weight: 1, arbitrary: headerText.map((value): Header[] => [[name, value]]) },
    ),
  );
  const odd = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Header[]>([]) },
    { weight: 3, arbitrary: fc.array(ODD_HEADERS, { minLength: 1, maxLength: 3 }) },
    // The same twice.
    { weight: 1, arbitrary: ODD_HEADERS.map((header): Header[] => [header, header]) },
  );
  return fc.tuple(fc.tuple(...given), odd).map(([own, more]) => [...own.flat(), ...more]);
}

function requestTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      path: pathOf(operation),
      query: queryOf(operation),
      headers: headersOf(operation),
      sent: bodyFor(operation),
    })
    .map(({ path, query, headers, sent }) => ({
      method: operation.method,
      target: path + query,
      headers: [...sent.headers, ...headers],
      body: sent.bytes,
    }));
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Another method than the operation has, or a path that is nearly one of ours. */
function nearMissOf(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const request = requestTo(operation);
  const bend = fc.constantFrom(
    (path: string) => `${path}/`,
    (path: string) => `/${path}`,
    (path: string) => path.toUpperCase(),
    (path: string) => `${path}/..`,
    (path: string) => path.replace('/v1', '/v1/.'),
    (path: string) => path.replace('/', '/%2e%2e/'),
    (path: string) => `${path};x=1`,
    (path: string) => path.slice(0, -1),
    (path: string) => `/api${path}`,
    (path: string) => `${path}%`,
  );
  return fc.oneof(
    fc.tuple(request, fc.constantFrom(...METHODS)).map(([known, method]) => ({ ...known, method })),
    fc.tuple(request, bend).map(([known, change]) => {
      const [path = '', ...query] = known.target.split('?');
      return {
        ...known,
        target:
          ['/', change(path).replace(/^\/?/, '')].join('') + (query.length > 0 ? `?${query.join('?')}` : ''),
      };
    }),
    fc
      .array(encoded(hostileText), { minLength: 1, maxLength: 4 })
      .map((segments) => ({ method: 'GET', target: `/${segments.join('/')}`, headers: [], body: null })),
  );
}

/** Reads are cheap and what most clients do; what changes something makes the state that they meet. */
const WEIGHTS: Readonly<Record<string, number>> = {
  startSyncRun: 0.2,
  putSwitch: 0.1,
  startImagePrunerRun: 0.5,
  putCluster: 3,
  putImagePruner: 2,
  planUpgrade: 2,
};

/** Longer texts than a request line may have are for the raw exchanges. */
const LONGEST_TARGET = 12_000;

const shotsAt: readonly { weight: number; arbitrary: fc.Arbitrary<Shot> }[] = OPERATIONS.flatMap(
  (operation) => {
    const weight = Math.ceil(20 * (WEIGHTS[operation.id] ?? 1));
    const asShot = (request: FuzzRequest): Shot => ({
      kind: 'request',
      request: { ...request, target: request.target.slice(0, LONGEST_TARGET) },
    });
    return [
      { weight, arbitrary: requestTo(operation).map(asShot) },
      { weight, arbitrary: soundRequestTo(operation).map(asShot) },
      { weight: 2, arbitrary: nearMissOf(operation).map(asShot) },
    ];
  },
);

/** Every route, method and header of the interface document, used well, badly and with malice. */
export const shot: fc.Arbitrary<Shot> = fc.oneof(...shotsAt, {
  weight: 20,
  arbitrary: rawExchange.map((raw): Shot => ({ kind: 'raw', raw })),
});

/** The request with this number of a run, the same whenever it is asked for. */
export function shotOf(seed: number, number: number): Shot {
  return fc.sample(shot, { seed: seedOf(seed, number), numRuns: 1 })[0]!;
}

/** Neighbours must not be alike. */
export function seedOf(seed: number, number: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35);
  mixed ^= mixed >>> 15;
  return Math.imul(mixed, 0x2c1b3c6d) | 0;
}
