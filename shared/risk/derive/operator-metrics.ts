import type { ClusterFacts, OperatorFacts } from '../../cluster/facts.ts';
import type { Series } from '../family.ts';
import { everything, isWhole, type Metric, type Shown, someOf } from './metric.ts';

const COMMON = { horizon: 'configuration', readFrom: ['operators', 'clusterVersion'] } as const;

/** What the Operator Lifecycle Manager exports. */
export const OPERATOR_METRICS: Readonly<Record<string, Metric>> = {
  csv_succeeded: {
    ...COMMON,
    labels: { names: ['name', 'version'] },
    show: (facts) => showOperators(facts, facts.operators?.map(succeeded) ?? []),
  },
  csv_abnormal: {
    ...COMMON,
    labels: { names: ['name', 'version', 'phase', 'reason'] },
    show: (facts) => showOperators(facts, facts.operators?.filter(isAbnormal).map(abnormal) ?? []),
  },
  csv_count: {
    ...COMMON,
    labels: { names: [] },
    // Copies count too, and are not reported.
    show: (facts) => {
      const runs = runsLifecycleManager(facts);
      return runs === null ? someOf([]) : everything(runs ? [{ labels: {}, value: null }] : []);
    },
  },
};

const LIFECYCLE_MANAGER = 'OperatorLifecycleManager';

/** Null if nothing shows it: releases before 4.15 always have it, and do not list it as a capability. */
function runsLifecycleManager({ clusterVersion, operators }: ClusterFacts): boolean | null {
  const { capabilities } = clusterVersion ?? {};
  if (capabilities) {
    const { known, enabled } = capabilities;
    return enabled.includes(LIFECYCLE_MANAGER) || !known.includes(LIFECYCLE_MANAGER);
  }
  return operators !== null && operators.length > 0 ? true : null;
}

function showOperators(facts: ClusterFacts, series: readonly Series[]): Shown {
  const runs = runsLifecycleManager(facts);
  if (runs === false) return everything([]);
  return runs && isWhole(facts, 'operators') ? everything(series) : someOf(series);
}

const SUCCEEDED = 'Succeeded';
/** Of an operator that has none. */
const NO_VERSION = '0.0.0';

/** One that failed has a series too. */
function succeeded({ name, version, phase }: OperatorFacts): Series {
  return { labels: { name, version: version || NO_VERSION }, value: phase === SUCCEEDED ? 1 : 0 };
}

function isAbnormal({ phase }: OperatorFacts): boolean {
  return phase !== SUCCEEDED;
}

function abnormal({ name, version, phase, reason = '' }: OperatorFacts): Series {
  return { labels: { name, version: version || NO_VERSION, phase, reason }, value: 1 };
}
