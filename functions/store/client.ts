import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const ANSWER_MS = 5000;

/**
 * What every client of AWS is told. Time-outs are far below a Lambda's own, so that a hanging call is tried again rather
 * than ending the run. A new one for each client, because the SDK marks the object it is given.
 */
export function clientSettings(maxAttempts: number, answerMs = ANSWER_MS) {
  return {
    // Said here, the SDK does not look for them in profile files, which a Lambda does not have.
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    maxAttempts,
    requestHandler: {
      connectionTimeout: 1000,
      // Until the answer begins.
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      // Without a byte, such as in the middle of an answer.
      socketTimeout: answerMs,
    },
  } as const;
}

export function createTableClient(maxAttempts: number, overrides: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({ ...clientSettings(maxAttempts), ...overrides });
}
