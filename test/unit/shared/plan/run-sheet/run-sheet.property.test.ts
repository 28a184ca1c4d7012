import type { ClusterFacts, PoolFacts } from '@cairn/shared/cluster/facts';
import { allConditions } from '@cairn/shared/plan/conditions';
import type { PlanQuestion } from '@cairn/shared/plan/figures';
import { planUpgrade, type UpgradePlan } from '@cairn/shared/plan/plan';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { shellWord } from '@cairn/shared/text/quote';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCondition } from '../../../../helpers/cluster/clusters.ts';
import { aHostedCluster, aNodePool, hostedFacts } from '../../../../helpers/cluster/hosted.ts';
import { question } from '../../../../helpers/cluster/random-clusters.ts';
import { payloadOf } from '../../../../helpers/path/answers.ts';
import { commandsOf, isDiskCheck, isUpdate } from '../../../../helpers/plan/plan-outlines.ts';
import { sized } from '../../../../helpers/size.ts';

/** Findings without a step before the update of their hop, or without a step at all if there is no hop. */
function unresolved({ hops, conditions: atTarget = [], plan: { steps } }: UpgradePlan): string[] {
  const judged = [...hops, { index: null, conditions: atTarget }];
  return judged.flatMap(({ index, conditions }) => {
    const update = steps.findIndex((step) => isUpdate(step) && step.hop === index);
    const resolved = steps
      .slice(0, index === null ? steps.length : update)
      .filter(({ hop }) => index === null || (hop !== null && hop <= index))
      .flatMap(({ resolves = [] }) => resolves);
    return conditions
      .filter(({ effect }) => effect === 'block' || effect === 'inform' || effect === 'warn')
      .filter((each) => !resolved.some(({ type, reason }) => type === each.type && reason === each.reason))
      .map(({ type, reason, effect }) => `hop ${index}: ${type} ${reason} ${effect}`);
  });
}

const FOR_FINDINGS: ReadonlySet<PlanStep['kind']> = new Set([
  'fix',
  'check',
  'wait',
  'ack',
  'migrate-api',
  'update-operator',
]);

/** Steps that resolve nothing, or something that the plan does not report. */
function needless(plan: UpgradePlan): string[] {
  const { steps } = plan.plan;
  const known = new Set(allConditions(plan).map(({ type, reason }) => `${type} ${reason}`));
  return steps
    .filter(({ resolves = [], ...step }) =>
      FOR_FINDINGS.has(step.kind) && resolves.length === 0 && !isDiskCheck(step)
        ? true
        : resolves.some(({ type, reason }) => !known.has(`${type} ${reason}`)),
    )
    .map(({ id, text }) => `${id}: ${text}`);
}

function wrongNumbers({ plan: { steps } }: UpgradePlan): string[] {
  return steps.filter(({ id, kind }, at) => id !== `${at + 1}-${kind}`).map(({ id }) => id);
}

/** `commands` is given only for several commands, and starts with `command`. */
function wrongCommands({ plan: { steps } }: UpgradePlan): string[] {
  return steps
    .filter(({ command, commands }) => commands && (commands.length < 2 || commands[0] !== command))
    .map(({ id }) => id);
}

/** Commands that no plan may print. */
const FORBIDDEN: readonly RegExp[] = [
  /--timeout=(?:-1s?|0[smh]?)(?:\s|$)/,
  /^oc (?:adm )?wait\b(?!.*--timeout=)/,
  /^watch\b/,
  /^oc get\b.*\s(?:-w|--watch(?:-only)?)\b/,
  /--force\b/,
  /--to-latest\b/,
  /--disable-eviction\b/,
  /^oc delete (?:pdb|poddisruptionbudgets?)\b/,
  /^oc adm certificate approve(?:\s*$|.*\s-)/,
  /^oc patch clusterversion.*desiredUpdate/,
  /\|/,
];

