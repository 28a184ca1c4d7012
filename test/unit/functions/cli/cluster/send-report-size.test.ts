import { gzipSync } from 'node:zlib';
import { REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { isRemovedApi } from '@cairn/shared/safety/tables/api-removals';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../../functions/cli/cluster/send-report.ts';
import { readDocuments } from '../../../../helpers/cluster/cluster-documents.ts';
import { LargeCluster } from '../../../../helpers/cluster/large-clusters.ts';
import type { Json } from '../../../../helpers/cluster/objects.ts';

function sizes(documents: readonly Json[]) {
  const reading = readDocuments(documents.map((each) => JSON.stringify(each)).join('\n'), { isRemovedApi });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  const kinds = REPORTED_KINDS.filter((kind) => reading.facts[kind] !== null);
  const sizeOf = (...some: typeof kinds) => gzipSync(textOf(reducedDocuments(reading.facts, some))).length;
  const { nodes, clusterOperators, budgets, drainedPods } = reading.facts;
  const pods = drainedPods?.reduce((sum, group) => sum + group.pods.length, 0);
  expect([nodes?.length, clusterOperators?.length, budgets?.length]).toEqual([100, 33, 100]);
  return {
    pods,
    whole: sizeOf(...kinds),
    byKind: Object.fromEntries(kinds.map((kind) => [kind, sizeOf(kind)])),
  };
}

describe('a report of 100 nodes', () => {
  const cluster = new LargeCluster(100);

  it('is under 20 kB compressed', () => {
    const { whole, byKind } = sizes(cluster.documents());
    expect(whole, JSON.stringify(byKind)).toBeLessThan(20_000);
  });

  it('is under 200 kB compressed with workloads', () => {
    const { whole, byKind, pods } = sizes([...cluster.documents(), ...cluster.workloads()]);
    expect(pods).toBe(3333);
    expect(whole, JSON.stringify(byKind)).toBeLessThan(200_000);
  });
});
