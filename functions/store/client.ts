import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { CLIENT_SETTINGS, requestHandler } from './client-settings.ts';

export function createTableClient(maxAttempts: number, overrides: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({
    ...CLIENT_SETTINGS,
    requestHandler: requestHandler(),
    maxAttempts,
    ...overrides,
  });
}
