import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';

/** Puts other code in the place of a command of a client, which may carry it out by `next`, otherwise or not at all. */
export function wrapCommand<Input, Output>(
  client: S3Client | DynamoDBClient,
  command: string,
  change: (input: Input, next: (input: Input) => Promise<Output>) => Promise<Output>,
): void {
  // Both have the same middleware but for the types of their commands.
  (client as S3Client).middlewareStack.add(
    (next, context) => async (call) => {
      if (context.commandName !== command) return next(call);
      let response: unknown;
      const output = await change(call.input as Input, async (input) => {
        const result = await next({ ...call, input: input as typeof call.input });
        response = result.response;
        return result.output as Output;
      });
      return { output: output as never, response };
    },
    { step: 'initialize' },
  );
}

/** Of any job: a slot that is done stops every earlier one, also when a wrong clock wrote it. */
export function respectFutureSlots(client: DynamoDBClient): void {
  wrapCommand<UpdateItemCommandInput, object>(client, 'UpdateItemCommand', (input, next) => {
    const { ConditionExpression = '', ExpressionAttributeValues: { ':future': future, ...values } = {} } =
      input;
    if (future === undefined) return next(input);
    return next({
      ...input,
      ConditionExpression: ConditionExpression.replace(' OR finishedSlot > :future', ''),
      ExpressionAttributeValues: values,
    });
  });
}
