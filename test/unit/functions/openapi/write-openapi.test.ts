import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../functions/http/pagination.ts';
import { PROBLEMS } from '../../../../functions/http/problem.ts';
import type { Route } from '../../../../functions/http/route.ts';
import { EXAMPLES } from '../../../../functions/openapi/interface.ts';
import committed from '../../../../functions/openapi/openapi.json' with { type: 'json' };
import { createOpenapi } from '../../../../functions/openapi/write-openapi.ts';
import { routes } from '../../../../functions/routes.ts';
import { scopesOf } from '../../../../infra/aws/http-api.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, unknown>;
  readonly requestBody?: { readonly required: boolean };
}

describe('the OpenAPI document', () => {
  it('is the one that the route list makes; npm run openapi remakes it', () => {
    expect(committed).toEqual(createOpenapi());
  });

  it('has every listed route once, and refers to nothing that is not there', () => {
    const operations = Object.values(committed.paths).flatMap((path) => Object.values(path) as Operation[]);
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      routes
        .filter((route: Route) => !route.isUnlisted)
        .map(({ id }) => id)
        .toSorted(),
    );
    const references = [...JSON.stringify(committed).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    const known = Object.keys(committed.components.schemas);
    expect(references.length).toBeGreaterThan(0);
    expect(references.map(([, name]) => name!).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('names what may stand in the query beside documents, also where the body is a component', () => {
    const queryOf = (parameters: readonly { in: string; name: string }[]) =>
      parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    expect(queryOf(committed.paths['/v1/clusters/{id}'].put.parameters)).toEqual([
      'collected_at',
      'hosted',
      'usernames',
      'replace',
      'unchanged',
    ]);
    expect(queryOf(committed.paths['/v1/image-pruners/{name}/in-use'].put.parameters)).toEqual([
      'collected_at',
      'asked',
      'missing',
      'source',
      'unchanged',
      'ignore_invalid',
    ]);
  });

  it('asks for documents, but where a field may stand in their place', () => {
    const required = Object.values(committed.paths).flatMap((path) =>
      (Object.values(path) as Operation[]).flatMap(({ operationId, requestBody }) =>
        JSON.stringify(requestBody ?? null).includes('POST /v1/uploads')
          ? [[operationId, requestBody!.required] as const]
          : [],
      ),
    );
    expect(new Map(required)).toEqual(
      new Map(
        routes
          .filter((route: Route) => route.documents)
          .map((route: Route) => [route.id, route.id !== 'putImagesInUse'] as const),
      ),
    );
  });

  it.each(['getGraph', 'headGraph', 'getChannelIndex', 'getCluster', 'getImagePruner'])(
    'says that %s answers 304',
    (id) => {
      const operations = Object.values(committed.paths).flatMap((path) => Object.values(path) as Operation[]);
      expect(Object.keys(operations.find(({ operationId }) => operationId === id)!.responses)).toContain(
        '304',
      );
    },
  );
});

describe('what clients are generated from', () => {
  interface Named {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: Readonly<Record<string, unknown>>;
  }
  interface Answer {
    readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  }
  interface Whole {
    readonly operationId: string;
    readonly parameters?: readonly Named[];
    readonly requestBody?: {
      readonly required?: boolean;
      readonly content: Readonly<Record<string, { schema: { anyOf?: readonly { $ref?: string }[] } }>>;
    };
    readonly responses: Readonly<Record<string, Answer>>;
  }
  const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...(operation as Whole) })),
  );
  const parameters = operations.flatMap(({ parameters = [] }) => parameters);

  it('every component and parameter has a description', () => {
    const bare = Object.entries(committed.components.schemas)
      .filter(([, schema]) => !('description' in schema))
      .map(([name]) => name);
    expect(bare).toEqual([]);
    expect(parameters.filter(({ description = '' }) => description === '')).toEqual([]);
  });

  it('only the texts that an update service ignores have no form', () => {
    const forms = ['pattern', 'enum', 'format'];
    const free = parameters.filter(
      ({ in: place, schema }) =>
        place === 'query' && schema['type'] === 'string' && !forms.some((form) => form in schema),
    );
    expect(new Set(free.map(({ name }) => name))).toEqual(new Set(['version', 'id']));
  });

  it('patterns have no look-around, which RE2 does not know', () => {
    const text = JSON.stringify(committed);
    expect(text.match(/"pattern":"[^"]*\(\?<?[=!]/g)).toBeNull();
  });

  it.each([
    ['since', ['24h', '7d', '90m', '2w', '2026-11-01', '2026-11-01T00:00+01:00']],
    ['overdue_after', ['24h', '7d', '1h30m', '1ms', 'P7D', 'PT1H30M', '2w']],
    ['at', ['2026-11-01T12:00Z', '2026-11-01T12:00:00.123Z']],
    ['windows', ['Sat 22:00-04:00', 'Mon-Fri 01:00 - 03:30, sunday 00:00-24:00']],
    ['time_zone', ['UTC', 'US/Eastern', ...Intl.supportedValuesOf('timeZone')]],
    ['cursor', [encodeCursor(['2026-11-01', 'ä?~']), encodeCursor([''])]],
  ])('the form of %s has what the server accepts', (name, accepted) => {
    const patterns = parameters
      .filter((parameter) => parameter.name === name && parameter.in === 'query')
      .flatMap(({ schema }) => (typeof schema['pattern'] === 'string' ? [schema['pattern']] : []));
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) {
      expect(accepted.filter((text) => !new RegExp(pattern).test(text))).toEqual([]);
      expect(new RegExp(pattern).test('?')).toBe(false);
    }
  });

  it('every body says whether it is required, and forms of documents have names', () => {
    for (const { operationId, requestBody } of operations) {
      if (!requestBody) continue;
      expect([operationId, requestBody.required]).toEqual([operationId, expect.any(Boolean)]);
      const { anyOf = [] } = requestBody.content['application/json']!.schema;
      expect([operationId, anyOf.filter(({ $ref }) => $ref === undefined)]).toEqual([operationId, []]);
    }
    const required = operations.flatMap(({ operationId, requestBody }) =>
      requestBody?.required === false ? [operationId] : [],
    );
    expect(required.toSorted()).toEqual([
      'evaluateHistoryPruning',
      'putClusterSettings',
      'putImagesInUse',
      'startImagePrunerRun',
      'startSyncRun',
    ]);
  });

  it('responses name their headers', () => {
    for (const { operationId, method, responses } of operations) {
      const headersOf = (status: string) => Object.keys(responses[status]?.headers ?? {});
      const isRead = method === 'get' || method === 'head';
      expect([operationId, headersOf('304')[0]]).toEqual([operationId, isRead ? 'ETag' : undefined]);
      expect([operationId, headersOf('503')]).toEqual([operationId, ['Retry-After']]);
    }
    const answer = committed.paths['/v1/upgrade-paths'].get.responses['200'] as Answer;
    expect(Object.keys(answer.headers!)).toEqual(['ETag', 'Cairn-Files', 'Cairn-Note']);
  });
});

