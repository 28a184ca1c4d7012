import pLimit from 'p-limit';
import type { ReleaseNode } from '@cairn/shared/graph/graph';
import type { ReleaseRow } from '@cairn/shared/releases/catalogue';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { type Minor, minorOf } from '@cairn/shared/version/minor';
import { parseVersion, type ReleaseVersion } from '@cairn/shared/version/release-version';
import { addRelease, listReleases } from '../../store/releases.ts';
import type { Table } from '../../store/table.ts';
import type { SyncLimits } from './context.ts';

export type AddOutcome =
  | { readonly ok: true; readonly added: readonly string[]; readonly conflicts: readonly string[] }
  | { readonly ok: false; readonly detail: string };

/** The release rows as one run knows them: read once when first needed, then kept up with what the run adds. */
export class ReleaseRows {
  readonly #table: Table;
  readonly #limits: SyncLimits;
  readonly #writes;
  #loaded: Promise<Map<Arch, Map<string, ReleaseRow>>> | null = null;

  constructor(table: Table, limits: SyncLimits) {
    this.#table = table;
    this.#limits = limits;
    this.#writes = pLimit(limits.rowWritesAtOnce);
  }

  async all(): Promise<ReleaseRow[]> {
    const byArch = await this.#load();
    return [...byArch.values()].flatMap((rows) => [...rows.values()]);
  }

  /** Adds the releases of the pair's own minor (a channel also lists older ones), and this channel to those known. */
  async add(pair: ConfigPair, nodes: readonly ReleaseNode[], seenAt: string): Promise<AddOutcome> {
    const byArch = await this.#load();
    const rows = byArch.get(pair.arch)!;
    const own = nodes.flatMap((node) => {
      const version = parseVersion(node.version);
      return version && minorOf(version) === pair.minor ? [{ node, version }] : [];
    });
    const fresh = own.filter(({ node }) => !rows.has(node.version));
    const refusal = this.#refusal(byArch, rows, pair.minor, fresh.length);
    if (refusal) return { ok: false, detail: refusal };

    const touched = own.filter(({ node }) => !rows.get(node.version)?.channels.includes(pair.channel));
    await Promise.all(
      touched.map(({ node, version }) => this.#writes(() => this.#addOne(rows, pair, node, version, seenAt))),
    );
    return {
      ok: true,
      added: fresh.map(({ node }) => node.version),
      conflicts: own
        .filter(({ node }) => rows.get(node.version)!.payload !== node.payload)
        .map(({ node }) => node.version),
    };
  }

  async #addOne(
    rows: Map<string, ReleaseRow>,
    pair: ConfigPair,
    node: ReleaseNode,
    version: ReleaseVersion,
    seenAt: string,
  ) {
    const { arch, channel } = pair;
    await addRelease(this.#table, { version, arch, channel, payload: node.payload, seenAt });
    const known = rows.get(node.version);
    const channels = [...(known?.channels ?? []), channel].toSorted();
    rows.set(
      node.version,
      known
        ? { ...known, channels }
        : { version: node.version, arch, channels, payload: node.payload, firstSeenAt: seenAt },
    );
  }

  #refusal(
    byArch: Map<Arch, Map<string, ReleaseRow>>,
    rows: Map<string, ReleaseRow>,
    minor: Minor,
    fresh: number,
  ): string | null {
    const { versionsPerMinor, versionsInAll } = this.#limits;
    const inMinor = [...rows.values()].filter((row) => row.version.startsWith(`${minor}.`)).length;
    if (inMinor + fresh > versionsPerMinor) {
      return `${fresh} new versions would make ${inMinor + fresh} of ${minor}, at most ${versionsPerMinor} are kept`;
    }
    const inAll = [...byArch.values()].reduce((sum, some) => sum + some.size, 0);
    if (inAll + fresh > versionsInAll) {
      return `${fresh} new versions would make ${inAll + fresh} in all, at most ${versionsInAll} are kept`;
    }
    return null;
  }

  #load(): Promise<Map<Arch, Map<string, ReleaseRow>>> {
    this.#loaded ??= Promise.all(
      ARCHES.map(async (arch) => {
        const rows = await listReleases(this.#table, arch);
        return [arch, new Map(rows.map((row) => [row.version, row]))] as const;
      }),
    ).then((entries) => new Map(entries));
    return this.#loaded;
  }
}
