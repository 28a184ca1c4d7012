import type { Families, Family, LabelValues, Region, Series } from '@cairn/shared/risk/family';
import type { Random } from '../random.ts';
import type { TrueSeries } from './true-series.ts';

const LABELS = [
  ...['alertname', 'alertstate', 'condition', 'config', 'configmap', 'container', 'deployment', 'err'],
  ...[
    'family',
    'from_version',
    'image',
    'invoker',
    'method',
    'mode',
    'name',
    'namespace',
    'networks',
    'node',
  ],
  ...['operation', 'phase', 'pod', 'reason', 'resource', 'role', 'secret', 'type', 'vendor', 'version'],
];
const OF_ALL = { exists: false, horizon: 'configuration', readFrom: [], documents: [] } as const;

/** Knowledge of every series, without its hidden labels. */
export function fullFamilies(all: readonly TrueSeries[]): Families {
  return familiesBy(all, (series) => ({
    ...OF_ALL,
    series: series.map(({ labels, value }) => ({ labels, value })),
    covered: 'all',
    labels: { names: shownLabels(series), prefix: 'label_' },
    ...repeated(series),
  }));
}

/** Knowledge of every series as Prometheus has it. */
export function exactFamilies(all: readonly TrueSeries[]): Families {
  return familiesBy(all, (series) => ({
    ...OF_ALL,
    series: series.flatMap(scrapedSeries),
    covered: 'all',
    // Every label begins with nothing.
    labels: { names: [], prefix: '' },
  }));
}

/** Knowledge of some series only, which may be all in some region. */
export function partialFamilies(all: readonly TrueSeries[], random: Random): Families {
  return familiesBy(all, (series) => {
    if (random.chance(0.1)) return null;
    const labels = shownLabels(series).filter(() => random.chance(0.95));
    const shown = series.map((one): Series => {
      const known = Object.entries(one.labels).filter(
        ([label]) => labels.includes(label) || label.startsWith('label_'),
      );
      return { labels: Object.fromEntries(known), value: random.chance(0.8) ? one.value : null };
    });
    const covered = random.chance(0.4) ? 'all' : drawRegions(random, shown);
    const isCovered = ({ labels }: Series) =>
      covered === 'all' || covered.some((region) => isWithin(region, labels));
    return {
      ...OF_ALL,
      series: shown.filter((one) => isCovered(one) || random.chance(0.5)),
      covered,
      labels: { names: labels, prefix: 'label_' },
      exists: series.length > 0 && random.chance(0.5),
      ...repeated(series),
    };
  });
}

function familiesBy(
  all: readonly TrueSeries[],
  familyOf: (series: readonly TrueSeries[]) => Family | null,
): Families {
  const byMetric = Map.groupBy(all, ({ metric }) => metric);
  const families = new Map<string, Family | null>();
  return (metric) => {
    if (!families.has(metric)) families.set(metric, familyOf(byMetric.get(metric) ?? []));
    return families.get(metric)!;
  };
}

function shownLabels(series: readonly TrueSeries[]): readonly string[] {
  const hidden = new Set(series.flatMap((one) => Object.keys(one.hidden ?? {})));
  return LABELS.filter((label) => !hidden.has(label));
}

function repeated(series: readonly TrueSeries[]): Pick<Family, 'isRepeated'> {
  return series.some(({ copies = 1 }) => copies > 1) ? { isRepeated: true } : {};
}

/** As they are scraped: with the labels of their target, and once for each copy. */
export function scrapedSeries(series: TrueSeries, index: number): readonly Series[] {
  const { metric, labels, hidden = {}, value, copies = 1 } = series;
  return Array.from({ length: copies }, (_, copy) => ({
    labels: { ...labels, ...hidden, instance: `10.0.${index}.${copy}:9090`, job: `job-${metric}` },
    value,
  }));
}

function drawRegions(random: Random, series: readonly Series[]): readonly Region[] {
  const labels = [...new Set(series.flatMap((one) => Object.keys(one.labels)))];
  return Array.from({ length: labels.length === 0 ? 0 : random.below(3) }, () => {
    const some = labels.filter((_, at) => at === 0 || random.chance(0.2));
    return Object.fromEntries(
      some.map((label): [string, LabelValues] => {
        const texts = [...new Set(series.map((one) => one.labels[label] ?? ''))];
        const listed = [...texts, 'other'].filter(() => random.chance(0.5));
        return [label, random.chance(0.8) ? { in: listed } : { notIn: listed }];
      }),
    );
  });
}

function isWithin(region: Region, labels: Series['labels']): boolean {
  return Object.entries(region).every(([label, values]) => {
    const text = labels[label] ?? '';
    return 'in' in values ? values.in.includes(text) : !values.notIn.includes(text);
  });
}
