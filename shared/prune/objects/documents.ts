import { type InputSummary, type Kind, ObjectReader } from '../../cluster/object-reader.ts';
import { groupBy } from '../../collection/group-by.ts';
import type { InputValue, Mistake } from '../../input/input-value.ts';
import type { GroupVersionKind } from './resource.ts';

/** Fields of an object that pruners read, in the form of the cluster. */
export interface ResourceDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly controller: boolean;
    }[];
  };
  readonly spec: { readonly suspend: boolean };
  readonly status: {
    readonly phase: string;
    readonly completionTime: string;
    readonly active: number;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Job conditions that pruners read; Pods have several others. */
const ENDS: ReadonlySet<string> = new Set(['Complete', 'Failed', 'Suspended']);

export type ResourceReading =
  | { readonly ok: true; readonly resources: readonly ResourceDocument[]; readonly input: InputSummary }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

export interface ResourceReadOptions {
  /** Other kinds are only counted. */
  readonly kinds: readonly GroupVersionKind[];
  /** Keep labels; needed only for label selectors. */
  readonly labels: boolean;
  /** Maximum number of objects; more are a mistake. */
  readonly most: number;
}

/**
 * Reads objects of documents for a pruner. Keeps few fields: the pods of a large cluster are hundreds of megabytes. An
 * object without a name or creation time is accepted; the pruner reports why it stays.
 */
export class ResourceReader {
  readonly objects: ObjectReader;
  readonly #kinds: ReadonlyMap<string, readonly ReadKind[]>;
  readonly #resources: ResourceDocument[] = [];
  readonly #options: ResourceReadOptions;
  /** The excess is already reported as a mistake. */
  #isFull = false;

  constructor(options: ResourceReadOptions) {
    this.#options = options;
    const read = options.kinds.map((kind) => this.#readKind(kind));
    this.#kinds = groupBy(read, ({ name }) => name);
    this.objects = new ObjectReader((kind, apiVersion) => this.#find(kind, apiVersion));
  }

  /** `fault` explains why the text could not be read to its end. */
  finish(documents: number, fault: Mistake | null): ResourceReading {
    const reading = this.objects.finish(documents, fault);
    return reading.ok ? { ok: true, resources: this.#resources, input: reading.input } : reading;
  }

  /** An object without apiVersion matches any kind of that name. */
  #find(name: string, apiVersion: string | null): Kind | null {
    const named = this.#kinds.get(name) ?? [];
    const isSaid = apiVersion !== null && apiVersion !== '';
    return named.find((kind) => !isSaid || kind.apiVersion === apiVersion) ?? null;
  }

  #readKind({ group, version, kind }: GroupVersionKind): ReadKind {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    return {
      name: kind,
      apiVersion,
      only: '',
      supply: () => {},
      isWorthParsing: () => !this.#isFull,
      take: (object, namespace, name) => {
        const { most } = this.#options;
        if (this.#resources.length === most) {
          this.#isFull = true;
          object.mismatch(`no more than ${most} objects of the kinds that are asked about`);
        } else {
          const metadata = readMetadata(object.at('metadata'), this.#options.labels);
          this.#resources.push({
            apiVersion,
            kind,
            metadata: { name, namespace, ...metadata },
            spec: { suspend: object.at('spec', 'suspend').flag() },
            status: readStatus(object.at('status')),
          });
        }
        return true;
      },
    };
  }
}

interface ReadKind extends Kind {
  readonly name: string;
  readonly apiVersion: string;
}

function readMetadata(
  metadata: InputValue,
  withLabels: boolean,
): Omit<ResourceDocument['metadata'], 'name' | 'namespace'> {
  const deletionTimestamp = metadata.at('deletionTimestamp').text();
  return {
    uid: metadata.at('uid').text(),
    creationTimestamp: metadata.at('creationTimestamp').text(),
    ...(deletionTimestamp !== '' && { deletionTimestamp }),
    ...(withLabels && { labels: metadata.at('labels').labels() }),
    ownerReferences: metadata
      .at('ownerReferences')
      .items()
      .map((owner) => ({
        apiVersion: owner.at('apiVersion').text(),
        kind: owner.at('kind').text(),
        name: owner.at('name').text(),
        uid: owner.at('uid').text(),
        controller: owner.at('controller').flag(),
      })),
  };
}

function readStatus(status: InputValue): ResourceDocument['status'] {
  return {
    phase: status.at('phase').text(),
    completionTime: status.at('completionTime').text(),
    active: status.at('active').count(),
    conditions: status
      .at('conditions')
      .items()
      .map((condition) => ({ type: condition.at('type').text(), status: condition.at('status').text() }))
      .filter(({ type }) => ENDS.has(type)),
  };
}
