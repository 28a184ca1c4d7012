import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { configurationsWith } from '../../cluster/clusters.ts';
import { setConditions } from '../../cluster/flaws.ts';
import { isMember, isTrue, refusalsOf, VOLUME_ON_OLD_VCENTER } from '../../cluster/release-reports.ts';
import { commandsOf } from '../plan-outlines.ts';
import { type SimulatedCluster, Stuck } from './simulated-cluster.ts';

/** What a person does who reads a step. Objects that the commands name limit it to them. */
type Repair = (facts: ClusterFacts, step: PlanStep) => Partial<ClusterFacts>;

/** Names that the commands have after a word; null if they have none, so that all objects are meant. */
function namedIn(step: PlanStep, before: RegExp): ReadonlySet<string> | null {
  const names = commandsOf(step).flatMap((command) => before.exec(command)?.[1] ?? []);
  return names.length === 0 ? null : new Set(names);
}

function repairNodes(isMeant: (node: NodeFacts) => boolean, repaired: Partial<NodeFacts>): Repair {
  return ({ nodes }, step) => {
    const named = namedIn(step, /^oc describe node (\S+)$/);
    const isNamed = ({ name }: NodeFacts) => named === null || named.has(name);
    return {
      nodes: nodes!.map((node) => (isMeant(node) && isNamed(node) ? { ...node, ...repaired } : node)),
    };
  };
}

const READY = { ready: 'True', problems: [] } as const;

const repairPools: Repair = ({ pools }, step) => {
  const named = namedIn(step, /^oc describe mcp\/(\S+)$/);
  return {
    pools: pools!.map((pool) =>
      isTrue(pool.conditions, 'Degraded') && (named === null || named.has(pool.name))
        ? {
            ...pool,
            ...setConditions(pool, { Degraded: 'False' }),
            machines: { ...pool.machines, degraded: 0, ready: pool.machines.total },
          }
        : pool,
    ),
  };
};

const reportPools: Repair = ({ pools }, step) => {
  const named = namedIn(step, /^oc describe mcp\/(\S+)$/);
  return {
    pools: pools!.map((pool) =>
      pool.conditions.length === 0 && named?.has(pool.name) === true
        ? { ...pool, ...setConditions(pool, { Updated: 'True', Updating: 'False', Degraded: 'False' }) }
        : pool,
    ),
  };
};

/** Its steps look first, and repair then. */
const repairEtcd: Repair = ({ clusterOperators }, step) => {
  const named = namedIn(step, /^oc describe clusteroperator (\S+)$/);
  return { clusterOperators: clusterOperators!.filter(({ name }) => named === null || !named.has(name)) };
};

const withoutCondition =
  (type: string): Repair =>
  ({ clusterVersion }) => ({
    clusterVersion: {
      ...clusterVersion!,
      conditions: clusterVersion!.conditions.filter((each) => each.type !== type),
    },
  });

/** Waits for it, or cancels it. */
const endRequest: Repair = ({ clusterVersion }) => ({
  clusterVersion: { ...clusterVersion!, desiredUpdate: null },
});

const leaveOneBudget: Repair = ({ budgets }) => ({
  budgets: budgets!.filter(({ namespace, name }) => namespace !== 'two' || name !== 'other'),
});

const repairOperators: Repair = ({ clusterOperators }, step) => {
  const named = namedIn(step, /^oc describe clusteroperator (\S+)$/);
  if (named === null) throw new Stuck('the step names no operator');
  return { clusterOperators: clusterOperators!.filter(({ name }) => !named.has(name)) };
};

/** Operators without a limit, in the namespaces that are named. */
const updateOperators: Repair = ({ operators }, step) => {
  const named = namedIn(step, /^oc -n (\S+) get subscription/);
  return {
    operators: operators!.map((operator) =>
      named === null || named.has(operator.namespace) ? { ...operator, properties: [] } : operator,
    ),
  };
};

const moveClients: Repair = ({ apiUse }, step) => {
  const named = namedIn(step, /^oc get apirequestcounts (\S+) -o yaml$/);
  return { apiUse: apiUse!.filter(({ name }) => named !== null && !named.has(name)) };
};

/** Room for the pods of the budgets that are named. */
const relaxBudgets: Repair = ({ budgets }, step) => {
  const named = namedIn(step, /^oc -n \S+ get pdb (\S+) -o yaml$/);
  return {
    budgets: budgets!.map((budget) =>
      named === null || named.has(budget.name)
        ? { ...budget, disruptionsAllowed: 1, currentHealthy: budget.expectedPods, desiredHealthy: 1 }
        : budget,
    ),
  };
};

/** The only gate that no document decides is about the build of vCenter. */
const updateVcenter: Repair = ({ vsphereVolumes }) => ({
  vsphereVolumes: vsphereVolumes!.map((name) => name.replace(VOLUME_ON_OLD_VCENTER, 'volume')),
});

const silence: Repair = () => ({ alerts: [] });
/** A command of the step does it, another step does, or there is nothing to do but to know it. */
const byCommand: Repair = () => ({});

