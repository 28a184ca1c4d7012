import { gunzipSync } from 'node:zlib';
import { readSyncState } from '../../../../functions/releases/sync-state.ts';
import type { CairnEvent } from '../../../../functions/runtime/events.ts';
import { type PublicationHead, PUBLICATION, readPublished } from '../../../../functions/store/published.ts';
import type { Table } from '../../../../functions/store/table.ts';
import type { SyncResult } from '../../../../functions/sync/job.ts';
import { SYNC_LIMITS } from '../../../../functions/sync/run.ts';
import type { TableCall } from '../harness/table-proxy.ts';
import type { Configuration } from './configuration.ts';
import { faultOfBelief, faultOfGraph } from './graph-rules.ts';
import { type GivenAnswer, type PlainGraph, plainGraph, type UpstreamModel } from './upstream-model.ts';

/** A head that was flipped. */
export interface Flip {
  /** Of all that there ever were. */
  readonly number: number;
  readonly document: string;
  readonly head: PublicationHead;
  readonly actor: string;
  /** Of a graph: what it was made from and what it says. */
  readonly answer: GivenAnswer | null;
  readonly graph: PlainGraph | null;
  readonly text: string;
}

/** All that the sync did to the table and told others, checked as it happens. */
export class SyncHistory {
  readonly violations: string[] = [];
  readonly flips: Flip[] = [];
  readonly told = new Set<string>();
  /** Every change of a graph that was ever published, also of those that are gone by now. */
  readonly #happened = new Set<string>();
  readonly archived = new Set<string>();
  /** First payload of each release row, by key. */
  readonly payloads = new Map<string, string>();
  /** Rows that went when their minor had just come back. */
  readonly #goneAtReturn = new Set<string>();
  readonly doneSlots = new Map<string, number>();
  /** The time of data is that of slots: where some are wrong, how long something lasted can't be held against them. */
  hasWrongSlots = false;
  /** How many flips there ever were when each run was launched. */
  readonly #launched = new Map<string, number>();
  /** Runs that stood still for longer than their lease. */
  readonly #stoodStill = new Set<string>();
  #flipped = 0;
  /** Runs that nothing came in the way of. */
  readonly undisturbed = new Set<string>();
  /** By hand, in this trial. */
  readonly accepted = new Set<string>();
  readonly #table: Table;
  readonly #model: UpstreamModel;
  readonly #configuration: Configuration;
  readonly #publishers = new Map<string, string>();
  /** Of each pair, the latest answer that a finished run took as true. */
  readonly #taken = new Map<string, number>();
  /** When a run last succeeded that followed a minor. */
  readonly #followed = new Map<string, number>();

  constructor(table: Table, model: UpstreamModel, configuration: Configuration) {
    this.#table = table;
    this.#model = model;
    this.#configuration = configuration;
  }

  launched(actor: string): void {
    this.#launched.set(actor, this.#flipped);
  }

  stoodStill(actor: string): void {
    this.#stoodStill.add(actor);
  }

  latest(document: string): Flip | undefined {
    return this.flips.findLast((flip) => flip.document === document);
  }

  /** A write was carried out. */
  async wrote({ operation, keys, actor, input }: TableCall): Promise<void> {
    if (operation === 'PutItem' && keys[0]!.startsWith('DOC#') && keys[0]!.endsWith('|!HEAD')) {
      await this.#flip(keys[0]!.slice('DOC#'.length, -'|!HEAD'.length), actor);
    }
    if (operation === 'UpdateItem' && keys[0]!.startsWith('RELEASE#')) {
      const payload = input.ExpressionAttributeValues?.[':payload']?.S;
      const isAdded = !this.payloads.has(keys[0]!) || this.#goneAtReturn.has(keys[0]!);
      if (payload !== undefined && isAdded) {
        this.payloads.set(keys[0]!, payload);
        this.#goneAtReturn.delete(keys[0]!);
      }
    }
    if (operation === 'BatchWriteItem' || operation === 'DeleteItem') this.#deleted(keys, actor);
  }

