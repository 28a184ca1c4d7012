import type { Applies } from '../path/question.ts';
import { WORST_FIRST } from './update-risks.ts';

/** Whether the risks of its channels apply to a cluster. */
export interface RiskRow {
  /** By digest of the definition. */
  readonly verdicts: Readonly<Record<string, Applies>>;
  /** Names that its settings accept. */
  readonly accepted: readonly string[];
}

/** Rows of a part of the fleet: a character of `codes` for each digest, because most clusters have the same ones. */
export interface PackedRows {
  readonly digests: readonly string[];
  readonly rows: readonly (readonly [id: string, codes: string, accepted?: readonly string[]])[];
}

const CODES: Readonly<Record<Applies, string>> = { yes: 'y', no: 'n', unknown: 'u' };
const ANSWERS = new Map(Object.entries(CODES).map(([applies, code]) => [code, applies as Applies]));
/** None of its channels has the risk. */
const ABSENT = '-';

export function packRows(rows: ReadonlyMap<string, RiskRow>): PackedRows {
  const digests = [...new Set(Array.from(rows.values()).flatMap(({ verdicts }) => Object.keys(verdicts)))];
  return {
    digests,
    rows: Array.from(rows, ([id, { verdicts, accepted }]) => {
      const codes = digests.map((digest) => (verdicts[digest] ? CODES[verdicts[digest]] : ABSENT)).join('');
      return accepted.length === 0 ? [id, codes] : [id, codes, accepted];
    }),
  };
}

export function unpackRows({ digests, rows }: PackedRows): Map<string, RiskRow> {
  return new Map(
    rows.map(([id, codes, accepted = []]) => {
      const verdicts = digests.flatMap((digest, at): [string, Applies][] => {
        const applies = ANSWERS.get(codes[at]!);
        return applies === undefined ? [] : [[digest, applies]];
      });
      return [id, { verdicts: Object.fromEntries(verdicts), accepted }];
    }),
  );
}

/** Clusters by whether a risk applies; accepted ones are in neither `yes` nor `unknown`. */
export type Exposure = Readonly<Record<Applies | 'accepted', number>>;

export interface ExposedCluster {
  readonly id: string;
  readonly applies: Applies;
  /** Names that its settings accept. */
  readonly accepted: readonly string[];
}

/** Clusters with one of these definitions in their channels; the worst counts. */
export function exposedClusters(
  parts: readonly PackedRows[],
  definitions: ReadonlySet<string>,
): ExposedCluster[] {
  return parts.flatMap(({ digests, rows }) => {
    const places = digests.flatMap((digest, at) => (definitions.has(digest) ? [at] : []));
    if (places.length === 0) return [];
    return rows.flatMap(([id, codes, accepted = []]): ExposedCluster[] => {
      const applies = WORST_FIRST.find((each) => places.some((at) => codes[at] === CODES[each]));
      return applies === undefined ? [] : [{ id, applies, accepted }];
    });
  });
}

export function exposureOf(
  clusters: readonly ExposedCluster[],
  isAccepted: (cluster: ExposedCluster) => boolean,
): Exposure {
  const counts = { yes: 0, no: 0, unknown: 0, accepted: 0 };
  for (const cluster of clusters) {
    const { applies } = cluster;
    counts[applies !== 'no' && isAccepted(cluster) ? 'accepted' : applies]++;
  }
  return counts;
}
