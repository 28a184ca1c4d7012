import { matchesWildcard } from '../gateway/iam-policy.ts';

/** Permission that a request requires. */
export interface Demand {
  readonly action: string;
  readonly resource: string;
  /** Condition keys of the request, by name. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

/** Policy statement with names instead of references. */
export interface RoleStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** Permissions of a role, and which of them were needed. */
export class RolePolicy {
  readonly #statements: readonly RoleStatement[];
  readonly #needed = new Set<string>();

  constructor(statements: readonly RoleStatement[]) {
    this.#statements = statements;
  }

  /** Decides per statement like IAM: two statements cannot each allow a part of a request. */
  allows(demand: Demand): boolean {
    const applying = this.#statements.filter((statement) => applies(statement, demand));
    if (applying.some(({ Effect }) => Effect === 'Deny')) return false;
    for (const { Resource, Condition } of applying) {
      for (const resource of listOf(Resource).filter((one) => matchesWildcard(one, demand.resource))) {
        const keys = demand.context[LEADING_KEYS] ?? [];
        const partitions = partitionsOf(Condition).filter(
          (pattern) => pattern === ANY || keys.some((key) => matchesWildcard(pattern, key)),
        );
        for (const pattern of partitions) this.#needed.add(rightOf(demand.action, resource, pattern));
      }
    }
    return applying.length > 0;
  }

  /** Single permissions: one action on one resource and, for a table, one kind of partition. */
  granted(): readonly string[] {
    return this.#statements.flatMap(({ Action, Resource, Condition }) =>
      listOf(Action).flatMap((action) =>
        listOf(Resource).flatMap((resource) =>
          partitionsOf(Condition).map((pattern) => rightOf(action, resource, pattern)),
        ),
      ),
    );
  }

  /** Permissions that some request required. */
  get needed(): ReadonlySet<string> {
    return this.#needed;
  }
}

const LEADING_KEYS = 'dynamodb:LeadingKeys';
const ANY = '';

function applies({ Action, Resource, Condition = {} }: RoleStatement, demand: Demand): boolean {
  return (
    // Action names are case-insensitive, resource names are not.
    listOf(Action).some((one) => matchesWildcard(one.toLowerCase(), demand.action.toLowerCase())) &&
    listOf(Resource).some((one) => matchesWildcard(one, demand.resource)) &&
    Object.entries(Condition).every(([operator, keys]) => {
      const holds = OPERATORS[operator];
      if (!holds) throw new Error(`a condition that is not understood: ${operator}`);
      return Object.entries(keys).every(([key, patterns]) => holds(listOf(patterns), demand.context[key]));
    })
  );
}

type Operator = (patterns: readonly string[], values: readonly string[] | undefined) => boolean;

const isLike = (patterns: readonly string[], value: string): boolean =>
  patterns.some((pattern) => matchesWildcard(pattern, value));

const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: (texts, values) => values?.some((value) => texts.includes(value)) ?? false,
  StringLike: (patterns, values) => values?.some((value) => isLike(patterns, value)) ?? false,
  StringLikeIfExists: (patterns, values) => values?.some((value) => isLike(patterns, value)) ?? true,
  // A missing key also satisfies the condition.
  'ForAllValues:StringLike': (patterns, values) => values?.every((value) => isLike(patterns, value)) ?? true,
};

function partitionsOf(condition: RoleStatement['Condition']): readonly string[] {
  return listOf(condition?.['ForAllValues:StringLike']?.[LEADING_KEYS] ?? ANY);
}

/** Format: `dynamodb:GetItem table/cairn SYNC#*`, `s3:PutObject archive/uploads/*`. */
function rightOf(action: string, resource: string, partition: string): string {
  return `${action} ${resource.split(':').slice(5).join(':')} ${partition}`.trimEnd();
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
