import { PutItemCommand, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { deleteRevised } from '../store/item.ts';
import { sequenceOf, reportedKey, dueListKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** That a cluster reported. It is written before the report is: `revision` is the one that the report is to have. */
export interface ReportMark {
  readonly revision: string;
  readonly at: string;
}

/**
 * Has the cluster looked at soon. A writer that stalled never takes the place of the mark of a later one, which is not there
 * yet: whoever looks would take that mark for settled. Its own write can't succeed any more.
 */
export async function markReported(table: Table, id: string, { revision, at }: ReportMark): Promise<void> {
  const sequence = sequenceOf(revision);
  const item = { ...reportedKey(id), ...dueListKey(id, at), revision, at, sequence };
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall(item),
        ConditionExpression: 'attribute_not_exists(#sequence) OR #sequence <= :sequence',
        ExpressionAttributeNames: { '#sequence': 'sequence' },
        ExpressionAttributeValues: marshall({ ':sequence': sequence }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Takes the mark away, unless another report has set it anew. */
export async function unmarkReported(table: Table, id: string, mark: ReportMark): Promise<void> {
  await deleteRevised(table, reportedKey(id), mark);
}
