/** A queue on moto, in which a test finds what arrived. */
export interface MotoQueue {
  readonly arn: string;
  /** The bodies of all that is in it, each once. */
  receive(): Promise<readonly unknown[]>;
}

/** moto reads the service from here, and does not look at the signature. */
const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=moto/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=none';

export async function createQueue(awsUrl: string, QueueName: string): Promise<MotoQueue> {
  const ask = async <Answer>(operation: string, input: object): Promise<Answer> => {
    const response = await fetch(awsUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${operation}`,
        authorization: AUTHORIZATION,
      },
      body: JSON.stringify(input),
    });
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const { QueueUrl } = await ask<{ QueueUrl: string }>('CreateQueue', { QueueName });
  const { Attributes } = await ask<{ Attributes: { QueueArn: string } }>('GetQueueAttributes', {
    QueueUrl,
    AttributeNames: ['QueueArn'],
  });
  return {
    arn: Attributes.QueueArn,
    async receive() {
      const { Messages = [] } = await ask<{ Messages?: readonly { readonly Body: string }[] }>(
        'ReceiveMessage',
        { QueueUrl, MaxNumberOfMessages: 10 },
      );
      return Messages.map(({ Body }): unknown => JSON.parse(Body));
    },
  };
}
