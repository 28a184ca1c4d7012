import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_KEY } from '../../../../functions/store/keys.ts';
import { PROJECT_ROOT } from '../../../../infra/aws/bundling/options.ts';
import type { DeploySettings } from '../../../../infra/aws/settings/settings.ts';
import { type Right, rightsOf, rightsTable } from '../../../helpers/template/rights.ts';
import { readTemplate, templateOf } from '../../../helpers/template/template.ts';

/** Whatever could bring a right with it is on. */
const EVERYTHING: Partial<DeploySettings> = {
  access: { publicReleaseData: 'graph' },
  alarms: { email: ['ops@example.com'] },
  news: { email: ['ops@example.com'], windowHours: 24, digestAbove: 10 },
  cloudFront: true,
  domain: {
    name: 'cairn.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/a',
    hostedZoneId: 'Z01',
  },
  registryBuckets: [
    { bucket: 'registry', prefix: 'prod' },
    { bucket: 'elsewhere', prefix: '', roleArn: 'arn:aws:iam::210987654321:role/registry' },
  ],
};

/** The rows of the table in the document, each action on each place by itself. */
function documentedRights(): string[] {
  const document = readFileSync(join(PROJECT_ROOT, 'docs/security.md'), 'utf8');
  const section = document.split('\n## Roles of the functions\n')[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => {
    const [role = '', actions = '', on = '', only = ''] = row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll(/(?<=\W|^)`|`(?=\W|$)|\\/g, ''));
    return actions.split(', ').map((action) => asText({ role, action, on, only }));
  });
}

function asText({ role, action, on, only }: Right): string {
  return `${role}: ${action} on ${on}${only === '' ? '' : ` (${only})`}`;
}

const fewest = await templateOf();

describe('the rights of the roles', async () => {
  const rights = rightsOf(await templateOf(EVERYTHING));
  const table = rightsTable(rights).join('\n');

  it('are those of the table in docs/security.md, no more and no less', () => {
    const documented = documentedRights();
    const granted = [...new Set(rights.map(asText))];
    expect(documented.length).toBeGreaterThan(50);
    expect(
      {
        grantedOnly: granted.filter((right) => !documented.includes(right)),
        documentedOnly: documented.filter((right) => !granted.includes(right)),
      },
      `the table would be:\n${table}\n`,
    ).toEqual({ grantedOnly: [], documentedOnly: [] });
  });

  it('are fewer, never others, with fewer settings', async () => {
    const all = new Set(rights.map(asText));
    const fewer = rightsOf(fewest).map(asText);
    expect(fewer.filter((right) => !all.has(right))).toEqual([]);
    expect(fewer.filter((right) => right.includes('registry') || right.includes('sts:'))).toEqual([]);
  });

  const PolicyDocument = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: '*' }],
  };
  const named = { PolicyName: 'more', PolicyDocument };

  it.each<[type: string, to: string, properties: object]>([
    ['ManagedPolicy', 'roles', { PolicyDocument, Roles: ['query'] }],
    ['ManagedPolicy', 'users', { PolicyDocument, Users: ['anna'] }],
    ['ManagedPolicy', 'groups', { PolicyDocument, Groups: ['ops'] }],
    ['Policy', 'users', { ...named, Users: ['anna'] }],
    ['Policy', 'groups', { ...named, Groups: ['ops'] }],
    ['RolePolicy', 'a role', { ...named, RoleName: 'query' }],
    ['UserPolicy', 'a user', { ...named, UserName: 'anna' }],
    ['GroupPolicy', 'a group', { ...named, GroupName: 'ops' }],
    ['User', 'itself', {}],
    ['Group', 'itself', {}],
  ])('are not given past the table, by a %s to %s', (type, _to, properties) => {
    const { json, ...rest } = fewest;
    const Planted = { Type: `AWS::IAM::${type}`, Properties: properties };
    const planted = readTemplate({ ...rest, json: { ...json, Resources: { ...json.Resources, Planted } } });
    expect(() => rightsOf(planted)).toThrow(`Planted is of type AWS::IAM::${type} and gives rights`);
  });

  it('never take in all actions, all places, or an end of what keeps data safe', () => {
    const { actions, places } = {
      actions: rights.map(({ action }) => action),
      places: rights.map(({ on }) => on),
    };
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    expect(places.filter((place) => /^\*|:\*$/.test(place))).toEqual([]);
    const forbidden =
      /:(?:Scan|DeleteTable|UpdateTable|DeleteBucket|PutBucket\w*|UpdateContinuousBackups|PutRolePolicy|CreateRole)$/;
    expect(actions.filter((action) => forbidden.test(action))).toEqual([]);
  });

  it('let only who sets the webhook and who posts to it see its address', () => {
    const isWithin = (partition: string) =>
      partition.endsWith('…')
        ? WEBHOOK_KEY.pk.startsWith(partition.slice(0, -1))
        : partition === WEBHOOK_KEY.pk;
    const ofTable = rights.filter(({ action }) => action.startsWith('dynamodb:'));
    const partitionsOf = ({ only }: Right) => only.replace(/^partitions /, '').split(', ');
    expect(ofTable.filter(({ only }) => !only.startsWith('partitions '))).toEqual([]);
    const reaching = ofTable.filter((right) => partitionsOf(right).some(isWithin));
    expect(reaching.map(({ role, action }) => `${role}: ${action}`).toSorted()).toEqual([
      'follow-fleet: dynamodb:GetItem',
      'manage: dynamodb:DeleteItem',
      'manage: dynamodb:GetItem',
      'manage: dynamodb:PutItem',
    ]);
  });

  it('let only the pruner touch what registries keep', () => {
    const touching = rights.filter(
      ({ action, on }) => on.startsWith('registry bucket') && !/List|GetBucket/.test(action),
    );
    expect([...new Set(touching.map(({ role }) => role))]).toEqual(['run-pruner']);
    expect(rights.filter(({ action }) => action === 'sts:AssumeRole').map(({ role }) => role)).toEqual([
      'run-pruner',
    ]);
  });
});
