import type { ClusterFacts, ReportedKind } from '../cluster/facts.ts';
import type { ConditionObject } from './condition.ts';

/** Answer of a table row for a cluster. It is unknown only if a document that decides it was not sent. */
export type Decision =
  | { readonly answer: 'no' }
  | {
      readonly answer: 'yes';
      readonly message: string;
      readonly objects?: readonly ConditionObject[];
      /** Differs from the effect of the row. */
      readonly effect?: 'warn' | 'block';
    }
  | {
      readonly answer: 'unknown';
      readonly missing: readonly ReportedKind[];
      /** Why no document decides it. */
      readonly why?: string;
    };

export const NO: Decision = { answer: 'no' };

export function yes(message: string, objects?: readonly ConditionObject[]): Decision {
  return { answer: 'yes', message, ...(objects && { objects }) };
}

export function unknown(...missing: readonly ReportedKind[]): Decision {
  return { answer: 'unknown', missing };
}

/** Names all of the documents that are missing, so that they are asked for at once; null if none is. */
export function unlessSent<Kind extends ReportedKind>(
  facts: Pick<ClusterFacts, Kind>,
  ...kinds: readonly Kind[]
): Decision | null {
  const missing = kinds.filter((kind) => facts[kind] === null);
  return missing.length > 0 ? unknown(...missing) : null;
}