describe('operations', () => {
  interface Described extends Operation {
    readonly tags: readonly string[];
    readonly summary: string;
    readonly description: string;
    readonly security: readonly object[];
    readonly 'x-cairn-access': Exclude<Route['access'], 'open'>;
  }
  const described = Object.values(committed.paths).flatMap(
    (path) => Object.values(path) as unknown as Described[],
  );

  it('have a tag of the list, texts, and the callers of their access level', () => {
    const tags = committed.tags.map(({ name }) => name);
    for (const { operationId, tags: own, summary, description, security, ...rest } of described) {
      const access = rest['x-cairn-access'] as Route['access'];
      expect([operationId, own.length, tags.includes(own[0]!)]).toEqual([operationId, 1, true]);
      expect([operationId, summary !== '', description !== '']).toEqual([operationId, true, true]);
      expect(security.length > 0).toBe(access !== 'open');
      expect(description).toContain(access === 'open' ? 'everyone' : `\`${scopesOf(access)[0]}\``);
    }
  });

  it('have valid examples', () => {
    for (const route of routes as readonly Route[]) {
      const example = EXAMPLES.body[route.id];
      if (example === undefined) continue;
      expect([route.id, route.body!().safeParse(example).success]).toEqual([route.id, true]);
    }
  });
});

describe('docs/problems.md', () => {
  it('explains every problem with its status', () => {
    const file = readFileSync(new URL('../../../../docs/problems.md', import.meta.url), 'utf8');
    const page = file.replaceAll(/ +/g, ' ');
    for (const [code, { status }] of Object.entries(PROBLEMS)) {
      expect(page).toContain(`| \`${code}\` | ${status} |`);
    }
  });
});
