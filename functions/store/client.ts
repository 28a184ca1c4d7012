import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** A client whose time-outs are far below a Lambda's own, so that a hanging call is tried again rather than ending the run. */
export function createTableClient(maxAttempts: number, overrides: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
    ...overrides,
  });
}