/** Images have digests, never tags. */
const HAS_TAG = /--to-image=(?!'?\S+@sha256:)/;

function withoutQuotes(command: string): string {
  return command.replaceAll(/'[^']*'|\\'/g, "''");
}

function forbidden(plan: UpgradePlan): string[] {
  const { steps } = plan.plan;
  const advised = allConditions(plan)
    .flatMap(({ remediation = [] }) => remediation)
    .filter((text) => text.startsWith('oc '));
  return [...steps.flatMap(commandsOf), ...advised].filter(
    (command) => HAS_TAG.test(command) || FORBIDDEN.some((pattern) => pattern.test(withoutQuotes(command))),
  );
}

const isDegraded = ({ conditions, machines }: PoolFacts): boolean =>
  machines.degraded > 0 || conditions.some(({ type, status }) => type === 'Degraded' && status === 'True');

/** A degraded pool is waited for only after its repair. */
function hopelessWaits({ plan: { steps } }: UpgradePlan, { pools }: ClusterFacts): string[] {
  return (pools ?? []).filter(isDegraded).flatMap(({ name }) => {
    const word = shellWord(name);
    const wait = steps.findIndex((step) =>
      commandsOf(step).some((command) => command.startsWith(`oc wait mcp/${word} `)),
    );
    const repair = steps.findIndex((step) => step.command === `oc describe mcp/${word}`);
    return wait >= 0 && (repair < 0 || repair > wait) ? [`${steps[wait]!.id} waits for ${name}`] : [];
  });
}

/** The same cluster without an update service, along releases with digests. */
function offline(asked: PlanQuestion): PlanQuestion {
  const { facts, answer } = asked;
  const { clusterVersion } = facts;
  const retrieved = aCondition('RetrievedUpdates', 'False', 'RemoteFailed');
  const others = clusterVersion?.conditions.filter(({ type }) => type !== retrieved.type) ?? [];
  return {
    ...asked,
    facts: {
      ...facts,
      clusterVersion: clusterVersion && { ...clusterVersion, conditions: [...others, retrieved] },
    },
    answer: answer.found
      ? {
          ...answer,
          upgrade: {
            ...answer.upgrade,
            path: answer.upgrade.path.map((step) => ({ ...step, payload: payloadOf(step.version) })),
          },
        }
      : answer,
  };
}

/** The same cluster with a hosted control plane, seen from inside. */
function hosted(asked: PlanQuestion): PlanQuestion {
  const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
  return { ...asked, facts: { ...asked.facts, infrastructure } };
}

/** The same cluster, seen from its management cluster. */
function managed(asked: PlanQuestion, { hosted, pools, versions }: Management): PlanQuestion {
  const { clusterVersion } = asked.facts;
  if (clusterVersion === null) return asked;
  const { clusterId, channel, desired, history } = clusterVersion;
  const { availableUpdates, conditionalUpdates, knownRisks } = clusterVersion;
  const version = { desired, history, availableUpdates, conditionalUpdates, knownRisks };
  const facts = hostedFacts(aHostedCluster({ clusterId, channel, version, ...hosted }), pools, {
    hostedVersions: versions,
  });
  return { ...asked, facts };
}

const conditionsOf = (...types: readonly string[]) =>
  fc
    .subarray([...types])
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((type) =>
          fc.constantFrom('True', 'False', 'Unknown').map((status) => aCondition(type, status)),
        ),
      ),
    );
const release = fc.constantFrom('4.12.5', '4.14.8', '4.14.99', '4.15.3', '4.17.1', '4.18.10', '5.0.1', '');
const nodePool = fc
  .record({
    name: fc.constantFrom('a', "b'c"),
    version: release,
    replicas: fc.constantFrom(0, 3, null),
    upgradeType: fc.constantFrom('Replace', 'InPlace'),
    pausedUntil: fc.constantFrom('', 'true'),
    conditions: conditionsOf(
      'SupportedVersionSkew',
      'AllNodesHealthy',
      'UpdatingVersion',
      'ReconciliationActive',
    ),
  })
  .map(({ name, version, ...changes }) => aNodePool(name, version, { nodeVersions: [], ...changes }));
