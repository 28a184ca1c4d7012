import { DOCUMENT_KINDS, resourceName } from '../../cluster/document-kinds.ts';
import { type ClusterFacts, LISTED_KINDS, type ReportedKind } from '../../cluster/facts.ts';
import { reportOf } from '../../cluster/risk-inputs/kinds.ts';
import type { Families, Family } from '../family.ts';
import { CONFIGURATION_METRICS } from './configuration-metrics.ts';
import { type Metric, NOTHING_SHOWN, type Shown } from './metric.ts';
import { NODE_METRICS } from './node-metrics.ts';
import { LIVE_METRICS, OBJECT_METRICS } from './object-metrics.ts';
import { OPERATOR_METRICS } from './operator-metrics.ts';
import { VERSION_METRICS } from './version-metrics.ts';

const METRICS: ReadonlyMap<string, Metric> = new Map(
  Object.entries({
    ...VERSION_METRICS,
    ...OPERATOR_METRICS,
    ...NODE_METRICS,
    ...CONFIGURATION_METRICS,
    ...OBJECT_METRICS,
    ...LIVE_METRICS,
  }),
);

/** What the facts of a cluster show of its metrics; a metric takes no time before it is asked for. */
export function familiesOf(facts: ClusterFacts): Families {
  const derived = new Map<string, Family | null>();
  return (name) => {
    let family = derived.get(name);
    if (family === undefined) {
      const metric = METRICS.get(name);
      family = metric === undefined ? null : familyOf(metric, facts);
      derived.set(name, family);
    }
    return family;
  };
}

function familyOf(metric: Metric, facts: ClusterFacts): Family {
  const { labels, horizon, readFrom, isEverywhere = false, isRepeated, show } = metric;
  const shown = show?.(facts) ?? NOTHING_SHOWN;
  return {
    series: shown.series,
    covered: shown.covered,
    labels: shown.labels ?? labels,
    exists: isEverywhere && hasOwnMonitoring(facts),
    ...(isRepeated && { isRepeated }),
    horizon,
    readFrom: readFrom.filter((kind) => facts[kind] !== null),
    documents: (shown.wanted ?? wantedBy(shown, readFrom, facts)).flatMap(documentsOf),
  };
}

/** The metrics of a hosted cluster can be asked elsewhere, where some are missing. */
function hasOwnMonitoring({ infrastructure }: ClusterFacts): boolean {
  return infrastructure !== null && infrastructure.controlPlaneTopology !== 'External';
}

function isMissing(kind: ReportedKind, facts: ClusterFacts): boolean {
  const isListed = (LISTED_KINDS as readonly ReportedKind[]).includes(kind);
  return (
    facts[kind] === null || (isListed && !(facts.completeLists as readonly ReportedKind[]).includes(kind))
  );
}

function wantedBy(
  { covered }: Shown,
  readFrom: readonly ReportedKind[],
  facts: ClusterFacts,
): readonly ReportedKind[] {
  return covered === 'all' ? [] : readFrom.filter((kind) => isMissing(kind, facts));
}

/** `clusteroperators`, `configmaps/openshift-install`; documents of Cairn by their kind. */
function documentsOf(kind: ReportedKind): readonly string[] {
  const rows = DOCUMENT_KINDS.filter(({ facts }) => facts.includes(kind));
  if (rows.length === 0) return reportOf(kind).kinds;
  return rows.map((row) => `${resourceName(row)}${row.namespace === undefined ? '' : `/${row.name}`}`);
}
