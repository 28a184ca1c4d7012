import { createHash } from 'node:crypto';
import type { Table } from '../../../../functions/store/table.ts';
import { type AskQuery, startQuery } from '../../../helpers/lambda/ask-query.ts';
import type { Random } from '../../../helpers/random.ts';
import type { SyncHistory } from './history.ts';

/** A warm function that somebody asks now and then. What it said once it may not take back. */
export class Reader {
  reads = 0;
  readonly #ask: AskQuery;
  readonly #history: SyncHistory;
  readonly #random: Random;
  /** By document, the revision that was certainly seen. */
  readonly #seen = new Map<string, string>();

  constructor(table: Table, history: SyncHistory, random: Random) {
    this.#ask = startQuery(
      table,
      () => Date.now(),
      undefined,
      () => {},
    );
    this.#history = history;
    this.#random = random;
  }

  /** Asks for one thing and checks the answer. */
  async read(pairs: readonly string[]): Promise<void> {
    this.reads++;
    const pair = this.#random.pick(pairs);
    if (this.#random.chance(0.7)) await this.#readGraph(pair);
    else await this.#readVersions();
  }

  async #readGraph(pair: string): Promise<void> {
    const [channel, arch] = pair.split('/');
    const { status, headers, content } = await this.#ask(
      `/api/upgrades_info/v1/graph?channel=${channel}&arch=${arch}`,
      { headers: { accept: 'application/json' } },
    );
    const what = `a reader of ${pair}`;
    if (status !== 200) return this.#refused(what, status, headers, `graph/${pair}`);
    const { nodes } = JSON.parse(content.toString()) as { nodes: readonly unknown[] };
    if (nodes.length === 0 && !(await this.#mayBeEmpty(pair)))
      return this.#violate(`${what} got an empty graph`);
    if (nodes.length > 0)
      this.#found(what, `graph/${pair}`, createHash('sha256').update(content).digest('hex'));
  }

  async #readVersions(): Promise<void> {
    const { status, headers, content } = await this.#ask('/v2/openshift-versions');
    if (status !== 200) return this.#refused('a reader of versions', status, headers, 'catalogue');
    const versions = Object.keys(JSON.parse(content.toString()) as object);
    if (versions.length === 0) {
      const wasEmpty = this.#history.flips.some(
        ({ document, text }) => document === 'catalogue' && text === '{"releases":[]}',
      );
      if (!wasEmpty) this.#violate('a reader got no versions');
      return;
    }
    const flip = this.#history.flips.findLast(
      ({ document, text, head }) =>
        document === 'catalogue' &&
        head.revision >= (this.#seen.get('catalogue') ?? '') &&
        isListOf(text, versions),
    );
    if (!flip) this.#violate('a reader of versions got a list that is older or was never published');
    else {
      const first = this.#history.flips.find(
        ({ document, text, head }) =>
          document === 'catalogue' &&
          head.revision >= (this.#seen.get('catalogue') ?? '') &&
          isListOf(text, versions),
      )!;
      this.#seen.set('catalogue', first.head.revision);
    }
  }

  /** The same content may be published twice: of those that it can be, the earliest is certain. */
  #found(what: string, document: string, etag: string): void {
    const seen = this.#seen.get(document) ?? '';
    const flips = this.#history.flips.filter((flip) => flip.document === document && flip.head.etag === etag);
    const first = flips.find(({ head }) => head.revision >= seen);
    if (first) this.#seen.set(document, first.head.revision);
    else if (flips.length > 0) this.#violate(`${what} got an older graph than before`);
    else if (this.#history.latest(document)) this.#violate(`${what} got a graph that was never published`);
  }

  /** Only what nobody follows, or what upstream never had anything of. */
  async #mayBeEmpty(pair: string): Promise<boolean> {
    const configurations = this.#history.flips.filter(({ document }) => document === 'configuration');
    const isFollowed = ({ text }: { text: string }) => text.includes(`"${pair}"`);
    if (!configurations.every(isFollowed)) return true;
    const flips = this.#history.flips.filter(({ document }) => document === `graph/${pair}`);
    return flips.some(({ graph }) => graph?.nodes.size === 0);
  }

  /** Nobody is refused but while nothing is there yet or the table is out of order, and then with a time to come back. */
  #refused(what: string, status: number, headers: Record<string, string>, document: string): void {
    if (status !== 503) return this.#violate(`${what} got ${status}`);
    const isServed = this.#seen.has(document) && this.#history.latest(document) !== undefined;
    if (isServed && !this.isTableDown()) return this.#violate(`${what} got 503 after it had been served`);
    if (headers['retry-after'] === undefined) this.#violate(`${what} got 503 and not when to come back`);
  }

  /** To be said by whoever takes the table away. */
  isTableDown: () => boolean = () => false;

  #violate(what: string): void {
    this.#history.violate(what);
  }
}

function isListOf(catalogue: string, versions: readonly string[]): boolean {
  const { releases } = JSON.parse(catalogue) as { releases: readonly { version: string }[] };
  const listed = new Set(releases.map(({ version }) => version));
  const own = new Set(versions.map((version) => version.replace(/-multi$/, '')));
  return listed.size === own.size && [...own].every((version) => listed.has(version));
}