const management = fc.record({
  hosted: fc.record({
    conditions: conditionsOf(
      ...['Available', 'Degraded', 'EtcdAvailable', 'ReconciliationActive', 'ValidReleaseImage'],
      ...['ClusterVersionUpgradeable', 'ClusterVersionProgressing', 'ClusterVersionFailing'],
    ),
    networkType: fc.constantFrom('OVNKubernetes', 'OpenShiftSDN'),
    forcedImage: fc.constantFrom('', 'q/r@sha256:a'),
    pausedUntil: fc.constantFrom('', '', 'true'),
  }),
  pools: fc.option(fc.uniqueArray(nodePool, { selector: ({ name }) => name, maxLength: 2 })),
  versions: fc.option(fc.subarray(['4.14', '4.15', '4.16', '4.17', '4.18', '5.0'])),
});
type Management = typeof management extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const CLUSTERS = sized(200, 10_000);

describe(`run sheets of ${CLUSTERS} clusters`, () => {
  it('cases 54 and 58: resolve every finding before its update, number their steps, and print no forbidden command', () => {
    fc.assert(
      fc.property(question, fc.boolean(), (drawn, isOffline) => {
        const asked = isOffline ? offline(drawn) : drawn;
        const plan = planUpgrade(asked);
        expect({
          unresolved: unresolved(plan),
          needless: needless(plan),
          wrongNumbers: wrongNumbers(plan),
          wrongCommands: wrongCommands(plan),
          forbidden: forbidden(plan),
          hopelessWaits: hopelessWaits(plan, asked.facts),
        }).toEqual({
          unresolved: [],
          needless: [],
          wrongNumbers: [],
          wrongCommands: [],
          forbidden: [],
          hopelessWaits: [],
        });
      }),
      { numRuns: CLUSTERS },
    );
  });

  it('have no command of a standalone cluster for a hosted one', () => {
    fc.assert(
      fc.property(question, (drawn) => {
        const plan = planUpgrade(hosted(drawn));
        const remediation = plan.hops.flatMap(({ conditions }) =>
          conditions.flatMap((each) => each.remediation ?? []),
        );
        const printed = [
          ...plan.plan.steps.flatMap((step) => [step.text, ...commandsOf(step)]),
          ...remediation,
        ];
        expect(printed.filter((text) => /oc adm upgrade|machineconfigpools?|\bmcp\b/.test(text))).toEqual([]);
        expect({
          unresolved: unresolved(plan),
          needless: needless(plan),
          forbidden: forbidden(plan),
        }).toEqual({
          unresolved: [],
          needless: [],
          forbidden: [],
        });
      }),
      { numRuns: CLUSTERS },
    );
  });

  it('resolve every finding of a hosted cluster on its management cluster', () => {
    fc.assert(
      fc.property(question, management, (drawn, drawnManagement) => {
        const asked = managed(drawn, drawnManagement);
        fc.pre(asked !== drawn);
        const plan = planUpgrade(asked);
        const printed = plan.plan.steps.flatMap((step) => [step.text, ...commandsOf(step)]);
        expect({
          unresolved: unresolved(plan),
          needless: needless(plan),
          wrongNumbers: wrongNumbers(plan),
          wrongCommands: wrongCommands(plan),
          forbidden: forbidden(plan),
          standalone: printed.filter((text) => /oc adm|machineconfigpools?|\bmcp\b|NAMESPACE/.test(text)),
          unplaced: plan.plan.steps.filter((step) => commandsOf(step).length > 0 && step.where === undefined),
        }).toEqual({
          unresolved: [],
          needless: [],
          wrongNumbers: [],
          wrongCommands: [],
          forbidden: [],
          standalone: [],
          unplaced: [],
        });
      }),
      { numRuns: CLUSTERS },
    );
  });
});
