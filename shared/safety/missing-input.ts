import { collectionsOf } from '../cluster/document-kinds.ts';
import { type ClusterFacts, REPORTED_KINDS, type ReportedKind } from '../cluster/facts.ts';
import { EXTENSIONS, decidesExtensions } from './checks/compatibility/extensions-compatible.ts';
import { isRelevant } from './checks/gates/forward-guards.ts';
import { unsentConfigurations } from './evidence/guarded-settings.ts';
import { hostedClusterOf, isHosted, worksOnHosted } from './evidence/hosted.ts';
import type { Hop } from './hop.ts';
import { gatesOfHop } from './tables/admin-gates.ts';
import { FORWARD_GUARDS } from './tables/forward-guards.ts';
import { type GateRule, ruleOf } from './tables/gate-rules.ts';

/** Documents that were not sent, or that the reporter may not read. */
export interface MissingInput {
  /** `FeatureGate`; several kinds of one command are joined by commas. */
  readonly kind: string;
  readonly command: string;
  /** Condition types, reasons of forward guards, and keys of gates that it decides; sorted. */
  readonly decides: readonly string[];
}

/** Facts that whole checks read, by condition type. */
const CHECK_FACTS: Readonly<Record<string, readonly ReportedKind[]>> = {
  NoUpdateInProgress: ['clusterVersion'],
  OverridesUnset: ['clusterVersion'],
  PathRecommended: ['clusterVersion'],
  ClusterOperatorsUpgradeable: ['clusterOperators'],
  KubeletMinorVersionUpgradeable: ['nodes', 'clusterOperators', 'pools'],
  NodeComponentsAligned: ['nodes'],
  NodesHealthy: ['nodes', 'pools', 'infrastructure'],
  EtcdHealthy: ['clusterOperators', 'podsPerNode'],
  PoolsReady: ['pools'],
  OperatorsCompatible: ['operators'],
  APIRemovals: ['apiUse'],
  AdminAcksCompleted: ['adminGates', 'adminAcks'],
  [EXTENSIONS]: ['extensions', 'objectSets'],
  ClusterOperatorsHealthy: ['clusterOperators'],
  CertificateRequestsApproved: ['certificateRequests'],
  DrainsPossible: ['budgets', 'drainedPods', 'singleReplicas', 'virtualMachines'],
  MachineHealthChecks: ['healthChecks'],
  AlertsQuiet: ['alerts'],
};

/** Of a hosted cluster that is seen from its management cluster; others have no such objects. */
const HOSTED_FACTS: typeof CHECK_FACTS = {
  HostedSkew: ['nodePools'],
  HostedClusterReady: ['hostedVersions'],
};

/** Missing documents that decide something on the path, in the order of the kinds. */
export function missingInput(facts: ClusterFacts, hops: readonly Hop[]): readonly MissingInput[] {
  const found = new Map<string, { readonly kind: string; readonly decides: Set<string> }>();
  const unsent = unsentConfigurations(facts);
  const isMissing = (fact: ReportedKind) =>
    facts[fact] === null || (fact === 'operatorConfigs' && unsent.length > 0);
  for (const fact of REPORTED_KINDS.filter(isMissing)) {
    const decides = decidedBy(fact, facts, hops);
    if (decides.length === 0) continue;
    for (const { kinds, command } of collectionsOf(fact, fact === 'operatorConfigs' ? unsent : undefined)) {
      if (isHosted(facts) && !worksOnHosted(command)) continue;
      const known = found.get(command) ?? { kind: kinds.join(', '), decides: new Set<string>() };
      for (const id of decides) known.decides.add(id);
      found.set(command, known);
    }
  }
  return [...found].map(([command, { kind, decides }]) => ({
    kind,
    command,
    decides: [...decides].toSorted(),
  }));
}

function decidedBy(fact: ReportedKind, facts: ClusterFacts, hops: readonly Hop[]): readonly string[] {
  return [
    ...Object.entries(hostedClusterOf(facts) ? { ...CHECK_FACTS, ...HOSTED_FACTS } : CHECK_FACTS)
      .filter(
        ([type, read]) => read.includes(fact) && (type !== EXTENSIONS || decidesExtensions(fact, facts)),
      )
      .map(([type]) => type),
    ...hops
      .flatMap((hop) => gatesOfHop(hop, facts))
      .filter((gate) => isDecidedBy(fact, ruleOf(gate), facts))
      .map(({ key }) => key),
    ...FORWARD_GUARDS.filter(
      (guard) => guard.documents.includes(fact) && hops.some((hop) => isRelevant(guard, { facts, hop })),
    ).map(({ reason }) => reason),
  ];
}

/** Other documents can decide without it: only clusters on vSphere have its volumes. */
function isDecidedBy(fact: ReportedKind, { documents, applies }: GateRule, facts: ClusterFacts): boolean {
  if (!documents.includes(fact)) return false;
  const decision = applies(facts);
  return decision.answer === 'unknown' && decision.missing.includes(fact);
}
