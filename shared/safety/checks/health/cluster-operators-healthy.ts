import { isKnown } from '../../../cluster/cluster-version.ts';
import type { ClusterCondition, ClusterFacts, ClusterOperatorFacts } from '../../../cluster/facts.ts';
import { durationText } from '../../../text/duration.ts';
import { countInWords, namesInWords } from '../../../text/words.ts';
import { type Finding, asExpected, finding, type Check } from '../../condition.ts';
import { signsOfProgress } from '../../evidence/history.ts';
import { isHosted } from '../../evidence/hosted.ts';
import { missingOperators, operatorObject, quotedMessage } from '../../evidence/operator-health.ts';
import { describeCommand } from '../../tables/operator-hints.ts';
import { UNACCEPTED_RISKS } from '../compatibility/path-recommended.ts';

const TYPE = 'ClusterOperatorsHealthy';
const SHOWN = 10;

/** Without these the control plane cannot update. */
const CORE_OPERATORS: ReadonlySet<string> = new Set([
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'machine-config',
  'network',
]);

/** Health describes the cluster now, so only the first hop is checked. */
export const clusterOperatorsHealthy: Check = ({ facts, hop, now }) => {
  if (hop.index > 0) return [];
  const findings = [...clusterVersionHealth(facts), ...operatorHealth(facts, now)];
  return findings.length > 0
    ? findings
    : [asExpected(TYPE, 'All cluster operators are available, and none is degraded')];
};

/** An invalid ClusterVersion starts no update, not even a patch. */
export function isInvalid({ clusterVersion }: Pick<ClusterFacts, 'clusterVersion'>): boolean {
  return (
    clusterVersion?.conditions.some(({ type, status }) => type === 'Invalid' && status === 'True') ?? false
  );
}

const DESCRIBE_VERSION = 'oc describe clusterversion version';

function clusterVersionHealth({ clusterVersion }: ClusterFacts): Finding[] {
  if (clusterVersion === null) return [];
  const { conditions, desired, desiredUpdate } = clusterVersion;
  const reported = (type: string): ClusterCondition | undefined =>
    conditions.find((condition) => condition.type === type);
  const invalid = isInvalid({ clusterVersion }) ? reported('Invalid') : undefined;
  const failing = reported('Failing');
  const accepted = reported('ReleaseAccepted');
  const asked = desiredUpdate?.version || desiredUpdate?.image || desired.version;
  return [
    ...(invalid
      ? [
          {
            ...quoting(
              invalid,
              { reason: 'InvalidClusterVersion', effect: 'block' },
              'The ClusterVersion is invalid',
            ),
            evenForPatches: true as const,
            notAcceptable: true as const,
          },
        ]
      : []),
    ...(failing && failing.status !== 'False' ? [updateFailing(failing, desired.version)] : []),
    // PathRecommended covers unaccepted risks.
    ...(accepted?.status === 'False' && accepted.reason !== UNACCEPTED_RISKS
      ? [
          quoting(
            accepted,
            { reason: accepted.reason || 'UpdateRefused', effect: 'warn' },
            `The cluster does not accept release ${asked}`,
          ),
        ]
      : []),
  ];
}

function updateFailing(condition: ClusterCondition, version: string): Finding {
  const isKnown = condition.status === 'True';
  return {
    ...quoting(
      condition,
      { reason: 'UpdateFailing', effect: isKnown ? 'block' : 'warn' },
      isKnown ? `The cluster cannot apply ${version}` : `Not known whether the cluster can apply ${version}`,
    ),
    status: isKnown ? 'False' : 'Unknown',
  };
}

function quoting(
  condition: ClusterCondition,
  about: Pick<Finding, 'reason' | 'effect'>,
  text: string,
): Finding {
  const quoted = quotedMessage(condition);
  const message = quoted === '' ? text : `${text}: ${quoted}`;
  return {
    ...finding({ type: TYPE, status: 'False', ...about, message }),
    origin: 'reported',
    remediation: [DESCRIBE_VERSION],
    ...(condition.since !== null && { since: condition.since }),
  };
}

/** Minutes until a warning and an error, as in `oc adm upgrade status`. */
interface Thresholds {
  readonly warning: number;
  readonly error: number;
}

const UNAVAILABLE = {
  state: 'not available',
  thresholds: { warning: 5, error: 20 },
  shownBy: { type: 'Available', status: 'False' },
} as const;
const DEGRADED = {
  state: 'degraded',
  thresholds: { warning: 5, error: 40 },
  shownBy: { type: 'Degraded', status: 'True' },
} as const;

/** The operator does not answer, so its state is not known. */
const SILENT = {
  state: 'of unknown availability',
  thresholds: { warning: 5, error: 20 },
  shownBy: { type: 'Available', status: 'Unknown' },
} as const;

interface ReportingOperator {
  readonly name: string;
  readonly condition: ClusterCondition;
}

