import { TABLE } from '../../../functions/store/table.ts';
import { type AskedRequest, arnIn, type GuardedService, operationOf } from './asked-request.ts';
import type { Demand } from './role-policy.ts';

type Attributes = Readonly<Record<string, { readonly S?: string }>>;
interface TableInput {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeValues?: Attributes;
}
type BatchInput<Entry> = { readonly RequestItems: Readonly<Record<string, Entry>> };
type WriteRequest = {
  readonly PutRequest?: { readonly Item: Attributes };
  readonly DeleteRequest?: { readonly Key: Attributes };
};

/** DynamoDB: `LeadingKeys` are the partitions of a request. */
export const tableService: GuardedService = {
  demandsOf(request) {
    const operation = operationOf(request, 'DynamoDB_20120810');
    const read = operation === null ? undefined : OPERATIONS.get(operation);
    const places = read?.(JSON.parse(request.body.toString('utf8')) as never);
    if (!places) return null;
    const demands = places.map(({ table, index, partitions }): Demand | null => {
      const keys = partitions.filter((key) => key !== undefined);
      if (keys.length < partitions.length) return null;
      const resource = arnIn('dynamodb', `table/${table}${index === undefined ? '' : `/index/${index}`}`);
      return { action: `dynamodb:${operation}`, resource, context: { 'dynamodb:LeadingKeys': keys } };
    });
    return demands.every((demand) => demand !== null) ? demands : null;
  },
  refuse: (Message) => ({
    status: 400,
    type: 'application/x-amz-json-1.0',
    body: JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', Message }),
  }),
};

/** A repeated conditional write fails its own condition. */
export function isConditionalWrite({ body }: AskedRequest): boolean {
  return (JSON.parse(body.toString('utf8')) as TableInput).ConditionExpression !== undefined;
}

interface Place {
  readonly table: string;
  readonly index?: string | undefined;
  readonly partitions: readonly (string | undefined)[];
}

const partitionOf = (attributes: Attributes | undefined) => attributes?.[TABLE.partitionKey]?.S;
const byKey = ({ TableName, Key }: TableInput): readonly Place[] => [
  { table: TableName, partitions: [partitionOf(Key)] },
];

const OPERATIONS: ReadonlyMap<string, (input: never) => readonly Place[]> = new Map<
  string,
  (input: never) => readonly Place[]
>([
  ['GetItem', byKey],
  ['UpdateItem', byKey],
  ['DeleteItem', byKey],
  ['PutItem', ({ TableName, Item }: TableInput) => [{ table: TableName, partitions: [partitionOf(Item)] }]],
  [
    'Query',
    (input: TableInput) => [
      { table: input.TableName, index: input.IndexName, partitions: [queriedPartition(input)] },
    ],
  ],
  [
    'BatchGetItem',
    ({ RequestItems }: BatchInput<{ readonly Keys: readonly Attributes[] }>) =>
      Object.entries(RequestItems).map(([table, { Keys }]) => ({
        table,
        partitions: Keys.map(partitionOf),
      })),
  ],
  [
    'BatchWriteItem',
    ({ RequestItems }: BatchInput<readonly WriteRequest[]>) =>
      Object.entries(RequestItems).map(([table, writes]) => ({
        table,
        partitions: writes.map((write) => partitionOf(write.PutRequest?.Item ?? write.DeleteRequest?.Key)),
      })),
  ],
]);

/** Partition of a Query on the table or its index. */
function queriedPartition(input: TableInput): string | undefined {
  const { IndexName, KeyConditionExpression = '', ExpressionAttributeValues } = input;
  const key = IndexName === undefined ? TABLE.partitionKey : TABLE.index.partitionKey;
  const [name, equals, value = ''] = KeyConditionExpression.split(' ');
  return name === key && equals === '=' ? ExpressionAttributeValues?.[value]?.S : undefined;
}
