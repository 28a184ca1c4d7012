import { collectCommands, DOCUMENT_KINDS } from '@cairn/shared/cluster/document-kinds';
import {
  type ClusterCondition,
  type ClusterFacts,
  REPORTED_KINDS,
  type ReportedKind,
} from '@cairn/shared/cluster/facts';
import type { PlanQuestion } from '@cairn/shared/plan/figures';
import { planUpgrade, type UpgradePlan } from '@cairn/shared/plan/plan';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { hopsOfSteps } from '@cairn/shared/safety/hop';
import { missingInput } from '@cairn/shared/safety/missing-input';
import { FORWARD_GUARDS } from '@cairn/shared/safety/tables/forward-guards';
import type { Verdict } from '@cairn/shared/safety/verdict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClusterShape,
  clusterShape,
  consistentCluster,
  questionOf,
  routeOf,
  seededShape,
} from '../../../helpers/cluster/consistent-clusters.ts';
import { FLAW_NAMES, type FlawName, FLAWS } from '../../../helpers/cluster/flaws.ts';
import {
  isMaster,
  isTrue,
  openGatesOf,
  ordinalOfVersion,
  refusalsOf,
} from '../../../helpers/cluster/release-reports.ts';
import { sized } from '../../../helpers/size.ts';

/** Best first. */
const ORDER: readonly Verdict[] = ['ready', 'ready-with-warnings', 'action-required', 'unknown', 'blocked'];

/** A plan to the release that the cluster runs. */
function planAtTarget(shape: ClusterShape, facts: ClusterFacts = consistentCluster(shape)): UpgradePlan {
  return planUpgrade(questionOf(shape, facts, routeOf(shape).slice(0, 1)));
}

function verdictOf(shape: ClusterShape, facts: ClusterFacts = consistentCluster(shape)): Verdict {
  return planUpgrade(questionOf(shape, facts)).verdict;
}

const HEALTH = FLAW_NAMES.filter((name) => FLAWS[name].isHealth);

/** Verdicts that became better with one more flaw of health. */
function improvedBy(shape: ClusterShape, flaw: FlawName): string[] {
  const before = verdictOf(shape);
  const after = verdictOf({ ...shape, flaws: [...shape.flaws, flaw] });
  return ORDER.indexOf(after) < ORDER.indexOf(before) ? [`${before} is ${after} with "${flaw}"`] : [];
}

/** Objects for which a cluster is not ready, from its documents alone: `Node master-0`. */
function brokenParts({ nodes, pools, clusterOperators }: ClusterFacts): string[] {
  const isDown = (conditions: readonly ClusterCondition[]) => !isTrue(conditions, 'Available');
  return [
    ...nodes!.filter((node) => isMaster(node) && node.ready !== 'True').map(({ name }) => `Node ${name}`),
    ...clusterOperators!
      .filter(({ conditions }) => isDown(conditions))
      .map(({ name }) => `ClusterOperator ${name}`),
    ...(pools ?? [])
      .filter(({ conditions }) => isTrue(conditions, 'Degraded') || conditions.length === 0)
      .map(({ name }) => `MachineConfigPool ${name}`),
  ];
}

/** Objects that the findings of the first hop name, or those about a cluster at its target. */
function namedParts({ hops: [first], conditions = [] }: UpgradePlan): ReadonlySet<string> {
  const found = first?.conditions ?? conditions;
  const findings = found.filter(({ effect }) => effect === 'warn' || effect === 'block');
  return new Set(findings.flatMap(({ objects = [] }) => objects.map(({ kind, name }) => `${kind} ${name}`)));
}

/** Reasons of forward guards that the releases of drawn clusters report. */
const GUARDS: ReadonlySet<string> = new Set(FORWARD_GUARDS.map(({ reason }) => reason));

/** No document has the build of the vCenter, so its gates are not foretold. */
const isForetold = (key: string) => !key.includes('vsphere');

/** What the release of a later minor reports for the same documents, and the plan does not say; and gates that it does not have. */
function wronglyForetold(facts: ClusterFacts, { hops }: UpgradePlan): string[] {
  return hops
    .filter(({ updateType, minorDistance }) => updateType !== 'patch' && minorDistance > 1)
    .flatMap(({ from, conditions }) => {
      const { clusterVersion } = facts;
      const desired = { ...clusterVersion!.desired, version: from };
      const then = { ...facts, clusterVersion: { ...clusterVersion!, desired } };
      const foretold = conditions.filter(({ effect }) => effect === 'inform');
      const gates = foretold
        .flatMap(({ objects = [] }) => objects.filter(({ kind }) => kind === 'AdminGate'))
        .map(({ name }) => name);
      const open = openGatesOf(then).filter(isForetold);
      const reasons = refusalsOf(then).flatMap(({ reason }) =>
        reason.split('_').filter((part) => GUARDS.has(part)),
      );
      const told = new Set(foretold.map(({ reason }) => reason));
      return [
        ...open.filter((key) => !gates.includes(key)).map((key) => `${key} is not foretold`),
        ...gates.filter((key) => !open.includes(key)).map((key) => `${key} is foretold`),
        ...reasons
          .filter((reason) => !told.has(reason))
          .map((reason) => `${reason} is not foretold at ${from}`),
      ];
    });
}

