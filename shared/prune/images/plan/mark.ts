import { isCurrent, tagOfPlace } from '../registry/link-columns.ts';
import {
  type RetentionContext,
  rootsOf,
  subjectOfTag,
  DANGLING,
  FROZEN,
  IN_USE,
  KEPT,
  PROTECTED,
  stays,
  SUBJECT_GONE,
  SUPERSEDED,
  UNREFERENCED,
  UNTAGGED,
  UNUSED,
  YOUNG,
} from './retention.ts';

/** Retention codes of links and blobs; see `retention.ts`. */
export interface Marks {
  /** By link row. */
  readonly links: Uint8Array;
  /** By digest number; 0 without a blob. */
  readonly blobs: Uint8Array;
  /** Manifests that stay and exist; one in two repositories counts twice. */
  readonly keptManifests: number;
  readonly frozen: readonly { readonly repository: string; readonly reason: string }[];
}

/**
 * Keeps manifests per repository, with the manifests of kept indexes and the referrers of kept ones. Judges links per
 * repository, blobs globally.
 */
export function mark(context: RetentionContext, isProtected: (repository: string) => boolean): Marks {
  return new MarkPass(context, isProtected).run();
}

class MarkPass {
  readonly #context: RetentionContext;
  readonly #isProtected: (repository: string) => boolean;
  readonly #links: Uint8Array;
  readonly #blobs: Uint8Array;
  /** Last repository that links the node, plus one. */
  readonly #linkedBy: Uint32Array;
  /** By node, for the current repository. */
  readonly #fates: Uint8Array;
  readonly #keptAnywhere: Uint8Array;
  #kept = 0;
  /** By digest number: the reason why the current repository needs it. */
  readonly #needed: Uint8Array;
  /** Kept nodes without a link in their repository (pushed after the listing), by repository. */
  readonly #unlinked = new Map<number, { node: number; fate: number }[]>();
  readonly #whole = new Map<number, number>();
  readonly #frozen: { repository: string; reason: string }[] = [];

  constructor(context: RetentionContext, isProtected: (repository: string) => boolean) {
    const { view, graph } = context;
    this.#context = context;
    this.#isProtected = isProtected;
    this.#links = new Uint8Array(view.place.length);
    this.#blobs = new Uint8Array(view.digests.count);
    this.#linkedBy = new Uint32Array(graph.count);
    this.#fates = new Uint8Array(graph.count);
    this.#keptAnywhere = new Uint8Array(graph.count);
    this.#needed = new Uint8Array(view.digests.count);
  }

