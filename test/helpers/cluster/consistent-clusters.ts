import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { PathResult } from '@cairn/shared/path/find-path';
import type { PlanQuestion } from '@cairn/shared/plan/figures';
import { CHECKS } from '@cairn/shared/safety/evaluate';
import { STRATEGIES } from '@cairn/shared/safety/values';
import fc from 'fast-check';
import { aRisk, payloadOf } from '../path/answers.ts';
import { Random } from '../random.ts';
import {
  ALL_SUPPORTED,
  aCluster,
  aClusterVersion,
  anUpdate,
  aNode,
  aPool,
  historyOf,
  NOW,
} from './clusters.ts';
import { OPTIONS } from './evaluations.ts';
import { type BareShape, FLAW_NAMES, type FlawName, FLAWS, PLATFORMS, TOPOLOGIES } from './flaws.ts';
import { kubeletOf, minorName, ordinalOfVersion, withReports } from './release-reports.ts';

/** Choices that make a cluster and a path. Fewer flaws make a smaller example. */
export interface ClusterShape extends BareShape {
  readonly flaws: readonly FlawName[];
  readonly strategy: (typeof STRATEGIES)[number];
  /** Minors that the path enters; without any it is a patch. */
  readonly minors: number;
  readonly isPatchFirst: boolean;
  readonly isPatchBetween: boolean;
  /** Conditional updates, by hop. */
  readonly risky: readonly boolean[];
}

const FIRST = 8;
const LAST = 23;

/**
 * A cluster whose ClusterOperators, gates and `Upgradeable` are what its release reports for its other documents. All
 * documents are sent.
 */
export function consistentCluster(shape: ClusterShape): ClusterFacts {
  const flawed = FLAW_NAMES.filter((name) => shape.flaws.includes(name) && fits(name, shape)).reduce(
    (facts, name) => ({ ...facts, ...FLAWS[name].change(facts) }),
    healthyCluster(shape),
  );
  return withReports(flawed);
}

const REPORTED_TOPOLOGIES: Readonly<Partial<Record<string, string>>> = {
  Compact: 'HighlyAvailable',
  Arbiter: 'HighlyAvailableArbiter',
};

function fits(name: FlawName, shape: BareShape): boolean {
  return FLAWS[name].fits?.(shape) ?? true;
}

function healthyCluster({ ordinal, patch, platform, topology, workers }: BareShape): ClusterFacts {
  const version = `${minorName(ordinal)}.${patch}`;
  const installed = `${minorName(Math.max(FIRST, ordinal - 2))}.3`;
  const isHosted = topology === 'External';
  const isSmall = topology === 'SingleReplica' || topology === 'Compact';
  const isArbitrated = topology === 'Arbiter';
  const masters = isHosted ? 0 : topology === 'SingleReplica' ? 1 : isArbitrated ? 2 : 3;
  const total = isSmall ? 0 : workers;
  const kubeletVersion = kubeletOf(ordinal);
  const node = (pool: string, index: number) => {
    const made = aNode(`${pool}-${index}`, { kubeletVersion }, pool);
    const both = { ...made.labels, 'node-role.kubernetes.io/worker': '' };
    return pool === 'master' && isSmall ? { ...made, labels: both } : made;
  };
  const arbiter = { ...node('arbiter', 0), labels: { 'node-role.kubernetes.io/arbiter': '' } };
  const machines = (count: number) => ({
    total: count,
    updated: count,
    ready: count,
    unavailable: 0,
    degraded: 0,
  });
  const offered = [ordinal, ordinal + 1].map((each) => `stable-${minorName(each)}`);
  return aCluster(
    {
      clusterVersion: aClusterVersion(
        {
          desired: { version, image: payloadOf(version), channels: offered },
          history: historyOf(`${version} C`, `${installed} C`).map((entry) => ({
            ...entry,
            image: payloadOf(entry.version),
          })),
        },
        version,
      ),
      clusterOperators: null,
      nodes: [
        ...Array.from({ length: masters }, (_, index) => node('master', index)),
        ...(isArbitrated ? [arbiter] : []),
        ...Array.from({ length: total }, (_, index) => node('worker', index)),
      ],
      pools: isHosted
        ? null
        : [
            aPool('master', { machines: machines(masters) }),
            ...(isArbitrated ? [aPool('arbiter', { machines: machines(1) })] : []),
            aPool('worker', { machines: machines(total) }),
          ],
      infrastructure: {
        platform,
        controlPlaneTopology: REPORTED_TOPOLOGIES[topology] ?? topology,
      },
      machineConfiguration: isHosted
        ? null
        : {
            bootImageManagers: [{ resource: 'machinesets', apiGroup: 'machine.openshift.io', mode: 'All' }],
            bootImageSkew: null,
          },
    },
    version,
  );
}

/** Versions of the path, the current one first. */
export function routeOf({ ordinal, patch, minors, isPatchFirst, isPatchBetween }: ClusterShape): string[] {
  const entered = Array.from({ length: Math.min(minors, LAST - ordinal) }, (_, index) => ordinal + index + 1);
  const hasPatch = isPatchFirst || entered.length === 0;
  return [
    `${minorName(ordinal)}.${patch}`,
    ...(hasPatch ? [`${minorName(ordinal)}.${patch + 5}`] : []),
    ...entered.flatMap((each, index) => [
      `${minorName(each)}.10`,
      ...(isPatchBetween && index < entered.length - 1 ? [`${minorName(each)}.20`] : []),
    ]),
  ];
}

