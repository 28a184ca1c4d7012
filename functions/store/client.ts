import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** A client whose time-outs are far below a Lambda's own, so that a hanging call is tried again rather than ending the run. */
export function createTableClient(maxAttempts: number, overrides: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts,
    // Said here, the SDK does not look for them in profile files, which a Lambda does not have.
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
    ...overrides,
  });
}