  tellEvents(events: readonly CairnEvent[]): void {
    for (const { id, type } of events) {
      this.told.add(id);
      if (type === 'ChannelChanged' && !this.#happened.has(id))
        this.violate(`an event tells of ${id}, which did not happen`);
    }
  }

  /** A run is over; what it says of itself must be true. */
  async ended(actor: string, slot: string, result: SyncResult): Promise<void> {
    if (result.status !== 'Done') return;
    this.doneSlots.set(slot, (this.doneSlots.get(slot) ?? 0) + 1);
    if (this.doneSlots.get(slot)! > 1) this.violate(`slot ${slot} was done twice`);
    const state = await readSyncState(this.#table);
    const record = state?.book.runs.find((run) => run.slot === slot);
    if (!record) this.violate(`run ${slot} is done and has no record`);
    for (const { pair, state: after } of result.pairs) {
      if (result.record.outcome === 'Succeeded') this.#followed.set(pair.minor, Date.now());
      const name = `${pair.channel}/${pair.arch}`;
      const isGood = after.outcome === 'Published' || after.outcome === 'Unchanged';
      if (!isGood) {
        if (result.record.outcome === 'Succeeded') this.violate(`run ${slot} succeeded without ${name}`);
        continue;
      }
      const answer = this.#answerTo(actor, name);
      const flip = this.latest(`graph/${name}`);
      if (!answer) this.violate(`run ${slot} took ${name} as answered, and it was not`);
      else if (!flip) this.violate(`run ${slot} took ${name} as published, and it is not`);
      else this.#taken.set(name, Math.max(this.#taken.get(name) ?? 0, answer.number));
      const isServed = flip?.answer && answer && flip.answer.number >= answer.number;
      const isAsAnswered =
        flip?.graph && answer && faultOfGraph(flip.graph, answer.graph, flip.graph) === null;
      if (flip && answer && !isServed && !isAsAnswered) {
        this.violate(`run ${slot} took ${name} as ${after.outcome}, and another graph is served`);
      }
    }
  }

  violate(what: string): void {
    this.violations.push(what);
  }

  #answerTo(actor: string, pair: string): GivenAnswer | null {
    return this.#model.given.findLast((answer) => answer.pair === pair && answer.actor === actor) ?? null;
  }

  async #flip(document: string, actor: string): Promise<void> {
    const stored = await readPublished(this.#table, PUBLICATION, document).catch(
      (error: Error) => error.message,
    );
    if (typeof stored === 'string') return this.violate(stored);
    const { head, body } = stored;
    if (!head || !body) return this.violate(`${document} was published and is not there`);
    const before = this.latest(document);
    if (before && before.head.revision >= head.revision) {
      this.violate(`${document} went from revision ${before.head.revision} to ${head.revision}`);
    }
    const token = head.revision.split('-')[0]!;
    const publisher = this.#publishers.get(token) ?? actor;
    this.#publishers.set(token, publisher);
    if (publisher !== actor) this.violate(`token ${token} was used by ${publisher} and by ${actor}`);

    const text = gunzipSync(body).toString();
    const pair = document.startsWith('graph/') ? document.slice('graph/'.length) : null;
    const answer = pair === null ? null : this.#answerTo(actor, pair);
    const graph = pair === null ? null : plainGraph(JSON.parse(text) as Parameters<typeof plainGraph>[0]);
    // Those two are compared with what is there before they are published.
    const isCompared = document === 'configuration' || document === 'catalogue';
    if (isCompared && this.#wasKnown(before, actor) && before?.head.etag === head.etag) {
      this.violate(`${document} was published again at ${head.revision} as it was`);
    }
    if (pair !== null) {
      this.#happened.add(changeId(pair, head));
      this.#checkGraph(pair, head, answer, graph!, before);
    }
    this.flips.push({ number: this.#flipped++, document, head, actor, answer, graph, text });
  }

  #checkGraph(
    pair: string,
    head: PublicationHead,
    answer: GivenAnswer | null,
    graph: PlainGraph,
    before: Flip | undefined,
  ): void {
    if (!answer) return this.violate(`${pair} was published without an answer`);
    const fault = faultOfGraph(graph, answer.graph, before?.graph ?? null);
    if (fault !== null)
      this.violate(`the graph of ${pair} at ${head.revision} is not of its answer: ${fault}`);
    const isSame = before?.head.summary['source'] === head.summary['source'];
    if (isSame && this.#wasKnown(before, answer.actor)) {
      this.violate(`${pair} was published again at ${head.revision} though the answer is the same`);
    }
    const taken = this.#taken.get(pair) ?? -1;
    if (answer.number < taken) {
      this.violate(`${pair} went back to answer ${answer.number} after ${taken} had been taken as true`);
    }
    const earlier = this.#model.given.filter((given) => given.pair === pair && given.number <= answer.number);
    const doubt = faultOfBelief(answer, before?.answer ?? null, earlier);
    if (doubt !== null && !this.accepted.has(pair) && !this.hasWrongSlots) this.violate(`${pair}: ${doubt}`);
    const name = `${pair}/`;
    const isArchived = [...this.archived].some(
      (key) => key.startsWith(`archive/${name}`) && key.endsWith(`-${head.etag.slice(0, 16)}.json.gz`),
    );
    if (!isArchived) this.violate(`${pair} at ${head.revision} is not archived`);
  }

  /** It was there when this run was launched. */
  #wasKnown(flip: Flip | undefined, actor: string): boolean {
    return flip !== undefined && flip.number < (this.#launched.get(actor) ?? 0);
  }

  #deleted(keys: readonly string[], actor: string): void {
    for (const key of keys) {
      const [partition = '', sort = ''] = key.split('|');
      if (partition.startsWith('RELEASE#')) {
        // The run that follows it brings the row back, or adds it as upstream has it by then.
        if (this.#isJustReturned(minorIn(sort), actor)) {
          this.#goneAtReturn.add(key);
          continue;
        }
        this.payloads.delete(key);
        this.#checkRemoval(minorIn(sort), key);
      } else if (partition.startsWith('DOC#') && sort === '!HEAD') {
        const document = partition.slice('DOC#'.length);
        const minor = document.split('/')[1]!.split('-')[1]!;
        if (this.latest(document) && !this.#isJustReturned(minor, actor)) this.#checkRemoval(minor, key);
        const kept = this.flips.filter((flip) => flip.document !== document);
        this.flips.splice(0, this.flips.length, ...kept);
        this.#taken.delete(document.slice('graph/'.length));
      } else if (partition.startsWith('DOC#')) {
        const document = partition.slice('DOC#'.length);
        const { head } = this.latest(document) ?? {};
        const revision = sort.split('#')[1];
        if (head && (revision === head.revision || revision === head.previous)) {
          this.violate(`${key} was deleted and may be read`);
        }
      } else this.violate(`${key} was deleted`);
    }
  }

  /** It came back while this run stood still, and no run has succeeded since that knows of it. */
  #isJustReturned(minor: string, actor: string): boolean {
    const { removed, returned } = this.#configuration;
    const since = returned.get(minor);
    if (since === undefined || removed.has(minor) || !this.#stoodStill.has(actor)) return false;
    return (this.#followed.get(minor) ?? -1) < since;
  }

  #checkRemoval(minor: string, key: string): void {
    const since = this.#configuration.removed.get(minor);
    // A slot may begin a few minutes before its run, and after the configuration was put in place.
    const graceMs = SYNC_LIMITS.retirementGraceMs - 10 * 60_000;
    const isDue = since !== undefined && (this.hasWrongSlots || Date.now() - since >= graceMs);
    if (!isDue) this.violate(`${key} was deleted ${since === undefined ? 'though followed' : 'too early'}`);
  }
}

/** As the event names it that tells of this publication. */
export const changeId = (pair: string, { publishedAt, revision }: PublicationHead) =>
  `${pair}/${publishedAt}/${revision}`;

/** Sort keys of releases have their numbers with leading zeros. */
export function minorIn(sortKey: string): string {
  const [major, minor] = sortKey.match(/\d+/g)!.map(Number);
  return `${major}.${minor}`;
}
