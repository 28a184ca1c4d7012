import { describe, expect, it } from 'vitest';
import { type PruneHarness, startPruneHarness } from '../../helpers/registry/prune-harness.ts';

const url = process.env['CAIRN_MOTO_URL'];
if (url === undefined)
  console.log('skipped: CAIRN_MOTO_URL is not set, run test/campaign/conformance/run-moto.sh');

const AT_ONCE = { keepYoungerThan: '0s', grace: '0s' };
const SHARED = ['a', 'b'];

type Scenario = (harness: PruneHarness) => Promise<void>;

/** Each does something to a registry; what it must come to, the tests of the run say. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  async 'revisions over the limit, at once'(harness) {
    await harness.registry.push('team/app', 'latest', [...SHARED, 'old']);
    await harness.registry.push('team/app', 'latest', [...SHARED, 'new']);
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    expect(await harness.run(1)).toMatchObject({ status: 'Done', outcome: 'Succeeded', reason: 'Pruned' });
  },

  async 'condemned, unlinked, swept'(harness) {
    await harness.registry.push('app', 'latest', [...SHARED, 'old']);
    await harness.registry.push('app', 'latest', [...SHARED, 'new']);
    await harness.put({ keepYoungerThan: '1h', grace: '24h', keepTagRevisions: 1 });
    for (const hour of [2, 51, 76]) {
      expect(await harness.run(hour)).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
    }
  },

  async 'indexes, referrers and signatures'(harness) {
    const { registry } = harness;
    const amd64 = await registry.push('app', null, ['base', 'amd64']);
    const arm64 = await registry.push('app', null, ['base', 'arm64']);
    const kept = await registry.pushIndex('app', 'v1', [amd64, arm64]);
    await registry.push('app', null, ['report'], { subject: kept });
    await registry.push('app', `${kept.replace(':', '-')}.sig`, ['signature']);
    const gone = await registry.push('app', null, ['unused']);
    await registry.push('app', `${gone.replace(':', '-')}.sig`, ['signature of the unused']);
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    expect(await harness.run(1)).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
    expect(await registry.hasBlob(gone)).toBe(false);
  },

  async 'stopped by the circuit breaker, then agreed to'(harness) {
    await harness.registry.push(
      'app',
      null,
      Array.from({ length: 25 }, (_, layer) => `layer ${layer}`),
    );
    await harness.registry.push('app', 'latest', ['d']);
    await harness.put({ ...AT_ONCE });
    const blocked = await harness.run(1);
    expect(blocked).toMatchObject({ outcome: 'Failed', reason: 'TooMuch' });
    const { plan } = (await harness.report(blocked)) as { plan: { planHash: string } };
    expect(await harness.run(2, { trigger: 'manual', agree: plan.planHash })).toMatchObject({
      outcome: 'Succeeded',
    });
  },

  async 'in use again while the run is at work'(harness) {
    const { registry } = harness;
    const old = await registry.push('app', 'latest', [...SHARED, 'old']);
    await registry.push('app', 'latest', [...SHARED, 'new']);
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    // Tagged when the first deletion is about to be made: the plan does not know of it.
    let tagging: Promise<void> | null = null;
    harness.s3.middlewareStack.add(
      (next, { commandName }) =>
        async (call) => {
          const { Bucket } = call.input as { readonly Bucket?: string };
          if (commandName === 'DeleteObjectsCommand' && Bucket!.startsWith('registry-')) {
            await (tagging ??= registry.tag('app', 'stable', old));
          }
          return next(call);
        },
      { step: 'initialize' },
    );
    const result = await harness.run(1);
    expect(await harness.report(result)).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect((await harness.report(result))['revived']).toBeGreaterThan(0);
    expect(await registry.faultOfPull('app', 'stable')).toBeNull();
  },
};

describe.skipIf(url === undefined)('a run on moto leaves what one on the local S3 server leaves', () => {
  it.each(Object.entries(SCENARIOS))('%s', async (_, scenario) => {
    const left: (readonly string[])[] = [];
    for (const options of [{}, { s3Url: url! }]) {
      const harness = await startPruneHarness(options);
      try {
        await scenario(harness);
        left.push(await harness.registry.keys());
      } finally {
        await harness.close();
      }
    }
    expect(left[1]).toEqual(left[0]);
  });
});