  run(): Marks {
    const { view } = this.#context;
    let waiting = Array.from(view.repositories.keys()).filter((rank) => this.#markManifests(rank));
    // A signature can be in another repository than its image. Each round keeps more, so the loop ends.
    for (let before = 0; waiting.length > 0 && this.#kept > before;) {
      before = this.#kept;
      waiting = waiting.filter((rank) => this.#markManifests(rank));
    }
    let keptManifests = 0;
    for (let rank = 0; rank < view.repositories.length; rank++) keptManifests += this.#markLayers(rank);
    this.#markBlobs();
    return { links: this.#links, blobs: this.#blobs, keptManifests, frozen: this.#frozen };
  }

  /** Returns true if a signature waits for an image that another repository can still keep. */
  #markManifests(rank: number): boolean {
    const { view, graph } = this.#context;
    const repository = view.repositories[rank]!;
    for (let row = view.revisionStart[rank]!; row < view.tagStart[rank]!; row++) {
      this.#linkedBy[graph.nodeOf(view.digest[row]!)] = rank + 1;
    }
    const isLinked = (node: number) => node !== -1 && this.#linkedBy[node] === rank + 1;
    const roots = rootsOf(this.#context, rank, isLinked);
    if (roots.frozen !== null || this.#isProtected(repository)) {
      if (roots.frozen !== null) this.#frozen.push({ repository, reason: roots.frozen });
      this.#keepWhole(rank, roots.frozen === null ? PROTECTED : FROZEN);
      return false;
    }
    const referrers = new Map<number, number[]>();
    const refer = (subject: number, node: number) => {
      const known = referrers.get(subject);
      if (known === undefined) referrers.set(subject, [node]);
      else known.push(node);
    };
    for (let row = view.revisionStart[rank]!; row < view.tagStart[rank]!; row++) {
      const node = graph.nodeOf(view.digest[row]!);
      const subject = graph.subject(node);
      if (subject !== null && subject !== -1) refer(subject, node);
    }
    let waits = false;
    const followed: number[] = [];
    for (const { subject, nodes } of roots.followers) {
      if (subject === -1) continue;
      for (const node of nodes) refer(subject, node);
      const subjectNode = graph.nodeOf(subject);
      if (subjectNode === -1 || isLinked(subjectNode)) continue;
      if (this.#keptAnywhere[subjectNode] !== 0) followed.push(...nodes);
      else waits = true;
    }
    const kept: number[] = [];
    const closure = { isLinked, referrers, kept };
    this.#keepTransitively(followed, KEPT, closure);
    for (const [reason, nodes] of roots.nodes) this.#keepTransitively(nodes, reason, closure);
    this.#judgeManifests(rank);
    this.#unlinked.set(
      rank,
      kept.filter((node) => !isLinked(node)).map((node) => ({ node, fate: this.#fates[node]! })),
    );
    for (const node of kept) {
      if (isLinked(node)) this.#keepAnywhere(node);
      this.#fates[node] = 0;
    }
    return waits;
  }

  /** Keeps the nodes and everything they need, unless already kept. */
  #keepTransitively(
    nodes: readonly number[],
    fate: number,
    {
      isLinked,
      referrers,
      kept,
    }: {
      readonly isLinked: (node: number) => boolean;
      readonly referrers: ReadonlyMap<number, readonly number[]>;
      readonly kept: number[];
    },
  ): void {
    const { graph } = this.#context;
    const open: number[] = [];
    const keep = (node: number) => {
      if (node === -1 || this.#fates[node] !== 0) return;
      this.#fates[node] = fate;
      kept.push(node);
      open.push(node);
    };
    for (const node of nodes) keep(node);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const to = graph.referencesTo(node);
      for (let reference = graph.referencesFrom(node); reference < to; reference++) {
        const child = graph.child(reference);
        if (isLinked(child)) keep(child);
      }
      if (referrers.size > 0)
        for (const referrer of referrers.get(graph.digestOf(node)) ?? []) keep(referrer);
    }
  }

  #keepWhole(rank: number, fate: number): void {
    const { view } = this.#context;
    this.#whole.set(rank, fate);
    this.#links.fill(fate, view.linkStart[rank], view.linkEnd[rank]);
    const unlinked: { node: number; fate: number }[] = [];
    for (let row = view.revisionStart[rank]!; row < view.linkEnd[rank]!; row++) {
      const node = this.#nodeOfRow(rank, row);
      if (node === -1) continue;
      if (this.#linkedBy[node] === rank + 1) this.#keepAnywhere(node);
      else unlinked.push({ node, fate });
    }
    this.#unlinked.set(rank, unlinked);
  }

  #keepAnywhere(node: number): void {
    if (this.#keptAnywhere[node] === 0) this.#kept++;
    this.#keptAnywhere[node] = 1;
  }

  #nodeOfRow(rank: number, row: number): number {
    const { view, graph, tags } = this.#context;
    const place = view.place[row]!;
    if (!isCurrent(place)) return graph.nodeOf(view.digest[row]!);
    const target = tags.get(`${view.repositories[rank]!}:${view.tagNames[tagOfPlace(place)]!}`);
    if (target === undefined) return -1;
    const node = graph.nodeOf(view.digests.find(target));
    return node === -1 ? graph.unlistedNode(target) : node;
  }

  #judgeManifests(rank: number): void {
    const { view, graph } = this.#context;
    const tagStart = view.tagStart[rank]!;
    const indexed = new Set<number>();
    for (let row = tagStart; row < view.linkEnd[rank]!; row++) {
      const node = this.#nodeOfRow(rank, row);
      const fate = this.#fates[node] ?? 0;
      if (node !== -1) indexed.add(node);
      this.#links[row] = fate === 0 ? this.#whyTagGoes(rank, row, node) : fate;
    }
    for (let row = view.revisionStart[rank]!; row < tagStart; row++) {
      const node = graph.nodeOf(view.digest[row]!);
      const fate = this.#fates[node]!;
      if (fate !== 0) this.#links[row] = fate;
      else if (graph.isAbsent(node)) this.#links[row] = DANGLING;
      else if (graph.subject(node) !== null) this.#links[row] = SUBJECT_GONE;
      else this.#links[row] = indexed.has(node) ? SUPERSEDED : UNTAGGED;
    }
  }

  #whyTagGoes(rank: number, row: number, node: number): number {
    const { view } = this.#context;
    const place = view.place[row]!;
    if (subjectOfTag(view.tagNames[tagOfPlace(place)]!) !== null) return SUBJECT_GONE;
    if (isCurrent(place)) return UNUSED;
    return this.#linkedBy[node] === rank + 1 ? SUPERSEDED : DANGLING;
  }

  /** Marks references of kept manifests, then layer links. Returns the number of kept manifests. */
  #markLayers(rank: number): number {
    const { view, graph, cutoff } = this.#context;
    const { linkStart, revisionStart, tagStart, linkEnd, digest, modified } = view;
    const whole = this.#whole.get(rank);
    const needed = this.#needed;
    const touched: number[] = [];
    const need = (node: number, fate: number) => {
      const to = graph.referencesTo(node);
      for (let reference = graph.referencesFrom(node); reference < to; reference++) {
        const id = graph.referenced(reference);
        const known = needed[id]!;
        if (known === 0) touched.push(id);
        if (known === 0 || fate < known) needed[id] = fate;
      }
      this.#keepBlob(graph.digestOf(node), fate);
    };
    let kept = 0;
    for (let row = revisionStart[rank]!; row < tagStart[rank]!; row++) {
      if (!stays(this.#links[row]!)) continue;
      const node = graph.nodeOf(digest[row]!);
      if (!graph.isAbsent(node)) kept++;
      need(node, this.#links[row]!);
    }
    for (const { node, fate } of this.#unlinked.get(rank) ?? []) {
      if (!graph.isAbsent(node)) kept++;
      need(node, fate);
    }
    for (let row = linkStart[rank]!; row < revisionStart[rank]!; row++) {
      const isYoung = modified[row]! >= cutoff;
      const fate = whole ?? (needed[digest[row]!]! || (isYoung ? YOUNG : UNREFERENCED));
      this.#links[row] = fate;
      if (stays(fate)) this.#keepBlob(digest[row]!, fate);
    }
    for (let row = tagStart[rank]!; row < linkEnd[rank]!; row++) {
      if (!isCurrent(view.place[row]!) && stays(this.#links[row]!))
        this.#keepBlob(digest[row]!, this.#links[row]!);
    }
    for (const id of touched) {
      this.#keepBlob(id, needed[id]!);
      needed[id] = 0;
    }
    return kept;
  }

  #keepBlob(digest: number, fate: number): void {
    if (digest === -1) return;
    const known = this.#blobs[digest]!;
    if (known === 0 || fate < known) this.#blobs[digest] = fate;
  }

  #markBlobs(): void {
    const { view, cutoff, used } = this.#context;
    for (let id = 0; id < this.#blobs.length; id++) {
      if (view.blobSizes[id] === -1) this.#blobs[id] = 0;
      else if (this.#blobs[id] === 0) {
        this.#blobs[id] = view.blobTimes[id]! >= cutoff ? YOUNG : UNREFERENCED;
      }
    }
    for (const id of used.anywhere) if (this.#blobs[id] === UNREFERENCED) this.#blobs[id] = IN_USE;
  }
}
