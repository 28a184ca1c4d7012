import { clusterKinds, type ClusterKinds, type ReadOptions } from './kinds.ts';
import type { ClusterFacts } from './facts.ts';
import { type DocumentMistake, type InputSummary, ObjectReader } from './object-reader.ts';

export type DocumentReading =
  | { readonly ok: true; readonly facts: ClusterFacts; readonly input: InputSummary }
  | { readonly ok: false; readonly mistakes: readonly DocumentMistake[] };

/** Takes in the objects of a cluster and says in the end what is known of it. */
export class ClusterReader {
  readonly objects: ObjectReader;
  readonly #options: ReadOptions;
  readonly #read: ClusterKinds;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#read = clusterKinds(options);
    this.objects = new ObjectReader((kind, apiVersion) => {
      const found = this.#read.kinds.get(kind);
      return found !== undefined && isOfGroup(apiVersion, found.group) ? found : null;
    });
  }

  /** What is known after the last of them. `fault` says why the text could not be read to its end. */
  finish(documents: number, fault: DocumentMistake | null): DocumentReading {
    const reading = this.objects.finish(documents, fault);
    if (!reading.ok) return reading;
    const { newestTime, input } = reading;
    const newest = newestTime === null ? null : new Date(newestTime).toISOString();
    return {
      ok: true,
      facts: { collectedAt: this.#options.collectedAt ?? newest, ...this.#read.facts() },
      input,
    };
  }
}

/** `config.openshift.io/v1` is of the group before the slash, `v1` of none; what does not say it may be of any. */
function isOfGroup(apiVersion: string | null, group: string): boolean {
  if (apiVersion === null || apiVersion === '') return true;
  const slash = apiVersion.indexOf('/');
  return apiVersion.slice(0, Math.max(slash, 0)) === group;
}
