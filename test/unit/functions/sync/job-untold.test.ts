import { expect, it } from 'vitest';
import {
  chainGraph,
  following,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

/** Lets the process die once the head of a graph is flipped: the change is neither recorded nor told. */
async function dieAfterFlip(harness: SyncHarness, minutes: number): Promise<void> {
  const { middlewareStack } = harness.dependencies.table.client;
  let isDead = false;
  middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        if (isDead) throw new Error('died');
        const result = await next(call);
        const { Item } = call.input as { Item?: { pk: { S: string }; sk: { S: string } } };
        isDead =
          commandName === 'PutItemCommand' && Item!.pk.S.startsWith('DOC#graph/') && Item!.sk.S === '!HEAD';
        if (isDead) throw new Error('died');
        return result;
      },
    { name: 'death' },
  );
  await harness.sync(minutes).catch(() => {});
  middlewareStack.remove('death');
}

it('publishes every change although several runs in a row die before they can', async () => {
  const harness = await startHarness({
    config: following('stable-4.14'),
    source: () => chainGraph(series('4.14', 2)),
  });
  await harness.sync(0);
  harness.events.length = 0;
  for (const [round, versions] of [3, 4, 5].entries()) {
    harness.stub.setSource(() => chainGraph(series('4.14', versions)));
    await dieAfterFlip(harness, 10 + round * 10);
  }
  expect(harness.events).toEqual([]);
  await harness.sync(40);
  expect(harness.events.map(({ detail }) => detail['versionsAdded'])).toEqual([
    ['4.14.2'],
    ['4.14.3'],
    ['4.14.4'],
  ]);
  harness.events.length = 0;
  await harness.sync(50);
  expect(harness.events).toEqual([]);
  const { body } = await harness.get('/v1/channels/stable-4.14/amd64/changes');
  expect(
    (body as { changes: { versionsAdded: string[] }[] }).changes.map((change) => change.versionsAdded),
  ).toEqual([['4.14.4'], ['4.14.3'], ['4.14.2'], ['4.14.0', '4.14.1']]);
  await harness.close();
});
