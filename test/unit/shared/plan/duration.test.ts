import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import {
  clusterSize,
  batchSeconds,
  DURATION_MODEL,
  isNetworkSerial,
  modelMinutes,
  hopDuration,
  addMinutes,
  pathDuration,
  type KnownDuration,
} from '@cairn/shared/plan/duration';
import { roundMinutes } from '@cairn/shared/plan/words';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode, aPool, withHistory } from '../../../helpers/cluster/clusters.ts';
import { hopsOf } from '../../../helpers/plan/paths.ts';

function size(nodes: number, controlPlane = 3) {
  return { nodes, controlPlane, countedFrom: 'nodes' } as const;
}

function nodesOf(workers: number, controlPlane = 3): NodeFacts[] {
  return [
    ...Array.from({ length: controlPlane }, (_, index) => aNode(`master-${index}`, {}, 'master')),
    ...Array.from({ length: workers }, (_, index) => aNode(`worker-${index}`)),
  ];
}

/** Nothing is known of the past, so that the model shows. */
function known(path: readonly string[], changes: Partial<ClusterFacts> = {}, fleet: number | null = null) {
  const duration = pathDuration({
    hops: hopsOf(...path),
    facts: aCluster(changes),
    basis: 'reported',
    fleetMedian: fleet,
  });
  if (duration.total === null) throw new Error(duration.reason);
  return duration satisfies KnownDuration;
}

/** Minutes of one DaemonSet over all nodes, a tenth at a time. */
function daemonSetMinutes(nodes: number): number {
  const { base, daemonSetStages } = DURATION_MODEL;
  return (modelMinutes(size(nodes, 0), false).expected - base.expected) / daemonSetStages;
}

describe('the model', () => {
  it('gives the two measured rollouts over 250 nodes exactly', () => {
    expect(daemonSetMinutes(250)).toBeCloseTo(10, 9);
    const [parallel, serial] = [false, true].map((isSerial) => modelMinutes(size(250, 0), isSerial).expected);
    expect(serial! - parallel!).toBeCloseTo(80 - 10, 9);
    expect([batchSeconds(1), batchSeconds(25)]).toEqual([19.2, 60]);
  });

  it.each([
    [10, 1],
    [11, 2],
    [70, 7],
  ])('rounds a tenth of %i nodes up to %i', (nodes, batch) => {
    expect(daemonSetMinutes(nodes)).toBeCloseTo((Math.ceil(nodes / batch) * batchSeconds(batch)) / 60, 9);
  });

  it.each([
    [1, 1, 31, 42, 93],
    [3, 3, 42, 57, 120],
    [6, 3, 45, 60, 125],
    [24, 3, 51, 67, 136],
    [120, 3, 60, 79, 154],
    [250, 3, 64, 84, 161],
    [500, 3, 68, 88, 168],
  ])('%i nodes with %i masters: %i, %i, %i', (nodes, controlPlane, min, expected, max) => {
    const minutes = modelMinutes({ nodes, controlPlane }, false);
    expect([minutes.min, minutes.expected, minutes.max].map(Math.round)).toEqual([min, expected, max]);
  });

  it.each([
    [250, 154],
    [500, 237],
  ])('%i nodes with the network one node at a time: %i', (nodes, expected) => {
    expect(Math.round(modelMinutes(size(nodes), true).expected)).toBe(expected);
  });

  it.each([
    ['4.5.40', 'OVNKubernetes', true],
    ['4.5.40', 'OpenShiftSDN', true],
    ['4.6.1', 'OpenShiftSDN', true],
    ['4.6.1', 'OVNKubernetes', false],
    ['4.6.1', null, true],
    ['4.7.0', 'OpenShiftSDN', false],
    ['4.7.0', null, false],
    ['5.2.0', null, false],
  ])('%s with %s: one node at a time %s', (to, networkType, expected) => {
    expect(isNetworkSerial(mustParseVersion(to), networkType)).toBe(expected);
  });
});

it.each([
  [29.6, 30],
  [30.4, 30],
  [12.4, 12],
  [32.4, 30],
  [32.5, 35],
  [93.4, 95],
])('rounds %d minutes to %d', (minutes, expected) => {
  expect(roundMinutes(minutes)).toBe(expected);
});

describe('a hop', () => {
  const [patch, minor] = hopsOf('4.14.8', '4.14.30', '4.15.3');

  it.each([
    ['a minor of 6 nodes', minor, size(6), 1, [45, 60, 125]],
    ['a patch of 6 nodes', patch, size(6), 1, [27, 60, 125]],
    ['a minor of one node', minor, size(1, 1), 1, [30, 40, 95]],
    ['a slow cluster, whose least stays', minor, size(6), 2, [45, 120, 250]],
    ['a fast cluster, whose least is not more than what is likely', minor, size(6), 0.5, [30, 30, 60]],
  ] as const)('%s', (_, hop, cluster, scale, expected) => {
    const { min, expected: likely, max } = hopDuration(hop!, cluster, 'OVNKubernetes', scale);
    expect([min, likely, max]).toEqual(expected);
  });

  it('says that the network goes node by node', () => {
    const [hop] = hopsOf('4.5.40', '4.6.30');
    expect(hopDuration(hop!, size(250), 'OpenShiftSDN', 1)).toEqual({
      min: 120,
      expected: 155,
      max: 265,
      serialNetwork: true,
    });
  });
});