/** Objects that are broken and not named, and the verdict if it is `ready` over a broken cluster. */
function wrongVerdict(seed: number): string[] {
  const shape = seededShape(seed);
  const facts = consistentCluster(shape);
  const [from = '', to = ''] = routeOf(shape);
  const gates = ordinalOfVersion(to) > ordinalOfVersion(from) ? openGatesOf(facts) : [];
  const broken = brokenParts(facts);
  const plan = planUpgrade(questionOf(shape, facts));
  const wrong = [
    ...faultsOver([...broken, ...gates.map((key) => `AdminGate ${key}`)], plan),
    ...wronglyForetold(facts, plan),
    ...faultsOver(broken, planAtTarget(shape, facts)).map((text) => `at its target, ${text}`),
  ];
  return wrong.map((text) => `seed ${seed}: ${text}`);
}

function faultsOver(broken: readonly string[], plan: UpgradePlan): string[] {
  const named = namedParts(plan);
  return [
    ...broken.filter((part) => !named.has(part)).map((part) => `${part} is not named`),
    ...(broken.length > 0 && plan.verdict === 'ready' ? [`ready with ${broken.join(', ')}`] : []),
  ];
}

const CLUSTERS = sized(500, 10_000);

describe(`verdicts of ${CLUSTERS} consistent clusters`, () => {
  it('are never ready over a broken control plane, operator or pool, or an open gate, and foretell later minors', () => {
    const wrong = Array.from({ length: CLUSTERS }, (_, seed) => wrongVerdict(seed)).flat();
    expect(wrong).toEqual([]);
  });

  it('are of healthy clusters in about a third', () => {
    const healthy = Array.from({ length: CLUSTERS }, (_, seed) => seededShape(seed)).filter(
      ({ flaws }) => !flaws.some((name) => FLAWS[name].isHealth),
    );
    expect(healthy.length / CLUSTERS).toBeGreaterThan(0.25);
    expect(healthy.length / CLUSTERS).toBeLessThan(0.5);
  });

  it('are of clusters that every flaw changes', () => {
    const shapes = Array.from({ length: 60 }, (_, seed) => ({ ...seededShape(seed), flaws: [] }));
    const isLost = (flaw: FlawName) =>
      shapes.every((shape) => {
        const [bare, flawed] = [shape, { ...shape, flaws: [flaw] }].map((each) => consistentCluster(each));
        return JSON.stringify(bare) === JSON.stringify(flawed);
      });
    expect(FLAW_NAMES.filter(isLost)).toEqual([]);
  });

  it('do not get better when health gets worse', () => {
    fc.assert(
      fc.property(clusterShape, fc.constantFrom(...HEALTH), (shape, flaw) => {
        expect(improvedBy(shape, flaw)).toEqual([]);
      }),
      { numRuns: CLUSTERS },
    );
  });

  it('do not get ready when documents are missing', () => {
    fc.assert(
      fc.property(
        clusterShape,
        fc.subarray([...REPORTED_KINDS], { minLength: 1, maxLength: 3 }),
        (shape, removed) => {
          const facts = consistentCluster(shape);
          const before = verdictOf(shape, facts);
          const after = verdictOf(shape, without(facts, removed));
          const atTarget = [facts, without(facts, removed)].map((each) => planAtTarget(shape, each).verdict);
          const lost = [[before, after], atTarget].filter(
            ([known, unknown]) => known !== 'ready' && known !== 'ready-with-warnings' && unknown === 'ready',
          );
          expect(lost.map(([known]) => `${known} is ready without ${removed.join()}`)).toEqual([]);
        },
      ),
      { numRuns: CLUSTERS },
    );
  });

  it('leave every document whose absence hides a finding in the missing input', () => {
    fc.assert(
      fc.property(clusterShape, (shape) => {
        expect(REPORTED_KINDS.flatMap((kind) => lostSilently(shape, kind))).toEqual([]);
      }),
      // Each with every kind of document in turn.
      { numRuns: sized(60, 1000) },
    );
  });
});

/** Facts of the documents that a kind is read from. */
function readWith(kind: ReportedKind): readonly ReportedKind[] {
  return [kind, ...DOCUMENT_KINDS.filter(({ facts }) => facts.includes(kind)).flatMap(({ facts }) => facts)];
}

/** Findings that a person has to act on: `1 AdminAcksCompleted AdminAckRequired`. */
function findingsOf(question: PlanQuestion): string[] {
  return planUpgrade(question).hops.flatMap(({ index, conditions }) =>
    conditions
      .filter(({ effect }) => effect === 'block' || effect === 'inform' || effect === 'warn')
      .map(({ type, reason }) => `${index} ${type} ${reason}`),
  );
}

/** Findings that are lost without a document which is not listed as missing. */
function lostSilently(shape: ClusterShape, kind: ReportedKind): string[] {
  const facts = consistentCluster(shape);
  if (facts[kind] === null) return [];
  const question = questionOf(shape, without(facts, readWith(kind)));
  const left = new Set(findingsOf(question));
  const lost = findingsOf(questionOf(shape, facts)).filter((finding) => !left.has(finding));
  const path = question.answer.found ? question.answer.upgrade.path : [];
  const missing = missingInput(question.facts, hopsOfSteps(path, currentVersion(question.facts)));
  const commands = readWith(kind).flatMap((each) => collectCommands(each));
  const isListed = missing.some(({ command }) => commands.includes(command));
  return isListed ? [] : lost.map((finding) => `${finding} is lost without ${kind}`);
}

function without(facts: ClusterFacts, kinds: readonly ReportedKind[]): ClusterFacts {
  return { ...facts, ...Object.fromEntries(kinds.map((kind) => [kind, null])) };
}
