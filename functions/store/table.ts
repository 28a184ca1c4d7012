import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The one table: infra creates it, the local run creates it, the store reads and writes it. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Sparse: only items that need a second order carry its keys. */
  index: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
} as const;

/** Where the items are: handed to every store function, so that tests choose engine and table. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/** The definition as the engines of the local run and of the tests take it. */
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
