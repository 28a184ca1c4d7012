import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodyKey, publicationPartition, revisionOf } from '../../../../functions/store/keys.ts';
import { PublicationCache } from '../../../../functions/store/publication-cache.ts';
import {
  claim,
  remove,
  isOfLaterRun,
  type PublicationDraft,
  publish,
  PUBLICATION,
  readPublished,
  readHead,
  readHeads,
} from '../../../../functions/store/published.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { dumpTable, newTable, tableEngines } from '../../../helpers/table/table.ts';

function draft(name: string, fence: number, sequence: number, body: Uint8Array): PublicationDraft {
  const revision = revisionOf(fence, sequence);
  return {
    name,
    revision,
    etag: revision,
    publishedAt: '2026-01-01T00:00:00.000Z',
    summary: { nodes: 1 },
    body,
  };
}

/** Publishes over what is there. */
const publishNext = async (table: Table, next: PublicationDraft) =>
  publish(table, PUBLICATION, next, await readPublished(table, PUBLICATION, next.name));

const small = (text: string) => gzipSync(JSON.stringify(text));

describe.each(tableEngines)('publications on $name', ({ url }) => {
  let table: Table;
  beforeAll(async () => {
    table = await newTable(url);
  });
  const bodies = async (name: string) =>
    (await dumpTable(table))
      .filter((item) => item['pk'] === `DOC#${name}` && item['sk'] !== '!HEAD')
      .map((item) => item['sk']);

  it('publishes and reads back a body of several chunks', async () => {
    const body = randomBytes(900 * 1024);
    const outcome = await publishNext(table, draft('large', 1, 1, body));
    expect(outcome.published).toBe(true);
    const stored = await readPublished(table, PUBLICATION, 'large');
    expect(stored.head).toMatchObject({ name: 'large', chunks: 3, previous: null, summary: { nodes: 1 } });
    expect(Buffer.from(stored.body!).equals(body)).toBe(true);
    expect((await readHeads(table, ['large', 'nothing'])).get('large')).toEqual(stored.head);
  });

  it('keeps the body before the current one for readers under way, and removes older ones', async () => {
    for (const sequence of [1, 2, 3]) {
      await publishNext(table, draft('flap', 1, sequence, small(`${sequence}`)));
    }
    expect(await bodies('flap')).toEqual([
      bodyKey(publicationPartition('flap'), revisionOf(1, 2), 0).sk,
      bodyKey(publicationPartition('flap'), revisionOf(1, 3), 0).sk,
    ]);
  });

  it('lets only one of two publishers that started from the same document win', async () => {
    const before = await readPublished(table, PUBLICATION, 'race');
    const [first, second] = await Promise.all([
      publish(table, PUBLICATION, draft('race', 1, 1, small('first')), before),
      publish(table, PUBLICATION, draft('race', 2, 1, small('second')), before),
    ]);
    expect([first.published, second.published].filter(Boolean)).toHaveLength(1);
    const loser = first.published ? second : first;
    expect(loser.head?.revision).toBe((await readHead(table, 'race', { consistent: true }))?.revision);
  });

  it('refuses a stalled run whose token is older than the head', async () => {
    await publishNext(table, draft('fenced', 5, 1, small('new')));
    const current = await readPublished(table, PUBLICATION, 'fenced');
    const stalled = await publish(table, PUBLICATION, draft('fenced', 4, 9, small('old')), current);
    expect(stalled).toEqual({ published: false, head: current.head, written: [] });
    expect(await readPublished(table, PUBLICATION, 'fenced')).toEqual(current);
  });

  it('takes its own write for done when the answer was lost', async () => {
    const before = await readPublished(table, PUBLICATION, 'acked');
    await publish(table, PUBLICATION, draft('acked', 1, 1, small('x')), before);
    const again = await publish(table, PUBLICATION, draft('acked', 1, 1, small('x')), before);
    expect(again.published).toBe(true);
  });

  it('collects bodies that a crash before the flip left behind', async () => {
    const orphan = { ...bodyKey(publicationPartition('crashed'), revisionOf(1, 7), 0), body: small('lost') };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall(orphan) }));
    await publishNext(table, draft('crashed', 2, 1, small('good')));
    expect(await bodies('crashed')).toEqual([
      bodyKey(publicationPartition('crashed'), revisionOf(2, 1), 0).sk,
    ]);
  });

  it('says so when chunks of the current body are gone', async () => {
    await publishNext(table, draft('torn', 1, 1, small('x')));
    const head = (await dumpTable(table)).find(
      (item) => item['pk'] === 'DOC#torn' && item['sk'] === '!HEAD',
    )!;
    await table.client.send(
      new PutItemCommand({ TableName: table.name, Item: marshall({ ...head, chunks: 2 }) }),
    );
    await expect(readPublished(table, PUBLICATION, 'torn')).rejects.toThrow('1 of 2 chunks');
  });

  it('deletes a document whole', async () => {
    await publishNext(table, draft('gone', 1, 1, small('x')));
    await remove(table, 'gone', 1);
    expect(await readPublished(table, PUBLICATION, 'gone')).toEqual({ head: null, body: null, bodyKeys: [] });
    expect(await remove(table, 'gone', 1)).toBe(true);
  });

  it('leaves a document alone that is published while it is being deleted', async () => {
    await publishNext(table, draft('kept', 1, 1, small('x')));
    const before = await readPublished(table, PUBLICATION, 'kept');
    let isPublished = false;
    // Between its look and its deletion.
    table.client.middlewareStack.add((next, context) => async (args) => {
      if (context.commandName === 'DeleteItemCommand' && !isPublished) {
        isPublished = true;
        await publish(table, PUBLICATION, draft('kept', 2, 1, small('y')), before);
      }
      return next(args);
    });
    expect(await remove(table, 'kept', 1)).toBe(false);
    expect((await readPublished(table, PUBLICATION, 'kept')).head?.revision).toBe(revisionOf(2, 1));
  });

  it('leaves a publication alone that a later run has published before it is read', async () => {
    await publishNext(table, draft('later', 2, 1, small('x')));
    expect(await remove(table, 'later', 1)).toBe(false);
    expect((await readPublished(table, PUBLICATION, 'later')).body).not.toBeNull();
  });

  it('leaves a document alone that a later run has claimed as it is', async () => {
    await publishNext(table, draft('claimed', 1, 1, small('x')));
    const { head } = await readPublished(table, PUBLICATION, 'claimed');
    expect(await claim(table, head!, 3)).toBe(true);
    expect(await claim(table, head!, 2)).toBe(false);
    expect(await remove(table, 'claimed', 2)).toBe(false);
    expect(await readPublished(table, PUBLICATION, 'claimed')).toMatchObject({
      head: { ...head, fence: 3 },
      bodyKeys: [{}],
    });
    expect(await remove(table, 'claimed', 3)).toBe(true);
    expect(await claim(table, head!, 4)).toBe(false);
    expect(await dumpTable(table)).not.toContainEqual(expect.objectContaining({ pk: 'DOC#claimed' }));
  });

  it('lets no earlier run replace what a later one has claimed as it is', async () => {
    await publishNext(table, draft('guarded', 1, 1, small('x')));
    const before = await readPublished(table, PUBLICATION, 'guarded');
    expect(await claim(table, before.head!, 3)).toBe(true);
    const outcome = await publish(table, PUBLICATION, draft('guarded', 2, 1, small('y')), before);
    expect(outcome).toMatchObject({ published: false, head: { revision: revisionOf(1, 1), fence: 3 } });
    expect([2, 3].map((token) => isOfLaterRun(outcome.head!, token))).toEqual([true, false]);
    const later = await publish(table, PUBLICATION, draft('guarded', 4, 1, small('z')), before);
    expect(later).toMatchObject({ published: true });
    expect((await readPublished(table, PUBLICATION, 'guarded')).head).not.toHaveProperty('fence');
  });

  it('leaves the body alone that a later run is about to publish', async () => {
    const [before, later] = [
      await readPublished(table, PUBLICATION, 'late'),
      draft('late', 2, 1, small('y')),
    ];
    const deletions: boolean[] = [];
    // Between its body and its head.
    table.client.middlewareStack.add((next, context) => async (args) => {
      const { Item } = args.input as { Item?: { sk: { S: string } } };
      if (context.commandName === 'PutItemCommand' && Item?.sk.S === '!HEAD') {
        deletions.push(await remove(table, 'late', 1));
      }
      return next(args);
    });
    expect(await publish(table, PUBLICATION, later, before)).toMatchObject({ published: true });
    expect((await readPublished(table, PUBLICATION, 'late')).head?.revision).toBe(revisionOf(2, 1));
    expect(deletions).toEqual([true]);
  });
});

