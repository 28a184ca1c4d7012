import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchPath } from '../../../../functions/http/match-path.ts';
import committed from '../../../../functions/openapi/openapi.json' with { type: 'json' };
import { servedRoutes } from '../../../../functions/routes.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { sized } from '../../../helpers/size.ts';
import { chainGraph, series } from '../../../helpers/upstream/sync-harness.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example: string;
  readonly schema: { readonly pattern?: string; readonly enum?: readonly string[] };
}

const RELEASES = {
  release_sources: [
    { openshift_version: '4.14', upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }] },
  ],
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({
    releases: RELEASES,
    source: () => chainGraph(series('4.14', 3)),
  });
  deployment.eventBridge.answer(200, { FailedEntryCount: 0, Entries: [{ EventId: '1' }] });
  await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'schedule' });
});
afterAll(() => deployment.close());

/** One operation per path with parameters; reads first. */
const cases = Object.entries(committed.paths).flatMap(([path, operations]) => {
  const [method, operation] = Object.entries(operations)[0]! as [string, { parameters?: Parameter[] }];
  const parameters = operation.parameters?.filter(({ in: place }) => place === 'path') ?? [];
  return parameters.map((parameter) => ({ method: method.toUpperCase(), path, parameter, parameters }));
});

describe.each(cases)('$method $path: $parameter.name', ({ method, path, parameter, parameters }) => {
  const { pattern, enum: names } = parameter.schema;
  const accepts = (value: string) => names?.includes(value) ?? new RegExp(pattern!).test(value);
  const send = async (value: string) => {
    const target = parameters.reduce(
      (text, { name, example }) =>
        text.replace(`{${name}}`, encodeURIComponent(name === parameter.name ? value : example)),
      path,
    );
    expect(matchPath(servedRoutes, target)).not.toEqual([]);
    const sent = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    const { status, body } = await deployment.request(method, target, sent);
    const { errors = [] } = (body ?? {}) as { errors?: { parameter?: string }[] };
    return {
      status,
      isRefusedForShape: status === 400 && errors.some((fault) => fault.parameter === parameter.name),
    };
  };

  it('is documented as strictly as the server checks it', async () => {
    expect(pattern ?? names).toBeDefined();
    expect(accepts(parameter.example)).toBe(true);
    const texts = fc.oneof(
      fc.constantFrom(
        '...',
        '-',
        'a',
        'A',
        'stable-4.14',
        'x86_64',
        'Multi',
        '4.14',
        '4.14.0',
        '2026-13-01T00:00Z',
      ),
      fc.constantFrom(
        '2026-02-30T00:00:00Z',
        '2026-01-01T24:00Z',
        'news',
        'a'.repeat(64),
        'a'.repeat(101),
        '..a',
      ),
      fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'aZ09.-_~ %:T'.split('')) }),
    );
    // URLs resolve these two.
    const values = fc
      .sample(texts, { numRuns: sized(60, 300), seed: 22 })
      .filter((text) => text !== '.' && text !== '..');
    for (const value of [...new Set(values)]) {
      const { status, isRefusedForShape } = await send(value);
      const documented = accepts(value);
      const isRight = documented ? !isRefusedForShape : [400, 404].includes(status);
      expect([value, isRight]).toEqual([value, true]);
    }
    const matching =
      pattern === undefined
        ? []
        : fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: sized(15, 60), seed: 22 });
    for (const value of matching) {
      expect([value, (await send(value)).isRefusedForShape]).toEqual([value, false]);
    }
  });
});
