import { collectCommands, DOCUMENT_KINDS } from '../cluster/document-kinds.ts';
import type {
  ClusterCondition,
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  ReportedKind,
} from '../cluster/facts.ts';
import { operatorCondition, versionCondition } from './conditions.ts';
import type { UpdateEvidence } from './insights/insights.ts';
import { needsDeployment } from './operators.ts';
import { hasUsableTime } from './times.ts';
import { problemsOf } from './unavailable.ts';

/** Facts without which an update cannot be assessed. */
export interface StatusFacts extends ClusterFacts {
  readonly clusterVersion: ClusterVersionFacts;
  readonly clusterOperators: readonly ClusterOperatorFacts[];
}

/** Facts that the update status reads, for the command that collects them. */
export const STATUS_FACTS = [
  'clusterVersion',
  'clusterOperators',
  'nodes',
  'pools',
  'configReleases',
  'machineConfigImage',
] as const;

export type StatusInput =
  | { readonly ok: true; readonly facts: StatusFacts }
  /** What is missing, and the command that prints it. */
  | { readonly ok: false; readonly problem: string };

export function statusInput(facts: ClusterFacts): StatusInput {
  const { clusterVersion, clusterOperators } = facts;
  if (clusterVersion === null) return without('no ClusterVersion was sent', 'clusterVersion');
  if (clusterOperators === null || clusterOperators.length === 0) {
    return without('no ClusterOperator was sent', 'clusterOperators');
  }
  if (versionCondition(clusterVersion, 'Progressing') === undefined) {
    return without('the ClusterVersion has no condition Progressing', 'clusterVersion');
  }
  return { ok: true, facts: { ...facts, clusterVersion, clusterOperators } };
}

function without(what: string, fact: 'clusterVersion' | 'clusterOperators'): StatusInput {
  const [command] = collectCommands(fact);
  return { ok: false, problem: `${what}. Send the output of: ${command}` };
}

const BROKEN_TIMES = 'times';

/** Resources that were not sent, by their names for `oc get`, and `times`. */
export function missingInput(facts: ClusterFacts, evidence: UpdateEvidence): string[] {
  const wanted: readonly ReportedKind[] = [
    'nodes',
    'pools',
    'configReleases',
    ...(needsDeployment(evidence.operators) ? (['machineConfigImage'] as const) : []),
    'alerts',
  ];
  const times = timedConditions(facts, evidence).every((condition) => hasUsableTime(condition, evidence.at));
  return [...wanted.filter((kind) => facts[kind] === null).map(resourceOf), ...(times ? [] : [BROKEN_TIMES])];
}

/** Alerts come from another API, which has no kinds. */
function resourceOf(fact: ReportedKind): string {
  return DOCUMENT_KINDS.find(({ facts }) => facts.includes(fact))?.resource ?? fact;
}

/** Conditions whose age or time the status uses. */
function timedConditions({ nodes }: ClusterFacts, { update, operators }: UpdateEvidence): ClusterCondition[] {
  const ofVersion = ['Progressing', 'Failing'].map((type) => versionCondition(update.clusterVersion, type));
  const ofOperators = operators.all.flatMap((operator) =>
    ['Available', 'Degraded', 'Progressing'].map((type) => operatorCondition(operator, type)),
  );
  return [...ofVersion, ...ofOperators, ...(nodes ?? []).flatMap(problemsOf)].filter(
    (condition) => condition !== undefined,
  );
}
