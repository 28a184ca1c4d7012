import {
  blobKey,
  parseStorageKey,
  revisionLinkKey,
  type StorageKey,
  tagCurrentKey,
  tagIndexKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import type { RunFiles } from '../../../../functions/pruners/files.ts';
import type { ProxiedCall } from '../../../helpers/s3/bucket-proxy.ts';
import type { Promised, RegistryModel } from './registry/registry-model.ts';
import { isPlan } from './run-report.ts';

const ORDER: Readonly<Record<StorageKey['kind'], number>> = {
  'tag-index': 0,
  'tag-current': 0,
  'revision-link': 1,
  'layer-link': 2,
  blob: 3,
  upload: 4,
  unknown: 5,
  other: 5,
};

/** S3 tells times to the second. */
const toSecond = (time: number) => Math.floor(time / 1000) * 1000;

export interface WatchedRun {
  /** When it began, and from when on things are young. */
  readonly startedAt: number;
  readonly cutoff: number;
  readonly bucket: string;
  readonly promised: Promised;
}

/** Looks over the shoulder of one run: what it deletes, in which order, and what is left when it has ended. */
export class RunWatch {
  readonly violations: string[] = [];
  readonly #model: RegistryModel;
  readonly #run: WatchedRun;
  readonly #deleted = new Set<string>();
  /** Of keys that are not known to be gone, the earliest kind. */
  readonly #left = new Map<string, number>();
  readonly #gone = new Set<string>();
  readonly #plans = new Set<string>();
  /** How often something was to be deleted. */
  deletions = 0;
  #latest = 0;

  constructor(model: RegistryModel, run: WatchedRun) {
    this.#model = model;
    this.#run = run;
  }

  /** Whether something was taken away that may have to come back. */
  get hasDeleted(): boolean {
    return this.#deleted.size > 0;
  }

  asked({ method, bucket, key, deletes }: ProxiedCall): void {
    if (bucket !== this.#run.bucket || ['GET', 'HEAD'].includes(method)) return;
    for (const touched of deletes.length > 0 ? deletes : [key]) {
      if (this.#rankOf(touched) === ORDER.other) this.#violate(`${method} of ${touched}`);
    }
    if (deletes.length > 0) this.deletions++;
    for (const name of deletes) {
      const rank = this.#rankOf(name);
      // Who stood still may do once more what another one has done for it.
      if (rank < this.#latest && !this.#deleted.has(name))
        this.#violate(`${name} goes after things it refers to`);
      this.#latest = Math.max(this.#latest, rank);
      const written = this.#model.written.get(name);
      if (written !== undefined && toSecond(written) >= this.#run.cutoff && written < this.#run.startedAt) {
        this.#violate(`${name} is young and goes`);
      }
      this.#deleted.add(name);
    }
    const first = deletes[0];
    const before = [...this.#left].find(([, rank]) => first !== undefined && rank < this.#rankOf(first));
    if (before !== undefined) this.#violate(`${first} goes though ${before[0]} may be left`);
  }

  /** A file of the run is there. */
  wrote({ method, key }: ProxiedCall): void {
    if (method === 'PUT' && isPlan(key)) this.#plans.add(key.split('/').slice(-2).join('/'));
  }

  /** Nothing goes before it is written down that it will. */
  async checkPlanned(deletes: readonly string[], files: RunFiles): Promise<void> {
    const plans = await Promise.all([...this.#plans].map((name) => files.read(name)));
    const planned = new Set(
      plans.flatMap((plan) =>
        new TextDecoder()
          .decode(plan ?? new Uint8Array())
          .split('\n')
          .map((line) => line.split(' ').slice(3).join(' ')),
      ),
    );
    const first = deletes.find((key) => !planned.has(key));
    if (first !== undefined) this.#violate(`${first} goes and is not in a plan`);
  }

  told(asked: readonly string[], gone: readonly string[]): void {
    for (const key of asked) if (!this.#gone.has(key)) this.#left.set(key, this.#rankOf(key));
    for (const key of gone) {
      this.#gone.add(key);
      this.#left.delete(key);
    }
  }

  /** To be called when the run has ended: gives all keys below the root. */
  async check(keepTagRevisions: number): Promise<ReadonlySet<string>> {
    const keys = new Set(await this.#model.registry.keys());
    const before = this.#run.promised;
    const now = this.#model.promised(keepTagRevisions);
    for (const [name, digest] of now.tags) {
      const [repository, tag] = name.split(':');
      // A signature that came with its image while the run was at work may have gone with the former one.
      if (tag!.startsWith('sha256-') && before.tags.get(name) !== digest) continue;
      const { root } = this.#model.registry;
      const needed = [
        tagCurrentKey(root, repository!, tag!),
        // By which it is known as a revision once the tag has moved on.
        tagIndexKey(root, repository!, tag!, digest),
        ...this.#model.neededFor(repository!, digest),
      ];
      const missing = needed.filter((key) => !keys.has(key));
      if (missing.length > 0) this.#violate(`${name} is not whole: ${missing.join(' ')}`);
    }
    for (const image of now.manifests) {
      if (!before.manifests.has(image)) continue;
      const [repository, digest] = image.split('@');
      const missing = this.#model.neededFor(repository!, digest!).filter((key) => !keys.has(key));
      if (missing.length > 0) this.#violate(`${image} must stay: ${missing.join(' ')}`);
    }
    const { present } = this.#model;
    const wrong = [...present, ...keys].filter(
      (key) => present.has(key) !== keys.has(key) && this.#rankOf(key) < ORDER.other,
    );
    if (wrong.length > 0) this.#violate(`the bucket is not as the proxy saw it: ${wrong.join(' ')}`);
    this.#checkLinks(keys);
    return keys;
  }

  /** Nothing that was there all the time may refer to what the run took away. */
  #checkLinks(keys: ReadonlySet<string>): void {
    const { root } = this.#model.registry;
    const isTaken = (key: string) => this.#deleted.has(key) && !keys.has(key);
    for (const key of keys) {
      if ((this.#model.written.get(key) ?? 0) >= this.#run.startedAt) continue;
      const link = parseStorageKey(root, key);
      const needed: string[] = [];
      if (link.kind === 'tag-index') needed.push(revisionLinkKey(root, link.repository, link.digest));
      if (link.kind === 'layer-link') needed.push(blobKey(root, link.digest));
      if (link.kind === 'revision-link') {
        needed.push(...this.#model.neededFor(link.repository, link.digest));
      }
      for (const other of needed.filter(isTaken)) this.#violate(`${key} is left without ${other}`);
    }
  }

  #rankOf(key: string): number {
    return ORDER[parseStorageKey(this.#model.registry.root, key).kind];
  }

  #violate(what: string): void {
    this.violations.push(what);
  }
}
