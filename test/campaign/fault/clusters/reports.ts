import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { readParsedDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { type Json, node, pool } from '../../../helpers/cluster/objects.ts';
import type { Random } from '../../../helpers/random.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** With names of this many characters they take more than one item. */
const MANY_NODES = 1500;
const LONG_NAME = 200;

/** What somebody says of a cluster. */
export interface Report {
  readonly number: number;
  readonly documents: readonly Json[];
  readonly kinds: ReadonlySet<ReportKind>;
  /** As said with it; null when nothing is said of that. */
  readonly collectedAt: string | null;
  readonly replace: boolean;
}

/** Kinds that tell which report they came with. */
export type ReportKind = 'clusterVersion' | 'nodes' | 'pools';

interface Update {
  state: 'Partial' | 'Completed';
  readonly version: string;
  readonly image: string;
  readonly startedTime: string;
  completionTime: string | null;
}

/** A cluster that is updated now and then and tells of itself in pieces; each report differs from all others. */
export class ClusterStory {
  readonly #random: Random;
  readonly #name: string;
  readonly #updates: Update[] = [];
  #time = Date.parse('2026-01-01T00:00:00Z');
  #minor = 12;
  #patch = 0;
  #generation = 1;

  constructor(random: Random, name: string) {
    this.#random = random;
    this.#name = name;
    for (let count = 6 + random.below(8); count > 0; count--) this.#update();
  }

  report(number: number): Report {
    const random = this.#random;
    for (let count = random.below(3); count > 0; count--) this.#update();
    this.#settle();
    const isOther = random.chance(0.04);
    if (isOther) this.#begin();
    const kinds = new Set<ReportKind>(isOther || random.chance(0.75) ? ['clusterVersion'] : []);
    if (random.chance(0.6)) kinds.add('nodes');
    if (kinds.size === 0 || random.chance(0.6)) kinds.add('pools');
    const documents = [
      ...(kinds.has('clusterVersion') ? [this.#clusterVersion(number, this.#remembered())] : []),
      ...(kinds.has('nodes') ? this.#nodes(number) : []),
      ...(kinds.has('pools') ? [pool(`pool-${number}`, { paused: random.chance(0.5) })] : []),
    ];
    const collectedAt = random.chance(0.5) ? new Date(this.#time).toISOString() : null;
    return { number, documents, kinds, collectedAt, replace: isOther || random.chance(0.08) };
  }

  /** As a last word: of all kinds, and the history as long as it is. */
  lastReport(number: number): Report {
    return {
      number,
      documents: [
        this.#clusterVersion(number, this.#updates),
        ...this.#nodes(number),
        pool(`pool-${number}`),
      ],
      kinds: new Set(['clusterVersion', 'nodes', 'pools']),
      collectedAt: null,
      replace: true,
    };
  }

  #update(): void {
    this.#settle();
    this.#time += (1 + this.#random.below(200)) * HOUR;
    if (this.#random.chance(0.25)) {
      this.#minor++;
      this.#patch = this.#random.below(5);
    } else this.#patch++;
    this.#updates.unshift({
      state: 'Partial',
      version: `4.${this.#minor}.${this.#patch}`,
      image: `quay.example/release@sha256:${this.#generation}${this.#minor}${this.#patch}`,
      startedTime: new Date(this.#time).toISOString(),
      completionTime: null,
    });
  }

  /** The newest update is completed, given up for another one, or goes on. */
  #settle(): void {
    const [newest] = this.#updates;
    if (newest === undefined || newest.completionTime !== null || this.#random.chance(0.4)) return;
    newest.completionTime = new Date(Date.parse(newest.startedTime) + 40 * MINUTE).toISOString();
    if (this.#random.chance(0.7)) newest.state = 'Completed';
  }

  /** Installed anew under the same name. */
  #begin(): void {
    this.#updates.length = 0;
    this.#generation++;
    for (let count = 1 + this.#random.below(3); count > 0; count--) this.#update();
  }

  /** A cluster forgets, too: some of what was told before is not told again. */
  #remembered(): readonly Update[] {
    return this.#updates.slice(0, 3 + this.#random.below(this.#updates.length));
  }

  #clusterVersion(number: number, told: readonly Update[]): Json {
    const [newest] = this.#updates;
    return {
      kind: 'ClusterVersion',
      metadata: { name: 'version' },
      spec: { clusterID: `${this.#name}-${this.#generation}`, channel: markOf(number) },
      status: {
        desired: { version: newest!.version, image: newest!.image },
        history: told.map((update) => ({ ...update, verified: update.state === 'Completed' })),
        availableUpdates: null,
      },
    };
  }

  #nodes(number: number): Json[] {
    const random = this.#random;
    if (!random.chance(0.03)) {
      return Array.from({ length: 1 + random.below(3) }, (_, index) => node(`${markOf(number)}-${index}`));
    }
    return Array.from({ length: MANY_NODES }, (_, index) =>
      node(`${markOf(number)}-${index}-${noise(random, LONG_NAME)}`),
    );
  }
}

/** What a report says as the API reads it at a moment. */
export function factsOf({ documents, collectedAt }: Report, now: string): ClusterFacts {
  const reading = readParsedDocuments(documents, {
    collectedAt: new Date(Math.min(Date.parse(collectedAt ?? now), Date.parse(now))).toISOString(),
    isRemovedApi: () => false,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

/** The numbers of the reports that a record was made of, by kind. */
export function marksIn({ clusterVersion, nodes, pools }: ClusterFacts): ReadonlyMap<ReportKind, number> {
  const marks = new Map<ReportKind, number>();
  if (clusterVersion !== null) marks.set('clusterVersion', numberIn(clusterVersion.channel ?? ''));
  if (nodes !== null) marks.set('nodes', numberIn(nodes[0]?.name ?? ''));
  if (pools !== null) marks.set('pools', numberIn(pools[0]?.name ?? ''));
  return marks;
}

const markOf = (number: number) => `report-${number}`;
const numberIn = (mark: string) => Number(mark.split('-')[1]);

/** Text that takes its full length when it is packed, nearly. */
function noise(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += random.next().toString(36).slice(2);
  return text.slice(0, length);
}
