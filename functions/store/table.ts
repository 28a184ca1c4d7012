import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The single table of the CDK stack, the local run and the store. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Sparse: only items that need a second order have its keys. */
  index: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
} as const;

/** Passed to every store function, so that tests choose engine and table. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/** Table definition for the local run and tests. */
export function createTableInput(name: string): CreateTableCommandInput {
  const { partitionKey, sortKey, index } = TABLE;
  const keys = [partitionKey, sortKey, index.partitionKey, index.sortKey];
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: index.name,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  };
}