function operatorHealth(facts: ClusterFacts, now: number): readonly Finding[] {
  const missing = missingOperators(TYPE, facts);
  if (missing) return [missing];
  // EtcdHealthy reports etcd, except for hosted clusters.
  const operators = facts.clusterOperators!.filter(({ name }) => name !== 'etcd' || isHosted(facts));
  const unavailable = withCondition(operators, UNAVAILABLE.shownBy);
  const silent = withCondition(operators.map(withAvailability), SILENT.shownBy);
  const isCore = ({ name }: ReportingOperator): boolean => CORE_OPERATORS.has(name);
  const isUpdating = facts.clusterVersion !== null && signsOfProgress(facts.clusterVersion).length > 0;
  return [
    ...ailing(
      { reason: 'CoreOperatorUnavailable', effect: 'block' },
      UNAVAILABLE,
      unavailable.filter(isCore),
      now,
    ),
    ...ailing(
      { reason: 'ClusterOperatorsUnavailable', effect: 'warn' },
      UNAVAILABLE,
      unavailable.filter((operator) => !isCore(operator)),
      now,
    ),
    ...ailing({ reason: 'ClusterOperatorsUnknown', effect: 'warn' }, SILENT, silent, now).map(
      (found): Finding => ({ ...found, status: 'Unknown' }),
    ),
    ...ailing(
      { reason: 'ClusterOperatorsDegraded', effect: 'warn' },
      DEGRADED,
      withCondition(operators, DEGRADED.shownBy),
      now,
    ),
    ...(isUpdating ? slow(operators, now) : []),
  ];
}

function ailing(
  about: Pick<Finding, 'reason' | 'effect'>,
  { state, thresholds }: typeof UNAVAILABLE | typeof DEGRADED | typeof SILENT,
  found: readonly ReportingOperator[],
  now: number,
): readonly Finding[] {
  if (found.length === 0) return [];
  const aged = found.map((each) => {
    const minutes = minutesSince(each.condition, now);
    return { ...each, minutes, severity: severityOf(minutes, thresholds) };
  });
  const lines = aged.map(({ name, condition, minutes, severity }) => {
    const quoted = quotedMessage(condition);
    const verb = found.length === 1 ? ` is ${state}` : '';
    return `${name}${verb}${ageInWords(minutes, severity)}${quoted === '' ? '' : `: ${quoted}`}`;
  });
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  const bullets = [...lines.slice(0, SHOWN), ...more].map((line) => `\n* ${line.replaceAll('\n', '\n  ')}`);
  const message =
    lines.length === 1
      ? lines[0]!
      : `${countInWords(lines.length, 'cluster operator')} are ${state}:${bullets.join('')}`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', ...about, message }),
      origin: 'reported',
      objects: aged.map(({ name, condition, severity }) => operatorObject(name, condition, { severity })),
      remediation: [...new Set(found.map(({ name }) => describeCommand(name)))],
    },
  ];
}

type Severity = 'info' | 'warning' | 'error';

/** The age changes the words, never the effect. */
function ageInWords(minutes: number | null, severity: Severity): string {
  if (minutes === null || minutes < 1) return '';
  const age = ` for ${durationText(minutes * 60_000, 1)}`;
  if (severity === 'info') return `${age}, which can still be a short restart`;
  return severity === 'error' ? `${age}, too long for a restart` : age;
}

/** Usual maximum duration of an operator update. */
const EXPECTED_MINUTES = 30;
/** Waits for the control plane nodes to reboot. */
const SLOW_OPERATORS: ReadonlyMap<string, number> = new Map([['machine-config', 90]]);

function slow(operators: readonly ClusterOperatorFacts[], now: number): readonly Finding[] {
  const found = withCondition(operators, { type: 'Progressing', status: 'True' }).flatMap(
    ({ name, condition }) => {
      const minutes = minutesSince(condition, now);
      const expected = SLOW_OPERATORS.get(name) ?? EXPECTED_MINUTES;
      return minutes !== null && minutes > expected ? [{ name, condition, minutes, expected }] : [];
    },
  );
  if (found.length === 0) return [];
  const names = namesInWords(found.map(({ name }) => name));
  const message = `${names} ${found.length === 1 ? 'takes' : 'take'} longer than expected to update`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'ClusterOperatorsSlow', message, effect: 'warn' }),
      origin: 'reported',
      objects: found.map(({ name, condition, minutes, expected }) =>
        operatorObject(name, condition, { minutes, expectedMinutes: expected }),
      ),
      remediation: [...new Set(found.map(({ name }) => describeCommand(name)))],
    },
  ];
}

/** An operator that does not report its availability is not taken for available. */
function withAvailability(operator: ClusterOperatorFacts): ClusterOperatorFacts {
  const { type } = SILENT.shownBy;
  const reported = operator.conditions.find((condition) => condition.type === type);
  if (reported && isKnown(reported)) return operator;
  const silent = { reason: `it does not report ${type}`, message: '', since: null };
  return { ...operator, conditions: [{ ...silent, ...reported, ...SILENT.shownBy }] };
}

/** Sorted by name. */
function withCondition(
  operators: readonly ClusterOperatorFacts[],
  shownBy: { readonly type: string; readonly status: string },
): readonly ReportingOperator[] {
  return operators
    .flatMap(({ name, conditions }) => {
      const condition = conditions.find(
        ({ type, status }) => type === shownBy.type && status === shownBy.status,
      );
      return condition ? [{ name, condition }] : [];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whole minutes; null without a transition time. */
function minutesSince({ since }: ClusterCondition, now: number): number | null {
  const start = Date.parse(since ?? '');
  return Number.isNaN(start) ? null : Math.floor((now - start) / 60_000);
}

function severityOf(minutes: number | null, { warning, error }: Thresholds): Severity {
  if (minutes === null) return 'warning';
  if (minutes >= error) return 'error';
  return minutes >= warning ? 'warning' : 'info';
}
