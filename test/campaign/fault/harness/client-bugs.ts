import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import { wrapCommand } from '../../../helpers/wrap-command.ts';

type Key = Readonly<Record<string, AttributeValue>>;

/** Writes and deletes what is meant whatever is there by then. */
export function dropCondition(
  client: DynamoDBClient,
  command: 'PutItemCommand' | 'DeleteItemCommand',
  isMeant: (key: Key) => boolean = () => true,
): void {
  wrapCommand(client, command, (input, next) => {
    const { ConditionExpression: _condition, ExpressionAttributeValues: _values, ...rest } = input;
    return next(isMeant(input.Item ?? input.Key!) ? rest : input);
  });
}

/** A write that fails its condition is never taken for one whose answer was lost: the lease read back is of another. */
export function loseLease(client: DynamoDBClient, isLease: (key: Key) => boolean): void {
  wrapCommand(client, 'GetItemCommand', async (input, next) => {
    const output = await next(input);
    return isLease(input.Key!) && output.Item
      ? { ...output, Item: { ...output.Item, leaseOwner: { S: 'another' }, token: { N: '0' } } }
      : output;
  });
}

/** A finished slot blocks every earlier one, even if a wrong clock wrote it. */
export function respectFutureSlots(client: DynamoDBClient): void {
  wrapCommand(client, 'UpdateItemCommand', (input, next) => {
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

/** Changes the pages of listings; `prefix` is what the listing asks for. */
export function changePages(
  s3: S3Client,
  change: (page: ListObjectsV2CommandOutput, prefix: string) => ListObjectsV2CommandOutput,
): void {
  wrapCommand(s3, 'ListObjectsV2Command', async (input, next) =>
    change(await next(input), input.Prefix ?? ''),
  );
}

/** Objects of a page as if they were written so many milliseconds later. */
export function shiftPage(page: ListObjectsV2CommandOutput, ms: number): ListObjectsV2CommandOutput {
  const shift = (time: Date) => new Date(time.getTime() + ms);
  const Contents = page.Contents?.map((object) => ({ ...object, LastModified: shift(object.LastModified!) }));
  return { ...page, Contents };
}
