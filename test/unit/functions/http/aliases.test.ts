import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { clusterReport, clusterSettingsRequest } from '../../../../functions/clusters/schema.ts';
import { aliasedObject, bodyObject, listedNames, sentName } from '../../../../functions/http/aliases.ts';
import { bodyErrors, parseQuery } from '../../../../functions/http/request.ts';
import type { Route } from '../../../../functions/http/route.ts';
import { upgradePathQuery, upgradePathsRequest } from '../../../../functions/paths/schema.ts';
import { clusterPlanQuery, upgradePlanBody, upgradePlanQuery } from '../../../../functions/plans/schema.ts';
import { imageEvaluationBody } from '../../../../functions/prune-evaluations/images-schema.ts';
import { resourceEvaluationBody } from '../../../../functions/prune-evaluations/schema.ts';
import { inUseReport } from '../../../../functions/pruners/schema.ts';
import { routes } from '../../../../functions/routes.ts';
import { routeOf } from '../../../helpers/lambda/http-request.ts';

/** The names that the code uses, the other ones, and two values. */
type Alias = readonly [name: string, alias: string, value: unknown, another: unknown];
type Case = readonly [what: string, schema: () => z.ZodMiniType, around: (fields: object) => object, Alias];

const itself = (fields: object) => fields;
const FROM = { from: '4.14.20' };
const TIMES = ['2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z'] as const;
const ZONES = ['UTC', 'Europe/Berlin'] as const;
const risks: Alias = ['accept_risk', 'acceptRisks', ['A'], ['B']];
const to: Alias = ['to', 'target', '4.16', '4.15'];
const target: Alias = ['target', 'to', '4.16', '4.15'];
const all = (
  what: string,
  schema: () => z.ZodMiniType,
  around: (fields: object) => object,
  aliases: readonly Alias[],
): Case[] => aliases.map((alias) => [`${alias[1]} of ${what}`, schema, around, alias]);

const CASES: readonly Case[] = [
  ...all('a path', upgradePathQuery, (fields) => ({ ...FROM, ...fields }), [to]),
  ...all('paths', upgradePathsRequest, (fields) => ({ clusters: [FROM], ...fields }), [
    to,
    risks,
    ['include_source', 'includeSource', true, false],
  ]),
  ...all('a cluster of paths', upgradePathsRequest, (fields) => ({ clusters: [{ ...FROM, ...fields }] }), [
    to,
  ]),
  ...all('a plan in the query', upgradePlanQuery, itself, [target]),
  ...all('a plan', upgradePlanBody, itself, [
    target,
    risks,
    ['api_removals', 'apiRemovals', 'ack', 'block'],
    ['time_zone', 'timeZone', ...ZONES],
    ['collected_at', 'collectedAt', ...TIMES],
  ]),
  ...all('the plan of a cluster', clusterPlanQuery, itself, [to]),
  ...all('a report', clusterReport, itself, [['collected_at', 'collectedAt', ...TIMES]]),
  ...all('settings', clusterSettingsRequest, itself, [target, risks, ['time_zone', 'timeZone', ...ZONES]]),
  ...all('images in use', inUseReport, itself, [
    ['collected_at', 'collectedAt', ...TIMES],
    ['ignore_invalid', 'ignoreInvalid', true, false],
  ]),
  ...all('a policy for objects', resourceEvaluationBody, (policy) => ({ policy }), [
    ['keep_newest', 'keepNewest', 1, 2],
    ['keep_newest_per', 'keepNewestPer', 'owner', 'namespace'],
    ['older_than', 'olderThan', '1d', '2d'],
    ['allow_unregistered', 'allowUnregistered', ['Secret'], ['Pod']],
    ['count_unprunable', 'countUnprunable', true, false],
    ['max_deletes', 'maxDeletes', 1, 2],
  ]),
  ...all('a policy for images', imageEvaluationBody, (policy) => ({ policy }), [
    ['keep_tag_revisions', 'keepTagRevisions', 1, 2],
    ['keep_younger_than', 'keepYoungerThan', '1h', '2h'],
    ['ignore_invalid_refs', 'ignoreInvalidRefs', true, false],
  ]),
];

describe.each(CASES)('%s', (_what, schema, around, [name, alias, value, another]) => {
  const parse = (fields: object) => schema().safeParse(around(fields));
  const expected = parse({ [name]: value }).data;

  it('means the same as the other name, alone or with the same value', () => {
    expect(JSON.stringify(expected)).toContain(JSON.stringify(name));
    expect(parse({ [alias]: value }).data).toEqual(expected);
    expect(parse({ [name]: value, [alias]: value }).data).toEqual(expected);
  });

  it('is refused beside the other name with another value', () => {
    const { error } = parse({ [name]: value, [alias]: another });
    expect(bodyErrors(error!.issues, [])).toEqual([
      {
        pointer: expect.stringMatching(new RegExp(`/${alias}$`)) as string,
        detail: `is the same field as ${name}, but their values differ; send one of them`,
      },
    ]);
  });
});

describe('aliasedObject', () => {
  const schema = aliasedObject(
    { to: z.optional(z.string()), old: z.optional(z.string()), same: z.optional(z.string()) },
    { to: { name: 'target', isPreferred: false }, old: { name: 'new', isPreferred: true } },
  );

  it('returns the name under which a field was sent', () => {
    const sent = schema.parse({ target: '1', old: '2' });
    expect([sentName(sent, 'to'), sentName(sent, 'old'), sentName(sent, 'same')]).toEqual([
      'target',
      'old',
      'same',
    ]);
    expect(sentName({}, 'to')).toBe('to');
  });

  it('lists the documented names', () => {
    expect(listedNames(schema.shape)).toEqual(['to', 'new', 'same']);
  });

  it('marks the former name as deprecated', () => {
    const { properties } = z.toJSONSchema(schema);
    expect(properties).toMatchObject({
      target: { description: 'Same as `to`' },
      old: { description: 'Same as `new`', deprecated: true },
    });
    expect(properties!['target']).not.toHaveProperty('deprecated');
  });

  it('names a fault of a value by the name that was sent', () => {
    const { error } = bodyObject({ keep_newest: z.optional(z.int()) }).safeParse({ keepNewest: 'x' });
    expect(bodyErrors(error!.issues, [])).toEqual([
      { pointer: '/keepNewest', detail: 'a number is accepted' },
    ]);
  });
});

it('a query has no names in camelCase', () => {
  const route = routeOf({ documents: upgradePlanQuery, documentsBody: upgradePlanBody });
  expect(parseQuery(route, 'to=4.16&time_zone=UTC')).toEqual({ to: '4.16', time_zone: 'UTC' });
  expect(() => parseQuery(route, 'timeZone=UTC')).toThrow('timeZone: is not known');
});

describe('bodies', () => {
  const withBody: readonly Route[] = routes;
  const fieldsOf = ({ body, documents, documentsBody = documents }: Route): string[] => {
    const schema = (body ?? documentsBody)?.();
    const text = schema
      ? JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
      : '';
    return [
      ...text.matchAll(/"([a-z]+(?:_[a-z]+)+)":\{(?!"description":"Same as `\w+`","deprecated":true)/g),
    ].map(([, name]) => name!);
  };

  it.each(withBody.map((route) => [route.id, route] as const))(
    'of %s has no name with underscores that is not deprecated',
    (_id, route) => {
      expect(fieldsOf(route)).toEqual([]);
    },
  );
});
