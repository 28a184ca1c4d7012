import type { AlertFacts } from '../../../cluster/workloads.ts';
import { groupBy } from '../../../collection/group-by.ts';
import { excerpt, shellWord } from '../../../text/quote.ts';
import { countInWords, joinInWords } from '../../../text/words.ts';
import { type Check, type Finding, asExpected, finding, notChecked } from '../../condition.ts';
import { quotedMessage } from '../../evidence/operator-health.ts';

const TYPE = 'AlertsQuiet';
const SHOWN = 10;

interface AlertClass {
  readonly reason: string;
  readonly noun?: string;
  /** Follows the noun. */
  readonly about?: string;
  readonly isMeant: (alert: AlertFacts) => boolean;
}

const named = (...names: readonly string[]): AlertClass['isMeant'] => {
  const known = new Set(names);
  return ({ name }) => known.has(name);
};

/** Fire on healthy clusters too. */
const isHarmless = named('Watchdog', 'AlertmanagerReceiversNotConfigured');

/** The first match counts. Source: `oc adm upgrade recommend` and cluster-version-operator. */
const CLASSES: readonly AlertClass[] = [
  {
    reason: 'CriticalAlertsFiring',
    noun: 'critical alert',
    isMeant: ({ severity }) => severity === 'critical',
  },
  {
    reason: 'BudgetAlertsFiring',
    about: ' about disruption budgets',
    isMeant: named('PodDisruptionBudgetAtLimit', 'PodDisruptionBudgetLimit'),
  },
  {
    reason: 'ImagePullAlertsFiring',
    about: ' about containers that wait',
    isMeant: named('KubeContainerWaiting'),
  },
  {
    reason: 'NodeAlertsFiring',
    about: ' about nodes',
    isMeant: named(
      'KubeletHealthState',
      'KubeNodeNotReady',
      'KubeNodeReadinessFlapping',
      'KubeNodeUnreachable',
    ),
  },
  {
    reason: 'PrecheckAlertsFiring',
    about: ' to check before an update',
    isMeant: (alert) => alert.isPrecheck,
  },
  {
    reason: 'VirtualizationAlertsFiring',
    about: ' about virtual machines',
    isMeant: named('VirtHandlerDaemonSetRolloutFailing', 'VMCannotBeEvicted'),
  },
];

/** Only the first hop is checked. Alerts are accepted by name, as in `oc adm upgrade recommend --accept`. */
export const alertsQuiet: Check = ({ facts: { alerts }, hop, options }) => {
  if (hop.index > 0) return [];
  if (alerts === null) return [notChecked(TYPE, 'alerts were', ['alerts'])];
  const counted = alerts.filter(
    (alert) => alert.isFiring !== false && alert.severity !== 'info' && !isHarmless(alert),
  );
  const byClass = groupBy(counted, (alert) => CLASSES.find(({ isMeant }) => isMeant(alert)));
  const findings = CLASSES.flatMap((each) => {
    const firing = byClass.get(each) ?? [];
    const isAccepted = ({ name }: AlertFacts): boolean => options.accept.includes(name);
    return [
      ...firingOf(
        each,
        firing.filter((alert) => !isAccepted(alert)),
      ),
      ...firingOf(each, firing.filter(isAccepted)),
    ];
  });
  return findings.length > 0 ? findings : [asExpected(TYPE, 'No alert is firing that matters for an update')];
};

function firingOf(
  { reason, noun = 'alert', about = '' }: AlertClass,
  alerts: readonly AlertFacts[],
): Finding[] {
  if (alerts.length === 0) return [];
  const sorted = alerts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const lines = [...new Set(sorted.map(alertInWords))];
  const more = lines.length - SHOWN;
  const shown = more > 0 ? [...lines.slice(0, SHOWN), `and ${more} more`] : lines;
  const head = `Firing: ${countInWords(alerts.length, noun)}${about}`;
  const message =
    lines.length === 1 ? `${head}: ${lines[0]}` : `${head}:${shown.map((line) => `\n* ${line}`).join('')}`;
  const runbooks = [...new Set(sorted.map(({ runbook }) => runbook).filter(isLink))];
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason, message, effect: 'warn' }),
      origin: 'reported',
      objects: sorted.map(objectOf),
      remediation: [
        `Resolve ${joinInWords([...new Set(sorted.map(({ name }) => name))].slice(0, SHOWN))}${
          runbooks.length > 0 ? `, see ${runbooks.slice(0, SHOWN).join(' ')}` : ''
        }`,
        ...readBudgets(sorted),
      ],
      acceptedAs: sorted.map(({ name }) => name),
    },
  ];
}

function readBudgets(alerts: readonly AlertFacts[]): string[] {
  const commands = alerts
    .filter(({ namespace, budget }) => namespace !== '' && budget !== '')
    .map(({ namespace, budget }) => `oc -n ${shellWord(namespace)} get pdb ${shellWord(budget)} -o yaml`);
  return [...new Set(commands)].slice(0, SHOWN);
}

/** `PodDisruptionBudgetAtLimit for shop/strict: The budget is at its limit` */
function alertInWords({ name, namespace, budget, summary, description }: AlertFacts): string {
  const about = [namespace, budget].filter((part) => part !== '').join('/');
  const said = quotedMessage({ message: summary || description, reason: '' }).replaceAll('\n', '\n  ');
  return `${name}${about === '' ? '' : ` for ${about}`}${said === '' ? '' : `: ${said}`}`;
}

function objectOf({ name, namespace, budget, severity, summary, description, runbook, since }: AlertFacts) {
  return {
    kind: 'Alert',
    ...(namespace !== '' && { namespace }),
    name,
    detail: {
      severity,
      ...(budget !== '' && { budget }),
      ...(summary !== '' && { summary: excerpt(summary) }),
      ...(description !== '' && { description: excerpt(description) }),
      ...(runbook !== '' && { runbook }),
      ...(since !== null && { since }),
    },
  };
}

/** All that an object shows, so that the order of the documents does not matter. */
function keyOf({
  name,
  namespace,
  budget,
  severity,
  summary,
  description,
  runbook,
  since,
}: AlertFacts): string {
  return JSON.stringify([name, namespace, budget, severity, summary, description, runbook, since]);
}

function isLink(text: string): boolean {
  return /^https:\/\/\S+$/.test(text);
}
