import { type ReadTemplate } from './template.ts';

/** A permission in the words of the table in docs/security.md. */
export interface Right {
  readonly role: string;
  readonly action: string;
  readonly on: string;
  /** Empty without a condition. */
  readonly only: string;
}

/** Names of constructs in that table. */
const ROLES: readonly (readonly [path: string, name: string])[] = [
  ['QueryRole', 'query'],
  ['ManageRole', 'manage'],
  ['SyncReleasesRole', 'sync-releases'],
  ['WatchRole', 'watch'],
  ['FollowFleetRole', 'follow-fleet'],
  ['Pruning/RunPrunerRole', 'run-pruner'],
  ['Sync/Role', 'schedule of sync-releases'],
  ['WatchSchedule/Role', 'schedule of watch'],
  ['FleetSchedule/Role', 'schedule of follow-fleet'],
  ['Pruning/Role', 'schedules of run-pruner'],
];

const RESOURCES: readonly (readonly [path: string, name: string])[] = [
  ['Table', 'table'],
  ['Bucket', 'bucket'],
  ['Events', 'event bus'],
  ['Sync/UndeliveredQueue', 'queue of undelivered runs'],
  ['Sync/FailedRunQueue', 'queue of failed runs'],
  ['SyncReleases', 'function sync-releases'],
  ['Watch', 'function watch'],
  ['FollowFleet', 'function follow-fleet'],
  ['Pruning/RunPruner', 'function run-pruner'],
  ['Sync/Role', 'role of the schedule of sync-releases'],
  ['Pruning/Role', 'role of the schedules of run-pruner'],
];

type Statement = Readonly<Record<'Effect' | 'Action' | 'Resource' | 'Condition', unknown>>;

/** All permissions of the roles, one action on one resource each. */
export function rightsOf(template: ReadTemplate): Right[] {
  const { ofType, statementsOf, resources } = template;
  const paths = new Map(Object.entries(template.paths));
  for (const [id, { Type, Properties }] of Object.entries(resources)) {
    if (givesRightsUnseen(Type, Properties ?? {}))
      throw new Error(
        `${paths.get(id) ?? id} is of type ${Type} and gives rights which the table does not show`,
      );
  }
  return ofType('AWS::IAM::Role').flatMap(({ id, properties }) => {
    const path = paths.get(id) ?? id;
    const role = named(ROLES, path);
    for (const wider of ['ManagedPolicyArns', 'Policies'] as const) {
      if (properties[wider] !== undefined)
        throw new Error(`${path} has ${wider}, which the table does not show`);
    }
    return statementsOf(id).flatMap((statement: Statement) => {
      if (statement.Effect !== 'Allow') throw new Error(`${path} has a statement that is no Allow`);
      const only = describeCondition(statement.Condition);
      return listOf(statement.Action).flatMap((action) =>
        listOf(statement.Resource).map((resource) => ({
          role,
          action: String(action),
          on: describeResource(resource, path, paths),
          only,
        })),
      );
    });
  });
}

/** Finds permissions outside of role policies, which are not read here. */
function givesRightsUnseen(type: string, properties: object): boolean {
  const isAttachedTo = (...kinds: readonly string[]) => kinds.some((kind) => kind in properties);
  switch (type) {
    case 'AWS::IAM::Policy':
      return isAttachedTo('Users', 'Groups');
    case 'AWS::IAM::ManagedPolicy':
      return isAttachedTo('Roles', 'Users', 'Groups');
    default:
      return /^AWS::IAM::(?:RolePolicy|User|UserPolicy|Group|GroupPolicy)$/.test(type);
  }
}

function named(names: readonly (readonly [string, string])[], path: string): string {
  const found = names.find(([name]) => name === path);
  if (!found) throw new Error(`${path} has no name in test/helpers/template/rights.ts`);
  return found[1];
}

function describeResource(resource: unknown, rolePath: string, paths: ReadonlyMap<string, string>): string {
  const text = arnText(resource, (id) => {
    const path = paths.get(id) ?? id;
    return path === rolePath.replace(/Role$/, 'Logs') ? 'its log' : named(RESOURCES, path);
  });
  return text
    .replace('table/index/gsi1', 'index')
    .replace('arn:scheduler:schedule/<stack>/*', 'schedules of the stack')
    .replace(/^arn:s3:registry(?=\/|$)/, 'registry bucket')
    .replace(/^arn:aws:iam::\d+:role\/.*$/, 'role of a registry bucket');
}

/** `arn:<service>:<name>`, without partition, region and account, which are those of the stack. */
function arnText(value: unknown, nameOf: (logicalId: string) => string): string {
  if (typeof value === 'string') return value;
  const {
    'Fn::GetAtt': attribute,
    'Fn::Join': join,
    Ref: reference,
  } = value as {
    readonly 'Fn::GetAtt'?: readonly [string, string];
    readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
    readonly Ref?: string;
  };
  if (attribute) return nameOf(attribute[0]);
  if (reference === 'AWS::StackName') return '<stack>';
  if (reference !== undefined) return reference.startsWith('AWS::') ? '' : nameOf(reference);
  if (!join) throw new Error(`a resource that is not understood: ${JSON.stringify(value)}`);
  return join[1]
    .map((part) => arnText(part, nameOf))
    .join(join[0])
    .replaceAll(/:{2,}/g, ':');
}

const CONDITIONS: Readonly<Record<string, (value: unknown) => string>> = {
  'ForAllValues:StringLike dynamodb:LeadingKeys': (keys) =>
    `partitions ${listOf(keys)
      .map((key) => String(key).replace(/\*$/, '…'))
      .join(', ')}`,
  'StringLike s3:prefix': (prefix) => `below ${String(prefix).replace(/\*$/, '')}`,
  'StringLikeIfExists s3:prefix': (prefix) => `below ${String(prefix).replace(/\*$/, '')}, or all names`,
  'StringEquals iam:PassedToService': (service) => `to ${String(service)}`,
};

function describeCondition(condition: unknown): string {
  return Object.entries((condition ?? {}) as Record<string, Record<string, unknown>>)
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, value]) => {
        const describe = CONDITIONS[`${operator} ${key}`];
        if (!describe) throw new Error(`a condition that is not understood: ${operator} ${key}`);
        return describe(value);
      }),
    )
    .join('; ');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Table rows, grouped by role, resources and condition. */
export function rightsTable(rights: readonly Right[]): string[] {
  const rows = Map.groupBy(rights, ({ role, on, only }) => `${role}|${on}|${only}`);
  return Array.from(rows.values(), (row) => {
    const { role, on, only } = row[0]!;
    const actions = [...new Set(row.map(({ action }) => `\`${action}\``))].toSorted().join(', ');
    // Markdown would read asterisks as emphasis.
    const place = on.includes('*') ? `\`${on}\`` : on;
    return `| \`${role}\` | ${actions} | ${place} | ${only} |`;
  });
}
