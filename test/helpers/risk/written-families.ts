import type { ReportedKind } from '@cairn/shared/cluster/facts';
import type { Families, Family, Horizon, Series } from '@cairn/shared/risk/family';

/** A family as data: `{type='AWS'} 1; {type='None'} ?`, where the question mark is a value that is not known. */
export type WrittenFamily =
  | string
  | {
      readonly series: string;
      /** Regions by label; all without it. */
      readonly covered?: readonly Readonly<Record<string, readonly string[]>>[];
      /** Those of the series without it. */
      readonly labels?: readonly string[];
      readonly exists?: boolean;
      readonly repeated?: boolean;
      readonly horizon?: Horizon;
      readonly readFrom?: readonly ReportedKind[];
    };

export function writtenFamilies(written: Readonly<Record<string, WrittenFamily>>): Families {
  const families = new Map(Object.entries(written).map(([metric, text]) => [metric, familyOf(text)]));
  return (metric) => families.get(metric) ?? null;
}

function familyOf(written: WrittenFamily): Family {
  const {
    series: text,
    covered,
    labels,
    exists = false,
    repeated,
    horizon = 'configuration',
    readFrom = ['infrastructure'],
  }: Exclude<WrittenFamily, string> = typeof written === 'string' ? { series: written } : written;
  const series = [...text.matchAll(/\{([^}]*)\}\s*([^\s;]+)/g)].map(([, inside, value]) =>
    seriesOf(inside!, value!),
  );
  const regions = covered?.map((region) =>
    Object.fromEntries(Object.entries(region).map(([label, texts]) => [label, { in: texts }])),
  );
  return {
    series,
    covered: regions ?? 'all',
    labels: { names: labels ?? [...new Set(series.flatMap((one) => Object.keys(one.labels)))] },
    exists,
    ...(repeated && { isRepeated: true }),
    horizon,
    readFrom,
    documents: ['infrastructures.config.openshift.io'],
  };
}

function seriesOf(inside: string, value: string): Series {
  const labels = [...inside.matchAll(/(\w+)='([^']*)'/g)].map(([, label, text]) => [label!, text!] as const);
  return { labels: Object.fromEntries(labels), value: value === '?' ? null : Number(value) };
}