const REPAIRS: Readonly<Record<string, Repair>> = {
  ControlPlaneMajorityNotReady: repairNodes(isMember, READY),
  ControlPlaneNodeNotReady: repairNodes(isMember, READY),
  NodeNotReady: repairNodes((node) => !isMember(node), READY),
  NodePressure: repairNodes(({ ready }) => ready === 'True', READY),
  NodeCordoned: byCommand,
  ControlPlaneCountUnusual: byCommand,
  EtcdUnavailable: repairEtcd,
  EtcdDegraded: repairEtcd,
  EtcdUnknown: repairEtcd,
  EtcdMembersNotReady: byCommand,
  PoolDegraded: repairPools,
  PoolUnknown: reportPools,
  DegradedPool: byCommand,
  PoolUpdating: byCommand,
  PoolPausedOutdated: byCommand,
  ControlPlanePoolPaused: byCommand,
  KubeletMinorVersionUnsupported: byCommand,
  KubeletMinorVersionUnsupportedNextUpgrade: byCommand,
  KubeletBeyondKubernetesPolicy: byCommand,
  ClusterOperatorsUnavailable: repairOperators,
  ClusterOperatorsDegraded: repairOperators,
  ClusterOperatorsUnknown: repairOperators,
  CoreOperatorUnavailable: repairOperators,
  Failing: byCommand,
  UpdateFailing: byCommand,
  UpdateInProgress: endRequest,
  MinorUpdateIncomplete: byCommand,
  MinorVersionClusterUpdateInProgress: byCommand,
  MajorVersionClusterUpdateInProgress: byCommand,
  IncompatibleOperatorsInstalled: updateOperators,
  APIRemovedInNextReleaseInUse: moveClients,
  APIRemovedInLaterReleaseInUse: moveClients,
  AcknowledgedButInUse: byCommand,
  AdminAckRequired: byCommand,
  AdminAckExpected: byCommand,
  AdminAckCannotTell: updateVcenter,
  ClusterVersionOverridesSet: byCommand,
  PeerBlocksPatchWithOverrides: byCommand,
  TargetUnsupported: byCommand,
  NoChannel: byCommand,
  CannotRetrieveUpdates: byCommand,
  RestrictedFeatureGates: byCommand,
  UnsupportedConfigOverridesSet: () => ({ operatorConfigs: configurationsWith({}) }),
  CertRotationBaseOverridden: () => ({ certRotationBase: '' }),
  MissingUpgradeableAnnotation: byCommand,
  ClusterOnCgroupV1: byCommand,
  RHELNodes: ({ nodes }) => ({
    nodes: nodes!.map(({ labels: { 'node.openshift.io/os_id': _system, ...labels }, ...node }) => ({
      ...node,
      labels,
      osImage: 'Red Hat Enterprise Linux CoreOS',
    })),
  }),
  OpenShiftSDNConfigured: () => ({ configuredNetwork: 'OVNKubernetes', networkType: 'OVNKubernetes' }),
  KuryrConfigured: () => ({ configuredNetwork: 'OVNKubernetes', networkType: 'OVNKubernetes' }),
  RuncConfigured: byCommand,
  SELinuxMountIncompatibleWorkloads: () => ({ selinuxConflicts: 'False' }),
  InterruptedBuild: ({ pools }) => ({
    pools: pools!.map((pool) => ({
      ...pool,
      conditions: pool.conditions.filter(({ type }) => type !== 'BuildInterrupted'),
    })),
  }),
  NetworkMigrationInProgress: () => ({ networkMigration: { isInProgress: false, message: '' } }),
  ConflictingClusterImagePolicy: () => ({ imagePolicies: [] }),
  ClusterBootImageSkewError: ({ machineConfiguration }) => ({
    machineConfiguration: { ...machineConfiguration!, bootImageSkew: null },
  }),
  VolumeSnapshotAlphaCRDs: ({ customResources }) => ({
    customResources: customResources!.filter(({ group }) => group !== 'snapshot.storage.k8s.io'),
  }),
  BootImageSkewExpected: byCommand,
  SigstoreSignaturesNeeded: byCommand,
  InvalidClusterVersion: withoutCondition('Invalid'),
  VerificationFailed: withoutCondition('ReleaseAccepted'),
  PodInTwoBudgets: leaveOneBudget,
  VirtualMachineCannotMigrate: () => ({ virtualMachines: [] }),
  UnownedPods: byCommand,
  PendingNodeCertificates: byCommand,
  BudgetNeverAllows: relaxBudgets,
  BudgetAllowsNoneNow: relaxBudgets,
  BudgetAllowsNone: relaxBudgets,
  HealthCheckLeftPaused: byCommand,
  HealthChecksActive: byCommand,
  CriticalAlertsFiring: silence,
  NodeAlertsFiring: silence,
  BudgetAlertsFiring: silence,
};

/** Reasons of operators have a prefix, and several are joined: `KubeletMinorVersion_…::CertRotation_…`. */
function partsOf(reason: string): string[] {
  return reason.split('::').map((part) => part.split('_').at(-1)!);
}

/** Puts back the budgets that a step at the end names. */
export function putBack(cluster: SimulatedCluster, step: PlanStep, before: ClusterFacts): void {
  const named = namedIn(step, /^oc -n \S+ get pdb (\S+) -o yaml$/);
  cluster.change({
    budgets: cluster.facts.budgets!.map((budget) =>
      named?.has(budget.name) ? before.budgets!.find(({ name }) => name === budget.name)! : budget,
    ),
  });
}

/** Resolves the findings that a step names. */
export function repair(cluster: SimulatedCluster, step: PlanStep): void {
  // Names of risks are reasons too, and a command accepts them.
  const resolves = (step.resolves ?? []).filter(({ type }) => type !== 'PathRecommended');
  for (const { reason } of resolves) {
    const reasons =
      reason === 'ClusterOperatorsNotUpgradeable' || reason === 'MultipleReasons'
        ? refusalsOf(cluster.facts).map((refusal) => refusal.reason)
        : [reason];
    for (const part of reasons.flatMap(partsOf)) {
      const change = REPAIRS[part];
      if (!change) throw new Stuck(`nothing is known to resolve ${part}`);
      cluster.change(change(cluster.facts, step));
    }
  }
}
