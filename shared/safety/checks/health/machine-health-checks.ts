import type { HealthCheckFacts } from '../../../cluster/workloads.ts';
import { PAUSED_ANNOTATION } from '../../../cluster/workloads.ts';
import { shellWord } from '../../../text/quote.ts';
import { namesInWords } from '../../../text/words.ts';
import {
  type Check,
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  notChecked,
} from '../../condition.ts';
import { isHosted } from '../../evidence/hosted.ts';

export const HEALTH_CHECKS = 'MachineHealthChecks';
export const ACTIVE = 'HealthChecksActive';
export const LEFT_PAUSED = 'HealthCheckLeftPaused';
const MACHINE_HEALTH_CHECK = 'MachineHealthCheck';

/**
 * A health check can replace a node that only reboots for the update. NodeHealthChecks stop on their own during an
 * update, except on hosted clusters.
 */
export const machineHealthChecks: Check = ({ facts, hop }) => {
  if (hop.index > 0) return [];
  const { healthChecks } = facts;
  if (healthChecks === null) {
    return [notChecked(HEALTH_CHECKS, 'MachineHealthChecks and NodeHealthChecks were', ['healthChecks'])];
  }
  const active = healthChecks.filter(
    ({ kind, isPaused }) => !isPaused && (kind === MACHINE_HEALTH_CHECK || isHosted(facts)),
  );
  const paused = healthChecks.filter(({ isPaused }) => isPaused);
  const findings = [...activeChecks(active), ...leftPaused(paused)];
  return findings.length > 0
    ? findings
    : [asExpected(HEALTH_CHECKS, 'No health check replaces nodes during the update')];
};

function activeChecks(checks: readonly HealthCheckFacts[]): Finding[] {
  if (checks.length === 0) return [];
  const message = `Pause during the update, because a health check can replace a node that reboots: ${namesOf(checks)}`;
  return [
    {
      ...finding({ type: HEALTH_CHECKS, status: 'True', reason: ACTIVE, message, effect: 'info' }),
      objects: objectsOf(checks),
    },
  ];
}

function leftPaused(checks: readonly HealthCheckFacts[]): Finding[] {
  if (checks.length === 0) return [];
  const message = `Paused already, so that broken nodes are not replaced: ${namesOf(checks)}`;
  return [
    {
      ...finding({ type: HEALTH_CHECKS, status: 'False', reason: LEFT_PAUSED, message, effect: 'warn' }),
      objects: objectsOf(checks),
      remediation: [
        `Find out why ${namesOf(checks)} ${checks.length === 1 ? 'is' : 'are'} paused`,
        ...objectsOf(checks).slice(0, MOST_COMMANDS).map(readCommand),
      ],
    },
  ];
}

const MOST_COMMANDS = 20;

function readCommand({ kind, namespace = '', name }: ConditionObject): string {
  return `oc ${inNamespace(namespace)}get ${kind.toLowerCase()} ${shellWord(name)} -o yaml`;
}

/** Value that Cairn adds to the pause requests of a NodeHealthCheck. */
const PAUSE_REQUEST = 'cluster update';

export function suspendCommand(
  { kind, namespace = '', name }: ConditionObject,
  isSuspended: boolean,
): string {
  if (kind === MACHINE_HEALTH_CHECK) {
    return `oc ${inNamespace(namespace)}annotate machinehealthcheck ${shellWord(name)} ${PAUSED_ANNOTATION}${isSuspended ? '=' : '-'}`;
  }
  const patch = { spec: { pauseRequests: isSuspended ? [PAUSE_REQUEST] : [] } };
  return `oc patch nodehealthcheck ${shellWord(name)} --type=merge -p ${shellWord(JSON.stringify(patch))}`;
}

function inNamespace(namespace: string): string {
  return namespace === '' ? '' : `-n ${shellWord(namespace)} `;
}

function objectsOf(checks: readonly HealthCheckFacts[]): ConditionObject[] {
  return checks
    .map(({ kind, namespace, name }) => ({ kind, ...(namespace !== '' && { namespace }), name }))
    .toSorted((a, b) => (`${nameOf(a)} ${a.kind}` < `${nameOf(b)} ${b.kind}` ? -1 : 1));
}

function namesOf(checks: readonly HealthCheckFacts[]): string {
  return namesInWords(checks.map(nameOf));
}

function nameOf({ namespace = '', name }: Pick<ConditionObject, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