describe('a path', () => {
  it('adds up what the hops say, with the longest as independent overruns', () => {
    const { total, hops } = known(['4.14.8', '4.15.3', '4.16.2']);
    expect(hops).toEqual(Array(2).fill({ min: 45, expected: 60, max: 125, serialNetwork: false }));
    expect(total).toEqual({ min: 90, expected: 120, max: 210, worst: 250 });
  });

  it.each([
    [[], { min: 0, expected: 0, max: 0, worst: 0 }],
    [[{ min: 45, expected: 60, max: 125 }], { min: 45, expected: 60, max: 125, worst: 125 }],
    [
      [
        { min: 10, expected: 20, max: 50 },
        { min: 10, expected: 20, max: 60 },
      ],
      { min: 20, expected: 40, max: 90, worst: 110 },
    ],
  ])('of %j', (durations, expected) => {
    expect(addMinutes(durations)).toEqual(expected);
  });

  it('is scaled by the past of the cluster', () => {
    // Each took 75 minutes, where the model says 59.86.
    const clusterVersion = withHistory(['4.14.8 C', '4.14.3 C', '4.13.9 C']);
    const { total, calibration } = known(['4.14.8', '4.15.3'], { clusterVersion });
    expect(calibration).toEqual({
      scale: 1.25,
      source: 'cluster',
      samples: [
        { version: '4.14.8', minutes: 75, ratio: 1.25 },
        { version: '4.14.3', minutes: 75, ratio: 1.25 },
      ],
      outliers: [],
    });
    expect(total).toEqual({ min: 45, expected: 75, max: 155, worst: 155 });
  });

  it('measures a past hop by the model of that hop', () => {
    const clusterVersion = withHistory(['4.7.1 C', '4.6.9 C', '4.5.9 C']);
    const facts = { clusterVersion, networkType: 'OpenShiftSDN', nodes: nodesOf(247) };
    const { samples } = known(['4.7.1', '4.8.3'], facts).calibration;
    expect(samples.map(({ version, ratio }) => [version, ratio])).toEqual([
      ['4.7.1', 0.89],
      ['4.6.9', 0.49],
    ]);
  });

  it('lists every constant it rests on', () => {
    const { assumptions, excludes } = known(['4.14.8', '4.15.3']);
    expect(assumptions).toEqual([
      '6 Linux nodes, 3 of them control plane, counted from the nodes',
      'API servers, etcd and operators take 34 (25 to 80) minutes, whatever the size',
      'Control-plane nodes reboot one after the other, 6.7 (5 to 12) minutes each',
      '3 DaemonSet rollouts over all nodes follow each other, a tenth of the nodes at a time: 19.2 seconds for one ' +
        'node, growing with the logarithm of the batch to 60 seconds for 25 nodes, times 1 (0.8 to 1.5)',
      'A patch may take as little as 0.6 of the least of a minor, and as long as one',
      'No past update of this cluster or of others is known: the model is not scaled',
      'An update that took over 24 hours counts as stuck, not as slow; a scale stays within 0.5 and 3',
      'Minutes above 30 are rounded to 5',
    ]);
    expect(excludes).toEqual(['worker MachineConfigPool rollout']);
  });

  it.each<[string, readonly string[], Partial<ClusterFacts>, number | null, string]>([
    [
      'a hosted control plane',
      [],
      { nodes: nodesOf(3, 0) },
      null,
      'No control-plane node is among the nodes',
    ],
    [
      'one past update',
      [],
      { clusterVersion: withHistory(['4.14.8 C', '4.13.1 C']) },
      null,
      'scaled by 1.25, the median of 1 completed update of this cluster',
    ],
    ['the fleet', [], {}, 1.4, 'scaled by 1.4, the median of the other clusters'],
    [
      'a serial network',
      ['4.5.1', '4.6.2'],
      { networkType: 'OpenShiftSDN' },
      null,
      '4.6.2 rolls the network out one node at a time',
    ],
    [
      'an unknown network',
      ['4.5.1', '4.6.2'],
      { networkType: null },
      null,
      'the network type was not supplied',
    ],
    [
      'pools only',
      [],
      { nodes: null },
      null,
      '6 Linux nodes, 3 of them control plane, counted from the pools',
    ],
  ])('reports %s', (_, path, changes, fleet, expected) => {
    const { assumptions } = known(path.length > 0 ? path : ['4.14.8', '4.15.3'], changes, fleet);
    expect(assumptions.filter((assumption) => assumption.includes(expected))).toHaveLength(1);
  });

  it('is not known when the nodes are not', () => {
    const nothing = { nodes: null, pools: null };
    expect(
      pathDuration({
        hops: hopsOf('4.14.8', '4.15.3'),
        facts: aCluster(nothing),
        basis: 'reported',
        fleetMedian: 1.2,
      }),
    ).toEqual({
      total: null,
      reason: 'the number of nodes is not known; supply the output of `oc get nodes -o json`',
    });
  });
});

describe('the size of a cluster', () => {
  it.each([
    ['nodes', { nodes: nodesOf(3) }, { nodes: 6, controlPlane: 3, countedFrom: 'nodes' }],
    [
      'Windows nodes left out',
      { nodes: [...nodesOf(1), aNode('windows', { labels: { 'kubernetes.io/os': 'windows' } })] },
      { nodes: 4, controlPlane: 3, countedFrom: 'nodes' },
    ],
    [
      'the newer label of the control plane',
      { nodes: [aNode('a', { labels: { 'node-role.kubernetes.io/control-plane': '' } })] },
      { nodes: 1, controlPlane: 1, countedFrom: 'nodes' },
    ],
    [
      'machines of pools',
      { nodes: null, pools: [aPool('worker'), aPool('master'), aPool('infra')] },
      { nodes: 9, controlPlane: 3, countedFrom: 'pools' },
    ],
    ['no node', { nodes: [] }, { reason: 'there is no Linux node among the nodes that were supplied' }],
  ])('by %s', (_, changes, expected) => {
    expect(clusterSize(aCluster(changes))).toEqual(expected);
  });
});
