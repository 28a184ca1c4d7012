/**
 * Calls `work` for each item in order, at most `limit` at once. After an error it goes on with the others and then throws
 * the first one by order of items: work that is still under way when a Lambda returns freezes and resumes in a later invocation.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  if (!(limit >= 1)) throw new RangeError(`at least 1 must run at once, not ${limit}`);
  const results: Result[] = [];
  let first: { readonly index: number; readonly error: unknown } | null = null;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      try {
        results[index] = await work(items[index]!);
      } catch (error) {
        if (first === null || index < first.index) first = { index, error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (first !== null) throw (first as { readonly error: unknown }).error;
  return results;
}
