import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';

/** Replaces a command of a client. The code can call `next`, change the call, or skip it. */
export function wrapCommand<Input, Output>(
  client: S3Client | DynamoDBClient,
  command: string,
  change: (input: Input, next: (input: Input) => Promise<Output>) => Promise<Output>,
): void {
  // Both clients have the same middleware except for the command types.
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

/** Plants a fault: a finished slot blocks every earlier one, even if a wrong clock wrote it. */
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