/** Path along versions whose releases have digests, in the stable channel of each minor. */
export function answerOn(versions: readonly string[], risky: readonly boolean[] = []): PathResult {
  const channelOf = (version: string) => `stable-${minorName(ordinalOfVersion(version))}`;
  const path = versions.map((version, index) => {
    const payload = payloadOf(version);
    const isConditional = index > 0 && risky[index - 1] === true;
    const hop = anUpdate({
      conditional: isConditional,
      risks: isConditional ? [aRisk('A'), aRisk('B')] : [],
      crossesMinor: index > 0 && channelOf(version) !== channelOf(versions[index - 1]!),
      channels: [channelOf(version)],
    });
    return { version, payload, node: { version, payload, metadata: {} }, hop: index === 0 ? null : hop };
  });
  const entered = versions.slice(1);
  const hops = entered.length;
  const last = (channel: string) => entered.findLast((version) => channelOf(version) === channel)!;
  return {
    found: true,
    from: versions[0]!,
    to: versions.at(-1)!,
    channels: [...new Set(entered.map(channelOf))],
    channelsLeftOut: [],
    conflicts: [],
    sourceWithdrawn: false,
    sourceExcluded: false,
    upgrade: {
      found: true,
      exact: true,
      alternatives: [],
      path,
      stats: { hops, minorsCrossed: 0, riskyHops: 0, distinctRisks: 0, channelSwitches: 0 },
      channelPlan: [...new Set(entered.map(channelOf))].map((channel) => ({
        channel,
        untilVersion: last(channel),
      })),
    },
  };
}

/** Plan for a cluster of this shape; `facts` and `versions` replace its own, such as later on its path. */
export function questionOf(
  shape: ClusterShape,
  facts: ClusterFacts = consistentCluster(shape),
  versions: readonly string[] = routeOf(shape),
): PlanQuestion {
  const risky = shape.risky.slice(routeOf(shape).length - versions.length);
  return {
    facts,
    basis: 'reported',
    checks: CHECKS,
    answer: answerOn(versions, risky),
    options: { ...OPTIONS, strategy: shape.strategy },
    now: NOW,
    pausedSince: new Map(),
    fleetMedian: null,
    newestPatch: null,
    windows: null,
    calendar: ALL_SUPPORTED,
    targetReason: null,
  };
}

const HEALTH_FLAWS = FLAW_NAMES.filter((name) => FLAWS[name].isHealth);
const OTHER_FLAWS = FLAW_NAMES.filter((name) => !FLAWS[name].isHealth);
const SHARE_OF_HEALTHY = 1 / 3;

function some(random: Random, names: readonly FlawName[], most: number): FlawName[] {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(names));
}

/** Cheap: for thousands of clusters. About a third of them are healthy. */
export function seededShape(seed: number): ClusterShape {
  const random = new Random(seed);
  const ordinal = FIRST + random.below(LAST - FIRST + 1);
  const isHealthy = random.chance(SHARE_OF_HEALTHY);
  const bare: BareShape = {
    ordinal,
    patch: 10 + random.below(20),
    platform: random.pick(PLATFORMS),
    topology: random.chance(0.7) ? 'HighlyAvailable' : random.pick(TOPOLOGIES),
    workers: 2 + random.below(4),
  };
  const drawn = [
    ...(isHealthy ? [] : [random.pick(HEALTH_FLAWS), ...some(random, HEALTH_FLAWS, 2)]),
    ...some(random, OTHER_FLAWS, 3),
  ];
  return {
    ...bare,
    flaws: [...new Set(drawn)].filter((name) => fits(name, bare)),
    strategy: random.pick(STRATEGIES),
    minors: random.pick([0, 1, 1, 2, 2, 3, 4]),
    isPatchFirst: random.chance(0.3),
    isPatchBetween: random.chance(0.2),
    risky: Array.from({ length: 10 }, () => random.chance(0.2)),
  };
}

/** Shrinks to few flaws and short paths. */
export const clusterShape: fc.Arbitrary<ClusterShape> = fc.record({
  ordinal: fc.integer({ min: FIRST, max: LAST }),
  patch: fc.integer({ min: 10, max: 30 }),
  platform: fc.constantFrom(...PLATFORMS),
  topology: fc.constantFrom(...TOPOLOGIES),
  workers: fc.integer({ min: 2, max: 5 }),
  flaws: fc
    .tuple(
      fc.oneof(
        { weight: 1, arbitrary: fc.constant<FlawName[]>([]) },
        { weight: 2, arbitrary: fc.subarray(HEALTH_FLAWS, { minLength: 1, maxLength: 3 }) },
      ),
      fc.subarray(OTHER_FLAWS, { maxLength: 3 }),
    )
    .map((flaws) => flaws.flat()),
  strategy: fc.constantFrom(...STRATEGIES),
  minors: fc.integer({ min: 0, max: 4 }),
  isPatchFirst: fc.boolean(),
  isPatchBetween: fc.boolean(),
  risky: fc.array(fc.boolean(), { maxLength: 10 }),
});
