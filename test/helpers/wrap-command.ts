import type * as dynamodb from '@aws-sdk/client-dynamodb';
import type * as s3 from '@aws-sdk/client-s3';

type Commands = typeof dynamodb & typeof s3;
type CommandName = keyof Commands & `${string}Command`;
type CommandOf<Name extends CommandName> = Commands[Name] extends new (input: infer Input) => {
  resolveMiddleware(...parameters: never): (call: never) => Promise<{ output: infer Output }>;
}
  ? { readonly input: Input; readonly output: Output }
  : never;

/** Names each command that a client is about to send. */
export function watchCommands(
  client: s3.S3Client | dynamodb.DynamoDBClient,
  seen: (commandName: string) => void,
): void {
  (client as s3.S3Client).middlewareStack.add(
    (next, { commandName = 'unknown' }) =>
      (call) => {
        seen(commandName);
        return next(call);
      },
    { step: 'initialize', priority: 'low' },
  );
}

/** Replaces a command of a client. The code can call `next`, change the call, or skip it. */
export function wrapCommand<Name extends CommandName>(
  client: s3.S3Client | dynamodb.DynamoDBClient,
  command: Name,
  change: (
    input: CommandOf<Name>['input'],
    next: (input: CommandOf<Name>['input']) => Promise<CommandOf<Name>['output']>,
  ) => Promise<Omit<CommandOf<Name>['output'], '$metadata'>>,
): void {
  // Both clients have the same middleware except for the command types.
  (client as s3.S3Client).middlewareStack.add(
    (next, context) => async (call) => {
      if (context.commandName !== command) return next(call);
      let response: unknown;
      const output = await change(call.input, async (input) => {
        const result = await next({ ...call, input: input as typeof call.input });
        response = result.response;
        return result.output;
      });
      return { output: output as never, response };
    },
    { step: 'initialize' },
  );
}