describe('publication cache', () => {
  const publishDoc = async (table: Table, fence: number, text: string) =>
    publishNext(table, draft('doc', fence, 1, small(text)));

  /** Counts what reaches the table, by operation. */
  function countCalls(table: Table): Map<string, number> {
    const calls = new Map<string, number>();
    table.client.middlewareStack.add((next, context) => async (args) => {
      const name = context.commandName ?? '';
      calls.set(name, (calls.get(name) ?? 0) + 1);
      return next(args);
    });
    return calls;
  }

  it('reads nothing inside the trust window, revalidates after it, and reads a new revision once', async () => {
    const table = await newTable();
    await publishDoc(table, 1, 'one');
    let now = 0;
    const cache = new PublicationCache(table, () => now);
    const calls = countCalls(table);
    const values = await Promise.all([cache.get('doc'), cache.get('doc'), cache.get('doc')]);
    expect(values.map((document) => document?.value)).toEqual(['one', 'one', 'one']);
    expect(Object.fromEntries(calls)).toEqual({ QueryCommand: 1 });

    now = 9_999;
    await cache.get('doc');
    now = 10_000;
    expect((await cache.get('doc'))?.value).toBe('one');
    expect(Object.fromEntries(calls)).toEqual({ QueryCommand: 1, GetItemCommand: 1 });

    calls.clear();
    await publishDoc(table, 2, 'two');
    calls.clear();
    now = 20_000;
    expect((await cache.get('doc'))?.value).toBe('two');
    expect(Object.fromEntries(calls)).toEqual({ QueryCommand: 1, GetItemCommand: 1 });
  });

  it('answers null for what is not published, and for what was deleted', async () => {
    const table = await newTable();
    let now = 0;
    const cache = new PublicationCache(table, () => now);
    expect(await cache.get('doc')).toBeNull();
    await publishDoc(table, 1, 'one');
    expect((await cache.get('doc'))?.value).toBe('one');
    await remove(table, 'doc', 1);
    now = 10_000;
    expect(await cache.get('doc')).toBeNull();
  });

  it('lets the least recently used go when it is full', async () => {
    const table = await newTable();
    for (const name of ['a', 'b', 'c']) {
      await publishNext(table, draft(name, 1, 1, small('x'.repeat(100))));
    }
    // Room for two: each is 102 bytes of text and some 30 bytes of gzip.
    const cache = new PublicationCache(table, () => 0, { trustMs: 10, bytes: 300 });
    await cache.get('a');
    await cache.get('b');
    await cache.get('a');
    await cache.get('c');
    const calls = countCalls(table);
    await cache.get('a');
    expect(calls.size).toBe(0);
    await cache.get('b');
    expect(calls.get('QueryCommand')).toBe(1);
  });
});
