import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCincinnati } from '../../../../functions/outbound/cincinnati.ts';
import { startQuery } from '../../../helpers/lambda/ask-query.ts';
import { readAsCluster } from '../../../helpers/lambda/cluster-reader.ts';
import { baselineGraph } from '../../../helpers/upstream/hostile-case.ts';
import { hostileGraphCases } from '../../../helpers/upstream/hostile-graph-cases.ts';
import { type HostileUpstream, startHostileUpstream } from '../../../helpers/upstream/hostile-upstream.ts';
import { at, following, startHarness, type SyncHarness } from '../../../helpers/upstream/sync-harness.ts';

const LIMITS = { backoffBaseMs: 1, backoffCapMs: 5 };
const GOOD_VERSIONS = baselineGraph().nodes.map(({ version }) => version);

describe('any response of upstream', () => {
  let hostile: HostileUpstream;
  let harness: SyncHarness;
  let minutes = 0;
  beforeAll(async () => {
    hostile = await startHostileUpstream();
    harness = await startHarness({ config: following('stable-4.12'), source: () => baselineGraph() });
    await harness.sync(minutes);
  });
  afterAll(() => Promise.all([hostile.close(), harness.close()]));

  // One after the other on one table: what one of them leaves behind meets the next.
  it.each(hostileGraphCases.map(({ name }) => name))(
    'clusters can read what is served, and know their version: %s',
    async (name) => {
      const { upstream } = harness.dependencies;
      const open = () => createCincinnati({ version: 'test', limits: LIMITS, ...hostile.options(name) });
      minutes += 10;
      await harness.sync(minutes, {}, { upstream: { ...upstream, open, payloadHosts: ['quay.io'] } });
      const ask = startQuery(harness.table, () => Date.parse(at(minutes)));
      const { status, content } = await ask('/graph?channel=stable-4.12');
      expect(status).toBe(200);
      const { versions } = readAsCluster(content);
      expect(GOOD_VERSIONS.filter((version) => !versions.includes(version as string))).toEqual([]);
    },
  );
});
