import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const ANSWER_MS = 5000;

/**
 * Settings of every AWS client. Timeouts are far below the Lambda timeout, so that a hanging call is retried.
 * Returns a new object per client, because the SDK marks it.
 */
export function clientSettings(maxAttempts: number, answerMs = ANSWER_MS) {
  return {
    // Explicit values keep the SDK from reading profile files, which a Lambda does not have.
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    maxAttempts,
    requestHandler: {
      connectionTimeout: 1000,
      // Until the response starts.
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      // Without a byte, for example in the middle of a response.
      socketTimeout: answerMs,
    },
  } as const;
}

export function createTableClient(maxAttempts: number, overrides: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({ ...clientSettings(maxAttempts), ...overrides });
}
