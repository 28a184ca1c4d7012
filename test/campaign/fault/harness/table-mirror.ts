/** As DynamoDB's protocol spells values: only the kinds that keys have matter here. */
export interface AttributeText {
  readonly S?: string;
}
export type Item = Readonly<Record<string, AttributeText>>;

type WriteRequest = {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
};

/** The body of a call, as far as it is looked at. */
export interface TableInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly ScanIndexForward?: boolean;
  readonly ExclusiveStartKey?: Item;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeText>>;
  readonly RequestItems?: Readonly<
    Record<string, readonly WriteRequest[] | { readonly Keys: readonly Item[] }>
  >;
}

/** The parts of a batch: what is written, or the keys that are asked for. */
export function isWriteBatch(
  part: readonly WriteRequest[] | { readonly Keys: readonly Item[] },
): part is readonly WriteRequest[] {
  return Array.isArray(part);
}

export function keyText(item: Item): string {
  return `${item['pk']?.S}|${item['sk']?.S}`;
}

/** What a call wrote: the item, null where one went, and `unknown` where the call does not tell. */
export function writesOf(
  operation: string,
  input: TableInput,
): readonly { readonly key: Item; readonly item: Item | null | 'unknown' }[] {
  if (operation === 'PutItem') return [{ key: keyIn(input.Item!), item: input.Item! }];
  if (operation === 'DeleteItem') return [{ key: input.Key!, item: null }];
  if (operation === 'UpdateItem') return [{ key: input.Key!, item: 'unknown' }];
  return Object.values(input.RequestItems ?? {}).flatMap((part) =>
    (part as readonly WriteRequest[]).map(({ PutRequest, DeleteRequest }) =>
      PutRequest
        ? { key: keyIn(PutRequest.Item), item: PutRequest.Item }
        : { key: DeleteRequest!.Key, item: null },
    ),
  );
}

interface Image {
  readonly write: number;
  readonly item: Item | null;
}

/** What tables held before each of their writes, for reads of a replica that lags. */
export class TableMirror {
  readonly #tables = new Map<string, { writes: number; readonly images: Map<string, Image[]> }>();

  note(table: string, key: Item, item: Item | null): void {
    const known = this.#tables.get(table) ?? { writes: 0, images: new Map<string, Image[]>() };
    this.#tables.set(table, known);
    const images = known.images.get(keyText(key)) ?? [];
    known.images.set(keyText(key), images);
    images.push({ write: ++known.writes, item });
  }

  forget(table: string): void {
    this.#tables.delete(table);
  }

  /** The answer to a read as it was before the last so many writes; null where the mirror cannot tell. */
  answer(operation: string, input: TableInput, behind: number): object | null {
    const known = this.#tables.get(input.TableName!);
    if (!known) return null;
    const then = known.writes - behind;
    const imageOf = (images: readonly Image[]) => images.findLast(({ write }) => write <= then)?.item ?? null;
    if (operation === 'GetItem') {
      const images = known.images.get(keyText(input.Key!));
      const item = images ? imageOf(images) : null;
      return item === null ? {} : { Item: item };
    }
    const items = [...known.images.values()].map(imageOf).filter((item) => item !== null);
    return queryItems(items, input);
  }
}

/** The conditions that the product's queries have, and no others. */
function queryItems(items: readonly Item[], input: TableInput): object | null {
  const values = input.ExpressionAttributeValues ?? {};
  const isIndex = input.IndexName !== undefined;
  const [partitionKey, sortKey] = isIndex ? (['gsi1pk', 'gsi1sk'] as const) : (['pk', 'sk'] as const);
  const partition = (values[':partition'] ?? values[':list'])?.S;
  if (partition === undefined || input.ProjectionExpression !== undefined) return null;
  const from = values[':from']?.S;
  const after = values[':after']?.S;
  const isForward = input.ScanIndexForward !== false;
  const start = input.ExclusiveStartKey?.[sortKey]?.S;
  const sortOf = (item: Item) => item[sortKey]?.S ?? '';
  const found = items
    .filter((item) => item[partitionKey]?.S === partition)
    .filter(
      (item) => (from === undefined || sortOf(item) >= from) && (after === undefined || sortOf(item) > after),
    )
    .filter((item) => start === undefined || (isForward ? sortOf(item) > start : sortOf(item) < start))
    .toSorted((a, b) => (sortOf(a) < sortOf(b) ? -1 : 1) * (isForward ? 1 : -1));
  const page = found.slice(0, input.Limit ?? found.length);
  const last = page.at(-1);
  const key = last && {
    ...keyIn(last),
    ...(isIndex && { gsi1pk: last['gsi1pk']!, gsi1sk: last['gsi1sk']! }),
  };
  return { Items: page, Count: page.length, ...(page.length < found.length && { LastEvaluatedKey: key }) };
}

function keyIn(item: Item): Item {
  return { pk: item['pk']!, sk: item['sk']! };
}
