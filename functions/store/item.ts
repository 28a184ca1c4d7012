import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Of an item: no later run than the one with `:token` has claimed it. */
export const NOT_FENCED = '(attribute_not_exists(fence) OR fence <= :token)';

/** False when the write was kept out by its condition. */
export async function unlessFenced(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
