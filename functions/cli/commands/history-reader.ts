import { readClusterVersion } from '@cairn/shared/cluster/cluster-version';
import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { type DocumentMistake, type Kind, ObjectReader } from '@cairn/shared/cluster/object-reader';

export interface NamedHistory {
  readonly name: string;
  readonly history: readonly HistoryEntry[];
}

type HistoryReading =
  | { readonly ok: true; readonly histories: readonly NamedHistory[] }
  | { readonly ok: false; readonly mistakes: readonly DocumentMistake[] };

/** Takes in the ClusterVersions of any number of clusters for their histories. */
export class HistoryReader {
  readonly #histories: NamedHistory[] = [];
  readonly #kind: Kind = {
    only: 'version',
    supply: () => {},
    take: (object, _namespace, name) => {
      const { clusterId, history } = readClusterVersion(object);
      this.#histories.push({ name: clusterId ?? name, history });
      return true;
    },
  };
  readonly objects = new ObjectReader((kind) => (kind === 'ClusterVersion' ? this.#kind : null));

  finish(documents: number, fault: DocumentMistake | null): HistoryReading {
    const reading = this.objects.finish(documents, fault);
    return reading.ok ? { ok: true, histories: this.#histories } : reading;
  }
}
